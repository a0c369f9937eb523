/*
 * Was the speed let down bit by bit, or did it fall at once? Fits a ramp to the speed around a
 * drop and compares it with what else could have been: one step, two steps, a slide all along.
 */
#include <math.h>

#include "analysis/shape.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"

/* Bins [from, end) of y, with running sums so that a mean over any part costs nothing. */
struct stretch {
	const double *y;
	long from, end;
	double sum[RAMP_BINS_MAX + 1], square[RAMP_BINS_MAX + 1];
};

static bool stretch_take(struct stretch *s, const double *y, long from, long end)
{
	s->y = y;
	s->from = from;
	s->end = end;
	if (end - from > RAMP_BINS_MAX)
		return false;
	s->sum[0] = s->square[0] = 0;
	for (long i = from; i < end; i++) {
		s->sum[i - from + 1] = s->sum[i - from] + y[i];
		s->square[i - from + 1] = s->square[i - from] + y[i] * y[i];
	}
	return true;
}

/* Squared error of bins [a, b) about their mean. */
static double flat_error(const struct stretch *s, long a, long b)
{
	double sum = s->sum[b - s->from] - s->sum[a - s->from];

	return b <= a
		   ? 0
		   : s->square[b - s->from] - s->square[a - s->from] - sum * sum / (double)(b - a);
}

/* Of the best two steps, the first of them where the drop is. */
static double steps_error(const struct stretch *s, long drop)
{
	double best = INFINITY;

	for (long i = clamp(drop - 3, s->from + 1, s->end); i <= drop + 3 && i < s->end; i++)
		for (long k = i; k < s->end; k++)
			best = fmin(best, flat_error(s, s->from, i) + flat_error(s, i, k) +
					      flat_error(s, k, s->end));
	return best;
}

/* Level until `start`, then evenly down to another level within `length` bins. */
static double ramp_error(const struct stretch *s, long start, long length)
{
	double n = (double)(s->end - s->from), u = 0, uu = 0, uy = 0, y, yy;

	for (long i = start; i < s->end; i++) {
		double x = i >= start + length ? 1 : ((double)(i - start) + 0.5) / (double)length;

		u += x;
		uu += x * x;
		uy += x * s->y[i];
	}
	y = s->sum[s->end - s->from];
	yy = s->square[s->end - s->from] - y * y / n;
	uu -= u * u / n;
	uy -= u * y / n;
	return uu > 1e-9 ? yy - uy * uy / uu : yy;
}

static double slide_error(const struct stretch *s)
{
	return ramp_error(s, s->from, s->end - s->from);
}

/* The best ramp from about bin `d` on, and how long it takes. */
static double best_ramp(const struct leg *l, const struct stretch *s, long d, double *length_s)
{
	static const double lengths_s[] = {8, 12, 18, 27, 40, 60, 85};
	double best = INFINITY;

	for (size_t k = 0; k < sizeof(lengths_s) / sizeof(*lengths_s); k++)
		for (long start = d - 3; start <= d + 3; start++) {
			double error = ramp_error(s, start, leg_bins(l, lengths_s[k]));

			if (error < best) {
				best = error;
				*length_s = lengths_s[k];
			}
		}
	return best;
}

void ramp_find(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	long d = at->bin, first = at->ref_since < d ? at->ref_since : d;
	long from = clamp(d - leg_bins(l, 60), first, d);
	long end = clamp(d + leg_bins(l, 90), 0, at->end_bin);
	double ramp, slide, steps, length_s = 0, n = (double)(end - from);
	struct stretch s;

	if (d - from < leg_bins(l, 10) || end - d < leg_bins(l, 30) ||
	    !stretch_take(&s, l->y, from, end))
		return;
	ramp = fmax(best_ramp(l, &s, d, &length_s), 1e-12);
	slide = fmax(slide_error(&s), 1e-12);
	steps = fmax(steps_error(&s, d), 1e-12);
	if (n * log(fmin(steps, slide) / ramp) >= tuning.ramp_gain)
		f->ramp_s = length_s;
	else if (n * log(steps / slide) >= tuning.ramp_gain && n * log(slide / ramp) < 2)
		f->sliding = true;
}
