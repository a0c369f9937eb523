/* Offsets of requests, in order with wrap or at random. */
#include "engines/position.h"

#include <errno.h>

#include "engines/noise.h"

int position_init(struct position *p, uint64_t region_bytes, uint32_t block_bytes,
		  uint32_t align_bytes, uint64_t start_bytes)
{
	if (!align_bytes || !block_bytes || block_bytes % align_bytes)
		return -EINVAL;
	region_bytes -= region_bytes % align_bytes;
	if (region_bytes < block_bytes || start_bytes % block_bytes || start_bytes >= region_bytes)
		return -EINVAL;
	*p = (struct position){
	    .region_bytes = region_bytes,
	    .blocks = (region_bytes - 1) / block_bytes + 1,
	    .block_bytes = block_bytes,
	    .next = start_bytes,
	};
	return 0;
}

static void pick(struct position *p)
{
	/* Regions have far fewer than 2^64 blocks: the remainder is even enough. */
	p->next = noise_mix(p->state++) % p->blocks * p->block_bytes;
}

void position_randomize(struct position *p, uint64_t seed)
{
	p->random = true;
	p->state = seed;
	pick(p);
}

uint64_t position_take(struct position *p, uint32_t *bytes)
{
	uint64_t offset = p->next, left = p->region_bytes - offset;

	*bytes = left < p->block_bytes ? (uint32_t)left : p->block_bytes;
	if (p->random)
		pick(p);
	else
		p->next = left > p->block_bytes ? offset + p->block_bytes : 0;
	return offset;
}
