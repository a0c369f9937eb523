/*
 * Public reports of what drives did, as small logs of our own, each with its whole answer. The
 * numbers are the reports' where they gave some; the rest is constructed to fit. (1 to 30 count
 * the reports; those that say nothing which a log could hold have no number here.)
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "answers.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* lm-sensors#511 (Phison E16) and acidanthera/bugtracker#2272: 31, 37, 42 and about 50 °C. */
static double polled_c(int i)
{
	static const double at_s[] = {0, 60, 120, 600}, temp_c[] = {30.9, 36.9, 41.9, 50};
	int k = i < 60 ? 0 : i < 120 ? 1 : 2;

	return temp_c[k] + (i - at_s[k]) / (at_s[k + 1] - at_s[k]) * (temp_c[k + 1] - temp_c[k]);
}

static void polled_idle(struct rows *r)
{
	rows_begin(r, OP_NONE);
	for (int i = 0; i < 600; i++)
		rows_add(r, PHASE_LOAD, 0, polled_c(i));
}

static void polled_baseline(struct rows *r)
{
	rows_begin(r, OP_READ);
	for (int i = 0; i < 120; i++)
		rows_add(r, PHASE_BASELINE, 0, polled_c(i));
	rows_load(r, 200, 3000, 42, 62);
}

static void composite_glitch(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->next.sensor_c[0] = 33;
	r->next.sensor_c[1] = 39;
	rows_load(r, 100, 3000, 31, 31);
	rows_load(r, 2, 3000, 83, 83);
	rows_load(r, 100, 3000, 31, 31);
	rows_load(r, 60, 3000, 32, 32);
}

static void stuck(struct rows *r, enum op op)
{
	rows_begin(r, op);
	r->run.drive.limits.wctemp_c = 82;
	r->next.critical_warning = 2;
	r->next.sensor_c[0] = 84;
	r->next.sensor_c[1] = 40;
}

static void stuck_idle(struct rows *r)
{
	stuck(r, OP_NONE);
	rows_load(r, 120, 0, 84, 84);
}

static void stuck_under_load(struct rows *r)
{
	stuck(r, OP_READ);
	rows_idle(r, 84);
	for (int i = 0; i < 60; i++) {
		r->next.sensor_c[1] = 40 + i / 8;
		rows_load(r, 1, 3000, 84, 84);
	}
}

/* After the reboot: 36, 36 and 25 °C. */
static void unstuck(struct rows *r)
{
	stuck(r, OP_NONE);
	r->next.critical_warning = 0;
	r->next.sensor_c[0] = 36;
	r->next.sensor_c[1] = 25;
	rows_load(r, 120, 0, 36, 36);
}

static void frozen(struct rows *r, int counting)
{
	rows_begin(r, OP_WRITE);
	r->next.tmt1_count = 4;
	r->next.tmt1_s = 100;
	r->next.warning_min = 1;
	rows_load(r, 150, 500, 40, 40);
	r->next.tmt1_count += counting;
	r->next.tmt1_s += counting;
	rows_load(r, 150, 200, 40, 40);
}

static void frozen_counting(struct rows *r)
{
	frozen(r, 1);
}

static void frozen_silent(struct rows *r)
{
	frozen(r, 0);
}

/* 5 to 10 s of stalls, sensor 2 at 80 °C after two minutes and 90 later, composite 45 to 50. */
static void stalls(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->next.tmt1_count = r->next.tmt2_count = 0;
	r->next.warning_min = r->next.critical_min = 0;
	for (int i = 0; i < 600; i++) {
		bool stalled = i > 150 && i % 83 < 5 + i / 83 % 6;

		r->next.sensor_c[1] = round(90 - 53 * exp(-i / 60.0));
		rows_add(r, PHASE_LOAD, stalled ? 0 : 900, 50 - 13 * exp(-i / 60.0));
	}
}

