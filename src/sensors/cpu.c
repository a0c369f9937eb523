/*
 * The host's side of the story: hottest CPU sensor and the CPUs' throttle counters. A drive that
 * slows down because the CPU does is not a throttling drive.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

#define INPUTS_MAX   64
#define PACKAGES_MAX 64
/* Superio chips and unconnected diodes print anything. */
#define HOST_MIN_C (-40)
#define HOST_MAX_C 150

/* hwmon drivers and thermal zones that measure a CPU. */
static const char *const cpu_names[] = {
    "coretemp",    "k10temp",      "k8temp",      "zenpower",    "fam15h_power", "cpu_thermal",
    "cpu-thermal", "x86_pkg_temp", "soc_thermal", "soc-thermal", "scpi_sensors",
};

struct cpu {
	struct sensor base;
	char (*input)[128]; /* attributes in m°C */
	size_t n;
};

struct counts {
	double sum;
	bool any, package_seen[PACKAGES_MAX];
};

static bool is_cpu(const char *name)
{
	for (size_t i = 0; i < sizeof(cpu_names) / sizeof(*cpu_names); i++)
		if (strcmp(name, cpu_names[i]) == 0)
			return true;
	return false;
}

static double read_c(const char *path)
{
	double milli;

	if (sysfs_number(&milli, "%s", path) || milli == 0)
		return NAN;
	milli /= 1000;
	return milli > HOST_MIN_C && milli < HOST_MAX_C ? milli : (double)NAN;
}

static void add_input(struct cpu *c, const char *path)
{
	if (c->n == INPUTS_MAX || isnan(read_c(path)))
		return;
	c->input = xreallocarray(c->input, c->n + 1, sizeof(*c->input));
	text_format(c->input[c->n++], sizeof(*c->input), "%s", path);
}

/* AMD's Tctl may carry an offset of up to 27 °C for the fans; the dies' sensors do not. */
static bool is_control_value(const char *chip, int number)
{
	char label[32];

	return sysfs_text(label, sizeof(label), "/sys/class/hwmon/%s/temp%d_label", chip, number) ==
		   0 &&
	       strcmp(label, "Tctl") == 0 &&
	       sysfs_exists("/sys/class/hwmon/%s/temp%d_input", chip, number + 1);
}

static int add_chip(const char *chip, void *data)
{
	char name[32], path[128];

	if (sysfs_text(name, sizeof(name), "/sys/class/hwmon/%s/name", chip) || !is_cpu(name))
		return 0;
	for (int i = 1; i <= INPUTS_MAX; i++) {
		if (is_control_value(chip, i))
			continue;
		text_format(path, sizeof(path), "/sys/class/hwmon/%s/temp%d_input", chip, i);
		add_input(data, path);
	}
	return 0;
}

static int add_zone(const char *zone, void *data)
{
	char type[32], path[128];

	if (sysfs_text(type, sizeof(type), "/sys/class/thermal/%s/type", zone) || !is_cpu(type))
		return 0;
	text_format(path, sizeof(path), "/sys/class/thermal/%s/temp", zone);
	add_input(data, path);
	return 0;
}

/* Core counters of each CPU, and the package's counter once a package. */
static int add_counts(const char *entry, void *data)
{
	struct counts *c = data;
	double n, id;
	unsigned package;

	if (strncmp(entry, "cpu", 3) != 0 || entry[3] < '0' || entry[3] > '9')
		return 0;
	if (sysfs_number(&n, "/sys/devices/system/cpu/%s/thermal_throttle/core_throttle_count",
			 entry) == 0) {
		c->sum += n;
		c->any = true;
	}
	/* -1 where the kernel does not know it. */
	if (sysfs_number(&id, "/sys/devices/system/cpu/%s/topology/physical_package_id", entry) ||
	    id < 0)
		return 0;
	package = (unsigned)fmod(id, PACKAGES_MAX);
	if (!c->package_seen[package] &&
	    sysfs_number(&n, "/sys/devices/system/cpu/%s/thermal_throttle/package_throttle_count",
			 entry) == 0) {
		c->package_seen[package] = true;
		c->sum += n;
		c->any = true;
	}
	return 0;
}

static double throttle_count(void)
{
	struct counts c = {.sum = 0};

	sysfs_each("/sys/devices/system/cpu", add_counts, &c);
	return c.any ? c.sum : (double)NAN;
}

static double hottest_c(const struct cpu *c)
{
	double hottest = NAN;

	for (size_t i = 0; i < c->n; i++)
		hottest = fmax(hottest, read_c(c->input[i]));
	return hottest;
}

static int cpu_read(struct sensor *base, struct sample *out)
{
	const struct cpu *c = (const struct cpu *)base;

	if (base->can[FIELD_HOST_C])
		out->host_c = hottest_c(c);
	if (base->can[FIELD_CPU_THROTTLE])
		out->cpu_throttle_count = throttle_count();
	return 0;
}

static void cpu_close(struct sensor *base)
{
	free(((struct cpu *)base)->input);
	free(base);
}

static int cpu_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT], char *why,
		    size_t size)
{
	struct cpu *c;

	(void)have;
	why[0] = '\0';
	(void)size;
	if (t->kind == TARGET_SIM)
		return -ENOENT;
	c = xzalloc(sizeof(*c));
	sysfs_each("/sys/class/hwmon", add_chip, c);
	if (c->n == 0)
		sysfs_each("/sys/class/thermal", add_zone, c);
	c->base.can[FIELD_HOST_C] = c->n > 0;
	c->base.can[FIELD_CPU_THROTTLE] = !isnan(throttle_count());
	if (!c->base.can[FIELD_HOST_C] && !c->base.can[FIELD_CPU_THROTTLE]) {
		cpu_close(&c->base);
		return -ENOENT;
	}
	*out = &c->base;
	return 0;
}

const struct sensor_ops sensor_cpu = {
    .name = "cpu",
    .help = "hottest CPU sensor of the host, and how often its CPUs throttled",
    .open = cpu_open,
    .read = cpu_read,
    .close = cpu_close,
};
