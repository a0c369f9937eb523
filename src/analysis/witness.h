/*
 * When the drive itself recorded that it throttles: thermal-management counters (SMART), the
 * persistent event log, the OCP log. Totals are the drive's lifetime, so only their growth counts.
 */
#ifndef ANALYSIS_WITNESS_H
#define ANALYSIS_WITNESS_H

#include <stdbool.h>

enum witness { WITNESS_TMT, WITNESS_PEL, WITNESS_OCP, WITNESS_COUNT };

struct leg;
struct run;
struct judge_context;
struct judgement;

/* The evidence rule that stands for each. */
extern const char *const witness_rules[WITNESS_COUNT];

/* Fills leg->witness_first and leg->witness_since. */
void witness_read(struct leg *l, const struct run *run);
/* Any of them, in this leg. */
bool witness_any(const struct leg *l);
/* The bin before which none of them can have begun; leg->n if none tells of any. */
long witness_uncut_until(const struct leg *l);
/* Does this one tell, unless its rule is switched off (judge_context.without). */
bool witness_told(const struct judge_context *context, const struct leg *l, enum witness w);
/* The earliest bin, or -1. */
long witness_earliest(const struct judge_context *context, const struct leg *l);
/* Is `bin` where it may have begun, or near? */
bool witness_near(const struct leg *l, enum witness w, long bin);

/* They tell of throttling although no drop stands out: adds a finding for that. */
void witness_only(const struct judge_context *context, struct judgement *j);

/*
 * Entries of the persistent event log that tell of throttling at no known time. They confirm what
 * was found; if nothing was, the hottest load gets a finding.
 */
bool witness_untimed(const struct run *run);
void witness_place_untimed(const struct judge_context *context, struct judgement *judged, long n);

#endif
