/*
 * When a rest between two loads may end: the drive is near its idle temperature again, or as cool
 * as it gets.
 */
#ifndef CONDUCTOR_REST_H
#define CONDUCTOR_REST_H

#include <stdbool.h>

/* The controller cools in seconds, the board behind it does not. */
#define REST_SHORTEST_S 60.0

struct rest {
	double idle_c;             /* before the first load; NAN */
	double begun_s;            /* NAN: none under way */
	double low_c, low_since_s; /* coolest reading of this rest, and since when; NAN */
};

void rest_clear(struct rest *r);
/* A reading before the first load, NAN for none. */
void rest_idle(struct rest *r, double temp_c);
void rest_begin(struct rest *r, double t_s);
/* A row of the rest; temp_c NAN for none. True: cool enough. */
bool rest_row(struct rest *r, double t_s, double temp_c);

#endif
