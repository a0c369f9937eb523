/*
 * Public reports as small logs of our own, each with its right answer. The reports are named by
 * project and number; the numbers are theirs where they gave some.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "rows.h"

static struct rows r;
static struct verdict v;

#define assert_near(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

static bool is_warned(const char *word)
{
	for (size_t i = 0; i < v.n_warnings; i++)
		if (strstr(v.warnings[i], word))
			return true;
	return false;
}

static bool is_evidence(const char *word)
{
	for (size_t i = 0; i < v.evidence.n; i++)
		if (strstr(v.evidence.item[i].text, word))
			return true;
	return false;
}

/* lm-sensors#511, acidanthera#2272: polling once a second heats an idle drive, 31 to 50 °C. */
static void polling_heats_an_idle_drive(void **state)
{
	static const double at_s[] = {0, 60, 120, 600}, temp_c[] = {30.9, 36.9, 41.9, 50};

	(void)state;
	rows_begin(&r, OP_NONE);
	for (int i = 0; i < 600; i++) {
		int k = i < 60 ? 0 : i < 120 ? 1 : 2;
		double f = (i - at_s[k]) / (at_s[k + 1] - at_s[k]);

		rows_add(&r, PHASE_LOAD, 0, temp_c[k] + f * (temp_c[k + 1] - temp_c[k]));
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_warned("polling itself"));
	rows_end(&r, &v);
	/* The same in the baseline before a load. */
	rows_begin(&r, OP_READ);
	for (int i = 0; i < 60; i++)
		rows_add(&r, PHASE_BASELINE, 0, 31 + 0.1 * i);
	rows_load(&r, 200, 3000, 40, 60);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_warned("polling itself"));
	rows_end(&r, &v);
}

/* lm-sensors#427 (Samsung 980): 31, 31, 83, 83, 31 while the sensors stay below 40. */
static void a_glitch_is_no_temperature(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.sensor_c[0] = 33;
	r.next.sensor_c[1] = 39;
	rows_load(&r, 100, 3000, 31, 31);
	rows_load(&r, 2, 3000, 83, 83);
	rows_load(&r, 100, 3000, 31, 31);
	rows_load(&r, 60, 3000, 32, 32);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_near(v.max_c, 32, 0.1);
	assert_true(is_warned("2 readings jumped"));
	rows_end(&r, &v);
}

/* smartmontools#637 (Samsung 980): idle, composite and sensor 1 stuck at 84, sensor 2 at 40 °C. */
static void a_stuck_reading_is_not_trusted(void **state)
{
	(void)state;
	rows_begin(&r, OP_NONE);
	r.run.drive.limits.wctemp_c = 82;
	r.next.critical_warning = 2;
	r.next.sensor_c[0] = 84;
	r.next.sensor_c[1] = 40;
	rows_load(&r, 120, 0, 84, 84);
	rows_judge(&r, &v);
	assert_int_not_equal(v.throttled, TRI_TRUE);
	assert_false(v.temp_trusted && v.max_c > 80);
	assert_true(is_warned("not trusted") || is_warned("not usable"));
	rows_end(&r, &v);
}

/* smartmontools#633 (SM2263): constant 313 K, yet TMT1 counts: heat, at an unknown temperature. */
static void counters_speak_for_a_frozen_composite(void **state)
{
	(void)state;
	for (int counting = 0; counting < 2; counting++) {
		rows_begin(&r, OP_WRITE);
		r.next.tmt1_count = 4;
		r.next.warning_min = 1;
		rows_load(&r, 150, 500, 40, 40);
		r.next.tmt1_count += counting;
		rows_load(&r, 150, 200, 40, 40);
		rows_judge(&r, &v);
		assert_int_equal(v.throttled, counting ? TRI_TRUE : TRI_NULL);
		assert_true(isnan(v.onset_c));
		assert_true(is_warned("never moved"));
		rows_end(&r, &v);
	}
}

/* openzfs#7543: 5 to 10 s write stalls, sensor 2 near 90, composite 50; counters stand still. */
static void stalls_at_a_hot_sensor_are_not_heat(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	r.next.tmt1_count = r.next.tmt2_count = 0;
	r.next.warning_min = r.next.critical_min = 0;
	for (int i = 0; i < 600; i++) {
		bool stalled = i > 150 && (i * 7 % 97) < 7;

		r.next.sensor_c[1] = round(90 - 50 * exp(-i / 60.0));
		rows_add(&r, PHASE_LOAD, stalled ? 0 : 900, 50 - 13 * exp(-i / 60.0));
	}
	rows_judge(&r, &v);
	assert_int_not_equal(v.throttled, TRI_TRUE);
	assert_string_equal(v.hottest_sensor, "sensor2");
	rows_end(&r, &v);
}

