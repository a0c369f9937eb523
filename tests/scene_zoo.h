/*
 * Logs that a picture must be able to show: every kind of run, and the odd ones. Each is made by
 * rules, with a verdict by the analysis.
 */
#ifndef TESTS_SCENE_ZOO_H
#define TESTS_SCENE_ZOO_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

static inline void zoo_begin(struct rows *r, const char *model, enum op op)
{
	rows_begin(r, op);
	snprintf(r->run.drive.model, sizeof(r->run.drive.model), "%s", model);
	strcpy(r->run.drive.serial, "S5H7NS0N123456X");
	strcpy(r->run.drive.firmware, "2B2QEXM7");
	strcpy(r->run.drive.transport, "pcie");
	strcpy(r->run.load.pattern, op ? "sequential" : "");
	strcpy(r->run.load.engine, op ? "io_uring" : "");
	r->run.load.block_bytes = 131072;
	strcpy(r->run.tool, "throttlog 0.1.0");
	strcpy(r->run.start_utc, "2026-11-30T22:17:03Z");
	strcpy(r->run.note, "open bench, no airflow");
	r->run.ambient_c = 24;
	r->next.link_gt_s = 16;
	r->next.link_width = 4;
	r->run.drive.limits.wctemp_c = 81;
	r->run.drive.limits.cctemp_c = 85;
}

/* Cooling from `from` towards 36 °C. */
static inline void zoo_cool(struct rows *r, int n, double from)
{
	for (int i = 0; i < n; i++)
		rows_add(r, PHASE_COOLDOWN, 0, 36 + (from - 36) * exp(-i / 70.0));
}

static inline void zoo_calm(struct rows *r)
{
	zoo_begin(r, "Calm SSD 1TB", OP_READ);
	rows_idle(r, 36);
	for (int i = 0; i < 600; i++)
		rows_add(r, PHASE_LOAD, 3480, 62 - 26 * exp(-i / 90.0));
	zoo_cool(r, 180, 62);
}

/* A cache that ends, then cuts at 78 °C that come and go. */
static inline void zoo_swings(struct rows *r)
{
	double c = 36;
	bool cut = false;

	zoo_begin(r, "Demo SSD 1TB", OP_WRITE);
	rows_idle(r, 36);
	for (int i = 0; i < 600; i++) {
		double mb_s = i < 18 ? 3450 : cut ? 760 : 1700;

		c += (cut ? -0.45 : i < 18 ? 0.8 : 0.22) * (1 + 0.6 * rows_random(r));
		if (c >= 78.4)
			cut = true;
		if (c <= 75)
			cut = false;
		rows_add(r, PHASE_LOAD, mb_s, c);
	}
	zoo_cool(r, 180, c);
}

static inline void zoo_step(struct rows *r)
{
	zoo_begin(r, "Step SSD 2TB", OP_WRITE);
	rows_idle(r, 40);
	rows_load(r, 150, 2600, 40, 80);
	rows_load(r, 450, 1100, 80, 78);
	zoo_cool(r, 180, 78);
}

/* Regulated at its limit; all limits stated, a hotter sensor beside composite. */
static inline void zoo_hold(struct rows *r)
{
	zoo_begin(r, "Hold SSD 512GB", OP_WRITE);
	r->run.drive.limits.tmt1_c = 77;
	r->run.drive.limits.tmt2_c = 79;
	for (int i = 0; i < 600; i++) {
		double c = fmin(45 + 0.3 * i, 78);

		r->next.sensor_c[0] = round(c);
		r->next.sensor_c[1] = round(fmin(60 + 0.42 * i, 101));
		r->next.tmt1_count = 4 + fmax(i - 110, 0) / 40;
		rows_add(r, PHASE_LOAD, i < 112 ? 1450 : 1450 - fmin((i - 112) * 6, 620), c);
		if (i > 112 && i % 90 == 0)
			series_event(&r->run.series, EVENT_TMT1, 1, NULL);
	}
}

