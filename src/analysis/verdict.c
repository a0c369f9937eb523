/* Makes a verdict from a log's rows, and its name tables. */
#include "throttlog/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"
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

static void clear(struct verdict *v)
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

/* The legs in time order; a limit that reading showed is evidence for later writing. */
static void judge_all(struct build *b, const char *without)
{
	struct judge_context context = {
	    .run = b->run, .temps = &b->temps, .learned_c = NAN, .without = without};

	b->judged = xreallocarray(NULL, b->n_legs ? b->n_legs : 1, sizeof(*b->judged));
	for (size_t i = 0; i < b->n_legs; i++) {
		const struct judgement *j = &b->judged[i];

		if (b->legs[i].phase != PHASE_LOAD) {
			b->judged[i] = (struct judgement){.leg = &b->legs[i], .thermal = -1};
			continue;
		}
		judge_leg(&b->legs[i], &context, &b->judged[i]);
		active_weigh(b->legs, b->n_legs, i, &b->judged[i]);
		if (j->thermal >= 0 && !j->gentle && b->legs[i].op == OP_READ &&
		    isnan(context.learned_c))
			context.learned_c = j->item[j->thermal].temp_c;
	}
}

/* The first load that throttled or lost the drive, else one of open cause, else the longest. */
static void choose_main(struct build *b)
{
	int best_rank = -1;

	b->main = b->n_legs;
	for (size_t i = 0; i < b->n_legs; i++) {
		const struct leg *l = &b->legs[i];
		int rank = 0;

		if (l->phase != PHASE_LOAD || l->levels.n == 0)
			continue;
		if (b->judged[i].thermal >= 0 || !isnan(l->lost_s))
			rank = 2;
		for (long k = 0; k < b->judged[i].n && rank < 1; k++)
			rank = b->judged[i].item[k].open ? 1 : 0;
		if (rank > best_rank ||
		    (rank == 0 && best_rank == 0 && l->n > b->legs[b->main].n)) {
			best_rank = rank;
			b->main = i;
		}
	}
}

static void read_and_judge(struct build *b, const char *without)
{
	temps_read(&b->run->series, FIELD_TEMP, &b->temps);
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

bool build_candidate(const struct run *run, struct finding *out, double *ref_mb_s)
{
	struct build b = {.run = run};
	long k = -1;

	read_and_judge(&b, NULL);
	if (b.n_legs && b.legs[b.n_legs - 1].phase == PHASE_LOAD)
		k = active_candidate(&b.judged[b.n_legs - 1]);
	if (k >= 0) {
		*out = b.judged[b.n_legs - 1].item[k];
		out->evidence = (struct evidence_list){0};
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

	temps_read(&run->series, FIELD_TEMP, &temps);
	n = legs_read(run, &temps, &legs);
	if (n)
		r = active_restart(&legs[n - 1], drop_c, ref_mb_s, depth);
	legs_free(legs, n);
	temps_free(&temps);
	return r;
}

void verdict_make_without(const struct run *run, const char *without, struct verdict *out)
{
	struct build b = {.run = run, .v = out};

	clear(out);
	read_and_judge(&b, without);
	choose_main(&b);
	build_summary(&b);
	build_outcome(&b);
	build_heatsink(&b);
	build_headline(&b);
	build_warnings(&b);
	forget(&b);
}

void verdict_make(const struct run *run, struct verdict *out)
{
	verdict_make_without(run, NULL, out);
}

void verdict_fini(struct verdict *v)
{
	for (size_t i = 0; i < v->n_drops; i++)
		free(v->drops[i].evidence.item);
	for (size_t i = 0; i < v->n_warnings; i++)
		free(v->warnings[i]);
	free(v->evidence.item);
	free(v->drops);
	free(v->spans);
	free(v->requirements);
	free(v->warnings);
	memset(v, 0, sizeof(*v));
}
