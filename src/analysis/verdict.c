/* Makes a verdict from a log's rows, and its name tables. */
#include "throttlog/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

const char *const class_names[CLASS_COUNT] = {
    [CLASS_NONE] = "none",         [CLASS_STEP] = "step",
    [CLASS_HOLD] = "hold",         [CLASS_OSCILLATING] = "oscillating",
    [CLASS_GENTLE] = "gentle",     [CLASS_SHUTDOWN] = "shutdown",
    [CLASS_REPORTED] = "reported", [CLASS_UNATTRIBUTED] = "unattributed",
};

const char *const certainty_names[] = {
    [CERTAINTY_UNKNOWN] = "unknown",
    [CERTAINTY_POSSIBLE] = "possible",
    [CERTAINTY_LIKELY] = "likely",
    [CERTAINTY_CONFIRMED] = "confirmed",
};

const char *const cause_names[CAUSE_COUNT] = {
    [CAUSE_UNKNOWN] = "unknown",       [CAUSE_THERMAL] = "thermal", [CAUSE_SLC_CACHE] = "slc-cache",
    [CAUSE_BACKGROUND] = "background", [CAUSE_LINK] = "link",       [CAUSE_HOST_CPU] = "host-cpu",
    [CAUSE_RESET] = "reset",           [CAUSE_STOP] = "stop",
};

void build_clear(struct verdict *v)
{
	memset(v, 0, sizeof(*v));
	v->throttled = v->heatsink_needed = TRI_NULL;
	v->onset_s = v->onset_time_s = v->onset_bytes = v->onset_c = NAN;
	v->before_mb_s = v->after_mb_s = v->loss_pct = NAN;
	v->time_throttled_s = v->recovered_s = NAN;
	v->load_start_s = v->load_end_s = NAN;
	v->idle_c = v->max_c = v->steady_c = v->resolution_s = v->observed_limit_c = NAN;
	v->peak_mb_s = v->sustained_mb_s = v->mean_mb_s = v->bytes = NAN;
	v->heatsink_steady_c = v->resistance_cut_pct = NAN;
	v->heatsink_interval_c[0] = v->heatsink_interval_c[1] = NAN;
}

static void judge_one(struct build *b, size_t i, const struct judge_context *context)
{
	if (b->legs[i].phase != PHASE_LOAD) {
		b->judged[i] = (struct judgement){.leg = &b->legs[i], .thermal = -1};
		return;
	}
	judge_leg(&b->legs[i], context, &b->judged[i]);
	active_weigh(b->legs, b->n_legs, i, &b->judged[i]);
}

/* Each load alone first; then again, knowing what the others showed. */
static void judge_all(struct build *b, const char *without)
{
	struct judge_context context = {
	    .run = b->run, .temps = &b->temps, .others = OTHERS_NONE, .without = without};
	struct others *others = xreallocarray(NULL, b->n_legs + 1, sizeof(*others));

	b->judged = xreallocarray(NULL, b->n_legs ? b->n_legs : 1, sizeof(*b->judged));
	for (size_t i = 0; i < b->n_legs; i++)
		judge_one(b, i, &context);
	others_learn(b->judged, b->n_legs, others);
	for (size_t i = 0; i < b->n_legs; i++) {
		if (isnan(others[i].limit_c) && isnan(others[i].passed_c) &&
		    isnan(others[i].fell_c))
			continue;
		context.others = others[i];
		judgement_free(&b->judged[i]);
		judge_one(b, i, &context);
	}
	free(others);
	witness_place_untimed(&context, b->judged, (long)b->n_legs);
}

static void judge_by(struct build *b, enum field source, const char *without)
{
	temps_read(b->run, source, &b->temps);
	b->n_legs = legs_read(b->run, &b->temps, &b->legs);
	judge_all(b, without);
}

static void forget(struct build *b)
{
	for (size_t i = 0; i < b->n_legs; i++)
		judgement_free(&b->judged[i]);
	free(b->judged);
	legs_free(b->legs, b->n_legs);
	temps_free(&b->temps);
}

/* The finding that shows heat best, NULL if none does. */
static const struct finding *best_heat(const struct build *b)
{
	const struct finding *best = NULL;

	for (size_t i = 0; i < b->n_legs; i++) {
		const struct judgement *j = &b->judged[i];

		if (j->thermal >= 0 && (!best || j->item[j->thermal].score > best->score))
			best = &j->item[j->thermal];
	}
	return best;
}

