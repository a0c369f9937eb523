/*
 * The drive's time and speed: moves the thermal model on with the clock of the host, lets I/O
 * through at the speed that the model allows now, and heats the model by what went through.
 *
 * With a time scale of N the model lives N seconds a second. With a speed of X a share X of the
 * modelled MB/s goes over the wire, so that a byte here stands for N/X bytes of the model: cache
 * sizes, heat and the time of each drop stay those of the model.
 */
#ifndef RIG_PACE_H
#define RIG_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim_preset.h"
#include "throttlog/sim.h"

struct pace {
	struct sim *sim;
	double time_scale, speed;
	bool unlimited; /* nothing is paced; the model is heated all the same */

	int64_t start_ns, last_ns;
	double tokens;         /* bytes that may go through now; below 0: owed */
	double owed[OP_COUNT]; /* bytes that went through and the model has not moved yet */
	enum op op;
	int64_t idle_ns; /* the last byte was then */

	uint64_t bytes[OP_COUNT]; /* through so far */
	double unused;            /* bytes that a load could have had and did not ask for in time */
};

/* Takes over the model. */
void pace_open(struct pace *p, struct sim *sim, double time_scale, double speed, int64_t now_ns);
void pace_close(struct pace *p);

/* Moves the model to `now_ns` and fills the bucket. */
void pace_tick(struct pace *p, int64_t now_ns);
/* May a request go through now? If so it has gone. */
bool pace_take(struct pace *p, enum op op, uint64_t bytes, int64_t now_ns);
/* When the next request may go through; at most some milliseconds from now. */
int64_t pace_ready_ns(const struct pace *p, int64_t now_ns);

/* What goes over the wire a second now; 0 without a load. */
double pace_mb_s(const struct pace *p);
/* Seconds of the host for a total that the model counts in its own, and began at `start`. */
double pace_seconds(const struct pace *p, double now, double start);

#endif
