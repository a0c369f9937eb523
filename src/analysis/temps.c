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
		t->temp_c[i] = c;
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
				t->temp_c[i] = NAN;
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
			t->temp_c[i] = last;
		}
	}
}

/* Not one other value in the whole log although a load ran for long. */
static bool is_frozen(const struct series *s, const struct temps *t)
{
	double first = NAN, seconds = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (isnan(t->temp_c[i]))
			continue;
		if (isnan(first))
			first = t->temp_c[i];
		if (t->temp_c[i] != first)
			return false;
		if (i > 0 && is_load(s, i) && !(series_get(s, FIELD_MB_S, i) <= 0))
			seconds += fmin(series_time(s, i) - series_time(s, i - 1), 60);
	}
	return seconds >= tuning.frozen_s;
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
	return t->known >= 2 && !t->frozen && !t->contradicted;
}

void temps_read(const struct series *s, enum field source, struct temps *out)
{
	memset(out, 0, sizeof(*out));
	out->source = source;
	out->max_c = out->spacing_s = NAN;
	out->temp_c = xreallocarray(NULL, s->n ? s->n : 1, sizeof(double));
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
	out->frozen = is_frozen(s, out);
	out->contradicted = is_contradicted(s, out);
	carry(s, out);
}

void temps_free(struct temps *t)
{
	free(t->temp_c);
	t->temp_c = NULL;
}
