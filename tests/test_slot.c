/*
 * One drive at work through runs of several loads: simulated drives, and an engine of the test's
 * own whose requests complete only when they are waited for.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conductor/slot.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

static struct config config;
static struct session_drive drive;
static struct slot *slot;
static double now_s;

static void start(const char *target, double time_s, double rest_s, double cooldown_s)
{
	memset(&drive, 0, sizeof(drive));
	config = (struct config){
	    .legs = {.op = {OP_READ, OP_WRITE}, .n = 2},
	    .block_bytes = 131072,
	    .queue_depth = 32,
	    .engine = "auto",
	    .baseline_s = 30,
	    .time_s = time_s,
	    .rest_s = rest_s,
	    .cooldown_s = cooldown_s,
	    .interval_s = 1,
	    .cause_test = true,
	    .stop_temp_c = NAN,
	    .ambient_c = NAN,
	    .speed = INFINITY,
	    .seed = 1,
	};
	slot = xzalloc(sizeof(*slot));
	now_s = 0;
	assert_int_equal(slot_open(slot, &config, target, &drive), STATUS_DONE);
	slot_start(slot, 0);
}

static void go(int rows)
{
	for (int i = 0; i < rows && !drive.done; i++) {
		now_s += 1;
		slot_tick(slot, now_s, now_s, NULL);
	}
}

/* Until the next row is of this phase; false if the run ends before. */
static bool go_to(enum phase phase, enum op op)
{
	for (int i = 0; i < 20000 && !drive.done; i++) {
		if (slot->phase == phase && slot->op == op)
			return true;
		go(1);
	}
	return false;
}

static int finish(void **state)
{
	(void)state;
	slot_close(slot);
	run_fini(&drive.run);
	free(slot);
	return 0;
}

static size_t rows_of(enum phase phase, enum op op)
{
	const struct series *s = &drive.run.series;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->phase[i] == phase && s->op[i] == (uint8_t)op;
	return n;
}

static size_t events_of(enum event_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < drive.run.series.n_events; i++)
		n += drive.run.series.events[i].kind == kind;
	return n;
}

static void two_loads_and_a_rest(void **state)
{
	(void)state;
	start("sim:xg5-p", 100, 600, 20);
	go(20000);
	assert_int_equal(rows_of(PHASE_LOAD, OP_READ), 100);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 100);
	/* 45 °C idle, 80 in the load: it takes a while, not all of the time. */
	assert_true(rows_of(PHASE_COOLDOWN, OP_NONE) > 80);
	assert_true(rows_of(PHASE_COOLDOWN, OP_NONE) < 500);
	assert_string_equal(run_end_reason(&drive.run), END_DONE);
	/* The drive throttles in both loads and the live detector says so in both. */
	assert_int_equal(events_of(EVENT_THROTTLE), 2);
}

static void a_pause_in_each_load(void **state)
{
	(void)state;
	start("sim:mte850", 60, 70, 20);
	for (int leg = 0; leg < 2; leg++) {
		assert_true(go_to(PHASE_LOAD, leg ? OP_WRITE : OP_READ));
		go(5);
		slot_pause(slot, true);
		assert_int_equal(slot->phase, PHASE_PAUSE);
		go(10);
		slot_pause(slot, false);
		assert_int_equal(slot->op, leg ? OP_WRITE : OP_READ);
		go(5);
	}
	go(20000);
	assert_int_equal(rows_of(PHASE_PAUSE, OP_NONE), 20);
	assert_int_equal(rows_of(PHASE_LOAD, OP_READ), 50);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 50);
	assert_int_equal(events_of(EVENT_PAUSED), 2);
}

static void a_pause_through_the_rest(void **state)
{
	(void)state;
	start("sim:mte850", 40, 20, 20);
	assert_true(go_to(PHASE_LOAD, OP_READ));
	assert_true(go_to(PHASE_COOLDOWN, OP_NONE));
	slot_pause(slot, true);
	go(30);
	/* The second load is due, and waits. */
	assert_int_equal(slot->phase, PHASE_PAUSE);
	slot_pause(slot, false);
	assert_int_equal(slot->phase, PHASE_LOAD);
	assert_int_equal(slot->op, OP_WRITE);
	go(20000);
	assert_true(rows_of(PHASE_LOAD, OP_WRITE) >= 25);
}

/* A restart that stands still would look like one that was cut by heat. */
static void a_pause_ends_a_cause_test(void **state)
{
	(void)state;
	start("sim:mte850", 300, 16, 20);
	assert_true(go_to(PHASE_RESTART, OP_WRITE));
	go(3);
	slot_pause(slot, true);
	assert_int_equal(slot->phase, PHASE_COOLDOWN);
	go(3);
	slot_pause(slot, false);
	assert_false(go_to(PHASE_RESTART, OP_WRITE));
	assert_true(drive.done);
	assert_true(rows_of(PHASE_RESTART, OP_WRITE) == 3);
}

static void lost_in_the_second_load(void **state)
{
	(void)state;
	start("sim:xg5-p", 60, 30, 20);
	assert_true(go_to(PHASE_LOAD, OP_WRITE));
	go(10);
	slot->removed = true;
	go(20);
	assert_true(drive.done && drive.lost);
	assert_int_equal(events_of(EVENT_LOST), 1);
	assert_string_equal(run_end_reason(&drive.run), END_LOST);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 11);
}

