/*
 * The active cause test: after a load with a lasting drop of open cause, a read probe while hot
 * and one when cooled (a full cache does not slow reads), then warm restarts (heat cuts again at
 * the same temperature after different bytes, a full cache does not). Says what to do next, does
 * nothing itself; verdict_make() weighs the rows that come of it.
 *
 *     if (cause_test_begin(&t, &run))          at the end of the load
 *         while ((a = cause_test_next(&t, &run)).step != CAUSE_STEP_DONE)
 *             run the load as `a` says until the next row, in phase a.phase
 */
#ifndef THROTTLOG_CAUSE_TEST_H
#define THROTTLOG_CAUSE_TEST_H

#include <stdbool.h>

#include "throttlog/run.h"

enum cause_step {
	CAUSE_STEP_DONE,
	CAUSE_STEP_PROBE, /* read, whatever the run does */
	CAUSE_STEP_COOL,  /* no load */
	CAUSE_STEP_RELOAD /* the run's own load again */
};

struct cause_action {
	enum cause_step step;
	enum phase phase; /* of the rows meanwhile */
	enum op op;       /* OP_NONE while cooling */
	double until_c;   /* CAUSE_STEP_COOL: the aim, else NAN */
	double left_s;    /* at most; for a view */
};

/* Plain state; the caller owns it. Members are private to cause_test.c. */
struct cause_test {
	enum op op;
	double drop_c, ref_mb_s, depth; /* the drop in question; depth as ln */
	bool probing;                   /* reads tell: it was a write */
	bool lasting;                   /* ... that is still slow */
	bool past;                      /* writing has changed since: restarts tell nothing */
	enum cause_step step;
	int probes, restarts, needed; /* restarts that were done and are needed */
	double step_start_s;          /* log time */
	double cold_c;                /* reached by the last cooling */
	double hot_mb_s, cold_mb_s;
	bool was_hot;        /* at the hot probe */
	double low_s, hot_s; /* of this load: below half of the drop; above the limit */
};

/* True if the load that just ended left a drop worth a test. */
bool cause_test_begin(struct cause_test *t, const struct run *run);
/* To be asked before each row; the rows so far are in *run. */
struct cause_action cause_test_next(struct cause_test *t, const struct run *run);

#endif