/* linuxhw TS128GMTE850: an alarm at 36 °C, WCTEMP 62. */
static void an_alarm_alone_is_not_overheating(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.run.drive.limits.wctemp_c = 62;
	r.next.critical_warning = 2;
	rows_load(&r, 200, 2300, 34, 37);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_warned("no sign of overheating"));
	rows_end(&r, &v);
}

/* nvmetools, Toshiba BG3: TMT1 75 °C set by the host, transitions counted, warning time 0. */
static void the_hosts_own_limit_is_named(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	r.run.drive.limits = (struct thermal_limits){82, 85, 75, 79};
	r.next.tmt1_count = 39044;
	r.next.tmt1_s = 211565;
	r.next.warning_min = 0;
	rows_idle(&r, 60);
	rows_load(&r, 40, 900, 60, 75);
	for (int i = 0; i < 100; i++) {
		r.next.tmt1_count += i % 10 == 0;
		r.next.tmt1_s += 1;
		rows_load(&r, 1, 500, 75, 75);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.certainty, CERTAINTY_CONFIRMED);
	assert_near(v.onset_c, 75, 1);
	assert_true(is_evidence("set by the host to 75 °C"));
	assert_true(is_evidence("TMT1"));
	rows_end(&r, &v);
}

/* nvmetools, WD SN550: warning time is minutes; TMT off and at 0 proves nothing. */
static void warning_minutes_are_no_throttling(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.run.drive.limits.wctemp_c = 80;
	r.next.tmt1_count = r.next.tmt1_s = 0;
	r.next.warning_min = 53;
	rows_load(&r, 120, 2400, 60, 82);
	r.next.warning_min = 54;
	rows_load(&r, 120, 2400, 82, 83);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_evidence("1 min more at or above WCTEMP"));
	rows_end(&r, &v);
}

/* WD SN730: two dumps 551 h apart, the same counters: only growth counts. */
static void equal_counters_are_not_throttling(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.tmt1_count = 3;
	r.next.tmt2_count = 1;
	r.next.tmt1_s = 584;
	r.next.tmt2_s = 180;
	rows_load(&r, 200, 3000, 45, 60);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_false(is_evidence("TMT"));
	rows_end(&r, &v);
}

/* PM991a: 718 TMT1 transitions while the host link caps it at 193 MiB/s: no point to be made up. */
static void recorded_throttling_without_loss(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	r.next.tmt1_count = 0;
	rows_load(&r, 60, 202, 50, 65);
	for (int i = 0; i < 240; i++) {
		r.next.tmt1_count += 3;
		rows_load(&r, 1, 202, 65, 65);
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_int_equal(v.klass, CLASS_REPORTED);
	assert_true(isnan(v.onset_s) && isnan(v.onset_c));
	assert_int_equal(v.n_spans, 0);
	rows_end(&r, &v);
}

/* TechPowerUp, Phoronix, Corsair MP700: gone after 86 s of reading, about 87 °C. */
static void a_drive_that_shuts_down(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	rows_idle(&r, 50);
	rows_load(&r, 86, 10000, 50, 87.4);
	for (int i = 0; i < 5; i++)
		rows_add(&r, PHASE_LOAD, 0, NAN);
	series_event(&r.run.series, EVENT_LOST, NAN, NULL);
	rows_judge(&r, &v);
	assert_int_equal(v.klass, CLASS_SHUTDOWN);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_c, 87, 1);
	assert_near(v.onset_s, 86, 6);
	rows_end(&r, &v);
}

/* nvmetool-win-powershell#2 (970 EVO Plus): -273 is 0 K, which is no reading. */
static void zero_kelvin_is_no_reading(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	rows_load(&r, 50, 3000, 40, 50);
	rows_load(&r, 10, 3000, -273, -273);
	rows_load(&r, 140, 3000, 50, 55);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_warned("10 readings are no temperature"));
	assert_near(v.max_c, 55, 1);
	rows_end(&r, &v);
	/* Cloud drives: composite 0 K all the time. */
	rows_begin(&r, OP_READ);
	rows_load(&r, 100, 3000, -273, -273);
	rows_load(&r, 100, 1000, -273, -273);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_NULL);
	rows_end(&r, &v);
}

/* Home-lab alert limits of 65 °C: flat throughput at 64 to 73 °C is healthy, WCTEMP 80. */
static void warm_and_steady_is_healthy(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	r.run.drive.limits.wctemp_c = 80;
	rows_load(&r, 200, 1500, 64, 73);
	rows_load(&r, 200, 1500, 73, 72);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_int_equal(v.heatsink_needed, TRI_FALSE);
	rows_end(&r, &v);
}

