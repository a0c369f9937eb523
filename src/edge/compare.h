/* The table of `throttlog compare`: what differs between runs, each against the first. */
#ifndef EDGE_COMPARE_H
#define EDGE_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "throttlog/report.h"

/*
 * What the load of each log did that a picture lays over each other: the first log's deciding one,
 * OP_NONE if not all logs have such a load.
 */
enum op compare_op(const struct report *reports, size_t n);
void compare_print(FILE *out, const struct report *reports, size_t n, bool iec);

#endif
