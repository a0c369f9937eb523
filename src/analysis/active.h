/* What the cause test's rows say about a drop. */
#ifndef ANALYSIS_ACTIVE_H
#define ANALYSIS_ACTIVE_H

#include <stdbool.h>

#include "analysis/judge.h"

/* The drop that a test is about: the hottest lasting one that is open or stands on little. -1: none
 */
long active_candidate(const struct judgement *j);
/* Writing has changed since finding `k`: only reading can tell about it. */
bool active_is_past(const struct judgement *j, long k);
/*
 * Weighs probes and restarts among legs[after + 1..n) (up to the next load) for the candidate of
 * *j, which is about legs[after]; may change its cause and the judgement.
 */
void active_weigh(const struct leg *legs, size_t n, size_t after, struct judgement *j);

/* One warm restart, as seen against a drop at drop_c from ref_mb_s by `depth` (ln). */
enum restart_kind { RESTART_SAME, RESTART_SLOW, RESTART_ELSEWHERE, RESTART_THROUGH, RESTART_VAIN };

struct restart {
	enum restart_kind kind;
	double start_c, drop_c; /* NAN: no drop */
	double bytes;           /* before the drop */
};

/*
 * The same of reading on from cool until it is cut or too hot: there is no cache to run out. Its
 * own first seconds are the reference.
 */
struct restart active_read(const struct leg *l, double drop_c, double depth);

struct restart active_restart(const struct leg *l, double drop_c, double ref_mb_s, double depth);

#endif
