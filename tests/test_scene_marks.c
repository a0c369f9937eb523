/*
 * What the scene shows of rows that are easily lost or misread: gaps, swings, tests, odd letters.
 */
#include "cmocka_all.h"

#include "scene_look.h"

#define DAY_S 86400

/* The widest stretch of panel `k` that no area of `ink` covers, in px. */
static double blank(const struct scene *s, enum ink ink)
{
	double widest = 0;

	for (size_t i = 0; i < s->n_marks; i++) {
		const struct scene_mark *m = &s->mark[i];

		for (size_t k = 2; m->kind == SCENE_AREA && m->ink == ink && k + 1 < m->n; k += 2)
			widest = fmax(widest,
				      s->point[m->first + k].x - s->point[m->first + k - 1].x);
	}
	return widest;
}

/* Upright ticks at the head of a panel. */
static int ticks(const struct scene *s)
{
	int n = 0;

	for (size_t i = 0; i < s->n_marks; i++) {
		const struct scene_mark *m = &s->mark[i];

		n += m->kind == SCENE_LINE && m->ink == INK_OTHER && m->n == 2 && m->panel >= 0 &&
		     s->point[m->first].x == s->point[m->first + 1].x &&
		     s->point[m->first].y == s->panel[m->panel].y;
	}
	return n;
}

/* A day of even rows; `skip` seconds are missing at noon. */
static void make_day(struct rows *r, int skip)
{
	zoo_begin(r, "Day SSD", OP_WRITE);
	for (int i = 0; i < DAY_S; i++) {
		if (i == DAY_S / 2) {
			i += skip;
			r->time_s += skip;
		}
		rows_add(r, PHASE_LOAD, 1000, 60 + i % 3);
	}
}

/* One column of px is some 90 s of a day. */
static void gaps_of_a_day_are_seen(void **state)
{
	static const struct {
		int skip, ticks; /* one in each panel */
	} cases[] = {{0, 0}, {2, 0}, {30, 2}, {100, 2}, {1800, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rows r;
		struct verdict v;
		struct scene s;

		make_day(&r, cases[i].skip);
		rows_judge(&r, &v);
		lay_out(&s, &r, &v);
		assert_int_equal(ticks(&s), cases[i].ticks);
		assert_int_equal(says(&s, "data missing"), cases[i].ticks > 0);
		/* One line for the whole day, broken by what can be seen. */
		assert_int_equal(lines_of(&s, INK_SPEED), cases[i].skip > 3 ? 2 : 1);
		if (cases[i].skip > 1000) {
			assert_true(blank(&s, INK_BAR) > 17 && blank(&s, INK_BAR) < 22);
			assert_true(blank(&s, INK_TEMP) > 17 && blank(&s, INK_TEMP) < 22);
		} else {
			assert_true(blank(&s, INK_TEMP) < 2);
		}
		scene_fini(&s);
		rows_end(&r, &v);
	}
}

/* Entries of the drive's event log come with the last row and stand where they happened. */
static void entries_stand_at_their_time(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;
	double x[2] = {0, 0};

	(void)state;
	for (int with = 0; with < 2; with++) {
		zoo_begin(&r, "Own SSD", OP_READ);
		rows_load(&r, 600, 3000, 45, 70);
		/* The same place marked by the user, for comparison. */
		if (!with)
			r.run.series.n = 300;
		series_event(&r.run.series, with ? EVENT_PEL : EVENT_OCP, with ? NAN : 1,
			     with ? "self-throttling@300.0s+1K" : NULL);
		r.run.series.n = 600;
		if (with) {
			series_event(&r.run.series, EVENT_PEL, NAN, "wctemp@100.0s");
			series_event(&r.run.series, EVENT_PEL, NAN, "tmt1");
		}
		rows_judge(&r, &v);
		lay_out(&s, &r, &v);
		assert_int_equal(ticks(&s), 2);
		assert_true(says(&s, with ? "throttling, says its event log" : "OCP log"));
		assert_false(says(&s, "event log \xc3\x97"));
		for (size_t i = 0; i < s.n_marks; i++)
			if (s.mark[i].kind == SCENE_LINE && s.mark[i].ink == INK_OTHER &&
			    s.mark[i].n == 2 && s.mark[i].panel == 0)
				x[with] = s.point[s.mark[i].first].x;
		scene_fini(&s);
		rows_end(&r, &v);
	}
	assert_true(x[0] > 0 && fabs(x[0] - x[1]) < 2);
}

static void short_gaps_stay_gaps(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;
	int pieces = 0;

	(void)state;
	zoo_stalls(&r);
	rows_judge(&r, &v);
	lay_out(&s, &r, &v);
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
	rows_end(&r, &v);
}

static void the_mean_breaks_at_a_step(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;

	(void)state;
	zoo_step(&r);
	rows_judge(&r, &v);
	lay_out(&s, &r, &v);
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
	rows_end(&r, &v);
}

/* The mean of swings is one line: it follows none of them, and keeps to what the words say. */
static void the_mean_runs_through_swings(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;
	double top = INFINITY, foot = -INFINITY;

	(void)state;
	zoo_swings(&r);
	rows_judge(&r, &v);
	assert_true(v.n_drops > 10);
	lay_out(&s, &r, &v);
	assert_true(says(&s, "in turn, every"));
	for (size_t i = 0; i < s.n_marks; i++) {
		const struct scene_mark *m = &s.mark[i];

		if (m->kind != SCENE_LINE || m->ink != INK_SPEED || m->n < 50 ||
		    s.point[m->first].x < s.panel[0].x + 0.2 * s.panel[0].w)
			continue;
		for (size_t k = 0; k < m->n; k++) {
			top = fmin(top, s.point[m->first + k].y);
			foot = fmax(foot, s.point[m->first + k].y);
		}
	}
	/* The two levels are some 90 px apart. */
	if (!(foot > top && foot - top < 9))
		fail_msg("the mean of swings moves by %.1f px", foot - top);
	scene_fini(&s);
	rows_end(&r, &v);
}

/* Without a probe, as after a read. */
static void make_restarted(struct rows *r)
{
	zoo_begin(r, "Restarted SSD", OP_READ);
	rows_load(r, 200, 900, 40, 70);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_PAUSE, 0, 69 - i / 6.0);
	for (int i = 0; i < 60; i++)
		rows_add(r, PHASE_RESTART, 900, 59 + i / 8.0);
}

