/* Progress counters: exact totals, buckets, percentiles, Little's law, two threads. */
#include "cmocka_all.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "throttlog/load_counters.h"

static void buckets_tile_the_range(void **state)
{
	(void)state;
	assert_int_equal(lat_bucket(-5), 0);
	assert_int_equal(lat_bucket(255), 0);
	assert_int_equal(lat_bucket(256), 0);
	assert_true(lat_bucket_floor_ns(LAT_BUCKETS) > UINT64_C(3600) * 1000000000);
	for (size_t i = 0; i < LAT_BUCKETS; i++) {
		uint64_t low = lat_bucket_floor_ns(i), next = lat_bucket_floor_ns(i + 1);

		assert_int_equal(lat_bucket((int64_t)low), i);
		assert_int_equal(lat_bucket((int64_t)next - 1), i);
		assert_true((double)(next - low) <= (double)low / 16);
	}
	assert_int_equal(lat_bucket(INT64_MAX), LAT_BUCKETS - 1);
}

static void totals_are_exact(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;
	struct sample s;

	(void)state;
	load_counters_take(&c, &a);
	for (int i = 1; i <= 1000; i++)
		load_counters_done(&c, 4096, i * 1000);
	load_counters_done_many(&c, 24, UINT64_C(24) * 512, 5000);
	load_counters_failed(&c, -5);
	load_counters_failed(&c, 28);
	load_counters_take(&c, &b);
	assert_int_equal(b.bytes, 1000 * 4096 + 24 * 512);
	assert_int_equal(b.ios, 1024);
	assert_int_equal(b.errors, 2);
	assert_int_equal(b.last_error, 28);
	assert_int_equal(b.lat_sum_ns, 500500 * 1000 + 24 * 5000);
	assert_int_equal(b.lat_max_ns, 1000000);
	sample_clear(&s);
	load_snapshot_sample(&a, &b, 2, &s);
	assert_true(s.bytes == 4108288);
	assert_true(s.iops == 512);
	assert_true(fabs(s.mb_s - 2.054144) < 1e-9);
	assert_true(s.lat_max_us == 1000);
	assert_true(fabs(s.lat_avg_us - (500500.0 + 120) / 1024) < 1e-9);
}

/* 1 to 1000 us evenly: the 99th is 990 us, known to one bucket (1/16). */
static void percentiles_are_near_and_ordered(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;
	struct sample s;

	(void)state;
	load_counters_take(&c, &a);
	for (int i = 1; i <= 1000; i++)
		load_counters_done(&c, 1, i * 1000);
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(fabs(s.lat_p99_us - 990) < 990.0 / 16);
	assert_true(s.lat_avg_us < s.lat_p99_us && s.lat_p99_us <= s.lat_max_us);

	/* One slow request in 200 is above the 99th, five are not. */
	memset(&c, 0, sizeof(c));
	load_counters_take(&c, &a);
	load_counters_done_many(&c, 199, 199, 100000);
	load_counters_done(&c, 1, 50000000);
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(s.lat_p99_us < 110 && s.lat_max_us == 50000);
	load_counters_done_many(&c, 199, 199, 100000);
	load_counters_done_many(&c, 5, 5, 50000000);
	a = b;
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(s.lat_p99_us > 45000 && s.lat_p99_us <= s.lat_max_us);
}

/* The same latency each time: no percentile may lie above it. */
static void constant_latency_is_near(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;
	struct sample s;

	(void)state;
	load_counters_take(&c, &a);
	load_counters_done_many(&c, 500, 500, 272000);
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(s.lat_avg_us == 272 && s.lat_max_us == 272);
	assert_true(s.lat_p99_us <= 272 && s.lat_p99_us > 272 * 15.0 / 16);
}

static void the_maximum_starts_again(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;

	(void)state;
	load_counters_done(&c, 1, 9000);
	load_counters_take(&c, &a);
	assert_int_equal(a.lat_max_ns, 9000);
	load_counters_done(&c, 1, 300);
	load_counters_take(&c, &b);
	assert_int_equal(b.lat_max_ns, 300);
}

/* A stalled row: bytes 0 is a fact, latencies are absent, the queue is still full. */
static void a_stall_is_told_from_idleness(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;
	struct sample s;

	(void)state;
	load_counters_take(&c, &a);
	load_counters_busy(&c, 32, 1000000000);
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(s.bytes == 0 && s.mb_s == 0 && s.iops == 0);
	assert_true(isnan(s.lat_avg_us) && isnan(s.lat_p99_us) && isnan(s.lat_max_us));
	assert_true(fabs(s.queue_avg - 32) < 1e-9);
	a = b;
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(s.queue_avg == 0);
	load_snapshot_sample(&a, &b, 0, &s);
	assert_true(s.bytes == 0 && isnan(s.mb_s) && isnan(s.iops) && isnan(s.queue_avg));
}

/* 32 in flight for one second at 1 ms each are 32000 requests. */
static void queue_follows_littles_law(void **state)
{
	struct load_counters c = {0};
	struct load_snapshot a, b;
	struct sample s;

	(void)state;
	load_counters_take(&c, &a);
	load_counters_done_many(&c, 32000, 32000, 1000000);
	load_counters_take(&c, &b);
	load_snapshot_sample(&a, &b, 1, &s);
	assert_true(fabs(s.queue_avg - 32) < 1e-9);
}

#define ROUNDS 200000

static void *write_many(void *arg)
{
	struct load_counters *c = arg;

	for (int i = 0; i < ROUNDS; i++)
		load_counters_done(c, 512, 1000 + i);
	return NULL;
}

/* Reading while writing loses nothing: the parts add up, the largest maximum is seen. */
static void a_reader_beside_the_writer_loses_nothing(void **state)
{
	static struct load_counters c;
	struct load_snapshot a, b;
	uint64_t bytes = 0, max = 0, in_buckets = 0;
	pthread_t thread;

	(void)state;
	memset(&a, 0, sizeof(a));
	assert_int_equal(pthread_create(&thread, NULL, write_many, &c), 0);
	do {
		load_counters_take(&c, &b);
		assert_true(b.bytes >= a.bytes && b.ios >= a.ios);
		bytes += b.bytes - a.bytes;
		max = b.lat_max_ns > max ? b.lat_max_ns : max;
		a = b;
	} while (b.ios < ROUNDS);
	pthread_join(thread, NULL);
	load_counters_take(&c, &b);
	bytes += b.bytes - a.bytes;
	max = b.lat_max_ns > max ? b.lat_max_ns : max;
	for (size_t i = 0; i < LAT_BUCKETS; i++)
		in_buckets += b.lat[i];
	assert_int_equal(bytes, UINT64_C(512) * ROUNDS);
	assert_int_equal(in_buckets, ROUNDS);
	assert_int_equal(max, 1000 + ROUNDS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(buckets_tile_the_range),
	    cmocka_unit_test(totals_are_exact),
	    cmocka_unit_test(percentiles_are_near_and_ordered),
	    cmocka_unit_test(constant_latency_is_near),
	    cmocka_unit_test(the_maximum_starts_again),
	    cmocka_unit_test(a_stall_is_told_from_idleness),
	    cmocka_unit_test(queue_follows_littles_law),
	    cmocka_unit_test(a_reader_beside_the_writer_loses_nothing),
	};

	return cmocka_run_group_tests_name("load_counters", tests, NULL, NULL);
}
