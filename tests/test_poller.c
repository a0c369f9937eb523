/* The poller and the phases: a drive that does not answer holds up nobody but its own thread. */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>

#include "conductor/plan.h"
#include "conductor/poller.h"
#include "throttlog/clock.h"
#include "throttlog/event.h"

static struct {
	atomic_int reads, slow_ms, error;
} fake;

static int fake_read(struct sensor *s, struct sample *out)
{
	int ms = atomic_load(&fake.slow_ms);

	(void)s;
	if (ms)
		clock_sleep_until(clock_now_ns() + ms * NS_PER_MS);
	out->temp_c = 40 + atomic_fetch_add(&fake.reads, 1);
	return atomic_load(&fake.error);
}

static const struct sensor_ops fake_ops = {.name = "fake", .asks_drive = true, .read = fake_read};
static struct sensor fake_sensor = {.ops = &fake_ops};

static struct poller *start(int slow_ms)
{
	struct sensor *list[] = {&fake_sensor};

	atomic_store(&fake.reads, 0);
	atomic_store(&fake.error, 0);
	atomic_store(&fake.slow_ms, slow_ms);
	return poller_start(list, 1, clock_now_ns(), 0.05, 0.01);
}

static void answers_are_taken_once(void **state)
{
	struct poller *p = start(0);
	struct poller_answer a;
	int fresh = 0;

	(void)state;
	for (int i = 0; i < 40 && fresh < 3; i++) {
		clock_sleep_until(clock_now_ns() + 50 * NS_PER_MS);
		poller_take(p, &a);
		if (a.fresh) {
			fresh++;
			assert_true(a.values.temp_c >= 40);
			assert_true(a.values.poll_ms >= 0);
		}
	}
	assert_int_equal(fresh, 3);
	poller_take(p, &a);
	poller_take(p, &a);
	assert_int_equal(poller_stop(p, NS_PER_S), 0);
}

static void a_slow_drive_delays_no_taker(void **state)
{
	struct poller *p = start(1500);
	struct poller_answer a;
	int64_t before = clock_now_ns();

	(void)state;
	clock_sleep_until(before + 300 * NS_PER_MS);
	for (int i = 0; i < 1000; i++)
		poller_take(p, &a);
	assert_false(a.fresh);
	assert_true(a.age_s >= 0.3);
	/* A thousand takes and the wait cost less than one answer of the drive. */
	assert_true(clock_now_ns() - before < 1500 * NS_PER_MS);
	assert_int_equal(poller_stop(p, 10 * NS_PER_S), 0);
}

/* A poller whose drive hangs is left behind on purpose. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:poller_start";
}

static void a_hanging_drive_is_left_behind(void **state)
{
	struct poller *p = start(3000);

	(void)state;
	clock_sleep_until(clock_now_ns() + 50 * NS_PER_MS);
	assert_int_equal(poller_stop(p, 20 * NS_PER_MS), -EBUSY);
	/* Its thread ends by itself as soon as the drive answers. */
	clock_sleep_until(clock_now_ns() + 3500 * NS_PER_MS);
}

static void an_idle_drive_is_left_alone(void **state)
{
	struct poller *p = start(0);
	int reads;

	(void)state;
	poller_set_slow(p, true);
	clock_sleep_until(clock_now_ns() + 600 * NS_PER_MS);
	reads = atomic_load(&fake.reads);
	assert_in_range(reads, 1, 2);
	poller_set_slow(p, false);
	clock_sleep_until(clock_now_ns() + 600 * NS_PER_MS);
	assert_true(atomic_load(&fake.reads) > reads + 2);
	assert_int_equal(poller_stop(p, NS_PER_S), 0);
}

static void phases_follow_each_other(void **state)
{
	struct plan p = {.baseline_s = 2, .time_s = 3, .cooldown_s = 1};

	(void)state;
	plan_start(&p);
	assert_int_equal(p.phase, PHASE_BASELINE);
	plan_advance(&p, 1.999);
	assert_int_equal(p.phase, PHASE_BASELINE);
	plan_advance(&p, 2);
	assert_int_equal(p.phase, PHASE_LOAD);
	assert_true(plan_left_s(&p, 4) == 1);
	plan_advance(&p, 5.2);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	plan_advance(&p, 6);
	assert_true(p.done);
	assert_string_equal(p.reason, END_DONE);
}

static void a_stopped_load_cools_down(void **state)
{
	struct plan p = {.baseline_s = 0, .time_s = 100, .cooldown_s = 10};

	(void)state;
	plan_start(&p);
	assert_int_equal(p.phase, PHASE_LOAD);
	plan_stop_load(&p, 7, END_STOP_TEMP);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	plan_advance(&p, 16);
	assert_false(p.done);
	plan_advance(&p, 17);
	assert_true(p.done);
	assert_string_equal(p.reason, END_STOP_TEMP);
	plan_end(&p, END_SIGNAL);
	assert_string_equal(p.reason, END_STOP_TEMP);
}

static void a_held_plan_waits_and_can_be_stopped(void **state)
{
	struct plan p = {.baseline_s = 0, .time_s = 10, .cooldown_s = 5};

	(void)state;
	plan_start(&p);
	plan_advance(&p, 10);
	assert_int_equal(p.phase, PHASE_COOLDOWN);
	plan_hold(&p);
	plan_advance(&p, 100);
	assert_false(p.done);
	plan_release(&p, 100);
	plan_advance(&p, 104);
	assert_false(p.done);
	plan_hold(&p);
	/* The load of a cause test failed, or met the stop temperature: cooling begins at once. */
	plan_stop_load(&p, 200, END_FAILED);
	assert_false(p.held);
	assert_string_equal(p.reason, END_FAILED);
	plan_advance(&p, 204);
	assert_false(p.done);
	plan_advance(&p, 205);
	assert_true(p.done);
}

static void a_watch_has_no_end(void **state)
{
	struct plan p = {.baseline_s = 0, .time_s = INFINITY, .cooldown_s = 0};

	(void)state;
	plan_start(&p);
	plan_advance(&p, 1e9);
	assert_false(p.done);
	assert_true(isnan(plan_left_s(&p, 5)) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(answers_are_taken_once),
	    cmocka_unit_test(a_slow_drive_delays_no_taker),
	    cmocka_unit_test(an_idle_drive_is_left_alone),
	    cmocka_unit_test(phases_follow_each_other),
	    cmocka_unit_test(a_held_plan_waits_and_can_be_stopped),
	    cmocka_unit_test(a_watch_has_no_end),
	    cmocka_unit_test(a_stopped_load_cools_down),
	    cmocka_unit_test(a_hanging_drive_is_left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