static void alarm_at_36(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->run.drive.limits = (struct thermal_limits){62, 72, NAN, NAN};
	r->next.critical_warning = 2;
	rows_load(r, 200, 2300, 34, 37);
}

static void host_limits(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits = (struct thermal_limits){82, 85, 75, 79};
	r->next.tmt1_count = 39044;
	r->next.tmt2_count = 34349;
	r->next.tmt1_s = 211565;
	r->next.tmt2_s = 51466;
	r->next.warning_min = 0;
	rows_idle(r, 60);
	rows_load(r, 40, 900, 60, 75);
	for (int i = 0; i < 100; i++) {
		r->next.tmt1_count += i % 10 == 0;
		r->next.tmt1_s += 1;
		rows_load(r, 1, 500, 75, 75);
	}
}

static void minutes_above(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->run.drive.limits.wctemp_c = 80;
	r->next.tmt1_count = r->next.tmt1_s = 0;
	r->next.warning_min = 53;
	rows_load(r, 120, 2400, 60, 82);
	r->next.warning_min = 54;
	rows_load(r, 120, 2400, 82, 83);
}

static void equal_dumps(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->next.tmt1_count = 3;
	r->next.tmt2_count = 1;
	r->next.tmt1_s = 584;
	r->next.tmt2_s = 180;
	rows_load(r, 200, 3000, 45, 60);
}

/* 718 transitions; 193 MiB/s are 202 MB/s. */
static void counted_behind_a_slow_host(struct rows *r)
{
	rows_begin(r, OP_READ);
	r->next.tmt1_count = 0;
	rows_load(r, 60, 202, 50, 65);
	for (int i = 0; i < 239; i++) {
		r->next.tmt1_count += 3;
		rows_load(r, 1, 202, 65, 65);
	}
	r->next.tmt1_count += 1;
	rows_load(r, 1, 202, 65, 65);
}

/* A quarter of the drive is written at full speed, then less; cooled or not. */
static void write_cache(struct rows *r, double idle_c, double end_c, double last_c)
{
	r->run.load.op = OP_WRITE;
	rows_load(r, 60, 1500, idle_c, end_c);
	rows_load(r, 200, 450, end_c, last_c);
}

static void cache_bare(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits.wctemp_c = 75;
	rows_idle(r, 40);
	write_cache(r, 40, 66, 60);
}

static void cache_with_fan(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits.wctemp_c = 75;
	rows_idle(r, 30);
	write_cache(r, 30, 42, 40);
}

static void cache_bare_then_fan(struct rows *r)
{
	cache_bare(r);
	for (int i = 0; i < 120; i++)
		rows_add(r, PHASE_PAUSE, 0, 60 - i / 4.0);
	series_event(&r->run.series, EVENT_MARK, NAN, "fan on");
	write_cache(r, 30, 42, 40);
}

static void shuts_down(struct rows *r, enum op op, int after_s)
{
	rows_begin(r, op);
	rows_idle(r, 50);
	rows_load(r, after_s, 10000, 50, 87.4);
	for (int i = 0; i < 5; i++)
		rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
	series_event(&r->run.series, EVENT_END, NAN, END_LOST);
}

static void shuts_down_writing(struct rows *r)
{
	shuts_down(r, OP_WRITE, 55);
}

static void shuts_down_reading(struct rows *r)
{
	shuts_down(r, OP_READ, 86);
}

/* smartctl's JSON has no HCTM counters: the columns are not there, which is not a 0. */
static void counters_left_out(struct rows *r)
{
	frozen(r, 1);
	for (enum field f = FIELD_TMT1_COUNT; f <= FIELD_TMT2_S; f++) {
		free(r->run.series.col[f]);
		r->run.series.col[f] = NULL;
	}
}

static void zero_kelvin_at_times(struct rows *r)
{
	rows_begin(r, OP_READ);
	rows_load(r, 50, 3000, 40, 50);
	rows_load(r, 10, 3000, -273, -273);
	rows_load(r, 140, 3000, 50, 55);
}

