/*
 * Published throttle measurements of real drives as logs of our own: temperature, time, speeds and
 * cooling are as printed in the reviews, what they leave out is constructed to fit.
 */
#include "cmocka_all.h"

#include <stdlib.h>

#include "answers.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The way a drive heats: fast first, and at `to_c` after `n` seconds with a bit of slope left. */
static void heat(struct rows *r, int n, double mb_s, double from_c, double to_c)
{
	double left = exp(-2);

	for (int i = 0; i < n; i++)
		rows_add(r, PHASE_LOAD, mb_s,
			 from_c + (to_c - from_c) * (1 - exp(-2.0 * i / n)) / (1 - left));
}

/* On and off at `hot_c`, cooling for longer each time. */
static void swing(struct rows *r, int n, double fast, double slow, double hot_c)
{
	for (int i = 0; i < n; i++) {
		rows_load(r, 10 + 2 * i, slow, hot_c, hot_c - 4);
		rows_load(r, 26 - 2 * i, fast, hot_c - 4, hot_c);
	}
}

static void begin(struct rows *r, enum op op, double idle_c)
{
	rows_begin(r, op);
	rows_idle(r, idle_c);
}

/* 970 PRO 512 GB, TechPowerUp: bare, 300 GB written, 80 °C, 2000 to 1500 MB/s. */
static void samsung_970_pro_write(struct rows *r)
{
	begin(r, OP_WRITE, 40);
	r->run.drive.limits.wctemp_c = 81;
	heat(r, 150, 2000, 40, 80);
	swing(r, 6, 2000, 700, 80);
}

/* ... and its reads never throttle. */
static void samsung_970_pro_read(struct rows *r)
{
	begin(r, OP_READ, 40);
	r->run.drive.limits.wctemp_c = 81;
	heat(r, 300, 3400, 40, 72);
	rows_load(r, 200, 3400, 72, 72);
}

/* 970 EVO 2 TB, CDRLabs: 800 GB, then 79 °C and 900 MB/s bare; with a fan 45 °C and no drop. */
static void samsung_970_evo_bare(struct rows *r)
{
	begin(r, OP_WRITE, 33);
	r->run.drive.limits.wctemp_c = 85;
	heat(r, 640, 1250, 33, 79);
	for (int i = 0; i < 40; i++)
		rows_load(r, 1, 1250 - 350 * i / 40.0, 79, 79);
	rows_load(r, 200, 900, 79, 79);
}

static void samsung_970_evo_fan(struct rows *r)
{
	begin(r, OP_WRITE, 24);
	r->run.drive.limits.wctemp_c = 85;
	heat(r, 200, 1250, 24, 45);
	rows_load(r, 640, 1250, 45, 45);
}

/* T700 2 TB, ComputerBase and others: reads of 12385 MB/s, 86 °C, then the speed of a hard disk. */
static void crucial_t700_read(struct rows *r)
{
	begin(r, OP_READ, 45);
	r->run.drive.limits.wctemp_c = 83;
	heat(r, 100, 12385, 45, 86);
	for (int i = 0; i < 5; i++) {
		rows_load(r, 18 + 4 * i, 101, 86, 76);
		rows_load(r, 15, 12385, 76, 86);
	}
}

/* T700, Guru3D, with a heatsink: 3681 MB/s on average of 15 min is the cache's end, no heat. */
static void crucial_t700_heatsink(struct rows *r)
{
	begin(r, OP_WRITE, 35);
	r->run.drive.limits.wctemp_c = 83;
	heat(r, 20, 11800, 35, 48);
	rows_load(r, 880, 3500, 48, 52);
}

/* MP700 2 TB, TechPowerUp: shuts down after 86 s of reading, 55 s of writing. */
static void corsair_mp700_write(struct rows *r)
{
	begin(r, OP_WRITE, 50);
	heat(r, 55, 9500, 50, 87);
	for (int i = 0; i < 3; i++)
		rows_add(r, PHASE_LOAD, 0, NAN);
	series_event(&r->run.series, EVENT_LOST, NAN, NULL);
}

/* WD Black 2018 1 TB, NordicHardware: after 70 s full speed or almost nothing. */
static void wd_black_2018(struct rows *r)
{
	begin(r, OP_WRITE, 40);
	r->run.drive.limits.wctemp_c = 80;
	heat(r, 70, 2700, 40, 80);
	swing(r, 6, 2700, 60, 80);
}

/* SN850X 2 TB: first drop from 5300 MB/s at 30 % of the capacity, 72 °C at the most: the cache. */
static void wd_sn850x(struct rows *r)
{
	begin(r, OP_WRITE, 39);
	r->run.drive.limits.wctemp_c = 90;
	rows_load(r, 113, 5300, 39, 66);
	rows_load(r, 300, 1500, 66, 72);
}

/* KC2000 and A2000: 2000 MB/s for 150 GB, then less, and back again, whatever the temperature. */
static void kingston_a2000(struct rows *r)
{
	begin(r, OP_WRITE, 35);
	r->run.drive.limits.wctemp_c = 75;
	rows_load(r, 75, 2000, 35, 56);
	for (int i = 0; i < 4; i++) {
		rows_load(r, 40 + 7 * i, 500, 56 + i, 57 + i);
		rows_load(r, 9 + i, 2000, 57 + i, 58 + i);
	}
	rows_load(r, 100, 500, 60, 60);
}

