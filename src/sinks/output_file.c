/* Files that the program makes. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

int output_create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	uid_t uid;
	gid_t gid;

	if (fd < 0)
		return -errno;
	/* A file system without owners (vfat) refuses: the file is fine all the same. */
	if (sudo_ids(&uid, &gid) && fchown(fd, uid, gid))
		errno = 0;
	return fd;
}

int output_write(const char *path, const void *data, size_t size)
{
	const char *p = data;
	int fd = output_create(path), err = 0;

	if (fd < 0)
		return fd;
	while (size && !err) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno != EINTR)
			err = -errno;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	if (close(fd) && !err)
		err = -errno;
	if (err)
		unlink(path);
	return err;
}
