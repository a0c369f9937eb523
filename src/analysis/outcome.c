/* From the judged drops to the verdict: throttled or not, its class, onset, loss, spans. */
#include <math.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

const struct finding *build_thermal(const struct build *b)
{
	if (b->main >= b->n_legs || b->judged[b->main].thermal < 0)
		return NULL;
	return &b->judged[b->main].item[b->judged[b->main].thermal];
}

static double bin_end_s(const struct leg *l, long bin)
{
	return bin < l->n ? l->time_s[bin] : l->end_s;
}

static void copy_evidence(struct evidence_list *to, const struct evidence_list *from)
{
	if (!from->n)
		return;
	to->item = xreallocarray(NULL, from->n, sizeof(*to->item));
	memcpy(to->item, from->item, from->n * sizeof(*to->item));
	to->n = from->n;
}

/* `until`: bin at which the next lasting drop begins. */
static void add_drop(struct verdict *v, const struct leg *l, const struct finding *f, long until)
{
	struct drop *d;
	long n = (f->end_bin < until ? f->end_bin : until) - f->bin;

	v->drops = xreallocarray(v->drops, v->n_drops + 1, sizeof(*v->drops));
	d = &v->drops[v->n_drops++];
	memset(d, 0, sizeof(*d));
	d->start_s = l->time_s[f->bin];
	d->end_s = f->end_bin < l->n ? l->time_s[f->end_bin] : (double)NAN;
	d->bytes = l->bytes[f->bin];
	d->from_mb_s = exp(f->ref) * l->usual_mb_s;
	d->to_mb_s = stat_mean(l->mb_s + f->bin, n > 0 ? n : 1);
	d->temp_c = f->temp_c;
	d->cause = f->cause;
	d->open = f->open;
	copy_evidence(&d->evidence, &f->evidence);
}

static void add_span(struct verdict *v, double start_s, double end_s)
{
	if (v->n_spans && start_s - v->spans[v->n_spans - 1].end_s < 3) {
		v->spans[v->n_spans - 1].end_s = end_s;
		return;
	}
	v->spans = xreallocarray(v->spans, v->n_spans + 1, sizeof(*v->spans));
	v->spans[v->n_spans++] = (struct span){start_s, end_s};
}

static int count_cycles(const struct leg *l, const struct finding *f)
{
	double low = f->ref + log(tuning.cycle_low), high = f->ref + log(tuning.cycle_high);
	bool is_low = false;
	int cycles = 0;

	for (long i = f->bin; i < l->n; i++) {
		if (!is_low && l->y[i] < low) {
			is_low = true;
		} else if (is_low && l->y[i] > high) {
			is_low = false;
			cycles++;
		}
	}
	return cycles;
}

/* Where the heat's part of the load ends: before a cache end or another lasting cause. */
static long heat_end(const struct judgement *j)
{
	for (long i = j->thermal + 1; i < j->n; i++)
		if (j->item[i].cause != CAUSE_THERMAL && j->item[i].lasting)
			return j->item[i].bin;
	return j->leg->n;
}

/*
 * "hold": the speed is steered so that the temperature stays at the limit, so it needs a while or
 * several levels to settle. "step": one lower level, whatever the temperature does below.
 */
static bool is_hold(const struct leg *l, const struct finding *f, long end)
{
	long from = f->bin + leg_bins(l, 10), at_limit = 0, levels = 0;
	double below = 0;

	/* Below the limit by more than the rounding it is not held, only kept from full speed. */
	for (long i = from; i < end; i++) {
		at_limit += fabs(l->temp_c[i] - f->temp_c) <= 2;
		below += (f->temp_c - l->temp_c[i]) / (double)(end - from);
	}
	for (long k = 0; k < l->levels.n; k++)
		levels += l->levels.item[k].to > f->bin + 1 && l->levels.item[k].from < end;
	return end > from && at_limit * 10 >= (end - from) * 8 && levels >= 3 && below < 0.8;
}

static enum throttle_class classify(const struct judgement *j, const struct finding *f, double loss)
{
	long end = heat_end(j);

