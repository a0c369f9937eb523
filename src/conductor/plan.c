/* The phases of one drive's run. Pure: time comes from the caller. */
#include "plan.h"

#include <math.h>
#include <string.h>

#include "throttlog/event.h"
#include "throttlog/text.h"

/* Ticks lie on multiples of the interval, durations are compared with some slack for rounding. */
#define SLACK_S 1e-6

static double duration(const struct plan *p, enum phase phase)
{
	if (phase == PHASE_BASELINE)
		return p->baseline_s;
	if (phase == PHASE_LOAD)
		return p->time_s;
	return p->leg + 1 < p->legs ? p->rest_s : p->cooldown_s;
}

void plan_start(struct plan *p)
{
	p->phase = PHASE_BASELINE;
	p->phase_start_s = 0;
	p->leg = 0;
	p->held = p->done = false;
	p->reason = NULL;
	plan_advance(p, 0);
}

static void next_load(struct plan *p, double at_s)
{
	p->leg++;
	p->phase = PHASE_LOAD;
	p->phase_start_s = at_s;
	p->reason = NULL; /* of the load before */
}

static void next_phase(struct plan *p)
{
	double at = p->phase_start_s + duration(p, p->phase);

	if (p->phase == PHASE_COOLDOWN && p->leg + 1 < p->legs) {
		next_load(p, at);
		return;
	}
	if (p->phase == PHASE_COOLDOWN) {
		p->done = true;
		if (!p->reason)
			p->reason = END_DONE;
		return;
	}
	p->phase = p->phase == PHASE_BASELINE ? PHASE_LOAD : PHASE_COOLDOWN;
	p->phase_start_s = at;
}

static bool is_over(const struct plan *p, double t_s)
{
	return !p->done && !p->held && t_s >= p->phase_start_s + duration(p, p->phase) - SLACK_S;
}

void plan_advance(struct plan *p, double t_s)
{
	while (is_over(p, t_s)) {
		next_phase(p);
		/* One that passed while no row was made begins now: no load is left out. */
		if (is_over(p, t_s) && duration(p, p->phase) > 0)
			p->phase_start_s = t_s;
	}
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

bool plan_resting(const struct plan *p)
{
	return !p->done && !p->held && p->phase == PHASE_COOLDOWN && p->leg + 1 < p->legs;
}

void plan_end_rest(struct plan *p, double t_s)
{
	if (plan_resting(p))
		next_load(p, t_s);
}

void plan_end_load(struct plan *p, double t_s, const char *reason)
{
	if (p->done || p->phase != PHASE_LOAD)
		return;
	p->phase = PHASE_COOLDOWN;
	p->phase_start_s = t_s;
	p->reason = reason;
	plan_advance(p, t_s);
}

void plan_stop_load(struct plan *p, double t_s, const char *reason)
{
	bool loads = p->phase != PHASE_COOLDOWN || p->held || plan_resting(p);

	if (p->done || !loads)
		return;
	/* A rest that has begun becomes the cool-down; it has cooled for a while already. */
	if (!plan_resting(p)) {
		p->phase = PHASE_COOLDOWN;
		p->phase_start_s = t_s;
	}
	p->held = false;
	p->legs = p->leg + 1;
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

void plan_text(const struct plan *p, char *buf, size_t size)
{
	size_t used;

	text_format(buf, size, "%g/%g", p->baseline_s, p->time_s);
	for (unsigned i = 1; i < p->legs; i++) {
		used = strlen(buf);
		text_format(buf + used, size - used, "/%g/%g", p->rest_s, p->time_s);
	}
	used = strlen(buf);
	text_format(buf + used, size - used, "/%g", p->cooldown_s);
}
