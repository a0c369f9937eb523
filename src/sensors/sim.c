/* The sensor of simulated drives: what the model's SMART log and link would report now. */
#include <errno.h>
#include <stdlib.h>

#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/sim.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

struct sim_sensor_state {
	struct sensor base;
	const struct sim *sim; /* the target's */
};

static int sim_open(struct sensor **out, struct target *target, const bool have[FIELD_COUNT],
		    char *why, size_t size)
{
	struct sim_sensor_state *s;

	(void)have; /* nothing else can know anything of a simulated drive */
	if (target->kind != TARGET_SIM || !target->sim)
		return -ENOENT;
	if (sim_lost(target->sim)) {
		text_format(why, size, "the simulated drive has shut down");
		return -ENODEV;
	}
	s = xzalloc(sizeof(*s));
	s->base.ops = &sensor_sim;
	s->sim = target->sim;
	sim_fields(s->sim, s->base.can);
	sim_drive(s->sim, &target->drive);
	*out = &s->base;
	return 0;
}

static int sim_read(struct sensor *sensor, struct sample *out)
{
	const struct sim_sensor_state *s = (const struct sim_sensor_state *)sensor;

	if (sim_lost(s->sim))
		return -ENODEV;
	sim_smart(s->sim, out);
	return 0;
}

static void sim_close(struct sensor *sensor)
{
	free(sensor);
}

const struct sensor_ops sensor_sim = {
    .name = "sim",
    .help = "SMART log of a simulated drive",
    .asks_drive = true,
    .open = sim_open,
    .read = sim_read,
    .close = sim_close,
};
