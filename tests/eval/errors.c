/* Absolute errors in order. */
#include "errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "throttlog/alloc.h"

void errors_add(struct errors *e, double value)
{
	e->item = xreallocarray(e->item, e->n + 1, sizeof(*e->item));
	e->item[e->n++] = fabs(value);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void errors_print(const char *name, const struct errors *e)
{
	if (!e->n)
		return;
	qsort(e->item, e->n, sizeof(*e->item), by_value);
	printf("  %-14s median %.2f  p90 %.2f  p95 %.2f  max %.1f  (%zu)\n", name,
	       e->item[e->n / 2], e->item[e->n * 9 / 10], e->item[e->n * 95 / 100],
	       e->item[e->n - 1], e->n);
}

void errors_free(struct errors *e)
{
	free(e->item);
	e->item = NULL;
	e->n = 0;
}
