/* The phases of one drive's run. Pure: time comes from the caller. */
#include "plan.h"

#include <math.h>

#include "throttlog/event.h"

/* Ticks lie on multiples of the interval, durations are compared with some slack for rounding. */
#define SLACK_S 1e-6

static double duration(const struct plan *p, enum phase phase)
{
	if (phase == PHASE_BASELINE)
		return p->baseline_s;
	return phase == PHASE_LOAD ? p->time_s : p->cooldown_s;
}

void plan_start(struct plan *p)
{
	p->phase = PHASE_BASELINE;
	p->phase_start_s = 0;
	p->held = p->done = false;
	p->reason = NULL;
	plan_advance(p, 0);
}

static void next_phase(struct plan *p)
{
	double at = p->phase_start_s + duration(p, p->phase);

	if (p->phase == PHASE_COOLDOWN) {
		p->done = true;
		if (!p->reason)
			p->reason = END_DONE;
		return;
	}
	p->phase = p->phase == PHASE_BASELINE ? PHASE_LOAD : PHASE_COOLDOWN;
	p->phase_start_s = at;
}

void plan_advance(struct plan *p, double t_s)
{
	while (!p->done && !p->held && t_s >= p->phase_start_s + duration(p, p->phase) - SLACK_S)
		next_phase(p);
}

void plan_hold(struct plan *p)
{
	p->held = true;
}

void plan_release(struct plan *p, double t_s)
{
	p->held = false;
	p->phase_start_s = t_s;
}

void plan_stop_load(struct plan *p, double t_s, const char *reason)
{
	if (p->done || (p->phase == PHASE_COOLDOWN && !p->held))
		return;
	p->held = false;
	p->phase = PHASE_COOLDOWN;
	p->phase_start_s = t_s;
	p->reason = reason;
	plan_advance(p, t_s);
}

void plan_end(struct plan *p, const char *reason)
{
	if (p->done)
		return;
	p->done = true;
	p->reason = reason;
}

double plan_left_s(const struct plan *p, double t_s)
{
	double left = p->phase_start_s + duration(p, p->phase) - t_s;

	if (isinf(left))
		return (double)NAN;
	return left > 0 ? left : 0;
}
