/*
 * Data to write that a drive can neither compress nor find again. A buffer is filled with random
 * words once; before each write every 512 bytes of it get a word that never occurs twice, so no
 * logical block equals any other of the run. Restamping costs about a hundredth of a fill.
 */
#ifndef ENGINES_NOISE_H
#define ENGINES_NOISE_H

#include <stddef.h>
#include <stdint.h>

#define NOISE_BLOCK 512 /* the smallest logical block */

struct noise {
	uint64_t fill, stamp; /* positions in two sequences that never meet */
};

void noise_init(struct noise *n, uint64_t seed);
/* `buf` aligned to 8, `bytes` a multiple of NOISE_BLOCK. */
void noise_fill(struct noise *n, void *buf, size_t bytes);
void noise_stamp(struct noise *n, void *buf, size_t bytes);

/* One to one and well spread: distinct arguments give distinct, unrelated words. */
uint64_t noise_mix(uint64_t x);

#endif
