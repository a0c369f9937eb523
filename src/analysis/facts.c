/* Looks around a drop: temperature before and after, what followed, what had been before. */
#include "analysis/facts.h"

#include <math.h>
#include <string.h>

#include "analysis/shape.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"

static long horizon(const struct leg *l, long i)
{
	return clamp(i + leg_bins(l, tuning.horizon_s), 0, l->n);
}

static void before(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	long d = at->bin, a = clamp(d - leg_bins(l, 30), 0, d), there = 0;
	long last;
	double was, trend = 0, slide = 0;

	f->temp_c = facts_peak(l, d);
	f->record = f->temp_c >= leg_max_c(l, d) - 1; /* a reading may flicker by one */
	f->rise_k = f->temp_c - leg_min_c(l, d);
	f->slope_k_s = d - a >= leg_bins(l, 5)
			   ? stat_slope(l->temp_c, a, d) / l->dt_s
			   : (l->temp_c[d] - l->temp_c[0]) / (l->dt_s * (double)(d > 1 ? d : 1));
	was = stat_max(l->temp_c, clamp(d - 2, 0, d), d + 1);
	for (long k = at->ref_since < d ? at->ref_since : d; k < d; k++)
		there += l->temp_c[k] >= was && l->y[k] > at->ref - 0.05;
	f->at_s = (double)there * l->dt_s;

	last = d - leg_bins(l, 1);
	a = clamp(d - leg_bins(l, 60), at->ref_since < d ? at->ref_since : d, d);
	if (last - a >= leg_bins(l, 15))
		trend = stat_slope(l->y, a, last) * (double)(last - a);
	a = at->ref_since;
	if (last - a >= leg_bins(l, 15))
		slide = -stat_slope(l->y, a, last) * (double)(last - a);
	f->sliding = (trend < -0.015 && trend < -fmax(0.25 * f->depth, 0.12 * f->fall)) ||
		     (slide > 0.015 && slide > fmax(0.3 * f->depth, 0.15 * f->fall));
}

/*
 * Down-steps that follow in the same slow stretch, all at the temperature of the first (stairs),
 * or small and each at least as hot as the one before (band). Returns the last bin of them.
 */
static long follow_steps(const struct drop_at *at, struct facts *f, double *last_c)
{
	const struct leg *l = at->leg;
	double low = l->levels.item[at->level].y, biggest = f->step, total = biggest;
	double band_c = f->temp_c;
	long last = l->levels.item[at->level].from, at_last = at->bin;
	bool same = true, band = f->step <= 0.2;

	*last_c = f->temp_c;
	for (long k = at->level + 1; k < l->levels.n && (same || band); k++) {
		const struct level *v = &l->levels.item[k];
		double len = fmin((double)(v->to - v->from), 30), step = low - v->y;
		double least = fmax(0.03, fmax(0.1 * f->step, 4 * l->sigma / sqrt(len))), c;

		if (v->from >= at->end_bin)
			break;
		if (step < least || v->to - v->from < leg_bins(l, 5))
			continue;
		c = facts_peak(l, v->from);
		same = same && (double)(v->from - last) * l->dt_s <= tuning.stair_gap_s &&
		       c >= f->temp_c - 1.5 && c <= f->temp_c + 2.5;
		band = band && (double)(v->from - last) * l->dt_s <= 60 && step <= 0.25 &&
		       c >= band_c - 0.5;
		if (same) {
			f->stairs++;
			biggest = fmax(biggest, step);
			total += step;
		}
		if (band) {
			f->band_steps++;
			band_c = c;
		}
		if (same || band) {
			at_last = v->from;
			*last_c = fmax(*last_c, c);
		}
		low = v->y;
		last = v->from;
	}
	if (biggest > 0.72 * total && f->stairs > 1)
		f->stairs = 1; /* one step makes up the whole */
	return at_last;
}

