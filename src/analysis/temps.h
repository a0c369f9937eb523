/*
 * The temperature reading of a log, with what is wrong with it: glitches taken out, old readings
 * carried on, distrust where it is frozen, out of range or contradicted by the sensors.
 */
#ifndef ANALYSIS_TEMPS_H
#define ANALYSIS_TEMPS_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/run.h"

struct temps {
	/* A value a row, carried on; NAN where unknown. The series' own column if it is as good. */
	const double *temp_c;
	double *own_c; /* what temps_free() frees */
	size_t known;  /* rows that had a reading of their own */
	size_t glitches, out_of_range;
	double spacing_s; /* between readings under load; NAN if there are not two */
	double max_c;
	enum field source; /* whose reading it is */
	double refresh_s;  /* how often the drive renews the reading, if slower; NAN */
	bool frozen;
	bool stuck;        /* high and unmoved on an idle drive with a much cooler sensor */
	bool contradicted; /* far above every sensor of the drive all the time */
	double belied_c;   /* it is far below this limit, which the drive counted as reached; NAN */
};

/* True if heat can be judged by it. */
bool temps_usable(const struct temps *t);
void temps_read(const struct run *run, enum field source, struct temps *out);
void temps_free(struct temps *t);

#endif
