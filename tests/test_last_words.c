/*
 * The end of a run: what the drive recorded goes into the last row, and a drive that does not
 * answer holds up neither the rows nor, for long, the end.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "conductor/slot.h"
#include "throttlog/clock.h"

static struct {
	atomic_bool hang; /* finish() does not come back */
	atomic_int begun, finished;
	size_t entries;
} fake;

static int fake_read(struct sensor *s, struct sample *out)
{
	(void)s;
	out->temp_c = 40;
	return 0;
}

static void fake_begin(struct sensor *s)
{
	(void)s;
	atomic_fetch_add(&fake.begun, 1);
}

static void fake_finish(struct sensor *s, struct journal *out)
{
	(void)s;
	while (atomic_load(&fake.hang))
		clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
	out->read_ns = clock_now_ns();
	for (size_t i = 0; i < fake.entries; i++)
		out->item[out->n++] = (struct journal_entry){.code = JOURNAL_TMT1,
							     .time_s = i ? 0.25 : (double)NAN};
	out->more = fake.entries ? 3 : 0;
	atomic_fetch_add(&fake.finished, 1);
}

static void fake_close(struct sensor *s)
{
	(void)s;
}

static const struct sensor_ops records = {.name = "records",
					  .asks_drive = true,
					  .read = fake_read,
					  .close = fake_close,
					  .begin = fake_begin,
					  .finish = fake_finish};
static const struct sensor_ops plain = {
    .name = "plain", .asks_drive = true, .read = fake_read, .close = fake_close};

static struct config config;
static struct session_drive drive;
static struct slot *slot;
static struct sensor sensor;
static int64_t start_ns;

static void begin(const struct sensor_ops *ops)
{
	config = (struct config){.interval_s = 1, .stop_temp_c = INFINITY};
	memset(&drive, 0, sizeof(drive));
	run_clear(&drive.run);
	drive.throttle_s = (double)NAN;
	slot = calloc(1, sizeof(*slot));
	slot->config = &config;
	slot->sd = &drive;
	slot->fd = -1;
	slot->online = online_new();
	slot->hot_before_c = slot->over_c = slot->stop_c = slot->finish_s = (double)NAN;
	slot->asked_s = slot->aen_s = slot->reset_s = -INFINITY;
	for (int f = 0; f < FIELD_COUNT; f++)
		slot->latest[f] = (double)NAN;
	slot->plan.time_s = INFINITY;
	plan_start(&slot->plan);
	slot->phase = slot->plan.phase;
	sensor = (struct sensor){.ops = ops};
	slot->sensors[0] = &sensor;
	slot->n_sensors = 1;
	start_ns = clock_now_ns();
	slot_start(slot, start_ns);
}

static void end(void)
{
	assert_int_equal(slot_close(slot), 0);
	run_fini(&drive.run);
	free(slot);
}

/* The events of the last row as words. */
static const char *said(void)
{
	static char words[1024];
	const struct series *s = &drive.run.series;

	words[0] = '\0';
	for (size_t i = 0; i < s->n_events; i++) {
		char word[128];

		if (s->events[i].row != s->n - 1 || s->events[i].kind == EVENT_STATE ||
		    s->events[i].kind == EVENT_POLL_LATE)
			continue;
		event_format(&s->events[i], word, sizeof(word));
		strcat(words, word);
		strcat(words, ";");
	}
	return words;
}

static void goes_into_the_last_row(void **state)
{
	struct journal_entry e;
	const char *second;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.entries = 2;
	begin(&records);
	slot_tick(slot, 1, 1, NULL);
	assert_string_equal(said(), "");
	slot_tick(slot, 2, 2, END_QUIT);
	assert_true(drive.done);
	assert_int_equal(atomic_load(&fake.begun), 1);
	assert_int_equal(atomic_load(&fake.finished), 1);
	assert_int_equal(strncmp(said(), "pel=tmt1;pel=tmt1@", 18), 0);
	assert_non_null(strstr(said(), ";pel_more=3;end=quit;"));
	/* Its time is that of the log: the reading's, less its age. */
	second = drive.run.series.events[drive.run.series.n_events - 3].text;
	assert_true(journal_parse(second, &e));
	assert_true(fabs(e.time_s - ((double)(clock_now_ns() - start_ns) / 1e9 - 0.25)) < 2);
	end();
}

static void rows_go_on_meanwhile(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.entries = 1;
	atomic_store(&fake.hang, true);
	begin(&records);
	slot_tick(slot, 1, 1, END_SIGNAL);
	assert_false(drive.done);
	assert_string_equal(said(), "");
	slot_tick(slot, 2, 2, END_SIGNAL);
	assert_false(drive.done);
	assert_int_equal(drive.run.series.n, 2);
	atomic_store(&fake.hang, false);
	for (int t = 3; t < 20 && !drive.done; t++)
		slot_tick(slot, t, t, END_SIGNAL);
	assert_string_equal(said(), "pel=tmt1;pel_more=3;end=signal;");
	end();
}

static void a_drive_that_hangs_is_left(void **state)
{
	int t;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.entries = 1;
	atomic_store(&fake.hang, true);
	begin(&records);
	for (t = 1; t < 20 && !drive.done; t++)
		slot_tick(slot, t, t, END_SIGNAL);
	/* Five seconds of the log after the first of them. */
	assert_in_range(t, 6, 8);
	assert_string_equal(said(), "end=signal;");
	atomic_store(&fake.hang, false);
	end();
}

static void nothing_to_wait_for(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	begin(&plain);
	slot_tick(slot, 1, 1, END_QUIT);
	assert_true(drive.done);
	assert_string_equal(said(), "end=quit;");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(goes_into_the_last_row),
	    cmocka_unit_test(rows_go_on_meanwhile),
	    cmocka_unit_test(a_drive_that_hangs_is_left),
	    cmocka_unit_test(nothing_to_wait_for),
	};

	return cmocka_run_group_tests_name("last_words", tests, NULL, NULL);
}
