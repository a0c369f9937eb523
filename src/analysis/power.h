/*
 * How much heat the drive made after a drop compared with before, from its temperature alone: two
 * thermal nodes fitted to idle time, load and cool-down. A throttled drive makes less heat in
 * proportion; one whose cache is full works on.
 */
#ifndef ANALYSIS_POWER_H
#define ANALYSIS_POWER_H

#include <stdbool.h>

#include "analysis/leg.h"

struct power_ratio {
	double best, low, high; /* heat above idle after the drop / before it */
	double residual_k;      /* of the fit */
};

/*
 * For a drop at bin `at` of a leg that lasted to `end`; `since` is where the regime before it
 * began. False if there is too little to tell.
 */
bool power_find(const struct run *run, const struct temps *temps, const struct leg *leg, long at,
		long end, long since, struct power_ratio *out);

#endif
