/* Running numbers of a drive: latest, first and extreme values, kept row by row. */
#include <math.h>

#include "throttlog/view.h"

void view_stats_clear(struct view_stats *st)
{
	for (int f = 0; f < FIELD_COUNT; f++)
		st->first[f] = st->latest[f] = st->latest_s[f] = NAN;
	st->throttle_s = st->throttle_c = st->throttle_mb = NAN;
	st->moved_mb = 0;
	view_stats_reset(st);
}

void view_stats_reset(struct view_stats *st)
{
	for (int f = 0; f < FIELD_COUNT; f++)
		st->peak[f] = st->least[f] = NAN;
	st->sum_mb_s = 0;
	st->n_mb_s = 0;
	st->peak_hottest_c = NAN;
}

/* Idle rows say nothing about how fast the drive is. */
static bool counts(enum field f, const struct series *s, size_t row)
{
	return (f < FIELD_BYTES || f > FIELD_LAT_MAX) || s->op[row] != OP_NONE ||
	       s->phase[row] == PHASE_LOAD;
}

static void take_value(struct view_stats *st, const struct series *s, enum field f, size_t row)
{
	double value = series_get(s, f, row);

	if (isnan(value))
		return;
	if (isnan(st->first[f]))
		st->first[f] = value;
	st->latest[f] = value;
	st->latest_s[f] = series_time(s, row);
	if (!counts(f, s, row))
		return;
	st->peak[f] = fmax(st->peak[f], value);
	st->least[f] = fmin(st->least[f], value);
	if (f == FIELD_MB_S) {
		st->sum_mb_s += value;
		st->n_mb_s++;
	}
}

/* The event comes when the cause is sure; the mark belongs where it began, if that is known. */
static void take_throttle(struct view_stats *st, const struct session_drive *d, double limit_c)
{
	const struct series *s = &d->run.series;

	st->throttle_s = series_time(s, s->n - 1);
	st->throttle_c = isnan(limit_c) ? st->latest[FIELD_TEMP] : limit_c;
	st->throttle_mb = st->moved_mb;
	if (!(d->throttle_s > 0))
		return;
	st->throttle_s = d->throttle_s;
	for (size_t i = s->n; i-- > 0 && series_time(s, i) > d->throttle_s;)
		if (!isnan(series_get(s, FIELD_BYTES, i)))
			st->throttle_mb -= series_get(s, FIELD_BYTES, i) / 1e6;
}

void view_stats_row(struct view_stats *st, const struct session_drive *d)
{
	const struct series *s = &d->run.series;
	size_t row = s->n - 1;
	double bytes;

	if (!s->n)
		return;
	for (enum field f = FIELD_BYTES; f < FIELD_COUNT; f++)
		take_value(st, s, f, row);
	st->peak_hottest_c = fmax(st->peak_hottest_c, view_hottest(s, row, NULL));
	bytes = series_get(s, FIELD_BYTES, row);
	if (!isnan(bytes))
		st->moved_mb += bytes / 1e6;
	for (size_t i = s->n_events; i-- > 0 && s->events[i].row == row;)
		if (s->events[i].kind == EVENT_THROTTLE && isnan(st->throttle_s))
			take_throttle(st, d, s->events[i].value);
}
