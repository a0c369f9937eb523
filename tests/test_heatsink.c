/*
 * Does it need a heatsink? Every row of the table of answers, and its edges. The numbers of a
 * thermal model are null: nothing of it is fitted.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "rows.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void begin(struct rows *r, enum op op, double idle_c, double wctemp_c)
{
	rows_begin(r, op);
	r->run.drive.limits.wctemp_c = wctemp_c;
	rows_idle(r, idle_c);
}

/* `slow_s` of `total_s` seconds slow, in swings at 78 °C. */
static void swings(struct rows *r, int n, int slow_s, int fast_s, double slow)
{
	begin(r, OP_READ, 45, 80);
	rows_load(r, 120, 3000, 45, 78);
	for (int i = 0; i < n; i++) {
		rows_load(r, slow_s + i % 3, slow, 78, 75);
		rows_load(r, fast_s - i % 3, 3000, 75, 78);
	}
}

static void a_third_lost(struct rows *r)
{
	begin(r, OP_READ, 45, 80);
	rows_load(r, 90, 3000, 45, 78);
	rows_load(r, 200, 2000, 78, 68);
}

/* 8 % lost in half of the time. */
static void half_the_time(struct rows *r)
{
	swings(r, 6, 20, 20, 2500);
}

/* 6 % lost, an eighth of the time. */
static void an_eighth_of_the_time(struct rows *r)
{
	begin(r, OP_READ, 45, 80);
	rows_load(r, 600, 3000, 45, 78);
	for (int i = 0; i < 5; i++) {
		rows_load(r, 12 + 2 * i, 2600, 78, 74);
		rows_load(r, 28 - 2 * i, 3000, 74, 78);
	}
}

static void held_at_no_loss(struct rows *r)
{
	begin(r, OP_WRITE, 45, 80);
	r->next.tmt1_count = 0;
	rows_load(r, 100, 1000, 45, 79);
	r->next.tmt1_count = 1;
	rows_load(r, 200, 970, 80, 80);
}

static void recorded_only(struct rows *r)
{
	begin(r, OP_READ, 45, 80);
	r->next.tmt1_count = 0;
	rows_load(r, 100, 200, 45, 60);
	for (int i = 0; i < 100; i++) {
		r->next.tmt1_count++;
		rows_load(r, 1, 200, 60, 60);
	}
}

static void shut_down(struct rows *r)
{
	begin(r, OP_WRITE, 50, 80);
	rows_load(r, 55, 9000, 50, 87);
	rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
}

static void vanished_cool(struct rows *r)
{
	begin(r, OP_WRITE, 40, 80);
	rows_load(r, 55, 9000, 40, 45);
	rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
}

static void idle_hot_and_cut(struct rows *r)
{
	begin(r, OP_READ, 72, 80);
	rows_load(r, 20, 1500, 72, 79);
	rows_load(r, 200, 750, 79, 77);
}

static void idle_hot_and_not_cut(struct rows *r)
{
	begin(r, OP_READ, 73, 80);
	rows_load(r, 100, 1500, 73, 75);
	rows_load(r, 200, 1500, 75, 75);
}

static void settled(struct rows *r, double end_c)
{
	begin(r, OP_READ, 40, 80);
	rows_load(r, 100, 3000, 40, end_c);
	rows_load(r, 200, 3000, end_c, end_c);
}

static void settled_8_below(struct rows *r)
{
	settled(r, 72);
}

static void settled_7_below(struct rows *r)
{
	settled(r, 73);
}

/* A fan came on: cooler at the end than before. */
static void getting_cooler(struct rows *r)
{
	begin(r, OP_READ, 40, 80);
	rows_load(r, 100, 3000, 40, 65);
	rows_load(r, 200, 3000, 65, 55);
}

static void still_rising(struct rows *r)
{
	begin(r, OP_READ, 40, 80);
	rows_load(r, 100, 3000, 40, 60);
}

