/*
 * Progress of a load, written by one thread and read by another without a lock: totals and a
 * latency histogram, all relaxed atomics. The reader takes differences of two snapshots.
 */
#ifndef THROTTLOG_LOAD_COUNTERS_H
#define THROTTLOG_LOAD_COUNTERS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/sample.h"

/* Log-linear buckets: 16 per power of two of ns, exact to 1/16, from 256 ns to more than 1 h. */
#define LAT_BUCKETS 560

/* Zeroed memory is a valid start. */
struct load_counters {
	_Atomic uint64_t bytes, ios, errors, lat_sum_ns;
	_Atomic uint64_t busy_ns;    /* sum of (requests in flight x time), 0 if not kept */
	_Atomic uint64_t blank;      /* reads that found nothing but one word again and again */
	_Atomic uint64_t lat_max_ns; /* since the last snapshot, which sets it to 0 */
	atomic_int last_error;       /* errno of the last failed request */
	_Atomic uint32_t lat[LAT_BUCKETS];
};

struct load_snapshot {
	uint64_t bytes, ios, errors, lat_sum_ns, busy_ns, blank, lat_max_ns;
	int last_error;
	uint32_t lat[LAT_BUCKETS];
};

/* Writer: one request of `bytes` completed after `lat_ns`. */
void load_counters_done(struct load_counters *c, uint64_t bytes, int64_t lat_ns);
/* `n` requests of `bytes` together, each after `lat_ns`. */
void load_counters_done_many(struct load_counters *c, uint64_t n, uint64_t bytes, int64_t lat_ns);
void load_counters_failed(struct load_counters *c, int err);
/*
 * `in_flight` requests were under way for `ns`. Lets the queue be seen while nothing completes;
 * an engine that never calls it gets queue_avg from its latencies.
 */
void load_counters_busy(struct load_counters *c, uint64_t in_flight, int64_t ns);
/*
 * A read brought blank data. Blocks that were trimmed or never written are answered without the
 * flash, faster and cooler than real ones: most reads blank means that the load is not one.
 */
void load_counters_blank(struct load_counters *c);

/* Reader, one only: lat_max_ns starts again with each call. */
void load_counters_take(struct load_counters *c, struct load_snapshot *out);
/*
 * Fills bytes, mb_s, iops, latencies and queue_avg of `out` from what happened between two
 * snapshots that lie `dt_s` apart. Latencies are absent where nothing completed. queue_avg is
 * the time integral of the queue, or by Little's law the sum of latencies / time.
 */
void load_snapshot_sample(const struct load_snapshot *before, const struct load_snapshot *after,
			  double dt_s, struct sample *out);

/* The bucket of a latency, and the bounds of a bucket: lowest value, and one past the highest. */
size_t lat_bucket(int64_t lat_ns);
uint64_t lat_bucket_floor_ns(size_t bucket);

#endif
