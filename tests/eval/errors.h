/* Absolute errors, and their median and upper quantiles. */
#ifndef TESTS_EVAL_ERRORS_H
#define TESTS_EVAL_ERRORS_H

#include <stddef.h>

struct errors {
	double *item; /* owned */
	size_t n;
};

void errors_add(struct errors *e, double value);
/* Nothing if there are none. */
void errors_print(const char *name, const struct errors *e);
void errors_free(struct errors *e);

#endif
