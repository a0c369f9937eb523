/* Levels of a throughput curve: stretches of one speed between change points. */
#ifndef ANALYSIS_LEVELS_H
#define ANALYSIS_LEVELS_H

/* y[from..to) lies around `y` (median). */
struct level {
	long from, to;
	double y;
};

struct levels {
	struct level *item; /* owned; without gaps from 0 to n */
	long n;
};

/*
 * Median of three: kills dips of one bin and keeps edges. `out` has room for n, and is not `in`.
 */
void levels_smooth(const double *in, long n, double *out);
/* Relative noise of y = ln(speed): from first differences, or longer-range if that is larger. */
double levels_sigma(const double *y, long n);
/*
 * Binary segmentation with least squares in blocks of bounded length, joined afterwards; at most
 * n x (changes in one block). `min_bins` is the shortest level, `near_bins` how far a change
 * point may be moved to its best place.
 */
void levels_find(const double *y, long n, double sigma, long min_bins, long near_bins,
		 struct levels *out);
void levels_free(struct levels *l);

#endif
