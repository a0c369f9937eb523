/*
 * The live view's screens against golden ones, cell by cell (`make golden-screens` writes them
 * anew; look at the difference before you keep it), and what must hold at any size.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/view.h"
#include "view_show.h"

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = xzalloc(200000);

	if (!f || fread(text, 1, 199999, f) == 0)
		text[0] = '\0';
	if (f)
		fclose(f);
	return text;
}

/* The first line in which the two differ, for the message. */
static void print_difference(const char *name, const char *want, const char *got)
{
	int line = 1;

	while (*want && *want == *got) {
		line += *want == '\n';
		want++;
		got++;
	}
	print_error("%s line %d:\n want %.120s\n got  %.120s\n", name, line, want, got);
}

static void compare(struct show *s, const char *name, int w, int h, enum charset charset)
{
	char path[160], *got = screen(s, w, h, charset), *want;

	snprintf(path, sizeof(path), "tests/golden/%s-%dx%d.screen", name, w, h);
	if (secure_getenv("GOLDEN_UPDATE")) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fputs(got, f);
		fclose(f);
	}
	want = read_file(path);
	if (strcmp(want, got) != 0) {
		print_difference(path, want, got);
		fail();
	}
	free(want);
	free(got);
}

static void golden_main(void **state)
{
	static const int sizes[][2] = {{40, 12}, {80, 24}, {120, 40}, {200, 60}};
	struct show s = show_start(1, 250);

	(void)state;
	for (size_t i = 0; i < 4; i++)
		compare(&s, "main", sizes[i][0], sizes[i][1], CHARSET_BRAILLE);
	compare(&s, "block", 80, 24, CHARSET_BLOCK);
	compare(&s, "ascii", 80, 24, CHARSET_ASCII);
	show_end(&s);
}

static void golden_panels(void **state)
{
	struct show s = show_start(1, 330);

	(void)state;
	press(&s, 'x');
	compare(&s, "curve", 80, 24, CHARSET_BRAILLE);
	compare(&s, "curve", 40, 12, CHARSET_BRAILLE);
	press(&s, 'x');
	compare(&s, "fields", 80, 24, CHARSET_BRAILLE);
	compare(&s, "fields", 40, 12, CHARSET_BRAILLE);
	press(&s, 'h');
	compare(&s, "help", 80, 24, CHARSET_BRAILLE);
	show_end(&s);
}

static void golden_drives(void **state)
{
	struct show s = show_start(2, 400);

	(void)state;
	compare(&s, "drives", 80, 24, CHARSET_BRAILLE);
	compare(&s, "drives", 120, 40, CHARSET_BRAILLE);
	compare(&s, "drives", 40, 12, CHARSET_ASCII);
	show_end(&s);
}

/* A list ends where its last line is shown, and one step back shows. */
static void lists_scroll_to_their_end(void **state)
{
	struct show s = show_start(1, 330);

	(void)state;
	for (int panel = 0; panel < 2; panel++) {
		char *end, *back;
		int at_end;

		press(&s, panel ? '3' : 'h');
		press(&s, VIEW_KEY_END);
		end = screen(&s, 40, 12, CHARSET_BRAILLE);
		assert_non_null(strstr(end, panel ? "KXG5APNV2T04-write.csv" : "the kernel"));
		at_end = s.v.scroll;
		assert_true(at_end > 0 && at_end < 200);
		press(&s, VIEW_KEY_DOWN);
		free(screen(&s, 40, 12, CHARSET_BRAILLE));
		press(&s, VIEW_KEY_UP);
		back = screen(&s, 40, 12, CHARSET_BRAILLE);
		assert_string_not_equal(end, back);
		assert_int_equal(s.v.scroll, at_end - 1);
		free(end);
		free(back);
		press(&s, VIEW_KEY_HOME);
		assert_int_equal(s.v.scroll, 0);
	}
	show_end(&s);
}

