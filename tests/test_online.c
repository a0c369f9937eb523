/* The live detector on simulated drives: in time, never wrong about heat, and it ends quietly. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "throttlog/clock.h"
#include "throttlog/online.h"
#include "throttlog/sim.h"

struct heard {
	double drop_s, throttle_s, throttle_c; /* of the load; NAN */
	int drops, throttles, states;
	bool saw[8]; /* by word, see words[] */
};

static const char *const words[] = {"HEATING",   "STEADY",  "SLOWED",  "HEAT?",
				    "THROTTLED", "HOLDING", "COOLING", "BASELINE"};

static struct run run;

static void hear(struct heard *h, const struct online_event *e, double load_s)
{
	if (e->kind == EVENT_DROP && h->drops++ == 0)
		h->drop_s = load_s;
	if (e->kind == EVENT_THROTTLE && h->throttles++ == 0) {
		h->throttle_s = load_s;
		h->throttle_c = e->value;
	}
	if (e->kind != EVENT_STATE)
		return;
	h->states++;
	assert_non_null(e->text);
	for (size_t i = 0; i < 8; i++)
		h->saw[i] = h->saw[i] || strcmp(e->text, words[i]) == 0;
}

static struct heard listen(const char *preset, enum op op, uint64_t seed)
{
	struct heard h = {.drop_s = NAN, .throttle_s = NAN, .throttle_c = NAN};
	struct sim *s = sim_new(preset);
	struct online *o = online_new();

	sim_seed(s, seed);
	run_clear(&run);
	sim_drive(s, &run.drive);
	run.load.op = op;
	run.load.queue_depth = 32;
	run.interval_s = 1;
	for (int i = 0; i < 560; i++) {
		struct online_event events[ONLINE_EVENTS_MAX];
		uint64_t before = sim_bytes(s);
		struct sample row;
		size_t n;

		sim_set_load(s, i >= 60 && i < 460 ? op : OP_NONE, 131072, 32);
		sim_advance(s, (i + 1) * NS_PER_S);
		sample_clear(&row);
		if (i >= 60 || i % 30 == 0)
			sim_smart(s, &row);
		row.time_s = i + 1;
		row.phase = i < 60 ? PHASE_BASELINE : i < 460 ? PHASE_LOAD : PHASE_COOLDOWN;
		row.op = row.phase == PHASE_LOAD ? op : OP_NONE;
		row.bytes = (double)(sim_bytes(s) - before);
		row.mb_s = row.bytes / 1e6;
		series_append(&run.series, &row);
		n = online_row(o, &run, events);
		assert_true(n <= ONLINE_EVENTS_MAX);
		for (size_t k = 0; k < n; k++) {
			hear(&h, &events[k], i + 1 - 60);
			series_event(&run.series, events[k].kind, events[k].value, events[k].text);
		}
	}
	assert_string_equal(online_state(o), "COOLING");
	online_free(o);
	sim_free(s);
	run_fini(&run);
	return h;
}

static void drops_are_marked_in_seconds(void **state)
{
	static const struct {
		const char *preset;
		enum op op;
		double onset_s;
	} cases[] = {{"xg5-p", OP_READ, 60}, {"bg3", OP_READ, 20}, {"sx8000", OP_WRITE, 15}};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (uint64_t seed = 1; seed < 4; seed++) {
			struct heard h = listen(cases[i].preset, cases[i].op, seed);

			if (!(h.drop_s >= cases[i].onset_s - 3 &&
			      h.drop_s <= cases[i].onset_s + 10))
				fail_msg("%s: drop after %.0f s", cases[i].preset, h.drop_s);
			/* Reading: as soon as it lasts. On and off: when it came again. */
			if (!(h.throttle_s > h.drop_s && h.throttle_s <= cases[i].onset_s + 100))
				fail_msg("%s: heat after %.0f s", cases[i].preset, h.throttle_s);
			assert_int_equal(h.throttles, 1);
			assert_true(h.saw[2] || h.saw[3]); /* open first */
			assert_true(h.saw[4]);
			assert_true(h.saw[6] && h.saw[7]);
		}
}

