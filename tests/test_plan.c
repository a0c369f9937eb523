/* The phases of a run: one load and several, rests, and what cuts them short. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "conductor/plan.h"
#include "conductor/rest.h"
#include "throttlog/event.h"

static struct plan two_loads(void)
{
	struct plan p = {
	    .baseline_s = 10, .time_s = 100, .rest_s = 50, .cooldown_s = 20, .legs = 2};

	plan_start(&p);
	return p;
}

/* A row each second. */
static void until(struct plan *p, double t_s)
{
	for (double t = 1; t <= t_s; t++)
		plan_advance(p, t);
}

static void test_one_load(void **state)
{
	struct plan p = {
	    .baseline_s = 10, .time_s = 100, .rest_s = 50, .cooldown_s = 20, .legs = 1};

	(void)state;
	plan_start(&p);
	assert_int_equal(p.phase, PHASE_BASELINE);
	until(&p, 10);
	assert_int_equal(p.phase, PHASE_LOAD);
	until(&p, 110);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	assert_false(plan_resting(&p));
	assert_true(plan_left_s(&p, 110) == 20);
	until(&p, 130);
	assert_true(p.done);
	assert_string_equal(p.reason, END_DONE);
}

static void test_rest_between(void **state)
{
	struct plan p = two_loads();

	(void)state;
	until(&p, 110);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	assert_true(plan_resting(&p));
	assert_true(plan_left_s(&p, 110) == 50);
	until(&p, 159);
	assert_true(plan_resting(&p));
	until(&p, 160);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_int_equal(p.leg, 1);
	until(&p, 260);
	assert_false(plan_resting(&p));
	until(&p, 280);
	assert_true(p.done);
}

static void test_as_text(void **state)
{
	struct plan p = two_loads();
	char text[64];

	(void)state;
	plan_text(&p, text, sizeof(text));
	assert_string_equal(text, "10/100/50/100/20");
	p.legs = 1;
	plan_text(&p, text, sizeof(text));
	assert_string_equal(text, "10/100/20");
}

static void test_rest_ends_early(void **state)
{
	struct plan p = two_loads();

	(void)state;
	plan_end_rest(&p, 5);
	assert_int_equal(p.phase, PHASE_BASELINE);
	until(&p, 110);
	plan_end_rest(&p, 121);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_true(plan_left_s(&p, 121) == 100);
	until(&p, 221);
	plan_end_rest(&p, 222);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
}

static void test_steady_ends_one_load(void **state)
{
	struct plan p = two_loads();

	(void)state;
	until(&p, 10);
	plan_end_load(&p, 60, END_STEADY);
	assert_true(plan_resting(&p));
	until(&p, 110);
	assert_int_equal(p.leg, 1);
	until(&p, 210);
	until(&p, 230);
	/* The second load ran its time. */
	assert_true(p.done);
	assert_string_equal(p.reason, END_DONE);
}

static void test_stop_ends_all_loads(void **state)
{
	struct plan p = two_loads();

	(void)state;
	until(&p, 10);
	plan_stop_load(&p, 60, END_STOP_TEMP);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	assert_false(plan_resting(&p));
	assert_true(plan_left_s(&p, 60) == 20);
	until(&p, 80);
	assert_true(p.done);
	assert_string_equal(p.reason, END_STOP_TEMP);
}

static void test_stop_in_a_rest(void **state)
{
	struct plan p = two_loads();

	(void)state;
	until(&p, 110);
	plan_stop_load(&p, 125, END_FAILED);
	assert_false(plan_resting(&p));
	until(&p, 129);
	assert_false(p.done);
	until(&p, 130);
	assert_true(p.done);
	assert_string_equal(p.reason, END_FAILED);
	/* In the last cool-down there is no load to stop. */
	p = two_loads();
	until(&p, 260);
	plan_stop_load(&p, 261, END_FAILED);
	assert_null(p.reason);
}

static void test_hold(void **state)
{
	struct plan p = two_loads();

	(void)state;
	until(&p, 110);
	plan_hold(&p);
	assert_false(plan_resting(&p));
	until(&p, 500);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	plan_release(&p, 500);
	assert_true(plan_resting(&p));
	until(&p, 550);
	assert_int_equal(p.phase, PHASE_LOAD);
	until(&p, 650);
	plan_hold(&p);
	plan_stop_load(&p, 700, END_STOP_TEMP);
	assert_false(p.held);
	assert_true(plan_left_s(&p, 700) == 20);
}

/* The program was stopped for an hour. */
static void test_no_phase_is_left_out(void **state)
{
	struct plan p = two_loads();

	(void)state;
	plan_advance(&p, 3600);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_true(plan_left_s(&p, 3600) == 100);
	plan_advance(&p, 9000);
	assert_true(plan_resting(&p));
	plan_advance(&p, 20000);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_int_equal(p.leg, 1);
	plan_advance(&p, 30000);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	assert_false(p.done);
}

static void test_no_rest_at_all(void **state)
{
	struct plan p = {.time_s = INFINITY, .legs = 1};

	(void)state;
	plan_start(&p);
	plan_advance(&p, 1e9);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_true(isnan(plan_left_s(&p, 1)));
	plan_end(&p, END_QUIT);
	assert_true(p.done);
}

/* A drive that cools from 80 °C towards `end_c`; returns when the rest ended, 0 if it did not. */
static double cool(double idle_c, double end_c)
{
	struct rest r;

	rest_clear(&r);
	rest_idle(&r, idle_c);
	rest_idle(&r, (double)NAN);
	rest_begin(&r, 1000);
	for (double t = 1; t <= 600; t++)
		if (rest_row(&r, 1000 + t, round(end_c + (80 - end_c) * exp(-t / 50))))
			return t;
	return 0;
}

static void test_rest_until_idle(void **state)
{
	double near = cool(45, 44), warm = cool(45, 55);

	(void)state;
	assert_true(near > REST_SHORTEST_S && near < 250);
	/* It never gets there: it ends when it gets no cooler. */
	assert_true(warm > 250 && warm < 400);
	/* Cool from the start: a while all the same. */
	assert_true(cool(90, 60) == REST_SHORTEST_S);
	/* Nobody knows how cool it was. */
	assert_true(cool((double)NAN, 55) > 250);
}

static void test_rest_without_temperature(void **state)
{
	struct rest r;

	(void)state;
	rest_clear(&r);
	rest_begin(&r, 0);
	assert_false(rest_row(&r, 1e6, (double)NAN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_load),
	    cmocka_unit_test(test_rest_between),
	    cmocka_unit_test(test_as_text),
	    cmocka_unit_test(test_rest_ends_early),
	    cmocka_unit_test(test_steady_ends_one_load),
	    cmocka_unit_test(test_stop_ends_all_loads),
	    cmocka_unit_test(test_stop_in_a_rest),
	    cmocka_unit_test(test_hold),
	    cmocka_unit_test(test_no_phase_is_left_out),
	    cmocka_unit_test(test_no_rest_at_all),
	    cmocka_unit_test(test_rest_until_idle),
	    cmocka_unit_test(test_rest_without_temperature),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