/* What one types stays in sight, and so does the time in a corner. */
static void small_screens_give_way(void **state)
{
	struct show s = show_start(1, 330);
	char *text;

	(void)state;
	press(&s, 'm');
	type(&s, "a fan of 120 mm at 900 turns a minute, from the left");
	text = screen(&s, 40, 12, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "from the left"));
	assert_non_null(strstr(text, "0:05:30"));
	free(text);
	press(&s, VIEW_KEY_ESC);
	press(&s, 'h');
	for (int w = 30; w <= 80; w += 10) {
		text = screen(&s, w, 60, CHARSET_BRAILLE);
		assert_non_null(strstr(text, "PageDown"));
		free(text);
	}
	show_end(&s);
}

/* Name, speed and temperature of each, on the smallest screen that has two lines a drive. */
static void drives_share_a_corner(void **state)
{
	struct show s = show_start(2, 330);

	(void)state;
	for (int h = 5; h <= 24; h++) {
		char *text = screen(&s, 40, h, CHARSET_BRAILLE);

		assert_non_null(strstr(text, "1 KXG5APNV2T04"));
		assert_non_null(strstr(text, "2 TS512GMTE850"));
		assert_non_null(strstr(text, "MB/s"));
		assert_non_null(strstr(strstr(text, "2 TS512GMTE850"), "MB/s"));
		assert_non_null(strstr(text, "°C"));
		assert_non_null(strstr(strstr(text, "2 TS512GMTE850"), "°C"));
		free(text);
	}
	show_end(&s);
}

/* A pause that the user did not ask for is said to be a test. */
static void pauses_have_two_words(void **state)
{
	struct show s = show_start(1, 100);
	struct session_drive *d = &s.f->session.drive[0];

	(void)state;
	d->phase = PHASE_PAUSE;
	assert_string_equal(view_state_word(d), "TESTING");
	series_event(&d->run.series, EVENT_PAUSED, NAN, NULL);
	assert_string_equal(view_state_word(d), "PAUSED");
	series_event(&d->run.series, EVENT_RESUMED, NAN, NULL);
	assert_string_equal(view_state_word(d), "TESTING");
	d->phase = PHASE_LOAD;
	assert_string_equal(view_state_word(d), "HEATING");
	show_end(&s);
}

static void golden_baseline(void **state)
{
	struct show s = show_start(1, 20);

	(void)state;
	compare(&s, "baseline", 80, 24, CHARSET_BRAILLE);
	show_end(&s);
}

/* The words that matter are on the screen, whatever its size. */
static void essentials_stay(void **state)
{
	static const int sizes[][2] = {{40, 12}, {60, 16}, {80, 24}, {132, 43}, {300, 90}};
	struct show s = show_start(1, 300);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		char *text = screen(&s, sizes[i][0], sizes[i][1], CHARSET_BRAILLE);

		assert_non_null(strstr(text, "THROTTLED"));
		assert_non_null(strstr(text, "MB/s"));
		assert_non_null(strstr(text, "80 °C"));
		assert_non_null(strstr(text, "TMT1"));
		assert_non_null(strstr(text, "quit"));
		free(text);
	}
	show_end(&s);
}

/* No size crashes, and larger screens have no wide blank: no ten empty rows below each other. */
static void every_size_draws(void **state)
{
	static const int sizes[] = {1, 2, 3, 5, 7, 11, 19, 30, 59, 60, 61, 99, 100, 150, 240};
	struct show one = show_start(1, 260), two = show_start(2, 260), none = show_start(1, 0);
	struct show *const shows[] = {&one, &two, &none};

	(void)state;
	for (size_t k = 0; k < 3; k++)
		for (int panel = 0; panel <= PANEL_COUNT; panel++) {
			for (size_t i = 0; i < 15 * 15; i++) {
				char *text = screen(shows[k], sizes[i % 15], sizes[i / 15] / 2 + 1,
						    (enum charset)(i % 3));

				assert_non_null(strstr(text, CANVAS_DUMP_TINTS));
				free(text);
			}
			press(shows[k], panel == PANEL_COUNT - 1 ? 'h' : 'x');
		}
	show_end(&one);
	show_end(&two);
	show_end(&none);
}

