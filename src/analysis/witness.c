/* When the drive's own records say that it throttles, and what follows where no drop shows it. */
#include "analysis/witness.h"

#include <math.h>
#include <string.h>

#include "analysis/judge.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/journal.h"

const char *const witness_rules[WITNESS_COUNT] = {
    [WITNESS_TMT] = "counter", [WITNESS_PEL] = "pel", [WITNESS_OCP] = "ocp"};

static const char *const told[WITNESS_COUNT] = {
    [WITNESS_TMT] = "the drive's thermal-management counter moved",
    [WITNESS_PEL] = "the drive's persistent event log says that it throttled",
    [WITNESS_OCP] = "the drive's OCP log counted throttling",
};

/* Growth of one total. Both return NAN or the growth beyond `before`. */
static double grown(double before, double now)
{
	return now > before ? now - before : 0;
}

/* 0 was read before, and now it throttles. */
static double engaged(double before, double now)
{
	return before == 0 && now > 0;
}

static const struct {
	enum field field;
	enum witness witness;
	double (*growth)(double before, double now);
} sources[] = {
    {FIELD_TMT1_COUNT, WITNESS_TMT, grown},          {FIELD_TMT1_S, WITNESS_TMT, grown},
    {FIELD_TMT2_COUNT, WITNESS_TMT, grown},          {FIELD_TMT2_S, WITNESS_TMT, grown},
    {FIELD_OCP_COUNT, WITNESS_OCP, ocp_count_delta}, {FIELD_OCP_STATUS, WITNESS_OCP, engaged},
};

/* When each began: between `since_s` and `first_s` of the log, NAN if it did not. */
struct began {
	double since_s, first_s;
};

static void take(struct began *b, double since_s, double first_s)
{
	if (first_s >= b->first_s)
		return;
	b->first_s = first_s;
	b->since_s = since_s;
}

/* The first growth in the leg; the last reading before the leg is the base. */
static void read_column(const struct leg *l, const struct run *run, size_t k, struct began *out)
{
	const struct series *s = &run->series;
	enum field f = sources[k].field;
	double last = NAN, last_s = NAN;

	if (!s->col[f])
		return;
	for (size_t i = l->first_row; i-- > 0 && isnan(last);)
		last = series_get(s, f, i);
	for (size_t i = l->first_row; i < l->end_row; i++) {
		double v = series_get(s, f, i);

		if (isnan(v))
			continue;
		if (sources[k].growth(last, v) > 0) {
			double first_s = series_time(s, i) - row_dt_s(run, i);

			take(&out[sources[k].witness], isnan(last_s) ? first_s : last_s, first_s);
			return;
		}
		last = v;
		last_s = series_time(s, i);
	}
}

/* An entry that tells of throttling. */
static bool throttles(const struct event *e, struct journal_entry *out)
{
	const struct journal_kind *kind;

	if (e->kind != EVENT_PEL || !e->text || !journal_parse(e->text, out))
		return false;
	kind = journal_kind(out->code);
	return kind && kind->throttles;
}

static long bin_at(const struct leg *l, double time_s)
{
	for (long i = 0; i < l->n; i++)
		if (l->time_s[i] >= time_s - 0.01)
			return i;
	return l->n - 1;
}

static void read_entries(struct leg *l, const struct run *run, struct began *out)
{
	l->n_entries = 0;
	for (size_t i = 0; i < run->series.n_events; i++) {
		struct journal_entry e;

		/* The drive's clock counts ms, but its time is related to ours by one reading. */
		if (!throttles(&run->series.events[i], &e) || !(e.time_s >= l->start_s - 1) ||
		    !(e.time_s <= l->end_s + 1) || l->n == 0)
			continue;
		take(out, e.time_s, e.time_s);
		if (l->n_entries < JOURNAL_MAX)
			l->entry[l->n_entries++] = bin_at(l, e.time_s);
	}
}

void witness_read(struct leg *l, const struct run *run)
{
	struct began began[WITNESS_COUNT];

	for (int w = 0; w < WITNESS_COUNT; w++)
		began[w] = (struct began){INFINITY, INFINITY};
	for (size_t k = 0; k < sizeof(sources) / sizeof(*sources); k++)
		read_column(l, run, k, began);
	read_entries(l, run, &began[WITNESS_PEL]);
	for (int w = 0; w < WITNESS_COUNT; w++) {
		bool any = l->n > 0 && isfinite(began[w].first_s);

		l->witness_first[w] = any ? bin_at(l, began[w].first_s) : -1;
		l->witness_since[w] = any ? bin_at(l, began[w].since_s) : -1;
	}
}

