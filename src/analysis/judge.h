/* Finds the drops of one leg and says what caused each. */
#ifndef ANALYSIS_JUDGE_H
#define ANALYSIS_JUDGE_H

#include <stdbool.h>

#include "analysis/facts.h"
#include "analysis/rules.h"

struct finding {
	long bin, end_bin;
	bool lasting;
	bool open; /* heat or another cause: the evidence does not decide */
	enum cause cause;
	double score;
	double ref;   /* y of the reference speed */
	double depth; /* ln of the loss */
	double temp_c;
	struct facts facts;
	struct evidence_list evidence;
};

struct judgement {
	const struct leg *leg;
	struct finding *item; /* owned */
	long n;
	long thermal;  /* the finding that carries the onset, or -1 */
	bool gentle;   /* ... it has no drop: the limit is held at almost no loss */
	bool reported; /* ... only the drive's records say so */
	bool untimed;  /* ... and not when */
	bool more;     /* drops beyond tuning.events_max were not examined */
};

struct judge_context {
	const struct run *run;
	const struct temps *temps;
	struct others others;
	const char *without; /* rule switched off, NULL */
};

void judge_leg(const struct leg *leg, const struct judge_context *context, struct judgement *out);
void judgement_free(struct judgement *j);
/*
 * For each of `n` judgements of a log, what the others show; in out[0..n). Those of probes and
 * restarts neither teach nor learn.
 */
void others_learn(const struct judgement *judged, size_t n, struct others *out);
/* Adds an empty finding at the end. */
struct finding *judgement_add(struct judgement *j);

/* Causes outside of the drive between two bins; CAUSE_UNKNOWN if there is none. */
enum cause host_cause(const struct run *run, const struct leg *leg, const struct finding *f,
		      struct evidence_list *evidence);
/* A limit that is held at almost no loss of speed. True if *out was filled. */
bool gentle_find(const struct run *run, const struct leg *leg, struct finding *out);

#endif
