/*
 * Stands in for libsensors in the program under test (LD_PRELOAD): a disk with one temperature,
 * which is not answered while the file $SLOW_SENSORS/hang exists. $SLOW_SENSORS/device is a link
 * to the disk's device in sysfs.
 */
#include <sensors/sensors.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One chip, one feature, one subfeature, as the library would describe them. */
static char path[4096];
static sensors_chip_name chip = {.prefix = (char *)"slow", .path = path};
static const sensors_feature feature = {.name = (char *)"temp1", .type = SENSORS_FEATURE_TEMP};
static const sensors_subfeature input = {.name = (char *)"temp1_input",
					 .number = 1,
					 .type = SENSORS_SUBFEATURE_TEMP_INPUT,
					 .flags = SENSORS_MODE_R};

int sensors_init(FILE *config)
{
	const char *dir = secure_getenv("SLOW_SENSORS");

	(void)config;
	strncpy(path, dir ? dir : "", sizeof(path) - 1);
	return 0;
}

void sensors_cleanup(void)
{
}

const sensors_chip_name *sensors_get_detected_chips(const sensors_chip_name *match, int *next)
{
	(void)match;
	return (*next)++ == 0 ? &chip : NULL;
}

const sensors_feature *sensors_get_features(const sensors_chip_name *name, int *next)
{
	(void)name;
	return (*next)++ == 0 ? &feature : NULL;
}

const sensors_subfeature *sensors_get_subfeature(const sensors_chip_name *name,
						 const sensors_feature *of,
						 sensors_subfeature_type type)
{
	(void)name;
	(void)of;
	return type == SENSORS_SUBFEATURE_TEMP_INPUT ? &input : NULL;
}

int sensors_get_value(const sensors_chip_name *name, int number, double *value)
{
	char hang[sizeof(path) + 8];

	(void)name;
	(void)number;
	strcpy(hang, path);
	strcat(hang, "/hang");
	while (access(hang, F_OK) == 0)
		usleep(20000);
	*value = 52;
	return 0;
}