static void large_screens_are_used(void **state)
{
	static const int sizes[][2] = {{120, 40}, {160, 50}, {200, 60}, {240, 70}};
	struct show s = show_start(1, 330);

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct canvas c = {.charset = CHARSET_BRAILLE};
		int used = 0;

		canvas_resize(&c, sizes[i][0], sizes[i][1]);
		view_draw(&c, &s.f->session, &s.v);
		/* Blocks of 20 x 5 cells with something in them. */
		for (int b = 0; b < c.w / 20 * (c.h / 5); b++) {
			int any = 0;

			for (int k = 0; k < 100; k++)
				any += canvas_at(&c, b % (c.w / 20) * 20 + k % 20,
						 b / (c.w / 20) * 5 + k / 20)
					   ->ch != ' ';
			used += any > 0;
		}
		assert_true(used * 100 >= c.w / 20 * (c.h / 5) * 85);
		canvas_fini(&c);
	}
	show_end(&s);
}

static void ascii_screens_are_ascii(void **state)
{
	struct show s = show_start(2, 300);

	(void)state;
	for (int panel = 0; panel <= PANEL_COUNT; panel++) {
		char *text = screen(&s, 160, 50, CHARSET_ASCII);

		for (const char *p = text; *p; p++)
			assert_true((unsigned char)*p < 0x80);
		free(text);
		press(&s, panel == PANEL_COUNT - 1 ? 'h' : 'x');
	}
	show_end(&s);
}

static void old_temperatures_say_so(void **state)
{
	struct show s = show_start(1, 200);
	char *text;

	(void)state;
	s.f->session.drive[0].answer_age_s = 12;
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "(12 s old)"));
	free(text);
	text = screen(&s, 40, 12, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "(12 s old)"));
	free(text);
	show_end(&s);
}

static void a_drive_without_temperature_says_so(void **state)
{
	struct fixture *f = fixture_new(1);
	struct show s = {.f = f};
	char *text;

	(void)state;
	view_init(&s.v, &f->session);
	for (enum field k = FIELD_TEMP; k <= FIELD_SENSOR8; k++)
		f->session.drive[0].can[k] = false;
	for (int i = 1; i < 90; i++) {
		struct sample row;

		sample_clear(&row);
		row.time_s = i;
		row.mb_s = 500;
		row.lat_avg_us = 8400;
		row.op = OP_READ;
		series_append(&f->session.drive[0].run.series, &row);
		view_stats_row(&s.v.stats[0], &f->session.drive[0]);
	}
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "the drive reports no temperature"));
	assert_non_null(strstr(text, "no thermal counters"));
	assert_null(strstr(text, "nan"));
	free(text);
	compare(&s, "cold", 80, 24, CHARSET_BRAILLE);
	for (size_t i = 0; i < f->session.drive[0].run.series.n; i++)
		f->session.drive[0].run.series.col[FIELD_LAT_AVG][i] = 12;
	text = screen(&s, 80, 24, CHARSET_BRAILLE);
	assert_non_null(strstr(text, "15┤ µs latency"));
	free(text);
	show_end(&s);
}

/* A letter means one thing; only states have none, their line tells. */
static void letters_are_unique(void **state)
{
	char seen[128] = "";

	(void)state;
	for (enum event_kind kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		char letter[2] = {event_letter(kind)};

		assert_true(kind == EVENT_STATE || letter[0]);
		assert_true(!letter[0] || !strchr(seen, letter[0]));
		strcat(seen, letter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(golden_main),
	    cmocka_unit_test(golden_panels),
	    cmocka_unit_test(golden_drives),
	    cmocka_unit_test(golden_baseline),
	    cmocka_unit_test(pauses_have_two_words),
	    cmocka_unit_test(drives_share_a_corner),
	    cmocka_unit_test(lists_scroll_to_their_end),
	    cmocka_unit_test(small_screens_give_way),
	    cmocka_unit_test(essentials_stay),
	    cmocka_unit_test(every_size_draws),
	    cmocka_unit_test(large_screens_are_used),
	    cmocka_unit_test(ascii_screens_are_ascii),
	    cmocka_unit_test(old_temperatures_say_so),
	    cmocka_unit_test(letters_are_unique),
	    cmocka_unit_test(a_drive_without_temperature_says_so),
	};

	return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