/* Without a temperature a load is a load, and no longer the baseline before it. */
static void a_load_without_temperature_has_a_word(void **state)
{
	struct online *o = online_new();

	(void)state;
	run_clear(&run);
	run.load.op = OP_READ;
	run.interval_s = 1;
	for (int i = 1; i < 60; i++) {
		struct online_event events[ONLINE_EVENTS_MAX];
		struct sample row;

		sample_clear(&row);
		row.time_s = i;
		row.phase = i < 20 ? PHASE_BASELINE : PHASE_LOAD;
		row.op = i < 20 ? OP_NONE : OP_READ;
		row.mb_s = i < 20 ? 0 : 500;
		row.bytes = row.mb_s * 1e6;
		series_append(&run.series, &row);
		online_row(o, &run, events);
		assert_string_equal(online_state(o), i < 20 ? "BASELINE" : "LOAD");
	}
	online_free(o);
	run_fini(&run);
}

static void gentle_throttling_is_holding(void **state)
{
	struct heard h = listen("xg5", OP_WRITE, 1);

	(void)state;
	assert_int_equal(h.throttles, 1);
	assert_true(h.throttle_s > 170);
	assert_true(fabs(h.throttle_c - 80) <= 1);
	assert_true(h.saw[5]);
}

static void other_drops_are_never_heat(void **state)
{
	static const char *const cold[] = {"m8v", "trion150", "esd310"};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (int op = OP_READ; op <= (i == 2 ? OP_READ : OP_WRITE); op++) {
			struct heard h = listen(cold[i], (enum op)op, 2);

			assert_int_equal(h.throttles, 0);
			assert_false(h.saw[4] || h.saw[3]);
			/* Noise may mark one that is none; never as heat. */
			if (op == OP_READ ? h.drops > 1 : h.drops < 1)
				fail_msg("%s: %d drops", cold[i], h.drops);
		}
}

static void a_counter_is_heat_at_once(void **state)
{
	static struct rows r;
	struct online_event events[ONLINE_EVENTS_MAX];
	struct online *o = online_new();
	double throttle_s = NAN;

	(void)state;
	rows_begin(&r, OP_WRITE);
	r.next.tmt1_count = 5;
	for (int i = 0; i < 200; i++) {
		size_t n;

		if (i == 100)
			r.next.tmt1_count = 6;
		rows_load(&r, 1, i < 100 ? 2000 : 1000, i < 100 ? 40 + i / 3.0 : 73, 73);
		n = online_row(o, &r.run, events);
		for (size_t k = 0; k < n; k++)
			if (events[k].kind == EVENT_THROTTLE)
				throttle_s = r.time_s;
	}
	assert_true(throttle_s >= 100 && throttle_s <= 112);
	online_free(o);
	run_fini(&r.run);
}

static void odd_logs_are_survived(void **state)
{
	static struct rows r;
	struct online_event events[ONLINE_EVENTS_MAX];
	struct online *o = online_new();

	(void)state;
	rows_begin(&r, OP_NONE);
	assert_int_equal(online_row(o, &r.run, events), 0);
	for (int i = 0; i < 400; i++) {
		rows_add(&r, (enum phase)(i / 40 % PHASE_COUNT),
			 i % 3 ? (double)NAN : i % 7 * 100.0, i % 5 ? (double)NAN : 1000.0 * i);
		online_row(o, &r.run, events);
		/* Memory is bounded: the oldest rows go. */
		if (i == 200)
			series_drop(&r.run.series, 150);
	}
	online_free(o);
	run_fini(&r.run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(drops_are_marked_in_seconds),
	    cmocka_unit_test(a_load_without_temperature_has_a_word),
	    cmocka_unit_test(gentle_throttling_is_holding),
	    cmocka_unit_test(other_drops_are_never_heat),
	    cmocka_unit_test(a_counter_is_heat_at_once),
	    cmocka_unit_test(odd_logs_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
