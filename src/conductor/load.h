/*
 * The load thread: owns one engine and its counters, takes commands through atomics, so that
 * neither side ever waits for the other.
 *
 *     load_start(&l, ops, &config, why, sizeof(why));
 *     poll load_event_fd(l); load_take(l, &snapshot) each row; load_pause(l, true) ...
 *     load_stop(l, 2 * NS_PER_S);
 */
#ifndef CONDUCTOR_LOAD_H
#define CONDUCTOR_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/engine.h"

struct load;

enum load_state {
	LOAD_RUNNING,
	LOAD_PAUSING, /* asked to pause, requests still in flight */
	LOAD_PAUSED,  /* nothing in flight */
	LOAD_ENDED    /* by an error of the target; the thread is gone or about to be */
};

/*
 * Starts the thread and opens the engine in it. config->counters is ignored (the load has its
 * own), config->fd must stay open until load_stop() returned 0. Returns 0, or -errno with one
 * line in `why` and no thread left. After success `why` may hold a remark (empty if none).
 */
int load_start(struct load **out, const struct engine_ops *ops, const struct engine_config *config,
	       char *why, size_t size);

/* Takes effect within some 50 ms; a pause keeps the place and lets requests in flight finish. */
void load_pause(struct load *l, bool paused);
/* What the next requests do. Returns 0, -EINVAL, or -EPERM without a permit to write. */
int load_set_op(struct load *l, enum op op);

/* One caller: the maximum of the latencies starts again with each call. */
void load_take(struct load *l, struct load_snapshot *out);
/* Sets *err to the -errno that ended the load, 0 while it has not ended. */
enum load_state load_status(const struct load *l, int *err);
/* Where the next request goes, bytes; at most some 50 ms old. */
uint64_t load_position(const struct load *l);
/* Becomes readable when the load ended by itself, and stays so. */
int load_event_fd(const struct load *l);

/*
 * Ends the load, waits for requests in flight, frees everything. Returns 0, or -EBUSY if
 * requests or the thread hang in the kernel for longer than `timeout_ns`: then all of it is left
 * behind on purpose, since the kernel may still write into the buffers, and the caller must
 * leave config->fd open. `l` is gone in both cases. NULL is allowed.
 */
int load_stop(struct load *l, int64_t timeout_ns);

#endif
