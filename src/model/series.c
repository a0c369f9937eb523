/* Rows in columns; a column exists from the first value that was reported. */
#include "throttlog/series.h"

#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"

void series_fini(struct series *s)
{
	for (int f = 0; f < FIELD_COUNT; f++)
		free(s->col[f]);
	for (size_t i = 0; i < s->n_events; i++)
		free(s->events[i].text);
	free(s->events);
	free(s->phase);
	free(s->op);
	memset(s, 0, sizeof(*s));
}

static void grow(struct series *s)
{
	s->cap = s->cap ? s->cap + s->cap / 2 : 1024;
	for (int f = 0; f < FIELD_COUNT; f++)
		if (s->col[f])
			s->col[f] = xreallocarray(s->col[f], s->cap, sizeof(double));
	s->phase = xreallocarray(s->phase, s->cap, 1);
	s->op = xreallocarray(s->op, s->cap, 1);
}

static double *new_column(const struct series *s)
{
	double *col = xreallocarray(NULL, s->cap, sizeof(double));

	for (size_t i = 0; i < s->n; i++)
		col[i] = NAN;
	return col;
}

void series_append(struct series *s, const struct sample *row)
{
	if (s->n == s->cap)
		grow(s);
	for (enum field f = 0; f < FIELD_COUNT; f++) {
		double value = sample_get(row, f);

		if (!s->col[f] && (f == FIELD_TIME || !isnan(value)))
			s->col[f] = new_column(s);
		if (s->col[f])
			s->col[f][s->n] = value;
	}
	s->phase[s->n] = (uint8_t)row->phase;
	s->op[s->n] = (uint8_t)row->op;
	s->n++;
}

void series_event(struct series *s, enum event_kind kind, double value, const char *text)
{
	if (!s->n)
		return;
	if (s->n_events == s->cap_events) {
		s->cap_events = s->cap_events ? s->cap_events * 2 : 16;
		s->events = xreallocarray(s->events, s->cap_events, sizeof(*s->events));
	}
	s->events[s->n_events++] = (struct event){
	    .row = s->n - 1, .kind = kind, .value = value, .text = xstrdup(text)};
}

void series_drop(struct series *s, size_t rows)
{
	size_t gone = 0;

	if (rows > s->n)
		rows = s->n;
	if (!rows)
		return;
	s->n -= rows;
	for (int f = 0; f < FIELD_COUNT; f++)
		if (s->col[f])
			memmove(s->col[f], s->col[f] + rows, s->n * sizeof(double));
	memmove(s->phase, s->phase + rows, s->n);
	memmove(s->op, s->op + rows, s->n);
	while (gone < s->n_events && s->events[gone].row < rows)
		free(s->events[gone++].text);
	s->n_events -= gone;
	if (s->n_events)
		memmove(s->events, s->events + gone, s->n_events * sizeof(*s->events));
	for (size_t i = 0; i < s->n_events; i++)
		s->events[i].row -= rows;
}

void series_row(const struct series *s, size_t i, struct sample *out)
{
	sample_clear(out);
	for (enum field f = 0; f < FIELD_COUNT; f++)
		sample_set(out, f, series_get(s, f, i));
	out->phase = (enum phase)s->phase[i];
	out->op = (enum op)s->op[i];
}
