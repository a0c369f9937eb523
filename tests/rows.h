/*
 * Logs made by hand for tests of the analysis: rows of a second, a little repeatable noise.
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <math.h>
#include <string.h>

#include "throttlog/run.h"
#include "throttlog/verdict.h"

struct rows {
	struct run run;
	double time_s;
	double noise; /* relative, of the throughput */
	uint32_t state;
	struct sample next; /* values that the next rows carry besides */
};

static inline void rows_begin(struct rows *r, enum op op)
{
	memset(r, 0, sizeof(*r));
	run_clear(&r->run);
	r->run.load.op = op;
	r->run.load.queue_depth = 32;
	r->run.interval_s = 1;
	r->noise = 0.01;
	r->state = 12345;
	sample_clear(&r->next);
}

/* Uniform in -1..1. */
static inline double rows_random(struct rows *r)
{
	r->state = r->state * 1664525U + 1013904223U;
	return (double)(r->state >> 8) / 8388608.0 - 1;
}

/* One row; NAN leaves the value out. */
static inline void rows_add(struct rows *r, enum phase phase, double mb_s, double temp_c)
{
	struct sample s = r->next;

	r->time_s += r->run.interval_s;
	s.time_s = r->time_s;
	s.phase = phase;
	s.op = phase == PHASE_LOAD ? r->run.load.op : OP_NONE;
	s.mb_s = mb_s * (1 + r->noise * rows_random(r));
	s.bytes = s.mb_s * 1e6 * r->run.interval_s;
	s.temp_c = isnan(temp_c) ? (double)NAN : round(temp_c);
	series_append(&r->run.series, &s);
}

/* A minute of idle, polled every 30 s. */
static inline void rows_idle(struct rows *r, double temp_c)
{
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_BASELINE, 0, i % 30 == 0 ? temp_c : (double)NAN);
}

/* `n` rows of load, the temperature going evenly from..to. */
static inline void rows_load(struct rows *r, int n, double mb_s, double from_c, double to_c)
{
	for (int i = 0; i < n; i++)
		rows_add(r, PHASE_LOAD, mb_s, from_c + (to_c - from_c) * i / n);
}

static inline void rows_judge(struct rows *r, struct verdict *v)
{
	verdict_make(&r->run, v);
}

static inline void rows_end(struct rows *r, struct verdict *v)
{
	verdict_fini(v);
	run_fini(&r->run);
}

#endif