/* B660GTQ board, GDM: bare at 72 °C, with the board's heatsink 68 °C at most and full speed. */
static void gdm_72_bare(struct rows *r)
{
	begin(r, OP_READ, 45);
	heat(r, 150, 7000, 45, 72);
	for (int i = 0; i < 60; i++)
		rows_load(r, 1, 7000 - 40 * i, 72, 72);
	rows_load(r, 150, 4600, 72, 72);
}

static void gdm_68_heatsink(struct rows *r)
{
	begin(r, OP_READ, 40);
	heat(r, 150, 7000, 40, 68);
	for (int i = 0; i < 300; i++)
		rows_add(r, PHASE_LOAD, 7000, 66.5 + 1.5 * sin(i / 23.0));
}

/* GM7000 4 TB: 78 °C is the most it reports; slightly slower. */
static void predator_gm7000(struct rows *r)
{
	begin(r, OP_WRITE, 45);
	r->run.drive.limits.wctemp_c = 78;
	r->next.tmt1_s = 0;
	heat(r, 200, 5000, 45, 77);
	for (int i = 0; i < 250; i++) {
		r->next.tmt1_s += 1;
		rows_load(r, 1, 4850, 78, 78);
	}
}

/* SX8000 256 GB, PG Republic: up to 69 °C at an ambient of 39 °C, no throttling (after 70). */
static void adata_sx8000_256(struct rows *r)
{
	begin(r, OP_READ, 59);
	r->run.drive.limits.wctemp_c = 70;
	heat(r, 120, 1100, 59, 69);
	rows_load(r, 120, 1100, 69, 69);
}

#define NONE   NAN, NAN, NAN
#define COOL   TRI_FALSE, CLASS_NONE, CERTAINTY_LIKELY
#define SWINGS TRI_TRUE, CLASS_OSCILLATING, CERTAINTY_LIKELY, "thermal"
#define HOLDS  TRI_TRUE, CLASS_HOLD, CERTAINTY_LIKELY, "thermal"

static struct answer_case cases[] = {
    {"970 PRO, bare, writing",
     samsung_970_pro_write,
     {SWINGS, 150, 80, 28, 80, false, "Throttles at 80 °C after 2 min 30 s of load (30", NULL, NULL,
      NULL}},
    {"970 PRO, bare, reading",
     samsung_970_pro_read,
     {COOL, "", NONE, 72, false, "No throttling", NULL, NULL, NULL}},
    {"970 EVO, bare",
     samsung_970_evo_bare,
     {HOLDS, 640, 79, 26, 79, false, "Throttles at 79 °C after", NULL, NULL, NULL}},
    {"970 EVO, fan",
     samsung_970_evo_fan,
     {COOL, "", NONE, 45, false, "No throttling", NULL, NULL, NULL}},
    {"T700, bare, reading",
     crucial_t700_read,
     {SWINGS, 100, 86, 62, 86, false, "Throttles at 86 °C after 100 s", NULL, NULL, NULL}},
    {"T700, heatsink, writing",
     crucial_t700_heatsink,
     {COOL, "slc-cache", NONE, 52, false, "The write cache ended after 236 GB", NULL, NULL, NULL}},
    {"MP700, bare, writing",
     corsair_mp700_write,
     {TRI_TRUE, CLASS_SHUTDOWN, CERTAINTY_LIKELY, "stop", 55, 87, NAN, 87, false,
      "The drive shut down at 87 °C after 55 s", NULL, NULL, NULL}},
    {"WD Black 2018: full speed or almost nothing",
     wd_black_2018,
     {SWINGS, 70, 80, 41, 80, false, "Throttles at 80 °C after 70 s", NULL, NULL, NULL}},
    {"SN850X: the cache ends at 30 % of the capacity",
     wd_sn850x,
     {COOL, "slc-cache", NONE, 72, false, "The write cache ended after 599 GB", NULL, NULL, NULL}},
    {"A2000: slow and fast in turn from 150 GB on",
     kingston_a2000,
     {COOL, "background slc-cache", NONE, 61, false, "No throttling", NULL, NULL, NULL}},
    {"a board's drive, bare: held at 72 °C",
     gdm_72_bare,
     {HOLDS, 150, 72, 31, 72, false, "Throttles at 72 °C after", NULL, NULL, NULL}},
    {"a board's drive, heatsink: 68 °C, full speed",
     gdm_68_heatsink,
     {COOL, "", NONE, 68, false, "No throttling", NULL, NULL, NULL}},
    {"GM7000: 78 °C, slightly",
     predator_gm7000,
     {TRI_TRUE, CLASS_GENTLE, CERTAINTY_CONFIRMED, "thermal", 200, 78, 3, 78, false,
      "Reaches its limit at 78 °C after", NULL, NULL, NULL}},
    {"SX8000 256 GB: 69 °C, a degree below",
     adata_sx8000_256,
     {COOL, "", NONE, 69, false, "No throttling", NULL, NULL, NULL}},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(cases)];

	answer_tests(cases, COUNT(cases), tests);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