bool witness_any(const struct leg *l)
{
	for (int w = 0; w < WITNESS_COUNT; w++)
		if (l->witness_first[w] >= 0)
			return true;
	return false;
}

long witness_uncut_until(const struct leg *l)
{
	long until = l->n;

	for (int w = 0; w < WITNESS_COUNT; w++)
		if (l->witness_first[w] >= 0 && l->witness_since[w] < until)
			until = l->witness_since[w];
	return until;
}

static bool is_off(const struct judge_context *context, enum witness w)
{
	return context->without && strcmp(context->without, witness_rules[w]) == 0;
}

bool witness_told(const struct judge_context *context, const struct leg *l, enum witness w)
{
	return l->witness_first[w] >= 0 && !is_off(context, w);
}

long witness_earliest(const struct judge_context *context, const struct leg *l)
{
	long first = -1;

	for (enum witness w = 0; w < WITNESS_COUNT; w++)
		if (witness_told(context, l, w) && (first < 0 || l->witness_first[w] < first))
			first = l->witness_first[w];
	return first;
}

bool witness_near(const struct leg *l, enum witness w, long bin)
{
	long slack = leg_bins(l, tuning.counter_s), early = leg_bins(l, tuning.entry_early_s);

	/* The drive knows when it was; the speed may follow bit by bit. */
	for (int i = 0; w == WITNESS_PEL && i < l->n_entries; i++)
		if (bin >= l->entry[i] - early && bin <= l->entry[i] + slack)
			return true;
	return w != WITNESS_PEL && l->witness_first[w] >= 0 && bin >= l->witness_since[w] - slack &&
	       bin <= l->witness_first[w] + slack;
}

/* A finding at bin `d` that rests on `w` alone. */
static struct finding *add_finding(struct judgement *j, long d, enum witness w)
{
	const struct leg *l = j->leg;
	long a = d - leg_bins(l, 30), peak = d + leg_bins(l, tuning.peak_s) + 1;
	struct finding *f;
	double before, after;

	a = a > 0 ? a : 0;
	before = d > a ? stat_mean(l->mb_s + a, d - a) : l->mb_s[d];
	after = stat_mean(l->mb_s + d, l->n - d);
	f = judgement_add(j);
	f->bin = d;
	f->end_bin = l->n;
	f->lasting = true;
	f->cause = CAUSE_THERMAL;
	f->score = 9;
	f->ref = log(fmax(before, 1e-9) / l->usual_mb_s);
	f->depth = after < before ? log(before / fmax(after, 1e-9)) : 0;
	f->temp_c = l->has_temp ? stat_max(l->temp_c, d > 0 ? d - 1 : 0, peak < l->n ? peak : l->n)
				: (double)NAN;
	f->facts.counter = f->facts.witness[w] = true;
	evidence_add(&f->evidence, witness_rules[w], 9, "%s", told[w]);
	j->thermal = j->n - 1;
	j->reported = true;
	return f;
}

void witness_only(const struct judge_context *context, struct judgement *j)
{
	long first = witness_earliest(context, j->leg);

	for (enum witness w = 0; w < WITNESS_COUNT; w++)
		if (witness_told(context, j->leg, w) && j->leg->witness_first[w] == first) {
			add_finding(j, first, w);
			return;
		}
}

bool witness_untimed(const struct run *run)
{
	for (size_t i = 0; i < run->series.n_events; i++) {
		struct journal_entry e;

		if (throttles(&run->series.events[i], &e) && isnan(e.time_s))
			return true;
	}
	return false;
}

void witness_place_untimed(const struct judge_context *context, struct judgement *judged, long n)
{
	struct judgement *hottest = NULL;
	double hottest_c = NAN;

	if (is_off(context, WITNESS_PEL) || !witness_untimed(context->run))
		return;
	for (long i = 0; i < n; i++) {
		const struct leg *l = judged[i].leg;
		double c;

		if (judged[i].thermal >= 0)
			return;
		if (l->phase != PHASE_LOAD || !leg_is_long(l))
			continue;
		c = l->has_temp ? leg_max_c(l, l->n - 1) : (double)NAN;
		if (!hottest || c > hottest_c || isnan(hottest_c)) {
			hottest = &judged[i];
			hottest_c = c;
		}
	}
	if (!hottest)
		return;
	add_finding(hottest, hottest->leg->n - 1, WITNESS_PEL);
	hottest->untimed = true;
}
