/* The steps of the active cause test, decided from the rows so far. */
#include "throttlog/cause_test.h"

#include <math.h>
#include <string.h>

#include "analysis/active.h"
#include "analysis/build.h"
#include "analysis/tuning.h"

/* Cool by so much below the drop before restart i: the bytes to the cut must differ. */
static const double cool_by_k[] = {10, 15, 12};

#define RESTARTS_MAX 3

static double last_temp(const struct run *run)
{
	const struct series *s = &run->series;

	for (size_t i = s->n; i-- > 0 && s->n - i < 10;)
		if (!isnan(series_get(s, FIELD_TEMP, i)))
			return series_get(s, FIELD_TEMP, i);
	return NAN;
}

/* What the load that just ended did; a run may have several. */
static enum op last_op(const struct run *run)
{
	for (size_t i = run->series.n; i-- > 0;)
		if (run->series.op[i] != OP_NONE)
			return (enum op)run->series.op[i];
	return run->load.op;
}

bool cause_test_begin(struct cause_test *t, const struct run *run)
{
	struct finding f;

	memset(t, 0, sizeof(*t));
	t->cold_c = t->hot_mb_s = t->cold_mb_s = NAN;
	if (run->load.op == OP_NONE || !build_candidate(run, &f, &t->ref_mb_s, &t->past))
		return false;
	t->op = last_op(run);
	t->drop_c = f.temp_c;
	t->depth = f.depth;
	t->needed = t->op == OP_READ ? 1 : RESTARTS_MAX;
	t->step = CAUSE_STEP_DONE;
	t->probing = t->op == OP_WRITE;
	t->lasting = f.lasting;
	return true;
}

static void start(struct cause_test *t, const struct run *run, enum cause_step step)
{
	t->step = step;
	t->step_start_s = run->series.n ? series_time(&run->series, run->series.n - 1) : 0;
	t->low_s = t->hot_s = 0;
}

static double elapsed(const struct cause_test *t, const struct run *run)
{
	return series_time(&run->series, run->series.n - 1) - t->step_start_s;
}

/* Mean throughput of a probe, its first two seconds left out. */
static double step_mb_s(const struct cause_test *t, const struct run *run)
{
	const struct series *s = &run->series;
	double sum = 0;
	int n = 0;

	for (size_t i = s->n; i-- > 0 && series_time(s, i) > t->step_start_s + 2.01;) {
		if (series_time(s, i) > t->step_start_s + tuning.probe_s + 0.01)
			continue;
		sum += row_mb_s(run, i);
		n++;
	}
	return n ? sum / n : (double)NAN;
}

/* Hot reads as fast as cool ones: no throttling. */
static bool is_unslowed(const struct cause_test *t)
{
	return t->was_hot && t->hot_mb_s >= tuning.probe_full * t->cold_mb_s;
}

static bool is_hot_probe(const struct cause_test *t)
{
	return t->lasting && t->probes == 0;
}

static void end_hot_probe(struct cause_test *t, const struct run *run)
{
	t->hot_mb_s = step_mb_s(t, run);
	t->was_hot = last_temp(run) >= t->drop_c - 2;
	t->probes = 1;
	start(t, run, CAUSE_STEP_COOL);
}

/* Reading from cool: its first seconds against the hot probe, its end against the drop. */
static void end_reading(struct cause_test *t, const struct run *run)
{
	struct restart r = build_last_restart(run, t->drop_c, (double)NAN, t->depth);

	t->probes = 2;
	if (t->hot_mb_s <= tuning.probe_slow * t->cold_mb_s)
		t->needed = 1;
	if (r.kind == RESTART_SAME || r.kind == RESTART_THROUGH || is_unslowed(t) || t->past)
		t->step = CAUSE_STEP_DONE;
	else
		start(t, run, CAUSE_STEP_COOL);
}

