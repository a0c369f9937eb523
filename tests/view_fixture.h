/*
 * A made-up run for the tests of the views: idle, a write load that heats the drive to 80 °C,
 * throttling with TMT1 transitions, cooling. Computed without a random source, so that every
 * machine gets the same rows.
 */
#ifndef VIEW_FIXTURE_H
#define VIEW_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/session.h"

#define FIXTURE_BASELINE_S 30
#define FIXTURE_LOAD_S     300
#define FIXTURE_COOLDOWN_S 90
#define FIXTURE_ROWS       (FIXTURE_BASELINE_S + FIXTURE_LOAD_S + FIXTURE_COOLDOWN_S)

struct fixture {
	struct session session;
	double heat_c[2];
	double tmt1_count[2], tmt1_s[2];
	bool throttled[2];
	unsigned noise;
};

static inline double fixture_noise(struct fixture *f)
{
	f->noise = f->noise * 1103515245u + 12345u;
	return (double)(f->noise >> 16 & 0x7fff) / 16384.0 - 1;
}

static inline void fixture_drive(struct session_drive *d, size_t i)
{
	static const enum field can[] = {
	    FIELD_TIME,         FIELD_UTC,
	    FIELD_PHASE,        FIELD_OP,
	    FIELD_BYTES,        FIELD_MB_S,
	    FIELD_IOPS,         FIELD_LAT_AVG,
	    FIELD_LAT_P99,      FIELD_LAT_MAX,
	    FIELD_TEMP,         FIELD_SENSOR1,
	    FIELD_SENSOR1 + 1,  FIELD_CRITICAL_WARNING,
	    FIELD_WARNING_MIN,  FIELD_CRITICAL_MIN,
	    FIELD_TMT1_COUNT,   FIELD_TMT1_S,
	    FIELD_TMT2_COUNT,   FIELD_TMT2_S,
	    FIELD_POWER_STATE,  FIELD_LINK_GT_S,
	    FIELD_LINK_WIDTH,   FIELD_HOST_C,
	    FIELD_CPU_THROTTLE, FIELD_POLL_MS,
	    FIELD_QUEUE_AVG,    FIELD_EVENTS,
	};

	run_clear(&d->run);
	strcpy(d->run.drive.model, i ? "TS512GMTE850" : "KXG5APNV2T04 TOSHIBA");
	strcpy(d->run.drive.serial, i ? "D412345678" : "79QS101BT3PQ");
	strcpy(d->run.drive.firmware, i ? "R0105B" : "AGGA4103");
	strcpy(d->run.drive.transport, "pcie");
	strcpy(d->label, d->run.drive.model);
	d->run.drive.capacity_bytes = UINT64_C(2048408248320);
	d->run.drive.limits = (struct thermal_limits){i ? 62 : 78, i ? 72 : 82, NAN, NAN};
	if (!i)
		d->run.drive.limits.tmt1_c = 80;
	d->run.load.op = OP_WRITE;
	strcpy(d->run.load.pattern, "sequential");
	strcpy(d->run.load.engine, "simulated");
	d->run.load.block_bytes = 128 * 1024;
	d->run.load.queue_depth = 32;
	d->run.interval_s = 1;
	strcpy(d->run.start_utc, "2026-03-01T10:00:00Z");
	strcpy(d->run.host, "bench");
	strcpy(d->run.phases, "30/300/90");
	strcpy(d->csv, "KXG5APNV2T04-write.csv");
	for (size_t k = 0; k < sizeof(can) / sizeof(*can); k++)
		d->can[can[k]] = true;
	d->phase_left_s = NAN;
	d->answer_age_s = 0;
}

static inline struct fixture *fixture_new(size_t n)
{
	struct fixture *f = xzalloc(sizeof(*f));

	f->session.drive = xreallocarray(NULL, n, sizeof(*f->session.drive));
	memset(f->session.drive, 0, n * sizeof(*f->session.drive));
	f->session.n = n;
	f->session.simulated = true;
	f->noise = 1;
	for (size_t i = 0; i < n; i++) {
		fixture_drive(&f->session.drive[i], i);
		f->heat_c[i] = 44 + 8 * (double)i;
		f->tmt1_count[i] = 12;
		f->tmt1_s[i] = 340;
	}
	return f;
}

static inline void fixture_free(struct fixture *f)
{
	for (size_t i = 0; i < f->session.n; i++)
		run_fini(&f->session.drive[i].run);
	free(f->session.drive);
	free(f);
}