/* hwinfo_plotter: a SATA drive at 49 to 67 °C during a CPU stress test, almost no I/O. */
static void heat_from_outside(void **state)
{
	(void)state;
	rows_begin(&r, OP_NONE);
	rows_load(&r, 600, 0.2, 49, 67);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(is_warned("from outside"));
	rows_end(&r, &v);
}

/* fio#1849: 590k to 50k IOPS in the last 15 s of a minute, no temperature. */
static void no_temperature_no_cause(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	rows_load(&r, 45, 2416, NAN, NAN);
	rows_load(&r, 15, 205, NAN, NAN);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_NULL);
	assert_int_equal(v.klass, CLASS_UNATTRIBUTED);
	assert_near(v.drops[0].start_s, 45, 1);
	rows_end(&r, &v);
}

/* nwipe#415: two 970 EVO at 78 °C, 600 MB/s from the start: low but even. */
static void slow_from_the_start_is_no_throttle_point(void **state)
{
	(void)state;
	rows_begin(&r, OP_WRITE);
	r.run.drive.limits.wctemp_c = 85;
	for (int i = 0; i < 600; i++)
		rows_add(&r, PHASE_LOAD, 600, 78 + (i / 20) % 2);
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_FALSE);
	assert_true(isnan(v.onset_s));
	rows_end(&r, &v);
}

/* A sensor that gets hot explains cuts that the composite, far cooler, does not. */
static void a_hotter_sensor_that_fits_is_named(void **state)
{
	static const int low_s[] = {12, 14, 17, 19, 22};

	(void)state;
	rows_begin(&r, OP_WRITE);
	rows_idle(&r, 40);
	for (int i = 0; i < 80; i++) {
		r.next.sensor_c[1] = round(45 + 45.0 * i / 80);
		rows_add(&r, PHASE_LOAD, 2000, 40 + 0.1 * (i % 20));
	}
	for (int k = 0; k < 5; k++) {
		for (int i = 0; i < low_s[k]; i++) {
			r.next.sensor_c[1] = round(90 - 4.0 * i / low_s[k]);
			rows_add(&r, PHASE_LOAD, 500, 42 - k % 3);
		}
		for (int i = 0; i < 30 - 3 * k; i++) {
			r.next.sensor_c[1] = round(86 + 4.0 * i / (30 - 3 * k));
			rows_add(&r, PHASE_LOAD, 2000, 41 + k % 2);
		}
	}
	rows_judge(&r, &v);
	assert_int_equal(v.throttled, TRI_TRUE);
	assert_near(v.onset_c, 90, 1.5);
	assert_true(is_warned("sensor 2"));
	rows_end(&r, &v);
}

/* A drive that renews its reading every 5 s. */
static void a_slow_sensor_is_reported(void **state)
{
	(void)state;
	rows_begin(&r, OP_READ);
	for (int i = 0; i < 300; i++)
		rows_add(&r, PHASE_LOAD, 3000, 40 + 35 * (1 - exp(-(i / 5 * 5) / 80.0)));
	rows_judge(&r, &v);
	assert_near(v.resolution_s, 5, 0.1);
	assert_true(is_warned("every 5 s"));
	rows_end(&r, &v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(polling_heats_an_idle_drive),
	    cmocka_unit_test(a_glitch_is_no_temperature),
	    cmocka_unit_test(a_stuck_reading_is_not_trusted),
	    cmocka_unit_test(counters_speak_for_a_frozen_composite),
	    cmocka_unit_test(stalls_at_a_hot_sensor_are_not_heat),
	    cmocka_unit_test(an_alarm_alone_is_not_overheating),
	    cmocka_unit_test(the_hosts_own_limit_is_named),
	    cmocka_unit_test(warning_minutes_are_no_throttling),
	    cmocka_unit_test(equal_counters_are_not_throttling),
	    cmocka_unit_test(recorded_throttling_without_loss),
	    cmocka_unit_test(a_drive_that_shuts_down),
	    cmocka_unit_test(zero_kelvin_is_no_reading),
	    cmocka_unit_test(warm_and_steady_is_healthy),
	    cmocka_unit_test(heat_from_outside),
	    cmocka_unit_test(no_temperature_no_cause),
	    cmocka_unit_test(slow_from_the_start_is_no_throttle_point),
	    cmocka_unit_test(a_hotter_sensor_that_fits_is_named),
	    cmocka_unit_test(a_slow_sensor_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
