/*
 * Several causes in one run, in their order, and throttling of every manner: each log with its
 * whole answer.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "answers.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void begin(struct rows *r, enum op op, double idle_c)
{
	rows_begin(r, op);
	r->run.drive.limits.wctemp_c = 78;
	rows_idle(r, idle_c);
}

/* On and off at 78 °C, longer to cool each time. */
static void cycles(struct rows *r, int n, double fast, double slow)
{
	for (int i = 0; i < n; i++) {
		rows_load(r, 12 + 2 * i, slow, 78, 74);
		rows_load(r, 24 - 2 * i, fast, 74, 78);
	}
}

static void cool_down(struct rows *r, double from_c)
{
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_COOLDOWN, 0, from_c - i / 3.0);
}

static void cache_end_then_heat(struct rows *r)
{
	begin(r, OP_WRITE, 40);
	rows_load(r, 30, 2000, 40, 52);
	rows_load(r, 120, 1000, 52, 78);
	cycles(r, 5, 1000, 300);
}

/* Two seconds apart: the first of the two is the cache's end. */
static void cache_end_just_before_heat(struct rows *r)
{
	begin(r, OP_WRITE, 70);
	r->run.drive.limits.wctemp_c = 80;
	rows_load(r, 18, 900, 71, 79);
	rows_load(r, 3, 400, 79, 80);
	rows_load(r, 200, 190, 80, 78);
}

static void heat_then_cache_end(struct rows *r)
{
	begin(r, OP_WRITE, 40);
	rows_load(r, 60, 2000, 40, 78);
	cycles(r, 5, 2000, 900);
	rows_load(r, 200, 300, 72, 62);
}

static void cache_heat_cache(struct rows *r)
{
	begin(r, OP_WRITE, 40);
	rows_load(r, 30, 3000, 40, 55);
	rows_load(r, 60, 2000, 55, 78);
	cycles(r, 5, 2000, 900);
	rows_load(r, 200, 300, 72, 60);
}

static void two_stages(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 80, 3000, 45, 75);
	rows_load(r, 70, 2200, 75, 79);
	rows_load(r, 200, 900, 79, 62);
}

/* TMT1 throttles lightly, TMT2 heavily. */
static void two_stages_by_the_host(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	r->run.drive.limits.wctemp_c = 84;
	r->run.drive.limits.tmt1_c = 70;
	r->run.drive.limits.tmt2_c = 76;
	r->next.tmt1_count = r->next.tmt2_count = 0;
	rows_load(r, 80, 3000, 45, 70);
	r->next.tmt1_count = 1;
	rows_load(r, 70, 2200, 70, 76);
	r->next.tmt2_count = 1;
	rows_load(r, 200, 900, 76, 73);
}

static void by_tmt2_alone(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	r->run.drive.limits.wctemp_c = 84;
	r->run.drive.limits.tmt2_c = 73;
	r->next.tmt2_count = 3;
	r->next.tmt2_s = 60;
	rows_load(r, 80, 3000, 45, 73);
	for (int i = 0; i < 200; i++) {
		r->next.tmt2_count = 4;
		r->next.tmt2_s++;
		rows_load(r, 1, 900, 73, 73);
	}
}

/* A few seconds near a standstill, then full speed again. */
static void short_deep_dips(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 120, 3000, 45, 78);
	for (int i = 0; i < 8; i++) {
		rows_load(r, 4, 40, 78, 75);
		rows_load(r, 14 + i % 3, 3000, 75, 78);
	}
}

/* The same dips at any temperature are the drive's own work. */
static void dips_from_the_start(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	for (int i = 0; i < 20; i++) {
		double c = 46 + 20 * (1 - exp(-i / 6.0));

		rows_load(r, 10 + i * 5 % 7, 1500, c, c + 1);
		rows_load(r, 4, 200, c + 1, c + 1);
	}
}

static void slow_crawl(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	rows_load(r, 90, 2000, 45, 78);
	for (int i = 0; i < 60; i++)
		rows_load(r, 1, 2000 - 15 * i, 78, 78);
	rows_load(r, 150, 1100, 78, 78);
}

