/* What the load of a slot does next: its phases, the cause test, pauses; and telling the engine. */
#include <math.h>
#include <string.h>

#include "slot.h"
#include "throttlog/clock.h"

#define DRAIN_NS (1 * NS_PER_S)
#define LOOK_NS  (1 * NS_PER_MS)

void slot_begin_test(struct slot *s)
{
	bool ended = s->plan.phase == PHASE_COOLDOWN && s->phase == PHASE_LOAD &&
		     (!s->plan.reason || strcmp(s->plan.reason, END_STEADY) == 0);

	if (!ended || s->tested > s->plan.leg || !s->config->cause_test || s->plan.done)
		return;
	s->tested = s->plan.leg + 1;
	if (cause_test_begin(&s->test, &s->sd->run))
		plan_hold(&s->plan);
}

/* What the next row is about, and what the load does in it. */
static void choose_activity(struct slot *s, double t_s)
{
	s->phase = s->plan.phase;
	s->op = OP_NONE;
	if (!s->ops || s->plan.done || s->lost || s->load_error)
		return;
	/* A restart that pauses would look like one that was cut: that ends the test. */
	if (s->plan.held && s->paused)
		plan_release(&s->plan, t_s);
	if (s->plan.held) {
		struct cause_action a = cause_test_next(&s->test, &s->sd->run);

		if (a.step != CAUSE_STEP_DONE) {
			s->phase = a.phase;
			s->op = a.op;
			s->sd->phase_left_s = a.left_s;
			return;
		}
		plan_release(&s->plan, t_s);
	}
	if (s->plan.phase == PHASE_LOAD) {
		s->phase = s->paused ? PHASE_PAUSE : PHASE_LOAD;
		s->op = s->paused ? OP_NONE : s->legs.op[s->plan.leg];
	}
}

static void switch_real(struct slot *s, enum op before)
{
	if (s->op != OP_NONE && s->op != s->engine_config.op) {
		s->engine_config.op = s->op;
		s->load_error = -load_set_op(s->load, s->op);
	}
	if ((s->op == OP_NONE) != (before == OP_NONE))
		load_pause(s->load, s->op == OP_NONE);
}

static void switch_simulated(struct slot *s, enum op before)
{
	char why[100];

	if (s->op == OP_NONE) {
		if (s->engine)
			s->ops->close(s->engine);
		s->engine = NULL;
		return;
	}
	s->engine_config.op = s->op;
	if (before == OP_NONE)
		s->load_error = -s->ops->open(&s->engine, &s->engine_config, why, sizeof(why));
	else if (s->engine)
		s->ops->set_op(s->engine, s->op);
}

void slot_switch_load(struct slot *s, double t_s)
{
	enum op before = s->op;

	choose_activity(s, t_s);
	if (s->op == before || !s->ops)
		return;
	if (s->load)
		switch_real(s, before);
	else
		switch_simulated(s, before);
}

void slot_rest(struct slot *s, double temp_c, double t_s)
{
	if (s->plan.leg == 0 && (s->plan.phase == PHASE_BASELINE || isnan(s->rest.idle_c)))
		rest_idle(&s->rest, temp_c);
	if (!plan_resting(&s->plan)) {
		s->rest.begun_s = (double)NAN;
		return;
	}
	if (isnan(s->rest.begun_s))
		rest_begin(&s->rest, t_s);
	else if (rest_row(&s->rest, t_s, temp_c))
		plan_end_rest(&s->plan, t_s);
}

/* Would the row that ends at `t_s` be the last one? */
static bool is_last(const struct slot *s, double t_s, const char *stop)
{
	struct plan p = s->plan;

	plan_advance(&p, t_s);
	return stop || p.done;
}

double slot_drain_last(struct slot *s, double t_s, const char *stop)
{
	int64_t from_ns = clock_now_ns(), until_ns = from_ns + DRAIN_NS;
	enum load_state state;
	int err = 0;

	if (!s->load || s->op == OP_NONE || s->load_error || !is_last(s, t_s, stop))
		return 0;
	load_pause(s->load, true);
	do {
		clock_sleep_until(clock_now_ns() + LOOK_NS);
		state = load_status(s->load, &err);
	} while (state != LOAD_PAUSED && state != LOAD_ENDED && clock_now_ns() < until_ns);
	return (double)(clock_now_ns() - from_ns) / 1e9;
}
