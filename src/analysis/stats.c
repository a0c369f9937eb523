/* Small statistics on arrays of doubles. Nothing allocates. */
#include "analysis/stats.h"

#include <math.h>
#include <string.h>

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

double stat_select(double *a, long n, long k)
{
	long lo = 0, hi = n - 1;

	while (lo < hi) {
		double pivot = a[lo + (hi - lo) / 2];
		long i = lo, j = hi;

		while (i <= j) {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i <= j)
				swap(&a[i++], &a[j--]);
		}
		if (k <= j)
			hi = j;
		else if (k >= i)
			lo = i;
		else
			break;
	}
	return a[k];
}

double stat_median(const double *a, long n, double *scratch)
{
	double upper;

	if (n <= 0)
		return NAN;
	if (scratch != a)
		memcpy(scratch, a, (size_t)n * sizeof(*a));
	upper = stat_select(scratch, n, n / 2);
	if (n & 1)
		return upper;
	return 0.5 * (upper + stat_max(scratch, 0, n / 2));
}

double stat_mean(const double *a, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i];
	return n > 0 ? sum / (double)n : (double)NAN;
}

double stat_slope(const double *a, long from, long to)
{
	double sx = 0, sy = 0, sxy = 0, sxx = 0, n = (double)(to - from), d;

	if (to - from < 3)
		return 0;
	for (long i = from; i < to; i++) {
		double x = (double)(i - from);

		sx += x;
		sy += a[i];
		sxy += x * a[i];
		sxx += x * x;
	}
	d = n * sxx - sx * sx;
	return d > 0 ? (n * sxy - sx * sy) / d : 0;
}

double stat_max(const double *a, long from, long to)
{
	double m = -INFINITY;

	for (long i = from; i < to; i++)
		if (a[i] > m)
			m = a[i];
	return m;
}

double stat_min(const double *a, long from, long to)
{
	double m = INFINITY;

	for (long i = from; i < to; i++)
		if (a[i] < m)
			m = a[i];
	return m;
}

double stat_falling_r2(const double *y, const double *x, long from, long to)
{
	double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, n = (double)(to - from), vx, vy, c;

	if (to - from < 20)
		return 0;
	for (long i = from; i < to; i++) {
		double u = x ? x[i] : (double)(i - from);

		sx += u;
		sy += y[i];
		sxx += u * u;
		syy += y[i] * y[i];
		sxy += u * y[i];
	}
	vx = sxx - sx * sx / n;
	vy = syy - sy * sy / n;
	c = sxy - sx * sy / n;
	return vx > 1e-9 && vy > 1e-12 && c < 0 ? c * c / (vx * vy) : 0;
}
