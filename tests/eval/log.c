/* Makes a log of a synthetic drive. */
#include <math.h>

#include "eval.h"
#include "throttlog/cause_test.h"

static void add_row(struct run *run, struct synth *s, enum phase phase, enum op op, bool polled)
{
	struct sample row;

	synth_step(s, op, &row);
	row.time_s = s->all_s;
	row.phase = phase;
	if (!polled)
		row.temp_c = row.tmt1_count = row.tmt1_s = row.tmt2_count = row.tmt2_s = NAN;
	series_append(&run->series, &row);
}

/* Does what the cause test asks for. */
static struct cost cause_test(struct run *run, struct synth *s)
{
	struct cause_test t;
	struct cost cost = {0, 0};
	double before_mb;

	if (!cause_test_begin(&t, run))
		return cost;
	for (;;) {
		struct cause_action a = cause_test_next(&t, run);

		if (a.step == CAUSE_STEP_DONE)
			return cost;
		before_mb = s->written;
		add_row(run, s, a.phase, a.op, true);
		cost.seconds++;
		cost.written_gb += a.op == OP_WRITE ? (s->written - before_mb) / 1e3 : 0;
	}
}

/* Five minutes of reading and a cool-down; the drive is as it was before, but for its clock. */
static void read_first(const struct spec *spec, uint64_t seed, struct synth *s, struct run *run)
{
	int all_s;

	/* The last stage of a cache is a window of time: reading knows no cache. */
	if (spec->truth == TRUTH_CACHE)
		s->spec.n_windows = 0;
	for (int i = 0; i < 300 && !s->dead; i++)
		add_row(run, s, PHASE_LOAD, OP_READ, true);
	for (int i = 0; i < 180; i++)
		add_row(run, s, PHASE_COOLDOWN, OP_NONE, true);
	all_s = s->all_s;
	synth_begin(s, spec, seed + 1);
	s->all_s = all_s;
}

struct cost eval_log(const struct spec *spec, uint64_t seed, enum mode mode, struct synth *s,
		     struct run *run)
{
	bool was_dead;
	struct cost cost = {0, 0};

	run_clear(run);
	run->load.op = spec->op;
	run->load.queue_depth = 32;
	run->interval_s = 1;
	run->drive.limits.wctemp_c = spec->wctemp_c;
	run->drive.limits.tmt1_c = spec->tmt1_c;
	synth_begin(s, spec, seed);
	for (int i = 0; i < 60; i++) {
		if (mode == MODE_BARE)
			break;
		add_row(run, s, PHASE_BASELINE, OP_NONE, i % 30 == 0);
	}
	if ((mode == MODE_REVIEW || mode == MODE_PROTOCOL) && spec->op == OP_WRITE)
		read_first(spec, seed, s, run);
	for (int i = 0; i < spec->seconds && !s->dead; i++)
		add_row(run, s, PHASE_LOAD, spec->op, true);
	was_dead = s->dead;
	s->frozen = true;
	if (was_dead)
		series_event(&run->series, EVENT_LOST, NAN, NULL);
	if ((mode == MODE_ACTIVE || mode == MODE_PROTOCOL) && !was_dead)
		cost = cause_test(run, s);
	for (int i = 0; i < 180 && !was_dead && mode != MODE_BARE; i++)
		add_row(run, s, PHASE_COOLDOWN, OP_NONE, true);
	return cost;
}
