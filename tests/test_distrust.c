/*
 * Temperatures that are missing, wrong, slow or not of our making: each log gets a warning that
 * says so, and the answer that is right without them.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "answers.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void begin(struct rows *r, enum op op)
{
	rows_begin(r, op);
	r->run.drive.limits.wctemp_c = 80;
}

/* Heats towards `to_c` as a drive does, and has come nearly there after `n` rows. */
static double heated(int i, int n, double from_c, double to_c)
{
	return to_c - (to_c - from_c) * exp(-3.5 * i / n);
}

/* Second `i` of a read that heat cuts after 90 s, from 80 °C on. */
static double cut_c(int i)
{
	return round(i < 90 ? 40 + 40.0 * i / 90 : 77 + 3 * exp(-(i - 90) / 40.0));
}

/* A read that heat cuts, with the temperature in column `f` only. */
static void cut(struct rows *r, enum field f)
{
	for (int i = 0; i < 60; i++) {
		sample_set(&r->next, f, 40);
		rows_add(r, PHASE_BASELINE, 0, NAN);
	}
	for (int i = 0; i < 300; i++) {
		sample_set(&r->next, f, cut_c(i));
		rows_add(r, PHASE_LOAD, i < 90 ? 3000 : 2000, NAN);
	}
}

static void no_composite(struct rows *r)
{
	begin(r, OP_READ);
	cut(r, FIELD_SENSOR1 + 1);
}

static void no_temperature(struct rows *r)
{
	begin(r, OP_READ);
	cut(r, FIELD_POLL_MS);
}

static void no_temperature_but_counters(struct rows *r)
{
	begin(r, OP_READ);
	r->next.tmt1_s = 5;
	rows_load(r, 90, 3000, NAN, NAN);
	r->next.tmt1_s = 7;
	rows_load(r, 200, 2000, NAN, NAN);
}

/* 0 K and 65535 K amid an even load. */
static void no_numbers(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 3000,
			 i % 50 == 20   ? -273
			 : i % 50 == 30 ? 65262
					: heated(i, 200, 40, 66));
}

/* -216 °C all the time, as some report without a sensor. */
static void out_of_range(struct rows *r)
{
	begin(r, OP_READ);
	rows_load(r, 100, 3000, -216, -216);
	rows_load(r, 100, 1500, -216, -216);
}

static void frozen(struct rows *r)
{
	begin(r, OP_READ);
	rows_idle(r, 40);
	rows_load(r, 150, 3000, 40, 40);
	rows_load(r, 150, 1500, 40, 40);
}

/* The composite is frozen; sensor 1 is not, and shows the heat. */
static void frozen_beside_a_sensor(struct rows *r)
{
	begin(r, OP_READ);
	r->next.sensor_c[0] = 40;
	rows_idle(r, 40);
	for (int i = 0; i < 300; i++) {
		r->next.sensor_c[0] = cut_c(i);
		rows_add(r, PHASE_LOAD, i < 90 ? 3000 : 2000, 40);
	}
}

static void even_and_even(struct rows *r)
{
	begin(r, OP_READ);
	rows_load(r, 300, 3000, 62, 62);
}

/* One and two readings that jump up or down, now and then. */
static void spikes(struct rows *r)
{
	begin(r, OP_READ);
	rows_idle(r, 40);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 3000,
			 i == 60 || i == 61 ? 95
			 : i == 150         ? 20
			 : i == 299         ? 60
					    : heated(i, 200, 40, 60));
}

/* A spike just at the drop of a full cache is not its temperature. */
static void a_spike_at_the_drop(struct rows *r)
{
	begin(r, OP_WRITE);
	rows_idle(r, 35);
	rows_load(r, 39, 2000, 35, 50);
	rows_load(r, 2, 1300, 81, 81);
	rows_load(r, 200, 600, 50, 56);
}

static void renewed_every_5_s(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 3000, heated(i / 5 * 5, 280, 40, 70));
}

static void renewed_every_10_s_and_cut(struct rows *r)
{
	begin(r, OP_READ);
	rows_idle(r, 40);
	for (int i = 0; i < 100; i++)
		rows_add(r, PHASE_LOAD, 3000, 40 + 40.0 * (i / 10 * 10) / 100);
	for (int i = 0; i < 200; i++)
		rows_add(r, PHASE_LOAD, 1800, 77 + 3 * exp(-(i / 10 * 10) / 40.0));
}

