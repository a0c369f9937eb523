/* The spacing of rows, what other loads teach, and causes in the host. */
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
	    cmocka_unit_test(row_spacing_does_not_matter),
	    cmocka_unit_test(a_limit_seen_when_reading_counts_when_writing),
	    cmocka_unit_test(resets_and_hosts_are_named),
	    cmocka_unit_test(short_loads_claim_nothing_of_their_speed),
	    cmocka_unit_test(failed_requests_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
