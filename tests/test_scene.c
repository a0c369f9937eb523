/* The laid out picture, for the whole zoo of logs at many sizes: pure data, nothing is drawn. */
#include "cmocka_all.h"

#include <stdlib.h>

#include "draw/scene/axis.h"
#include "scene_zoo.h"
#include "sinks/picture_font.h"
#include "throttlog/scene.h"

static struct rows rows[ZOO];
static struct verdict verdicts[ZOO];
static struct picture_item items[ZOO];
static struct font *font;
static struct text_measure measure;

static const struct {
	int width, height;
} sizes[] = {{400, 250},  {640, 360},  {800, 600},  {1280, 720},
	     {1600, 900}, {900, 1600}, {3840, 2160}};
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static int set_up(void **state)
{
	(void)state;
	if (font_open(&font))
		return -1;
	measure = font_measure(font);
	for (size_t i = 0; i < ZOO; i++) {
		zoo[i].make(&rows[i]);
		rows_judge(&rows[i], &verdicts[i]);
		items[i] = (struct picture_item){&rows[i].run, &verdicts[i]};
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (size_t i = 0; i < ZOO; i++)
		rows_end(&rows[i], &verdicts[i]);

	return 0;
}

static size_t zoo_index(const char *name)
{
	size_t i = 0;

	while (i < ZOO && strcmp(zoo[i].name, name) != 0)
		i++;
	assert_true(i < ZOO);
	return i;
}

static struct picture_options options(size_t size, enum picture_style style, bool x_bytes)
{
	struct picture_options o;

	picture_defaults(&o);
	o.width = sizes[size].width;
	o.height = sizes[size].height;
	o.style = style;
	o.x_bytes = x_bytes;
	return o;
}

static bool cross(struct scene_box a, struct scene_box b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool within(struct scene_box a, struct scene_box b)
{
	return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;
}

static void check_texts(const struct scene *s, const char *what)
{
	struct scene_box all = {0, 0, s->width, s->height};

	for (size_t i = 0; i < s->n_texts; i++) {
		const struct scene_text *t = &s->text[i];

		if (!within(t->box, t->panel >= 0 ? s->panel[t->panel] : all))
			fail_msg("%s: \"%s\" leaves its panel", what, t->text);
		if (fabs(measure.width(measure.ctx, t->text, t->size, t->bold) - t->box.w) > 0.01)
			fail_msg("%s: \"%s\" has a box that was not measured", what, t->text);
		if (t->size < 13.33)
			fail_msg("%s: \"%s\" is set in %.1f px, under 10 pt", what, t->text,
				 t->size);
		for (size_t k = i + 1; k < s->n_texts; k++)
			if (cross(t->box, s->text[k].box))
				fail_msg("%s: \"%s\" and \"%s\" overlap", what, t->text,
					 s->text[k].text);
	}
}

static void check_marks(const struct scene *s, const char *what)
{
	for (size_t i = 0; i < s->n_marks; i++) {
		const struct scene_mark *m = &s->mark[i];
		struct scene_box b = m->panel >= 0 ? s->panel[m->panel]
						   : (struct scene_box){0, 0, s->width, s->height};

		for (size_t k = 0; k < m->n; k++) {
			struct scene_point p = s->point[m->first + k];

			if (!(p.x >= b.x - 0.01 && p.x <= b.x + b.w + 0.01 && p.y >= b.y - 0.01 &&
			      p.y <= b.y + b.h + 0.01))
				fail_msg("%s: mark %zu (kind %d, ink %d) at %.1f,%.1f leaves its "
					 "panel",
					 what, i, m->kind, m->ink, p.x, p.y);
		}
	}
	for (size_t i = 0; i < s->n_panels; i++)
		if (!within(s->panel[i], (struct scene_box){0, 0, s->width, s->height}))
			fail_msg("%s: panel %zu leaves the picture", what, i);
}

static void check(const struct picture_options *o, const struct picture_item *list, size_t n,
		  bool compare, const char *name)
{
	struct scene s;
	char what[96];

	snprintf(what, sizeof(what), "%s %dx%d%s%s%s", name, o->width, o->height,
		 o->style == STYLE_OVERLAY ? " overlay" : "", o->x_bytes ? " bytes" : "",
		 compare ? " compare" : "");
	scene_make(&s, o, list, n, compare, &measure);
	check_texts(&s, what);
	check_marks(&s, what);
	assert_true(s.title && *s.title && s.n_texts > 0);
	scene_fini(&s);
}

static void nothing_overlaps_or_leaves_its_panel(void **state)
{
	(void)state;
	for (size_t size = 0; size < SIZES; size++)
		for (int way = 0; way < 4; way++) {
			struct picture_options o = options(
			    size, way & 1 ? STYLE_OVERLAY : STYLE_PANELS, way & 2);

			for (size_t i = 0; i < ZOO; i++)
				check(&o, &items[i], 1, false, zoo[i].name);
		}
}

static void many_at_once_stay_apart(void **state)
{
	(void)state;
	for (size_t size = 0; size < SIZES; size++)
		for (size_t n = 2; n <= ZOO; n += 3) {
			struct picture_options o = options(size, STYLE_PANELS, false);

			check(&o, items, n, false, "rows");
			check(&o, items, n, true, "runs");
			o.x_bytes = true;
			check(&o, items, n, true, "runs");
		}
}

/* Whether a text of the scene begins with `words`. */
static bool says(const struct scene *s, const char *words)
{
	for (size_t i = 0; i < s->n_texts; i++)
		if (strncmp(s->text[i].text, words, strlen(words)) == 0)
			return true;
	return false;
}

static void what_matters_is_there(void **state)
{
	size_t hold = zoo_index("hold");
	char callout[64];

	(void)state;
	assert_int_equal(verdicts[hold].throttled, TRI_TRUE);
	snprintf(callout, sizeof(callout), "throttles at %.0f", verdicts[hold].onset_c);
	for (size_t size = 0; size < SIZES; size++) {
		struct picture_options o = options(size, STYLE_PANELS, false);
		struct scene s;
		int rings = 0;

		scene_make(&s, &o, &items[hold], 1, false, &measure);
		assert_true(says(&s, callout));
		assert_true(strncmp(s.text[0].text, verdicts[hold].text, 20) == 0);
		for (size_t i = 0; i < s.n_marks; i++)
			rings += s.mark[i].kind == SCENE_RING;
		assert_true(rings >= 2);
		if (o.width >= 1280)
			assert_true(says(&s, "WCTEMP 81") && says(&s, "TMT1 77") &&
				    says(&s, "observed 78"));
		scene_fini(&s);
	}
}

static void states_are_said(void **state)
{
	static const struct {
		const char *log, *words;
	} expected[] = {
	    {"lost", "drive lost"},
	    {"no-temp", "No temperature was reported"},
	    {"no-speed", "No throughput was measured"},
	    {"none", "The log has no rows"},
	    {"words", "fan on"},
	    {"words", "link now 8.0x2"},
	    {"words", "controller reset"},
	    {"cold", "\xe2\x88\x92"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		struct picture_options o = options(4, STYLE_PANELS, false);
		struct scene s;

		scene_make(&s, &o, &items[zoo_index(expected[i].log)], 1, false, &measure);
		if (!says(&s, expected[i].words))
			fail_msg("%s does not say \"%s\"", expected[i].log, expected[i].words);
		scene_fini(&s);
	}
}

/* Bars of the envelope that reach the foot of the throughput panel. */
static int bars_at_zero(const struct scene *s)
{
	int n = 0;

	for (size_t i = 0; i < s->n_marks; i++) {
		const struct scene_mark *m = &s->mark[i];

		for (size_t k = 1; m->kind == SCENE_AREA && m->ink == INK_BAR && k < m->n; k += 2)
			n += s->point[m->first + k].y >=
			     s->panel[m->panel].y + s->panel[m->panel].h - 0.5;
	}
	return n;
}

static void long_runs_keep_their_stalls(void **state)
{
	size_t day = zoo_index("day");

	(void)state;
	for (size_t size = 0; size < SIZES; size++) {
		struct picture_options o = options(size, STYLE_PANELS, false);
		struct scene s;

		/* Twelve single seconds of 86 400. */
		scene_make(&s, &o, &items[day], 1, false, &measure);
		assert_int_equal(bars_at_zero(&s), 12);
		/* And no more marks than the picture has columns for. */
		assert_true(s.n_points < 20 * (size_t)o.width + 20000);
		scene_fini(&s);
	}
}

static void gaps_stay_gaps(void **state)
{
	size_t stalls = zoo_index("stalls");
	struct picture_options o = options(4, STYLE_PANELS, false);
	struct scene s;
	int pieces = 0;

	(void)state;
	scene_make(&s, &o, &items[stalls], 1, false, &measure);
	for (size_t i = 0; i < s.n_marks; i++) {
		const struct scene_mark *m = &s.mark[i];

		pieces += m->kind == SCENE_LINE && m->ink == INK_TEMP;
		/* A minute is 110 px here; no level part of the mean is that long. */
		for (size_t k = 1; m->kind == SCENE_LINE && m->ink == INK_SPEED && k < m->n; k++)
			assert_true(s.point[m->first + k].x - s.point[m->first + k - 1].x < 20);
	}
	/* One minute without readings, another without rows. */
	assert_int_equal(pieces, 3);
	scene_fini(&s);
}

static void the_mean_breaks_at_a_step(void **state)
{
	size_t step = zoo_index("step");
	struct picture_options o = options(4, STYLE_PANELS, false);
	struct scene s;

	(void)state;
	scene_make(&s, &o, &items[step], 1, false, &measure);
	for (size_t i = 0; i < s.n_marks; i++) {
		const struct scene_mark *m = &s.mark[i];
		double top = INFINITY, foot = -INFINITY;

		if (m->kind != SCENE_LINE || m->ink != INK_SPEED)
			continue;
		for (size_t k = 0; k < m->n; k++) {
			top = fmin(top, s.point[m->first + k].y);
			foot = fmax(foot, s.point[m->first + k].y);
		}
		/* 2600 and 1100 MB/s are 195 px apart. */
		assert_true(foot - top < 10);
	}
	scene_fini(&s);
}

static bool is_round(double step)
{
	double m = step / pow(10, floor(log10(step) + 1e-9));

	return fabs(m - 1) < 1e-9 || fabs(m - 2) < 1e-9 || fabs(m - 5) < 1e-9;
}

static void ticks_are_round(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double low, high;
		struct axis a;
		int most;

		seed = seed * 1664525U + 1013904223U;
		high = pow(10, (double)(seed >> 8) / 16777216.0 * 12 - 5);
		low = i % 2 ? 0 : -high * (i % 7) / 5.0;
		most = 2 + i % 12;
		a = axis_number(low, high, i % 3, most);
		assert_true(is_round(a.ticks.step));
		assert_true(a.ticks.n >= 1 && a.ticks.n <= most + 2);
		assert_true(a.low <= low + 1e-9 * high && a.high >= high * (1 - 1e-9));
		for (int k = 0; k < a.ticks.n; k++) {
			double v = tick_value(&a.ticks, k), n = v / a.ticks.step;

			assert_true(fabs(n - round(n)) < 1e-6);
			assert_true(v >= a.low - 1e-9 * high && v <= a.high * (1 + 1e-9));
		}
	}
}

static void time_ticks_are_those_of_a_clock(void **state)
{
	static const double steps[] = {0.1,  0.2,   0.5,   1,     2,     5,      10,    15,
				       30,   60,    120,   300,   600,   900,    1800,  3600,
				       7200, 10800, 21600, 43200, 86400, 172800, 604800};

	(void)state;
	for (double length = 1; length < 3e6; length *= 1.7) {
		struct axis a = axis_time(-60, length, 12);
		bool known = false;

		for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++)
			known |= a.ticks.step == steps[k];
		assert_true(known && a.ticks.n <= 13 && a.ticks.n >= 1);
	}
}

static void labels_read_well(void **state)
{
	struct axis a = axis_time(-60, 780, 14), day = axis_time(0, 86400, 14);
	struct axis c = axis_number(-20, 10, true, 8), tiny = axis_number(0, 0.04, true, 8);
	char buf[32];

	(void)state;
	axis_label(&a, -60, buf, sizeof(buf));
	assert_string_equal(buf, "\xe2\x88\x92"
				 "1:00");
	axis_label(&a, 150, buf, sizeof(buf));
	assert_string_equal(buf, "2:30");
	axis_label(&day, 7200, buf, sizeof(buf));
	assert_string_equal(buf, "2:00");
	axis_label(&c, -15, buf, sizeof(buf));
	assert_string_equal(buf, "\xe2\x88\x92"
				 "15");
	axis_label(&tiny, 0.025, buf, sizeof(buf));
	assert_string_equal(buf, "0.025");
	clock_text(3752, buf, sizeof(buf));
	assert_string_equal(buf, "1:02:32");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_overlaps_or_leaves_its_panel),
	    cmocka_unit_test(many_at_once_stay_apart),
	    cmocka_unit_test(what_matters_is_there),
	    cmocka_unit_test(states_are_said),
	    cmocka_unit_test(long_runs_keep_their_stalls),
	    cmocka_unit_test(gaps_stay_gaps),
	    cmocka_unit_test(the_mean_breaks_at_a_step),
	    cmocka_unit_test(ticks_are_round),
	    cmocka_unit_test(time_ticks_are_those_of_a_clock),
	    cmocka_unit_test(labels_read_well),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
