/*
 * Change points by binary segmentation. Sums are kept as prefix sums, so a split of any stretch
 * costs its length once. PELT gives the same verdicts at a thousand times the cost on quiet runs.
 */
#include "analysis/levels.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

void levels_smooth(const double *in, long n, double *out)
{
	for (long i = 0; i < n; i++) {
		double x, y, z;

		if (i == 0 || i == n - 1) {
			out[i] = in[i];
			continue;
		}
		x = in[i - 1];
		y = in[i];
		z = in[i + 1];
		out[i] = fmax(fmin(x, y), fmin(fmax(x, y), z));
	}
}

double levels_sigma(const double *y, long n)
{
	const double to_sigma = 1.4826 / sqrt(2); /* MAD of differences to sigma of the values */
	double *d, s1, s4;
	long m = 0;

	if (n < 2)
		return tuning.sigma_floor;
	d = xreallocarray(NULL, (size_t)n, sizeof(*d));
	for (long i = 1; i < n; i++)
		d[i - 1] = fabs(y[i] - y[i - 1]);
	s1 = s4 = stat_median(d, n - 1, d) * to_sigma;
	for (long i = 4; i + 4 <= n; i += 4)
		d[m++] = fabs(stat_mean(y + i, 4) - stat_mean(y + i - 4, 4));
	/* Means of four vary half as much if the noise is white; more if it is slow. */
	if (m > 4)
		s4 = 2 * stat_median(d, m, d) * to_sigma;
	free(d);
	return fmax(tuning.sigma_floor, fmax(s1, fmin(s4, 2 * s1)));
}

struct finder {
	const double *y;
	const double *sum; /* n + 1 prefix sums */
	double penalty;
	long min_bins;
	long *cut; /* sorted starts of levels, grown as needed */
	long n_cuts, cap;
	long (*todo)[2]; /* stretches left to try; room for one a bin of a block */
};

static void add_cut(struct finder *f, long at)
{
	if (f->n_cuts == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 64;
		f->cut = xreallocarray(f->cut, (size_t)f->cap, sizeof(*f->cut));
	}
	f->cut[f->n_cuts++] = at;
}

/* What two levels with the border at `i` explain more than one, for from..to. */
static double gain(const double *sum, long from, long i, long to)
{
	double left = (double)(i - from), right = (double)(to - i);
	double d = (sum[i] - sum[from]) / left - (sum[to] - sum[i]) / right;

	return d * d * left * right / (left + right);
}

static int by_value(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Splits from..to until no split gains enough. */
static void split(struct finder *f, long from, long to)
{
	long top = 0, first = f->n_cuts;

	add_cut(f, from);
	f->todo[top][0] = from;
	f->todo[top++][1] = to;
	while (top) {
		long a = f->todo[--top][0], b = f->todo[top][1], at = -1;
		double best = f->penalty;

		for (long i = a + f->min_bins; i <= b - f->min_bins; i++) {
			double g = gain(f->sum, a, i, b);

			if (g > best) {
				best = g;
				at = i;
			}
		}
		if (at < 0)
			continue;
		add_cut(f, at);
		f->todo[top][0] = a;
		f->todo[top++][1] = at;
		f->todo[top][0] = at;
		f->todo[top++][1] = b;
	}
	if (f->n_cuts > first + 1)
		qsort(f->cut + first, (size_t)(f->n_cuts - first), sizeof(*f->cut), by_value);
}

/* Removes borders (of blocks) at which nothing changes. */
static void join(struct finder *f, long n)
{
	long kept = 1;

	for (long k = 1; k < f->n_cuts; k++) {
		long next = k + 1 < f->n_cuts ? f->cut[k + 1] : n;

		if (gain(f->sum, f->cut[kept - 1], f->cut[k], next) > f->penalty)
			f->cut[kept++] = f->cut[k];
	}
	f->n_cuts = kept;
}

/* The best place within near_bins of the border `at` between from and to. */
static long refine(const struct finder *f, long from, long at, long to, long near_bins)
{
	double best = -1;
	long arg = at;

	long first = from + f->min_bins, last = to - f->min_bins;

	first = first < at - near_bins ? at - near_bins : first;
	last = last > at + near_bins ? at + near_bins : last;
	for (long i = first; i <= last; i++) {
		if (gain(f->sum, from, i, to) > best) {
			best = gain(f->sum, from, i, to);
			arg = i;
		}
	}
	return arg;
}

static void fill(const struct finder *f, long n, struct levels *out)
{
	double *scratch = xreallocarray(NULL, (size_t)n, sizeof(*scratch));

	out->item = xreallocarray(NULL, (size_t)f->n_cuts, sizeof(*out->item));
	out->n = 0;
	for (long k = 0; f->cut && k < f->n_cuts; k++) {
		long from = f->cut[k], to = k + 1 < f->n_cuts ? f->cut[k + 1] : n;

		if (to > from)
			out->item[out->n++] = (struct level){
			    from, to, stat_median(f->y + from, to - from, scratch)};
	}
	free(scratch);
}

void levels_find(const double *y, long n, double sigma, long min_bins, long near_bins,
		 struct levels *out)
{
	long block = (long)tuning.block_bins;
	double *sum = xreallocarray(NULL, (size_t)n + 1, sizeof(*sum));
	struct finder f = {
	    .y = y, .sum = sum, .min_bins = min_bins, .penalty = tuning.penalty * sigma * sigma};

	f.todo = xreallocarray(NULL, (size_t)block + 2, sizeof(*f.todo));
	f.penalty *= log(n > 3 ? (double)n : 3);
	sum[0] = 0;
	for (long i = 0; i < n; i++)
		sum[i + 1] = sum[i] + y[i];
	for (long from = 0; from < n; from += block)
		split(&f, from, from + block < n ? from + block : n);
	join(&f, n);
	for (long k = 1; k < f.n_cuts; k++)
		f.cut[k] = refine(&f, f.cut[k - 1], f.cut[k], k + 1 < f.n_cuts ? f.cut[k + 1] : n,
				  near_bins);
	free(sum);
	fill(&f, n, out);
	free(f.cut);
	free(f.todo);
}

void levels_free(struct levels *l)
{
	free(l->item);
	l->item = NULL;
	l->n = 0;
}