	if (j->reported && (j->untimed || loss < tuning.visible_loss))
		return CLASS_REPORTED;
	if (count_cycles(j->leg, f) >= tuning.cycles_min)
		return CLASS_OSCILLATING;
	if (j->gentle || loss < tuning.gentle_loss)
		return CLASS_GENTLE;
	return j->leg->has_temp && is_hold(j->leg, f, end) ? CLASS_HOLD : CLASS_STEP;
}

static enum certainty how_certain(const struct run *run, const struct judgement *j,
				  const struct finding *f)
{
	if (f->facts.counter || witness_any(j->leg) || witness_untimed(run))
		return CERTAINTY_CONFIRMED;
	if (j->gentle)
		return CERTAINTY_POSSIBLE;
	/* Without any response to a limit it may be a slowdown that came just then. */
	return f->score >= tuning.likely && (f->facts.responses || f->score >= tuning.sure)
		   ? CERTAINTY_LIKELY
		   : CERTAINTY_POSSIBLE;
}

static void fill_onset(struct verdict *v, const struct leg *l, const struct finding *f)
{
	v->onset_time_s = l->time_s[f->bin];
	v->onset_s = v->onset_time_s - l->start_s;
	v->onset_bytes = round(l->bytes[f->bin]);
	v->onset_c = f->temp_c;
	v->observed_limit_c = f->temp_c;
}

static void add_spans(struct verdict *v, const struct judgement *j)
{
	for (long i = j->thermal; i < j->n; i++)
		if (j->item[i].cause == CAUSE_THERMAL)
			add_span(v, j->leg->time_s[j->item[i].bin],
				 bin_end_s(j->leg, j->item[i].end_bin));
}

static void fill_spans(struct verdict *v, const struct judgement *j)
{
	double seconds = 0;

	add_spans(v, j);
	for (size_t i = 0; i < v->n_spans; i++)
		seconds += v->spans[i].end_s - v->spans[i].start_s;
	v->time_throttled_s = seconds;
	/* The last recovery, if the load ran on at full speed. */
	if (v->n_spans && v->spans[v->n_spans - 1].end_s < j->leg->end_s - 2 * j->leg->dt_s)
		v->recovered_s = v->spans[v->n_spans - 1].end_s;
}

static void throttled(struct build *b, const struct finding *f)
{
	const struct judgement *j = &b->judged[b->main];
	const struct leg *l = j->leg;
	struct verdict *v = b->v;
	long end = heat_end(j);

	v->before_mb_s = exp(f->ref) * l->usual_mb_s;
	v->after_mb_s = stat_mean(l->mb_s + f->bin, end - f->bin);
	v->loss_pct = 100 * fmax(0, 1 - v->after_mb_s / v->before_mb_s);
	v->throttled = TRI_TRUE;
	v->klass = classify(j, f, v->loss_pct / 100);
	v->certainty = how_certain(b->run, j, f);
	copy_evidence(&v->evidence, &f->evidence);
	if (v->klass == CLASS_REPORTED) {
		/* No point on the curve shows it: none is made up. */
		v->before_mb_s = v->after_mb_s = NAN;
		v->loss_pct = 0;
		return;
	}
	fill_onset(v, l, f);
	fill_spans(v, j);
}

/* Of those that are open, if any is: the deepest lasting drop, else the deepest. */
static const struct finding *biggest(const struct judgement *j)
{
	const struct finding *best = NULL;

	for (long i = 0; j->item && i < j->n; i++) {
		const struct finding *f = &j->item[i];

		if (1 - exp(-f->depth) < 0.06)
			continue;
		if (!best || f->open > best->open ||
		    (f->open == best->open &&
		     (f->lasting > best->lasting ||
		      (f->lasting == best->lasting && f->depth > best->depth))))
			best = f;
	}
	return best;
}

static bool any_open(const struct judgement *j)
{
	for (long i = 0; j->item && i < j->n; i++)
		if (j->item[i].open)
			return true;
	return false;
}

