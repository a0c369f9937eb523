/*
 * Weighs the active cause test. Its rows are legs of their own: reads while hot and when cooled,
 * and restarts of the load from below the temperature in question.
 */
#include "analysis/active.h"

#include <math.h>

#include "analysis/stats.h"
#include "analysis/tuning.h"

/* Heat, but from little evidence: a permanent slowdown inside the drive looks like it. */
static bool is_weak(const struct finding *f)
{
	return f->lasting && f->cause == CAUSE_THERMAL && !f->facts.counter &&
	       !f->facts.responses && f->score < tuning.sure;
}

/* A later cache end or the like: writing is no longer in the state of that drop. */
bool active_is_past(const struct judgement *j, long k)
{
	for (long i = k + 1; i < j->n; i++)
		if (j->item[i].lasting && !j->item[i].open && j->item[i].cause != CAUSE_THERMAL &&
		    1 - exp(-j->item[i].depth) >= tuning.cache_min)
			return true;
	return false;
}

long active_candidate(const struct judgement *j)
{
	long best = -1;

	if (j->thermal >= 0)
		return !j->gentle && !j->reported && is_weak(&j->item[j->thermal]) ? j->thermal
										   : -1;
	for (long i = 0; i < j->n; i++) {
		const struct finding *f = &j->item[i];

		if (!f->open || isnan(f->temp_c) ||
		    (f->facts.op != OP_WRITE && active_is_past(j, i)))
			continue;
		if (best < 0 || f->lasting > j->item[best].lasting ||
		    (f->lasting == j->item[best].lasting && f->temp_c > j->item[best].temp_c))
			best = i;
	}
	return best;
}

struct restart active_restart(const struct leg *l, double drop_c, double ref_mb_s, double depth)
{
	struct restart r = {.kind = RESTART_VAIN, .start_c = NAN, .drop_c = NAN, .bytes = NAN};
	double limit = ref_mb_s * (1 - 0.5 * (1 - exp(-depth)));
	long n = leg_bins(l, 4), low = 0, drop = -1, peak;

	if (l->n < n + 1 || !l->has_temp)
		return r;
	r.start_c = l->temp_c[0];
	for (long i = 0; i < l->n && drop < 0; i++) {
		low = l->mb_s[i] < limit ? low + 1 : 0;
		if (low >= n)
			drop = i - n + 1;
	}
	if (drop >= 0) {
		peak = drop + leg_bins(l, tuning.peak_s) + 1;
		r.drop_c = stat_max(l->temp_c, drop > 0 ? drop - 1 : 0, peak < l->n ? peak : l->n);
		r.bytes = l->bytes[drop];
	}
	if (drop >= 0 && drop <= 1 && stat_max(l->mb_s, 0, drop) < limit)
		r.kind = r.drop_c <= drop_c - tuning.restart_k ? RESTART_SLOW : RESTART_VAIN;
	else if (drop >= 0)
		r.kind = fabs(r.drop_c - drop_c) <= tuning.restart_same_k      ? RESTART_SAME
			 : fabs(r.drop_c - drop_c) > 3 * tuning.restart_same_k ? RESTART_ELSEWHERE
									       : RESTART_VAIN;
	else if (leg_max_c(l, l->n - 1) >= drop_c + 2)
		r.kind = RESTART_THROUGH;
	return r;
}

/* Speed of a probe, without the change of load. */
static double probe_mb_s(const struct leg *l)
{
	double scratch[64];
	long n = leg_bins(l, tuning.probe_s) - 2;

	n = n < 1 ? 1 : n > 64 ? 64 : n;
	n = n < l->n - 2 ? n : l->n - 2;
	return n < 1 ? (double)NAN : stat_median(l->mb_s + 2, n, scratch);
}

struct restart active_read(const struct leg *l, double drop_c, double depth)
{
	return active_restart(l, drop_c, probe_mb_s(l), fmax(depth, tuning.read_depth));
}

struct seen {
	double hot_mb_s, hot_c, cold_mb_s, cold_c; /* probes; NAN */
	bool hot;                                  /* the hot one was about as hot as the drop */
	bool read_cut;                             /* reading was cut at the same temperature */
	int same, against;
	double bytes_min, bytes_max;
};

/* A probe at once after the load is hot; one from cool may go on until it has heated up. */
static void see_probe(const struct leg *l, bool hot, struct finding *f, struct seen *s)
{
	double mb_s = probe_mb_s(l);
	struct restart r;

	if (isnan(mb_s))
		return;
	if (hot) {
		s->hot_mb_s = mb_s;
		s->hot_c = l->temp_c[0];
		/* Colder, it may have let go: full speed would mean nothing. */
		s->hot = f->lasting && stat_min(l->temp_c, 0, l->n) >= f->temp_c - 2;
		return;
	}
	s->cold_mb_s = mb_s;
	s->cold_c = l->temp_c[0];
	r = active_read(l, f->temp_c, f->depth);
	if (r.kind == RESTART_SAME) {
		s->read_cut = true;
		evidence_add(&f->evidence, "read-same", 4,
			     "reading from %.0f °C on was cut at %.0f °C too: no cache", r.start_c,
			     r.drop_c);
	} else if (r.kind == RESTART_THROUGH) {
		s->against++;
		evidence_add(&f->evidence, "read-through", -4,
			     "reading ran at full speed up to %.0f °C: no limit there",
			     leg_max_c(l, l->n - 1));
	}
}

