/*
 * Several causes in one run, in their order; odd rows; several loads in one log; and the answer
 * about a heatsink.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "rows.h"

static struct rows r;
static struct verdict v;

#define assert_near(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

static void begin(enum op op, double idle_c)
{
	rows_begin(&r, op);
	r.run.drive.limits.wctemp_c = 78;
	rows_idle(&r, idle_c);
}

static void judge(void)
{
	rows_judge(&r, &v);
}

static void end(void)
{
	rows_end(&r, &v);
}

/* On and off at 78 °C, longer to cool each time. */
static void cycles(int n, double fast, double slow)
{
	for (int i = 0; i < n; i++) {
		rows_load(&r, 12 + 2 * i, slow, 78, 74);
		rows_load(&r, 24 - 2 * i, fast, 74, 78);
	}
}

static void cache_end_then_heat(void **state)
{
	(void)state;
	begin(OP_WRITE, 40);
	rows_load(&r, 30, 2000, 40, 52);
	rows_load(&r, 120, 1000, 52, 78);
	cycles(5, 1000, 300);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_OSCILLATING);
	assert_near(v.onset_s, 150, 2);
	assert_near(v.before_mb_s, 1000, 20);
	assert_int_equal(v.drops[0].cause, CAUSE_SLC_CACHE);
	assert_near(v.drops[0].start_s, 90, 2);
	assert_int_equal(v.drops[1].cause, CAUSE_THERMAL);
	end();
}

static void heat_then_cache_end(void **state)
{
	(void)state;
	begin(OP_WRITE, 40);
	rows_load(&r, 60, 2000, 40, 78);
	cycles(5, 2000, 900);
	rows_load(&r, 200, 300, 72, 62);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_s, 60, 2);
	assert_int_equal(v.drops[0].cause, CAUSE_THERMAL);
	assert_int_equal(v.drops[v.n_drops - 1].cause, CAUSE_SLC_CACHE);
	/* The loss is the heat's, up to the end of the cache. */
	assert_true(v.loss_pct > 10 && v.loss_pct < 45);
	assert_true(v.spans[v.n_spans - 1].end_s < 320);
	end();
}

static void two_stages_have_both_temperatures(void **state)
{
	bool named = false;

	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 80, 3000, 45, 75);
	rows_load(&r, 70, 2200, 75, 79);
	rows_load(&r, 200, 900, 79, 77);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_s, 80, 2);
	assert_near(v.onset_c, 75, 1);
	for (size_t i = 0; i < v.evidence.n; i++)
		named = named || strstr(v.evidence.item[i].text, "79 °C");
	assert_true(named || v.drops[0].temp_c < v.drops[1].temp_c);
	end();
}

/* A few seconds near a standstill, then full speed again, at one temperature each time. */
static void short_deep_dips_are_heat(void **state)
{
	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 120, 3000, 45, 78);
	for (int i = 0; i < 8; i++) {
		rows_load(&r, 4, 40, 78, 75);
		rows_load(&r, 14 + i % 3, 3000, 75, 78);
	}
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_OSCILLATING);
	assert_near(v.onset_c, 78, 1);
	end();
}

/* The speed creeps down to hold the limit. */
static void a_slow_crawl_is_a_hold(void **state)
{
	(void)state;
	begin(OP_WRITE, 45);
	rows_load(&r, 90, 2000, 45, 78);
	for (int i = 0; i < 60; i++)
		rows_load(&r, 1, 2000 - 15 * i, 78, 78);
	rows_load(&r, 150, 1100, 78, 78);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_HOLD);
	assert_near(v.onset_s, 90, 6);
	assert_near(v.onset_c, 78, 1);
	end();
}

/* Hours at rest, then heat: nothing is diluted. */
static void late_heat_is_found(void **state)
{
	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 300, 3000, 45, 65);
	rows_load(&r, 7000, 3000, 65, 65);
	rows_load(&r, 200, 3000, 65, 78);
	cycles(6, 3000, 1200);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_s, 7500, 3);
	end();
}

