/* Pure: time and temperature come from the caller. */
#include "rest.h"

#include <math.h>

#define NEAR_IDLE_K 1.0   /* readings are whole degrees */
#define SETTLED_S   120.0 /* no cooler for so long: warmer air, or a host that got warm */

void rest_clear(struct rest *r)
{
	r->idle_c = r->begun_s = r->low_c = r->low_since_s = (double)NAN;
}

void rest_idle(struct rest *r, double temp_c)
{
	if (!isnan(temp_c))
		r->idle_c = temp_c;
}

void rest_begin(struct rest *r, double t_s)
{
	r->begun_s = t_s;
	r->low_c = r->low_since_s = (double)NAN;
}

bool rest_row(struct rest *r, double t_s, double temp_c)
{
	if (isnan(temp_c))
		return false;
	if (isnan(r->low_c) || temp_c < r->low_c) {
		r->low_c = temp_c;
		r->low_since_s = t_s;
	}
	if (t_s - r->begun_s < REST_SHORTEST_S)
		return false;
	return temp_c <= r->idle_c + NEAR_IDLE_K || t_s - r->low_since_s >= SETTLED_S;
}
