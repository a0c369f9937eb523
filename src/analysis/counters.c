/*
 * What the drive's own counters say, as lines of evidence. They are lifetime totals, so only their
 * growth counts; TMT counters count host-controlled throttling only, so standing still proves
 * nothing; the warning time is in minutes (NVMe base specification, SMART log).
 */
#include <math.h>

#include "analysis/build.h"

static double growth(const struct series *s, enum field f)
{
	double first = NAN, last = NAN;

	for (size_t i = 0; s->col[f] && i < s->n; i++) {
		if (isnan(s->col[f][i]))
			continue;
		if (isnan(first))
			first = s->col[f][i];
		last = s->col[f][i];
	}
	return last - first;
}

static void about_tmt(const struct build *b, const char *name, enum field count, enum field seconds,
		      double limit_c)
{
	double times = growth(&b->run->series, count), time_s = growth(&b->run->series, seconds);

	if (!(times > 0) && !(time_s > 0))
		return;
	times = times > 0 ? times : 0;
	time_s = time_s > 0 ? time_s : 0;
	if (isnan(limit_c))
		evidence_add(&b->v->evidence, "tmt", 0, "%s: %.0f more transitions, %.0f s more",
			     name, times, time_s);
	else
		evidence_add(&b->v->evidence, "tmt", 0,
			     "%s, set by the host to %.0f °C: %.0f more transitions, %.0f s more",
			     name, limit_c, times, time_s);
}

void build_counters(const struct build *b)
{
	const struct thermal_limits *limits = &b->run->drive.limits;
	double warning = growth(&b->run->series, FIELD_WARNING_MIN);
	double critical = growth(&b->run->series, FIELD_CRITICAL_MIN);

	about_tmt(b, "TMT1", FIELD_TMT1_COUNT, FIELD_TMT1_S, limits->tmt1_c);
	about_tmt(b, "TMT2", FIELD_TMT2_COUNT, FIELD_TMT2_S, limits->tmt2_c);
	if (warning > 0)
		evidence_add(
		    &b->v->evidence, "warning-time", 0,
		    "%.0f min more at or above WCTEMP, which is an alarm and no throttling",
		    warning);
	if (critical > 0)
		evidence_add(&b->v->evidence, "critical-time", 0,
			     "%.0f min more at or above CCTEMP", critical);
}