static void see_restart(const struct leg *l, struct finding *f, double ref_mb_s, struct seen *s)
{
	struct restart r = active_restart(l, f->temp_c, ref_mb_s, f->depth);

	switch (r.kind) {
	case RESTART_SAME:
		s->same++;
		s->bytes_min = fmin(s->bytes_min, r.bytes);
		s->bytes_max = fmax(s->bytes_max, r.bytes);
		evidence_add(&f->evidence, "restart-same", 1,
			     "warm restart: fast again, cut again at %.0f °C after %.1f GB",
			     r.drop_c, r.bytes / 1e9);
		break;
	case RESTART_SLOW:
		s->against++;
		evidence_add(&f->evidence, "restart-slow", -5,
			     "warm restart: slow at once at %.0f °C", r.start_c);
		break;
	case RESTART_ELSEWHERE:
		if (f->facts.op == OP_READ) {
			evidence_add(&f->evidence, "restart-vain", 0,
				     "warm restart: fast again, but dropped at %.0f °C", r.drop_c);
			break;
		}
		s->against++;
		evidence_add(&f->evidence, "restart-elsewhere", -4,
			     "warm restart: dropped at %.0f °C instead", r.drop_c);
		break;
	case RESTART_THROUGH:
		s->against++;
		evidence_add(&f->evidence, "restart-through", -5,
			     "warm restart: full speed up to %.0f °C", leg_max_c(l, l->n - 1));
		break;
	case RESTART_VAIN:
		evidence_add(&f->evidence, "restart-vain", 0,
			     "warm restart from %.0f °C up to %.0f °C: decided nothing", r.start_c,
			     l->n ? leg_max_c(l, l->n - 1) : (double)NAN);
		break;
	}
}

static void weigh_probes(struct finding *f, const struct seen *s)
{
	double ratio = s->hot_mb_s / s->cold_mb_s;

	if (ratio >= tuning.probe_full && s->hot)
		evidence_add(&f->evidence, "probe-full", -4,
			     "reading ran at full speed at %.0f °C: the drive was not throttled",
			     s->hot_c);
	else if (ratio <= tuning.probe_slow)
		evidence_add(
		    &f->evidence, "probe-slow", 2,
		    "reading was slow too at %.0f °C, %.0f instead of %.0f MB/s at %.0f °C",
		    s->hot_c, s->hot_mb_s, s->cold_mb_s, s->cold_c);
}

/* True if the tests show heat; all that was seen is in the evidence. */
static bool shows_heat(const struct finding *f, const struct seen *s)
{
	bool slow = s->hot_mb_s / s->cold_mb_s <= tuning.probe_slow;

	if (s->read_cut)
		return true;
	if (s->against)
		return false;
	/* Reading: a cut that comes again at its temperature is enough, there is no cache. */
	if (f->facts.op == OP_READ)
		return s->same >= 1;
	return (s->same >= 3 && s->bytes_max >= 1.2 * s->bytes_min) || (s->same >= 1 && slow);
}

void active_weigh(const struct leg *legs, size_t n, size_t after, struct judgement *j)
{
	struct seen s = {.hot_mb_s = NAN, .cold_mb_s = NAN, .bytes_min = INFINITY};
	long k = active_candidate(j);
	double ref_mb_s;
	struct finding *f;
	bool past;

	if (k < 0)
		return;
	f = &j->item[k];
	past = active_is_past(j, k);
	ref_mb_s = exp(f->ref) * legs[after].usual_mb_s;
	for (size_t i = after + 1; i < n && legs[i].phase != PHASE_LOAD; i++) {
		if (legs[i].phase == PHASE_PROBE)
			see_probe(&legs[i], legs[i].start_s - legs[i - 1].end_s < 5, f, &s);
		else if (!past)
			see_restart(&legs[i], f, ref_mb_s, &s);
	}
	weigh_probes(f, &s);
	if (s.hot && s.hot_mb_s / s.cold_mb_s >= tuning.probe_full)
		s.against++;
	if (shows_heat(f, &s)) {
		f->open = false;
		f->cause = CAUSE_THERMAL;
		f->score = fmax(f->score, tuning.sure);
		if (j->thermal < 0 || k < j->thermal)
			j->thermal = k;
	} else if (s.against && !s.same) {
		f->open = false;
		f->cause = f->facts.op == OP_READ ? CAUSE_BACKGROUND : CAUSE_SLC_CACHE;
		if (j->thermal == k)
			j->thermal = -1;
	}
}
