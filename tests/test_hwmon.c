/*
 * Temperatures through libsensors, at its boundary: its functions are replaced (-Wl,--wrap) by
 * chips of ours whose places lie in a tree of ours. SATA drives with drivetemp above all, which no
 * virtual machine's disk has.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <sensors/error.h>
#include <sensors/sensors.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensors/sensor_table.h"
#include "throttlog/sensor.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"

#define CHIPS 3
#define TEMPS 3

/* A value for each of input, max and crit; NAN: there is no such file. */
struct fake_temp {
	int number; /* temp1, temp2 ...; 0: none */
	double value[3];
};

static struct fake_chip {
	sensors_chip_name name;
	char path[200];
	struct fake_temp temp[TEMPS];
	int error; /* what reading gives */
} chips[CHIPS];

static char root[64], feature_names[10][8];
static struct target targets[2]; /* too large for the stack */
static const sensors_subfeature_type types[3] = {
    SENSORS_SUBFEATURE_TEMP_INPUT, SENSORS_SUBFEATURE_TEMP_MAX, SENSORS_SUBFEATURE_TEMP_CRIT};
static int opened, reads;

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names */
int __wrap_sensors_init(FILE *input);
void __wrap_sensors_cleanup(void);
const sensors_chip_name *__wrap_sensors_get_detected_chips(const sensors_chip_name *match, int *nr);
const sensors_feature *__wrap_sensors_get_features(const sensors_chip_name *name, int *nr);
const sensors_subfeature *__wrap_sensors_get_subfeature(const sensors_chip_name *name,
							const sensors_feature *feature,
							sensors_subfeature_type type);
int __wrap_sensors_get_value(const sensors_chip_name *name, int number, double *value);

int __wrap_sensors_init(FILE *input)
{
	assert_non_null(input); /* not the system's configuration */
	opened++;
	return 0;
}

void __wrap_sensors_cleanup(void)
{
	opened--;
}

const sensors_chip_name *__wrap_sensors_get_detected_chips(const sensors_chip_name *match, int *nr)
{
	assert_null(match);
	while (*nr < CHIPS) {
		struct fake_chip *c = &chips[(*nr)++];

		if (c->path[0])
			return &c->name;
	}
	return NULL;
}

static struct fake_chip *chip_of(const sensors_chip_name *name)
{
	int i = 0;

	while (i < CHIPS - 1 && name != &chips[i].name)
		i++;
	assert_ptr_equal(name, &chips[i].name);
	return &chips[i];
}

const sensors_feature *__wrap_sensors_get_features(const sensors_chip_name *name, int *nr)
{
	static sensors_feature feature;
	const struct fake_chip *c = chip_of(name);

	if (*nr >= TEMPS || !c->temp[*nr].number)
		return NULL;
	feature = (sensors_feature){.name = feature_names[c->temp[*nr].number],
				    .number = *nr,
				    .type = SENSORS_FEATURE_TEMP};
	(*nr)++;
	return &feature;
}

const sensors_subfeature *__wrap_sensors_get_subfeature(const sensors_chip_name *name,
							const sensors_feature *feature,
							sensors_subfeature_type type)
{
	static sensors_subfeature sub;
	const struct fake_chip *c = chip_of(name);

	for (int k = 0; k < 3; k++)
		if (types[k] == type && !isnan(c->temp[feature->number].value[k])) {
			sub = (sensors_subfeature){.number = feature->number * 3 + k,
						   .type = type,
						   .flags = SENSORS_MODE_R};
			return &sub;
		}
	return NULL;
}

