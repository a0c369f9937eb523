/* File mode: a nameless file of our own that never fills the file system. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "guard_permit.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/guard.h"
#include "throttlog/text.h"

#define MIB           (UINT64_C(1) << 20)
#define GIB           (UINT64_C(1) << 30)
#define DEFAULT_BYTES (32 * GIB)
#define RESERVE_BYTES GIB

/* Room for a file of ours: what is free to us, less 10 % of the whole or 1 GiB. */
static uint64_t room_bytes(const struct statvfs *fs, uint64_t *available)
{
	uint64_t total = (uint64_t)fs->f_blocks * fs->f_frsize;
	uint64_t reserve = total / 10 < RESERVE_BYTES ? total / 10 : RESERVE_BYTES;

	*available = (uint64_t)fs->f_bavail * fs->f_frsize;
	return *available > reserve ? *available - reserve : 0;
}

static int choose_size(int dir, const char *name, uint64_t *bytes, char *why, size_t size)
{
	struct statvfs fs;
	uint64_t available, room, wanted = *bytes;
	char have[32], want[32];

	if (fstatvfs(dir, &fs)) {
		text_format(why, size, "cannot tell how much room %s has: %s", name,
			    DIAG_ERRNO(errno));
		return -errno;
	}
	room = room_bytes(&fs, &available);
	if (wanted == 0) {
		wanted = available / 2 < DEFAULT_BYTES ? available / 2 : DEFAULT_BYTES;
		if (wanted > room)
			wanted = room;
		if (wanted >= MIB)
			wanted -= wanted % MIB;
	}
	text_size(have, sizeof(have), room - room % MIB);
	text_size(want, sizeof(want), wanted);
	if (room < MIB) {
		text_format(why, size, "%s has no room for a test file: free some space", name);
		return -ENOSPC;
	}
	if (wanted > room) {
		text_format(why, size,
			    "%s has room for %s, not for %s, if 10 %% or 1 GiB is to stay free: "
			    "use a smaller --region",
			    name, have, want);
		return -ENOSPC;
	}
	*bytes = wanted;
	return 0;
}

/* Where O_TMPFILE is not known (NFS, FAT): a name that nobody has, removed at once. */
static int create_and_unlink(int dir, int flags)
{
	char name[64];
	int err;

	for (unsigned i = 0; i < 16; i++) {
		int fd;

		text_format(name, sizeof(name), ".throttlog-%d-%llx-%u", (int)getpid(),
			    (unsigned long long)clock_now_ns(), i);
		fd = openat(dir, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
		if (fd >= 0) {
			if (unlinkat(dir, name, 0) == 0)
				return fd;
			err = -errno;
			close(fd);
			return err;
		}
		if (errno != EEXIST)
			break;
	}
	err = -errno;
	/* Where O_DIRECT is refused the file has been made all the same. */
	if (err == -EINVAL)
		unlinkat(dir, name, 0);
	return err;
}

static int create_nameless(int dir)
{
	int flags = O_RDWR | O_DIRECT | O_CLOEXEC;
	int fd = openat(dir, ".", flags | O_TMPFILE | O_EXCL, 0600);

	if (fd >= 0)
		return fd;
	if (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)
		return create_and_unlink(dir, flags);
	return -errno;
}

/* Reserves the blocks, so that the file system cannot fill up under the load. */
static int reserve_blocks(int fd, uint64_t bytes)
{
	if (fallocate(fd, 0, 0, (off_t)bytes) == 0)
		return 0;
	if (errno != EOPNOTSUPP)
		return -errno;
	return ftruncate(fd, (off_t)bytes) ? -errno : 0;
}

static void open_error(const char *name, int err, char *why, size_t size)
{
	const char *remedy = err == -EINVAL ? ": this file system has no O_DIRECT, so a load would "
					      "measure memory; name a directory on a drive"
			     : err == -EACCES ? ": name a directory that you may write to"
					      : "";

	text_format(why, size, "cannot make a test file in %s: %s%s", name, DIAG_ERRNO(err),
		    remedy);
}

/* The directory of the file: itself, or the one that a new file's path names. */
static int open_directory(const struct target *t)
{
	char path[PATH_MAX];

	text_format(path, sizeof(path), "%s", t->node);
	if (!t->directory) {
		char *slash = strrchr(path, '/');

		if (!slash)
			text_format(path, sizeof(path), ".");
		else
			slash[slash == path ? 1 : 0] = '\0';
	}
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int guard_create_file(const struct target *t, uint64_t *bytes, int *fd,
		      struct write_permit **permit, char *why, size_t size)
{
	int dir, f, err;

	if (t->kind != TARGET_FILE || t->exists) {
		text_format(why, size,
			    "refusing to write: %s exists; name its directory or a new file",
			    t->name);
		return -EPERM;
	}
	dir = open_directory(t);
	if (dir < 0) {
		err = -errno;
		text_format(why, size, "cannot open the directory of %s: %s", t->name,
			    DIAG_ERRNO(err));
		return err;
	}
	err = choose_size(dir, t->name, bytes, why, size);
	if (err) {
		close(dir);
		return err;
	}
	f = create_nameless(dir);
	close(dir);
	if (f < 0) {
		open_error(t->name, f, why, size);
		return f;
	}
	err = reserve_blocks(f, *bytes);
	if (err) {
		text_format(why, size, "cannot reserve space in %s: %s", t->name, DIAG_ERRNO(err));
		close(f);
		return err;
	}
	*fd = f;
	*permit = permit_new(f);
	return 0;
}
