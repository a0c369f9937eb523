/*
 * What firmware does about heat: one small function a policy, and the table that names them. Each
 * looks at the chip's temperature once a period and leaves a share of speed and of power.
 */
#include <math.h>

#include "sim/sim_state.h"

#define HOLD_CENTRE_K    0.2 /* regulators aim at the middle of the limit's degree */
#define HOLD_MIN_SHARE   0.05
#define GENTLE_MIN_POWER 0.3

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* Stage 1 from the limit until release_k below it. Returns true while in it. */
static bool engaged(struct sim_throttle *t, double temp_c)
{
	const struct sim_policy *p = &t->policy;

	if (t->stage == 0 && temp_c >= p->limit_c)
		t->stage = 1;
	else if (t->stage > 0 && temp_c < p->limit_c - p->release_k)
		t->stage = 0;
	return t->stage > 0;
}

/* PI regulator in its incremental form: the new value of `share`. */
static double regulate(struct sim_throttle *t, double share, double temp_c)
{
	const struct sim_policy *p = &t->policy;
	double period_s = (double)t->period_steps * SIM_STEP_S;
	double error_k = temp_c - (p->limit_c + HOLD_CENTRE_K);

	share -= p->gain * (error_k - t->error_k + error_k * period_s / p->settle_s);
	t->error_k = error_k;
	return share;
}

static void tick_none(struct sim *s, struct sim_throttle *t)
{
	(void)s;
	(void)t;
}

static void tick_gentle(struct sim *s, struct sim_throttle *t)
{
	if (!engaged(t, s->chip_c)) {
		t->speed = t->power = 1;
		t->error_k = -HOLD_CENTRE_K;
		return;
	}
	t->speed = t->policy.level;
	t->power = clamp(regulate(t, t->power, s->chip_c), GENTLE_MIN_POWER, 1);
}

static void tick_hold(struct sim *s, struct sim_throttle *t)
{
	if (!engaged(t, s->chip_c)) {
		t->speed = 1;
		t->error_k = -HOLD_CENTRE_K;
		return;
	}
	t->speed = clamp(regulate(t, t->speed, s->chip_c), HOLD_MIN_SHARE, t->policy.level);
}

static void tick_step(struct sim *s, struct sim_throttle *t)
{
	const struct sim_policy *p = &t->policy;
	double second_c = p->level2 > 0 ? p->limit2_c : (double)INFINITY;

	if (t->stage < 2 && s->chip_c >= second_c)
		t->stage = 2;
	else if (t->stage == 2 && s->chip_c < second_c - p->release_k)
		t->stage = 1;
	if (t->stage < 2)
		(void)engaged(t, s->chip_c);
	t->speed = t->stage == 2 ? p->level2 : t->stage == 1 ? p->level : 1;
}

static void tick_unstable(struct sim *s, struct sim_throttle *t)
{
	const struct sim_policy *p = &t->policy;
	double lean = s->chip_c >= p->limit_c ? 0.88 : 1.12; /* keeps it near the limit */

	if (!engaged(t, s->chip_c)) {
		t->speed = 1;
		return;
	}
	t->speed = clamp(p->level * lean + p->spread * sim_random_gauss(s), HOLD_MIN_SHARE, 1);
}

static void tick_stairs(struct sim *s, struct sim_throttle *t)
{
	const struct sim_policy *p = &t->policy;

	if (s->chip_c >= p->limit_c)
		t->speed -= p->step;
	else if (s->chip_c < p->limit_c - p->release_k)
		t->speed += p->step;
	t->speed = clamp(t->speed, p->level, 1);
	t->stage = t->speed < 1;
}

static void tick_band(struct sim *s, struct sim_throttle *t)
{
	const struct sim_policy *p = &t->policy;

	t->speed = clamp(1 - (s->chip_c - p->limit_c) * p->step, p->level, 1);
	t->stage = t->speed < 1;
}

static void tick_shutdown(struct sim *s, struct sim_throttle *t)
{
	if (engaged(t, s->chip_c))
		s->lost = true;
}

static void (*const ticks[SIM_POLICY_COUNT])(struct sim *s, struct sim_throttle *t) = {
    [SIM_POLICY_NONE] = tick_none,         [SIM_POLICY_GENTLE] = tick_gentle,
    [SIM_POLICY_HOLD] = tick_hold,         [SIM_POLICY_STEP] = tick_step,
    [SIM_POLICY_OSCILLATING] = tick_step,  [SIM_POLICY_UNSTABLE] = tick_unstable,
    [SIM_POLICY_STAIRS] = tick_stairs,     [SIM_POLICY_BAND] = tick_band,
    [SIM_POLICY_SHUTDOWN] = tick_shutdown,
};

void sim_throttle_init(struct sim_throttle *t, const struct sim_policy *policy)
{
	double period_s = policy->period_s > 0 ? policy->period_s : 1;

	*t = (struct sim_throttle){.policy = *policy, .speed = 1, .power = 1};
	t->error_k = -HOLD_CENTRE_K;
	t->period_steps = (uint64_t)clamp(period_s / SIM_STEP_S + 0.5, 1, 1e6);
}

void sim_throttle_tick(struct sim *s, struct sim_throttle *t)
{
	if (s->steps % t->period_steps == 0)
		ticks[t->policy.kind](s, t);
}