int __wrap_sensors_get_value(const sensors_chip_name *name, int number, double *value)
{
	const struct fake_chip *c = chip_of(name);

	reads++;
	*value = c->temp[number / 3].value[number % 3];
	return c->error;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

__attribute__((format(printf, 1, 2))) static void run_sh(const char *format, ...)
{
	char command[600];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a test's own words */
}

/* hwmon chip `i` belongs to the device at `device` below the root. */
static void put_chip(int i, const char *device)
{
	run_sh("mkdir -p %s/sys/class/hwmon/hwmon%d %s%s && ln -sfn %s%s "
	       "%s/sys/class/hwmon/hwmon%d/device",
	       root, i, root, device, root, device, root, i);
	memset(&chips[i], 0, sizeof(chips[i]));
	snprintf(chips[i].path, sizeof(chips[i].path), "%s/sys/class/hwmon/hwmon%d", root, i);
	chips[i].name.path = chips[i].path;
	/* Every drive has the same name: nothing may go by it. */
	chips[i].name.prefix = feature_names[0];
}

static void put_temp(int chip, int at, int number, double input, double max, double crit)
{
	chips[chip].temp[at] = (struct fake_temp){number, {input, max, crit}};
}

/* The SATA disk `disk`, whose SCSI device lies at `device`. */
static void make_sata(struct target *t, const char *disk, const char *device)
{
	memset(t, 0, sizeof(*t));
	drive_clear(&t->drive);
	t->kind = TARGET_BLOCK;
	snprintf(t->disk, sizeof(t->disk), "%s", disk);
	run_sh("mkdir -p %s%s %s/sys/class/block/%s && ln -sfn %s%s %s/sys/class/block/%s/device",
	       root, device, root, disk, root, device, root, disk);
}

static int setup(void **state)
{
	(void)state;
	memset(chips, 0, sizeof(chips));
	for (int i = 1; i < 10; i++)
		snprintf(feature_names[i], sizeof(feature_names[i]), "temp%d", i);
	strcpy(root, "/tmp/throttlog-hwmon-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	sysfs_set_root(root);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	sysfs_set_root(NULL);
	run_sh("rm -rf %s", root);
	return opened;
}

static const bool have_nothing[FIELD_COUNT];

static struct sensor *open_hwmon(struct target *t)
{
	struct sensor *s = NULL;
	char why[700];

	assert_int_equal(sensor_hwmon.open(&s, t, have_nothing, why, sizeof(why)), 0);
	s->ops = &sensor_hwmon;
	return s;
}

static double read_temp(struct sensor *s)
{
	struct sample row;

	sample_clear(&row);
	return sensor_read(s, &row) ? (double)NAN : row.temp_c;
}

#define ATA0 "/sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0"
#define ATA1 "/sys/devices/pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0"

static void a_sata_drive_has_drivetemps_temperature(void **state)
{
	struct target *t = &targets[0];
	struct sensor *s;

	(void)state;
	make_sata(t, "sda", ATA0);
	put_chip(0, ATA0);
	/* As SCT gives them: whole degrees, limits where the drive states them. */
	put_temp(0, 0, 1, 43, 70, 85);
	s = open_hwmon(t);
	assert_true(s->can[FIELD_TEMP]);
	assert_false(s->can[FIELD_SENSOR1]);
	/* Not 273.15 but whole: no tenth is cut off as for NVMe. */
	assert_true(read_temp(s) == 43);
	assert_true(t->drive.limits.wctemp_c == 70);
	assert_true(t->drive.limits.cctemp_c == 85);
	chips[0].temp[0].value[0] = 61;
	assert_true(read_temp(s) == 61);
	sensor_close(s);
}

static void two_sata_drives_are_told_apart_by_sysfs(void **state)
{
	struct target *a = &targets[0], *b = &targets[1];
	struct sensor *sa, *sb;

	(void)state;
	make_sata(a, "sda", ATA0);
	make_sata(b, "sdb", ATA1);
	/* The library's order is not the disks'. */
	put_chip(0, ATA1);
	put_chip(1, ATA0);
	put_temp(0, 0, 1, 55, NAN, NAN);
	put_temp(1, 0, 1, 33, NAN, NAN);
	sa = open_hwmon(a);
	sb = open_hwmon(b);
	assert_true(read_temp(sa) == 33);
	assert_true(read_temp(sb) == 55);
	assert_true(isnan(a->drive.limits.wctemp_c));
	/* One init for both, undone by the last. */
	assert_int_equal(opened, 1);
	sensor_close(sa);
	assert_int_equal(opened, 1);
	assert_true(read_temp(sb) == 55);
	sensor_close(sb);
	assert_int_equal(opened, 0);
}

static void without_drivetemp_there_is_none(void **state)
{
	struct target *t = &targets[0];
	struct sensor *s;
	char why[700];

	(void)state;
	make_sata(t, "sda", ATA0);
	put_chip(0, "/sys/devices/platform/coretemp.0");
	put_temp(0, 0, 1, 50, NAN, 100);
	assert_int_equal(sensor_hwmon.open(&s, t, have_nothing, why, sizeof(why)), -ENOENT);
	/* Nor where another drive's is. */
	put_chip(1, ATA1);
	put_temp(1, 0, 1, 50, NAN, NAN);
	assert_int_equal(sensor_hwmon.open(&s, t, have_nothing, why, sizeof(why)), -ENOENT);
}

static void what_is_no_temperature_is_missing(void **state)
{
	struct target *t = &targets[0];
	struct sensor *s;
	struct sample row;

	(void)state;
	make_sata(t, "sda", ATA0);
	put_chip(0, ATA0);
	/* Limits of other drives: 0, or below what a room has. */
	put_temp(0, 0, 1, 40, 0, 10);
	s = open_hwmon(t);
	assert_true(isnan(t->drive.limits.wctemp_c));
	assert_true(isnan(t->drive.limits.cctemp_c));
	/* Some drives say 0 or -128 °C while they spin down or wake. */
	chips[0].temp[0].value[0] = 0;
	assert_true(isnan(read_temp(s)));
	chips[0].temp[0].value[0] = -128;
	assert_true(isnan(read_temp(s)));
	chips[0].temp[0].value[0] = 200;
	assert_true(isnan(read_temp(s)));
	/* The chip is gone: an error, and nothing is written. */
	chips[0].error = -SENSORS_ERR_KERNEL;
	sample_clear(&row);
	assert_true(sensor_read(s, &row) < 0);
	assert_true(isnan(row.temp_c));
	chips[0].error = 0;
	chips[0].temp[0].value[0] = 44;
	assert_true(read_temp(s) == 44);
	sensor_close(s);
}

#define PCI0 "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0"

static void an_nvme_drives_limits_are_read_once(void **state)
{
	struct target *t = &targets[0];
	struct sensor *s;
	struct sample row;
	int before;

	(void)state;
	memset(t, 0, sizeof(*t));
	drive_clear(&t->drive);
	t->kind = TARGET_BLOCK;
	strcpy(t->controller, "nvme0");
	snprintf(t->controller_sysfs, sizeof(t->controller_sysfs), "%s%s", root, PCI0);
	put_chip(0, PCI0);
	/* The kernel takes 273.15 K off; thresholds that are not set show as 65261.85. */
	put_temp(0, 0, 1, 49.85, 69.85, 99.85);
	put_temp(0, 1, 3, 61.85, 65261.85, NAN);
	s = open_hwmon(t);
	assert_true(t->drive.limits.wctemp_c == 70);
	assert_true(t->drive.limits.cctemp_c == 100);
	/* Sensors are numbered as the drive numbers them: temp3 is sensor 2. */
	assert_false(s->can[FIELD_SENSOR1]);
	assert_true(s->can[FIELD_SENSOR1 + 1]);
	before = reads;
	sample_clear(&row);
	assert_int_equal(sensor_read(s, &row), 0);
	assert_int_equal(reads - before, 2); /* one command to the drive each: only the inputs */
	assert_true(row.temp_c == 50);
	assert_true(row.sensor_c[1] == 62);
	sensor_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_sata_drive_has_drivetemps_temperature, setup,
					    teardown),
	    cmocka_unit_test_setup_teardown(two_sata_drives_are_told_apart_by_sysfs, setup,
					    teardown),
	    cmocka_unit_test_setup_teardown(without_drivetemp_there_is_none, setup, teardown),
	    cmocka_unit_test_setup_teardown(what_is_no_temperature_is_missing, setup, teardown),
	    cmocka_unit_test_setup_teardown(an_nvme_drives_limits_are_read_once, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
