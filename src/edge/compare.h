/* The table of `throttlog compare`: what differs between runs, each against the first. */
#ifndef EDGE_COMPARE_H
#define EDGE_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "throttlog/run.h"
#include "throttlog/verdict.h"

/* A log and what it says. */
struct report {
	struct run run;
	struct verdict verdict;
};

/* `names` are the logs' paths. */
void compare_print(FILE *out, const char *const *names, const struct report *reports, size_t n,
		   bool iec);

#endif
