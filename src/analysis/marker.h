/* Marks falls of a stream of speeds in constant time: a one-sided CUSUM against a recent median. */
#ifndef ANALYSIS_MARKER_H
#define ANALYSIS_MARKER_H

#include <stdbool.h>

#define MARKER_REF 30 /* speeds that make the reference */

struct marker {
	double last[3]; /* newest first */
	double ref[MARKER_REF];
	int n_ref, next_ref, rows, rows_low;
	double sum;
};

void marker_reset(struct marker *m);
/* True if the speed has fallen: at the latest after a few rows. Then learns a new reference. */
bool marker_push(struct marker *m, double mb_s);

#endif