static inline void zoo_no_temp(struct rows *r)
{
	zoo_begin(r, "USB disk", OP_WRITE);
	strcpy(r->run.drive.transport, "usb");
	r->run.drive.limits = (struct thermal_limits){NAN, NAN, NAN, NAN};
	rows_load(r, 110, 900, NAN, NAN);
	rows_load(r, 300, 170, NAN, NAN);
}

static inline void zoo_no_speed(struct rows *r)
{
	zoo_begin(r, "Watched SSD", OP_NONE);
	for (int i = 0; i < 900; i++)
		rows_add(r, PHASE_LOAD, NAN, 44 + 14 * sin(i / 120.0));
}

static inline void zoo_short(struct rows *r)
{
	zoo_begin(r, "Short SSD", OP_READ);
	rows_load(r, 20, 2300, 61, 64);
}

static inline void zoo_one(struct rows *r)
{
	zoo_begin(r, "One reading", OP_READ);
	rows_load(r, 1, 512, 33, 33);
}

static inline void zoo_none(struct rows *r)
{
	zoo_begin(r, "No reading", OP_READ);
}

/* A day of swings with rare stalls. */
static inline void zoo_day(struct rows *r)
{
	zoo_begin(r, "Soak SSD 4TB", OP_WRITE);
	for (int i = 0; i < 86400; i++) {
		int at = i % 40;
		double mb_s = i < 300 ? 3000 : at < 22 ? 2900 : 900;

		if (i % 7001 == 7000)
			mb_s = 0;
		rows_add(r, PHASE_LOAD, mb_s,
			 i < 300 ? 40 + i * 0.13 : 75 + (at < 22 ? at : 44 - at) / 5.0);
	}
}

/* Seconds at zero, and minutes without rows or readings. */
static inline void zoo_stalls(struct rows *r)
{
	zoo_begin(r, "Stalling SSD", OP_WRITE);
	for (int i = 0; i < 500; i++) {
		if (i == 260)
			r->time_s += 60;
		rows_add(r, PHASE_LOAD, i % 47 < 3 ? 0 : 1800,
			 i > 120 && i < 180 ? (double)NAN : 50 + i / 40.0);
	}
}

static inline void zoo_lost(struct rows *r)
{
	zoo_begin(r, "Lost SSD", OP_WRITE);
	rows_idle(r, 44);
	rows_load(r, 200, 2100, 44, 89);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_END, NAN, END_LOST);
}

static inline void zoo_cold(struct rows *r)
{
	zoo_begin(r, "Outdoor SSD", OP_READ);
	r->run.ambient_c = -21;
	rows_idle(r, -19);
	rows_load(r, 400, 1500, -19, 9);
}

static inline void zoo_words(struct rows *r)
{
	zoo_begin(r, "Extraordinarily Long Winded Enterprise NVMe Drive Name 30.72 TB", OP_WRITE);
	strcpy(r->run.note, "Kühlkörper Ω, тест без обдува, \xe5\x86\xb7\xe5\x8d\xb4, "
			    "second slot under the graphics card, side panel closed, fan curve "
			    "of the board at its default and a label left on the drive");
	rows_idle(r, 51);
	for (int i = 0; i < 300; i++) {
		rows_add(r, PHASE_LOAD, 900, 51 + i / 20.0);
		if (i == 90)
			series_event(&r->run.series, EVENT_MARK, NAN, "fan on");
		if (i == 100)
			series_event(&r->run.series, EVENT_LINK, NAN, "8.0x2");
		if (i == 200)
			series_event(&r->run.series, EVENT_MARK, NAN, "крышка закрыта");
		if (i == 250)
			series_event(&r->run.series, EVENT_RESET, NAN, NULL);
	}
}

