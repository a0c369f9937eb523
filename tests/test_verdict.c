/* The verdict on logs made by hand: classes, attribution, missing data, JSON, requirements. */
#include "cmocka_all.h"

#include <stdlib.h>

#include "rows.h"

/* Not on the stack: they are large. */
static struct rows r;
static struct verdict v;

#define assert_near(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

static void flat_reads_do_not_throttle(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.run.drive.limits.wctemp_c = 80;
	rows_idle(&r, 40);
	rows_load(&r, 100, 3000, 40, 65);
	rows_load(&r, 200, 3000, 65, 66);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.klass, CLASS_NONE);
	assert_near(v.idle_c, 40, 0.1);
	assert_near(v.max_c, 66, 0.5);
	assert_near(v.load_start_s, 60, 0.1);
	assert_near(v.peak_mb_s, 3000, 30);
	assert_near(v.bytes, 900e9, 9e9);
	assert_int_equal(v.n_drops, 0);
	assert_int_equal(v.heatsink_needed, TRI_FALSE);
	assert_true(isnan(v.onset_s));
	rows_end(&r, &v);
}

static void a_read_cut_at_its_hottest_is_heat(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.run.drive.limits.wctemp_c = 80;
	rows_idle(&r, 40);
	rows_load(&r, 90, 3000, 40, 80);
	rows_load(&r, 210, 2000, 80, 79);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_STEP);
	assert_near(v.onset_s, 90, 1.5);
	assert_near(v.onset_time_s, 150, 1.5);
	assert_near(v.onset_c, 80, 1);
	assert_near(v.onset_bytes, 270e9, 6e9);
	assert_near(v.loss_pct, 33.3, 1.5);
	assert_near(v.before_mb_s, 3000, 30);
	assert_near(v.after_mb_s, 2000, 30);
	assert_near(v.time_throttled_s, 210, 3);
	assert_int_equal(v.n_drops, 1);
	assert_int_equal(v.drops[0].cause, CAUSE_THERMAL);
	assert_int_equal(v.heatsink_needed, TRI_TRUE);
	assert_true(v.evidence.n > 2);
	rows_end(&r, &v);
}

static void on_and_off_at_one_temperature_is_oscillating(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	rows_idle(&r, 45);
	rows_load(&r, 60, 2000, 45, 75);
	for (int i = 0; i < 6; i++) {
		/* The case warms up: longer to cool, sooner hot. */
		rows_load(&r, 12 + 2 * i, 400, 75, 71);
		rows_load(&r, 24 - 2 * i, 2000, 71, 75);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_OSCILLATING);
	assert_near(v.onset_s, 60, 1.5);
	assert_near(v.onset_c, 75, 1);
	assert_true(v.n_spans >= 5);
	rows_end(&r, &v);
}

static void a_clock_is_not_heat(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	rows_idle(&r, 45);
	rows_load(&r, 200, 2000, 45, 75);
	for (int i = 0; i < 8; i++) {
		rows_load(&r, 15, 400, 75, 71);
		rows_load(&r, 20, 2000, 71, 75);
	}
	rows_judge(&r, &v);
	assert_int_not_equal(v.throttled, TRI_TRUE);
	rows_end(&r, &v);
}

static void a_cool_lasting_write_drop_is_the_cache(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	r.run.drive.limits.wctemp_c = 78;
	rows_idle(&r, 35);
	rows_load(&r, 40, 2000, 35, 50);
	rows_load(&r, 200, 600, 50, 56);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.klass, CLASS_NONE);
	assert_int_equal(v.n_drops, 1);
	assert_int_equal(v.drops[0].cause, CAUSE_SLC_CACHE);
	assert_near(v.drops[0].start_s, 100, 2);
	assert_near(v.drops[0].bytes, 80e9, 3e9);
	rows_end(&r, &v);
}

static void without_temperature_a_drop_cannot_be_attributed(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	rows_load(&r, 60, 590, NAN, NAN);
	rows_load(&r, 60, 50, NAN, NAN);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_NULL);
	assert_int_equal(v.klass, CLASS_UNATTRIBUTED);
	assert_false(v.temp_trusted);
	assert_true(isnan(v.max_c));
	assert_int_equal(v.n_warnings, 1);
	rows_end(&r, &v);
}

