/*
 * Does it need a heatsink? A table of rules, the first that applies answers. Without a fit of the
 * thermal model the answer names no sizes.
 */
#include <math.h>
#include <stdio.h>

#include "analysis/build.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/text.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* What the answer depends on. */
struct state {
	const struct verdict *v;
	double share;              /* of the load that was throttled */
	double limit_c;            /* observed, else stated; NAN */
	double end_c, slope_k_min; /* at the end of the load; NAN */
	double load_s;
};

static bool lost(const struct state *s)
{
	return s->v->klass == CLASS_SHUTDOWN && s->v->throttled == TRI_TRUE;
}

static bool idle_hot(const struct state *s)
{
	return s->v->throttled == TRI_TRUE && s->v->idle_c >= s->limit_c - 8;
}

static bool throttled_much(const struct state *s)
{
	return s->v->throttled == TRI_TRUE &&
	       (s->v->loss_pct >= 10 || (s->share >= 0.2 && s->v->loss_pct >= 5));
}

static bool throttled_little(const struct state *s)
{
	return s->v->throttled == TRI_TRUE && s->v->loss_pct < 5;
}

static bool throttled_some(const struct state *s)
{
	return s->v->throttled == TRI_TRUE;
}

static bool far_below(const struct state *s)
{
	return s->v->throttled == TRI_FALSE && s->end_c <= s->limit_c - 8 &&
	       fabs(s->slope_k_min) < tuning.steady_k_min;
}

static bool still_rising(const struct state *s)
{
	return s->v->throttled == TRI_FALSE && !isnan(s->limit_c) &&
	       s->slope_k_min >= tuning.steady_k_min;
}

static bool close_below(const struct state *s)
{
	return s->v->throttled == TRI_FALSE && !isnan(s->limit_c) && !isnan(s->end_c);
}

static bool no_limit(const struct state *s)
{
	return s->v->throttled == TRI_FALSE;
}

static bool always(const struct state *s)
{
	(void)s;
	return true;
}

static const struct {
	bool (*applies)(const struct state *s);
	enum tristate needed;
	const char *text;
} answers[] = {
    {lost, TRI_TRUE, "needed before further use: the drive shut down from heat"},
    {idle_hot, TRI_TRUE, "idle is already within 8 K of the limit: case airflow first"},
    {throttled_much, TRI_TRUE, "yes: a heatsink or airflow would give the speed back"},
    {throttled_little, TRI_FALSE,
     "optional: the limit is held, nothing to gain that you would notice"},
    {throttled_some, TRI_NULL, "would help a little under long loads"},
    {far_below, TRI_FALSE, "no: the temperature has settled well below the limit"},
    {still_rising, TRI_NULL, "open: still getting hotter at the end; run at least 10 min of load"},
    {close_below, TRI_FALSE,
     "no for this load, but the limit is near: little is left in warmer air"},
    {no_limit, TRI_NULL, "cannot say: the drive states no limit and none was reached"},
    {always, TRI_NULL, "cannot say from this log"},
};

void build_heatsink(const struct build *b)
{
	struct verdict *v = b->v;
	struct state s = {.v = v, .limit_c = v->observed_limit_c, .end_c = NAN, .slope_k_min = NAN};

	if (isnan(s.limit_c))
		s.limit_c = b->run->drive.limits.wctemp_c;
	s.load_s = v->load_end_s - v->load_start_s;
	s.share = v->time_throttled_s / s.load_s;
	if (b->main < b->n_legs && b->legs[b->main].has_temp) {
		const struct leg *l = &b->legs[b->main];
		long from = l->n > leg_bins(l, 60) ? l->n - leg_bins(l, 60) : 0;

		s.end_c = stat_mean(l->temp_c + from, l->n - from);
		s.slope_k_min = 60 * stat_slope(l->temp_c, from, l->n) / l->dt_s;
	}
	for (size_t i = 0; i < COUNT(answers); i++)
		if (answers[i].applies(&s)) {
			v->heatsink_needed = answers[i].needed;
			text_format(v->heatsink_text, sizeof(v->heatsink_text), "%s",
				    answers[i].text);
			return;
		}
}