/* Full speed to 80 °C, 25 % less until 76 °C, and so on: a plain two-point regulator. */
static inline double fixture_speed(struct fixture *f, size_t i, double limit_c)
{
	double full = i ? 1100 : 1950;

	if (f->heat_c[i] >= limit_c)
		f->throttled[i] = true;
	if (f->heat_c[i] < limit_c - 1.5)
		f->throttled[i] = false;
	return (f->throttled[i] ? full * 0.7 : full) * (1 + 0.015 * fixture_noise(f));
}

static inline void fixture_fill(struct fixture *f, size_t i, double t_s, struct sample *row)
{
	bool load = t_s > FIXTURE_BASELINE_S && t_s <= FIXTURE_BASELINE_S + FIXTURE_LOAD_S;
	double limit_c = i ? 68 : 80, idle_c = i ? 52 : 44, mb_s = 0;

	sample_clear(row);
	row->time_s = t_s;
	row->utc_s = 1772359200 + t_s;
	row->phase = load                        ? PHASE_LOAD
		     : t_s <= FIXTURE_BASELINE_S ? PHASE_BASELINE
						 : PHASE_COOLDOWN;
	row->op = load ? OP_WRITE : OP_NONE;
	if (load) {
		mb_s = fixture_speed(f, i, limit_c);
		row->iops = mb_s * 1e6 / 131072;
		row->lat_avg_us = 32e6 / row->iops;
		row->lat_p99_us = row->lat_avg_us * 1.8;
		row->lat_max_us = row->lat_avg_us * 6;
		row->queue_avg = 31.8;
		row->bytes = mb_s * 1e6;
	}
	row->mb_s = mb_s;
	f->heat_c[i] += ((idle_c + mb_s * (i ? 0.02 : 0.0225)) - f->heat_c[i]) / 80;
	row->temp_c = floor(f->heat_c[i] + 0.5);
	row->sensor_c[0] = row->temp_c;
	row->sensor_c[1] = floor(f->heat_c[i] * 1.06);
	row->critical_warning = row->temp_c >= f->session.drive[i].run.drive.limits.wctemp_c ? 2
											     : 0;
	row->warning_min = 3;
	row->critical_min = 0;
	row->tmt1_count = f->tmt1_count[i];
	row->tmt1_s = f->tmt1_s[i];
	row->tmt2_count = 0;
	row->tmt2_s = 0;
	row->power_state = 0;
	row->link_gt_s = 8;
	row->link_width = 4;
	row->host_c = 51 + fixture_noise(f);
	row->cpu_throttle_count = 0;
	row->poll_ms = 1.2;
}

/* Appends the next row of every drive, with its events. False when the run is over. */
static inline bool fixture_step(struct fixture *f)
{
	for (size_t i = 0; i < f->session.n; i++) {
		struct session_drive *d = &f->session.drive[i];
		struct series *s = &d->run.series;
		double t_s = s->n ? series_time(s, s->n - 1) + 1 : 1;
		bool was = f->throttled[i];
		struct sample row;

		if (t_s > FIXTURE_ROWS)
			return false;
		if (was)
			f->tmt1_s[i]++;
		fixture_fill(f, i, t_s, &row);
		if (f->throttled[i] && !was)
			row.tmt1_count = ++f->tmt1_count[i];
		d->bytes += (uint64_t)(isnan(row.bytes) ? 0 : row.bytes);
		series_append(s, &row);
		if (f->throttled[i] && !was) {
			series_event(s, EVENT_TMT1, 1, NULL);
			if (f->tmt1_count[i] == 13) {
				series_event(s, EVENT_THROTTLE, row.temp_c, NULL);
				series_event(s, EVENT_STATE, NAN, "THROTTLED");
			}
		}
		if (t_s == FIXTURE_BASELINE_S + 1)
			series_event(s, EVENT_STATE, NAN, "HEATING");
		if (t_s == FIXTURE_BASELINE_S + 200)
			series_event(s, EVENT_MARK, NAN, "fan on");
		if (t_s == FIXTURE_BASELINE_S + FIXTURE_LOAD_S + 1)
			series_event(s, EVENT_STATE, NAN, "COOLING");
		d->phase = row.phase;
		d->phase_left_s = (d->phase == PHASE_BASELINE ? FIXTURE_BASELINE_S
				   : d->phase == PHASE_LOAD   ? FIXTURE_BASELINE_S + FIXTURE_LOAD_S
							      : FIXTURE_ROWS) -
				  t_s;
		f->session.elapsed_s = t_s;
	}
	return true;
}

#endif
