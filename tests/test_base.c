/* Base layer: text, clock texts, queue, JSON. */
#include "cmocka_all.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/clock.h"
#include "throttlog/json.h"
#include "throttlog/queue.h"
#include "throttlog/text.h"

static void cleans_text(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"  KXG5AZNV1T02 TOSHIBA   ", "KXG5AZNV1T02 TOSHIBA"},
	    {"a\x1b[31mb", "a?[31mb"},
	    {"tab\tnew\nline", "tab?new?line"},
	    {"\xc2\x9bx", "?x"}, /* C1: CSI, whole */
	    {"\xc2\x80\xc2\x85\xc2\x9f.", "???."},
	    {"\xc2\xa0.", "\xc2\xa0."}, /* the first code behind C1 */
	    {"\xc2", "?"},
	    {"\x9b[31m", "?[31m"}, /* C1 as one byte */
	    {"\xe2\x80\xae"
	     "evil",
	     "?evil"},
	    {"\xff\xfe", "??"},
	    {"\xc3\xa9\xe2\x84\xa2\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x84\xa2\xf0\x9f\x98\x80"},
	    {"\xed\xa0\x80", "???"}, /* surrogate */
	    {"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char buf[64];

		strcpy(buf, cases[i].in);
		text_clean(buf);
		assert_string_equal(buf, cases[i].out);
	}
}

static void reads_numbers(void **state)
{
	double d;
	uint64_t u;

	(void)state;
	assert_true(text_to_double("-3.5", &d) && d == -3.5);
	assert_true(text_to_double("1e3", &d) && d == 1000);
	assert_false(text_to_double("", &d));
	assert_false(text_to_double("1,5", &d));
	assert_false(text_to_double("nan", &d));
	assert_false(text_to_double("0x10", &d));
	assert_false(text_to_double("1e999", &d));
	assert_true(text_to_size("128k", &u) && u == 131072);
	assert_true(text_to_size("4MiB", &u) && u == 4194304);
	assert_true(text_to_size("32G", &u) && u == UINT64_C(32) << 30);
	assert_true(text_to_size("512", &u) && u == 512);
	assert_false(text_to_size("12x", &u));
	assert_false(text_to_size("k", &u));
	assert_false(text_to_size("-4k", &u));
	assert_false(text_to_size("99999999P", &u));
	assert_true(text_to_duration("90", &d) && d == 90);
	assert_true(text_to_duration("1h30m", &d) && d == 5400);
	assert_true(text_to_duration("0.5s", &d) && d == 0.5);
	assert_false(text_to_duration("30m1h", &d));
	assert_false(text_to_duration("5x", &d));
	assert_false(text_to_duration("-5", &d));
}

/* Bit for bit what strtod() reads, however many digits there are on either side of the point. */
static void reads_decimals_exactly(void **state)
{
	uint64_t seed = 88172645463325252U;
	char digits[24], text[32];

	(void)state;
	for (int i = 0; i < 200000; i++) {
		double got, expected;
		int n = 1 + i % 20, point;

		for (int k = 0; k < n; k++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			digits[k] = (char)('0' + seed % 10);
		}
		point = (int)(seed >> 40) % (n + 1);
		snprintf(text, sizeof(text), "%s%.*s%s%.*s", i % 3 ? "" : "-", point, digits,
			 i % 7 || point == 0 ? "." : "", n - point, digits + point);
		expected = strtod(text, NULL);
		assert_true(text_to_double(text, &got));
		if (memcmp(&got, &expected, sizeof(got)) != 0)
			fail_msg("%s is %.17g, not %.17g", text, expected, got);
	}
	assert_false(text_to_double(".", &(double){0}));
	assert_false(text_to_double("-", &(double){0}));
	assert_false(text_to_double("1.2.3", &(double){0}));
}

