/* The table of sensors, and opening all that apply to a target. */
#include "throttlog/sensor.h"

#include <errno.h>
#include <string.h>

#include "sensor_table.h"
#include "throttlog/target.h"

const struct sensor_ops *const sensors[] = {
    &sensor_smart, &sensor_ocp, &sensor_hwmon, &sensor_link, &sensor_cpu,
    &sensor_block, &sensor_sim, &sensor_pel,   &sensor_aen,  NULL,
};

size_t sensors_open(struct target *target, struct sensor **list, size_t max,
		    void (*note)(const char *line))
{
	bool have[FIELD_COUNT] = {false};
	size_t n = 0;

	for (size_t i = 0; sensors[i] && n < max; i++) {
		struct sensor *s = NULL;
		char why[700] = "";
		int err = sensors[i]->open(&s, target, have, why, sizeof(why));

		if (note && why[0] && err != -ENOENT)
			note(why);
		if (err)
			continue;
		s->ops = sensors[i];
		for (int f = 0; f < FIELD_COUNT; f++)
			have[f] = have[f] || s->can[f];
		list[n++] = s;
	}
	if (note && !have[FIELD_TEMP] && target->no_temp[0])
		note(target->no_temp);
	return n;
}

int sensor_read(struct sensor *s, struct sample *out)
{
	return s->ops->read(s, out);
}

void sensor_close(struct sensor *s)
{
	if (s)
		s->ops->close(s);
}
