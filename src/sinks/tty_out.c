/* Sends a terminal's bytes without blocking. */
#include "tty_out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "throttlog/alloc.h"

/* A terminal that says it has room has at least this much. */
#define SAFE_CHUNK 64

int tty_out_open(struct tty_out *o, int fd)
{
	char path[64];

	memset(o, 0, sizeof(*o));
	/*
	 * O_NONBLOCK belongs to the open description, which the shell shares with us: set on stdout
	 * it would stay after our end. Hence a description of our own.
	 */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o->tty = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (o->tty < 0) {
		/* Another user's terminal (su): then in small pieces, each when there is room. */
		o->tty = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		o->shared = true;
	}
	if (o->tty < 0)
		return -errno;
	o->memory = memfd_create("screen", MFD_CLOEXEC);
	if (o->memory < 0) {
		int err = -errno;

		close(o->tty);
		return err;
	}
	return 0;
}

void tty_out_close(struct tty_out *o)
{
	close(o->tty);
	close(o->memory);
	free(o->kept);
	memset(o, 0, sizeof(*o));
}

static void take(struct tty_out *o)
{
	struct stat st;
	size_t size, left = o->n - o->at;

	if (fstat(o->memory, &st) != 0 || st.st_size <= 0)
		return;
	size = (size_t)st.st_size;
	if (left)
		memmove(o->kept, o->kept + o->at, left);
	if (left + size > o->cap) {
		o->cap = left + size;
		o->kept = xreallocarray(o->kept, o->cap, 1);
	}
	if (pread(o->memory, o->kept + left, size, 0) != (ssize_t)size)
		size = 0;
	o->at = 0;
	o->n = left + size;
	/* ftruncate leaves the offset, which curses' descriptor shares. */
	if (ftruncate(o->memory, 0) != 0 || lseek(o->memory, 0, SEEK_SET) != 0)
		o->gone = true;
}

static bool has_room(const struct tty_out *o)
{
	struct pollfd p = {.fd = o->tty, .events = POLLOUT};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

bool tty_out_pump(struct tty_out *o)
{
	take(o);
	while (o->at < o->n && !o->gone) {
		size_t size = o->n - o->at;
		ssize_t done;

		if (o->shared && !has_room(o))
			return false;
		if (o->shared && size > SAFE_CHUNK)
			size = SAFE_CHUNK;
		done = write(o->tty, o->kept + o->at, size);
		if (done > 0)
			o->at += (size_t)done;
		else if (done < 0 && errno == EAGAIN)
			return false;
		else if (done < 0 && errno != EINTR)
			o->gone = true;
	}
	o->at = o->n = 0;
	return true;
}

void tty_out_drain(struct tty_out *o, int timeout_ms)
{
	while (!tty_out_pump(o)) {
		struct pollfd p = {.fd = o->tty, .events = POLLOUT};

		if (poll(&p, 1, timeout_ms) <= 0)
			return;
	}
}
