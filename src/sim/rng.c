/*
 * Random numbers of a simulated drive: SplitMix64 (Steele, Lea, Flood 2014), so the same seed gives
 * the same rows with any C library. No transcendental functions either, for the same reason.
 */
#include "sim/sim_state.h"

static uint64_t next(struct sim *s)
{
	uint64_t z;

	s->rng += UINT64_C(0x9e3779b97f4a7c15);
	z = s->rng;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double sim_random(struct sim *s)
{
	return (double)(next(s) >> 11) * 0x1p-53;
}

double sim_random_gauss(struct sim *s)
{
	/* Sum of four uniform values of 16 bits: variance 4/12 after scaling to 0..1 each. */
	const double scale = 1.7320508075688772; /* sqrt(3) */
	uint64_t z = next(s);
	uint64_t sum = (z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48);

	return ((double)sum / 65535.0 - 2.0) * scale;
}
