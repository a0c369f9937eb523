/* Private to facts.c and shape.c. */
#ifndef ANALYSIS_SHAPE_H
#define ANALYSIS_SHAPE_H

#include "analysis/facts.h"

static inline long clamp(long i, long lo, long hi)
{
	return i < lo ? lo : i > hi ? hi : i;
}

/* The highest reading around bin `i`: a sensor lags, so a little after it too. */
double facts_peak(const struct leg *l, long i);
/*
 * How the speed goes down, and whether it was even before: held_s, steered, follows, changes,
 * hot_rises, clock_. Wants what lies before the drop to be known.
 */
void facts_shape(const struct drop_at *at, struct facts *f);

/*
 * ramp_s: over how many seconds the speed was let down evenly from where the drop is; 0 if a step
 * or two explain it as well. Sets `sliding` if a straight line from before does.
 */
void ramp_find(const struct drop_at *at, struct facts *f);
#define RAMP_BINS_MAX 160 /* bins looked at; they are a second long or more */

#endif
