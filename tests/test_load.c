/*
 * The load thread over engines of the test's own, which do what a drive may do: work, fail, hang.
 * Made to run under the thread sanitizer too.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conductor/load.h"
#include "own_permit.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"

struct engine;

/* What the fake drive does; set by a test, read by the load thread. */
static struct {
	int open_error;
	atomic_int step_error; /* -errno that the next step returns */
	atomic_int op;         /* that the engine was last told */
	atomic_bool drain_hangs, step_hangs;
	atomic_uint opened, closed;
	_Atomic uint64_t steps;
	atomic_bool signals_blocked;
	pthread_t opener;
	struct engine *engine;
	atomic_bool other_thread; /* a call came from a thread other than the opener */
} fake;

/* What is left behind on purpose stays reachable, else the leak sanitizer reports it. */
static void *volatile left_behind[3];

struct engine {
	struct engine_config config;
	uint64_t position;
};

static void same_thread(void)
{
	if (!pthread_equal(pthread_self(), fake.opener))
		atomic_store(&fake.other_thread, true);
}

static int fake_open(struct engine **out, const struct engine_config *config, char *why,
		     size_t size)
{
	sigset_t now;

	if (fake.open_error) {
		snprintf(why, size, "the drive sleeps");
		return fake.open_error;
	}
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	atomic_store(&fake.signals_blocked, sigismember(&now, SIGINT) == 1 &&
						sigismember(&now, SIGTERM) == 1 &&
						sigismember(&now, SIGUSR1) == 1);
	*out = xzalloc(sizeof(**out));
	(*out)->config = *config;
	(*out)->position = config->start_bytes;
	fake.opener = pthread_self();
	fake.engine = *out;
	atomic_fetch_add(&fake.opened, 1);
	return 0;
}

static int fake_step(struct engine *e, int64_t until_ns)
{
	int err = atomic_load(&fake.step_error);

	same_thread();
	(void)until_ns;
	while (atomic_load(&fake.step_hangs))
		usleep(1000);
	if (err)
		return err;
	clock_sleep_until(clock_now_ns() + NS_PER_MS);
	load_counters_done(e->config.counters, e->config.block_bytes, NS_PER_MS);
	e->position += e->config.block_bytes;
	atomic_fetch_add(&fake.steps, 1);
	return 0;
}

static int fake_set_op(struct engine *e, enum op op)
{
	same_thread();
	(void)e;
	atomic_store(&fake.op, (int)op);
	return 0;
}

static int fake_drain(struct engine *e, int64_t timeout_ns)
{
	same_thread();
	(void)e;
	if (!atomic_load(&fake.drain_hangs))
		return 0;
	clock_sleep_until(clock_now_ns() + timeout_ns);
	return -EBUSY;
}

static void fake_close(struct engine *e)
{
	same_thread();
	free(e);
	atomic_fetch_add(&fake.closed, 1);
}

static uint64_t fake_position(const struct engine *e)
{
	return e->position;
}

static const struct engine_ops fake_ops = {
    .name = "fake",
    .open = fake_open,
    .step = fake_step,
    .set_op = fake_set_op,
    .drain = fake_drain,
    .close = fake_close,
    .position = fake_position,
};

static const struct engine_config config = {
    .op = OP_READ, .block_bytes = 4096, .queue_depth = 1, .fd = 7, .region_bytes = 1 << 20};

static int reset(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	return 0;
}

static struct load *start(const struct engine_config *c)
{
	struct load *l = NULL;
	char why[128];

	assert_int_equal(load_start(&l, &fake_ops, c, why, sizeof(why)), 0);
	assert_string_equal(why, "");
	return l;
}

/* Waits up to ten seconds for `condition`, by far longer than any of them takes. */
#define WAIT_FOR(condition)                                     \
	do {                                                    \
		int64_t until = clock_now_ns() + 10 * NS_PER_S; \
		while (!(condition) && clock_now_ns() < until)  \
			usleep(2000);                           \
		assert_true(condition);                         \
	} while (0)

static enum load_state state_of(const struct load *l)
{
	int err;

	return load_status(l, &err);
}