static inline void zoo_huge(struct rows *r)
{
	zoo_begin(r, "Gen6 SSD", OP_READ);
	rows_load(r, 240, 27800, 40, 70);
}

static inline void zoo_tiny(struct rows *r)
{
	zoo_begin(r, "Card", OP_WRITE);
	r->noise = 0.2;
	rows_load(r, 240, 0.034, 30, 31);
}

/* A temperature every minute only, a row every 10 s. */
static inline void zoo_sparse(struct rows *r)
{
	zoo_begin(r, "Slowly polled SSD", OP_WRITE);
	r->run.interval_s = 10;
	for (int i = 0; i < 360; i++)
		rows_add(r, PHASE_LOAD, i < 200 ? 500 : 320,
			 i % 6 ? (double)NAN : fmin(40 + i / 5.0, 79));
}

/* Reads, cools, writes: both are cut at 78 °C. */
static inline void zoo_review(struct rows *r)
{
	zoo_begin(r, "Reviewed SSD 2TB", OP_READ);
	r->run.load.legs = (struct op_list){.op = {OP_READ, OP_WRITE}, .n = 2};
	rows_idle(r, 36);
	rows_load(r, 70, 3000, 36, 78);
	rows_load(r, 230, 2200, 78, 78);
	zoo_cool(r, 150, 78);
	r->run.load.op = OP_WRITE;
	rows_load(r, 60, 1000, 38, 78);
	rows_load(r, 240, 700, 78, 78);
	zoo_cool(r, 180, 78);
	r->run.load.op = OP_READ;
}

/* A drop of open cause, a read probe, and the load again. */
static inline void zoo_tested(struct rows *r)
{
	zoo_begin(r, "Tested SSD", OP_WRITE);
	rows_idle(r, 40);
	rows_load(r, 200, 900, 40, 70);
	rows_load(r, 100, 500, 70, 70);
	for (int i = 0; i < 20; i++)
		rows_add(r, PHASE_PROBE, 1000, 69);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_PAUSE, 0, 69 - i / 6.0);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_RESTART, 500, 59 + i / 8.0);
	zoo_cool(r, 60, 65);
}

/* Two days, with minutes and hours that nobody recorded. */
static inline void zoo_gaps(struct rows *r)
{
	zoo_begin(r, "Gappy SSD", OP_WRITE);
	for (int i = 0; i < 150000; i++) {
		if (i % 9000 == 8999)
			r->time_s += i % 27000 == 26999 ? 5400 : 40;
		rows_add(r, PHASE_LOAD, 1200 + 300 * sin(i / 9000.0), 55 + 8 * sin(i / 15000.0));
	}
}

/* Cut at 80 °C, and all over the place from then on. */
static inline void zoo_unstable(struct rows *r)
{
	zoo_begin(r, "Unstable SSD 512GB", OP_READ);
	rows_idle(r, 70);
	rows_load(r, 20, 900, 70, 80);
	r->noise = 0.6;
	rows_load(r, 580, 400, 80, 80);
	zoo_cool(r, 180, 80);
}

struct zoo {
	const char *name;
	void (*make)(struct rows *r);
};

static const struct zoo zoo[] = {
    {"calm", zoo_calm},     {"swings", zoo_swings},   {"step", zoo_step},
    {"hold", zoo_hold},     {"no-temp", zoo_no_temp}, {"no-speed", zoo_no_speed},
    {"short", zoo_short},   {"one", zoo_one},         {"none", zoo_none},
    {"day", zoo_day},       {"stalls", zoo_stalls},   {"lost", zoo_lost},
    {"cold", zoo_cold},     {"words", zoo_words},     {"huge", zoo_huge},
    {"tiny", zoo_tiny},     {"sparse", zoo_sparse},   {"review", zoo_review},
    {"tested", zoo_tested}, {"gaps", zoo_gaps},       {"unstable", zoo_unstable},
};
#define ZOO (sizeof(zoo) / sizeof(*zoo))

#endif
