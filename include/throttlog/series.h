/*
 * A drive's rows in columns: only what was ever reported takes memory. Analysis, picture and
 * live view read this, whether it comes from a run or from a log.
 */
#ifndef THROTTLOG_SERIES_H
#define THROTTLOG_SERIES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/event.h"
#include "throttlog/sample.h"

struct series {
	size_t n;
	double *col[FIELD_COUNT]; /* NULL: never reported. Phase, op and events are not here. */
	uint8_t *phase, *op;      /* enum phase, enum op */
	struct event *events;     /* by row, ascending */
	size_t n_events;
	/* private to series.c */
	size_t cap, cap_events;
};

/* A zeroed struct series is an empty one. */
void series_fini(struct series *s);
void series_append(struct series *s, const struct sample *row);
/* Adds an event to the last row; `text` is copied, may be NULL. */
void series_event(struct series *s, enum event_kind kind, double value, const char *text);
/* Drops the oldest `rows` rows and their events. */
void series_drop(struct series *s, size_t rows);
void series_row(const struct series *s, size_t i, struct sample *out);

static inline double series_get(const struct series *s, enum field f, size_t i)
{
	return s->col[f] ? s->col[f][i] : (double)NAN;
}

static inline double series_time(const struct series *s, size_t i)
{
	return s->col[FIELD_TIME][i];
}

#endif
