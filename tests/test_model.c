/* Model layer: the tables are complete, values go in and come out the same. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/run.h"

static void fields_are_complete(void **state)
{
	(void)state;
	for (int f = 0; f < FIELD_COUNT; f++) {
		assert_non_null(fields[f].name);
		assert_non_null(fields[f].label);
		assert_non_null(fields[f].unit);
		assert_non_null(fields[f].help);
		assert_int_equal(field_by_name(fields[f].name), f);
	}
	assert_int_equal(field_by_name("nonsense"), -1);
	assert_string_equal(fields[FIELD_SENSOR1 + 2].name, "sensor3_c");
}

static void a_cleared_sample_is_empty(void **state)
{
	struct sample s, other;

	(void)state;
	sample_clear(&s);
	for (enum field f = 0; f < FIELD_COUNT; f++)
		assert_true(isnan(sample_get(&s, f)));
	for (enum field f = 0; f < FIELD_COUNT; f++)
		sample_set(&s, f, 100 + f);
	assert_true(s.temp_c == 100 + FIELD_TEMP);
	assert_true(s.sensor_c[7] == 100 + FIELD_SENSOR8);
	assert_true(s.foreign_bytes == 100 + FIELD_FOREIGN_BYTES);
	sample_clear(&other);
	other.temp_c = -5;
	sample_merge(&s, &other);
	assert_true(s.temp_c == -5 && s.mb_s == 100 + FIELD_MB_S);
}

static void series_keeps_rows_and_events(void **state)
{
	struct series s = {0};
	struct sample row;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		sample_clear(&row);
		row.time_s = i;
		row.phase = i < 10 ? PHASE_BASELINE : PHASE_LOAD;
		if (i >= 100)
			row.temp_c = i;
		series_append(&s, &row);
		if (i % 1000 == 0)
			series_event(&s, EVENT_MARK, NAN, "here");
	}
	assert_null(s.col[FIELD_LAT_AVG]);
	assert_true(isnan(series_get(&s, FIELD_TEMP, 99)));
	assert_true(series_get(&s, FIELD_TEMP, 100) == 100);
	series_drop(&s, 1500);
	assert_int_equal(s.n, 1500);
	assert_true(series_time(&s, 0) == 1500);
	assert_int_equal(s.n_events, 1);
	assert_int_equal(s.events[0].row, 500);
	series_row(&s, 3, &row);
	assert_true(row.temp_c == 1503 && row.phase == PHASE_LOAD && isnan(row.mb_s));
	series_fini(&s);
}

static void events_round_trip(void **state)
{
	static const char *const words[] = {
	    "tmt1+2",        "warn_on",  "mark=fan on", "poll_late=3.2s", "link=8.0x2", "reset",
	    "stop_temp=82C", "throttle", "end=done",    "io_error=17",    "future=7;"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct event e = {0};
		char buf[64], expected[64];

		event_parse(words[i], &e);
		event_format(&e, buf, sizeof(buf));
		strcpy(expected, words[i]);
		if (strchr(expected, ';'))
			*strchr(expected, ';') = ' ';
		assert_string_equal(buf, expected);
		assert_true((e.kind == EVENT_OTHER) == (i == 10));
		free(e.text);
	}
}

static void preamble_round_trips(void **state)
{
	struct run a, b;

	(void)state;
	run_clear(&a);
	run_clear(&b);
	a.schema = LOG_SCHEMA;
	a.drive.capacity_bytes = UINT64_C(2048408248320);
	strcpy(a.drive.model, "KXG5APNV2T04");
	a.drive.limits.wctemp_c = 78;
	a.load.op = OP_WRITE;
	a.load.legs = (struct op_list){.op = {OP_WRITE, OP_READ}, .n = 2};
	a.load.block_bytes = 131072;
	a.load.queue_depth = 32;
	a.ambient_c = -12.5;
	for (size_t i = 0; i < run_keys_count; i++) {
		char buf[300];

		run_key_format(&a, &run_keys[i], buf, sizeof(buf));
		assert_true(run_key_parse(&b, &run_keys[i], buf));
	}
	assert_memory_equal(&a.load, &b.load, sizeof(a.load));
	assert_string_equal(a.drive.model, b.drive.model);
	assert_true(b.ambient_c == -12.5 && isnan(b.drive.limits.cctemp_c));
	assert_true(b.drive.capacity_bytes == a.drive.capacity_bytes);
	assert_string_equal(run_end_reason(&b), "unknown");
}

static void lists_of_loads(void **state)
{
	struct op_list list = {0};
	char buf[64];

	(void)state;
	assert_true(op_list_parse("read,write,read", &list));
	assert_int_equal(list.n, 3);
	op_list_format(&list, '-', buf, sizeof(buf));
	assert_string_equal(buf, "read-write-read");
	op_list_format(&list, ',', buf, 9);
	assert_string_equal(buf, "read,wri");
	assert_true(op_list_has(&list, OP_WRITE));
	assert_true(op_list_parse("read", &list));
	assert_false(op_list_has(&list, OP_WRITE));
	assert_false(op_list_parse("", &list));
	assert_false(op_list_parse("read,", &list));
	assert_false(op_list_parse(",read", &list));
	assert_false(op_list_parse("read write", &list));
	assert_false(op_list_parse("read,read,read,read,read", &list));
	assert_int_equal(list.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fields_are_complete),
	    cmocka_unit_test(a_cleared_sample_is_empty),
	    cmocka_unit_test(series_keeps_rows_and_events),
	    cmocka_unit_test(events_round_trip),
	    cmocka_unit_test(preamble_round_trips),
	    cmocka_unit_test(lists_of_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
