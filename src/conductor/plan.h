/* The phases of one drive's run: baseline, load, cool-down, and what cuts them short. */
#ifndef CONDUCTOR_PLAN_H
#define CONDUCTOR_PLAN_H

#include <stdbool.h>

#include "throttlog/sample.h"

struct plan {
	double baseline_s, time_s, cooldown_s; /* INFINITY: until it is stopped */
	enum phase phase;
	double phase_start_s; /* when the phase began, time of the run */
	bool held; /* the cool-down waits for the cause test, which may still load the drive */
	bool done;
	const char *reason; /* END_*; set when the load ended early or all is done */
};

/* Sets the first phase from the three durations. */
void plan_start(struct plan *p);
/* Moves on at time `t_s` as far as durations say. */
void plan_advance(struct plan *p, double t_s);
/* The cool-down does not begin before plan_release(), at `t_s`. */
void plan_hold(struct plan *p);
void plan_release(struct plan *p, double t_s);
/* The load ends now for `reason`, a cause test with it; cooling goes on. */
void plan_stop_load(struct plan *p, double t_s, const char *reason);
/* All ends now. */
void plan_end(struct plan *p, const char *reason);
/* Seconds to the end of the phase, NAN if it has none. */
double plan_left_s(const struct plan *p, double t_s);

#endif
