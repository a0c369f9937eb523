/* What keys do to the live view, and what they ask of the conductor. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view_show.h"

static void quit_asks_while_a_load_runs(void **state)
{
	struct show s = show_start(1, 100);

	(void)state;
	assert_int_equal(press(&s, 'q'), REQUEST_NONE);
	assert_int_equal(press(&s, 'n'), REQUEST_NONE);
	assert_int_equal(press(&s, 'y'), REQUEST_NONE);
	assert_int_equal(press(&s, 'q'), REQUEST_NONE);
	assert_int_equal(press(&s, 'y'), REQUEST_QUIT);
	s.f->session.drive[0].done = true;
	assert_int_equal(press(&s, 'q'), REQUEST_QUIT);
	show_end(&s);
}

static void marks_take_typed_text(void **state)
{
	struct show s = show_start(1, 100);
	struct request r;

	(void)state;
	press(&s, 'm');
	type(&s, "fan q on!");
	press(&s, VIEW_KEY_BACKSPACE);
	press(&s, 0xe9); /* é, two bytes */
	press(&s, VIEW_KEY_BACKSPACE);
	press(&s, 0xb0);
	view_key(&s.v, &s.f->session, VIEW_KEY_ENTER, &r);
	assert_int_equal(r.kind, REQUEST_MARK);
	assert_string_equal(r.text, "fan q on°");
	press(&s, 'm');
	type(&s, "forget");
	assert_int_equal(press(&s, VIEW_KEY_ESC), REQUEST_NONE);
	assert_int_equal(s.v.prompt, PROMPT_NONE);
	press(&s, 'm');
	for (int i = 0; i < 300; i++)
		press(&s, i % 2 ? 0x71b1 : 'x');
	view_key(&s.v, &s.f->session, '\r', &r);
	assert_true(strlen(r.text) > 80 && strlen(r.text) < sizeof(s.v.text));
	show_end(&s);
}

static void other_requests(void **state)
{
	struct show s = show_start(1, 100);

	(void)state;
	assert_int_equal(press(&s, ' '), REQUEST_PAUSE);
	assert_int_equal(press(&s, 's'), REQUEST_PICTURE);
	assert_int_equal(press(&s, 'z' & 0x1f), REQUEST_SUSPEND);
	/* No other letter asks for anything. */
	for (uint32_t key = 'a'; key <= 'z'; key++)
		if (key != 'q' && key != 's' && key != 'm')
			assert_int_equal(press(&s, key), REQUEST_NONE);
	show_end(&s);
}

static void a_watch_has_nothing_to_pause(void **state)
{
	struct show s = show_start(1, 100);
	char *text;

	(void)state;
	s.f->session.drive[0].run.load.op = OP_NONE;
	assert_int_equal(press(&s, ' '), REQUEST_NONE);
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "no load of ours to pause"));
	free(text);
	press(&s, VIEW_KEY_ESC);
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_null(strstr(text, "pause"));
	free(text);
	s.f->session.replay = true;
	assert_int_equal(press(&s, ' '), REQUEST_PAUSE);
	/* A replay changes nothing. */
	assert_int_equal(press(&s, 's'), REQUEST_NONE);
	assert_int_equal(press(&s, 'm'), REQUEST_NONE);
	assert_int_equal(s.v.prompt, PROMPT_NONE);
	press(&s, VIEW_KEY_ESC);
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_null(strstr(text, "m mark"));
	assert_non_null(strstr(text, "Space pause"));
	free(text);
	show_end(&s);
}

static void time_zooms_scrolls_and_comes_back(void **state)
{
	struct show s = show_start(1, 400);

	(void)state;
	press(&s, '+');
	assert_true(s.v.window_s == 300 && isnan(s.v.end_s));
	press(&s, VIEW_KEY_UP);
	assert_true(s.v.window_s == 120);
	press(&s, VIEW_KEY_LEFT);
	assert_true(s.v.end_s == 370);
	press(&s, VIEW_KEY_HOME);
	assert_true(s.v.end_s >= 120 && s.v.end_s < 123);
	press(&s, VIEW_KEY_END);
	assert_true(isnan(s.v.end_s));
	for (int i = 0; i < 20; i++)
		press(&s, '+');
	assert_true(s.v.window_s == 30);
	for (int i = 0; i < 20; i++)
		press(&s, '-');
	assert_true(s.v.window_s == 0);
	show_end(&s);
}

static void units_and_peaks(void **state)
{
	struct show s = show_start(1, 330);
	char *text;

	(void)state;
	type(&s, "ut");
	press(&s, VIEW_KEY_NONE);
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "MiB/s"));
	assert_non_null(strstr(text, " °F"));
	assert_null(strstr(text, " 80 °C  max"));
	free(text);
	assert_true(s.v.stats[0].peak[FIELD_MB_S] > 1900);
	press(&s, 'r');
	assert_true(isnan(s.v.stats[0].peak[FIELD_MB_S]));
	/* What counts from the start of the run stays. */
	assert_true(s.v.stats[0].throttle_c == 80);
	assert_true(s.v.stats[0].first[FIELD_TMT1_COUNT] == 12);
	show_end(&s);
}

static void tab_walks_through_the_drives(void **state)
{
	struct show s = show_start(2, 200);

	(void)state;
	assert_int_equal(s.v.focus, -1);
	press(&s, '\t');
	press(&s, '\t');
	assert_int_equal(s.v.focus, 1);
	press(&s, '\t');
	assert_int_equal(s.v.focus, -1);
	press(&s, VIEW_KEY_BACKTAB);
	assert_int_equal(s.v.focus, 1);
	show_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quit_asks_while_a_load_runs),
	    cmocka_unit_test(marks_take_typed_text),
	    cmocka_unit_test(other_requests),
	    cmocka_unit_test(a_watch_has_nothing_to_pause),
	    cmocka_unit_test(time_zooms_scrolls_and_comes_back),
	    cmocka_unit_test(units_and_peaks),
	    cmocka_unit_test(tab_walks_through_the_drives),
	};

	return cmocka_run_group_tests_name("view keys", tests, NULL, NULL);
}