/* Heating by exactly a degree every 4 s is no slow sensor. */
static void an_even_rise(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 100; i++)
		rows_add(r, PHASE_LOAD, 3000, 40 + i / 4);
	rows_load(r, 100, 3000, 65, 65);
}

static void read_every_10_s(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 3000, i % 10 ? (double)NAN : heated(i, 280, 40, 70));
}

/* The composite follows the load, but 40 K above both sensors. */
static void above_all_sensors(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 300; i++) {
		double c = round(heated(i, 90, 30, 42));

		r->next.sensor_c[0] = c;
		r->next.sensor_c[1] = c - 3;
		rows_add(r, PHASE_LOAD, i < 90 ? 3000 : 1500, c + 40);
	}
}

/* The composite creeps from 38 to 44 °C; TMT1 at 75 °C is counted as reached. */
static void belied(struct rows *r, int counting)
{
	begin(r, OP_WRITE);
	r->run.drive.limits.tmt1_c = 75;
	r->next.tmt1_count = 10;
	rows_idle(r, 38);
	rows_load(r, 100, 1500, 38, 44);
	r->next.tmt1_count += counting;
	rows_load(r, 200, 700, 44, 44);
}

static void belied_by_tmt1(struct rows *r)
{
	belied(r, 2);
}

static void cool_and_not_belied(struct rows *r)
{
	belied(r, 0);
}

/* Minutes above WCTEMP are counted at a reading of 50 °C. The speed holds. */
static void belied_by_minutes(struct rows *r)
{
	begin(r, OP_READ);
	r->next.warning_min = 3;
	rows_load(r, 200, 2000, 40, 50);
	r->next.warning_min = 5;
	rows_load(r, 200, 2000, 50, 51);
}

/* Sensor 2 runs between 86 and 90 °C with the cuts; the composite stays near 41. */
static void a_hotter_sensor(struct rows *r)
{
	static const int low_s[] = {12, 14, 17, 19, 22};

	begin(r, OP_WRITE);
	r->next.sensor_c[1] = 45;
	rows_idle(r, 40);
	for (int i = 0; i < 80; i++) {
		r->next.sensor_c[1] = round(45 + 45.0 * i / 80);
		rows_add(r, PHASE_LOAD, 2000, 40 + 0.1 * (i % 20));
	}
	for (int k = 0; k < 5; k++) {
		for (int i = 0; i < low_s[k]; i++) {
			r->next.sensor_c[1] = round(90 - 4.0 * i / low_s[k]);
			rows_add(r, PHASE_LOAD, 500, 42 - k % 3);
		}
		for (int i = 0; i < 30 - 3 * k; i++) {
			r->next.sensor_c[1] = round(86 + 4.0 * i / (30 - 3 * k));
			rows_add(r, PHASE_LOAD, 2000, 41 + k % 2);
		}
	}
}

/* Sensor 2 is hotter too, but the composite explains the cuts as well: it stays the reference. */
static void a_hotter_sensor_not_needed(struct rows *r)
{
	begin(r, OP_READ);
	rows_idle(r, 40);
	for (int i = 0; i < 300; i++) {
		double c = cut_c(i);

		r->next.sensor_c[1] = c + 12;
		rows_add(r, PHASE_LOAD, i < 90 ? 3000 : 2000, c);
	}
}

/* Twelve degrees more in two minutes of rest, read every 30 s. */
static void warmed_from_outside(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 150; i++)
		rows_add(r, PHASE_BASELINE, 0, i % 30 ? (double)NAN : 40 + i / 10);
	for (int i = 0; i < 200; i++)
		rows_add(r, PHASE_LOAD, 3000, heated(i, 150, 55, 70));
}

static void warmed_by_polling(struct rows *r)
{
	begin(r, OP_READ);
	for (int i = 0; i < 150; i++)
		rows_add(r, PHASE_BASELINE, 0, 31 + i / 10);
	for (int i = 0; i < 200; i++)
		rows_add(r, PHASE_LOAD, 3000, heated(i, 150, 45, 60));
}

#define NONE NAN, NAN, NAN
#define FINE TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "", NONE
#define OPEN TRI_NULL, CLASS_UNATTRIBUTED, CERTAINTY_UNKNOWN, "unknown", NONE

