/* Where exactly a drop begins, and whether it is two in a row. */
#ifndef ANALYSIS_STEPS_H
#define ANALYSIS_STEPS_H

#include "analysis/judge.h"

/*
 * A level begins where most of the fall is done; a speed that is steered down leaves its
 * reference earlier: where the sum of what is missing, less a bit of noise, begins to grow. Moves
 * at->bin there, not before bin `from`.
 */
void step_find_start(struct drop_at *at, long from);
/*
 * A cache that ends a few seconds before the heat limit: between the two the speed stands on a
 * step of its own, too short for a level. Returns the bin at which the second fall begins and the
 * step's y, or -1.
 */
long step_double(const struct drop_at *at, double *step_y);
/* Says in the evidence of `f`, which lasts, when and where the speed was cut further. */
void step_second_stage(const struct leg *l, struct finding *f);

#endif
