/* The table of `throttlog compare`: what differs between runs, each against the first. */
#ifndef EDGE_COMPARE_H
#define EDGE_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "throttlog/report.h"

void compare_print(FILE *out, const struct report *reports, size_t n, bool iec);

#endif
