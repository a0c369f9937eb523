/*
 * Throttling that costs almost nothing: the reading parks at a limit that the drive states, and
 * the speed changes a little as it arrives, or short dips begin.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

/* The stated limit at which the highest reading lies; NAN if none. */
static double parked_at(const struct thermal_limits *limits, double max_c, const char **name)
{
	const struct {
		const char *name;
		double c;
	} known[] = {{"TMT1", limits->tmt1_c}, {"WCTEMP", limits->wctemp_c}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (max_c - known[i].c >= -2 && max_c - known[i].c <= 3) {
			*name = known[i].name;
			return known[i].c;
		}
	return NAN;
}

/* Dips in from..to: well below the median of 15 around; neighbours are one dip. */
static long count_dips(const struct leg *l, long from, long to)
{
	double least = fmax(0.05, 6 * l->sigma), around[15], scratch[15];
	long dips = 0;
	bool was = false, is;

	for (long i = from; i < to; i++) {
		long a = i - 7 > 0 ? i - 7 : 0, b = i + 8 < l->n ? i + 8 : l->n;

		for (long k = a; k < b; k++)
			around[k - a] = log(fmax(l->mb_s[k], 1e-9));
		is = log(fmax(l->mb_s[i], 1e-9)) < stat_median(around, b - a, scratch) - least;
		dips += is && !was;
		was = is;
	}
	return dips;
}

struct shift {
	double size, trend, noise, before;
};

/* How the speed changes as the temperature arrives at bin `i`. */
static struct shift shift_at(const struct leg *l, long i)
{
	long a = i - leg_bins(l, 45), b = i - leg_bins(l, 4), c = i + leg_bins(l, 6);
	long e = i + leg_bins(l, 66), z = i - leg_bins(l, 86);
	struct shift s;

	a = a > 0 ? a : 0;
	z = z > 0 ? z : 0;
	e = e < l->n ? e : l->n;
	s.size = stat_mean(l->y + a, b - a) - stat_mean(l->y + c, e - c);
	s.before = a - z > leg_bins(l, 10)
		       ? fabs(stat_mean(l->y + z, a - z) - stat_mean(l->y + a, b - a))
		       : 0;
	s.noise = l->sigma * sqrt(1 / (double)(b - a) + 1 / (double)(e - c));
	s.trend = -stat_slope(l->y, 0, b) * (double)leg_bins(l, 55);
	return s;
}

/* The bin at which the reading arrives where it stays for the rest of the load; -1 if nowhere. */
static long arrival(const struct leg *l)
{
	double *scratch = xreallocarray(NULL, (size_t)l->n, sizeof(*scratch)), park, max;
	long last = leg_bins(l, 60), i = 0, high = 0, rest;

	last = last < l->n ? last : l->n;
	park = stat_median(l->temp_c + l->n - last, last, scratch);
	free(scratch);
	while (i < l->n && l->temp_c[i] < park)
		i++;
	rest = l->n - i - leg_bins(l, 3);
	max = leg_max_c(l, l->n - 1);
	if (rest < leg_bins(l, 60) || i < leg_bins(l, 45))
		return -1;
	for (long k = l->n - rest; k < l->n; k++)
		high += l->temp_c[k] >= max - 2;
	return high * 10 >= rest * 9 ? i : -1;
}

bool gentle_find(const struct run *run, const struct leg *leg, struct finding *out)
{
	double max_c = leg_max_c(leg, leg->n - 1), limit_c, loss, before;
	const char *name = NULL;
	struct shift s;
	long at, near = leg_bins(leg, 3), span = leg_bins(leg, 100), dips, dips_before, a, e;
	bool by_level, by_dips;

	limit_c = parked_at(&run->drive.limits, max_c, &name);
	if (isnan(limit_c) || (at = arrival(leg)) < 0)
		return false;
	s = shift_at(leg, at);
	by_level = s.size >= 0.01 && s.size < 0.06 && s.size >= 4 * s.trend &&
		   s.size >= 5 * s.noise && s.size >= 3 * s.before;
	a = at > span ? at - span : 0;
	e = at + near + span < leg->n ? at + near + span : leg->n;
	dips_before = count_dips(leg, a, at - near);
	dips = count_dips(leg, at + near, e);
	by_dips = dips >= 8 && (double)dips / (double)(e - at - near) >=
				   6 * (double)(dips_before + 1) / (double)(at - near - a);
	if (!by_level && !by_dips)
		return false;
	a = at > leg_bins(leg, 45) ? at - leg_bins(leg, 45) : 0;
	before = stat_mean(leg->mb_s + a, at - leg_bins(leg, 4) - a);
	loss = 1 - stat_mean(leg->mb_s + at + near, leg->n - at - near) / before;
	if (loss >= 0.06)
		return false;
	memset(out, 0, sizeof(*out));
	out->bin = at;
	out->end_bin = leg->n;
	out->lasting = true;
	out->cause = CAUSE_THERMAL;
	out->temp_c = max_c;
	out->ref = log(before / leg->usual_mb_s);
	out->depth = loss > 0 ? -log(1 - loss) : 0;
	out->score = tuning.accept;
	evidence_add(&out->evidence, "parks", 2,
		     "the temperature parks at %.0f °C, near %s of %.0f °C", max_c, name, limit_c);
	if (by_level)
		evidence_add(&out->evidence, "shift", 1.5,
			     "the speed changes by %.1f %% as it arrives there", 100 * s.size);
	if (by_dips)
		evidence_add(&out->evidence, "dips", 1.5,
			     "%ld short dips from there on, %ld before", dips, dips_before);
	return true;
}
