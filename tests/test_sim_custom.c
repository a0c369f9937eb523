/*
 * The model behind simulated drives, on drives made for each test: every throttle policy,
 * cache, cooling, block size and queue depth, readings.
 */
#include "cmocka_all.h"

#include <string.h>

#include "sim_run.h"

static struct sim_policy policy(enum sim_policy_kind kind)
{
	struct sim_policy q = {.kind = kind, .limit_c = 70, .release_k = 3, .level = 0.5};

	if (kind == SIM_POLICY_GENTLE)
		q.level = 0.97;
	if (kind == SIM_POLICY_HOLD)
		q.level = 0.9;
	if (kind == SIM_POLICY_OSCILLATING || kind == SIM_POLICY_STAIRS || kind == SIM_POLICY_BAND)
		q.level = 0.1;
	q.gain = 0.05;
	q.settle_s = 12;
	q.spread = 0.1;
	q.step = 0.1;
	return q;
}

static struct sim_run run_policy(struct sim_policy q)
{
	struct sim_preset p = sim_plain();

	p.throttle = q;
	return sim_run_phases(sim_custom(&p), OP_READ, 5, 600, 0);
}

static double max_c(const struct sim_run *r)
{
	double max = 0;

	for (int i = 0; i <= r->load; i++)
		max = fmax(max, r->row[i].chip_c);
	return max;
}

static void heat_follows_power(void **state)
{
	struct sim_run r = run_policy((struct sim_policy){.kind = SIM_POLICY_NONE});

	(void)state;
	/* Ambient + power x resistance, at rest and in the end. */
	assert_true(fabs(r.row[0].chip_c - 30) < 0.01);
	assert_true(fabs(r.row[600].chip_c - 94) < 0.1);
	for (int i = 1; i <= 600; i++)
		assert_true(r.row[i].chip_c > r.row[i - 1].chip_c);
	sim_run_free(&r);
}

static void energy_is_kept(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	double in_j, out_j = 0;

	(void)state;
	p.reading.round_k = 0.5;
	p.sensor[0].present = true; /* the case */
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 60, 600);
	for (int i = r.load + 1; i <= r.load + r.cool; i++)
		assert_true(r.row[i].chip_c < r.row[i - 1].chip_c);
	assert_true(fabs(r.row[r.load + r.cool].chip_c - 30) < 0.05);
	/* What the load put in has left through the case, which idles at 27.5 °C, by now. */
	in_j = 4.0 * r.load;
	for (int i = 1; i <= r.load + r.cool; i++)
		out_j += (r.row[i].smart.sensor_c[0] - r.row[0].smart.sensor_c[0]) / 12;
	assert_true(fabs(out_j / in_j - 1) < 0.2);
	sim_run_free(&r);
}

static void every_policy_guards_its_limit(void **state)
{
	(void)state;
	for (int kind = SIM_POLICY_GENTLE; kind < SIM_POLICY_SHUTDOWN; kind++) {
		struct sim_run r = run_policy(policy((enum sim_policy_kind)kind));
		int onset = sim_run_onset(&r);

		print_message("# policy %d: onset %d s, at most %.1f °C\n", kind, onset, max_c(&r));
		assert_in_range(onset, 70, 80);
		assert_true(fabs(r.row[onset].chip_c - 70) < 2);
		assert_true(max_c(&r) < 74);
		assert_true(sim_run_mean(&r, onset, 600) < sim_run_mean(&r, 1, onset - 1));
		sim_run_free(&r);
	}
}

static void hold_parks_and_gentle_keeps_speed(void **state)
{
	struct sim_run hold = run_policy(policy(SIM_POLICY_HOLD));
	struct sim_run gentle = run_policy(policy(SIM_POLICY_GENTLE));

	(void)state;
	for (int i = 300; i <= 600; i++) {
		assert_true(fabs(hold.row[i].chip_c - 70) < 0.5);
		assert_true(fabs(gentle.row[i].chip_c - 70) < 0.5);
		assert_true(fabs(gentle.row[i].share - 0.97) < 1e-9);
	}
	/* 64 K at full power, 40 are allowed. */
	assert_true(fabs(hold.row[600].share - 40.2 / 64) < 0.01);
	sim_run_free(&hold);
	sim_run_free(&gentle);
}

