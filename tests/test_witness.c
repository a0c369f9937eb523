/* What the drive itself recorded enters the verdict: persistent event log and OCP log. */
#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "throttlog/online.h"
#include "throttlog/verdict.h"

static struct rows r;
static struct verdict v;

static void begin(enum op op)
{
	rows_begin(&r, op);
	rows_idle(&r, 45);
}

static void record(const char *text)
{
	series_event(&r.run.series, EVENT_PEL, NAN, text);
}

static bool says(const char *text)
{
	for (size_t i = 0; i < v.evidence.n; i++)
		if (strstr(v.evidence.item[i].text, text))
			return true;
	return false;
}

/* One lasting step in a write, at 75 °C: heat or the end of the cache. The load begins at 60 s. */
static void step_at_120_s(void)
{
	begin(OP_WRITE);
	rows_load(&r, 60, 2000, 45, 75);
	rows_load(&r, 100, 1000, 75, 74);
}

static void entries_confirm(void **state)
{
	(void)state;
	step_at_120_s();
	rows_judge(&r, &v);
	assert_int_not_equal(v.certainty, CERTAINTY_CONFIRMED);
	verdict_fini(&v);
	record("wctemp@110.0s");
	record("self-throttling@119.8s+1K");
	record("self-throttling@150.0s+1K");
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_int_equal(v.klass, CLASS_STEP);
	assert_float_equal(v.onset_s, 60, 3);
	assert_true(says("self-throttling began, 2 times, first at 60 s of load"));
	assert_true(says("WCTEMP reached at 50 s of load"));
	rows_end(&r, &v);
}

/* Hot is not slow, and what ended before began before. */
static void other_entries_confirm_nothing(void **state)
{
	static const char *const texts[] = {
	    "wctemp@119.8s",
	    "cctemp@119.8s+3K",
	    "normal@119.8s",
	    "throttling-stopped@119.8s",
	    "under-temperature@119.8s",
	    "0xf1@119.8s",
	    "nonsense",
	    "self-throttling@20.0s",
	};

	(void)state;
	step_at_120_s();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		record(texts[i]);
	rows_judge(&r, &v);
	assert_int_not_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_true(says("entry 0xf1 at 60 s of load"));
	assert_true(says("self-throttling began before the load"));
	rows_end(&r, &v);
}

/* The drive's time decides which of two drops is heat. */
static void entries_tell_the_cache_from_heat(void **state)
{
	(void)state;
	begin(OP_WRITE);
	rows_load(&r, 40, 3000, 45, 60);
	rows_load(&r, 60, 2000, 60, 75);
	rows_load(&r, 100, 1400, 75, 75);
	record("tmt1@160.3s");
	rows_judge(&r, &v);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_float_equal(v.onset_s, 100, 3);
	assert_true(v.n_drops >= 2);
	assert_int_not_equal(v.drops[0].cause, CAUSE_THERMAL);
	assert_true(says("light throttling (TMT1) began at 100 s of load"));
	rows_end(&r, &v);
}

/* A slowdown shortly before is another's; each later drop has an entry of its own. */
static void entries_know_their_drop(void **state)
{
	(void)state;
	begin(OP_READ);
	rows_load(&r, 60, 3000, 45, 70);
	rows_load(&r, 5, 2400, 71, 73);
	rows_load(&r, 60, 1000, 74, 72);
	record("self-throttling@125.2s");
	rows_judge(&r, &v);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_float_equal(v.onset_s, 65, 1.5);
	rows_end(&r, &v);

	begin(OP_READ);
	rows_load(&r, 60, 3000, 45, 75);
	for (int i = 0; i < 3; i++) {
		char text[64];

		snprintf(text, sizeof(text), "self-throttling@%.1fs", r.time_s + 0.2);
		rows_load(&r, 20, 2000, 75, 71);
		rows_load(&r, 40, 3000, 71, 75);
		record(text);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.n_drops, 3);
	for (size_t i = 0; i < v.n_drops; i++) {
		bool has = false;

		assert_int_equal(v.drops[i].cause, CAUSE_THERMAL);
		for (size_t k = 0; k < v.drops[i].evidence.n; k++)
			has |= strcmp(v.drops[i].evidence.item[k].rule, "pel") == 0;
		assert_true(has);
	}
	rows_end(&r, &v);
}

