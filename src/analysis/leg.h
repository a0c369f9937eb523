/*
 * A leg: one uninterrupted load of a log, on a grid of even bins. What the analysis judges.
 */
#ifndef ANALYSIS_LEG_H
#define ANALYSIS_LEG_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/levels.h"
#include "analysis/temps.h"
#include "throttlog/run.h"

struct leg {
	size_t first_row, end_row; /* rows of the series */
	enum op op;
	enum phase phase;
	double start_s; /* log time at which its first row's interval begins */
	double end_s;
	double lost_s; /* log time at which the drive vanished, NAN */

	/* Bins, the first seconds left out. All owned. */
	long n;
	double dt_s;
	double *time_s; /* log time at which the bin begins */
	double *mb_s;
	double *y; /* ln of speed / usual_mb_s, smoothed */
	double *temp_c;
	double *max_c, *min_c;   /* highest and lowest reading so far */
	double *bytes;           /* moved by the leg before the bin */
	double *queue, *foreign; /* in flight; MB/s of others; NAN where unknown */
	double *link, *cpu;      /* GT/s x lanes; CPU throttle count */
	bool has_temp;
	double usual_mb_s; /* 90th percentile */
	double sigma;
	struct levels levels;
	long counter_first;      /* bin in which a TMT counter moved first, or -1 */
	double counter_moves[4]; /* over the leg, from its start: TMT1 count, s, TMT2 count, s */
};

/* Legs of a log in order; returns how many. The caller frees with legs_free. */
size_t legs_read(const struct run *run, const struct temps *temps, struct leg **out);
void legs_free(struct leg *legs, size_t n);

/* Seconds to bins, at least 1. */
long leg_bins(const struct leg *l, double seconds);
/* A row's throughput, from whatever column has it; NAN if none. */
double row_mb_s(const struct run *run, size_t i);
double row_dt_s(const struct run *run, size_t i);

#endif
