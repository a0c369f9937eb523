/* Several loads in one log: what they say about each other, and the one verdict about all. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rules.h"
#include "rows.h"
#include "throttlog/online.h"

static struct rows rows;
static struct verdict verdict;

static void begin(enum op op)
{
	rows_begin(&rows, op);
	rows_idle(&rows, 45);
}

static void rest(int n, double from_c)
{
	for (int i = 0; i < n; i++)
		rows_add(&rows, PHASE_COOLDOWN, 0, from_c - (from_c - 45) * i / n);
}

/* Swings at 80 °C: heat beyond doubt. */
static void hot_load(enum op op, double mb_s)
{
	rows.run.load.op = op;
	rows_load(&rows, 60, mb_s, 45, 80);
	for (int i = 0; i < 5; i++) {
		rows_load(&rows, 12 + 2 * i, 0.3 * mb_s, 80, 75);
		rows_load(&rows, 24 - 2 * i, mb_s, 75, 80);
	}
}

/* One lasting step where the temperature has come to `top_c`: a full cache looks like it. */
static void stepped_load(enum op op, double top_c)
{
	rows.run.load.op = op;
	rows_load(&rows, 80, 2000, 45, top_c);
	rows_load(&rows, 100, 1000, top_c, top_c - 2);
}

static void even_load(enum op op, int n, double top_c)
{
	rows.run.load.op = op;
	rows_load(&rows, n, 1500, 45, top_c);
}

static const struct drop *drop_of(size_t leg)
{
	for (size_t i = 0; i < verdict.n_drops; i++)
		if (verdict.drops[i].leg == leg)
			return &verdict.drops[i];
	return NULL;
}

static enum cause cause_in(size_t leg)
{
	const struct drop *d = drop_of(leg);

	return d ? d->cause : CAUSE_COUNT;
}

static const char *evidence(size_t leg, const char *rule)
{
	const struct drop *d = drop_of(leg);

	for (size_t i = 0; d && i < d->evidence.n; i++)
		if (strcmp(d->evidence.item[i].rule, rule) == 0)
			return d->evidence.item[i].text;
	return "";
}

static void judge(void)
{
	rows_judge(&rows, &verdict);
}

static int teardown(void **state)
{
	(void)state;
	rows_end(&rows, &verdict);
	return 0;
}

static void reading_teaches_writing(void **state)
{
	(void)state;
	begin(OP_READ);
	hot_load(OP_READ, 3000);
	rest(120, 78);
	stepped_load(OP_WRITE, 80);
	rest(60, 78);
	judge();
	assert_int_equal(verdict.n_legs, 2);
	assert_int_equal(verdict.legs[0].throttled, TRI_TRUE);
	assert_int_equal(verdict.legs[1].throttled, TRI_TRUE);
	assert_string_equal(evidence(1, "learned"),
			    "at the limit that this drive showed when reading, 80 °C");
	assert_true(fabs(verdict.legs[1].onset_s - 80) <= 2);
	/* Alone it is not enough. */
	verdict_fini(&verdict);
	verdict_make_without(&rows.run, "learned", &verdict);
	assert_int_not_equal(verdict.legs[1].throttled, TRI_TRUE);
}

static void writing_teaches_reading(void **state)
{
	(void)state;
	begin(OP_WRITE);
	stepped_load(OP_WRITE, 80);
	rest(120, 78);
	hot_load(OP_READ, 3000);
	judge();
	/* What comes later counts as well. */
	assert_int_equal(verdict.legs[0].throttled, TRI_TRUE);
	assert_true(strstr(evidence(0, "learned"), "when reading") != NULL);
	verdict_fini(&verdict);
	run_fini(&rows.run);
	begin(OP_WRITE);
	hot_load(OP_WRITE, 2000);
	rest(120, 78);
	stepped_load(OP_READ, 80);
	judge();
	assert_true(strstr(evidence(1, "learned"), "when writing") != NULL);
}