static int areas_of(const struct scene *s, enum ink ink)
{
	int n = 0;

	for (size_t i = 0; i < s->n_marks; i++)
		n += s->mark[i].kind == SCENE_AREA && s->mark[i].ink == ink;
	return n;
}

static void a_cause_test_is_explained(void **state)
{
	static struct rows r[2];
	static struct verdict v[2];
	struct picture_item items[2];
	struct picture_options o;
	struct scene s;

	(void)state;
	for (int i = 0; i < 2; i++) {
		i ? make_restarted(&r[i]) : zoo_tested(&r[i]);
		rows_judge(&r[i], &v[i]);
		items[i] = (struct picture_item){.run = &r[i].run, .verdict = &v[i]};
	}
	lay_out(&s, &r[0], &v[0]);
	assert_true(says(&s, "test of its cause: probe = short reads, restart = the load again"));
	/* Idle, cooling and cool-down in two panels; the restart between them is load. */
	assert_int_equal(areas_of(&s, INK_PHASE), 6);
	scene_fini(&s);
	lay_out(&s, &r[1], &v[1]);
	assert_true(says(&s, "cause: restart = the load again") && !says(&s, "probe"));
	scene_fini(&s);
	picture_defaults(&o);
	for (int way = 0; way < 6; way++) {
		o.style = way & 1 ? STYLE_OVERLAY : STYLE_PANELS;
		o.width = way >= 4 ? 800 : 1600;
		scene_make(&s, &o, items, 2, way & 2, &measure);
		if (!says(&s, "restart") || !says(&s, "probe"))
			fail_msg("not explained in way %d", way);
		scene_fini(&s);
	}
	for (int i = 0; i < 2; i++)
		rows_end(&r[i], &v[i]);
}

/* A box says nothing; the caption says what it stands for. */
static void letters_without_a_glyph_are_named(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;

	(void)state;
	zoo_calm(&r);
	rows_judge(&r, &v);
	strcpy(r.run.note, "Kühlkörper ΔT, без обдува → ≥ 5 µm");
	lay_out(&s, &r, &v);
	assert_false(says(&s, "not in this font"));
	scene_fini(&s);
	strcpy(r.run.note, "\xe5\x86\xb7\xe5\x8d\xb4\xe5\x86\xb7 \xf0\x9f\xa5\xb6");
	lay_out(&s, &r, &v);
	assert_true(says(&s, "boxes: not in this font U+51B7 U+5374 U+1F976"));
	scene_fini(&s);
	r.run.note[0] = '\0';
	series_event(&r.run.series, EVENT_MARK, NAN, "\xe9\xa2\xa8");
	lay_out(&s, &r, &v);
	assert_true(says(&s, "U+98A8"));
	scene_fini(&s);
	rows_end(&r, &v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gaps_of_a_day_are_seen),
	    cmocka_unit_test(entries_stand_at_their_time),
	    cmocka_unit_test(short_gaps_stay_gaps),
	    cmocka_unit_test(the_mean_breaks_at_a_step),
	    cmocka_unit_test(the_mean_runs_through_swings),
	    cmocka_unit_test(a_cause_test_is_explained),
	    cmocka_unit_test(letters_without_a_glyph_are_named),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
