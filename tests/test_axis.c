/* Ticks of the picture's axes. */
#include "cmocka_all.h"

#include <math.h>
#include <stdint.h>

#include "draw/scene/axis.h"

static bool is_round(double step)
{
	double m = step / pow(10, floor(log10(step) + 1e-9));

	return fabs(m - 1) < 1e-9 || fabs(m - 2) < 1e-9 || fabs(m - 5) < 1e-9;
}

static void ticks_are_round(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double low, high;
		struct axis a;
		int most;

		seed = seed * 1664525U + 1013904223U;
		high = pow(10, (double)(seed >> 8) / 16777216.0 * 12 - 5);
		low = i % 2 ? 0 : -high * (i % 7) / 5.0;
		most = 2 + i % 12;
		a = axis_number(low, high, i % 3, most);
		assert_true(is_round(a.ticks.step));
		assert_true(a.ticks.n >= 1 && a.ticks.n <= most + 2);
		assert_true(a.low <= low + 1e-9 * high && a.high >= high * (1 - 1e-9));
		for (int k = 0; k < a.ticks.n; k++) {
			double v = tick_value(&a.ticks, k), n = v / a.ticks.step;

			assert_true(fabs(n - round(n)) < 1e-6);
			assert_true(v >= a.low - 1e-9 * high && v <= a.high * (1 + 1e-9));
		}
	}
}

static void time_ticks_are_those_of_a_clock(void **state)
{
	static const double steps[] = {0.1,  0.2,   0.5,   1,     2,     5,      10,    15,
				       30,   60,    120,   300,   600,   900,    1800,  3600,
				       7200, 10800, 21600, 43200, 86400, 172800, 604800};

	(void)state;
	for (double length = 1; length < 3e6; length *= 1.7) {
		struct axis a = axis_time(-60, length, 12);
		bool known = false;

		for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++)
			known |= a.ticks.step == steps[k];
		assert_true(known && a.ticks.n <= 13 && a.ticks.n >= 1);
	}
}

static void an_age_has_few_ticks(void **state)
{
	struct axis a = axis_time(0, 1e15, 12);

	(void)state;
	assert_true(a.ticks.n >= 1 && a.ticks.n <= 13);
}

static void labels_read_well(void **state)
{
	struct axis a = axis_time(-60, 780, 14), day = axis_time(0, 86400, 14);
	struct axis c = axis_number(-20, 10, true, 8), tiny = axis_number(0, 0.04, true, 8);
	char buf[32];

	(void)state;
	axis_label(&a, -60, buf, sizeof(buf));
	assert_string_equal(buf, "\xe2\x88\x92"
				 "1:00");
	axis_label(&a, 150, buf, sizeof(buf));
	assert_string_equal(buf, "2:30");
	axis_label(&day, 7200, buf, sizeof(buf));
	assert_string_equal(buf, "2:00");
	axis_label(&c, -15, buf, sizeof(buf));
	assert_string_equal(buf, "\xe2\x88\x92"
				 "15");
	axis_label(&tiny, 0.025, buf, sizeof(buf));
	assert_string_equal(buf, "0.025");
	clock_text(3752, buf, sizeof(buf));
	assert_string_equal(buf, "1:02:32");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ticks_are_round),
	    cmocka_unit_test(time_ticks_are_those_of_a_clock),
	    cmocka_unit_test(an_age_has_few_ticks),
	    cmocka_unit_test(labels_read_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
