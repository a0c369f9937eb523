/*
 * The active cause test on simulated drives: a lone step in a write is open from the log alone;
 * probes and restarts tell heat from a full cache, and the verdict on the finished log says so.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_run.h"
#include "throttlog/cause_test.h"
#include "throttlog/verdict.h"

static struct run run;
static struct verdict v;

static void add_second(struct sim *s, enum phase phase, enum op op)
{
	uint64_t before = sim_bytes(s);
	struct sample row;

	sim_set_load(s, op, 131072, 32);
	sim_advance(s, sim_now_ns(s) + NS_PER_S);
	sample_clear(&row);
	sim_smart(s, &row);
	row.time_s = (double)sim_now_ns(s) / 1e9;
	row.phase = phase;
	row.op = op;
	row.bytes = (double)(sim_bytes(s) - before);
	row.mb_s = row.bytes / 1e6;
	series_append(&run.series, &row);
}

static void load_phase(struct sim *s, enum op op, int seconds)
{
	run_clear(&run);
	sim_drive(s, &run.drive);
	run.load.op = op;
	run.load.queue_depth = 32;
	run.interval_s = 1;
	for (int i = 0; i < 60; i++)
		add_second(s, PHASE_BASELINE, OP_NONE);
	for (int i = 0; i < seconds; i++)
		add_second(s, PHASE_LOAD, op);
}

/* Does as it is told; returns the seconds it took, counts the steps. */
static int do_test(struct sim *s, int steps[4])
{
	enum cause_step last = CAUSE_STEP_DONE;
	struct cause_test t;
	int seconds = 0;

	memset(steps, 0, 4 * sizeof(*steps));
	if (!cause_test_begin(&t, &run))
		return 0;
	for (;;) {
		struct cause_action a = cause_test_next(&t, &run);

		if (a.step == CAUSE_STEP_DONE)
			return seconds;
		assert_true(a.left_s >= 0 && seconds < 2000);
		assert_true((a.op == OP_NONE) == (a.step == CAUSE_STEP_COOL));
		assert_true(isnan(a.until_c) == (a.step != CAUSE_STEP_COOL));
		steps[a.step] += a.step != last;
		last = a.step;
		add_second(s, a.phase, a.op);
		seconds++;
	}
}

/* Cut to 40 % at 70 °C until 8 K cooler, which it never gets: one lasting step. */
static struct sim *clamped(void)
{
	struct sim_preset p = sim_plain();

	p.throttle = (struct sim_policy){
	    .kind = SIM_POLICY_STEP, .limit_c = 70, .release_k = 8, .level = 0.62};
	p.noise = 0.005;
	return sim_custom(&p);
}

/* The same curves from a cache that ends at the same second. */
static struct sim *cached(void)
{
	struct sim_preset p = sim_plain();

	p.write[0].bytes = UINT64_C(75000000000);
	p.write[1] = (struct sim_level){620, 2.6, 0};
	p.noise = 0.005;
	return sim_custom(&p);
}

static void finish(struct sim *s)
{
	for (int i = 0; i < 30; i++)
		add_second(s, PHASE_COOLDOWN, OP_NONE);
	sim_free(s);
	verdict_make(&run, &v);
}

static void a_lone_step_is_open_without_the_test(void **state)
{
	(void)state;
	for (int cache = 0; cache < 2; cache++) {
		struct sim *s = cache ? cached() : clamped();

		load_phase(s, OP_WRITE, 300);
		finish(s);
		assert_int_equal(v.throttled, TRI_NULL);
		assert_int_equal(v.klass, CLASS_UNATTRIBUTED);
		verdict_fini(&v);
		run_fini(&run);
	}
}

static void heat_is_found_by_the_test(void **state)
{
	struct sim *s = clamped();
	int steps[4];

	(void)state;
	load_phase(s, OP_WRITE, 300);
	assert_true(do_test(s, steps) > 20);
	assert_int_equal(steps[CAUSE_STEP_PROBE], 2);
	assert_int_equal(steps[CAUSE_STEP_RELOAD], 0); /* reading was cut too */
	finish(s);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_STEP);
	assert_true(fabs(v.onset_c - 70) <= 1);
	assert_true(fabs(v.onset_s - 75) <= 4);
	assert_true(v.certainty >= CERTAINTY_LIKELY);
	assert_int_equal(v.drops[0].cause, CAUSE_THERMAL);
	verdict_fini(&v);
	run_fini(&run);
}

/* Reading that never gets as hot says nothing: the load itself is started again. */
static void restarts_decide_where_reading_stays_cool(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim *s;
	int steps[4];

	(void)state;
	p.throttle = (struct sim_policy){
	    .kind = SIM_POLICY_STEP, .limit_c = 70, .release_k = 8, .level = 0.62};
	p.noise = 0.005;
	p.read.load_w = 0.3;
	s = sim_custom(&p);
	load_phase(s, OP_WRITE, 300);
	do_test(s, steps);
	assert_int_equal(steps[CAUSE_STEP_PROBE], 2);
	assert_true(steps[CAUSE_STEP_RELOAD] >= 1);
	finish(s);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_true(fabs(v.onset_c - 70) <= 1);
	verdict_fini(&v);
	run_fini(&run);
}

static void a_full_cache_is_found_by_the_test(void **state)
{
	struct sim *s = cached();
	int steps[4];

	(void)state;
	load_phase(s, OP_WRITE, 300);
	assert_true(do_test(s, steps) > 0);
	finish(s);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.klass, CLASS_NONE);
	assert_int_equal(v.drops[0].cause, CAUSE_SLC_CACHE);
	verdict_fini(&v);
	run_fini(&run);
}

static void nothing_is_tested_where_nothing_is_open(void **state)
{
	static const char *const sure[] = {"m8v", "sx8000", "xg5-p"};
	int steps[4];

	(void)state;
	for (size_t i = 0; i < sizeof(sure) / sizeof(*sure); i++) {
		struct sim *s = sim_new(sure[i]);

		load_phase(s, OP_WRITE, 300);
		if (do_test(s, steps) != 0)
			fail_msg("%s was tested", sure[i]);
		sim_free(s);
		run_fini(&run);
	}
}

static void lost_rows_do_not_hang_it(void **state)
{
	struct cause_action a = {.step = CAUSE_STEP_PROBE};
	struct sim *s = clamped();
	struct cause_test t;
	int i;

	(void)state;
	load_phase(s, OP_WRITE, 300);
	assert_true(cause_test_begin(&t, &run));
	/* The drive stops answering: no temperature any more, no progress. */
	for (i = 0; i < 3000 && a.step != CAUSE_STEP_DONE; i++) {
		struct sample row;

		a = cause_test_next(&t, &run);
		sample_clear(&row);
		row.time_s = 361 + i;
		row.phase = a.phase;
		row.op = a.op;
		row.bytes = row.mb_s = 0;
		series_append(&run.series, &row);
	}
	assert_true(i < 1000);
	sim_free(s);
	run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_lone_step_is_open_without_the_test),
	    cmocka_unit_test(heat_is_found_by_the_test),
	    cmocka_unit_test(restarts_decide_where_reading_stays_cool),
	    cmocka_unit_test(a_full_cache_is_found_by_the_test),
	    cmocka_unit_test(nothing_is_tested_where_nothing_is_open),
	    cmocka_unit_test(lost_rows_do_not_hang_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
