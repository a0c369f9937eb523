/* Which rows of a log are loads. */
#ifndef ANALYSIS_SPLIT_H
#define ANALYSIS_SPLIT_H

#include <stddef.h>

#include "throttlog/run.h"

struct stretch {
	size_t first, end;
	enum op op;
	enum phase phase;
};

/* In order; returns how many. The caller frees *out. */
size_t split_loads(const struct run *run, struct stretch **out);

#endif
