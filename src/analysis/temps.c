/*
 * Cleans one temperature column. Facts behind the rules: 0 K means "no reading" (NVMe base
 * specification, SMART log bytes 1-2), drives are known that report a constant 40 °C, jump by
 * 50 K for a second, or sit at 84 °C while their sensors say 40 °C.
 */
#include "analysis/temps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

static bool is_load(const struct series *s, size_t i)
{
	return s->phase[i] == PHASE_LOAD;
}

/* Copies the readings that can be one; the others become NAN. */
static void take_readings(const struct series *s, struct temps *t)
{
	for (size_t i = 0; i < s->n; i++) {
		double c = series_get(s, t->source, i);

		if (!isnan(c) && (c < tuning.temp_min_c || c > tuning.temp_max_c)) {
			t->out_of_range++;
			c = NAN;
		}
		t->own_c[i] = c;
	}
}

/* The next row from `i` on that has a reading, or n. */
static size_t next_known(const struct temps *t, size_t n, size_t i)
{
	while (i < n && isnan(t->temp_c[i]))
		i++;
	return i;
}

/* Takes out one or two readings that jump away from their neighbours and come back. */
static void drop_glitches(struct temps *t, size_t n)
{
	size_t before = next_known(t, n, 0);

	while (before < n) {
		size_t one = next_known(t, n, before + 1);
		size_t two = next_known(t, n, one + 1), three = next_known(t, n, two + 1);
		double base = t->temp_c[before];
		size_t back;

		if (one >= n || fabs(t->temp_c[one] - base) < tuning.glitch_k) {
			before = one;
			continue;
		}
		back = two < n && fabs(t->temp_c[two] - base) <= tuning.glitch_k / 3       ? two
		       : three < n && fabs(t->temp_c[three] - base) <= tuning.glitch_k / 3 ? three
											   : n;
		if (back == n) {
			before = one;
			continue;
		}
		for (size_t i = one; i < back; i++)
			if (!isnan(t->temp_c[i])) {
				t->own_c[i] = NAN;
				t->glitches++;
			}
		before = back;
	}
}

static double load_spacing(const struct series *s, const struct temps *t)
{
	double *gap = xreallocarray(NULL, s->n, sizeof(*gap)), last = NAN, spacing = NAN;
	long n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (isnan(t->temp_c[i]))
			continue;
		if (!isnan(last) && is_load(s, i))
			gap[n++] = series_time(s, i) - last;
		last = series_time(s, i);
	}
	if (n)
		spacing = stat_select(gap, n, n / 2);
	free(gap);
	return spacing;
}

/* Carries readings on over rows that have none, for a while. */
static void carry(const struct series *s, struct temps *t)
{
	double last = NAN, last_s = NAN;
	double limit = tuning.carry_factor * fmax(t->spacing_s, 1);

	for (size_t i = 0; i < s->n; i++) {
		double limit_here = is_load(s, i) ? limit : fmax(limit, 90); /* idle: 30 s polls */

		if (!isnan(t->temp_c[i])) {
			last = t->temp_c[i];
			last_s = series_time(s, i);
		} else if (series_time(s, i) - last_s <= limit_here * 1.01) {
			t->own_c[i] = last;
		}
	}
}

/* True if the speed of the rows that move data changes by a quarter or more. */
static bool speed_changes(const struct series *s)
{
	double low = INFINITY, high = 0, sum = 0;
	int n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double mb_s = series_get(s, FIELD_MB_S, i);

		if (!is_load(s, i) || isnan(mb_s))
			continue;
		sum += mb_s;
		if (++n < 10) /* means of ten rows */
			continue;
		low = fmin(low, sum / n);
		high = fmax(high, sum / n);
		sum = n = 0;
	}
	return high > 0 && low < 0.75 * high;
}

/*
 * Not one other value in the whole log although the drive was idle and loaded, or its speed
 * changed: only an even load may have an even temperature.
 */
static bool is_frozen(const struct series *s, const struct temps *t)
{
	double first = NAN, load_s = 0, idle_s = 0;

	for (size_t i = 0; i < s->n; i++) {
		double dt = i > 0 ? fmin(series_time(s, i) - series_time(s, i - 1), 60) : 0;

		if (isnan(t->temp_c[i]))
			continue;
		if (isnan(first))
			first = t->temp_c[i];
		if (t->temp_c[i] != first)
			return false;
		if (is_load(s, i) && series_get(s, FIELD_MB_S, i) > 0)
			load_s += dt;
		else
			idle_s += dt;
	}
	return load_s >= tuning.frozen_s && (idle_s >= 20 || speed_changes(s));
}

/* Hot when idle, and not one other value ever, while another sensor of the drive is cool. */
static bool is_stuck(const struct series *s, const struct temps *t)
{
	double first = NAN, coolest = INFINITY;
	size_t idle = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (isnan(first))
			first = t->temp_c[i];
		if (!isnan(t->temp_c[i]) && t->temp_c[i] != first)
			return false;
		idle += !is_load(s, i) || series_get(s, FIELD_MB_S, i) < tuning.load_min_mb_s;
		for (enum field f = FIELD_SENSOR1; f <= FIELD_SENSOR8; f++)
			if (series_get(s, f, i) > tuning.temp_min_c)
				coolest = fmin(coolest, series_get(s, f, i));
	}
	return idle >= 2 && first >= tuning.cool_c && coolest <= first - 25;
}

