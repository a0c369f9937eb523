/*
 * The only way to a descriptor that a load may use. Reading needs no permission of ours; writing
 * to a block device needs all of DESIGN section 6; writing to a file means a new file of our own.
 */
#ifndef THROTTLOG_GUARD_H
#define THROTTLOG_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/permit.h"
#include "throttlog/target.h"

struct guard_request {
	bool destructive;    /* --destructive was given */
	const char *confirm; /* the serial that the user named, or NULL */
	bool typed;          /* it was typed at a prompt: does not allow to destroy a file system */
};

/*
 * All functions return 0 or -errno with one line in `why` that says what stands in the way and
 * what to do. -EPERM: refused as unsafe; -EACCES: the kernel does not permit it; -EBUSY: in use;
 * others are failures. Descriptors are O_DIRECT and O_CLOEXEC and belong to the caller; a permit
 * is freed with write_permit_free() before its descriptor is closed.
 */

/* A block device or an existing file, for reading. */
int guard_open_read(const struct target *t, int *fd, char *why, size_t size);

/* A block device for writing, opened O_EXCL. Checked before and after opening. */
int guard_open_write(const struct target *t, const struct guard_request *request, int *fd,
		     struct write_permit **permit, char *why, size_t size);

/* What --confirm must name for `t`: its serial, or the kernel name where it has none. */
const char *guard_confirm_name(const struct target *t);

/*
 * A new file without a name in the directory of `t`: nothing is left behind, however the program
 * ends. `*bytes` is the wanted size, 0 for the default (32 GiB or half of the free space,
 * whichever is less); it is set to the size taken, a multiple of 1 MiB where possible. -ENOSPC if
 * that does not leave 10 % of the file system or 1 GiB free, whichever is less. The blocks are
 * reserved, not written: a load that reads must write them first.
 */
int guard_create_file(const struct target *t, uint64_t *bytes, int *fd,
		      struct write_permit **permit, char *why, size_t size);

/* From now on the permit allows nothing. Safe while the load runs. NULL is allowed. */
void write_permit_revoke(struct write_permit *permit);
void write_permit_free(struct write_permit *permit);

/*
 * 0 if nothing uses the block device `kernel` ("nvme0n1", "sda2"), nor its partitions; -EBUSY and
 * one line that names the user of it otherwise. Does not see through O_EXCL of other programs.
 */
int guard_check_unused(const char *kernel, char *why, size_t size);

/*
 * Looks for a file system, RAID, LVM or partition table on the open block device. Returns 1 and
 * its name, 0 if there is none, or -errno.
 */
int guard_signature(int fd, char *name, size_t size);

#endif
