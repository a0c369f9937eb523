/* Two runs of one drive. */
#ifndef THROTTLOG_PAIR_H
#define THROTTLOG_PAIR_H

#include "throttlog/verdict.h"

/*
 * What two runs of a drive, cooled differently, say about a lasting drop of both: CAUSE_SLC_CACHE
 * after as many bytes at other temperatures, CAUSE_THERMAL at the same temperature after other
 * bytes, else CAUSE_UNKNOWN. Sets the two drops.
 */
enum cause verdict_pair(const struct verdict *a, const struct verdict *b, const struct drop **of_a,
			const struct drop **of_b);

#endif
