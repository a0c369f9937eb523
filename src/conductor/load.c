/*
 * The load thread. Commands are atomics that it looks at between two steps of the engine; what
 * it says back are atomics and two eventfds.
 */
#include "conductor/load.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

#define STEP_NS (50 * NS_PER_MS) /* how soon a command is noticed */

struct load {
	const struct engine_ops *ops;
	struct engine_config config;
	struct load_counters counters;
	pthread_t thread;
	int wake_fd;  /* to the thread: a command came */
	int ready_fd; /* from the thread: the engine is open, or could not be */
	int ended_fd; /* from the thread: it touches nothing any more */
	char *why;    /* the caller's, until ready_fd */
	size_t why_size;
	int open_error;

	atomic_bool stop, pause;
	_Atomic int64_t stop_by_ns;
	atomic_int op;
	atomic_int state, error;
	atomic_bool hangs; /* the kernel still owns the buffers */
	_Atomic uint64_t position;
};

/* An eventfd can only fail to take a 1 when 2^64 - 2 are in it. */
static void signal_fd(int fd)
{
	uint64_t one = 1;
	ssize_t n;

	do {
		n = write(fd, &one, sizeof(one));
	} while (n < 0 && errno == EINTR);
}

/* True if `fd` became readable by the CLOCK_MONOTONIC time `until_ns`; -1: no limit. */
static bool wait_fd(int fd, int64_t until_ns)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (;;) {
		struct timespec ts, *limit = NULL;
		int n;

		if (until_ns >= 0) {
			int64_t left = until_ns - clock_now_ns();

			if (left < 0)
				left = 0;
			ts.tv_sec = left / NS_PER_S;
			ts.tv_nsec = left % NS_PER_S;
			limit = &ts;
		}
		n = ppoll(&p, 1, limit, NULL);
		if (n > 0)
			return true;
		if (n == 0)
			return false;
		if (errno != EINTR)
			return false;
	}
}

static void clear_fd(int fd)
{
	uint64_t n;

	while (read(fd, &n, sizeof(n)) < 0 && errno == EINTR)
		;
}

/* Lets requests in flight finish and sleeps until there is something else to do. */
static void stay_paused(struct load *l, struct engine *e)
{
	bool empty = false;

	while (atomic_load(&l->pause) && !atomic_load(&l->stop)) {
		if (!empty) {
			atomic_store(&l->state, LOAD_PAUSING);
			empty = !l->ops->drain(e, STEP_NS);
			if (empty)
				atomic_store(&l->state, LOAD_PAUSED);
			continue;
		}
		wait_fd(l->wake_fd, -1);
		clear_fd(l->wake_fd);
	}
	atomic_store(&l->state, LOAD_RUNNING);
}

/* Returns the error that ended the load, 0 if it was told to stop. */
static int drive(struct load *l, struct engine *e)
{
	int op = (int)l->config.op, err = 0;

	while (!err && !atomic_load(&l->stop)) {
		int wanted = atomic_load(&l->op);

		if (atomic_load(&l->pause)) {
			stay_paused(l, e);
			continue;
		}
		if (wanted != op) {
			err = l->ops->set_op(e, (enum op)wanted);
			op = wanted;
		}
		if (!err)
			err = l->ops->step(e, clock_now_ns() + STEP_NS);
		atomic_store(&l->position, l->ops->position(e));
	}
	return err;
}

/* How long requests in flight may take at the end: until the stop's limit, or a while. */
static int64_t drain_time(struct load *l)
{
	int64_t left;

	if (!atomic_load(&l->stop))
		return 2 * NS_PER_S;
	left = atomic_load(&l->stop_by_ns) - clock_now_ns();
	return left > 0 ? left : 0;
}

static void *load_main(void *arg)
{
	struct load *l = arg;
	struct engine *e = NULL;
	int err;

	pthread_setname_np(pthread_self(), "load");
	l->open_error = l->ops->open(&e, &l->config, l->why, l->why_size);
	if (l->open_error) {
		signal_fd(l->ready_fd);
		return NULL;
	}
	atomic_store(&l->position, l->ops->position(e));
	signal_fd(l->ready_fd);

	err = drive(l, e);
	if (l->ops->drain(e, drain_time(l)))
		atomic_store(&l->hangs, true);
	else
		l->ops->close(e);
	atomic_store(&l->error, err);
	atomic_store(&l->state, LOAD_ENDED);
	signal_fd(l->ended_fd);
	return NULL;
}

static void load_free(struct load *l)
{
	if (l->wake_fd >= 0)
		close(l->wake_fd);
	if (l->ready_fd >= 0)
		close(l->ready_fd);
	if (l->ended_fd >= 0)
		close(l->ended_fd);
	free(l);
}

/* Signals belong to the conductor's descriptor; this thread is born with all of them blocked. */
static int start_thread(struct load *l)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&l->thread, NULL, load_main, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

int load_start(struct load **out, const struct engine_ops *ops, const struct engine_config *config,
	       char *why, size_t size)
{
	struct load *l = xzalloc(sizeof(*l));
	int err;

	if (size)
		why[0] = '\0';
	l->ops = ops;
	l->config = *config;
	l->config.counters = &l->counters;
	l->why = why;
	l->why_size = size;
	atomic_init(&l->op, (int)config->op);
	atomic_init(&l->pause, config->start_paused);
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->ended_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = l->wake_fd < 0 || l->ready_fd < 0 || l->ended_fd < 0 ? -errno : start_thread(l);
	if (err) {
		snprintf(why, size, "cannot start the load thread: %s", DIAG_ERRNO(err));
		load_free(l);
		return err;
	}
	wait_fd(l->ready_fd, -1);
	clear_fd(l->ready_fd);
	if (l->open_error) {
		err = l->open_error;
		pthread_join(l->thread, NULL);
		load_free(l);
		return err;
	}
	*out = l;
	return 0;
}

void load_pause(struct load *l, bool paused)
{
	atomic_store(&l->pause, paused);
	signal_fd(l->wake_fd);
}

int load_set_op(struct load *l, enum op op)
{
	if (op != OP_READ && op != OP_WRITE)
		return -EINVAL;
	if (op == OP_WRITE && !write_permit_allows(l->config.permit, l->config.fd))
		return -EPERM;
	atomic_store(&l->op, (int)op);
	return 0;
}

void load_take(struct load *l, struct load_snapshot *out)
{
	load_counters_take(&l->counters, out);
}

enum load_state load_status(const struct load *l, int *err)
{
	enum load_state state = (enum load_state)atomic_load(&l->state);

	*err = state == LOAD_ENDED ? atomic_load(&l->error) : 0;
	if (state == LOAD_RUNNING && atomic_load(&l->pause))
		return LOAD_PAUSING;
	return state;
}

uint64_t load_position(const struct load *l)
{
	return atomic_load(&l->position);
}

int load_event_fd(const struct load *l)
{
	return l->ended_fd;
}

int load_stop(struct load *l, int64_t timeout_ns)
{
	int64_t until = clock_now_ns() + timeout_ns;

	if (!l)
		return 0;
	atomic_store(&l->stop_by_ns, until);
	atomic_store(&l->stop, true);
	signal_fd(l->wake_fd);
	/* A little longer than the thread waits, so that it can say itself that requests hang. */
	if (!wait_fd(l->ended_fd, until + 4 * STEP_NS)) {
		pthread_detach(l->thread);
		return -EBUSY;
	}
	pthread_join(l->thread, NULL);
	if (atomic_load(&l->hangs))
		return -EBUSY;
	load_free(l);
	return 0;
}
