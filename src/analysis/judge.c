/*
 * Walks over the drops of a leg in time: where the speed leaves its reference, what is to be seen
 * there, what the rules say. A drop that is no heat and lasts becomes the new reference, so a run
 * may have several causes.
 */
#include "analysis/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats.h"
#include "analysis/steps.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

struct walk {
	const struct leg *leg;
	const struct judge_context *context;
	struct judgement *out;
	double ref; /* y of the reference speed */
	long from;  /* bin from which drops are sought */
	long since; /* ... and from which the reference holds */
	struct dip *dips;
	long n_dips;
	double limit_c; /* of a thermal drop found before, NAN */
	double cache_c; /* where the write cache ended before, NAN */
};

struct finding *judgement_add(struct judgement *j)
{
	struct finding *f;

	j->item = xreallocarray(j->item, (size_t)j->n + 1, sizeof(*j->item));
	f = &j->item[j->n++];
	memset(f, 0, sizeof(*f));
	return f;
}

static void first_reference(struct walk *w)
{
	const struct levels *v = &w->leg->levels;

	w->ref = v->item[0].y;
	for (long k = 1; k < v->n && v->item[k].from <= leg_bins(w->leg, tuning.first_level_s); k++)
		if (v->item[k].y > w->ref + 0.02) {
			w->ref = v->item[k].y;
			w->from = w->since = v->item[k].from;
		}
}

