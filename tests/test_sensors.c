/* The sensors that read sysfs alone, on fake trees: PCIe link, CPU, block device. */
#include "cmocka_all.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sensors/sensor_table.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

static char root[64], why[700];
static struct target t;
static const bool have_nothing[FIELD_COUNT];

static void put(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	text_format(full, sizeof(full), "%s%s", root, path);
	for (char *s = full + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(full, 0700);
		*s = '/';
	}
	f = fopen(full, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/throttlog-sensors-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	sysfs_set_root(root);
	memset(&t, 0, sizeof(t));
	drive_clear(&t.drive);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int open_it(const struct sensor_ops *ops, struct sensor **s)
{
	return ops->open(s, &t, have_nothing, why, sizeof(why));
}

#define PCI "/sys/devices/pci0000:00/0000:01:00.0"

static void link_follows_the_bus(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	assert_int_equal(open_it(&sensor_link, &s), -ENOENT);
	put(PCI "/current_link_speed", "8.0 GT/s PCIe\n");
	put(PCI "/current_link_width", "4\n");
	text_format(t.pci_sysfs, sizeof(t.pci_sysfs), "%s" PCI, root);
	assert_int_equal(open_it(&sensor_link, &s), 0);
	sample_clear(&row);
	assert_int_equal(sensor_link.read(s, &row), 0);
	assert_float_equal(row.link_gt_s, 8, 0);
	assert_float_equal(row.link_width, 4, 0);
	put(PCI "/current_link_speed", "2.5 GT/s\n");
	put(PCI "/current_link_width", "2\n");
	assert_int_equal(sensor_link.read(s, &row), 0);
	assert_float_equal(row.link_gt_s, 2.5, 0);
	assert_float_equal(row.link_width, 2, 0);
	put(PCI "/current_link_speed", "Unknown\n");
	put(PCI "/current_link_width", "63\n");
	assert_true(sensor_link.read(s, &row) < 0);
	assert_true(isnan(row.link_gt_s) && isnan(row.link_width));
	sensor_link.close(s);
}

static void cpu_takes_the_hottest(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	assert_int_equal(open_it(&sensor_cpu, &s), -ENOENT);
	put("/sys/class/hwmon/hwmon0/name", "nvme\n");
	put("/sys/class/hwmon/hwmon0/temp1_input", "90000\n");
	put("/sys/class/hwmon/hwmon1/name", "coretemp\n");
	put("/sys/class/hwmon/hwmon1/temp1_input", "61000\n");
	put("/sys/class/hwmon/hwmon1/temp2_input", "64500\n");
	put("/sys/class/hwmon/hwmon1/temp4_input", "255000\n");
	put("/sys/class/hwmon/hwmon2/name", "k10temp\n");
	put("/sys/class/hwmon/hwmon2/temp1_input", "88000\n");
	put("/sys/class/hwmon/hwmon2/temp1_label", "Tctl\n");
	put("/sys/class/hwmon/hwmon2/temp2_input", "63000\n");
	put("/sys/class/hwmon/hwmon2/temp2_label", "Tdie\n");
	for (int i = 0; i < 4; i++) {
		char path[128];

		text_format(path, sizeof(path),
			    "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count",
			    i);
		put(path, "3\n");
		text_format(path, sizeof(path),
			    "/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count",
			    i);
		put(path, "10\n");
		text_format(path, sizeof(path),
			    "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", i);
		put(path, i < 2 ? "0\n" : "1\n");
	}
	put("/sys/devices/system/cpu/cpufreq/thermal_throttle/core_throttle_count", "1000\n");
	assert_int_equal(open_it(&sensor_cpu, &s), 0);
	sample_clear(&row);
	assert_int_equal(sensor_cpu.read(s, &row), 0);
	assert_float_equal(row.host_c, 64.5, 1e-9);
	assert_float_equal(row.cpu_throttle_count, 4 * 3 + 2 * 10, 1e-9);
	sensor_cpu.close(s);
}

static void cpu_uses_zones_without_hwmon(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	put("/sys/class/thermal/thermal_zone0/type", "acpitz\n");
	put("/sys/class/thermal/thermal_zone0/temp", "27800\n");
	put("/sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
	put("/sys/class/thermal/thermal_zone1/temp", "51000\n");
	assert_int_equal(open_it(&sensor_cpu, &s), 0);
	assert_false(s->can[FIELD_CPU_THROTTLE]);
	sample_clear(&row);
	sensor_cpu.read(s, &row);
	assert_float_equal(row.host_c, 51, 1e-9);
	assert_true(isnan(row.cpu_throttle_count));
	sensor_cpu.close(s);
}

static void block_counts_all_bytes(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	strcpy(t.disk, "nvme0n1");
	assert_int_equal(open_it(&sensor_block, &s), -ENOENT);
	put("/sys/class/block/nvme0n1/stat",
	    "   10  1  1000  5   20  2  3000  7  0  9  9  0 0 0 0 0 0\n");
	assert_int_equal(open_it(&sensor_block, &s), 0);
	sample_clear(&row);
	assert_int_equal(sensor_block.read(s, &row), 0);
	assert_float_equal(row.foreign_bytes, 0, 0);
	put("/sys/class/block/nvme0n1/stat",
	    "   12  1  1100  9   21  2  3010  12  0  15  21  0 0 0 0 0 0\n");
	assert_int_equal(sensor_block.read(s, &row), 0);
	assert_float_equal(row.foreign_bytes, 110 * 512, 0);
	/* 3 requests in a time that was busy for 6 ms: their ratio needs no clock. */
	assert_true(fabs(row.lat_avg_us - 3000) < 1e-9);
	assert_true(row.iops > 0);
	if (row.util_pct < 100)
		assert_true(fabs(row.util_pct / row.iops - 0.1 * 6 / 3) < 1e-9);
	/* Idle: no latency, but 0 % busy is a fact. */
	sample_clear(&row);
	assert_int_equal(sensor_block.read(s, &row), 0);
	assert_true(row.iops == 0 && row.util_pct == 0 && isnan(row.lat_avg_us));
	/* Counters that start again are a gap, not a negative number. */
	sample_clear(&row);
	put("/sys/class/block/nvme0n1/stat", "   0  0  0  0   0  0  0  0  0  0  0  0 0 0 0 0 0\n");
	assert_int_equal(sensor_block.read(s, &row), 0);
	assert_true(isnan(row.foreign_bytes));
	put("/sys/class/block/nvme0n1/stat", "");
	assert_true(sensor_block.read(s, &row) < 0);
	sensor_block.close(s);
}

static void block_statistics_switched_off_are_no_zero(void **state)
{
	struct sensor *s;

	(void)state;
	strcpy(t.disk, "nvme0n1");
	put("/sys/class/block/nvme0n1/stat", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	put("/sys/class/block/nvme0n1/queue/iostats", "0\n");
	assert_int_equal(open_it(&sensor_block, &s), -EOPNOTSUPP);
	put("/sys/class/block/nvme0n1/queue/iostats", "1\n");
	assert_int_equal(open_it(&sensor_block, &s), 0);
	sensor_block.close(s);
}

static void sim_needs_no_host(void **state)
{
	struct sensor *s;

	(void)state;
	t.kind = TARGET_SIM;
	assert_int_equal(open_it(&sensor_smart, &s), -ENOENT);
	assert_int_equal(open_it(&sensor_hwmon, &s), -ENOENT);
	assert_int_equal(open_it(&sensor_link, &s), -ENOENT);
	assert_int_equal(open_it(&sensor_cpu, &s), -ENOENT);
	assert_int_equal(open_it(&sensor_block, &s), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(link_follows_the_bus, setup, teardown),
	    cmocka_unit_test_setup_teardown(cpu_takes_the_hottest, setup, teardown),
	    cmocka_unit_test_setup_teardown(cpu_uses_zones_without_hwmon, setup, teardown),
	    cmocka_unit_test_setup_teardown(block_counts_all_bytes, setup, teardown),
	    cmocka_unit_test_setup_teardown(block_statistics_switched_off_are_no_zero, setup,
					    teardown),
	    cmocka_unit_test_setup_teardown(sim_needs_no_host, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
