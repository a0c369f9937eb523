/*
 * libaio: the kernel's older asynchronous I/O, for where io_uring is refused. io_submit() may
 * block where a drive has fewer tags than the queue is deep. libaio is used in this file only.
 */
#include <errno.h>
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "engines/flight.h"
#include "engines/members.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

struct engine {
	struct flight flight;
	io_context_t context;
	struct iocb *control;   /* one a request, by its index */
	struct iocb **pending;  /* queued, not yet taken by the kernel */
	unsigned first_pending; /* of n_pending */
	unsigned n_pending;
	struct io_event *events;
	int n_events;
};

static int aio_probe(void)
{
	io_context_t context = NULL;
	int err = io_setup(1, &context);

	if (!err)
		io_destroy(context);
	return err;
}

static void aio_queue(struct flight *f, struct request *r)
{
	struct engine *e = (struct engine *)f;
	struct iocb *cb = &e->control[r->index];
	char *buffer = r->buffer + r->done;
	uint64_t offset = r->offset + r->done;
	size_t bytes = r->bytes - r->done;

	if (r->write)
		io_prep_pwrite(cb, f->config.fd, buffer, bytes, (off_t)offset);
	else
		io_prep_pread(cb, f->config.fd, buffer, bytes, (off_t)offset);
	cb->data = r;
	e->pending[e->n_pending++] = cb;
}

/* Hands over what is pending; what the kernel has no room for stays. */
static void submit(struct engine *e)
{
	unsigned done = 0;

	while (done < e->n_pending) {
		int res = io_submit(e->context, (long)(e->n_pending - done), e->pending + done);

		if (res > 0) {
			done += (unsigned)res;
		} else if (res == -EINTR) {
			continue;
		} else if (res == -EAGAIN || res == 0) {
			break;
		} else {
			/* Refused at once: this concerns the first of them. */
			flight_result(&e->flight, e->pending[done]->data, res);
			done++;
		}
	}
	e->n_pending -= done;
	for (unsigned i = 0; done && i < e->n_pending; i++)
		e->pending[i] = e->pending[i + done];
}

static int aio_enter(struct flight *f, int64_t wait_ns)
{
	struct engine *e = (struct engine *)f;
	struct timespec ts = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};
	int n;

	e->n_events = 0;
	submit(e);
	if (flight_in_flight(f) == e->n_pending) {
		/* Nothing to wait for: the kernel took none of them. */
		if (e->n_pending)
			clock_sleep_until(clock_now_ns() + FLIGHT_AGAIN_NS);
		return 0;
	}
	n = io_getevents(e->context, 1, f->config.queue_depth, e->events, &ts);
	if (n == -EINTR)
		n = 0;
	if (n < 0)
		return n;
	e->n_events = n;
	return 0;
}

static void aio_reap(struct flight *f)
{
	struct engine *e = (struct engine *)f;

	for (int i = 0; i < e->n_events; i++)
		flight_result(f, e->events[i].data, (int64_t)(long)e->events[i].res);
	e->n_events = 0;
}

static const struct flight_io aio_io = {.queue = aio_queue, .enter = aio_enter, .reap = aio_reap};

static void free_engine(struct engine *e)
{
	free(e->control);
	free(e->pending);
	free(e->events);
	free(e);
}

static int aio_open(struct engine **out, const struct engine_config *config, char *why, size_t size)
{
	struct engine *e = xzalloc(sizeof(*e));
	unsigned n = config->queue_depth;
	int err = flight_open(&e->flight, config, &aio_io, why, size);

	if (err) {
		free(e);
		return err;
	}
	e->control = xzalloc(n * sizeof(*e->control));
	e->pending = xzalloc(n * sizeof(struct iocb *));
	e->events = xzalloc(n * sizeof(*e->events));
	err = io_setup((int)n, &e->context);
	if (err) {
		snprintf(why, size, "cannot set up libaio: %s%s", DIAG_ERRNO(err),
			 err == -EAGAIN ? " (sysctl fs.aio-max-nr is used up)" : "");
		flight_close(&e->flight);
		free_engine(e);
		return err;
	}
	*out = e;
	return 0;
}

static int aio_step(struct engine *e, int64_t until_ns)
{
	return flight_step(&e->flight, until_ns);
}

static int aio_set_op(struct engine *e, enum op op)
{
	return flight_set_op(&e->flight, op);
}

static int aio_drain(struct engine *e, int64_t timeout_ns)
{
	return flight_drain(&e->flight, timeout_ns);
}

static void aio_close(struct engine *e)
{
	if (!e)
		return;
	io_destroy(e->context);
	flight_close(&e->flight);
	free_engine(e);
}

static uint64_t aio_position(const struct engine *e)
{
	return e->flight.position.next;
}

const struct engine_ops engine_libaio = {
    .name = "libaio",
    .help = "the kernel's older asynchronous I/O, where io_uring is refused",
    .probe = aio_probe,
    .open = aio_open,
    .step = aio_step,
    .set_op = aio_set_op,
    .drain = aio_drain,
    .close = aio_close,
    .position = aio_position,
};