/* Two steps within seconds: the first is taken for the end of the cache, but not at the limit. */
static void heat_comes_first_at_a_known_limit(void **state)
{
	(void)state;
	for (int hot = 0; hot < 2; hot++) {
		begin(OP_READ);
		hot_load(OP_READ, 3000);
		rest(120, 78);
		rows.run.load.op = OP_WRITE;
		rows_load(&rows, 60, 1800, 45, hot ? 80 : 78);
		rows_load(&rows, 3, hot ? 1800 : 900, 80, 80);
		rows_load(&rows, 3, hot ? 900 : 450, 80, 80);
		rows_load(&rows, 200, 450, 80, 79);
		judge();
		assert_int_equal(cause_in(1), hot ? CAUSE_THERMAL : CAUSE_SLC_CACHE);
		assert_int_equal(verdict.legs[1].throttled, TRI_TRUE);
		if (!hot)
			teardown(NULL);
	}
}

static void a_cut_elsewhere_teaches_nothing(void **state)
{
	(void)state;
	begin(OP_READ);
	hot_load(OP_READ, 3000);
	rest(120, 78);
	stepped_load(OP_WRITE, 66);
	judge();
	assert_string_equal(evidence(1, "learned"), "");
	assert_int_equal(verdict.legs[1].throttled, TRI_FALSE);
	assert_int_equal(cause_in(1), CAUSE_SLC_CACHE);
	/* At 66 °C the reads had been at full speed. */
	assert_true(strstr(evidence(1, "passed"), "reading got up to") != NULL);
}

static void hotter_without_a_cut(void **state)
{
	(void)state;
	begin(OP_WRITE);
	even_load(OP_WRITE, 150, 84);
	rest(120, 84);
	rows.run.load.op = OP_READ;
	rows_load(&rows, 80, 3000, 45, 72);
	rows_load(&rows, 100, 1500, 72, 70);
	judge();
	assert_true(strstr(evidence(1, "passed"), "writing got up to") != NULL);
	assert_int_not_equal(verdict.throttled, TRI_TRUE);
	verdict_fini(&verdict);
	verdict_make_without(&rows.run, "passed", &verdict);
	assert_int_equal(verdict.throttled, TRI_TRUE);
}

static void the_worst_decides(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 200, 60);
	rest(60, 60);
	hot_load(OP_WRITE, 2000);
	rest(60, 78);
	judge();
	assert_int_equal(verdict.throttled, TRI_TRUE);
	assert_int_equal(verdict.main_leg, 1);
	assert_true(fabs(verdict.onset_s - 60) <= 2);
	assert_true(verdict.onset_s == verdict.legs[1].onset_s);
	assert_true(strncmp(verdict.text, "Throttles at 80 °C after ", 26) == 0);
	assert_non_null(strstr(verdict.text, "of writing ("));
	assert_non_null(strstr(verdict.text, "; not when reading."));
	assert_true(verdict.max_c == 80);
	assert_true(verdict.legs[0].max_c < 61);
}

static void both_throttle(void **state)
{
	size_t in_leg[2] = {0};

	(void)state;
	begin(OP_READ);
	hot_load(OP_READ, 3000);
	rest(120, 78);
	hot_load(OP_WRITE, 2000);
	judge();
	assert_non_null(strstr(verdict.text, " too, at 80 °C."));
	/* The throttled spans of both. */
	for (size_t i = 0; i < verdict.n_spans; i++)
		in_leg[verdict.spans[i].start_s >= verdict.legs[1].start_s]++;
	assert_true(in_leg[0] >= 3 && in_leg[1] >= 3);
	assert_true(verdict.time_throttled_s == verdict.legs[verdict.main_leg].time_throttled_s);
}

