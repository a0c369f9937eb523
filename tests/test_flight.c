/*
 * What engines for real drives share, over a kernel of the test's own that answers by a script:
 * offsets, short transfers, errors, hangs, the permit.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engines/flight.h"
#include "own_permit.h"
#include "throttlog/clock.h"

#define BS 4096u

/* The scripted kernel: finishes what is queued, oldest first, one request an enter(). */
static struct {
	struct request *queued[64];
	unsigned n;
	struct {
		uint64_t offset;
		uint32_t bytes;
		bool write;
	} log[4096];
	unsigned n_log;
	const int *script; /* answers in turn: 0 all of it, > 0 as many bytes, < 0 -errno */
	unsigned n_script, at;
	int forever; /* answer after the script */
	bool hangs;
} kernel;

static void kernel_queue(struct flight *f, struct request *r)
{
	(void)f;
	assert_true(kernel.n < 64);
	kernel.queued[kernel.n++] = r;
	if (kernel.n_log < sizeof(kernel.log) / sizeof(*kernel.log)) {
		kernel.log[kernel.n_log].offset = r->offset + r->done;
		kernel.log[kernel.n_log].bytes = r->bytes - r->done;
		kernel.log[kernel.n_log++].write = r->write;
	}
}

static int kernel_enter(struct flight *f, int64_t wait_ns)
{
	(void)f;
	clock_sleep_until(clock_now_ns() + (kernel.hangs ? wait_ns : 20 * NS_PER_US));
	return 0;
}

static void kernel_reap(struct flight *f)
{
	struct request *r = kernel.queued[0];
	int answer = kernel.forever;

	if (kernel.hangs || !kernel.n)
		return;
	if (kernel.at < kernel.n_script)
		answer = kernel.script[kernel.at++];
	memmove(kernel.queued, kernel.queued + 1, --kernel.n * sizeof(*kernel.queued));
	flight_result(f, r, answer ? answer : (int64_t)(r->bytes - r->done));
}

#define END_OF_FILE 1 /* an answer of fewer bytes than the alignment is taken as the end */

static const struct flight_io kernel_io = {
    .queue = kernel_queue, .enter = kernel_enter, .reap = kernel_reap};

static struct load_counters counters;
static struct flight flight;

static int open_flight(const struct engine_config *config)
{
	struct engine_config c = *config;
	char why[160] = "";
	int err;

	memset(&counters, 0, sizeof(counters));
	memset(&kernel, 0, sizeof(kernel));
	c.counters = &counters;
	err = flight_open(&flight, &c, &kernel_io, why, sizeof(why));
	assert_true((err != 0) == (why[0] != '\0'));
	return err;
}

static const struct engine_config reads = {.op = OP_READ,
					   .block_bytes = BS,
					   .queue_depth = 1,
					   .fd = -1,
					   .align_bytes = 512,
					   .region_bytes = UINT64_C(10) * BS + 1024};

static void play(const int *script, unsigned n)
{
	kernel.script = script;
	kernel.n_script = n;
}

/* Steps until `n` requests were queued. */
static void step_until_logged(unsigned n)
{
	while (kernel.n_log < n)
		assert_int_equal(flight_step(&flight, clock_now_ns() + NS_PER_MS / 2), 0);
}

static uint64_t count(_Atomic uint64_t *total)
{
	return atomic_load(total);
}

