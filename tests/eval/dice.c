/* Random numbers: splitmix64, so that a seed gives the same drives everywhere. */
#include <math.h>

#include "synth.h"

static uint64_t next(struct dice *d)
{
	uint64_t z = (d->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double dice_uniform(struct dice *d, double from, double to)
{
	return from + (to - from) * ((double)(next(d) >> 11) / 9007199254740992.0);
}

int dice_int(struct dice *d, int n)
{
	return (int)dice_uniform(d, 0, n);
}

bool dice_chance(struct dice *d, double p)
{
	return dice_uniform(d, 0, 1) < p;
}

double dice_normal(struct dice *d, double sigma)
{
	double u = dice_uniform(d, 1e-12, 1), v = dice_uniform(d, 0, 2 * M_PI);

	return sigma * sqrt(-2 * log(u)) * cos(v);
}

double dice_pick(struct dice *d, const double *values, int n)
{
	return values[dice_int(d, n)];
}
