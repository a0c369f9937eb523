/* Runs a synthetic drive through the product's phases and keeps the log. */
#ifndef TESTS_EVAL_EVAL_H
#define TESTS_EVAL_EVAL_H

#include "synth.h"
#include "throttlog/verdict.h"

enum mode { MODE_PASSIVE, MODE_ACTIVE, MODE_BARE, MODE_REVIEW, MODE_PROTOCOL };

/* What a cause test cost. */
struct cost {
	double seconds, written_gb;
};

/*
 * Baseline of 60 s polled every 30 s, the load, 180 s of cool-down; MODE_BARE: the load alone.
 * MODE_ACTIVE also does what the cause test asks for. MODE_REVIEW reads first where the load
 * writes, MODE_PROTOCOL with the cause test too. *run is the caller's to free. Returns the cost of
 * the cause test.
 */
struct cost eval_log(const struct spec *spec, uint64_t seed, enum mode mode, struct synth *s,
		     struct run *run);

/* Judges each log of a directory by the truth in its note. Returns an exit status. */
int eval_logs(const char *dir);

#endif