static void counters_decide_where_the_temperature_is_frozen(void **state)
{
	(void)state;
	for (int counting = 0; counting < 2; counting++) {
		rows_begin(&r, OP_WRITE);
		r.next.tmt1_count = 7;
		rows_load(&r, 100, 450, 40, 40);
		if (counting)
			r.next.tmt1_count = 9;
		rows_load(&r, 100, 150, 40, 40);
		rows_judge(&r, &v);
		assert_int_equal(v.throttled, counting ? TRI_TRUE : TRI_NULL);
		assert_int_equal(v.certainty, counting ? CERTAINTY_CONFIRMED : CERTAINTY_UNKNOWN);
		assert_true(isnan(v.onset_c));
		assert_false(v.temp_trusted);
		if (counting)
			assert_near(v.onset_s, 100, 2);
		rows_end(&r, &v);
	}
}

static void counters_without_loss_are_reported(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.tmt1_count = 10;
	rows_load(&r, 100, 193, 50, 60);
	for (int i = 0; i < 100; i++) {
		r.next.tmt1_count += 1;
		rows_load(&r, 1, 193, 60, 60);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_REPORTED);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_true(isnan(v.onset_s));
	assert_int_equal(v.n_drops, 0);
	rows_end(&r, &v);
}

static void standing_counters_prove_nothing(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.tmt1_count = 3;
	r.next.tmt1_s = 584;
	rows_load(&r, 100, 3000, 40, 60);
	rows_load(&r, 100, 3000, 60, 60);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	rows_end(&r, &v);
}

static void a_vanished_drive_is_a_shutdown(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	rows_idle(&r, 45);
	rows_load(&r, 55, 9000, 45, 87);
	rows_add(&r, PHASE_LOAD, 0, NAN);
	series_event(&r.run.series, EVENT_LOST, NAN, NULL);
	series_event(&r.run.series, EVENT_END, NAN, END_LOST);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_SHUTDOWN);
	assert_near(v.onset_s, 55, 1.5);
	assert_near(v.onset_c, 86, 1);
	assert_int_equal(v.heatsink_needed, TRI_TRUE);
	rows_end(&r, &v);
}

/* Pulled out of its slot: it was never hot. */
static void a_cool_drive_that_vanishes_is_not_heat(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	rows_load(&r, 30, 3000, 40, 45);
	rows_add(&r, PHASE_LOAD, 0, NAN);
	series_event(&r.run.series, EVENT_LOST, NAN, NULL);
	series_event(&r.run.series, EVENT_END, NAN, END_LOST);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_NULL);
	assert_non_null(strstr(v.text, "vanished at 45 °C"));
	assert_non_null(strstr(v.text, "nothing says that it was heat"));
	rows_end(&r, &v);
}

static void a_link_that_falls_is_not_heat(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.link_gt_s = 8;
	r.next.link_width = 4;
	rows_load(&r, 90, 3000, 40, 75);
	r.next.link_gt_s = 5;
	rows_load(&r, 200, 1700, 75, 74);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.drops[0].cause, CAUSE_LINK);
	rows_end(&r, &v);
}

static void tiny_and_empty_logs_are_survived(void **state)
{
	(void)state;
	for (int n = 0; n < 30; n++) {
		rows_begin(&r, OP_READ);
		rows_load(&r, n, 1000, 40, 41);
		rows_judge(&r, &v);
		if (n < 2)
			assert_int_equal(v.throttled, TRI_NULL);
		assert_int_not_equal(v.throttled, TRI_TRUE);
		assert_true(strlen(v.text) > 10);
		rows_end(&r, &v);
	}
	/* All stalled, then only temperature, then only zeros. */
	rows_begin(&r, OP_READ);
	rows_load(&r, 100, 0, 40, 50);
	rows_judge(&r, &v);
	assert_int_not_equal(v.throttled, TRI_TRUE);
	rows_end(&r, &v);
	rows_begin(&r, OP_NONE);
	rows_load(&r, 100, NAN, 40, 80);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_NULL);
	assert_true(isnan(v.bytes));
	rows_end(&r, &v);
}

static void json_has_the_contract(void **state)
{
	static const char *const keys[] = {"\"schema\":1",
					   "\"rules_version\":",
					   "\"limits_c\":",
					   "\"end_reason\":\"done\"",
					   "\"missed_samples\":",
					   "\"hottest_sensor\":",
					   "\"resolution_s\":",
					   "\"sustained_mb_s\":",
					   "\"throttled\":true",
					   "\"class\":\"step\"",
					   "\"onset_bytes\":",
					   "\"recovered_s\":null",
					   "\"cause\":\"thermal\"",
					   "\"interval_c\":[null,null]",
					   "\"expr\":\"max_temp<=75\"",
					   "\"met\":false",
					   "\"warnings\":[]"};
	static const char *const asked[] = {"max_temp<=75"};
	char *text;

	(void)state;
	rows_begin(&r, OP_READ);
	rows_idle(&r, 40);
	rows_load(&r, 90, 3000, 40, 80);
	rows_load(&r, 210, 2000, 80, 79);
	series_event(&r.run.series, EVENT_END, NAN, END_DONE);
	rows_judge(&r, &v);
	assert_int_equal(require_apply(&v, asked, 1), 1);
	text = verdict_json(&r.run, &v, false);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strstr(text, keys[i]))
			fail_msg("%s is not in %s", keys[i], text);
	free(text);
	rows_end(&r, &v);
}

