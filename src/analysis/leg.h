/*
 * A leg: one uninterrupted load of a log, on a grid of even bins. What the analysis judges.
 */
#ifndef ANALYSIS_LEG_H
#define ANALYSIS_LEG_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "analysis/levels.h"
#include "analysis/temps.h"
#include "analysis/witness.h"
#include "throttlog/journal.h"
#include "throttlog/run.h"

/* Bins that set a record, and what it was. */
struct records {
	long *bin;
	double *value;
	long n, cap;
};

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
	double *y;            /* ln of speed / usual_mb_s, smoothed */
	const double *temp_c; /* of the struct temps if they are the same */
	double *own_c;
	double *bytes; /* moved by the leg before the bin */
	/* NAN where unknown, NULL if the log has none: read with leg_value() */
	double *queue, *foreign; /* in flight; MB/s of others */
	double *util;            /* percent of the time with a request in flight */
	double *link, *cpu;      /* GT/s x lanes; CPU throttle count */
	struct records highest, lowest;
	bool has_temp;
	double usual_mb_s; /* 90th percentile */
	double sigma;
	struct levels levels;
	/* Bin in which the drive first recorded throttling, or -1; it began there or since ... */
	long witness_first[WITNESS_COUNT], witness_since[WITNESS_COUNT];
	long entry[JOURNAL_MAX]; /* bins of the event log's entries that tell of throttling */
	int n_entries;
};

/* Legs of a log in order; returns how many. The caller frees with legs_free, `temps` later. */
size_t legs_read(const struct run *run, const struct temps *temps, struct leg **out);
void legs_free(struct leg *legs, size_t n);

/* Highest and lowest reading up to a bin. */
double leg_max_c(const struct leg *l, long bin);
double leg_min_c(const struct leg *l, long bin);

static inline double leg_value(const double *column, long bin)
{
	return column ? column[bin] : (double)NAN;
}

/* Enough of it to say anything. */
bool leg_is_long(const struct leg *l);
/* Seconds to bins, at least 1. */
long leg_bins(const struct leg *l, double seconds);
/* A row's throughput, from whatever column has it; NAN if none. */
double row_mb_s(const struct run *run, size_t i);
double row_dt_s(const struct run *run, size_t i);

#endif
