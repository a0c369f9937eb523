/*
 * What the engines for real drives share: the requests of one load, which of them are free, what
 * each does next and what its result means. An engine adds the way into the kernel and back.
 */
#ifndef ENGINES_FLIGHT_H
#define ENGINES_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engines/noise.h"
#include "engines/position.h"
#include "throttlog/engine.h"

/* The kernel is short of something: it is asked again after as long. */
#define FLIGHT_AGAIN_NS INT64_C(1000000)

struct request {
	char *buffer;
	uint64_t offset;
	uint32_t bytes; /* of the whole request; 0: the request is fresh */
	uint32_t done;  /* moved so far: a short transfer goes on from here */
	int64_t start_ns;
	unsigned index;
	bool write;
	bool noise; /* the buffer holds data fit for writing */
};

struct flight;

/* The way into the kernel; `f` lies first in the engine's own struct. */
struct flight_io {
	/* Notes the rest of `r` for the next enter(); there is always room for all requests. */
	void (*queue)(struct flight *f, struct request *r);
	/*
	 * Submits what was queued and waits up to `wait_ns` for a result. Returns 0, or -errno if
	 * the engine itself failed.
	 */
	int (*enter)(struct flight *f, int64_t wait_ns);
	/* Hands all results that are there to flight_result(). */
	void (*reap)(struct flight *f);
};

struct flight {
	struct engine_config config;
	const struct flight_io *io;
	struct position position;
	struct noise noise;
	struct request *requests; /* config.queue_depth of them */
	struct request **ready;   /* stack of those that are not in flight */
	unsigned n_ready;
	char *buffers;
	size_t stride; /* from one buffer to the next */
	int64_t now_ns;
	int64_t not_before_ns;    /* nothing is submitted until then: the target fails at once */
	int64_t failing_since_ns; /* first of the failures in a row */
	unsigned failures;        /* in a row */
	int error;                /* -errno that ends the load */
};

/*
 * Checks the configuration, allocates requests and buffers. Returns 0 or -errno with one line
 * in `why`; flight_close() is due only after success.
 */
int flight_open(struct flight *f, const struct engine_config *config, const struct flight_io *io,
		char *why, size_t size);
void flight_close(struct flight *f);

static inline unsigned flight_in_flight(const struct flight *f)
{
	return f->config.queue_depth - f->n_ready;
}

/* The kernel's answer to the rest of `r`: bytes moved or -errno. */
void flight_result(struct flight *f, struct request *r, int64_t res);

/* The parts of struct engine_ops that need no more than this. */
int flight_step(struct flight *f, int64_t until_ns);
int flight_set_op(struct flight *f, enum op op);
int flight_drain(struct flight *f, int64_t timeout_ns);

#endif