static void zero_kelvin_always(struct rows *r)
{
	rows_begin(r, OP_READ);
	rows_load(r, 100, 3000, -273, -273);
	rows_load(r, 100, 1000, -273, -273);
}

static void warm_and_even(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits.wctemp_c = 80;
	rows_idle(r, 58);
	rows_load(r, 200, 1500, 64, 73);
	rows_load(r, 200, 1500, 73, 72);
}

static void heated_by_the_cpu(struct rows *r)
{
	rows_begin(r, OP_NONE);
	rows_load(r, 600, 0.2, 49, 67);
}

/* 590k and 50k requests of 4 KiB. */
static void late_collapse(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	rows_load(r, 45, 2416, NAN, NAN);
	rows_load(r, 15, 205, NAN, NAN);
}

static void narrow_link(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits.wctemp_c = 85;
	r->next.link_gt_s = 2.5;
	r->next.link_width = 4;
	for (int i = 0; i < 600; i++)
		rows_add(r, PHASE_LOAD, 800, 78 + (i / 20) % 2);
}

/* The link is wide enough: what else it can be is named. */
static void shared_bus(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	r->run.drive.limits.wctemp_c = 85;
	r->next.link_gt_s = 8;
	r->next.link_width = 4;
	for (int i = 0; i < 600; i++)
		rows_add(r, PHASE_LOAD, 600, 78 + (i / 20) % 2);
}

/* 400 GB at 300 MB/s on average: even, or first as fast as was hoped for. */
static void copied_evenly(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	rows_load(r, 1333, 300, NAN, NAN);
}

static void copied_fast_at_first(struct rows *r)
{
	rows_begin(r, OP_WRITE);
	rows_load(r, 100, 800, NAN, NAN);
	rows_load(r, 1233, 260, NAN, NAN);
}

#define NONE NAN, NAN, NAN

