/* The canvas clips, measures and cuts text; dots become the right characters; colours contrast. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_cells.h"
#include "throttlog/canvas.h"

static struct canvas make(int w, int h, enum charset charset)
{
	struct canvas c = {.charset = charset};

	canvas_resize(&c, w, h);
	return c;
}

/* The text half of a dump; the caller frees it. */
static char *text_of(const struct canvas *c)
{
	char *dump = canvas_dump(c);

	*strstr(dump, CANVAS_DUMP_TINTS) = '\0';
	return dump;
}

static void assert_text(const struct canvas *c, const char *want)
{
	char *text = text_of(c);

	assert_string_equal(text, want);
	free(text);
}

static void text_is_clipped_at_all_edges(void **state)
{
	struct canvas c = make(5, 2, CHARSET_BRAILLE);

	(void)state;
	canvas_text(&c, -2, 0, 20, TINT_PLAIN, 0, "abcdefgh");
	canvas_text(&c, 3, 1, 20, TINT_PLAIN, 0, "xyz");
	canvas_text(&c, 0, -1, 20, TINT_PLAIN, 0, "above");
	canvas_text(&c, 0, 2, 20, TINT_PLAIN, 0, "below");
	canvas_put(&c, 5, 0, '!', TINT_PLAIN, 0);
	assert_text(&c, "cdefg\n   xy\n");
	assert_null(canvas_at(&c, 5, 0));
	assert_null(canvas_at(&c, 0, -1));
	canvas_fini(&c);
}

static void long_text_ends_in_an_ellipsis(void **state)
{
	struct canvas c = make(12, 2, CHARSET_BRAILLE), plain = make(12, 1, CHARSET_ASCII);

	(void)state;
	assert_int_equal(canvas_text(&c, 0, 0, 6, TINT_PLAIN, 0, "temperature"), 6);
	assert_int_equal(canvas_text(&c, 0, 1, 6, TINT_PLAIN, 0, "speed!"), 6);
	assert_text(&c, "tempe…\nspeed!\n");
	canvas_text(&plain, 0, 0, 6, TINT_PLAIN, 0, "temperature");
	assert_text(&plain, "tempe~\n");
	canvas_fini(&c);
	canvas_fini(&plain);
}

static void width_counts_columns(void **state)
{
	struct canvas c = make(9, 1, CHARSET_BRAILLE), plain = make(9, 1, CHARSET_ASCII);

	(void)state;
	assert_int_equal(canvas_width(&c, "80 °C"), 5);
	assert_int_equal(canvas_width(&plain, "80 °C"), 4);
	assert_int_equal(canvas_width(&c, "熱 e\xcc\x81"), 4);
	/* A wide character takes two cells, and is left out where only one is left. */
	assert_int_equal(canvas_text(&c, 0, 0, 9, TINT_PLAIN, 0, "熱い"), 4);
	assert_int_equal(canvas_at(&c, 1, 0)->ch, 0);
	assert_int_equal(canvas_text(&c, 4, 0, 4, TINT_PLAIN, 0, "熱い熱"), 3);
	assert_text(&c, "熱い熱…\n");
	canvas_fini(&c);
	canvas_fini(&plain);
}

static void junk_bytes_are_harmless(void **state)
{
	struct canvas c = make(8, 1, CHARSET_BRAILLE);

	(void)state;
	canvas_text(&c, 0, 0, 8, TINT_PLAIN, 0, "a\xff\xc3");
	canvas_text(&c, 4, 0, 4, TINT_PLAIN, 0, "\x80z\xe2\x82");
	assert_int_equal(canvas_at(&c, 0, 0)->ch, 'a');
	assert_int_equal(canvas_at(&c, 1, 0)->ch, 0xfffd);
	assert_int_equal(canvas_at(&c, 5, 0)->ch, 'z');
	canvas_fini(&c);
}

/* A rising line in the first row, a full column in the second. */
static void dots_become_characters(void **state)
{
	static const char *const want[] = {
	    [CHARSET_BRAILLE] = "⣀⠤⠊\n⡇\n",
	    [CHARSET_BLOCK] = "▄▄▀\n█\n",
	    [CHARSET_ASCII] = ".-'\n|\n",
	};

	(void)state;
	for (enum charset charset = CHARSET_ASCII; charset <= CHARSET_BRAILLE; charset++) {
		struct canvas c = make(3, 2, charset);
		struct dots d;

		dots_init(&d, charset, (struct rect){0, 0, 3, 1});
		for (int x = 0; x < d.w; x++)
			dots_set(&d, x, d.h - 1 - x * (d.h - 1) / (d.w - 1));
		dots_set(&d, -1, 0);
		dots_set(&d, d.w, d.h);
		dots_paint(&d, &c, TINT_SPEED);
		dots_fini(&d);
		dots_init(&d, charset, (struct rect){0, 1, 3, 1});
		dots_column(&d, 0, 99, -99);
		dots_paint(&d, &c, TINT_TEMP);
		dots_fini(&d);
		assert_text(&c, want[charset]);
		canvas_fini(&c);
	}
}

static void braille_of_two_curves_is_joined(void **state)
{
	struct canvas c = make(1, 1, CHARSET_BRAILLE);

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct dots d;

		dots_init(&d, c.charset, (struct rect){0, 0, 1, 1});
		dots_set(&d, k, k * 3);
		dots_paint(&d, &c, k ? TINT_TEMP : TINT_SPEED);
		dots_fini(&d);
	}
	assert_text(&c, "⢁\n");
	canvas_fini(&c);
}

/* WCAG relative luminance of a colour of xterm's 6x6x6 cube or grey ramp. */
static double luminance(int x256)
{
	double rgb[3], sum = 0;
	static const double weight[3] = {0.2126, 0.7152, 0.0722};

	for (int k = 0; k < 3; k++) {
		int level = (x256 - 16) / (k == 0 ? 36 : k == 1 ? 6 : 1) % 6;
		double v = x256 >= 232 ? 8 + 10 * (x256 - 232) : level ? 55 + 40 * level : 0;

		v /= 255;
		rgb[k] = v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
		sum += weight[k] * rgb[k];
	}
	return sum;
}

static void colours_contrast_on_black_and_white(void **state)
{
	(void)state;
	for (int t = 0; t < TINT_COUNT; t++) {
		if (tints[t].x256 < 0)
			continue;
		assert_true(tints[t].x256 >= 16);
		assert_true((luminance(tints[t].x256) + 0.05) / 0.05 >= 3);
		assert_true(1.05 / (luminance(tints[t].x256) + 0.05) >= 3);
	}
	/* Of the 8 colours, yellow, cyan and white drown on white, blue on black. */
	for (int t = 0; t < TINT_COUNT; t++)
		assert_true(tints[t].ansi != 3 && tints[t].ansi != 4 && tints[t].ansi < 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_clipped_at_all_edges),
	    cmocka_unit_test(long_text_ends_in_an_ellipsis),
	    cmocka_unit_test(width_counts_columns),
	    cmocka_unit_test(junk_bytes_are_harmless),
	    cmocka_unit_test(dots_become_characters),
	    cmocka_unit_test(braille_of_two_curves_is_joined),
	    cmocka_unit_test(colours_contrast_on_black_and_white),
	};

	return cmocka_run_group_tests_name("canvas", tests, NULL, NULL);
}
