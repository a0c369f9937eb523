/*
 * The write guard: opens block devices for a load, and is the only maker of write permits for
 * them. Everything is checked before opening and again on the open descriptor.
 */
#include "throttlog/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard_permit.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

struct write_permit {
	int fd;
	atomic_bool revoked;
};

struct write_permit *permit_new(int fd)
{
	struct write_permit *p = xzalloc(sizeof(*p));

	p->fd = fd;
	atomic_init(&p->revoked, false);
	return p;
}

bool write_permit_allows(const struct write_permit *permit, int fd)
{
	return permit && fd >= 0 && permit->fd == fd &&
	       !atomic_load_explicit(&permit->revoked, memory_order_relaxed);
}

void write_permit_revoke(struct write_permit *permit)
{
	if (permit)
		atomic_store_explicit(&permit->revoked, true, memory_order_relaxed);
}

void write_permit_free(struct write_permit *permit)
{
	free(permit);
}

/* The serial below a loop device is that of a drive which is not written as a whole. */
static bool has_serial(const struct target *t)
{
	return t->drive.serial[0] && strcmp(t->drive.transport, "loop") != 0;
}

const char *guard_confirm_name(const struct target *t)
{
	return has_serial(t) ? t->drive.serial : t->kernel;
}

static int cannot_open(const char *path, int err, char *why, size_t size)
{
	const char *remedy = err == EACCES || err == EPERM ? ": run it with sudo"
			     : err == EBUSY  ? ": something uses it (another program, a mount in "
					       "another namespace): see lsblk and fuser"
			     : err == EROFS  ? ": the device is write-protected"
			     : err == EINVAL ? ": it cannot be read or written past the page cache "
					       "(O_DIRECT), so a load would measure memory"
					     : "";

	text_format(why, size, "cannot open %s: %s%s", path, DIAG_ERRNO(err), remedy);
	return -err;
}

int guard_open_read(const struct target *t, int *fd, char *why, size_t size)
{
	/* O_NONBLOCK: were it a FIFO by now, open() would wait for ever. */
	int f = open(t->node, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (f < 0)
		return cannot_open(t->node, errno, why, size);
	if (fstat(f, &st) || (t->kind == TARGET_BLOCK ? !S_ISBLK(st.st_mode) || st.st_rdev != t->dev
						      : !S_ISREG(st.st_mode))) {
		close(f);
		text_format(why, size, "%s is not what it was a moment ago: try again", t->node);
		return -ENXIO;
	}
	/*
	 * Without O_NONBLOCK from here on: io_uring would take it as "never wait", and a device
	 * that cannot promise that (dm-crypt, md) would answer each request with EAGAIN.
	 */
	if (fcntl(f, F_SETFL, O_DIRECT)) {
		int err = cannot_open(t->node, errno, why, size);

		close(f);
		return err;
	}
	*fd = f;
	return 0;
}

static int refuse(char *why, size_t size, int err)
{
	char line[400];

	text_format(line, sizeof(line), "%s", why);
	text_format(why, size, "refusing to write: %s", line);
	return err;
}

/* Constant text is no secret: plain comparison. */
static int check_request(const struct target *t, const struct guard_request *r, char *why,
			 size_t size)
{
	const char *expected = guard_confirm_name(t);
	const char *what = has_serial(t) ? "its serial" : "its kernel name";

	if (t->kind != TARGET_BLOCK) {
		text_format(why, size, "%s is not a block device", t->name);
		return refuse(why, size, -EPERM);
	}
	if (!r->destructive) {
		text_format(why, size,
			    "a write load destroys the data on %s: add --destructive if that is "
			    "what you want",
			    t->node);
		return refuse(why, size, -EPERM);
	}
	if (!r->confirm) {
		text_format(why, size, "not confirmed: name the drive by %s, --confirm '%s'", what,
			    expected);
		return refuse(why, size, -EPERM);
	}
	if (strcmp(r->confirm, expected) != 0) {
		text_format(why, size, "'%s' does not match %s; %s is %s", r->confirm, t->node,
			    what, expected);
		return refuse(why, size, -EPERM);
	}
	return 0;
}

static int check_unused(const struct target *t, char *why, size_t size)
{
	int err = guard_check_unused(t->kernel, why, size);

	return err ? refuse(why, size, err) : 0;
}

/* File systems give way only to a serial on the command line: a kernel name moves between boots. */
static int check_signature(const struct target *t, const struct guard_request *r, int fd, char *why,
			   size_t size)
{
	bool named = has_serial(t) && !r->typed;
	char what[64];
	int found = guard_signature(fd, what, sizeof(what));

	if (found == 0 || (found > 0 && named))
		return 0;
	if (found < 0)
		text_format(why, size, "cannot tell what is on %s: %s", t->node, DIAG_ERRNO(found));
	else if (has_serial(t))
		text_format(
		    why, size,
		    "%s holds data (%s): give --confirm '%s' on the command line to destroy it",
		    t->node, what, t->drive.serial);
	else
		text_format(why, size, "%s holds data (%s): if it is not needed run wipefs -a %s",
			    t->node, what, t->node);
	return refuse(why, size, -EPERM);
}

/* The descriptor is the device that was resolved, writable, and still unused now that it is ours.
 */
static int check_open(const struct target *t, const struct guard_request *r, int fd, char *why,
		      size_t size)
{
	struct stat st;
	uint64_t bytes = 0;
	int read_only = 1;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != t->dev) {
		text_format(why, size, "%s is no longer the device that was asked for", t->node);
		return refuse(why, size, -EPERM);
	}
	if (ioctl(fd, BLKROGET, &read_only) || read_only) {
		text_format(why, size, "%s is write-protected", t->node);
		return refuse(why, size, -EROFS);
	}
	if (ioctl(fd, BLKGETSIZE64, &bytes) || bytes == 0) {
		text_format(why, size, "%s has no capacity", t->node);
		return refuse(why, size, -ENXIO);
	}
	if (check_unused(t, why, size))
		return -EBUSY;
	return check_signature(t, r, fd, why, size);
}

int guard_open_write(const struct target *t, const struct guard_request *request, int *fd,
		     struct write_permit **permit, char *why, size_t size)
{
	int err = check_request(t, request, why, size), f;

	if (err == 0)
		err = check_unused(t, why, size);
	if (err)
		return err;
	/* O_DIRECT comes last: libblkid reads into unaligned buffers. */
	f = open(t->node, O_RDWR | O_EXCL | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (f < 0)
		return cannot_open(t->node, errno, why, size);
	err = check_open(t, request, f, why, size);
	if (err == 0 && fcntl(f, F_SETFL, O_DIRECT))
		err = cannot_open(t->node, errno, why, size);
	if (err) {
		close(f);
		return err;
	}
	*fd = f;
	*permit = permit_new(f);
	return 0;
}
