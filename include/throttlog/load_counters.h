/*
 * Progress of a load, written by one thread and read by another without a lock: totals and a
 * latency histogram, all relaxed atomics. The reader takes differences of two snapshots.
 */
#ifndef THROTTLOG_LOAD_COUNTERS_H
#define THROTTLOG_LOAD_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "throttlog/sample.h"

/* Log-linear buckets: 16 per power of two of ns, exact to 1/16, from 256 ns to more than 1 h. */
#define LAT_BUCKETS 560

struct load_counters {
	atomic_uint_fast64_t bytes, ios, errors, lat_sum_ns,
	    busy_ns;                     /* busy: sum of in flight x ns */
	atomic_uint_fast64_t lat_max_ns; /* since the last snapshot, which sets it to 0 */
	atomic_int last_error;           /* errno of the last failed request */
	atomic_uint_fast32_t lat[LAT_BUCKETS];
};

struct load_snapshot {
	uint64_t bytes, ios, errors, lat_sum_ns, lat_max_ns;
	int last_error;
	uint32_t lat[LAT_BUCKETS];
};

/* Writer: one request of `bytes` completed after `lat_ns`. */
void load_counters_done(struct load_counters *c, uint64_t bytes, int64_t lat_ns);
void load_counters_done_many(struct load_counters *c, uint64_t n, uint64_t bytes, int64_t lat_ns);
void load_counters_failed(struct load_counters *c, int err);

/* Reader. */
void load_counters_take(struct load_counters *c, struct load_snapshot *out);
/*
 * Fills bytes, mb_s, iops, latencies and queue_avg of `out` from what happened between two
 * snapshots that lie `dt_s` apart. queue_avg is by Little's law: sum of latencies / time.
 */
void load_snapshot_sample(const struct load_snapshot *before, const struct load_snapshot *after,
			  double dt_s, struct sample *out);

#endif
