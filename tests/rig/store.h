/*
 * What is stored on the drive: a sparse range of memory as large as the namespace says. Memory is
 * taken where something was written, and given back by Deallocate and Write Zeroes.
 */
#ifndef RIG_STORE_H
#define RIG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
	uint8_t *base;
	uint64_t bytes;
	uint64_t keep;    /* what is written from here on is forgotten, and reads as zeros */
	uint8_t *written; /* a bit a piece of STORE_PIECE bytes */
	uint8_t *nowhere; /* where forgotten bytes go */
};

#define STORE_PIECE   (UINT64_C(1) << 18)
#define STORE_RUN_MAX (1u << 20) /* at most that many bytes at a time by store_run() */

/* -errno where there is no address space for it. */
int store_open(struct store *s, uint64_t bytes, uint64_t keep);
void store_close(struct store *s);

/*
 * Where the bytes from `offset` on lie. *bytes is how many are wanted, and becomes how many lie
 * there in one piece. For reading these are the stored bytes or zeros; `write` makes room for them.
 * Valid until store_close(), whatever happens to the content.
 */
uint8_t *store_run(struct store *s, uint64_t offset, size_t *bytes, bool write);
void store_zero(struct store *s, uint64_t offset, uint64_t bytes);

#endif