static void end_cooling(struct cause_test *t, const struct run *run)
{
	t->cold_c = last_temp(run);
	/* Idle too hot: a restart would begin at the limit and tell nothing. */
	if (!(t->cold_c <= t->drop_c - 4))
		t->step = CAUSE_STEP_DONE;
	else
		start(t, run, t->probing && t->probes < 2 ? CAUSE_STEP_PROBE : CAUSE_STEP_RELOAD);
}

/* Judges the restart that ends here by the same function as the verdict. */
static void end_restart(struct cause_test *t, const struct run *run)
{
	struct restart r = build_last_restart(run, t->drop_c, t->ref_mb_s, t->depth);

	t->restarts++;
	if (r.kind != RESTART_SAME || t->restarts >= t->needed)
		t->step = CAUSE_STEP_DONE;
	else
		start(t, run, CAUSE_STEP_COOL);
}

static bool cooled(const struct cause_test *t, const struct run *run)
{
	double aim = t->drop_c - cool_by_k[t->restarts];

	return (elapsed(t, run) >= 15 && last_temp(run) <= aim) ||
	       elapsed(t, run) >= tuning.cool_max_s;
}

/* The load has shown a cut and its peak, or full speed through the limit, or nothing. */
static bool heated(struct cause_test *t, const struct run *run, double ref_mb_s, double depth)
{
	size_t last = run->series.n - 1;
	double dt = row_dt_s(run, last);
	bool low = row_mb_s(run, last) < ref_mb_s * (1 - 0.5 * (1 - exp(-depth)));

	t->low_s = low && elapsed(t, run) > 2 ? t->low_s + dt : 0;
	t->hot_s = last_temp(run) >= t->drop_c + 3 ? t->hot_s + dt : 0;
	return t->low_s >= 12 || t->hot_s >= 10 || elapsed(t, run) >= tuning.restart_max_s;
}

static void go_on_probe(struct cause_test *t, const struct run *run)
{
	if (elapsed(t, run) < tuning.probe_s)
		return;
	if (is_hot_probe(t)) {
		end_hot_probe(t, run);
		return;
	}
	if (isnan(t->cold_mb_s))
		t->cold_mb_s = step_mb_s(t, run);
	if (is_unslowed(t) || heated(t, run, t->cold_mb_s, fmax(t->depth, tuning.read_depth)))
		end_reading(t, run);
}

static void go_on(struct cause_test *t, const struct run *run)
{
	switch (t->step) {
	case CAUSE_STEP_DONE:
		break;
	case CAUSE_STEP_PROBE:
		go_on_probe(t, run);
		break;
	case CAUSE_STEP_COOL:
		if (cooled(t, run))
			end_cooling(t, run);
		break;
	case CAUSE_STEP_RELOAD:
		if (heated(t, run, t->ref_mb_s, t->depth))
			end_restart(t, run);
		break;
	}
}

struct cause_action cause_test_next(struct cause_test *t, const struct run *run)
{
	struct cause_action a = {.phase = PHASE_COOLDOWN, .op = OP_NONE, .until_c = NAN};
	double most_s = 0;

	if (t->step == CAUSE_STEP_DONE && t->probes == 0 && t->restarts == 0 && isnan(t->cold_c))
		start(t, run, t->probing && t->lasting ? CAUSE_STEP_PROBE : CAUSE_STEP_COOL);
	else
		go_on(t, run);
	a.step = t->step;
	switch (t->step) {
	case CAUSE_STEP_DONE:
		return a;
	case CAUSE_STEP_PROBE:
		a.phase = PHASE_PROBE;
		a.op = OP_READ;
		most_s = is_hot_probe(t) ? tuning.probe_s : tuning.restart_max_s;
		break;
	case CAUSE_STEP_COOL:
		a.phase = PHASE_PAUSE;
		a.until_c = t->drop_c - cool_by_k[t->restarts];
		most_s = tuning.cool_max_s;
		break;
	case CAUSE_STEP_RELOAD:
		a.phase = PHASE_RESTART;
		a.op = t->op;
		most_s = tuning.restart_max_s;
		break;
	}
	a.left_s = fmax(0, most_s - elapsed(t, run));
	return a;
}
