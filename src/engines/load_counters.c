/*
 * Progress counters of a load and what a row makes of two snapshots: throughput, latencies from
 * the log-linear histogram, mean queue.
 */
#include "throttlog/load_counters.h"

#include <math.h>

#define SUB_BITS    4 /* 16 buckets per power of two */
#define SUB_COUNT   (1u << SUB_BITS)
#define FIRST_SHIFT 8 /* bucket 0 starts at 256 ns and takes what is faster */

_Static_assert(LAT_BUCKETS % SUB_COUNT == 0, "the histogram ends with a power of two");
_Static_assert(FIRST_SHIFT + LAT_BUCKETS / SUB_COUNT < 63, "bucket bounds fit in 64 bits");

size_t lat_bucket(int64_t lat_ns)
{
	uint64_t v;
	unsigned power;
	size_t i;

	if (lat_ns < INT64_C(1) << FIRST_SHIFT)
		return 0;
	v = (uint64_t)lat_ns;
	power = 63 - (unsigned)__builtin_clzll(v);
	i = (size_t)(power - FIRST_SHIFT) * SUB_COUNT +
	    (size_t)((v >> (power - SUB_BITS)) & (SUB_COUNT - 1));
	return i < LAT_BUCKETS ? i : LAT_BUCKETS - 1;
}

uint64_t lat_bucket_floor_ns(size_t bucket)
{
	unsigned power = FIRST_SHIFT + (unsigned)(bucket / SUB_COUNT);

	return (UINT64_C(1) << power) + ((uint64_t)(bucket % SUB_COUNT) << (power - SUB_BITS));
}

/* One thread writes, so load and store do; a locked instruction would cost ten times as much. */
static void add(_Atomic uint64_t *total, uint64_t n)
{
	atomic_store_explicit(total, atomic_load_explicit(total, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

static void raise_max(_Atomic uint64_t *max, uint64_t value)
{
	uint64_t old = atomic_load_explicit(max, memory_order_relaxed);

	/* The reader may set it to 0 in between: then the exchange fails and is tried again. */
	while (value > old && !atomic_compare_exchange_weak_explicit(
				  max, &old, value, memory_order_relaxed, memory_order_relaxed))
		;
}

void load_counters_done_many(struct load_counters *c, uint64_t n, uint64_t bytes, int64_t lat_ns)
{
	uint64_t lat = lat_ns > 0 ? (uint64_t)lat_ns : 0;
	_Atomic uint32_t *slot = &c->lat[lat_bucket(lat_ns)];

	add(&c->bytes, bytes);
	add(&c->ios, n);
	if (!n)
		return;
	add(&c->lat_sum_ns, n * lat);
	atomic_store_explicit(slot, atomic_load_explicit(slot, memory_order_relaxed) + (uint32_t)n,
			      memory_order_relaxed);
	raise_max(&c->lat_max_ns, lat);
}

void load_counters_done(struct load_counters *c, uint64_t bytes, int64_t lat_ns)
{
	load_counters_done_many(c, 1, bytes, lat_ns);
}

void load_counters_failed(struct load_counters *c, int err)
{
	atomic_store_explicit(&c->last_error, err < 0 ? -err : err, memory_order_relaxed);
	add(&c->errors, 1);
}

void load_counters_busy(struct load_counters *c, uint64_t in_flight, int64_t ns)
{
	if (ns > 0)
		add(&c->busy_ns, in_flight * (uint64_t)ns);
}

void load_counters_blank(struct load_counters *c)
{
	add(&c->blank, 1);
}

void load_counters_take(struct load_counters *c, struct load_snapshot *out)
{
	out->bytes = atomic_load_explicit(&c->bytes, memory_order_relaxed);
	out->ios = atomic_load_explicit(&c->ios, memory_order_relaxed);
	out->errors = atomic_load_explicit(&c->errors, memory_order_relaxed);
	out->lat_sum_ns = atomic_load_explicit(&c->lat_sum_ns, memory_order_relaxed);
	out->busy_ns = atomic_load_explicit(&c->busy_ns, memory_order_relaxed);
	out->blank = atomic_load_explicit(&c->blank, memory_order_relaxed);
	out->last_error = atomic_load_explicit(&c->last_error, memory_order_relaxed);
	for (size_t i = 0; i < LAT_BUCKETS; i++)
		out->lat[i] = atomic_load_explicit(&c->lat[i], memory_order_relaxed);
	out->lat_max_ns = atomic_exchange_explicit(&c->lat_max_ns, 0, memory_order_relaxed);
}

/* Requests of the interval by bucket; totals of 32 bits may wrap, their difference does not. */
static uint32_t between(const struct load_snapshot *before, const struct load_snapshot *after,
			size_t bucket)
{
	return after->lat[bucket] - before->lat[bucket];
}

/*
 * The latency below which the share `p` of the interval's requests lies, taken as spread evenly
 * inside its bucket; NAN if there were none.
 */
static double percentile_ns(const struct load_snapshot *before, const struct load_snapshot *after,
			    double p)
{
	uint64_t total = 0, seen = 0;
	double rank;

	for (size_t i = 0; i < LAT_BUCKETS; i++)
		total += between(before, after, i);
	rank = p * (double)total;
	for (size_t i = 0; i < LAT_BUCKETS; i++) {
		uint32_t n = between(before, after, i);

		if (n && (double)(seen + n) >= rank) {
			double low = (double)lat_bucket_floor_ns(i);
			double high = (double)lat_bucket_floor_ns(i + 1);

			return low + (high - low) * (rank - (double)seen) / n;
		}
		seen += n;
	}
	return (double)NAN;
}

void load_snapshot_sample(const struct load_snapshot *before, const struct load_snapshot *after,
			  double dt_s, struct sample *out)
{
	double bytes = (double)(after->bytes - before->bytes);
	double ios = (double)(after->ios - before->ios);
	double lat_ns = (double)(after->lat_sum_ns - before->lat_sum_ns);
	double busy_ns = (double)(after->busy_ns - before->busy_ns);
	double p99_ns = percentile_ns(before, after, 0.99);
	double max_ns = (double)after->lat_max_ns;

	out->bytes = bytes;
	out->mb_s = out->iops = out->queue_avg = (double)NAN;
	if (dt_s > 0) {
		out->mb_s = bytes / dt_s / 1e6;
		out->iops = ios / dt_s;
		out->queue_avg = (after->busy_ns ? busy_ns : lat_ns) / dt_s / 1e9;
	}
	out->lat_avg_us = out->lat_p99_us = out->lat_max_us = (double)NAN;
	if (ios <= 0 || isnan(p99_ns))
		return;
	/* A snapshot amid an update may hold a request but not its maximum. */
	if (max_ns <= 0)
		max_ns = p99_ns;
	out->lat_avg_us = lat_ns / ios / 1e3;
	out->lat_p99_us = fmin(p99_ns, max_ns) / 1e3;
	out->lat_max_us = max_ns / 1e3;
}
