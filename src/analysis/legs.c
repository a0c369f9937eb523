/* Each load of a log by itself, and which of them decides what the verdict says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"
#include "throttlog/alloc.h"

static void copy_leg(const struct leg *l, const struct verdict *v, struct leg_verdict *out)
{
	*out = (struct leg_verdict){
	    .op = l->op,
	    .judged = leg_is_long(l) || v->throttled == TRI_TRUE,
	    .throttled = v->throttled,
	    .klass = v->klass,
	    .certainty = v->certainty,
	    .start_s = l->start_s,
	    .end_s = l->end_s,
	    .onset_s = v->onset_s,
	    .onset_time_s = v->onset_time_s,
	    .onset_bytes = v->onset_bytes,
	    .onset_c = v->onset_c,
	    .before_mb_s = v->before_mb_s,
	    .after_mb_s = v->after_mb_s,
	    .loss_pct = v->loss_pct,
	    .time_throttled_s = v->time_throttled_s,
	    .max_c = v->max_c,
	    .peak_mb_s = v->peak_mb_s,
	    .sustained_mb_s = v->sustained_mb_s,
	    .mean_mb_s = v->mean_mb_s,
	    .bytes = v->bytes,
	};
}

static void judge_alone(const struct build *b, size_t leg, struct leg_verdict *out)
{
	struct verdict v;
	struct build alone = *b;

	alone.v = &v;
	alone.main = leg;
	build_clear(&v);
	build_leg_numbers(&alone);
	build_leg_outcome(&alone);
	copy_leg(&b->legs[leg], &v, out);
	verdict_fini(&v);
}

/* The worst and the surest first. */
static int rank(const struct leg_verdict *l)
{
	if (l->klass == CLASS_SHUTDOWN)
		return l->throttled == TRI_TRUE ? 6 : 3;
	if (l->throttled == TRI_TRUE)
		return l->certainty >= CERTAINTY_LIKELY ? 5 : 4;
	if (l->klass == CLASS_UNATTRIBUTED)
		return 2;
	return l->judged ? 1 : 0;
}

static double kept(const struct leg_verdict *l)
{
	return l->sustained_mb_s / l->peak_mb_s;
}

/* Of two that throttle the one that loses more decides; of others too, or else the longer. */
bool legs_decides(const struct leg_verdict *a, const struct leg_verdict *b)
{
	if (rank(a) != rank(b))
		return rank(a) > rank(b);
	if (a->throttled == TRI_TRUE)
		return a->loss_pct > b->loss_pct;
	if (fabs(kept(a) - kept(b)) > 0.06)
		return kept(a) < kept(b);
	return a->end_s - a->start_s > b->end_s - b->start_s;
}

void build_legs(struct build *b)
{
	struct verdict *v = b->v;

	enum op only = OP_NONE;

	b->main = b->n_legs;
	for (size_t i = 0; i < b->n_legs; i++)
		if (b->legs[i].phase == PHASE_LOAD && b->legs[i].levels.n &&
		    b->legs[i].op == b->only)
			only = b->only;
	for (size_t i = 0; i < b->n_legs; i++) {
		struct leg_verdict *l;

		if (b->legs[i].phase != PHASE_LOAD)
			continue;
		v->legs = xreallocarray(v->legs, v->n_legs + 1, sizeof(*v->legs));
		l = &v->legs[v->n_legs];
		judge_alone(b, i, l);
		if (b->last_only)
			b->main = b->n_legs;
		if (b->legs[i].levels.n && (!only || l->op == only) &&
		    (b->main == b->n_legs || legs_decides(l, &v->legs[v->main_leg]))) {
			b->main = i;
			v->main_leg = v->n_legs;
		}
		v->n_legs++;
	}
}
