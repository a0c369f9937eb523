/* Files that the program makes. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/text.h"

/* The ids in SUDO_UID and SUDO_GID; false unless we are root by sudo. */
static int sudo_ids(uid_t *uid, gid_t *gid)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment. */
	const char *u = getenv("SUDO_UID");
	/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *g = getenv("SUDO_GID");
	uint64_t un, gn;

	if (geteuid() != 0 || !u || !g || !text_to_u64(u, &un) || !text_to_u64(g, &gn))
		return 0;
	*uid = (uid_t)un;
	*gid = (gid_t)gn;
	return 1;
}

/* A file system without owners (vfat) refuses: the file is fine all the same. */
static void give_to_user(int fd)
{
	uid_t uid;
	gid_t gid;

	if (sudo_ids(&uid, &gid) && fchown(fd, uid, gid))
		errno = 0;
}

static int write_all(int fd, const char *p, size_t size)
{
	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* In the directory of `path`, without a name yet. -errno where the file system has no such files.
 */
static int open_nameless(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int fd;

	if (!slash)
		text_format(dir, sizeof(dir), ".");
	else
		text_format(dir, sizeof(dir), "%.*s", slash == path ? 1 : (int)(slash - path),
			    path);
	fd = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
	return fd < 0 ? -errno : fd;
}

/* open(2), O_TMPFILE: the way to a name that needs no privilege. */
static int give_name(int fd, const char *path)
{
	char self[64];

	text_format(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int create_nameless(const char *path, const void *head, size_t size)
{
	int fd = open_nameless(path), err;

	if (fd < 0)
		return fd;
	err = write_all(fd, head, size);
	if (!err)
		err = give_name(fd, path);
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int create_named(const char *path, const void *head, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644), err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, head, size);
	if (!err)
		return fd;
	close(fd);
	unlink(path);
	return err;
}

int output_create(const char *path, const void *head, size_t size)
{
	int fd = create_nameless(path, head, size);

	/* Any other reason may be one of nameless files only (no /proc, vfat, NFS). */
	if (fd < 0 && fd != -EEXIST && fd != -ENOSPC)
		fd = create_named(path, head, size);
	if (fd >= 0)
		give_to_user(fd);
	return fd;
}

int output_write(const char *path, const void *data, size_t size)
{
	int fd = output_create(path, data, size);

	if (fd < 0)
		return fd;
	if (close(fd) == 0)
		return 0;
	unlink(path);
	return -EIO;
}
