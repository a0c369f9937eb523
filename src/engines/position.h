/*
 * Where the next request goes: through a region in order and from its start again, or at random.
 * The region's last block may be shorter than the others; nothing lies beyond it.
 */
#ifndef ENGINES_POSITION_H
#define ENGINES_POSITION_H

#include <stdbool.h>
#include <stdint.h>

struct position {
	uint64_t region_bytes; /* multiple of the alignment */
	uint64_t blocks;       /* the last one may be short */
	uint32_t block_bytes;
	bool random;
	uint64_t state; /* of the random sequence */
	uint64_t next;  /* first byte of the next request */
};

/*
 * `block_bytes` is a multiple of `align_bytes`, `start_bytes` a multiple of `block_bytes`.
 * Returns 0, or -EINVAL if these do not fit or the region has no room for one block.
 */
int position_init(struct position *p, uint64_t region_bytes, uint32_t block_bytes,
		  uint32_t align_bytes, uint64_t start_bytes);
/* All further blocks at random instead; the same ones for the same seed. */
void position_randomize(struct position *p, uint64_t seed);
/* Takes the next block: its first byte and length. */
uint64_t position_take(struct position *p, uint32_t *bytes);

#endif
