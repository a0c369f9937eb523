/* The shape of a drop: steered or cut, calm or restless around it. */
#include "analysis/shape.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "analysis/tuning.h"

double facts_peak(const struct leg *l, long i)
{
	return stat_max(l->temp_c, clamp(i - 1, 0, l->n),
			clamp(i + leg_bins(l, tuning.peak_s) + 1, 0, l->n));
}

/* How long the temperature stood where the drop came, without drifting. */
static double held(const struct drop_at *at, const struct facts *f)
{
	const struct leg *l = at->leg;
	long from = at->bin + leg_bins(l, 10),
	     end = clamp(at->bin + leg_bins(l, 300), 0, at->end_bin);
	long near = 0;

	if (end - from < leg_bins(l, 90))
		return 0;
	for (long i = from; i < end; i++)
		near += fabs(l->temp_c[i] - f->temp_c) <= 1;
	if (near * 100 < (end - from) * 95 ||
	    fabs(stat_slope(l->temp_c, from, end)) * (double)(end - from) > 1)
		return 0;
	return (double)(end - from) * l->dt_s;
}

/* The three sharpest falls over three seconds, not overlapping, added up. */
static double sharpest_falls(const struct leg *l, long from, long end)
{
	long three = leg_bins(l, 3), taken[3] = {0}, n = 0;
	double sum = 0;

	while (n < 3) {
		double best = 0;
		long at = -1;

		for (long i = from; i + three < end; i++) {
			bool free = true;

			for (long k = 0; k < n; k++)
				free = free && labs(i - taken[k]) >= three;
			if (free && l->y[i] - l->y[i + three] > best) {
				best = l->y[i] - l->y[i + three];
				at = i;
			}
		}
		if (at < 0)
			break;
		taken[n++] = at;
		sum += best;
	}
	return sum;
}

/*
 * How much the speed wandered before the drop: spread of its means over 5 s, in units of the noise
 * between neighbours, over five minutes. About 1 for noise alone; NAN if there was no time to tell.
 */
static double wander_before(const struct drop_at *at)
{
	const struct leg *l = at->leg;
	long first = clamp(at->bin - leg_bins(l, 300), clamp(at->ref_since, 0, at->bin), at->bin);
	long five = leg_bins(l, 5), n = 0;
	long a = clamp(first, leg_bins(l, 2), l->n), b = at->bin - leg_bins(l, 2);
	double sum = 0, square = 0, mean;

	for (; a + five <= b; a += five, n++) {
		mean = stat_mean(l->y + a, five);
		sum += mean;
		square += mean * mean;
	}
	if (n < 4)
		return (double)NAN;
	mean = sum / (double)n;
	return sqrt(fmax(0, square / (double)n - mean * mean)) /
	       levels_sigma(l->y + first, b - first);
}

/*
 * A controller that holds a limit lets the speed down bit by bit, and the temperature, which had
 * been rising, stands still meanwhile. Nothing else stops it just then.
 */
static void steering(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	long d = at->bin, end = clamp(d + leg_bins(l, 90), 0, at->end_bin), flat = 0, settled = d;
	long first = clamp(d - leg_bins(l, 60), at->ref_since < d ? at->ref_since : d, d);
	long from = d + leg_bins(l, 3);
	double total, before;

	if (end - d < leg_bins(l, 20))
		return;
	total = at->ref - stat_mean(l->y + end - leg_bins(l, 10), leg_bins(l, 10));
	while (settled < end && at->ref - l->y[settled] < 0.8 * total)
		settled++;
	before = -stat_slope(l->y, first, d - 1) * (double)(settled - d);
	for (long i = from; i < end; i++)
		flat += fabs(l->temp_c[i] - f->temp_c) <= 2;
	if (f->sliding || total < fmax(0.06, 4 * l->sigma) || before >= 0.25 * total ||
	    sharpest_falls(l, clamp(d - leg_bins(l, 3), 0, d), end) >= 0.8 * total)
		return;
	f->steered = flat * 10 >= (end - from) * 9 && f->slope_k_s >= 0.03;
	/* A slide all along must have had the time to show. */
	f->follows = !f->steered && d - first >= leg_bins(l, 45) &&
		     leg_max_c(l, end - 1) >= f->temp_c + 2 && f->r2_temp > 0.8;
}

/* Changes of level while far cooler: it does that anyway. */
static int changes_before(const struct drop_at *at, const struct facts *f)
{
	const struct levels *v = &at->leg->levels;
	double least = fmax(tuning.drop_min, 0.25 * f->fall);
	int changes = 0;

	for (long k = 1; k < at->level; k++)
		changes += fabs(v->item[k].y - v->item[k - 1].y) >= least &&
			   facts_peak(at->leg, v->item[k].from) <= f->temp_c - 6;
	return changes;
}

/* The level goes up again amid the low stretch though it has not got cooler since it fell. */
static int rises_when_hot(const struct drop_at *at, const struct facts *f)
{
	const struct leg *l = at->leg;
	const struct levels *v = &l->levels;
	long five = leg_bins(l, 5);
	int rises = 0;

	for (long k = at->level + 1; k < v->n && v->item[k].from < at->end_bin && rises < 9; k++) {
		const struct level *is = &v->item[k], *was = &v->item[k - 1];
		double least = fmax(0.05, 0.25 * f->depth), noise, hottest, coolest;

		if (is->y - was->y < least || is->to - is->from < five ||
		    was->to - was->from < five)
			continue;
		/* An unstable speed has noise of its own. */
		noise = 4 * levels_sigma(l->y + was->from, was->to - was->from) /
			sqrt((double)(was->to - was->from));
		hottest = stat_max(l->temp_c, was->from, was->to);
		coolest = stat_min(l->temp_c, clamp(is->from - leg_bins(l, 8), 0, is->from),
				   is->from);
		rises += is->y - was->y >= noise && coolest >= fmax(f->temp_c + 1, hottest - 0.5);
	}
	return rises;
}

/*
 * Low and full stretches of the same length each, from the first on: a clock outside the drive.
 * Heat's cycles change as the case warms up.
 */
static void clockwork(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	const struct levels *v = &l->levels;
	double mid = at->ref - 0.5 * f->depth, full[2] = {INFINITY, 0}, low[2] = {INFINITY, 0};
	double sum = 0;
	long since = at->bin, n = 0;
	bool is_low = true;

	for (long k = at->level + 1; k < v->n && n < 24; k++) {
		double seconds, *range = is_low ? low : full;

		if ((v->item[k].y < mid) == is_low)
			continue;
		seconds = (double)(v->item[k].from - since) * l->dt_s;
		range[0] = fmin(range[0], seconds);
		range[1] = fmax(range[1], seconds);
		sum += seconds;
		since = v->item[k].from;
		is_low = !is_low;
		n++;
	}
	if (n < 8 || full[1] - full[0] > fmax(2 * l->dt_s, 0.05 * full[1]) ||
	    low[1] - low[0] > fmax(2 * l->dt_s, 0.05 * low[1]))
		return;
	f->clock_cycles = (int)n / 2;
	f->clock_s = 2 * sum / (double)n;
}

void facts_shape(const struct drop_at *at, struct facts *f)
{
	f->held_s = held(at, f);
	ramp_find(at, f); /* before steering(): it may be a slide */
	f->wander = wander_before(at);
	steering(at, f);
	f->changes = changes_before(at, f);
	f->hot_rises = rises_when_hot(at, f);
	clockwork(at, f);
}
