/* The plain numbers of a run: how long, how hot, how fast. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

static void find_gaps(struct build *b)
{
	const struct series *s = &b->run->series;
	double usual = b->run->interval_s, *dt;
	long n = (long)s->n;

	if (n < 2)
		return;
	if (!(usual > 0)) {
		dt = xreallocarray(NULL, s->n, sizeof(*dt));
		for (long i = 1; i < n; i++)
			dt[i - 1] = series_time(s, (size_t)i) - series_time(s, (size_t)i - 1);
		usual = stat_select(dt, n - 1, (n - 1) / 2);
		free(dt);
	}
	if (!(usual > 0))
		return;
	for (size_t i = 1; i < s->n; i++) {
		double missed = round((series_time(s, i) - series_time(s, i - 1)) / usual) - 1;

		/* A damaged log may have a gap of any size; no run misses more rows than this. */
		if (missed > 0 && s->phase[i] != PHASE_BASELINE)
			b->v->missed_samples += (size_t)fmin(missed, 1e9);
	}
}

static double median_of(double *a, long n)
{
	return n ? stat_select(a, n, n / 2) : (double)NAN;
}

static void idle_and_hottest(struct build *b)
{
	const struct series *s = &b->run->series;
	double *idle = xreallocarray(NULL, s->n + 1, sizeof(*idle)), hottest = -INFINITY;
	long n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->phase[i] == PHASE_BASELINE && !isnan(b->temps.temp_c[i]))
			idle[n++] = b->temps.temp_c[i];
		for (enum field f = FIELD_SENSOR1; f <= FIELD_SENSOR8; f++) {
			double c = series_get(s, f, i);

			if (!(c > hottest) || c > tuning.temp_max_c)
				continue;
			hottest = c;
			snprintf(b->v->hottest_sensor, sizeof(b->v->hottest_sensor), "sensor%d",
				 (int)f - FIELD_SENSOR1 + 1);
		}
	}
	b->v->idle_c = median_of(idle, n);
	free(idle);
	b->v->max_c = b->temps.max_c;
	b->v->resolution_s = fmax(b->temps.spacing_s, b->temps.refresh_s);
	b->v->temp_trusted = temps_usable(&b->temps);
	if (b->temps.source == FIELD_TEMP && b->temps.known && !(hottest > b->v->max_c))
		snprintf(b->v->hottest_sensor, sizeof(b->v->hottest_sensor), "composite");
}

/* The last minute of the load, if the temperature had come to rest. */
static double steady_temp(const struct leg *l)
{
	long from = l->n - leg_bins(l, 60);

	if (!l->has_temp || from < 0)
		return NAN;
	if (fabs(stat_slope(l->temp_c, from, l->n)) / l->dt_s * 60 > tuning.steady_k_min)
		return NAN;
	return round(stat_mean(l->temp_c + from, l->n - from) * 10) / 10;
}

static void speeds(struct verdict *v, const struct leg *l)
{
	long last = leg_bins(l, 60), quarter = l->n / 4, five = leg_bins(l, 5);
	double peak = NAN;

	last = last > quarter ? last : quarter;
	last = last < l->n ? last : l->n;
	for (long k = 0; k < l->levels.n; k++) {
		const struct level *level = &l->levels.item[k];

		if (level->to - level->from >= five && !(level->y <= peak))
			peak = level->y;
	}
	v->peak_mb_s = isnan(peak) ? l->usual_mb_s : exp(peak) * l->usual_mb_s;
	v->sustained_mb_s = stat_mean(l->mb_s + l->n - last, last);
	v->mean_mb_s = stat_mean(l->mb_s, l->n);
}

/* Bytes moved in rows from..to; NAN if nothing tells. */
static double rows_bytes(const struct run *run, size_t from, size_t to)
{
	bool any = false;
	double sum = 0;

	for (size_t i = from; i < to; i++) {
		double mb_s = row_mb_s(run, i), bytes = series_get(&run->series, FIELD_BYTES, i);

		if (isnan(mb_s))
			continue;
		any = true;
		sum += isnan(bytes) ? mb_s * 1e6 * row_dt_s(run, i) : bytes;
	}
	return any ? round(sum) : (double)NAN;
}

void build_leg_numbers(struct build *b)
{
	const struct leg *l = &b->legs[b->main];
	struct verdict *v = b->v;

	v->load_start_s = l->start_s;
	v->load_end_s = l->end_s;
	v->bytes = rows_bytes(b->run, l->first_row, l->end_row);
	if (!l->n)
		return;
	v->steady_c = steady_temp(l);
	speeds(v, l);
	if (l->has_temp)
		v->max_c = leg_max_c(l, l->n - 1);
}

void build_summary(struct build *b)
{
	const struct series *s = &b->run->series;
	struct verdict *v = b->v;

	if (b->main < b->n_legs)
		build_leg_numbers(b);
	v->samples = s->n;
	v->duration_s = s->n ? series_time(s, s->n - 1) - series_time(s, 0) + row_dt_s(b->run, 0)
			     : 0;
	if (s->n && series_time(s, 0) >= 0 && series_time(s, 0) < v->duration_s)
		v->duration_s = series_time(s, s->n - 1);
	find_gaps(b);
	idle_and_hottest(b); /* of the whole log */
	v->bytes = rows_bytes(b->run, 0, s->n);
}