static void above(const struct drop_at *at, long last_step, double last_c, struct facts *f)
{
	const struct leg *l = at->leg;
	long from = clamp(last_step + leg_bins(l, tuning.peak_s) + 1, 0, l->n);
	long end = horizon(l, from), hot = 0, early = clamp(last_step + leg_bins(l, 20), 0, l->n);
	double speed = 0, early_speed = 0;

	f->above_k = from < end ? stat_max(l->temp_c, from, end) - last_c : 0;
	for (long i = from; i < end; i++)
		if (l->temp_c[i] >= last_c + 2) {
			hot++;
			speed += exp(l->y[i] - at->ref);
		}
	for (long i = last_step + 1; i < early; i++)
		early_speed += exp(l->y[i] - at->ref) / (double)(early - last_step - 1);
	f->cut_more = hot >= leg_bins(l, 5) && early > last_step + 1 &&
		      speed / (double)hot < 0.8 * early_speed;
}

static void after(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	long d = at->bin, peak = leg_bins(l, tuning.peak_s), a, b, end = horizon(l, d);

	b = clamp(d + leg_bins(l, 150), 0, at->end_bin);
	for (long i = d; i < b; i++)
		f->cold_s += l->temp_c[i] < f->temp_c - tuning.hysteresis_k &&
			     l->y[i] < at->ref - at->least;
	for (long i = clamp(d + peak, 0, l->n); i < end; i++)
		f->exceed_s += l->y[i] > at->ref - 0.03 && l->temp_c[i] >= f->temp_c + 2;
	f->cold_s *= l->dt_s;
	f->exceed_s *= l->dt_s;

	a = clamp(d + leg_bins(l, 4), 0, l->n);
	b = clamp(d + leg_bins(l, 24), 0, at->end_bin);
	if (b - a >= leg_bins(l, 8))
		f->after_k_s = stat_slope(l->temp_c, a, b) / l->dt_s;

	a = clamp(d + leg_bins(l, 8), 0, l->n);
	b = clamp(d + leg_bins(l, 68), 0, l->n);
	if (b - a >= leg_bins(l, 40)) {
		double mean = stat_mean(l->temp_c + a, b - a), var = 0;

		for (long i = a; i < b; i++)
			var += (l->temp_c[i] - mean) * (l->temp_c[i] - mean);
		f->flat = sqrt(var / (double)(b - a)) <= 1 && fabs(mean - f->temp_c) <= 1.5 &&
			  fabs(stat_slope(l->temp_c, a, b)) * (double)(b - a) <= 1.5;
	}
	a = clamp(d - leg_bins(l, 10), 0, d);
	b = clamp(at->end_bin, 0, end);
	f->r2_temp = stat_falling_r2(l->y, l->temp_c, a, b);
	f->r2_time = stat_falling_r2(l->y, NULL, a, b);
}

/* The lowest level of some length within two minutes. */
static void whole_fall(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	long end = clamp(at->bin + leg_bins(l, 120), 0, at->end_bin);

	f->fall = f->step;
	for (long k = at->level; k < l->levels.n && l->levels.item[k].from < end; k++)
		if (l->levels.item[k].to - l->levels.item[k].from >= leg_bins(l, 5))
			f->fall = fmax(f->fall, at->ref - l->levels.item[k].y);
}

/* Drops after the recovery, by the temperature at which they come. */
static void again(const struct drop_at *at, struct facts *f)
{
	const struct leg *l = at->leg;
	double up = fmax(0.05, 5 * l->sigma), down = fmax(up, 0.4 * f->depth), hot = 0, deep;
	long end = horizon(l, at->bin);
	bool low = false;

	for (long i = at->end_bin; i < end; i++) {
		bool last = i + 1 >= l->n;

		if (low) {
			low = !(l->y[i] > at->ref - 0.6 * up &&
				(last || l->y[i + 1] > at->ref - 0.6 * up));
			continue;
		}
		if (l->temp_c[i] >= f->temp_c - 0.5)
			hot += l->dt_s;
		if (l->y[i] < at->ref - down && (last || l->y[i + 1] < at->ref - down)) {
			low = true;
			deep = at->ref - stat_min(l->y, i, clamp(i + leg_bins(l, 3), 0, l->n));
			if (fabs(facts_peak(l, i) - f->temp_c) <= tuning.same_k &&
			    deep <= 3 * fmax(f->depth, f->fall))
				f->same_drops++;
			else
				f->other_drops++;
		}
	}
	f->full_hot_all = hot;
	f->full_hot_s = hot / (f->same_drops + 1);
}