/* Of the drive's sensors the one that gets hottest, if it is hotter than `floor_c`. */
static bool hottest_sensor(const struct run *run, double floor_c, enum field *out)
{
	double hottest = floor_c;

	for (enum field f = FIELD_SENSOR1; f <= FIELD_SENSOR8; f++) {
		struct temps t;

		if (!run->series.col[f])
			continue;
		temps_read(run, f, &t);
		if (temps_usable(&t) && t.max_c > hottest) {
			hottest = t.max_c;
			*out = f;
		}
		temps_free(&t);
	}
	return hottest > floor_c;
}

/*
 * The composite temperature decides. Where it is not usable, or a hotter sensor shows heat that
 * the composite does not, that sensor takes its place.
 */
static void read_and_judge(struct build *b, const char *without)
{
	enum field source = FIELD_TEMP;
	struct build other = *b;
	const struct finding *heat;

	judge_by(b, FIELD_TEMP, without);
	b->composite = b->temps;
	b->composite.temp_c = b->composite.own_c = NULL;
	b->composite_bad = !temps_usable(&b->temps);
	other.composite = b->composite;
	other.composite_bad = b->composite_bad;
	if (best_heat(b) && !b->composite_bad)
		return;
	if (!hottest_sensor(b->run,
			    b->composite_bad ? tuning.temp_min_c
					     : b->temps.max_c + tuning.hotter_sensor_k,
			    &source))
		return;
	judge_by(&other, source, without);
	heat = best_heat(&other);
	if (b->composite_bad || (heat && heat->facts.responses && heat->score >= tuning.likely)) {
		forget(b);
		*b = other;
	} else {
		forget(&other);
	}
}

bool build_candidate(const struct run *run, struct finding *out, double *ref_mb_s, bool *past)
{
	struct build b = {.run = run};
	long k = -1;

	read_and_judge(&b, NULL);
	if (b.n_legs && b.legs[b.n_legs - 1].phase == PHASE_LOAD)
		k = active_candidate(&b.judged[b.n_legs - 1]);
	if (k >= 0) {
		*out = b.judged[b.n_legs - 1].item[k];
		out->evidence = (struct evidence_list){0};
		*past = active_is_past(&b.judged[b.n_legs - 1], k);
		*ref_mb_s = exp(out->ref) * b.legs[b.n_legs - 1].usual_mb_s;
	}
	forget(&b);
	return k >= 0;
}

struct restart build_last_restart(const struct run *run, double drop_c, double ref_mb_s,
				  double depth)
{
	struct restart r = {.kind = RESTART_VAIN};
	struct temps temps;
	struct leg *legs;
	size_t n;

	temps_read(run, FIELD_TEMP, &temps);
	n = legs_read(run, &temps, &legs);
	if (n)
		r = isnan(ref_mb_s) ? active_read(&legs[n - 1], drop_c, depth)
				    : active_restart(&legs[n - 1], drop_c, ref_mb_s, depth);
	legs_free(legs, n);
	temps_free(&temps);
	return r;
}

static void make(struct build *b, const char *without)
{
	build_clear(b->v);
	read_and_judge(b, without);
	build_legs(b);
	build_summary(b);
	build_outcome(b);
	build_counters(b);
	build_heatsink(b);
	build_headline(b);
	build_warnings(b);
	forget(b);
}

void verdict_make_without(const struct run *run, const char *without, struct verdict *out)
{
	struct build b = {.run = run, .v = out};

	make(&b, without);
}

void build_live(const struct run *run, struct verdict *out)
{
	struct build b = {.run = run, .v = out, .last_only = true};

	make(&b, NULL);
}

void verdict_make(const struct run *run, struct verdict *out)
{
	verdict_make_without(run, NULL, out);
}

void verdict_make_of(const struct run *run, enum op op, struct verdict *out)
{
	struct build b = {.run = run, .v = out, .only = op};

	make(&b, NULL);
}

void verdict_fini(struct verdict *v)
{
	for (size_t i = 0; i < v->n_drops; i++)
		free(v->drops[i].evidence.item);
	for (size_t i = 0; i < v->n_warnings; i++)
		free(v->warnings[i]);
	free(v->evidence.item);
	free(v->legs);
	free(v->drops);
	free(v->spans);
	free(v->requirements);
	free(v->warnings);
	memset(v, 0, sizeof(*v));
}