static void lost_in_the_rest(void **state)
{
	(void)state;
	start("sim:xg5-p", 60, 100, 20);
	assert_true(go_to(PHASE_LOAD, OP_READ));
	assert_true(go_to(PHASE_COOLDOWN, OP_NONE));
	go(5);
	slot->removed = true;
	go(200);
	assert_true(drive.done && drive.lost);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 0);
}

static void a_load_that_fails_is_the_last(void **state)
{
	(void)state;
	start("sim:xg5-p", 60, 100, 20);
	assert_true(go_to(PHASE_LOAD, OP_READ));
	go(10);
	slot->load_error = ENOSPC;
	go(500);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 0);
	assert_int_equal(events_of(EVENT_SPACE), 1);
	assert_string_equal(run_end_reason(&drive.run), END_FAILED);
	assert_true(rows_of(PHASE_COOLDOWN, OP_NONE) >= 19);
}

static void no_second_load_while_it_is_hot(void **state)
{
	(void)state;
	start("sim:bg3", 15, 1, 20);
	/* Warm air from outside: by the time of the second load it is above the limit. */
	assert_true(go_to(PHASE_LOAD, OP_READ));
	go(14);
	slot->stop_c = 76;
	slot->hot_before_c = 77;
	slot->over_c = (double)NAN;
	slot->op = OP_NONE; /* nothing stops the load that is ending */
	go(40);
	assert_int_equal(rows_of(PHASE_LOAD, OP_WRITE), 0);
	assert_true(events_of(EVENT_STOP_TEMP) >= 1);
	assert_string_equal(run_end_reason(&drive.run), END_STOP_TEMP);
}

/* Requests complete only when the engine is drained. */
struct engine {
	struct engine_config config;
};

static int lazy_open(struct engine **out, const struct engine_config *c, char *why, size_t size)
{
	(void)why, (void)size;
	*out = xzalloc(sizeof(**out));
	(*out)->config = *c;
	return 0;
}

static int lazy_step(struct engine *e, int64_t until_ns)
{
	(void)e, (void)until_ns;
	clock_sleep_until(clock_now_ns() + NS_PER_MS);
	return 0;
}

static int lazy_set_op(struct engine *e, enum op op)
{
	(void)e, (void)op;
	return 0;
}

static int lazy_drain(struct engine *e, int64_t timeout_ns)
{
	(void)timeout_ns;
	load_counters_done_many(e->config.counters, 32, 32 * (uint64_t)e->config.block_bytes,
				NS_PER_MS);
	return 0;
}

static void lazy_close(struct engine *e)
{
	free(e);
}

static uint64_t lazy_position(const struct engine *e)
{
	(void)e;
	return 0;
}

static const struct engine_ops lazy = {.name = "lazy",
				       .open = lazy_open,
				       .step = lazy_step,
				       .set_op = lazy_set_op,
				       .drain = lazy_drain,
				       .close = lazy_close,
				       .position = lazy_position};

/* The bytes of a row in which nothing completed before its end. */
static double bytes_of_row(double time_s, const char *stop)
{
	char why[100];
	double bytes;

	memset(&drive, 0, sizeof(drive));
	run_clear(&drive.run);
	drive.throttle_s = (double)NAN;
	config.interval_s = 1;
	slot = xzalloc(sizeof(*slot));
	slot->config = &config;
	slot->sd = &drive;
	slot->target.kind = TARGET_FILE;
	slot->fd = -1;
	slot->ops = &lazy;
	slot->legs = (struct op_list){.op = {OP_READ}, .n = 1};
	slot->online = online_new();
	slot->stop_c = slot->finish_s = (double)NAN;
	slot->plan = (struct plan){.time_s = time_s, .cooldown_s = time_s > 1 ? 5 : 0, .legs = 1};
	slot->engine_config = (struct engine_config){
	    .op = OP_READ, .block_bytes = 4096, .queue_depth = 32, .start_paused = true};
	plan_start(&slot->plan);
	assert_int_equal(load_start(&slot->load, &lazy, &slot->engine_config, why, sizeof(why)), 0);
	slot_start(slot, clock_now_ns());
	clock_sleep_until(clock_now_ns() + 100 * NS_PER_MS);
	load_take(slot->load, &slot->before); /* it was drained at the start, while paused */
	slot_tick(slot, 1, 1, stop);
	assert_int_equal(drive.done, time_s <= 1 || stop != NULL);
	bytes = series_get(&drive.run.series, FIELD_BYTES, 0);
	finish(NULL);
	return bytes;
}

static void the_last_row_counts_what_was_in_flight(void **state)
{
	(void)state;
	assert_true(bytes_of_row(1, NULL) == 32 * 4096);
	assert_true(bytes_of_row(9, END_SIGNAL) == 32 * 4096);
	/* Another row follows and will count them. */
	assert_true(bytes_of_row(9, NULL) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(two_loads_and_a_rest, finish),
	    cmocka_unit_test_teardown(a_pause_in_each_load, finish),
	    cmocka_unit_test_teardown(a_pause_through_the_rest, finish),
	    cmocka_unit_test_teardown(a_pause_ends_a_cause_test, finish),
	    cmocka_unit_test_teardown(lost_in_the_second_load, finish),
	    cmocka_unit_test_teardown(lost_in_the_rest, finish),
	    cmocka_unit_test_teardown(a_load_that_fails_is_the_last, finish),
	    cmocka_unit_test_teardown(no_second_load_while_it_is_hot, finish),
	    cmocka_unit_test(the_last_row_counts_what_was_in_flight),
	};

	diag_set_quiet(true);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
