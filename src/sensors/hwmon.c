/*
 * The one file that uses libsensors: the kernel's temperatures for drives whose SMART log cannot
 * be read (no privilege, SATA with drivetemp). Chips are found by their place in sysfs: names
 * clash between drives.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sensors/error.h>
#include <sensors/sensors.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensor_table.h"
#include "smart_decode.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

/* temp1 is the composite temperature, temp2 to temp9 are the sensors 1 to 8. */
#define TEMPS_MAX (1 + SENSORS_MAX)

struct hwmon {
	struct sensor base;
	const sensors_chip_name *chip; /* the library's */
	int input[TEMPS_MAX];          /* subfeature numbers, -1 where there is none */
	bool nvme;
};

/*
 * The library keeps its chips in globals that only init and cleanup change; reading values does
 * not touch them, so several pollers may read at once. There is one init for all drives.
 */
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

/* An empty configuration: the system's may rename, hide or recompute values. */
static int library_get(void)
{
	int err = 0;

	pthread_mutex_lock(&users_lock);
	if (users == 0) {
		FILE *empty = fopen("/dev/null", "re");

		if (!empty || sensors_init(empty))
			err = -EIO;
		if (empty)
			fclose(empty);
	}
	if (err == 0)
		users++;
	pthread_mutex_unlock(&users_lock);
	return err;
}

static void library_put(void)
{
	pthread_mutex_lock(&users_lock);
	if (--users == 0)
		sensors_cleanup();
	pthread_mutex_unlock(&users_lock);
}

/*
 * Is the chip at `path` the drive's? Its device is the controller (since Linux 5.11) or the PCI
 * device (before), or for SATA the SCSI device.
 */
static bool belongs(const char *path, const struct target *t)
{
	char device[SYSFS_PATH_MAX], disk[SYSFS_PATH_MAX];
	char *real;
	bool same;

	text_format(device, sizeof(device), "%s/device", path);
	real = realpath(device, NULL);
	if (!real)
		return false;
	sysfs_real(disk, sizeof(disk), "/sys/class/block/%s/device", t->disk);
	same = (t->controller[0] &&
		(strcmp(real, t->controller_sysfs) == 0 || strcmp(real, t->pci_sysfs) == 0)) ||
	       (t->disk[0] && disk[0] && strcmp(real, disk) == 0);
	free(real);
	return same;
}

static const sensors_chip_name *find_chip(const struct target *t)
{
	const sensors_chip_name *chip;
	int i = 0;

	while ((chip = sensors_get_detected_chips(NULL, &i)))
		if (chip->path && belongs(chip->path, t))
			return chip;
	return NULL;
}

/* °C, NAN where nothing was read. The kernel says 0 with success when the drive failed. */
static double read_c(const struct hwmon *h, int subfeature, bool limit)
{
	double value;

	if (subfeature < 0 || sensors_get_value(h->chip, subfeature, &value) || value == 0)
		return NAN;
	/* The kernel takes 273.15 off, this program 273. Limits of SATA drives are exact. */
	if (h->nvme)
		return smart_hwmon_c(value);
	return value > -73 && value < (limit ? 126 : 150) ? value : (double)NAN;
}

static int subfeature(const struct hwmon *h, const sensors_feature *f, sensors_subfeature_type type)
{
	const sensors_subfeature *s = sensors_get_subfeature(h->chip, f, type);

	return s && (s->flags & SENSORS_MODE_R) ? s->number : -1;
}

/* Each limit is one command to the drive: they are read once. */
static void read_limits(const struct hwmon *h, const sensors_feature *f,
			struct thermal_limits *limits)
{
	double max = read_c(h, subfeature(h, f, SENSORS_SUBFEATURE_TEMP_MAX), true);
	double crit = read_c(h, subfeature(h, f, SENSORS_SUBFEATURE_TEMP_CRIT), true);

	if (max > crit || max < 40)
		max = NAN;
	if (crit < 40)
		crit = NAN;
	if (isnan(limits->wctemp_c))
		limits->wctemp_c = max;
	if (isnan(limits->cctemp_c))
		limits->cctemp_c = crit;
}

static enum field field_of(int temp)
{
	return temp == 0 ? FIELD_TEMP : (enum field)(FIELD_SENSOR1 + temp - 1);
}

/* Finds the inputs once; the drive is asked for each of them once. */
static void find_inputs(struct hwmon *h, struct target *t)
{
	const sensors_feature *f;
	int i = 0, number;

	for (number = 0; number < TEMPS_MAX; number++)
		h->input[number] = -1;
	while ((f = sensors_get_features(h->chip, &i))) {
		/* NOLINTNEXTLINE(cert-err34-c): the library's own names */
		if (f->type != SENSORS_FEATURE_TEMP || sscanf(f->name, "temp%d", &number) != 1 ||
		    number < 1 || number > TEMPS_MAX)
			continue;
		h->input[number - 1] = subfeature(h, f, SENSORS_SUBFEATURE_TEMP_INPUT);
		h->base.can[field_of(number - 1)] = !isnan(read_c(h, h->input[number - 1], false));
		if (number == 1)
			read_limits(h, f, &t->drive.limits);
	}
}

static int hwmon_read(struct sensor *base, struct sample *out)
{
	const struct hwmon *h = (const struct hwmon *)base;
	int64_t start_ns = clock_now_ns();
	bool any = false;

	for (int i = 0; i < TEMPS_MAX; i++) {
		enum field f = field_of(i);

		if (!base->can[f])
			continue;
		sample_set(out, f, read_c(h, h->input[i], false));
		any = any || !isnan(sample_get(out, f));
	}
	if (!any)
		return -EIO;
	out->poll_ms = (double)(clock_now_ns() - start_ns) / NS_PER_MS;
	return 0;
}

static void hwmon_close(struct sensor *base)
{
	free(base);
	library_put();
}

static int hwmon_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT],
		      char *why, size_t size)
{
	struct hwmon *h;
	int err;

	why[0] = '\0';
	(void)size;
	if (have[FIELD_TEMP] || t->kind == TARGET_SIM || (!t->controller[0] && !t->disk[0]))
		return -ENOENT;
	err = library_get();
	if (err)
		return -ENOENT;
	h = xzalloc(sizeof(*h));
	h->nvme = t->controller[0];
	h->chip = find_chip(t);
	if (h->chip)
		find_inputs(h, t);
	if (!h->base.can[FIELD_TEMP]) {
		hwmon_close(&h->base);
		return -ENOENT;
	}
	h->base.can[FIELD_POLL_MS] = true;
	*out = &h->base;
	return 0;
}

const struct sensor_ops sensor_hwmon = {
    .name = "hwmon",
    .help = "temperatures that the kernel gives to anybody: NVMe without privilege, SATA",
    .asks_drive = true,
    .open = hwmon_open,
    .read = hwmon_read,
    .close = hwmon_close,
};