static void suggests_names(void **state)
{
	const char *const names[] = {"xg5", "xg5-p", "bg3", "mte850"};

	(void)state;
	assert_string_equal(text_nearest("xg5p", names, 4), "xg5-p");
	assert_string_equal(text_nearest("MTE85", names, 4), "mte850");
	assert_null(text_nearest("qqqqqqqqq", names, 4));
}

static void writes_durations_and_sizes(void **state)
{
	char buf[64];

	(void)state;
	text_duration(buf, sizeof(buf), 152);
	assert_string_equal(buf, "2 min 32 s");
	text_duration(buf, sizeof(buf), 20);
	assert_string_equal(buf, "20 s");
	text_duration(buf, sizeof(buf), 3900);
	assert_string_equal(buf, "1 h 05 min");
	text_size(buf, sizeof(buf), 131072);
	assert_string_equal(buf, "128 KiB");
	text_size(buf, sizeof(buf), UINT64_C(32) << 30);
	assert_string_equal(buf, "32 GiB");
}

static void utc_round_trips(void **state)
{
	char buf[32];
	int64_t t;

	(void)state;
	clock_format_utc(INT64_C(1796076423250) * NS_PER_MS, 3, buf, sizeof(buf));
	assert_int_equal(clock_parse_utc(buf, &t), 0);
	assert_true(t == INT64_C(1796076423250) * NS_PER_MS);
	assert_int_equal(clock_parse_utc("1970-01-01T00:00:01Z", &t), 0);
	assert_true(t == NS_PER_S);
	assert_int_not_equal(clock_parse_utc("2026-13-01T00:00:01Z", &t), 0);
	assert_int_not_equal(clock_parse_utc("yesterday", &t), 0);
}

static void *push_many(void *arg)
{
	for (int i = 0; i < 20000; i++)
		while (!queue_push(arg, &i))
			sched_yield();
	queue_close(arg);
	return NULL;
}

static void queue_keeps_order(void **state)
{
	struct queue *q = queue_new(sizeof(int), 16);
	pthread_t thread;
	int got, expected = 0;

	(void)state;
	pthread_create(&thread, NULL, push_many, q);
	while (queue_wait(q, &got, -1))
		assert_int_equal(got, expected++);
	assert_int_equal(expected, 20000);
	pthread_join(thread, NULL);
	queue_free(q);
}

static void queue_refuses_when_full(void **state)
{
	struct queue *q = queue_new(sizeof(int), 2);
	int x = 1;

	(void)state;
	assert_true(queue_push(q, &x));
	assert_true(queue_push(q, &x));
	assert_false(queue_push(q, &x));
	assert_int_equal(queue_dropped(q), 1);
	assert_true(queue_pop(q, &x));
	assert_true(queue_pop(q, &x));
	assert_false(queue_pop(q, &x));
	assert_false(queue_wait(q, &x, NS_PER_MS));
	queue_free(q);
}

static void writes_json(void **state)
{
	struct json *root = json_new_object();
	struct json *list;
	char *text;

	(void)state;
	json_add_number(root, "a", 12.500, 3);
	json_add_number(root, "b", NAN, 1);
	json_add_number(root, "z", -0.001, 1);
	json_add_string(root, "s", "q\"\n\xc3\xa9");
	list = json_add_array(root, "l");
	json_add_bool(list, NULL, true);
	json_add_number(json_add_object(list, NULL), "n", 100, 2);
	text = json_text(root, false);
	assert_string_equal(text, "{\"a\":12.5,\"b\":null,\"z\":0,\"s\":\"q\\\"\\n\xc3\xa9\","
				  "\"l\":[true,{\"n\":100}]}");
	free(text);
	json_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(cleans_text),
	    cmocka_unit_test(reads_numbers),
	    cmocka_unit_test(reads_decimals_exactly),
	    cmocka_unit_test(suggests_names),
	    cmocka_unit_test(writes_durations_and_sizes),
	    cmocka_unit_test(utc_round_trips),
	    cmocka_unit_test(queue_keeps_order),
	    cmocka_unit_test(queue_refuses_when_full),
	    cmocka_unit_test(writes_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
