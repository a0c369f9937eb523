/* The verdict as text for people: headline, evidence, drops, limits of what can be said. */
#ifndef THROTTLOG_SUMMARY_H
#define THROTTLOG_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "throttlog/run.h"
#include "throttlog/verdict.h"

void summary_print(FILE *out, const struct run *run, const struct verdict *v, bool iec);

#endif