static void requirements_are_judged(void **state)
{
	static const struct {
		const char *expr;
		enum tristate met;
	} cases[] = {{"no-throttle", TRI_FALSE},
		     {"max_temp<=80", TRI_TRUE},
		     {"max_temp<80", TRI_FALSE},
		     {"sustained>=60%", TRI_TRUE},
		     {"sustained>70%", TRI_FALSE},
		     {"time_to_throttle>=80s", TRI_TRUE},
		     {"time_to_throttle>=100s", TRI_FALSE},
		     {"loss<=40%", TRI_TRUE},
		     {"loss<=10%", TRI_FALSE}};

	(void)state;
	rows_begin(&r, OP_READ);
	rows_load(&r, 90, 3000, 40, 80);
	rows_load(&r, 210, 2000, 80, 79);
	rows_judge(&r, &v);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		require_apply(&v, &cases[i].expr, 1);
		if (v.requirements[i].met != cases[i].met)
			fail_msg("%s: %d", cases[i].expr, v.requirements[i].met);
	}
	rows_end(&r, &v);
	/* Not throttled: only as long as the load was. */
	rows_begin(&r, OP_READ);
	rows_load(&r, 100, 3000, 40, 60);
	rows_judge(&r, &v);
	require_apply(&v,
		      (const char *const[]){"time_to_throttle>=90s", "time_to_throttle>=180s",
					    "no-throttle", "loss<=0%"},
		      4);
	assert_int_equal(v.requirements[0].met, TRI_TRUE);
	assert_int_equal(v.requirements[1].met, TRI_NULL);
	assert_int_equal(v.requirements[2].met, TRI_TRUE);
	assert_int_equal(v.requirements[3].met, TRI_TRUE);
	rows_end(&r, &v);
	/* Nothing known: null, and counted as not met. */
	rows_begin(&r, OP_READ);
	rows_load(&r, 60, 3000, NAN, NAN);
	rows_judge(&r, &v);
	assert_int_equal(require_apply(&v, (const char *const[]){"max_temp<=90", "no-throttle"}, 2),
			 2);
	assert_int_equal(v.requirements[0].met, TRI_NULL);
	rows_end(&r, &v);
}

static void requirements_are_checked(void **state)
{
	static const char *const good[] = {
	    "no-throttle",    "max_temp<=75",           "max_temp>-5.5",
	    "sustained>=90%", "time_to_throttle>=180s", "loss<10%"};
	static const char *const bad[] = {"",
					  "no-throttle=1",
					  "max_temp",
					  "max_temp=75",
					  "max_temp<=",
					  "max_temp<=75C",
					  "sustained>=90",
					  "loss<=ten%",
					  "speed>=5",
					  "time_to_throttle>=3m",
					  "max_temp <= 75",
					  "loss<=10%%",
					  "max_temp<=7-5"};
	char why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_int_equal(require_check(good[i], why, sizeof(why)), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		why[0] = '\0';
		if (require_check(bad[i], why, sizeof(why)) == 0 || !why[0])
			fail_msg("'%s' was accepted", bad[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(flat_reads_do_not_throttle),
	    cmocka_unit_test(a_read_cut_at_its_hottest_is_heat),
	    cmocka_unit_test(on_and_off_at_one_temperature_is_oscillating),
	    cmocka_unit_test(a_clock_is_not_heat),
	    cmocka_unit_test(a_cool_lasting_write_drop_is_the_cache),
	    cmocka_unit_test(without_temperature_a_drop_cannot_be_attributed),
	    cmocka_unit_test(counters_decide_where_the_temperature_is_frozen),
	    cmocka_unit_test(counters_without_loss_are_reported),
	    cmocka_unit_test(standing_counters_prove_nothing),
	    cmocka_unit_test(a_vanished_drive_is_a_shutdown),
	    cmocka_unit_test(a_cool_drive_that_vanishes_is_not_heat),
	    cmocka_unit_test(a_link_that_falls_is_not_heat),
	    cmocka_unit_test(tiny_and_empty_logs_are_survived),
	    cmocka_unit_test(json_has_the_contract),
	    cmocka_unit_test(requirements_are_judged),
	    cmocka_unit_test(requirements_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