static void refuses_what_does_not_fit(void **state)
{
	static const struct {
		uint32_t block, align;
		unsigned depth;
		uint64_t region, start;
	} cases[] = {
	    {4096, 512, 0, 1 << 20, 0},   {4096, 512, 1025, 1 << 20, 0},
	    {0, 512, 1, 1 << 20, 0},      {4095, 512, 1, 1 << 20, 0},
	    {4096, 0, 1, 1 << 20, 0},     {2048, 4096, 1, 1 << 20, 0},
	    {4096, 512, 1, 4095, 0},      {4096, 512, 1, 0, 0},
	    {4096, 512, 1, 1 << 20, 512}, {4096, 512, 1, 1 << 20, 1 << 20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct engine_config c = reads;

		c.block_bytes = cases[i].block;
		c.align_bytes = cases[i].align;
		c.queue_depth = cases[i].depth;
		c.region_bytes = cases[i].region;
		c.start_bytes = cases[i].start;
		assert_int_equal(open_flight(&c), -EINVAL);
	}
}

/* Ten and a quarter blocks: in order, the short one last, then from the start. */
static void goes_in_order_and_wraps(void **state)
{
	struct engine_config c = reads;

	(void)state;
	c.start_bytes = UINT64_C(8) * BS;
	assert_int_equal(open_flight(&c), 0);
	step_until_logged(25);
	for (unsigned i = 0; i < 25; i++) {
		unsigned block = (8 + i) % 11;

		assert_int_equal(kernel.log[i].offset, block * BS);
		assert_int_equal(kernel.log[i].bytes, block == 10 ? 1024 : BS);
		assert_false(kernel.log[i].write);
	}
	flight_close(&flight);
}

static void short_transfers_go_on(void **state)
{
	static const int script[] = {1024, 1500, 0, 512};

	(void)state;
	assert_int_equal(open_flight(&reads), 0);
	play(script, 4);
	step_until_logged(6);
	/* 1024 of 4096; of the 1500 two whole sectors count, the torn one is moved again. */
	assert_int_equal(kernel.log[1].offset, 1024);
	assert_int_equal(kernel.log[1].bytes, 3072);
	assert_int_equal(kernel.log[2].offset, 2048);
	assert_int_equal(kernel.log[2].bytes, 2048);
	assert_int_equal(kernel.log[3].offset, BS);
	assert_int_equal(kernel.log[4].offset, BS + 512);
	assert_int_equal(kernel.log[5].offset, 2 * BS);
	assert_int_equal(flight_drain(&flight, NS_PER_S), 0);
	assert_int_equal(count(&counters.bytes), count(&counters.ios) * BS);
	assert_int_equal(count(&counters.errors), 0);
	flight_close(&flight);
}

static void interruptions_are_tried_again(void **state)
{
	static const int script[] = {-EINTR, -EAGAIN, -EAGAIN, 0};

	(void)state;
	assert_int_equal(open_flight(&reads), 0);
	play(script, 4);
	step_until_logged(5);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(kernel.log[i].offset, 0);
	assert_int_equal(kernel.log[4].offset, BS);
	assert_int_equal(count(&counters.errors), 0);
	flight_close(&flight);
}

/* A bad block is counted and left; the load goes on. */
static void a_failed_request_is_counted(void **state)
{
	static const int script[] = {0, -EIO, 0, -ENODATA, 0};

	(void)state;
	assert_int_equal(open_flight(&reads), 0);
	play(script, 5);
	step_until_logged(6);
	assert_int_equal(flight_drain(&flight, NS_PER_S), 0);
	assert_int_equal(count(&counters.errors), 2);
	assert_int_equal(atomic_load(&counters.last_error), ENODATA);
	assert_int_equal(count(&counters.ios), kernel.n_log - 2);
	flight_close(&flight);
}

static void some_errors_end_the_load(void **state)
{
	static const int errors[] = {ENOSPC, EROFS, ENODEV, ENXIO, ENOLINK, EFBIG, EINVAL, EBADF};

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		int err;

		assert_int_equal(open_flight(&reads), 0);
		kernel.forever = -errors[i];
		err = flight_step(&flight, clock_now_ns() + 10 * NS_PER_S);
		assert_int_equal(err, -errors[i]);
		assert_int_equal(count(&counters.errors), 1);
		assert_int_equal(atomic_load(&counters.last_error), errors[i]);
		assert_int_equal(flight_step(&flight, clock_now_ns() + NS_PER_S), err);
		assert_int_equal(flight_drain(&flight, 0), 0);
		flight_close(&flight);
	}
}

/* Only failures for seconds: that is the drive, not a block. It is not asked in a mad hurry. */
static void nothing_but_failures_ends_the_load(void **state)
{
	struct engine_config c = reads;
	int64_t start = clock_now_ns();

	(void)state;
	c.queue_depth = 4;
	assert_int_equal(open_flight(&c), 0);
	kernel.forever = -EIO;
	assert_int_equal(flight_step(&flight, start + 60 * NS_PER_S), -EIO);
	assert_true(clock_now_ns() - start >= 2 * NS_PER_S);
	assert_in_range(count(&counters.errors), 5, 4000);
	assert_int_equal(count(&counters.ios), 0);
	assert_int_equal(flight_drain(&flight, NS_PER_S), 0);
	flight_close(&flight);
}

