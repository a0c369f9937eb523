/* The laid out picture, for the whole zoo of logs at many sizes: pure data, nothing is drawn. */
#include "cmocka_all.h"

#include <stdlib.h>

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
		items[i] = (struct picture_item){.run = &rows[i].run, .verdict = &verdicts[i]};
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
	for (size_t i = 0; i < ZOO; i++)
		if (strcmp(zoo[i].name, name) == 0)
			return i;
	fail_msg("no %s", name);
	return 0;
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
		if (t->box.w < 0.2 * t->size * (double)strlen(t->text) / 3)
			fail_msg("%s: \"%s\" is said to be %.1f px wide", what, t->text, t->box.w);
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
	assert_true(s.title && *s.title);
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
			o.exact = true;
			check(&o, items, n, false, "rows, exact");
			check(&o, items, n, true, "runs, exact");
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
	    {"review", "read"},
	    {"review", "write"},
	    {"review", "sequential read then write 128 KiB"},
	    {"review", "reading: 78 "},
	    {"review", "written before"},
	    {"review", "time from the start of writing"},
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

/* A number that no drive reports, but a damaged or foreign log may. */
static double odd(uint32_t *seed)
{
	static const double values[] = {0,   -1,   1e-9,  1,      40,     80,  -273,
					1e6, 1e15, 1e300, -1e300, 5e-324, NAN, 3000};

	*seed = *seed * 1664525U + 1013904223U;
	return values[(*seed >> 16) % (sizeof(values) / sizeof(*values))];
}

static void odd_verdict(struct verdict *v, struct drop drops[3], struct span spans[3],
			uint32_t *seed)
{
	*v = (struct verdict){.throttled = (enum tristate)(*seed % 3) - 1};
	strcpy(v->text, "Odd.");
	v->onset_s = odd(seed);
	v->onset_time_s = odd(seed);
	v->onset_bytes = odd(seed);
	v->onset_c = odd(seed);
	v->before_mb_s = odd(seed);
	v->after_mb_s = odd(seed);
	v->loss_pct = odd(seed);
	v->time_throttled_s = odd(seed);
	v->load_start_s = odd(seed);
	v->load_end_s = odd(seed);
	v->observed_limit_c = odd(seed);
	v->max_c = odd(seed);
	v->idle_c = odd(seed);
	v->duration_s = odd(seed);
	v->bytes = odd(seed);
	for (int k = 0; k < 3; k++) {
		drops[k] = (struct drop){.start_s = odd(seed),
					 .end_s = odd(seed),
					 .bytes = odd(seed),
					 .from_mb_s = odd(seed),
					 .to_mb_s = odd(seed),
					 .cause = CAUSE_SLC_CACHE};
		spans[k] = (struct span){odd(seed), odd(seed)};
	}
	v->drops = drops;
	v->spans = spans;
	v->n_drops = v->n_spans = 3;
}

static void odd_logs_do_no_harm(void **state)
{
	uint32_t seed = 99;

	(void)state;
	for (int i = 0; i < 400; i++) {
		struct picture_options o = options((size_t)i % SIZES, i & 1, i & 2);
		struct rows r;
		struct verdict v;
		struct drop drops[3];
		struct span spans[3];
		struct picture_item item = {.run = &r.run, .verdict = &v};

		zoo_begin(&r, "Odd", i % 3 ? OP_WRITE : OP_NONE);
		r.run.interval_s = odd(&seed);
		for (int k = 0; k < 60; k++) {
			struct sample s = r.next;

			s.time_s = i % 5 ? k : fabs(odd(&seed));
			if (isnan(s.time_s))
				s.time_s = 0;
			s.phase = (enum phase)((unsigned)(k / 12 + i) % PHASE_COUNT);
			s.op = s.phase == PHASE_LOAD ? OP_WRITE : OP_NONE;
			s.mb_s = odd(&seed);
			s.bytes = odd(&seed);
			s.temp_c = odd(&seed);
			s.sensor_c[2] = odd(&seed);
			series_append(&r.run.series, &s);
		}
		r.run.drive.limits.wctemp_c = odd(&seed);
		odd_verdict(&v, drops, spans, &seed);
		check(&o, &item, 1, false, "odd");
		check(&o, (struct picture_item[]){item, items[0]}, 2, true, "odd");
		run_fini(&r.run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_overlaps_or_leaves_its_panel),
	    cmocka_unit_test(many_at_once_stay_apart),
	    cmocka_unit_test(what_matters_is_there),
	    cmocka_unit_test(states_are_said),
	    cmocka_unit_test(long_runs_keep_their_stalls),
	    cmocka_unit_test(odd_logs_do_no_harm),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
