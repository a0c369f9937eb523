/*
 * Load engines: each drives one target with a fixed number of requests in flight. One table
 * (engines.c) lists them.
 *
 *     engine_choose("auto", &ops, why, sizeof(why));
 *     ops->open(&e, &config, why, sizeof(why));
 *     while (!stop) ops->step(e, clock_now_ns() + 50 * NS_PER_MS);
 *     ops->close(e);
 *
 * All calls come from one thread (the load thread; for simulated drives the conductor).
 */
#ifndef THROTTLOG_ENGINE_H
#define THROTTLOG_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/load_counters.h"
#include "throttlog/permit.h"
#include "throttlog/sample.h"

struct engine; /* each engine's own */
struct sim;

struct engine_config {
	enum op op; /* OP_READ or OP_WRITE */
	bool random;
	uint32_t block_bytes;  /* multiple of align_bytes */
	unsigned queue_depth;  /* 1..1024 */
	int fd;                /* open with O_DIRECT; stays the caller's. -1 for simulated drives */
	uint32_t align_bytes;  /* logical block size */
	uint64_t start_bytes;  /* first offset; multiple of block_bytes */
	uint64_t region_bytes; /* wraps here; at least one block */
	uint64_t seed;         /* of the data written and of random offsets */
	const struct write_permit *permit; /* NULL: reads only */
	struct sim *sim;                   /* simulated drives, else NULL */
	struct load_counters *counters;    /* where progress is published; the caller's */
	bool start_paused;                 /* load threads: wait for load_pause(l, false) */
};

struct engine_ops {
	const char *name;
	const char *help;
	bool simulated;
	/* 0 if the kernel lets us use it, else -errno (ENOSYS, EPERM ...). */
	int (*probe)(void);
	/*
	 * Allocates all it will need. Returns 0 or -errno with one line in `why`. After success
	 * `why`, if not empty, is a remark (less locked memory than wanted).
	 */
	int (*open)(struct engine **out, const struct engine_config *config, char *why,
		    size_t size);
	/*
	 * Keeps the queue full until `until_ns` (CLOCK_MONOTONIC, or the simulated drive's clock)
	 * and publishes what completes. Allocates nothing, takes no lock.
	 * Returns 0, or -errno when the load cannot go on: -ENODEV the target is gone, -ENODATA
	 * the file became shorter than the region, -ENOSPC, -EROFS, -EPERM no permit to write,
	 * -EIO nothing but failed requests for a while.
	 */
	int (*step)(struct engine *e, int64_t until_ns);
	/* Changes what the next requests do (cause test: a read probe amid a write run). */
	int (*set_op)(struct engine *e, enum op op);
	/*
	 * Waits up to `timeout_ns` for requests in flight. Returns 0, or -EBUSY if some hang; then
	 * close() must not be called (the kernel still owns the buffers).
	 */
	int (*drain)(struct engine *e, int64_t timeout_ns);
	void (*close)(struct engine *e);
	/* Where the next request goes, bytes: to go on there after a pause. */
	uint64_t (*position)(const struct engine *e);
};

/* In order of preference; ends with NULL. */
extern const struct engine_ops *const engines[];

/*
 * Finds an engine by name, or the first that the kernel allows for "auto". Returns 0 or -errno;
 * `why` says in words why a better one was not taken (empty if the first choice was).
 */
int engine_choose(const char *name, const struct engine_ops **out, char *why, size_t size);

#endif