static void second_stage_comes_when_the_first_is_not_enough(void **state)
{
	struct sim_policy q = policy(SIM_POLICY_STEP);
	struct sim_run r;
	int first, second = 0;

	(void)state;
	q.level = 0.8;
	q.limit2_c = 75;
	q.level2 = 0.3;
	r = run_policy(q);
	first = sim_run_onset(&r);
	for (int i = first; i <= 600 && !second; i++)
		if (r.row[i].share < 0.5)
			second = i;
	assert_true(fabs(r.row[first].share - 0.8) < 1e-9);
	assert_true(second > first + 5);
	assert_true(fabs(r.row[second].chip_c - 75) < 2);
	sim_run_free(&r);
}

static void shutdown_is_the_end(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	struct sim *s;
	struct sample sample;

	(void)state;
	p.throttle = policy(SIM_POLICY_SHUTDOWN);
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 200, 0);
	assert_true(r.row[200].mb_s == 0 && isnan(r.row[200].smart.temp_c));
	sim_run_free(&r);

	s = sim_custom(&p);
	sim_set_load(s, OP_READ, 131072, 32);
	sim_advance(s, 10 * NS_PER_S);
	assert_false(sim_lost(s));
	sim_advance(s, 200 * NS_PER_S);
	assert_true(sim_lost(s));
	sample_clear(&sample);
	sim_smart(s, &sample);
	assert_true(isnan(sample.temp_c) && isnan(sample.tmt1_count));
	sim_free(s);
}

static void a_cache_ends_by_bytes_and_comes_back_in_idle_time(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim *s;
	uint64_t bytes;

	(void)state;
	p.write[0] = (struct sim_level){1000, 2, UINT64_C(10000000000)};
	p.write[1] = (struct sim_level){400, 2, 0};
	p.refill_mb_s = 500;
	p.refill_after_s = 5;
	s = sim_custom(&p);
	sim_set_load(s, OP_WRITE, 131072, 32);
	sim_advance(s, 20 * NS_PER_S);
	assert_true(fabs((double)sim_bytes(s) - 14e9) < 1e7);
	sim_set_load(s, OP_NONE, 0, 0);
	sim_advance(s, 35 * NS_PER_S); /* 10 s of refilling: 5 GB */
	bytes = sim_bytes(s);
	sim_set_load(s, OP_WRITE, 131072, 32);
	sim_advance(s, 37 * NS_PER_S);
	assert_true(fabs((double)(sim_bytes(s) - bytes) - 1400e6) < 2e7);
	sim_free(s);
}

static void cooling_moves_heat_and_not_the_cache(void **state)
{
	struct sim *bare = sim_new("bg3"), *cooled = sim_new("bg3");
	struct sim_run a, b;

	(void)state;
	sim_set_cooling(cooled, 3);
	sim_advance(cooled, 300 * NS_PER_S);
	a = sim_run_phases(bare, OP_WRITE, 5, 120, 0);
	b = sim_run_phases(cooled, OP_WRITE, 5, 120, 0);
	assert_in_range(sim_run_onset(&a), 19, 23);
	assert_int_equal(sim_run_onset(&b), 0);
	assert_int_equal(sim_run_below(&a, 700), sim_run_below(&b, 700));
	sim_run_free(&a);
	sim_run_free(&b);
}

static double speed_at(uint32_t block_bytes, unsigned queue_depth, double ceiling_mb_s)
{
	struct sim_preset p = sim_plain();
	struct sim *s = sim_custom(&p);
	double mb_s;

	sim_set_load(s, OP_READ, block_bytes, queue_depth);
	sim_set_ceiling(s, ceiling_mb_s);
	sim_advance(s, NS_PER_S);
	mb_s = (double)sim_bytes(s) / 1e6;
	sim_free(s);
	return mb_s;
}

static void small_loads_are_slower(void **state)
{
	double full = speed_at(131072, 32, NAN);

	(void)state;
	assert_true(fabs(full - 2000) < 1);
	assert_true(speed_at(1048576, 64, NAN) <= full);
	assert_true(speed_at(131072, 1, NAN) < 0.6 * full);
	assert_true(speed_at(4096, 32, NAN) < speed_at(16384, 32, NAN));
	assert_true(speed_at(512, 1024, NAN) < 0.1 * full);
	assert_true(fabs(speed_at(131072, 32, 600) - 600) < 1);
	assert_true(speed_at(131072, 0, NAN) == 0);
}

