/*
 * Loads that are not ours, as in watch mode and in other people's logs: they begin and end when
 * they like, rest in between, and may ask for less.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "answers.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void begin(struct rows *r)
{
	rows_begin(r, OP_NONE);
	r->run.drive.limits.wctemp_c = 78;
}

static void rest(struct rows *r, int n, double from_c, double to_c)
{
	rows_load(r, n, 0.2, from_c, to_c);
}

/* Slow at 78 °C and fast again at 74, longer to cool each time. */
static void cycles(struct rows *r, double slow)
{
	for (int i = 0; i < 5; i++) {
		rows_load(r, 12 + 2 * i, slow, 78, 74);
		rows_load(r, 24 - 2 * i, 3000, 74, 78);
	}
}

static void at_once(struct rows *r)
{
	begin(r);
	rows_load(r, 90, 3000, 45, 78);
	cycles(r, 1500);
}

static void after_a_rest(struct rows *r)
{
	begin(r);
	rest(r, 60, 45, 45);
	rows_load(r, 90, 3000, 45, 78);
	cycles(r, 1500);
	rest(r, 100, 76, 50);
}

/* 100 MB/s for a minute before it gets going: not the speed to compare with. */
static void after_light_use(struct rows *r)
{
	begin(r);
	rows_load(r, 60, 100, 45, 45);
	rows_load(r, 90, 3000, 45, 78);
	cycles(r, 1500);
}

/* Two loads with a rest between: the first is quiet, the second throttles. */
static void in_the_second_load(struct rows *r)
{
	begin(r);
	rest(r, 30, 45, 45);
	rows_load(r, 60, 3000, 45, 65);
	rest(r, 60, 65, 50);
	rows_load(r, 80, 3000, 50, 78);
	cycles(r, 1500);
	rest(r, 60, 76, 50);
}

/* Ends at its hottest, which is no drop. */
static void ends_hot(struct rows *r)
{
	begin(r);
	rest(r, 30, 45, 45);
	rows_load(r, 120, 3000, 45, 77);
	rest(r, 200, 76, 45);
}

/* Bursts of ten seconds: nothing long enough to judge, nothing claimed of their ends. */
static void in_bursts(struct rows *r)
{
	begin(r);
	for (int i = 0; i < 10; i++) {
		rest(r, 30, 60, 55);
		rows_load(r, 10, 2000, 55, 60);
	}
}

static void asks_for_less(struct rows *r)
{
	begin(r);
	r->next.util_pct = 99;
	rows_load(r, 90, 3000, 45, 78);
	for (int i = 0; i < 5; i++) {
		r->next.util_pct = 52;
		rows_load(r, 12 + 2 * i, 1500, 78, 74);
		r->next.util_pct = 99;
		rows_load(r, 24 - 2 * i, 3000, 74, 78);
	}
}

static void asks_for_as_much(struct rows *r)
{
	begin(r);
	r->next.util_pct = 99;
	rows_load(r, 90, 3000, 45, 78);
	cycles(r, 1500);
}

/* It hangs for half a minute with requests waiting: no rest. */
static void hangs(struct rows *r)
{
	begin(r);
	r->next.util_pct = 99;
	rows_load(r, 100, 3000, 45, 65);
	rows_load(r, 30, 0, 65, 60);
	rows_load(r, 100, 3000, 60, 66);
}

static void at_ease(struct rows *r)
{
	begin(r);
	r->next.util_pct = 20;
	rows_load(r, 150, 1500, 45, 60);
}

static void at_work(struct rows *r)
{
	begin(r);
	r->next.util_pct = 80;
	rows_load(r, 150, 1500, 45, 60);
}

static void vanishes_after_a_rest(struct rows *r)
{
	begin(r);
	rest(r, 40, 45, 45);
	rows_load(r, 90, 9000, 45, 87);
	for (int i = 0; i < 40; i++)
		rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
}

#define NONE NAN, NAN, NAN

static struct answer_case cases[] = {
    {"throttles, busy from the first row",
     at_once,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 90, 78, 22, 78, false,
      "Throttles at 78 °C after 90 s of load", NULL, NULL, NULL}},
    {"throttles, rests before and after",
     after_a_rest,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 90, 78, 22, 78, false,
      "Throttles at 78 °C after 90 s of load", NULL, NULL, NULL}},
    {"throttles, light use before",
     after_light_use,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 150, 78, 22, 78, false,
      "Throttles at 78 °C after 2 min 30 s of load", NULL, NULL, NULL}},
    {"throttles in the second of two loads",
     in_the_second_load,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 80, 78, 22, 78, false,
      "Throttles at 78 °C after 80 s of load", NULL, NULL, NULL}},
    {"ends at its hottest",
     ends_hot,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 77, false,
      "No throttling in 2 min of load", NULL, NULL, NULL}},
    {"works in bursts",
     in_bursts,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "background", NONE, 60, false, "No throttling",
      "nothing was asked of the drive", NULL, NULL}},
    {"asks for less",
     asks_for_less,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "background", NONE, 78, false, "No throttling",
      "less was asked of it", NULL, NULL}},
    {"asks for as much as before",
     asks_for_as_much,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 90, 78, 22, 78, false,
      "Throttles at 78 °C", "4 more drops at the same temperature", NULL, NULL}},
    {"hangs with requests waiting",
     hangs,
     {TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE, 66, false,
      "Cannot tell: the speed fell from 3005 to 0 MB/s", NULL, NULL, NULL}},
    {"busy a fifth of the time",
     at_ease,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 60, false, "No throttling", NULL,
      "busy only 20 %", NULL}},
    {"busy most of the time",
     at_work,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE, 60, false, "No throttling", NULL, NULL,
      NULL}},
    {"vanishes under load after a rest",
     vanishes_after_a_rest,
     {TRI_TRUE, CLASS_SHUTDOWN, CERTAINTY_LIKELY, "stop", 90, 87, NAN, 87, false,
      "The drive shut down at 87 °C after 90 s", NULL, NULL, NULL}},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(cases)];

	answer_tests(cases, COUNT(cases), tests);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