static void gaps_and_torn_rows_do_not_matter(void **state)
{
	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 40, 3000, 45, 60);
	r.time_s += 25; /* suspended */
	rows_load(&r, 50, 3000, 60, 78);
	rows_load(&r, 200, 2000, 78, 77);
	/* The load stops in the middle of a second. */
	r.time_s -= 0.7;
	rows_add(&r, PHASE_LOAD, 200, 77);
	for (int i = 0; i < 60; i++)
		rows_add(&r, PHASE_COOLDOWN, 0, 77 - i / 3.0);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_s, 115, 2);
	assert_near(v.loss_pct, 33.3, 2);
	assert_int_equal(v.missed_samples, 25);
	end();
}

/* Readings every other row only, rows of 0.2 s, rows of 5 s: the same answer. */
static void row_spacing_does_not_matter(void **state)
{
	static const double spacing_s[] = {0.2, 0.5, 1, 2, 5};

	(void)state;
	for (size_t k = 0; k < sizeof(spacing_s) / sizeof(*spacing_s); k++) {
		int rows = (int)(1 / spacing_s[k] * 100);

		rows_begin(&r, OP_READ);
		r.run.interval_s = spacing_s[k];
		for (int i = 0; i < 4 * rows; i++) {
			double t = i * spacing_s[k];
			bool cut = t >= 150;

			rows_add(&r, PHASE_LOAD, cut ? 1800 : 3000,
				 i % 2 ? (double)NAN
				 : cut ? 77
				       : 40 + 38 * t / 150);
		}
		judge();
		if (v.throttled != TRI_TRUE || fabs(v.onset_s - 150) > fmax(3, 2 * spacing_s[k]) ||
		    fabs(v.loss_pct - 40) > 2)
			fail_msg("rows of %.1f s: %s", spacing_s[k], v.text);
		end();
	}
}

static void a_limit_seen_when_reading_counts_when_writing(void **state)
{
	(void)state;
	for (int leg = 0; leg < 2; leg++) {
		begin(OP_READ, 45);
		r.run.drive.limits.wctemp_c = NAN;
		if (leg) {
			rows_load(&r, 90, 3000, 45, 75);
			rows_load(&r, 200, 1900, 75, 74);
			for (int i = 0; i < 120; i++)
				rows_add(&r, PHASE_PAUSE, 0, 74 - i / 5.0);
		}
		r.run.load.op = OP_WRITE;
		rows_load(&r, 70, 2000, 50, 75);
		rows_load(&r, 200, 1000, 75, 73);
		judge();
		assert_int_equal(v.throttled, leg ? TRI_TRUE : TRI_NULL);
		assert_int_equal(v.drops[v.n_drops - 1].cause, leg ? CAUSE_THERMAL : CAUSE_UNKNOWN);
		end();
	}
}

/* The user paused it: two loads. The first is quiet, the second shows the heat. */
static void the_load_that_throttled_is_told_of(void **state)
{
	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 60, 3000, 45, 65);
	for (int i = 0; i < 30; i++)
		rows_add(&r, PHASE_PAUSE, 0, 65 - i / 3.0);
	rows_load(&r, 80, 3000, 55, 78);
	cycles(4, 3000, 1000);
	judge();
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.load_start_s, 150, 1);
	assert_near(v.onset_s, 80, 2);
	assert_near(v.onset_time_s, 230, 2);
	end();
}

static void resets_and_hosts_are_named(void **state)
{
	(void)state;
	begin(OP_READ, 45);
	rows_load(&r, 90, 3000, 45, 70);
	rows_load(&r, 1, 0, 70, 70);
	series_event(&r.run.series, EVENT_RESET, NAN, NULL);
	rows_load(&r, 6, 0, 70, 68);
	rows_load(&r, 150, 3000, 68, 71);
	judge();
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.drops[0].cause, CAUSE_RESET);
	end();

	begin(OP_READ, 45);
	r.next.queue_avg = 32;
	r.next.cpu_throttle_count = 5;
	rows_load(&r, 90, 3000, 45, 70);
	r.next.queue_avg = 18;
	r.next.cpu_throttle_count = 9;
	rows_load(&r, 150, 1700, 70, 68);
	judge();
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.drops[0].cause, CAUSE_HOST_CPU);
	end();

	begin(OP_READ, 45);
	r.next.foreign_bytes = 0;
	rows_load(&r, 90, 3000, 45, 70);
	r.next.foreign_bytes = 900e6;
	rows_load(&r, 150, 1900, 70, 71);
	judge();
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.drops[0].cause, CAUSE_BACKGROUND);
	end();
}

