/*
 * Cuts a log into loads: by phase, by a change between reading and writing, and, where the load is
 * not ours, by the rests that others take.
 */
#include "analysis/split.h"

#include <math.h>
#include <stdbool.h>

#include "analysis/leg.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

struct stretches {
	struct stretch *item;
	size_t n, cap;
};

static void add(struct stretches *s, struct stretch stretch)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 8;
		s->item = xreallocarray(s->item, s->cap, sizeof(*s->item));
	}
	s->item[s->n++] = stretch;
}

static bool belongs(const struct series *s, const struct stretch *l, size_t i)
{
	if ((enum phase)s->phase[i] != l->phase)
		return false;
	/* A stalled row may carry no op; a change between read and write is a new load. */
	return s->op[i] == OP_NONE || l->op == OP_NONE || s->op[i] == (uint8_t)l->op;
}

/* Nothing moved and nothing was waiting to be. */
static bool rests(const struct run *run, size_t i)
{
	return row_mb_s(run, i) < tuning.load_min_mb_s &&
	       !(series_get(&run->series, FIELD_UTIL, i) >= 100 * tuning.easy_share);
}

/* The row behind the rows from `i` on that rest, or that do not. */
static size_t run_end(const struct run *run, size_t i, size_t end, bool resting)
{
	while (i < end && rests(run, i) == resting)
		i++;
	return i;
}

/* From the beginning of row `first` to the end of row `end` - 1. */
static double seconds(const struct run *run, size_t first, size_t end)
{
	return series_time(&run->series, end - 1) - series_time(&run->series, first) +
	       row_dt_s(run, first);
}

static bool was_lost(const struct series *s)
{
	for (size_t e = 0; e < s->n_events; e++)
		if (s->events[e].kind == EVENT_LOST)
			return true;
	return false;
}

/* Long and busy enough to be judged: the speed of its fastest tenth is that of the load. */
static bool is_load(const struct run *run, size_t first, size_t end)
{
	size_t busy = 0;

	/* What is left out at its start, and as much for rows of some seconds. */
	if (end <= first || seconds(run, first, end) < tuning.short_s + 2 * tuning.skip_s)
		return false;
	for (size_t i = first; i < end; i++)
		busy += !rests(run, i);
	return busy * 100 > (end - first) * 15;
}

/* Adds the busy parts of `whole` that can be judged, or all of it without any. */
static void add_busy(const struct run *run, struct stretch whole, struct stretches *out)
{
	size_t before = out->n, first = whole.first, i = first;
	bool lost = was_lost(&run->series);

	while (i < whole.end) {
		size_t busy = run_end(run, i, whole.end, false);
		size_t rested = run_end(run, busy, whole.end, true);

		i = rested;
		/* A drive that vanished is silent to the end, which is no rest. */
		if (rested > busy && seconds(run, busy, rested) < tuning.rest_s)
			continue;
		if (rested == whole.end && lost)
			busy = rested;
		if (is_load(run, first, busy))
			add(out, (struct stretch){first, busy, whole.op, whole.phase});
		first = rested;
	}
	/* A last rest too short to count. */
	if (is_load(run, first, whole.end))
		add(out, (struct stretch){first, whole.end, whole.op, whole.phase});
	if (out->n == before)
		add(out, whole);
}

size_t split_loads(const struct run *run, struct stretch **out)
{
	const struct series *s = &run->series;
	struct stretches all = {0};

	for (size_t i = 0; i < s->n;) {
		struct stretch l = {
		    .first = i, .op = (enum op)s->op[i], .phase = (enum phase)s->phase[i]};

		if (l.phase != PHASE_LOAD && l.phase != PHASE_PROBE && l.phase != PHASE_RESTART) {
			i++;
			continue;
		}
		while (i < s->n && belongs(s, &l, i)) {
			if (l.op == OP_NONE)
				l.op = (enum op)s->op[i];
			i++;
		}
		l.end = i;
		if (run->load.op == OP_NONE && l.phase == PHASE_LOAD)
			add_busy(run, l, &all);
		else
			add(&all, l);
	}
	*out = all.item;
	return all.n;
}
