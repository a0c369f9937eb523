/* Private to the makers of a verdict: the parts that each fill some of its members. */
#ifndef ANALYSIS_BUILD_H
#define ANALYSIS_BUILD_H

#include "analysis/active.h"
#include "analysis/judge.h"
#include "throttlog/verdict.h"

struct build {
	const struct run *run;
	struct verdict *v;
	struct temps temps;     /* of the reading that the verdict goes by */
	struct temps composite; /* what is known of it; no columns */
	bool composite_bad;     /* missing or not to be trusted */
	struct leg *legs;
	struct judgement *judged; /* one a leg */
	size_t n_legs;
	size_t main;    /* the leg that the verdict tells of; n_legs: there is none */
	bool last_only; /* judge the newest load, whatever the others were */
	enum op only;   /* of the loads that did this one decides; OP_NONE: of all */
};

void build_warning(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void build_clear(struct verdict *v);
void build_legs(struct build *b); /* each load by itself, and the one that decides */
/* Does `a` say more about the log than `b`? */
bool legs_decides(const struct leg_verdict *a, const struct leg_verdict *b);
void build_leg_numbers(struct build *b);    /* temperature and throughput of the main leg */
void build_leg_outcome(struct build *b);    /* the main leg: throttled, class, onset, loss */
void build_warnings(const struct build *b); /* about what was read */
void build_summary(struct build *b);        /* temperature, throughput, duration */
void build_outcome(struct build *b);        /* throttled, class, onset, loss, drops, spans */
void build_counters(const struct build *b); /* evidence from the drive's counters */
void build_heatsink(const struct build *b);
void build_headline(const struct build *b);

/* verdict_make() for the load that is under way: what decides is the last one. */
void build_live(const struct run *run, struct verdict *out);

/* The finding that carries the onset, or NULL. */
const struct finding *build_thermal(const struct build *b);

/*
 * For the live cause test: the drop of the last load that is worth one, and the speed before it.
 * Only its plain members are filled. *past: only reading can tell.
 */
bool build_candidate(const struct run *run, struct finding *out, double *ref_mb_s, bool *past);
/* ref_mb_s is NAN for a probe: reading is its own reference. */
struct restart build_last_restart(const struct run *run, double drop_c, double ref_mb_s,
				  double depth);

#endif