static void the_heatsink_answer_follows_the_table(void **state)
{
	(void)state;
	/* Much lost. */
	begin(OP_READ, 45);
	rows_load(&r, 90, 3000, 45, 78);
	rows_load(&r, 200, 2000, 78, 77);
	judge();
	assert_int_equal(v.heatsink_needed, TRI_TRUE);
	assert_true(isnan(v.heatsink_steady_c) && isnan(v.resistance_cut_pct));
	end();
	/* Idle as hot as the limit: air first. */
	begin(OP_READ, 72);
	rows_load(&r, 20, 1500, 72, 78);
	rows_load(&r, 200, 750, 78, 77);
	judge();
	assert_int_equal(v.heatsink_needed, TRI_TRUE);
	assert_non_null(strstr(v.heatsink_text, "airflow first"));
	end();
	/* Settled far below. */
	begin(OP_READ, 40);
	rows_load(&r, 100, 3000, 40, 60);
	rows_load(&r, 200, 3000, 60, 60);
	judge();
	assert_int_equal(v.heatsink_needed, TRI_FALSE);
	assert_non_null(strstr(v.heatsink_text, "well below"));
	end();
	/* Still rising: open, and what to run instead. */
	begin(OP_READ, 40);
	rows_load(&r, 100, 3000, 40, 60);
	judge();
	assert_int_equal(v.heatsink_needed, TRI_NULL);
	assert_non_null(strstr(v.heatsink_text, "10 min"));
	end();
	/* No limit known. */
	begin(OP_READ, 40);
	r.run.drive.limits.wctemp_c = NAN;
	rows_load(&r, 100, 3000, 40, 60);
	rows_load(&r, 100, 3000, 60, 60);
	judge();
	assert_int_equal(v.heatsink_needed, TRI_NULL);
	end();
}

static void short_loads_claim_nothing_of_their_speed(void **state)
{
	(void)state;
	begin(OP_READ, 40);
	rows_load(&r, 5, 3000, 45, 50);
	rows_load(&r, 6, 0, 50, 50);
	judge();
	assert_int_not_equal(v.throttled, TRI_TRUE);
	assert_true(v.certainty <= CERTAINTY_POSSIBLE);
	assert_int_equal(v.evidence.n, 1);
	assert_string_equal(v.evidence.item[0].rule, "too-short");
	end();
}

static void failed_requests_are_warned_of(void **state)
{
	bool warned = false;

	(void)state;
	begin(OP_READ, 40);
	rows_load(&r, 30, 3000, 45, 50);
	series_event(&r.run.series, EVENT_IO_ERROR, 24, NULL);
	rows_load(&r, 30, 3000, 50, 55);
	series_event(&r.run.series, EVENT_IO_ERROR, 3, NULL);
	judge();
	for (size_t i = 0; i < v.n_warnings; i++)
		warned |= strncmp(v.warnings[i], "27 requests failed", 18) == 0;
	assert_true(warned);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(cache_end_then_heat),
	    cmocka_unit_test(heat_then_cache_end),
	    cmocka_unit_test(two_stages_have_both_temperatures),
	    cmocka_unit_test(short_deep_dips_are_heat),
	    cmocka_unit_test(a_slow_crawl_is_a_hold),
	    cmocka_unit_test(late_heat_is_found),
	    cmocka_unit_test(gaps_and_torn_rows_do_not_matter),
	    cmocka_unit_test(row_spacing_does_not_matter),
	    cmocka_unit_test(a_limit_seen_when_reading_counts_when_writing),
	    cmocka_unit_test(the_load_that_throttled_is_told_of),
	    cmocka_unit_test(resets_and_hosts_are_named),
	    cmocka_unit_test(the_heatsink_answer_follows_the_table),
	    cmocka_unit_test(short_loads_claim_nothing_of_their_speed),
	    cmocka_unit_test(failed_requests_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