/* Six tenths of a degree a minute at the end. */
static void hardly_rising(struct rows *r)
{
	begin(r, OP_READ, 40, 80);
	rows_load(r, 100, 3000, 40, 60);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 3000, 60 + i / 60);
}

static void no_limit(struct rows *r)
{
	settled(r, 60);
	r->run.drive.limits.wctemp_c = NAN;
}

static void no_temperature(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->run.drive.limits.wctemp_c = 80;
	rows_load(r, 200, 3000, NAN, NAN);
}

static void cause_open(struct rows *r)
{
	begin(r, OP_WRITE, 40, 80);
	rows_load(r, 60, 1500, 40, 70);
	rows_load(r, 200, 450, 70, 62);
}

static void too_short(struct rows *r)
{
	begin(r, OP_READ, 40, 80);
	rows_load(r, 10, 3000, 40, 45);
}

static const struct {
	void (*build)(struct rows *r);
	enum tristate needed;
	const char *text;
} cases[] = {
    {a_third_lost, TRI_TRUE, "yes: a heatsink or airflow would give the speed back"},
    {half_the_time, TRI_TRUE, "yes: a heatsink or airflow would give the speed back"},
    {an_eighth_of_the_time, TRI_NULL, "would help a little under long loads"},
    {held_at_no_loss, TRI_FALSE,
     "optional: the limit is held, nothing to gain that you would notice"},
    {recorded_only, TRI_FALSE,
     "optional: the limit is held, nothing to gain that you would notice"},
    {shut_down, TRI_TRUE, "needed before further use: the drive shut down from heat"},
    {vanished_cool, TRI_NULL, "cannot say from this log"},
    {idle_hot_and_cut, TRI_TRUE, "idle is already within 8 K of the limit: case airflow first"},
    {idle_hot_and_not_cut, TRI_NULL, "idle is already within 8 K of the limit: case airflow first"},
    {settled_8_below, TRI_FALSE, "no: the temperature has settled well below the limit"},
    {settled_7_below, TRI_FALSE,
     "no for this load, but the limit is near: little is left in warmer air"},
    {getting_cooler, TRI_FALSE, "no: the temperature has settled well below the limit"},
    {still_rising, TRI_NULL, "open: still getting hotter at the end; run at least 10 min of load"},
    {hardly_rising, TRI_NULL, "open: still getting hotter at the end; run at least 10 min of load"},
    {no_limit, TRI_NULL, "cannot say: the drive states no limit and none was reached, up to 60 °C"},
    {no_temperature, TRI_NULL, "cannot say from this log"},
    {cause_open, TRI_NULL, "cannot say from this log"},
    {too_short, TRI_NULL, "cannot say from this log"},
};

static void the_table_answers(void **state)
{
	static struct rows r;
	static struct verdict v;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cases[i].build(&r);
		rows_judge(&r, &v);
		if (v.heatsink_needed != cases[i].needed ||
		    strcmp(v.heatsink_text, cases[i].text) != 0)
			fail_msg("%zu: %d, '%s' (%s, %.1f %% lost)", i, v.heatsink_needed,
				 v.heatsink_text, v.text, v.loss_pct);
		assert_true(isnan(v.heatsink_steady_c) && isnan(v.resistance_cut_pct));
		assert_true(isnan(v.heatsink_interval_c[0]) && isnan(v.heatsink_interval_c[1]));
		rows_end(&r, &v);
	}
}

static void what_is_not_known_is_null(void **state)
{
	static struct rows r;
	static struct verdict v;
	char *text;

	(void)state;
	still_rising(&r);
	rows_judge(&r, &v);
	text = verdict_json(&r.run, &v, false);
	assert_non_null(strstr(text, "\"heatsink\":{\"needed\":null,\"steady_unthrottled_c\":null,"
				     "\"interval_c\":[null,null],\"resistance_cut_pct\":null"));
	free(text);
	rows_end(&r, &v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_table_answers),
	    cmocka_unit_test(what_is_not_known_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