static void dips_cost_speed_and_not_temperature(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	int low = 0;

	(void)state;
	p.dips.every_s = 20;
	p.dips.length_s = 3;
	p.dips.depth = 0.6;
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 600, 0);
	for (int i = 1; i <= 600; i++) {
		low += r.row[i].mb_s < 1800;
		assert_true(r.row[i].share == 1);
	}
	assert_in_range(low, 40, 200);
	sim_run_free(&r);
}

static void readings_lag_and_refresh(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	int changes = 0;

	(void)state;
	p.reading = (struct sim_reading){.lag_s = 4, .refresh_s = 10, .round_k = 0.5};
	p.sensor[2] = (struct sim_sensor){.present = true, .chip_share = 0, .offset_k = -2};
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 100, 0);
	for (int i = 1; i <= 100; i++) {
		if (r.row[i].smart.temp_c != r.row[i - 1].smart.temp_c)
			changes++;
		assert_true(r.row[i].smart.temp_c < r.row[i].chip_c + 0.5);
		assert_true(r.row[i].smart.sensor_c[2] < r.row[i].smart.temp_c);
		assert_true(isnan(r.row[i].smart.sensor_c[0]));
	}
	assert_in_range(changes, 5, 10);
	sim_run_free(&r);
}

static void a_drive_may_have_no_temperature(void **state)
{
	struct sim_preset p = sim_plain();
	bool can[FIELD_COUNT];
	struct sim *s;

	(void)state;
	p.composite.present = false;
	s = sim_custom(&p);
	sim_fields(s, can);
	assert_false(can[FIELD_TEMP]);
	assert_true(can[FIELD_TMT1_COUNT]);
	assert_false(can[FIELD_LINK_GT_S]);
	sim_free(s);
}

static void refuse(const char *(*spoil)(struct sim_preset *p))
{
	struct sim_preset p = sim_plain();
	const char *what;

	assert_null(sim_preset_check(&p));
	what = spoil(&p);
	if (!sim_preset_check(&p) || sim_custom(&p))
		fail_msg("%s was accepted", what);
}

static const char *no_capacity(struct sim_preset *p)
{
	p->thermal.c_chip_j_k = 0;
	return "a chip without heat capacity";
}

static const char *no_gain(struct sim_preset *p)
{
	p->throttle = (struct sim_policy){.kind = SIM_POLICY_HOLD, .limit_c = 70, .level = 0.5};
	return "a regulator without gain";
}

static const char *no_limit(struct sim_preset *p)
{
	p->throttle = (struct sim_policy){.kind = SIM_POLICY_STEP, .limit_c = NAN, .level = 0.5};
	return "a policy without limit";
}

static const char *no_speed(struct sim_preset *p)
{
	p->read.mb_s = NAN;
	return "a read speed that is no number";
}

static const char *no_model(struct sim_preset *p)
{
	p->model = NULL;
	return "a drive without model";
}

static void nonsense_is_refused(void **state)
{
	(void)state;
	refuse(no_capacity);
	refuse(no_gain);
	refuse(no_limit);
	refuse(no_speed);
	refuse(no_model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(heat_follows_power),
	    cmocka_unit_test(energy_is_kept),
	    cmocka_unit_test(every_policy_guards_its_limit),
	    cmocka_unit_test(hold_parks_and_gentle_keeps_speed),
	    cmocka_unit_test(second_stage_comes_when_the_first_is_not_enough),
	    cmocka_unit_test(shutdown_is_the_end),
	    cmocka_unit_test(a_cache_ends_by_bytes_and_comes_back_in_idle_time),
	    cmocka_unit_test(cooling_moves_heat_and_not_the_cache),
	    cmocka_unit_test(small_loads_are_slower),
	    cmocka_unit_test(dips_cost_speed_and_not_temperature),
	    cmocka_unit_test(readings_lag_and_refresh),
	    cmocka_unit_test(a_drive_may_have_no_temperature),
	    cmocka_unit_test(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