static struct answer_case cases[] = {
    {"no composite: judged by the sensor there is",
     no_composite,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 90, 80, 33, 80, false,
      "Throttles at 80 °C", NULL, "no composite temperature: judged by sensor 2", NULL}},
    {"no temperature at all",
     no_temperature,
     {OPEN, NAN, true, "Cannot tell", "no usable temperature", "no temperature in this log", NULL}},
    {"no temperature at all, counters move",
     no_temperature_but_counters,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 90, NAN, 33, NAN, true,
      "Throttles at an unknown temperature", "2 s more", "no temperature in this log", NULL}},
    {"0 K and 65535 K at times",
     no_numbers,
     {FINE, 66, false, "up to 66 °C", NULL, "12 readings are no temperature", NULL}},
    {"-216 °C always",
     out_of_range,
     {OPEN, NAN, true, "Cannot tell", "no usable temperature", "200 readings are no temperature",
      "no temperature in this log"}},
    {"frozen under load",
     frozen,
     {OPEN, 40, true, "Cannot tell", "no usable temperature", "never moved from 40 °C", NULL}},
    {"frozen, a sensor is not",
     frozen_beside_a_sensor,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 90, 80, 33, 80, false,
      "Throttles at 80 °C", NULL, "never moved from 40 °C", "not usable: judged by sensor 1"}},
    {"even under an even load is not frozen",
     even_and_even,
     {FINE, 62, false, "up to 62 °C", NULL, NULL, NULL}},
    {"spikes of one and two readings",
     spikes,
     {FINE, 60, false, "up to 60 °C", NULL, "3 readings jumped by more than 15 °C", NULL}},
    {"a spike where the cache ends",
     a_spike_at_the_drop,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "slc-cache", NONE, 56, false, "write cache ended",
      NULL, "2 readings jumped", NULL}},
    {"renewed every 5 s",
     renewed_every_5_s,
     {FINE, 69, false, "up to", NULL, "renews its temperature only every 5 s", NULL}},
    {"renewed every 10 s, and a cut",
     renewed_every_10_s_and_cut,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 100, 80, 40, 80, false, "Throttles at",
      NULL, "renews its temperature only every 10 s", NULL}},
    {"an even rise is no slow sensor",
     an_even_rise,
     {FINE, 65, false, "up to 65 °C", NULL, NULL, NULL}},
    {"read every 10 s",
     read_every_10_s,
     {FINE, 69, false, "up to", NULL, "the temperature is known only every 10 s", NULL}},
    {"far above every sensor",
     above_all_sensors,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_POSSIBLE, "unknown", NONE, 42, false, "No throttling", NULL,
      "far above every sensor of the drive: not trusted", "judged by sensor 1"}},
    {"belied by TMT1",
     belied_by_tmt1,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_CONFIRMED, "thermal", 100, NAN, 53, 44, true,
      "Throttles at an unknown temperature", "TMT1, set by the host to 75 °C: 2 more",
      "reads 44 °C at most, but the drive counted a limit of 75 °C", NULL}},
    {"cool, and the counters stand",
     cool_and_not_belied,
     {TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY, "slc-cache", NONE, 44, false, "write cache ended",
      NULL, NULL, NULL}},
    {"belied by minutes above WCTEMP",
     belied_by_minutes,
     {TRI_NULL, CLASS_NONE, CERTAINTY_UNKNOWN, "", NONE, 51, true, "Cannot tell",
      "2 min more at or above WCTEMP", "counted a limit of 80 °C", NULL}},
    {"a hotter sensor fits better",
     a_hotter_sensor,
     {TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal", 80, 90, 31, 90, false,
      "Throttles at 90 °C", "at the same temperature, 90 °C", "judged by sensor 2, which is hotter",
      NULL}},
    {"a hotter sensor is not needed",
     a_hotter_sensor_not_needed,
     {TRI_TRUE, CLASS_STEP, CERTAINTY_LIKELY, "thermal", 90, 80, 33, 80, false,
      "Throttles at 80 °C", NULL, NULL, NULL}},
    {"warmed from outside before the load",
     warmed_from_outside,
     {FINE, 70, false, "up to 70 °C", NULL, "12 K hotter while idle: heat from outside", NULL}},
    {"warmed by our own polling before the load",
     warmed_by_polling,
     {FINE, 60, false, "up to 60 °C", NULL, "polling itself can heat a drive", NULL}},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(cases)];

	answer_tests(cases, COUNT(cases), tests);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
