/* Incompressible data without repeats, from a mixed counter. */
#include "engines/noise.h"

/* 2^64 divided by the golden ratio, odd: its multiples visit every word before they repeat. */
#define WEYL UINT64_C(0x9e3779b97f4a7c15)

/*
 * Multiplication by an odd number and x ^= x >> k can both be undone, so no two counters share
 * a word. The constants are those of the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
 */
uint64_t noise_mix(uint64_t x)
{
	x *= WEYL;
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void noise_init(struct noise *n, uint64_t seed)
{
	/* Apart by 2^63, and at least 2^62 words long each: more than any drive will see. */
	n->fill = noise_mix(seed) >> 2;
	n->stamp = n->fill | UINT64_C(1) << 63;
}

void noise_fill(struct noise *n, void *buf, size_t bytes)
{
	uint64_t *words = buf;

	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = noise_mix(n->fill++);
}

void noise_stamp(struct noise *n, void *buf, size_t bytes)
{
	uint64_t *words = buf;

	for (size_t i = 0; i < bytes / sizeof(*words); i += NOISE_BLOCK / sizeof(*words))
		words[i] = noise_mix(n->stamp++);
}