static void not_throttled(struct build *b)
{
	const struct judgement *j = &b->judged[b->main];
	const struct finding *f = biggest(j);
	struct verdict *v = b->v;
	bool usable = j->leg->has_temp && leg_is_long(j->leg);

	if (f)
		copy_evidence(&v->evidence, &f->evidence);
	if (any_open(j)) {
		v->klass = CLASS_UNATTRIBUTED;
		return;
	}
	if (!leg_is_long(j->leg))
		evidence_add(&v->evidence, "too-short", 0,
			     "a load of less than %.0f s is too short to judge its speed",
			     tuning.short_s);
	if (!usable)
		return;
	v->throttled = TRI_FALSE;
	/* What fell for good and is not explained may have any cause. */
	v->certainty = f && f->lasting && f->cause == CAUSE_UNKNOWN ? CERTAINTY_POSSIBLE
								    : CERTAINTY_LIKELY;
	if (!f)
		evidence_add(&v->evidence, "no-drop", -3,
			     "the speed never fell by more than 6 %% from its level");
}

/* The drive vanished under load: heat if it was at its hottest and hot. */
static void shut_down(struct build *b, const struct leg *l)
{
	struct verdict *v = b->v;
	long last = l->n - 1;
	bool hot;

	v->klass = CLASS_SHUTDOWN;
	v->onset_time_s = l->lost_s;
	v->onset_s = l->lost_s - l->start_s;
	while (last > 0 && l->time_s[last] >= l->lost_s)
		last--;
	if (last < 0)
		return;
	/* It fell silent some seconds before that was noticed. */
	while (last > 0 && l->mb_s[last] < 0.01 * l->usual_mb_s) {
		v->onset_time_s = l->time_s[last--];
		v->onset_s = v->onset_time_s - l->start_s;
	}
	v->onset_bytes = round(l->bytes[last]);
	if (!l->has_temp)
		return;
	v->onset_c = l->temp_c[last];
	hot = l->temp_c[last] >= leg_max_c(l, last) - 1 && l->temp_c[last] >= tuning.cool_c + 5;
	v->throttled = hot ? TRI_TRUE : TRI_NULL;
	v->certainty = hot ? CERTAINTY_LIKELY : CERTAINTY_UNKNOWN;
	if (hot)
		v->observed_limit_c = v->onset_c;
	evidence_add(&v->evidence, "shutdown", hot ? 5 : 0, "the drive vanished at %.0f °C%s",
		     v->onset_c, hot ? ", its highest temperature" : "");
}

static void add_drops(struct verdict *v, const struct judgement *j, size_t leg)
{
	for (long k = 0; k < j->n; k++) {
		long until = j->leg->n;

		if (k == j->thermal && (j->gentle || j->reported))
			continue;
		for (long m = k + 1; m < j->n && until == j->leg->n; m++)
			if (j->item[m].lasting && j->item[m].bin > j->item[k].bin)
				until = j->item[m].bin;
		add_drop(v, j->leg, &j->item[k], until);
		v->drops[v->n_drops - 1].leg = leg;
	}
}

/* Loads of which nothing is known to have come: the drive had nothing to do. */
static bool was_idle(const struct build *b)
{
	long bins = 0;

	for (size_t i = 0; i < b->n_legs; i++) {
		if (b->legs[i].usual_mb_s >= tuning.load_min_mb_s || witness_any(&b->legs[i]))
			return false;
		bins += b->legs[i].n;
	}
	return bins > 0 && b->run->load.op == OP_NONE;
}

void build_leg_outcome(struct build *b)
{
	const struct finding *f = build_thermal(b);

	if (!isnan(b->legs[b->main].lost_s))
		shut_down(b, &b->legs[b->main]);
	else if (f)
		throttled(b, f);
	else
		not_throttled(b);
}

void build_outcome(struct build *b)
{
	struct verdict *v = b->v;
	size_t leg = 0;

	if (b->main >= b->n_legs) {
		if (was_idle(b)) {
			v->throttled = TRI_FALSE;
			v->certainty = CERTAINTY_LIKELY;
			evidence_add(&v->evidence, "idle", -3,
				     "the drive never moved more than %.0f MB/s",
				     tuning.load_min_mb_s);
		}
		return;
	}
	build_leg_outcome(b);
	v->n_spans = 0;
	for (size_t i = 0; i < b->n_legs; i++) {
		if (b->legs[i].phase != PHASE_LOAD)
			continue;
		add_drops(v, &b->judged[i], leg);
		if (v->legs[leg].time_throttled_s > 0)
			add_spans(v, &b->judged[i]);
		leg++;
	}
}