static void none_throttles(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 180, 55);
	rest(60, 55);
	rows.run.load.op = OP_WRITE;
	rows_load(&rows, 20, 1000, 45, 47);
	rows_load(&rows, 160, 400, 47, 50);
	judge();
	assert_int_equal(verdict.throttled, TRI_FALSE);
	assert_non_null(strstr(verdict.text, "3 min of reading and 3 min of writing"));
	assert_non_null(strstr(verdict.text, "write cache ended after"));
	/* The one that has something to tell. */
	assert_int_equal(verdict.main_leg, 1);
}

static void a_short_load_beside_a_long_one(void **state)
{
	static const char *const require[] = {"no-throttle", "time_to_throttle>=100s"};

	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 180, 55);
	rest(60, 55);
	even_load(OP_WRITE, 10, 47);
	judge();
	assert_int_equal(verdict.throttled, TRI_FALSE);
	assert_false(verdict.legs[1].judged);
	assert_non_null(strstr(verdict.text, "; writing was too short to judge."));
	assert_string_equal(verdict.warnings[verdict.n_warnings - 1],
			    "the write load of 10 s is too short to judge");
	/* Nobody knows about writing. */
	assert_int_equal(require_apply(&verdict, require, 2), 2);
	assert_int_equal(verdict.requirements[0].met, TRI_NULL);
	assert_int_equal(verdict.requirements[1].met, TRI_NULL);
}

static void too_short_says_so(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 8, 47);
	judge();
	assert_int_equal(verdict.throttled, TRI_NULL);
	assert_true(strncmp(verdict.text, "Too short to judge: 8 s of load.", 32) == 0);
	assert_non_null(strstr(verdict.text, "--time"));
}

/* So short that its first seconds, which are not judged, are all. */
static void seconds_are_too_short_too(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 1, 47);
	judge();
	assert_true(strncmp(verdict.text, "Too short to judge: ", 20) == 0);
}

static void a_load_that_hardly_moves_is_not_called_short(void **state)
{
	(void)state;
	begin(OP_READ);
	rows_load(&rows, 240, 0.03, 40, 47);
	judge();
	assert_int_equal(verdict.throttled, TRI_NULL);
	assert_true(strncmp(verdict.text, "Too little load to judge: 0.03 MB/s for 4 min.", 46) ==
		    0);
}

static void counters_tell_in_a_short_load(void **state)
{
	(void)state;
	begin(OP_READ);
	rows.next.tmt1_count = 3;
	rows_load(&rows, 5, 1500, 70, 75);
	rows.next.tmt1_count = 4;
	rows_load(&rows, 5, 1500, 75, 76);
	judge();
	assert_int_equal(verdict.throttled, TRI_TRUE);
	assert_int_equal(verdict.certainty, CERTAINTY_CONFIRMED);
}

static void requirements_take_the_worst_load(void **state)
{
	static const char *const require[] = {"time_to_throttle>=70s", "loss<=50%",
					      "sustained>=90%"};

	(void)state;
	begin(OP_READ);
	hot_load(OP_READ, 3000); /* after 60 s */
	rest(120, 78);
	rows.run.load.op = OP_WRITE;
	rows_load(&rows, 100, 2000, 45, 80);
	rows_load(&rows, 200, 500, 80, 79); /* loses more */
	judge();
	assert_int_equal(verdict.main_leg, 1);
	assert_int_equal(require_apply(&verdict, require, 3), 3);
	assert_true(verdict.requirements[0].value < 65);
	assert_true(verdict.requirements[1].value > 70);
	assert_true(verdict.requirements[2].value < 50);
}

static void a_pause_makes_two_loads_of_one_kind(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 120, 60);
	for (int i = 0; i < 10; i++)
		rows_add(&rows, PHASE_PAUSE, 0, 60);
	even_load(OP_READ, 120, 60);
	judge();
	assert_int_equal(verdict.n_legs, 2);
	assert_non_null(strstr(verdict.text, "4 min of reading"));
	assert_null(strstr(verdict.text, "; "));
}

