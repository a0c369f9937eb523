/* The exact beginning of a drop, from the bins themselves. */
#include "analysis/steps.h"

#include <math.h>

#include "analysis/shape.h"
#include "analysis/stats.h"

/* The sharpest edge near the beginning of a level, if it makes up most of the fall; else -1. */
static long sharp_edge(const struct leg *l, const struct drop_at *at, double fall)
{
	long first = at->bin - 2, last = at->bin + 2, edge = -1;
	double best = 0.6 * fall;

	first = first < 1 ? 1 : first;
	last = last < l->n - 1 ? last : l->n - 1;
	for (long i = first; i <= last; i++)
		if (l->y[i - 1] - l->y[i] > best) {
			best = l->y[i - 1] - l->y[i];
			edge = i;
		}
	return edge;
}

void step_find_start(struct drop_at *at, long from)
{
	const struct leg *l = at->leg;
	double allowed = fmax(0.01, l->sigma), sum = 0, best = 0;
	long first = at->bin - leg_bins(l, 30), full = 0, start;

	start = sharp_edge(l, at, at->ref - l->levels.item[at->level].y);
	if (start < 0) {
		start = at->bin;
		first = first > from ? first : from;
		for (long i = at->bin - 1; i >= first && full < 2; i--) {
			double less = at->ref - l->y[i] - allowed;

			full = less < 0 ? full + 1 : 0;
			sum += less;
			if (sum > best) {
				best = sum;
				start = i;
			}
		}
	}
	at->bin = start < 1 ? 1 : start;
}

static double raw_y(const struct leg *l, long i)
{
	return log(fmax(l->mb_s[i], 1e-9) / l->usual_mb_s);
}

long step_double(const struct drop_at *at, double *step_y)
{
	const double apart = 0.22; /* a fifth */
	const struct leg *l = at->leg;
	const struct level *v = &l->levels.item[at->level];
	double low = v->y;
	long first = at->bin - 1 > 0 ? at->bin - 1 : 0, i = first, between = 0;

	if (l->op != OP_WRITE || !at->lasting || at->bin + 10 >= l->n)
		return -1;
	/* The step and a bit of what follows may make a short level. */
	if (v->to - v->from <= leg_bins(l, 5) && at->level + 1 < l->levels.n)
		low = fmin(low, v[1].y);
	while (i < first + 3 && raw_y(l, i) > at->ref - apart)
		i++;
	for (; raw_y(l, i) > low + apart && between < 5; i++)
		between++;
	*step_y = raw_y(l, i - 1);
	/* The first bin in between may be part of the fall; a gradual fall takes longer. */
	if (between < 2 || between > 4 || *step_y > at->ref - apart ||
	    stat_mean(l->y + i + 1, 3) > *step_y - apart)
		return -1;
	return i;
}

void step_second_stage(const struct leg *l, struct finding *f)
{
	const double deeper = 0.15, back = 0.05; /* ln */
	const struct levels *v = &l->levels;
	double low = INFINITY, low_c;
	long at = -1;

	for (long k = 0; l->has_temp && k < v->n; k++) {
		const struct level *is = &v->item[k];

		if (is->to <= f->bin + leg_bins(l, 10))
			continue;
		if (at >= 0 && is->y > low + back)
			return; /* no stage: it comes back */
		if (at < 0 && isfinite(low) && is->y < low - deeper &&
		    is->to - is->from >= leg_bins(l, 10) &&
		    facts_peak(l, is->from) >= f->temp_c + 2)
			at = is->from;
		low = fmin(low, is->y);
	}
	if (at < 0)
		return;
	low_c = facts_peak(l, at);
	evidence_add(&f->evidence, "second-stage", 0,
		     "a second stage %.0f s later at %.0f °C: down to %.0f MB/s",
		     (double)(at - f->bin) * l->dt_s, low_c, stat_mean(l->mb_s + at, l->n - at));
}