static void near_limit(const struct thermal_limits *limits, struct facts *f)
{
	const struct {
		const char *name;
		double c;
	} known[] = {{"TMT1", limits->tmt1_c},
		     {"TMT2", limits->tmt2_c},
		     {"WCTEMP", limits->wctemp_c},
		     {"CCTEMP", limits->cctemp_c}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known) && !f->near; i++) {
		double over = f->temp_c - known[i].c;

		if (over >= -tuning.near_below_k && over <= tuning.near_above_k) {
			f->near = known[i].name;
			f->near_c = known[i].c;
		}
	}
}

/* Only a lasting drop has the time to tell by its heat. */
static void heat_made(const struct drop_at *at, const struct facts_context *context,
		      struct facts *f)
{
	const struct leg *l = at->leg;
	struct power_ratio power;
	double speed = 0;

	/* One level before and one after: a speed that is steered has no such ratio. */
	if (!at->lasting || !l->has_temp || !f->record || f->steered || f->follows || f->stairs ||
	    f->band_steps ||
	    !power_find(context->run, context->temps, l, at->bin, at->end_bin, at->ref_since,
			&power))
		return;
	for (long i = at->bin; i < at->end_bin; i++)
		speed += exp(l->y[i] - at->ref);
	f->has_power = true;
	f->power_low = power.low;
	f->power_high = power.high;
	f->speed_ratio = speed / (double)(at->end_bin - at->bin);
}

static bool stayed_busy(const struct leg *l, long d, long end_bin)
{
	long end = d + leg_bins(l, 30), n = 0;
	double sum = 0;

	end = end < end_bin ? end : end_bin;
	for (long i = d; i < end; i++)
		if (!isnan(leg_value(l->util, i))) {
			sum += l->util[i];
			n++;
		}
	return n > 0 && sum / (double)n >= tuning.busy_pct;
}

void facts_find(const struct drop_at *at, const struct facts_context *context, struct facts *out)
{
	const struct leg *l = at->leg;
	long d = at->bin, a, last_step;
	double last_c, scratch[16];
	long n;

	memset(out, 0, sizeof(*out));
	out->leg = l;
	out->op = l->op;
	out->lasting = at->lasting;
	out->second = at->second;
	/* A drive that stays busy is asked for as much as before, whoever asks. */
	out->watched = l->op == OP_NONE && !stayed_busy(l, d, at->end_bin);
	out->seconds = at->lasting ? (double)NAN : (double)(at->end_bin - d) * l->dt_s;
	out->left_s = (double)(l->n - d) * l->dt_s;
	out->bytes = l->bytes[d];
	out->step = at->ref - l->levels.item[at->level].y;
	n = clamp(leg_bins(l, 10), 1, 16);
	n = clamp(n, 1, at->end_bin - d > 0 ? at->end_bin - d : 1);
	out->depth = at->ref - stat_median(l->y + d, n, scratch);
	out->others = context->others;
	out->cache_c = context->cache_c;
	whole_fall(at, out);
	before(at, out);
	last_step = follow_steps(at, out, &last_c);
	above(at, last_step, last_c, out);
	after(at, out);
	again(at, out);
	facts_shape(at, out);
	heat_made(at, context, out);
	near_limit(context->limits, out);
	out->warning_c = context->limits->wctemp_c;
	for (a = 0; a < context->n_dips; a++)
		out->cooler_dips += context->dips[a].temp_c <= out->temp_c - 3 &&
				    context->dips[a].depth >= 0.4 * out->depth;
}