static void a_file_that_became_short_is_told(void **state)
{
	struct engine_config c = reads;
	int fd = memfd_create("short", MFD_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BS), 0);
	c.fd = fd;
	assert_int_equal(open_flight(&c), 0);
	kernel.forever = END_OF_FILE;
	assert_int_equal(flight_step(&flight, clock_now_ns() + 10 * NS_PER_S), -EIO);
	flight_close(&flight);
	/* The same answer beyond the end of the file. */
	c.start_bytes = BS;
	assert_int_equal(open_flight(&c), 0);
	kernel.forever = END_OF_FILE;
	assert_int_equal(flight_step(&flight, clock_now_ns() + 10 * NS_PER_S), -ENODATA);
	flight_close(&flight);
	close(fd);
}

static void a_hang_ends_step_and_drain_in_time(void **state)
{
	struct engine_config c = reads;
	struct load_snapshot before, after;
	struct sample s;
	int64_t start = clock_now_ns();

	(void)state;
	c.queue_depth = 8;
	assert_int_equal(open_flight(&c), 0);
	kernel.hangs = true;
	load_counters_take(&counters, &before);
	assert_int_equal(flight_step(&flight, start + 100 * NS_PER_MS), 0);
	assert_int_equal(flight_drain(&flight, 100 * NS_PER_MS), -EBUSY);
	assert_true(clock_now_ns() - start < 5 * NS_PER_S);
	load_counters_take(&counters, &after);
	load_snapshot_sample(&before, &after, (double)(clock_now_ns() - start) / 1e9, &s);
	assert_true(s.bytes == 0 && fabs(s.queue_avg - 8) < 0.5);
	kernel.hangs = false;
	assert_int_equal(flight_drain(&flight, NS_PER_S), 0);
	assert_int_equal(count(&counters.ios), 8);
	flight_close(&flight);
}

static void each_write_asks_for_the_permit(void **state)
{
	struct write_permit permit = {.fd = 3};
	struct engine_config c = reads;
	unsigned written = 0;

	(void)state;
	c.op = OP_WRITE;
	assert_int_equal(open_flight(&c), -EPERM);
	c.permit = &permit;
	c.fd = 4;
	assert_int_equal(open_flight(&c), -EPERM);
	c.fd = 3;
	assert_int_equal(open_flight(&c), 0);
	step_until_logged(20);
	assert_true(atomic_load(&permit.asked) >= kernel.n_log);
	/* The rest of a short write is a write too. */
	kernel.forever = 512;
	assert_int_equal(flight_step(&flight, clock_now_ns() + NS_PER_MS), 0);
	atomic_store(&permit.revoked, true);
	written = kernel.n_log;
	assert_int_equal(flight_step(&flight, clock_now_ns() + NS_PER_S), -EPERM);
	assert_int_equal(kernel.n_log, written);
	flight_close(&flight);

	/* Reading needs none, until it turns into writing. */
	c.op = OP_READ;
	assert_int_equal(open_flight(&c), 0);
	step_until_logged(3);
	assert_int_equal(flight_set_op(&flight, OP_WRITE), -EPERM);
	assert_int_equal(flight_set_op(&flight, OP_NONE), -EINVAL);
	atomic_store(&permit.revoked, false);
	assert_int_equal(flight_set_op(&flight, OP_WRITE), 0);
	written = kernel.n_log;
	step_until_logged(written + 3);
	assert_true(kernel.log[written].write && kernel.log[written + 2].write);
	flight_close(&flight);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(refuses_what_does_not_fit),
	    cmocka_unit_test(goes_in_order_and_wraps),
	    cmocka_unit_test(short_transfers_go_on),
	    cmocka_unit_test(interruptions_are_tried_again),
	    cmocka_unit_test(a_failed_request_is_counted),
	    cmocka_unit_test(some_errors_end_the_load),
	    cmocka_unit_test(nothing_but_failures_ends_the_load),
	    cmocka_unit_test(a_file_that_became_short_is_told),
	    cmocka_unit_test(a_hang_ends_step_and_drain_in_time),
	    cmocka_unit_test(each_write_asks_for_the_permit),
	};

	return cmocka_run_group_tests_name("flight", tests, NULL, NULL);
}