static bool ended(const struct load *l)
{
	struct pollfd p = {.fd = load_event_fd(l), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void starts_counts_and_stops(void **state)
{
	struct load *l = start(&config);
	struct load_snapshot s;

	(void)state;
	WAIT_FOR(atomic_load(&fake.steps) >= 5);
	load_take(l, &s);
	assert_true(s.ios >= 4 && s.bytes == s.ios * 4096);
	assert_int_equal(state_of(l), LOAD_RUNNING);
	assert_false(ended(l));
	assert_true(atomic_load(&fake.signals_blocked));
	WAIT_FOR(load_position(l) >= 5 * 4096);
	assert_int_equal(load_stop(l, NS_PER_S), 0);
	assert_int_equal(atomic_load(&fake.closed), 1);
	assert_false(atomic_load(&fake.other_thread));
	assert_int_equal(load_stop(NULL, 0), 0);
}

static void a_failed_open_says_why(void **state)
{
	struct load *l = NULL;
	char why[128];

	(void)state;
	fake.open_error = -EACCES;
	assert_int_equal(load_start(&l, &fake_ops, &config, why, sizeof(why)), -EACCES);
	assert_string_equal(why, "the drive sleeps");
	assert_null(l);
}

static void a_pause_stops_the_steps(void **state)
{
	struct load *l = start(&config);
	uint64_t steps;

	(void)state;
	load_pause(l, true);
	assert_int_not_equal(state_of(l), LOAD_RUNNING);
	WAIT_FOR(state_of(l) == LOAD_PAUSED);
	steps = atomic_load(&fake.steps);
	usleep(20000);
	assert_int_equal(atomic_load(&fake.steps), steps);
	load_pause(l, false);
	WAIT_FOR(atomic_load(&fake.steps) > steps);
	assert_int_equal(state_of(l), LOAD_RUNNING);
	load_pause(l, true);
	WAIT_FOR(state_of(l) == LOAD_PAUSED);
	assert_int_equal(load_stop(l, NS_PER_S), 0); /* out of the pause */
	assert_int_equal(atomic_load(&fake.closed), 1);
}

static void a_pause_with_hanging_requests_can_be_left(void **state)
{
	struct load *l = start(&config);
	uint64_t steps;

	(void)state;
	atomic_store(&fake.drain_hangs, true);
	load_pause(l, true);
	usleep(100000);
	assert_int_equal(state_of(l), LOAD_PAUSING);
	steps = atomic_load(&fake.steps);
	load_pause(l, false);
	WAIT_FOR(atomic_load(&fake.steps) > steps);
	atomic_store(&fake.drain_hangs, false);
	assert_int_equal(load_stop(l, NS_PER_S), 0);
}

static void the_op_changes_with_a_permit_only(void **state)
{
	struct write_permit permit = {.fd = 7};
	struct engine_config c = config;
	struct load *l = start(&c);

	(void)state;
	assert_int_equal(load_set_op(l, OP_WRITE), -EPERM);
	assert_int_equal(load_set_op(l, OP_NONE), -EINVAL);
	assert_int_equal(load_stop(l, NS_PER_S), 0);

	c.permit = &permit;
	l = start(&c);
	assert_int_equal(load_set_op(l, OP_WRITE), 0);
	WAIT_FOR(atomic_load(&fake.op) == OP_WRITE);
	assert_int_equal(load_set_op(l, OP_READ), 0);
	WAIT_FOR(atomic_load(&fake.op) == OP_READ);
	assert_int_equal(load_stop(l, NS_PER_S), 0);
}

static void an_error_ends_the_load(void **state)
{
	struct load *l = start(&config);
	int err;

	(void)state;
	atomic_store(&fake.step_error, -ENODEV);
	WAIT_FOR(ended(l));
	assert_int_equal(load_status(l, &err), LOAD_ENDED);
	assert_int_equal(err, -ENODEV);
	assert_int_equal(atomic_load(&fake.closed), 1);
	load_pause(l, true); /* commands to an ended load do nothing */
	assert_int_equal(load_status(l, &err), LOAD_ENDED);
	assert_int_equal(load_stop(l, NS_PER_S), 0);
}

/* Buffers that the kernel may still write to are left alone; nothing is freed or closed. */
static void requests_that_hang_are_left_behind(void **state)
{
	struct load *l = start(&config);
	int64_t before;

	(void)state;
	atomic_store(&fake.drain_hangs, true);
	left_behind[0] = l;
	left_behind[1] = fake.engine;
	before = clock_now_ns();
	assert_int_equal(load_stop(l, 100 * NS_PER_MS), -EBUSY);
	assert_true(clock_now_ns() - before < 10 * NS_PER_S);
	assert_int_equal(atomic_load(&fake.closed), 0);
}

static void a_thread_that_hangs_is_left_behind(void **state)
{
	struct load *l = start(&config);

	(void)state;
	left_behind[2] = l;
	atomic_store(&fake.step_hangs, true);
	usleep(20000);
	assert_int_equal(load_stop(l, 100 * NS_PER_MS), -EBUSY);
	/* It comes back later, sees that it must stop and ends without harm. */
	atomic_store(&fake.step_hangs, false);
	WAIT_FOR(atomic_load(&fake.closed) == 1);
}

/* Commands from one thread, snapshots too, while the load runs: for the thread sanitizer. */
static void commands_in_a_hurry(void **state)
{
	struct write_permit permit = {.fd = 7};
	struct engine_config c = config;
	struct load_snapshot s = {0}, last = {0};

	(void)state;
	c.permit = &permit;
	for (int round = 0; round < 5; round++) {
		struct load *l = start(&c);

		memset(&last, 0, sizeof(last));
		for (int i = 0; i < 40; i++) {
			load_pause(l, i % 4 == 0);
			load_set_op(l, i % 3 ? OP_READ : OP_WRITE);
			load_take(l, &s);
			assert_true(s.ios >= last.ios);
			last = s;
			state_of(l);
			load_position(l);
			usleep(500);
		}
		assert_int_equal(load_stop(l, 10 * NS_PER_S), 0);
	}
	assert_int_equal(atomic_load(&fake.opened), 5);
	assert_int_equal(atomic_load(&fake.closed), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(starts_counts_and_stops, reset),
	    cmocka_unit_test_setup(a_failed_open_says_why, reset),
	    cmocka_unit_test_setup(a_pause_stops_the_steps, reset),
	    cmocka_unit_test_setup(a_pause_with_hanging_requests_can_be_left, reset),
	    cmocka_unit_test_setup(the_op_changes_with_a_permit_only, reset),
	    cmocka_unit_test_setup(an_error_ends_the_load, reset),
	    cmocka_unit_test_setup(commands_in_a_hurry, reset),
	    /* Last: these leave memory behind, as they must. */
	    cmocka_unit_test_setup(requests_that_hang_are_left_behind, reset),
	    cmocka_unit_test_setup(a_thread_that_hangs_is_left_behind, reset),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
