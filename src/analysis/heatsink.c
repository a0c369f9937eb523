/*
 * Does it need a heatsink? A table of rules, the first that applies answers. Without a fit of the
 * thermal model the answer names no sizes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static bool throttled_idle_hot(const struct state *s)
{
	return s->v->throttled == TRI_TRUE && s->v->idle_c >= s->limit_c - 8;
}

static bool idle_hot(const struct state *s)
{
	return s->v->throttled == TRI_FALSE && s->v->idle_c >= s->limit_c - 8;
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
	       s->slope_k_min < tuning.steady_k_min;
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
	return s->v->throttled == TRI_FALSE && s->v->temp_trusted;
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
    {throttled_idle_hot, TRI_TRUE, "idle is already within 8 K of the limit: case airflow first"},
    {idle_hot, TRI_NULL, "idle is already within 8 K of the limit: case airflow first"},
    {throttled_much, TRI_TRUE, "yes: a heatsink or airflow would give the speed back"},
    {throttled_little, TRI_FALSE,
     "optional: the limit is held, nothing to gain that you would notice"},
    {throttled_some, TRI_NULL, "would help a little under long loads"},
    {far_below, TRI_FALSE, "no: the temperature has settled well below the limit"},
    {still_rising, TRI_NULL, "open: still getting hotter at the end; run at least 10 min of load"},
    {close_below, TRI_FALSE,
     "no for this load, but the limit is near: little is left in warmer air"},
    {no_limit, TRI_NULL,
     "cannot say: the drive states no limit and none was reached, up to {max} °C"},
    {always, TRI_NULL, "cannot say from this log"},
};

/* {max} stands for the highest temperature. */
static void say(const char *text, double max_c, char *buf, size_t size)
{
	const char *at = strstr(text, "{max}");

	if (at)
		text_format(buf, size, "%.*s%.0f%s", (int)(at - text), text, max_c,
			    at + strlen("{max}"));
	else
		text_format(buf, size, "%s", text);
}

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
		long minute = leg_bins(l, 60) < l->n ? leg_bins(l, 60) : l->n;
		long half = l->n / 2 < leg_bins(l, 180) ? l->n / 2 : leg_bins(l, 180);
		long last = half > minute ? half : minute;
		double k_bin = stat_slope(l->temp_c, l->n - last, l->n);

		s.end_c = stat_mean(l->temp_c + l->n - minute, minute);
		s.slope_k_min = fabs(k_bin) * (double)last > tuning.one_step_k
				    ? 60 * k_bin / l->dt_s
				    : 0;
	}
	for (size_t i = 0; i < COUNT(answers); i++)
		if (answers[i].applies(&s)) {
			v->heatsink_needed = answers[i].needed;
			say(answers[i].text, v->max_c, v->heatsink_text, sizeof(v->heatsink_text));
			return;
		}
}