/* Without its own time an entry confirms what is seen, and is reported where nothing is seen. */
static void untimed_entries(void **state)
{
	(void)state;
	begin(OP_READ);
	rows_load(&r, 60, 3000, 45, 75);
	for (int i = 0; i < 5; i++) {
		rows_load(&r, 12 + 2 * i, 900, 75, 71);
		rows_load(&r, 24 - 2 * i, 3000, 71, 75);
	}
	record("self-throttling");
	rows_judge(&r, &v);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_int_equal(v.klass, CLASS_OSCILLATING);
	assert_float_equal(v.onset_s, 60, 3);
	rows_end(&r, &v);

	begin(OP_READ);
	rows_load(&r, 200, 3000, 45, 75);
	record("self-throttling+2K");
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_int_equal(v.klass, CLASS_REPORTED);
	assert_true(isnan(v.onset_s));
	rows_end(&r, &v);
}

/* An event tells that a threshold was crossed, no more. */
static void events_confirm_nothing(void **state)
{
	(void)state;
	begin(OP_READ);
	rows_load(&r, 30, 3000, 45, 70);
	series_event(&r.run.series, EVENT_AEN, NAN, "0x020101 temperature threshold");
	rows_load(&r, 100, 3000, 70, 72);
	series_event(&r.run.series, EVENT_AEN, NAN, "0x020201 spare below threshold");
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(says("sent a temperature event 30 s after the load began"));
	rows_end(&r, &v);
}

static void ocp_confirms(void **state)
{
	static const double counts[][2] = {{3, 4}, {255, 0}, {7, 7}, {100, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		begin(OP_WRITE);
		r.next.ocp_throttle_count = counts[i][0];
		rows_load(&r, 60, 2000, 45, 75);
		r.next.ocp_throttle_count = counts[i][1];
		rows_load(&r, 100, 1000, 75, 74);
		rows_judge(&r, &v);
		/* One byte: it may wrap, and a reset is none. */
		assert_int_equal(v.certainty == CERTAINTY_CONFIRMED, i < 2);
		assert_int_equal(says("OCP log: 1 more throttling events"), i < 2);
		if (i < 2)
			assert_float_equal(v.onset_s, 60, 3);
		rows_end(&r, &v);
	}
}

/* Read each 30 s: it may have begun at any time since the reading before. */
static void slow_readings_leave_the_onset(void **state)
{
	(void)state;
	begin(OP_WRITE);
	for (int i = 0; i < 160; i++) {
		r.next.ocp_throttle_count = i % 30 ? (double)NAN : i > 70 ? 2 : 1;
		rows_load(&r, 1, i < 70 ? 2000 : 1000, i < 70 ? 45 + i * 30.0 / 70 : 75, 75);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_float_equal(v.onset_s, 70, 3);
	rows_end(&r, &v);
}

/* A status that never was 0 may be stuck. */
static void a_stuck_status_proves_nothing(void **state)
{
	(void)state;
	begin(OP_READ);
	r.next.ocp_throttle_status = 1;
	rows_load(&r, 200, 3000, 45, 60);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(says("throttles all the time"));
	rows_end(&r, &v);
}

/* The live detector goes by the same record: sure at once, not after two answers. */
static void live_detector_believes_it(void **state)
{
	int seconds[2] = {0, 0};

	(void)state;
	for (int with = 0; with < 2; with++) {
		struct online *o = online_new();

		begin(OP_WRITE);
		for (int i = 0; i < 160 && !seconds[with]; i++) {
			struct online_event events[ONLINE_EVENTS_MAX];
			size_t n;

			r.next.ocp_throttle_count = with ? (i < 60 ? 1 : 2) : (double)NAN;
			rows_load(&r, 1, i < 60 ? 2000 : 1000, i < 60 ? 45 + i / 2.0 : 75, 75);
			n = online_row(o, &r.run, events);
			for (size_t k = 0; k < n; k++)
				if (events[k].kind == EVENT_THROTTLE)
					seconds[with] = i;
		}
		online_free(o);
		run_fini(&r.run);
	}
	assert_in_range(seconds[1], 60, 75);
	assert_true(!seconds[0] || seconds[1] < seconds[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(entries_confirm),
	    cmocka_unit_test(other_entries_confirm_nothing),
	    cmocka_unit_test(entries_tell_the_cache_from_heat),
	    cmocka_unit_test(entries_know_their_drop),
	    cmocka_unit_test(untimed_entries),
	    cmocka_unit_test(events_confirm_nothing),
	    cmocka_unit_test(ocp_confirms),
	    cmocka_unit_test(slow_readings_leave_the_onset),
	    cmocka_unit_test(a_stuck_status_proves_nothing),
	    cmocka_unit_test(live_detector_believes_it),
	};

	return cmocka_run_group_tests_name("witness", tests, NULL, NULL);
}
