/*
 * The picture's colours: contrast as WCAG 2 computes it, difference in CIELAB for full colour
 * vision, for the three deficiencies (Machado, Oliveira, Fernandes 2009, full severity) and in
 * grey.
 */
#include "cmocka_all.h"

#include <math.h>

#include "throttlog/scene.h"

#define THEMES 3

struct linear {
	double r, g, b;
};

static double to_linear(uint8_t v)
{
	double c = v / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static struct linear linear_of(struct rgb c)
{
	return (struct linear){to_linear(c.r), to_linear(c.g), to_linear(c.b)};
}

static double luminance(struct rgb c)
{
	struct linear l = linear_of(c);

	return 0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b;
}

static double contrast(struct rgb a, struct rgb b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

enum vision { FULL, PROTAN, DEUTAN, TRITAN, GREY, VISIONS };

static const char *const vision_names[] = {"full", "protan", "deutan", "tritan", "grey"};

static const double matrices[VISIONS][9] = {
    [FULL] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
    [PROTAN] = {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
		1.051998},
    [DEUTAN] = {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
		0.968881},
    [TRITAN] = {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
		0.303900},
    [GREY] = {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722},
};

static struct linear seen(struct rgb c, enum vision v)
{
	struct linear l = linear_of(c);
	const double *m = matrices[v];

	return (struct linear){
	    fmin(fmax(m[0] * l.r + m[1] * l.g + m[2] * l.b, 0), 1),
	    fmin(fmax(m[3] * l.r + m[4] * l.g + m[5] * l.b, 0), 1),
	    fmin(fmax(m[6] * l.r + m[7] * l.g + m[8] * l.b, 0), 1),
	};
}

static double cube(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* L*, a*, b* under D65. */
static void lab(struct linear l, double out[3])
{
	double x = cube((0.4124 * l.r + 0.3576 * l.g + 0.1805 * l.b) / 0.9505);
	double y = cube(0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b);
	double z = cube((0.0193 * l.r + 0.1192 * l.g + 0.9505 * l.b) / 1.089);

	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

static double difference(struct rgb a, struct rgb b, enum vision v)
{
	double x[3], y[3];

	lab(seen(a, v), x);
	lab(seen(b, v), y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

static void need_contrast(int theme, enum ink ink, enum ink behind, double least)
{
	const struct palette *p = &palettes[theme];
	double c = contrast(p->ink[ink], p->ink[behind]);

	if (c < least)
		fail_msg("theme %d: ink %d on %d has a contrast of %.2f, less than %.1f", theme,
			 ink, behind, c, least);
}

static void need_difference(int theme, enum ink a, enum ink b, enum vision v, double least)
{
	const struct palette *p = &palettes[theme];
	double d = difference(p->ink[a], p->ink[b], v);

	if (d < least)
		fail_msg("theme %d, %s: inks %d and %d differ by %.1f, less than %.0f", theme,
			 vision_names[v], a, b, d, least);
}

static const enum ink behind[] = {INK_PAPER, INK_PHASE, INK_SHADE};

static void words_can_be_read(void **state)
{
	static const enum ink inks[] = {INK_TEXT,  INK_MUTED, INK_SPEED, INK_TEMP,
					INK_LIMIT, INK_HEAT,  INK_OTHER};

	(void)state;
	for (int t = 0; t < THEMES; t++) {
		for (size_t i = 0; i < sizeof(inks) / sizeof(*inks); i++)
			for (size_t k = 0; k < 3; k++)
				need_contrast(t, inks[i], behind[k], 4.5);
		for (int i = INK_RUN1; i <= INK_RUN4; i++)
			need_contrast(t, (enum ink)i, INK_PAPER, 4.5);
	}
}

static void lines_can_be_seen(void **state)
{
	static const enum ink inks[] = {INK_SPEED, INK_DOTS, INK_BAR,   INK_TEMP, INK_SENSOR,
					INK_LIMIT, INK_HEAT, INK_OTHER, INK_AXIS};

	(void)state;
	for (int t = 0; t < THEMES; t++)
		for (size_t i = 0; i < sizeof(inks) / sizeof(*inks); i++)
			for (size_t k = 0; k < 3; k++)
				need_contrast(t, inks[i], behind[k], 3);
}

static void the_mean_stands_out_of_its_readings(void **state)
{
	(void)state;
	for (int t = 0; t < THEMES; t++)
		for (enum vision v = FULL; v < VISIONS; v++) {
			need_difference(t, INK_SPEED, INK_DOTS, v, 14);
			need_difference(t, INK_DOTS, INK_BAR, v, 7);
		}
}

static void curves_differ_for_all_eyes(void **state)
{
	(void)state;
	/* The print theme is grey: there the panels tell the curves apart. */
	for (int t = THEME_LIGHT; t <= THEME_DARK; t++)
		for (enum vision v = FULL; v < GREY; v++) {
			need_difference(t, INK_SPEED, INK_TEMP, v, 40);
			need_difference(t, INK_SPEED, INK_HEAT, v, 40);
			for (int a = INK_RUN1; a <= INK_RUN4; a++)
				for (int b = a + 1; b <= INK_RUN4; b++)
					need_difference(t, (enum ink)a, (enum ink)b, v, 15);
		}
}

static void throttled_time_shows_in_grey(void **state)
{
	(void)state;
	for (int t = 0; t < THEMES; t++) {
		need_difference(t, INK_SHADE, INK_PAPER, GREY, 4);
		need_difference(t, INK_SHADE, INK_PHASE, GREY, 2);
		need_difference(t, INK_PHASE, INK_PAPER, GREY, 1.2);
	}
}

static void the_ramp_goes_one_way(void **state)
{
	(void)state;
	for (int t = 0; t < THEMES; t++) {
		const struct palette *p = &palettes[t];

		for (enum vision v = FULL; v < VISIONS; v++) {
			double first[3], last[3];

			lab(seen(palette_ramp(p, 0), v), first);
			lab(seen(palette_ramp(p, 1), v), last);
			assert_true(fabs(last[0] - first[0]) > 30);
			for (int k = 0; k < 20; k++) {
				double a[3], b[3];

				lab(seen(palette_ramp(p, k / 20.0), v), a);
				lab(seen(palette_ramp(p, (k + 1) / 20.0), v), b);
				assert_true((b[0] - a[0]) * (last[0] - first[0]) > 0);
			}
		}
		for (int k = 0; k <= 20; k++)
			assert_true(contrast(palette_ramp(p, k / 20.0), p->ink[INK_PAPER]) >= 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_can_be_read),
	    cmocka_unit_test(lines_can_be_seen),
	    cmocka_unit_test(the_mean_stands_out_of_its_readings),
	    cmocka_unit_test(curves_differ_for_all_eyes),
	    cmocka_unit_test(throttled_time_shows_in_grey),
	    cmocka_unit_test(the_ramp_goes_one_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