static struct answer_case cases[] = {
    {"1: polling heats an idle drive",
     polled_idle,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 50, false, "idle", NULL,
      "polling itself can heat", NULL}},
    {"1: polling heats a drive before the load",
     polled_baseline,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 62, false, "No throttling", NULL,
      "polling itself can heat", NULL}},
    {"2: two readings of 83 °C amid 31",
     composite_glitch,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 32, false, "up to 32 °C", NULL,
      "2 readings jumped", NULL}},
    {"3: idle, stuck at 84 °C, sensor 2 at 40",
     stuck_idle,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 40, false, "idle", NULL,
      "84 °C while another sensor is far cooler: not trusted", "judged by sensor 2"}},
    {"3: the same under load",
     stuck_under_load,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 47, false, "up to 47 °C", NULL,
      "84 °C while another sensor is far cooler: not trusted", "judged by sensor 2"}},
    {"3: the same after a reboot",
     unstuck,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 36, false, "idle", NULL, NULL, NULL}},
    {"5: composite frozen at 40 °C, TMT1 counts",
     frozen_counting,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 150, NAN, 60, 40, true,
      "Throttles at an unknown temperature after 2 min 30 s of load", "TMT1: 1 more",
      "never moved from 40 °C", NULL}},
    {"5: composite frozen at 40 °C, nothing counts",
     frozen_silent,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, 40, true, "Cannot tell",
      "no usable temperature", "never moved from 40 °C", NULL}},
    {"6: stalls, sensor 2 at 90 °C, counters stand",
     stalls,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "background", NONE, 50, false, "No throttling", NULL,
      NULL, NULL}},
    {"7: an alarm at 36 °C, WCTEMP 62",
     alarm_at_36,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 37, false, "No throttling", NULL,
      "alarm at 37 °C, below its WCTEMP of 62 °C: no sign of overheating", NULL}},
    {"9: TMT1 set to 75 °C counts, WCTEMP 82",
     host_limits,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 40, 75, 44, 75, false,
      "Throttles at 75 °C, TMT1 set by the host to 75 °C, after 40 s",
      "TMT1, set by the host to 75 °C: 10 more transitions, 100 s more", NULL, NULL}},
    {"10: a minute more above WCTEMP, TMT off",
     minutes_above,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 83, false, "No throttling",
      "1 min more at or above WCTEMP", NULL, NULL}},
    {"11: equal counters in both dumps",
     equal_dumps,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 60, false, "No throttling", NULL, NULL,
      NULL}},
    {"13: 718 transitions behind a slow host",
     counted_behind_a_slow_host,
     {TRI_TRUE, CLASS_REPORTED, CERTAINTY_CONFIRMED, "", NAN, NAN, 0, 65, false,
      "recorded throttling by itself, but no loss", "TMT1: 718 more", NULL, NULL}},
    {"14: a write drop, bare",
     cache_bare,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, 66, false, "Cannot tell",
      "a full cache looks like it", NULL, NULL}},
    {"14: the same drop with a fan",
     cache_with_fan,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "slc-cache", NONE, 42, false,
      "The write cache ended after 90 GB", NULL, NULL, NULL}},
    {"14: both in one log: it came at the same byte",
     cache_bare_then_fan,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "slc-cache", NONE, 66, false,
      "The write cache ended after 90 GB", "after as many bytes", NULL, NULL}},
    {"18: gone after 55 s of writing",
     shuts_down_writing,
     {TRI_TRUE, CLASS_SHUTDOWN, CERTAINTY_LIKELY, "stop", 55, 87, NAN, 87, false,
      "The drive shut down at 87 °C after", "its highest temperature", NULL, NULL}},
    {"18: gone after 86 s of reading",
     shuts_down_reading,
     {TRI_TRUE, CLASS_SHUTDOWN, CERTAINTY_LIKELY, "stop", 86, 87, NAN, 87, false,
      "The drive shut down at 87 °C after", "its highest temperature", NULL, NULL}},
    {"21: counters left out are not counters at 0",
     counters_left_out,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, 40, true, "Cannot tell",
      "no usable temperature", "never moved from 40 °C", NULL}},
    {"23: 0 K at times",
     zero_kelvin_at_times,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 55, false, "up to 55 °C", NULL,
      "10 readings are no temperature", NULL}},
    {"23: 0 K always",
     zero_kelvin_always,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, NAN, true, "Cannot tell",
      "no usable temperature", "200 readings are no temperature", "no temperature in this log"}},
    {"24: 64 to 73 °C, WCTEMP 80",
     warm_and_even,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 73, false, "up to 73 °C", NULL, NULL,
      NULL}},
    {"26: heated from outside",
     heated_by_the_cpu,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 67, false, "idle", NULL,
      "heat comes from outside", NULL}},
    {"28: a collapse without a temperature",
     late_collapse,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, NAN, true, "Cannot tell",
      "no usable temperature", "no temperature in this log", NULL}},
    {"29: even and at 78 °C, at what a narrow link carries",
     narrow_link,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 79, false, "No throttling", NULL,
      "the PCIe link (2.5 GT/s x 4)", NULL}},
    {"29: even at 600 MB/s and 78 °C, the link wider",
     shared_bus,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 79, false, "No throttling", NULL,
      "shared bus", NULL}},
    {"30: a slow copy without a temperature",
     copied_evenly,
     {TRI_NULL, CLASS_NONE, CERTAINTY_UNKNOWN, "", NONE, NAN, true, "Cannot tell", NULL,
      "no temperature in this log", NULL}},
    {"30: a copy that got slow, without a temperature",
     copied_fast_at_first,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, NAN, true, "Cannot tell",
      "no usable temperature", "no temperature in this log", NULL}},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(cases)];

	answer_tests(cases, COUNT(cases), tests);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
