/* The sparse store: reserved address space, and a map of the pieces that were ever written. */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "throttlog/alloc.h"

#define PAGE 4096

static uint8_t zeros[STORE_RUN_MAX];

int store_open(struct store *s, uint64_t bytes, uint64_t keep)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	s->base = p;
	s->bytes = bytes;
	s->keep = keep ? keep / STORE_PIECE * STORE_PIECE : UINT64_MAX;
	s->written = xzalloc((size_t)(bytes / STORE_PIECE / 8 + 1));
	s->nowhere = xmalloc(STORE_RUN_MAX);
	return 0;
}

void store_close(struct store *s)
{
	if (s->base)
		munmap(s->base, s->bytes);
	free(s->written);
	free(s->nowhere);
}

static bool was_written(const struct store *s, uint64_t piece)
{
	return s->written[piece / 8] >> (piece % 8) & 1;
}

uint8_t *store_run(struct store *s, uint64_t offset, size_t *bytes, bool write)
{
	uint64_t piece = offset / STORE_PIECE, end = offset + *bytes;
	bool kept = offset < s->keep, here;

	if (*bytes > STORE_RUN_MAX)
		end = offset + STORE_RUN_MAX;
	if (kept && end > s->keep)
		end = s->keep;
	if (write && kept)
		for (uint64_t p = piece; p * STORE_PIECE < end; p++)
			s->written[p / 8] |= (uint8_t)(1 << p % 8);
	here = was_written(s, piece);
	while (++piece * STORE_PIECE < end)
		if (was_written(s, piece) != here)
			break;
	if (piece * STORE_PIECE < end)
		end = piece * STORE_PIECE;
	*bytes = (size_t)(end - offset);
	if (write && !kept)
		return s->nowhere;
	return here ? s->base + offset : zeros;
}

void store_zero(struct store *s, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;
	uint64_t first = (offset + PAGE - 1) / PAGE * PAGE, last = end / PAGE * PAGE;

	if (first >= last) {
		memset(s->base + offset, 0, bytes);
		return;
	}
	/* A private anonymous page that is given back reads as zeros again. */
	memset(s->base + offset, 0, first - offset);
	madvise(s->base + first, last - first, MADV_DONTNEED);
	memset(s->base + last, 0, end - last);
}
