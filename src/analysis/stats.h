/* Small statistics on arrays of doubles. */
#ifndef ANALYSIS_STATS_H
#define ANALYSIS_STATS_H

/* The k-th smallest (0-based); reorders `a`. */
double stat_select(double *a, long n, long k);
/* NAN for n = 0. `scratch` has room for n; `a` stays as it is, unless both are the same. */
double stat_median(const double *a, long n, double *scratch);
double stat_mean(const double *a, long n);
/* Least-squares slope per item of a[from..to); 0 for fewer than 3. */
double stat_slope(const double *a, long from, long to);
double stat_max(const double *a, long from, long to); /* -INFINITY if empty */
double stat_min(const double *a, long from, long to); /* INFINITY if empty */
/*
 * How much of the variance of y[from..to) a falling line in x explains, 0..1; x NULL: the index.
 * 0 if the line does not fall or there are fewer than 20.
 */
double stat_falling_r2(const double *y, const double *x, long from, long to);

#endif
