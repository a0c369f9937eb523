/*
 * The permission to write. Only the write guard makes one, for one open descriptor; load engines
 * test it again before every write they queue.
 */
#ifndef THROTTLOG_PERMIT_H
#define THROTTLOG_PERMIT_H

#include <stdbool.h>

struct write_permit;

/* True if `permit` (may be NULL: no) allows writing through the descriptor `fd`. */
bool write_permit_allows(const struct write_permit *permit, int fd);

#endif