static void lost_in_the_second_load(void **state)
{
	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 180, 60);
	rest(60, 60);
	even_load(OP_WRITE, 120, 88);
	series_event(&rows.run.series, EVENT_LOST, (double)NAN, NULL);
	judge();
	assert_int_equal(verdict.klass, CLASS_SHUTDOWN);
	assert_int_equal(verdict.main_leg, 1);
	assert_non_null(strstr(verdict.text, "The drive shut down at 88 °C after "));
	assert_non_null(strstr(verdict.text, " of writing; not when reading."));
}

static void json_tells_of_each_load(void **state)
{
	char *text;

	(void)state;
	begin(OP_READ);
	even_load(OP_READ, 180, 60);
	rest(60, 60);
	hot_load(OP_WRITE, 2000);
	judge();
	rows.run.load.legs = (struct op_list){.op = {OP_READ, OP_WRITE}, .n = 2};
	text = verdict_json(&rows.run, &verdict, false);
	assert_non_null(strstr(text, "\"op\":\"read,write\""));
	assert_non_null(strstr(text, "\"legs\":[{\"op\":\"read\""));
	assert_non_null(strstr(text, "\"decides\":false,\"throttled\":false"));
	assert_non_null(strstr(text, "\"decides\":true,\"throttled\":true"));
	assert_non_null(strstr(text, "\"drops\":[{\"leg\":1"));
	free(text);
}

/* Rows come one by one: the live detector tells of the load that is under way. */
static void live_forgets_the_load_before(void **state)
{
	struct online *o = online_new();
	struct rows all;
	int told[2] = {0};
	size_t second = 0;

	(void)state;
	begin(OP_READ);
	hot_load(OP_READ, 3000);
	rest(100, 78);
	second = rows.run.series.n;
	even_load(OP_WRITE, 150, 62);
	rows_begin(&all, OP_READ);
	for (size_t i = 0; i < rows.run.series.n; i++) {
		struct online_event found[ONLINE_EVENTS_MAX];
		struct sample row;
		size_t n;

		series_row(&rows.run.series, i, &row);
		series_append(&all.run.series, &row);
		n = online_row(o, &all.run, found);
		for (size_t k = 0; k < n; k++)
			told[i >= second] += found[k].kind == EVENT_THROTTLE;
		if (i >= second)
			assert_string_not_equal(online_state(o), "THROTTLED");
	}
	assert_int_equal(told[0], 1);
	assert_int_equal(told[1], 0);
	online_free(o);
	run_fini(&all.run);
	judge();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(reading_teaches_writing, teardown),
	    cmocka_unit_test_teardown(writing_teaches_reading, teardown),
	    cmocka_unit_test_teardown(heat_comes_first_at_a_known_limit, teardown),
	    cmocka_unit_test_teardown(a_cut_elsewhere_teaches_nothing, teardown),
	    cmocka_unit_test_teardown(hotter_without_a_cut, teardown),
	    cmocka_unit_test_teardown(the_worst_decides, teardown),
	    cmocka_unit_test_teardown(both_throttle, teardown),
	    cmocka_unit_test_teardown(none_throttles, teardown),
	    cmocka_unit_test_teardown(a_short_load_beside_a_long_one, teardown),
	    cmocka_unit_test_teardown(too_short_says_so, teardown),
	    cmocka_unit_test_teardown(seconds_are_too_short_too, teardown),
	    cmocka_unit_test_teardown(a_load_that_hardly_moves_is_not_called_short, teardown),
	    cmocka_unit_test_teardown(counters_tell_in_a_short_load, teardown),
	    cmocka_unit_test_teardown(requirements_take_the_worst_load, teardown),
	    cmocka_unit_test_teardown(a_pause_makes_two_loads_of_one_kind, teardown),
	    cmocka_unit_test_teardown(lost_in_the_second_load, teardown),
	    cmocka_unit_test_teardown(json_tells_of_each_load, teardown),
	    cmocka_unit_test_teardown(live_forgets_the_load_before, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
