/*
 * What two runs say about each other's drops: a cache ends after as many bytes however cool the
 * drive is, heat cuts at the same temperature however many bytes that takes.
 */
#include "throttlog/pair.h"

#include <math.h>

#include "analysis/tuning.h"

static bool lasts(const struct verdict *v, const struct drop *d)
{
	return isnan(d->end_s) && !isnan(d->temp_c) && v->legs[d->leg].op == OP_WRITE &&
	       d->to_mb_s <= (1 - tuning.open_min) * d->from_mb_s &&
	       (d->cause == CAUSE_THERMAL || d->cause == CAUSE_SLC_CACHE ||
		d->cause == CAUSE_UNKNOWN);
}

static enum cause common_cause(const struct drop *a, const struct drop *b)
{
	double ratio = fmax(a->bytes, b->bytes) / fmin(a->bytes, b->bytes);
	double apart_k = fabs(a->temp_c - b->temp_c);

	if (ratio <= 1 + tuning.same_bytes && apart_k >= tuning.apart_k &&
	    a->cause != CAUSE_THERMAL && b->cause != CAUSE_THERMAL)
		return CAUSE_SLC_CACHE;
	if (ratio >= tuning.other_bytes && apart_k <= tuning.same_k &&
	    fmin(a->temp_c, b->temp_c) >= tuning.cool_c && a->cause != CAUSE_SLC_CACHE &&
	    b->cause != CAUSE_SLC_CACHE)
		return CAUSE_THERMAL;
	return CAUSE_UNKNOWN;
}

enum cause verdict_pair(const struct verdict *a, const struct verdict *b, const struct drop **of_a,
			const struct drop **of_b)
{
	for (size_t i = 0; i < a->n_drops; i++)
		for (size_t k = 0; k < b->n_drops && lasts(a, &a->drops[i]); k++) {
			enum cause cause = lasts(b, &b->drops[k])
					       ? common_cause(&a->drops[i], &b->drops[k])
					       : CAUSE_UNKNOWN;

			if (cause == CAUSE_UNKNOWN)
				continue;
			*of_a = &a->drops[i];
			*of_b = &b->drops[k];
			return cause;
		}
	return CAUSE_UNKNOWN;
}