/* Last minus first reading of a column; NAN without. */
static double growth(const struct series *s, enum field f)
{
	double first = NAN, last = NAN;

	for (size_t i = 0; s->col[f] && i < s->n; i++) {
		if (isnan(s->col[f][i]))
			continue;
		first = isnan(first) ? s->col[f][i] : first;
		last = s->col[f][i];
	}
	return last - first;
}

/* The drive counts a limit as reached by its composite temperature. */
static double belied_by(const struct run *run, const struct temps *t)
{
	const struct thermal_limits *l = &run->drive.limits;
	const struct {
		enum field count;
		double limit_c;
	} reached[] = {{FIELD_TMT1_COUNT, l->tmt1_c},    {FIELD_TMT1_S, l->tmt1_c},
		       {FIELD_TMT2_COUNT, l->tmt2_c},    {FIELD_TMT2_S, l->tmt2_c},
		       {FIELD_WARNING_MIN, l->wctemp_c}, {FIELD_CRITICAL_MIN, l->cctemp_c}};

	if (t->source != FIELD_TEMP || t->known < 2)
		return NAN;
	for (size_t i = 0; i < sizeof(reached) / sizeof(*reached); i++)
		if (growth(&run->series, reached[i].count) > 0 &&
		    t->max_c < reached[i].limit_c - tuning.belied_k)
			return reached[i].limit_c;
	return NAN;
}

/* Changes of the reading under load: when, and by how much. */
struct changes {
	double *at_s, *by_k;
	long n;
};

static struct changes find_changes(const struct series *s, const struct temps *t)
{
	struct changes c = {xreallocarray(NULL, s->n, sizeof(double)),
			    xreallocarray(NULL, s->n, sizeof(double)), 0};
	double last = NAN;

	for (size_t i = 0; i < s->n; i++) {
		if (isnan(t->temp_c[i]) || !is_load(s, i))
			continue;
		if (!isnan(last) && t->temp_c[i] != last && c.n < 2000) {
			c.at_s[c.n] = series_time(s, i);
			c.by_k[c.n++] = fabs(t->temp_c[i] - last);
		}
		last = t->temp_c[i];
	}
	return c;
}

/* An even rise in steps of a degree has such times too: then all steps are alike. */
static bool changes_vary(const struct changes *c)
{
	for (long i = 2; i < c->n; i++)
		if (fabs((c->at_s[i] - c->at_s[i - 1]) - (c->at_s[1] - c->at_s[0])) > 1.5 ||
		    fabs(c->by_k[i] - c->by_k[1]) > 0.5)
			return true;
	return false;
}

/*
 * A reading that the drive renews every N seconds changes at times that are the same modulo N.
 * The largest N that fits nearly all changes; NAN below 3 s.
 */
static double find_refresh(const struct series *s, const struct temps *t)
{
	struct changes c = find_changes(s, t);
	double found = NAN;

	for (long period = 30; period >= 3 && c.n >= 8 && isnan(found); period--) {
		long fits = 0;

		for (long i = 1; i < c.n; i++) {
			double steps = (c.at_s[i] - c.at_s[i - 1]) / (double)period;

			fits += fabs(steps - round(steps)) * (double)period < 0.6 && steps > 0.5;
		}
		if (fits * 100 >= (c.n - 1) * 95)
			found = (double)period;
	}
	if (!changes_vary(&c))
		found = NAN;
	free(c.at_s);
	free(c.by_k);
	return found;
}

/* The composite is a function of the sensors; none may be 20 K cooler all the time. */
static bool is_contradicted(const struct series *s, const struct temps *t)
{
	size_t seen = 0, far = 0;

	if (t->source != FIELD_TEMP)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		double hottest = -INFINITY;

		for (enum field f = FIELD_SENSOR1; f <= FIELD_SENSOR8; f++) {
			double c = series_get(s, f, i);

			if (!isnan(c) && c > hottest)
				hottest = c;
		}
		if (isnan(t->temp_c[i]) || hottest < tuning.temp_min_c)
			continue;
		seen++;
		far += t->temp_c[i] - hottest > tuning.glitch_k;
	}
	return seen > 0 && far * 10 > seen * 9;
}

bool temps_usable(const struct temps *t)
{
	return t->known >= 2 && !t->frozen && !t->stuck && !t->contradicted && isnan(t->belied_c);
}

/* A long log that has nothing wrong is not held twice. */
static void share_column(const struct series *s, struct temps *t)
{
	const double *column = s->col[t->source];

	if (!column || memcmp(column, t->own_c, s->n * sizeof(*column)) != 0)
		return;
	free(t->own_c);
	t->own_c = NULL;
	t->temp_c = column;
}

void temps_read(const struct run *run, enum field source, struct temps *out)
{
	const struct series *s = &run->series;

	memset(out, 0, sizeof(*out));
	out->source = source;
	out->max_c = out->spacing_s = out->refresh_s = out->belied_c = NAN;
	out->temp_c = out->own_c = xreallocarray(NULL, s->n ? s->n : 1, sizeof(double));
	if (!s->n)
		return;
	take_readings(s, out);
	drop_glitches(out, s->n);
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(out->temp_c[i]))
			continue;
		out->known++;
		out->max_c = fmax(out->max_c, out->temp_c[i]);
	}
	out->spacing_s = load_spacing(s, out);
	out->refresh_s = find_refresh(s, out);
	out->frozen = is_frozen(s, out);
	out->stuck = out->known >= 2 && is_stuck(s, out);
	out->contradicted = is_contradicted(s, out);
	out->belied_c = belied_by(run, out);
	carry(s, out);
	share_column(s, out);
}

void temps_free(struct temps *t)
{
	free(t->own_c);
	t->temp_c = t->own_c = NULL;
}