static void on_and_off(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	rows_load(r, 60, 2000, 45, 78);
	cycles(r, 6, 2000, 20);
}

static void counted_but_not_slower(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	r->next.tmt1_count = r->next.tmt1_s = 8;
	rows_load(r, 100, 1500, 45, 72);
	for (int i = 0; i < 100; i++) {
		r->next.tmt1_count += i % 10 == 0;
		r->next.tmt1_s++;
		rows_load(r, 1, 1500, 73, 73);
	}
}

/* Hotter than WCTEMP, the alarm is on, minutes are counted: and not a bit slower. */
static void alarm_without_throttling(struct rows *r)
{
	begin(r, OP_READ, 60);
	r->next.warning_min = 10;
	r->next.critical_warning = 0;
	rows_load(r, 100, 2000, 60, 78);
	r->next.critical_warning = 2;
	rows_load(r, 60, 2000, 78, 81);
	r->next.warning_min = 12;
	rows_load(r, 100, 2000, 81, 81);
}

/* The load ends within a second, which has fewer bytes. */
static void last_second_in_part(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 100, 3000, 45, 77);
	rows_load(r, 1, 700, 78, 78);
	cool_down(r, 78);
}

static void last_row_shorter(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 100, 3000, 45, 77);
	r->time_s -= 0.7;
	rows_add(r, PHASE_LOAD, 200, 78);
	cool_down(r, 78);
}

static void last_second_of_a_throttled_load(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 90, 3000, 45, 78);
	rows_load(r, 200, 2000, 78, 75);
	rows_load(r, 1, 300, 75, 75);
	cool_down(r, 75);
}

/* Asleep for 25 s in the middle, and again for 10 s just where the cut comes. */
static void gaps(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 40, 3000, 45, 60);
	r->time_s += 25;
	rows_load(r, 50, 3000, 60, 78);
	r->time_s += 10;
	rows_load(r, 200, 2000, 78, 68);
	cool_down(r, 68);
}

/* Every row of a minute is lost, but nothing happened. */
static void gap_in_peace(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 100, 3000, 45, 60);
	r->time_s += 60;
	rows_load(r, 100, 3000, 60, 62);
}

/* Hours at rest, then heat. */
static void late_heat(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 300, 3000, 45, 65);
	rows_load(r, 7000, 3000, 65, 65);
	rows_load(r, 200, 3000, 65, 78);
	cycles(r, 6, 3000, 1200);
}

/* The user paused it; the second load shows the heat. */
static void second_load(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 60, 3000, 45, 65);
	for (int i = 0; i < 30; i++)
		rows_add(r, PHASE_PAUSE, 0, 65 - i / 3.0);
	rows_load(r, 80, 3000, 55, 78);
	cycles(r, 4, 3000, 1000);
}

/* Reading is quiet, writing is cut; then the write cache of a third load ends, cool. */
static void three_loads(struct rows *r)
{
	begin(r, OP_READ, 45);
	rows_load(r, 120, 3000, 45, 65);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_PAUSE, 0, 65 - i / 3.0);
	r->run.load.op = OP_WRITE;
	rows_load(r, 80, 2000, 45, 78);
	cycles(r, 4, 2000, 700);
	for (int i = 0; i < 120; i++)
		rows_add(r, PHASE_PAUSE, 0, 78 - i / 3.0);
	rows_load(r, 40, 2000, 40, 52);
	rows_load(r, 100, 500, 52, 50);
	r->run.load.op = OP_READ;
}

#define NONE  NAN, NAN, NAN
#define QUIET TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE

static struct answer_case cases[] = {
    {"the cache ends, then heat",
     cache_end_then_heat,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "slc-cache thermal", 150, 78, 32, 78, false,
      "Throttles at 78 °C after 2 min 30 s", "more drops at the same temperature, 78 °C", NULL,
      NULL}},
    {"the cache ends two seconds before heat",
     cache_end_just_before_heat,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "slc-cache thermal", 21, 80, 52, 80, false,
      "Throttles at 80 °C after 21 s", "the second of two steps within seconds", NULL, NULL}},
    {"heat, then the cache ends",
     heat_then_cache_end,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal slc-cache", 60, 78, 29, 78, false,
      "Throttles at 78 °C after 60 s", NULL, NULL, NULL}},
    {"a cache, heat, and another cache",
     cache_heat_cache,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "slc-cache thermal slc-cache", 90, 78, 29, 78,
      false, "Throttles at 78 °C after 90 s", NULL, NULL, NULL}},
    {"two stages",
     two_stages,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_POSSIBLE, "thermal", 80, 75, 60, 79, false,
      "Throttles at 75 °C after 80 s", "a second stage 70 s later at 79 °C: down to 900 MB/s", NULL,
      NULL}},
    {"two stages set by the host",
     two_stages_by_the_host,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 80, 70, 60, 76, false,
      "Throttles at 71 °C, TMT1 set by the host to 70 °C, after 80 s",
      "a second stage 70 s later at 76 °C: down to 900 MB/s", NULL, NULL}},
    {"TMT2 alone, set by the host",
     by_tmt2_alone,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 80, 73, 70, 73, false,
      "Throttles at 73 °C, TMT2 set by the host to 73 °C, after 80 s",
      "TMT2, set by the host to 73 °C: 1 more transitions, 200 s more", NULL, NULL}},
    {"dips of four seconds, at one temperature",
     short_deep_dips,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 120, 78, 20, 78, false,
      "Throttles at 78 °C after 2 min", NULL, NULL, NULL}},
    {"dips of four seconds, at any temperature",
     dips_from_the_start,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "background", NONE, 66, false, "No throttling", NULL,
      NULL, NULL}},
    {"a slow crawl",
     slow_crawl,
     {TRI_TRUE, CLASS_HOLD, CERTAINTY_LIKELY, "thermal", 90, 78, 38, 78, false,
      "Throttles at 78 °C after", NULL, NULL, NULL}},
    {"on and off",
     on_and_off,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 60, 78, 47, 78, false,
      ", on and off: ", NULL, NULL, NULL}},
    {"counted, but not slower",
     counted_but_not_slower,
     {TRI_TRUE, CLASS_REPORTED, CERTAINTY_CONFIRMED, "", NAN, NAN, 0, 73, false,
      "recorded throttling by itself, but no loss", "TMT1: 10 more transitions, 100 s more", NULL,
      NULL}},
    {"an alarm without throttling",
     alarm_without_throttling,
     {QUIET, 81, false, "No throttling", "temperature alarm, up to 81 °C with WCTEMP at 78 °C",
      NULL, NULL}},
    {"the last second in part",
     last_second_in_part,
     {QUIET, 78, false, "No throttling", NULL, NULL, NULL}},
    {"the last row shorter",
     last_row_shorter,
     {QUIET, 78, false, "No throttling", NULL, NULL, NULL}},
    {"the last second of a throttled load",
     last_second_of_a_throttled_load,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 90, 78, 33, 78, false,
      "Throttles at 78 °C after 90 s", NULL, NULL, NULL}},
    {"gaps, one at the cut",
     gaps,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 125, 78, 33, 78, false,
      "Throttles at 78 °C", NULL, "35 rows are missing", NULL}},
    {"a gap in peace",
     gap_in_peace,
     {QUIET, 62, false, "No throttling", NULL, "60 rows are missing", NULL}},
    {"heat after hours",
     late_heat,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 7500, 78, 30, 78, false,
      "Throttles at 78 °C after 2 h 05 min", NULL, NULL, NULL}},
    {"heat in the second load",
     second_load,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 80, 78, 30, 78, false,
      "Throttles at 78 °C after 80 s", NULL, NULL, NULL}},
    {"quiet reads, hot writes, a cool cache's end",
     three_loads,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal slc-cache", 80, 78, 28, 78, false,
      "of writing", NULL, NULL, NULL}},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(cases)];

	answer_tests(cases, COUNT(cases), tests);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
