/*
 * The phases of one drive's run: baseline, one or more loads with rests between them, cool-down;
 * and what cuts them short.
 */
#ifndef CONDUCTOR_PLAN_H
#define CONDUCTOR_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/sample.h"

struct plan {
	double baseline_s, time_s, cooldown_s; /* INFINITY: until it is stopped */
	double rest_s;                         /* at most, between two loads */
	unsigned legs, leg;   /* loads in all; which of them is next, runs, or ran last */
	enum phase phase;     /* a rest is PHASE_COOLDOWN, too */
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
/* Between two loads, and not held. */
bool plan_resting(const struct plan *p);
/* The rest is over: the next load begins. */
void plan_end_rest(struct plan *p, double t_s);
/* This load ends now since it has shown all there is; the next one follows. */
void plan_end_load(struct plan *p, double t_s, const char *reason);
/* All loads end now for `reason`, a cause test with them; cooling goes on. */
void plan_stop_load(struct plan *p, double t_s, const char *reason);
/* All ends now. */
void plan_end(struct plan *p, const char *reason);
/* "60/300/600/300/180", the seconds of its phases in order. */
void plan_text(const struct plan *p, char *buf, size_t size);
/* Seconds to the end of the phase, NAN if it has none. */
double plan_left_s(const struct plan *p, double t_s);

#endif
