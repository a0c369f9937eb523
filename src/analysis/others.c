/*
 * What the loads of one log say about each other. A drive has one limit: where one load was cut by
 * heat, the cut of another at the same temperature is no chance; where one got hotter at full
 * speed, a cut below that has another cause.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/judge.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

/* What one load shows by itself. */
struct lesson {
	double limit_c, passed_c;  /* NAN */
	double fell_bytes, fell_c; /* NAN */
	double score, depth;
	enum op op;
};

/* The highest temperature that the leg had for a while before bin `end`; NAN. */
static double held_c(const struct leg *l, long end)
{
	long held = leg_bins(l, tuning.passed_s);
	double *copy, c;

	if (!l->has_temp || end < held)
		return NAN;
	copy = xreallocarray(NULL, (size_t)end, sizeof(*copy));
	for (long i = 0; i < end; i++)
		copy[i] = l->temp_c[i];
	c = stat_select(copy, end, end - held);
	free(copy);
	return c;
}

/* The bin up to which the load certainly was not cut by heat. */
static long uncut_until(const struct judgement *j)
{
	for (long i = 0; i < j->n; i++)
		if (j->item[i].open || j->item[i].cause == CAUSE_THERMAL)
			return j->item[i].bin;
	return witness_uncut_until(j->leg);
}

static struct lesson lesson_of(const struct judgement *j)
{
	struct lesson lesson = {NAN, NAN, NAN, NAN, 0, 0, j->leg->op};
	const struct finding *t = j->thermal >= 0 ? &j->item[j->thermal] : NULL;

	if (j->leg->phase != PHASE_LOAD || j->leg->levels.n == 0)
		return lesson;
	lesson.passed_c = held_c(j->leg, uncut_until(j));
	for (long i = 0; j->item && i < j->n && !t; i++)
		if (j->item[i].lasting && j->item[i].depth > lesson.depth) {
			lesson.fell_bytes = j->leg->bytes[j->item[i].bin];
			lesson.fell_c = j->item[i].temp_c;
			lesson.depth = j->item[i].depth;
		}
	/* What stands on little teaches nothing: two chances at one temperature are no proof. */
	if (t && !j->gentle && !j->reported &&
	    (t->score >= (j->leg->op == OP_READ ? tuning.lesson : tuning.likely) ||
	     t->facts.counter)) {
		lesson.limit_c = t->temp_c;
		lesson.score = t->score;
	}
	return lesson;
}

/* The two best of all loads: one of them is not the load in question. */
struct best {
	double key[2], value[2];
	size_t from[2];
	enum op op[2];
};

static void offer(struct best *b, double key, double value, size_t from, enum op op)
{
	int at = key > b->key[0] ? 0 : 1;

	if (isnan(value) || !(key > b->key[at]))
		return;
	if (at == 0) {
		b->key[1] = b->key[0];
		b->value[1] = b->value[0];
		b->from[1] = b->from[0];
		b->op[1] = b->op[0];
	}
	b->key[at] = key;
	b->value[at] = value;
	b->from[at] = from;
	b->op[at] = op;
}

static double best_for(const struct best *b, size_t i, enum op *op)
{
	int at = b->from[0] == i ? 1 : 0;

	*op = b->op[at];
	return b->value[at];
}

void others_learn(const struct judgement *judged, size_t n, struct others *out)
{
	struct best limit = {.key = {-INFINITY, -INFINITY}, .value = {NAN, NAN}};
	struct best passed = limit, fell_bytes = limit, fell_c = limit;

	for (size_t i = 0; i < n; i++) {
		struct lesson l = lesson_of(&judged[i]);

		offer(&limit, l.score, l.limit_c, i, l.op);
		offer(&passed, l.passed_c, l.passed_c, i, l.op);
		if (isnan(l.fell_c))
			continue;
		offer(&fell_bytes, l.depth, l.fell_bytes, i, l.op);
		offer(&fell_c, l.depth, l.fell_c, i, l.op);
	}
	for (size_t i = 0; i < n; i++) {
		out[i] = OTHERS_NONE;
		if (judged[i].leg->phase != PHASE_LOAD)
			continue;
		out[i].limit_c = best_for(&limit, i, &out[i].limit_op);
		out[i].passed_c = best_for(&passed, i, &out[i].passed_op);
		out[i].fell_bytes = best_for(&fell_bytes, i, &out[i].fell_op);
		out[i].fell_c = best_for(&fell_c, i, &out[i].fell_op);
	}
}