/* The first level that reaches beyond bin `at`. */
static long level_at(const struct levels *v, long at)
{
	long lo = 0, hi = v->n;

	while (lo < hi) {
		long mid = lo + (hi - lo) / 2;

		if (v->item[mid].to <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What others do may begin slowly, and be in earnest only later: from there on it counts. */
static bool speeds_up(const struct leg *l, double ref, const struct level *v)
{
	return l->op == OP_NONE && v->y >= ref + tuning.rise_min &&
	       v->to - v->from >= leg_bins(l, tuning.rise_s);
}

/* The next stretch below the reference. False if there is none. */
static bool next_drop(struct walk *w, struct drop_at *at)
{
	const struct leg *l = w->leg;
	const struct levels *v = &l->levels;

	for (long k = level_at(v, w->from); k < v->n; k++) {
		double len = (double)(v->item[k].to - v->item[k].from);
		double least = fmax(tuning.drop_min, tuning.drop_sigmas * l->sigma / sqrt(len));

		if (speeds_up(l, w->ref, &v->item[k])) {
			w->ref = v->item[k].y;
			w->from = w->since = v->item[k].from;
		}
		if (v->item[k].y >= w->ref - least)
			continue;
		*at = (struct drop_at){.leg = l, .level = k, .ref = w->ref, .least = least};
		at->bin = v->item[k].from > w->from ? v->item[k].from : w->from;
		at->bin = at->bin < 1 ? 1 : at->bin;
		at->ref_since = w->since;
		at->end_bin = l->n;
		at->lasting = true;
		for (long j = k + 1; j < v->n; j++)
			if (v->item[j].y >= w->ref - fmax(0.02, 0.6 * least)) {
				at->end_bin = v->item[j].from;
				at->lasting = false;
				break;
			}
		return at->bin < l->n;
	}
	return false;
}

/* By something that heat cannot be, whatever else speaks for it. */
static bool is_excluded(const struct evidence_list *list)
{
	static const char *const by[] = {"cool", "passed", "same-bytes"};

	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < sizeof(by) / sizeof(*by); k++)
			if (strcmp(list->item[i].rule, by[k]) == 0)
				return true;
	return false;
}

/*
 * What remains when it is neither heat nor the host. The drop stays open where little speaks
 * against heat: for a lasting one "lone-write" alone, for a passing one that it passed.
 */
static void decide_other(const struct leg *leg, struct finding *f)
{
	double loss = 1 - exp(-f->depth), fall = 1 - exp(-f->facts.fall), score = f->score;

	if (f->lasting && !f->facts.responses && leg->op != OP_READ && fall >= tuning.cache_min)
		score += 3;
	if (!f->lasting && f->facts.same_drops == 0)
		score += 2;
	f->open = !leg->has_temp ||
		  (fall >= tuning.open_min && score >= tuning.open && !is_excluded(&f->evidence));
	if (!f->lasting)
		f->cause = f->open ? CAUSE_UNKNOWN : CAUSE_BACKGROUND;
	else if (f->facts.left_s < tuning.last_s && f->facts.cooler_dips)
		f->cause = CAUSE_BACKGROUND; /* one more dip, which the end of the load cut off */
	else if (leg->op == OP_READ || loss < tuning.cache_min || f->open ||
		 f->facts.left_s < tuning.last_s)
		f->cause = CAUSE_UNKNOWN;
	else
		f->cause = CAUSE_SLC_CACHE;
}

/* Takes the first of two steps in a row for the end of the cache, and goes on at the second. */
static void split_double(struct walk *w, struct drop_at *at)
{
	const struct leg *l = w->leg;
	double step_y = 0;
	long second = step_double(at, &step_y);
	struct finding *f;

	/* At a limit that another load showed, the first of the two is the heat. */
	if (second < 0 ||
	    (l->has_temp && l->temp_c[at->bin - 1] >= w->context->others.limit_c - 0.5))
		return;
	f = judgement_add(w->out);
	f->bin = at->bin;
	f->end_bin = l->n;
	f->lasting = true;
	f->cause = CAUSE_SLC_CACHE;
	f->ref = at->ref;
	f->depth = at->ref - step_y;
	f->temp_c = l->has_temp ? l->temp_c[f->bin] : (double)NAN;
	evidence_add(&f->evidence, "double-step", 0,
		     "%.0f s before the next step: one of the two is the end of the write cache",
		     (double)(second - f->bin) * l->dt_s);
	at->bin = second;
	at->ref = step_y;
	at->ref_since = second - 1;
	at->second = true;
}

static void weigh(struct walk *w, struct drop_at *at, struct finding *f)
{
	const struct leg *l = w->leg;
	struct facts_context context = {.run = w->context->run,
					.temps = w->context->temps,
					.limits = &w->context->run->drive.limits,
					.others = w->context->others,
					.cache_c = w->cache_c,
					.dips = w->dips,
					.n_dips = w->n_dips};
	bool recorded = witness_earliest(w->context, l) >= 0;

	f->bin = at->bin;
	f->end_bin = at->end_bin;
	f->lasting = at->lasting;
	f->ref = at->ref;
	facts_find(at, &context, &f->facts);
	f->depth = f->facts.depth;
	f->temp_c = l->has_temp ? f->facts.temp_c : (double)NAN;
	for (enum witness k = 0; k < WITNESS_COUNT; k++) {
		f->facts.witness[k] = witness_told(w->context, l, k) && witness_near(l, k, at->bin);
		f->facts.counter |= f->facts.witness[k];
	}
	if (!f->facts.counter) {
		f->cause = host_cause(w->context->run, l, f, &f->evidence);
		if (f->cause != CAUSE_UNKNOWN)
			return;
	}
	if (l->has_temp || f->facts.counter)
		f->score = rules_weigh(&f->facts, w->context->without, &f->evidence);
	else
		evidence_add(&f->evidence, "no-temperature", 0, "no usable temperature");
	/* What the drive records elsewhere owns the onset. */
	if (f->facts.counter || (l->has_temp && f->score >= tuning.accept && !recorded))
		f->cause = CAUSE_THERMAL;
	else
		decide_other(l, f);
}

/*
 * Reading: a lasting step a little cooler than the one that showed the limit was its first stage,
 * if the heating slowed down there.
 */
static void promote_first_stage(const struct walk *w)
{
	struct judgement *j = w->out;
	const struct finding *t = &j->item[j->thermal];

	for (long i = 0; i < j->thermal; i++) {
		struct finding *f = &j->item[i];

		/* Unless the drive itself says when it began. */
		if (witness_told(w->context, j->leg, WITNESS_PEL) && !f->facts.counter)
			continue;
		if (f->lasting && f->cause == CAUSE_UNKNOWN && j->leg->op == OP_READ &&
		    f->facts.record && f->facts.rise_k >= 2 && f->temp_c >= tuning.cool_c &&
		    !f->facts.hot_rises && f->facts.changes < 2 &&
		    !(f->facts.wander >= tuning.wander) && 1 - exp(-f->depth) >= 0.06 &&
		    t->temp_c - f->temp_c <= 6 && f->facts.exceed_s < 5 &&
		    f->facts.after_k_s <= 0.6 * fmax(f->facts.slope_k_s, 0.02)) {
			evidence_add(
			    &f->evidence, "first-stage", 3,
			    "first stage of a cut that was completed %.0f s later at %.0f °C",
			    (double)(t->bin - f->bin) * j->leg->dt_s, t->temp_c);
			f->cause = CAUSE_THERMAL;
			f->open = false;
			f->score = t->score;
			j->thermal = i;
			return;
		}
	}
}

/* Slow to the end from `bin` on, though at least 2 K cooler than the limit: not held by heat. */
static bool slow_and_cooler(const struct leg *l, long bin, double limit_c)
{
	long settled = bin + leg_bins(l, 20);

	return l->op != OP_READ && l->n - settled >= leg_bins(l, 30) &&
	       stat_max(l->temp_c, settled, l->n) <= limit_c - 2;
}

#define COOLER_TEXT "one lasting step, and at least 2 K cooler than the limit from then on"

/* A later drop while the drive is known to throttle at limit_c. */
static void attribute_later(const struct walk *w, struct finding *f)
{
	if (f->cause == CAUSE_LINK || f->cause == CAUSE_RESET)
		return;
	if (f->lasting && slow_and_cooler(w->leg, f->bin, w->limit_c)) {
		f->cause = CAUSE_SLC_CACHE;
		f->open = false;
		evidence_add(&f->evidence, "cooler-after", -5, COOLER_TEXT);
	} else if (f->cause != CAUSE_THERMAL && f->temp_c >= w->limit_c - 2) {
		f->cause = CAUSE_THERMAL;
		f->open = false;
		evidence_add(&f->evidence, "at-limit", 3, "at the limit found before, %.0f °C",
			     w->limit_c);
	}
}

/* Goes on after finding `f`. */
static void advance(struct walk *w, const struct drop_at *at, const struct finding *f)
{
	const struct levels *v = &w->leg->levels;

	if (!f->lasting) {
		if (f->cause != CAUSE_THERMAL && w->n_dips < (long)tuning.events_max) {
			w->dips = xreallocarray(w->dips, (size_t)w->n_dips + 1, sizeof(*w->dips));
			w->dips[w->n_dips++] = (struct dip){f->facts.temp_c, f->depth};
		}
		w->from = f->end_bin;
		return;
	}
	if (f->cause == CAUSE_SLC_CACHE && f->score <= tuning.cache_sure)
		w->cache_c = f->temp_c;
	/* The first level of some length becomes the reference. */
	for (long k = at->level; k < v->n; k++) {
		w->from = v->item[k].to;
		w->ref = v->item[k].y;
		if (1 - exp(-f->depth) >= 0.15)
			w->since = v->item[k].from + leg_bins(w->leg, 2);
		if (v->item[k].to - v->item[k].from >= leg_bins(w->leg, 5))
			break;
	}
}

/*
 * A cache that ends while the drive throttles: one more lasting step down, after which it stays
 * clearly cooler than its limit.
 */
static void cache_end_inside(struct walk *w, struct finding *t)
{
	const struct leg *l = w->leg;
	const struct levels *v = &l->levels;
	double low = INFINITY;

	if (!t->lasting || !l->has_temp)
		return;
	for (long k = level_at(v, t->bin); k < v->n; k++) {
		bool stays = true;
		struct finding *f;

		if (v->item[k].y > low - 0.2 || v->item[k].from <= t->bin) {
			low = fmin(low, v->item[k].y);
			continue;
		}
		for (long j = k + 1; stays && j < v->n; j++)
			stays = v->item[j].y < low - 0.1;
		if (!stays || !slow_and_cooler(l, v->item[k].from, t->temp_c)) {
			low = v->item[k].y;
			continue;
		}
		t->end_bin = v->item[k].from;
		f = judgement_add(w->out); /* moves *t */
		f->bin = v->item[k].from;
		f->end_bin = l->n;
		f->lasting = true;
		f->cause = CAUSE_SLC_CACHE;
		f->ref = low;
		f->depth = low - v->item[k].y;
		f->temp_c = l->temp_c[f->bin];
		evidence_add(&f->evidence, "cooler-after", -5, COOLER_TEXT);
		return;
	}
}

static void finish(struct walk *w)
{
	struct judgement *j = w->out;
	struct finding gentle;

	if (j->thermal >= 0) {
		promote_first_stage(w);
		return;
	}
	if (witness_earliest(w->context, w->leg) >= 0) {
		witness_only(w->context, j);
	} else if (w->leg->has_temp && !w->n_dips &&
		   gentle_find(w->context->run, w->leg, &gentle)) {
		*judgement_add(j) = gentle;
		j->thermal = j->n - 1;
		j->gentle = true;
	}
}

void judge_leg(const struct leg *leg, const struct judge_context *context, struct judgement *out)
{
	struct walk w = {
	    .leg = leg, .context = context, .out = out, .limit_c = NAN, .cache_c = NAN};
	struct drop_at at;

	*out = (struct judgement){.leg = leg, .thermal = -1};
	if (!leg_is_long(leg)) {
		if (leg->levels.n && witness_earliest(context, leg) >= 0)
			witness_only(context, out);
		return;
	}
	first_reference(&w);
	while (next_drop(&w, &at)) {
		struct finding *f;

		if (out->n >= (long)tuning.events_max) {
			out->more = true;
			break;
		}
		step_find_start(&at, w.from);
		split_double(&w, &at);
		f = judgement_add(out);
		weigh(&w, &at, f);
		if (out->thermal >= 0)
			attribute_later(&w, f);
		if (out->thermal < 0 && f->cause == CAUSE_THERMAL) {
			out->thermal = out->n - 1;
			w.limit_c = f->temp_c;
		}
		if (f->cause == CAUSE_THERMAL && f->lasting) {
			step_second_stage(leg, f);
			cache_end_inside(&w, f);
			break;
		}
		advance(&w, &at, f);
	}
	free(w.dips);
	finish(&w);
}

void judgement_free(struct judgement *j)
{
	for (long i = 0; i < j->n; i++)
		free(j->item[i].evidence.item);
	free(j->item);
	j->item = NULL;
	j->n = 0;
}
