/*
 * io_uring: registered file and buffers, one system call for submitting and waiting. The ring
 * belongs to the thread that opened it. liburing is used in this file only.
 */
#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "engines/flight.h"
#include "engines/members.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

struct engine {
	struct flight flight;
	struct io_uring ring;
	bool fixed; /* buffers are registered */
};

/*
 * Preferred first. Completions are worked off only when this thread waits for them, without
 * interrupting it (Linux 6.1), or at least without a signal to it (5.19).
 */
static const unsigned ring_flags[] = {
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
    IORING_SETUP_COOP_TASKRUN,
    0,
};

/* Returns 0 or -errno. */
static int make_ring(struct io_uring *ring, unsigned entries)
{
	int err = -EINVAL;

	for (size_t i = 0; i < sizeof(ring_flags) / sizeof(*ring_flags) && err == -EINVAL; i++) {
		struct io_uring_params params = {.flags = ring_flags[i]};

		err = io_uring_queue_init_params(entries, ring, &params);
	}
	if (err)
		return err;
	/* Without it waiting has no limit of time (before Linux 5.11). */
	if (!(ring->features & IORING_FEAT_EXT_ARG)) {
		io_uring_queue_exit(ring);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int uring_probe(void)
{
	struct io_uring ring;
	int err = make_ring(&ring, 1);

	if (!err)
		io_uring_queue_exit(&ring);
	return err;
}

static void uring_queue(struct flight *f, struct request *r)
{
	struct engine *e = (struct engine *)f;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&e->ring); /* as many as requests: never NULL */
	char *buffer = r->buffer + r->done;
	uint64_t offset = r->offset + r->done;
	unsigned bytes = r->bytes - r->done;

	if (e->fixed && r->write)
		io_uring_prep_write_fixed(sqe, 0, buffer, bytes, offset, (int)r->index);
	else if (e->fixed)
		io_uring_prep_read_fixed(sqe, 0, buffer, bytes, offset, (int)r->index);
	else if (r->write)
		io_uring_prep_write(sqe, 0, buffer, bytes, offset);
	else
		io_uring_prep_read(sqe, 0, buffer, bytes, offset);
	sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, r);
}

static int uring_enter(struct flight *f, int64_t wait_ns)
{
	struct engine *e = (struct engine *)f;
	struct __kernel_timespec ts = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};
	struct io_uring_cqe *cqe;
	int res = io_uring_submit_and_wait_timeout(&e->ring, &cqe, 1, &ts, NULL);

	if (res == -EAGAIN || res == -EBUSY)
		/* Short of memory. What was not taken stays in the ring and is taken later. */
		clock_sleep_until(clock_now_ns() + FLIGHT_AGAIN_NS);
	else if (res < 0 && res != -ETIME && res != -EINTR)
		return res;
	return 0;
}

static void uring_reap(struct flight *f)
{
	struct engine *e = (struct engine *)f;
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	io_uring_for_each_cqe(&e->ring, head, cqe)
	{
		flight_result(f, io_uring_cqe_get_data(cqe), cqe->res);
		n++;
	}
	io_uring_cq_advance(&e->ring, n);
}

static const struct flight_io uring_io = {
    .queue = uring_queue, .enter = uring_enter, .reap = uring_reap};

/* Pins the buffers once instead of at each request. Returns 0 or -errno. */
static int register_buffers(struct engine *e)
{
	unsigned n = e->flight.config.queue_depth;
	struct iovec *iov = xzalloc(n * sizeof(*iov));
	int err;

	for (unsigned i = 0; i < n; i++) {
		iov[i].iov_base = e->flight.requests[i].buffer;
		iov[i].iov_len = e->flight.config.block_bytes;
	}
	err = io_uring_register_buffers(&e->ring, iov, n);
	free(iov);
	return err;
}

static int uring_open(struct engine **out, const struct engine_config *config, char *why,
		      size_t size)
{
	struct engine *e = xzalloc(sizeof(*e));
	int err = flight_open(&e->flight, config, &uring_io, why, size);

	if (err)
		goto fail;
	err = make_ring(&e->ring, config->queue_depth);
	if (err) {
		snprintf(why, size, "cannot set up io_uring: %s%s", DIAG_ERRNO(err),
			 err == -ENOMEM ? " (see ulimit -l)" : "");
		goto fail_flight;
	}
	err = io_uring_register_files(&e->ring, &config->fd, 1);
	if (err) {
		snprintf(why, size, "io_uring does not take the target: %s", DIAG_ERRNO(err));
		goto fail_ring;
	}
	/* They count as locked memory: an ordinary user may have too little of it. */
	err = register_buffers(e);
	e->fixed = !err;
	if (err == -ENOMEM) {
		snprintf(why, size,
			 "io_uring without registered buffers: too little memory may be "
			 "locked (ulimit -l)");
	} else if (err) {
		snprintf(why, size, "io_uring does not take the buffers: %s", DIAG_ERRNO(err));
		goto fail_ring;
	}
	(void)io_uring_register_ring_fd(&e->ring); /* saves a look-up a call; may be refused */
	*out = e;
	return 0;
fail_ring:
	io_uring_queue_exit(&e->ring);
fail_flight:
	flight_close(&e->flight);
fail:
	free(e);
	return err;
}

static int uring_step(struct engine *e, int64_t until_ns)
{
	return flight_step(&e->flight, until_ns);
}

static int uring_set_op(struct engine *e, enum op op)
{
	return flight_set_op(&e->flight, op);
}

static int uring_drain(struct engine *e, int64_t timeout_ns)
{
	return flight_drain(&e->flight, timeout_ns);
}

static void uring_close(struct engine *e)
{
	if (!e)
		return;
	io_uring_queue_exit(&e->ring);
	flight_close(&e->flight);
	free(e);
}

static uint64_t uring_position(const struct engine *e)
{
	return e->flight.position.next;
}

const struct engine_ops engine_uring = {
    .name = "io_uring",
    .help = "registered buffers and file, Linux 5.11 or newer",
    .probe = uring_probe,
    .open = uring_open,
    .step = uring_step,
    .set_op = uring_set_op,
    .drain = uring_drain,
    .close = uring_close,
    .position = uring_position,
};
