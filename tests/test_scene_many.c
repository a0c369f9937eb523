/* Scenes of many drives, many events, and of intervals that nobody told. */
#include "cmocka_all.h"

#include "scene_look.h"

/* --size is the size: drives that find no room are named, or at least counted. */
static void many_drives_keep_to_the_size(void **state)
{
	static struct rows rows[6];
	static struct verdict verdicts[6];
	struct picture_item items[6];
	struct picture_options o;
	struct scene s;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		zoo[i].make(&rows[i]);
		rows_judge(&rows[i], &verdicts[i]);
		items[i] = (struct picture_item){.run = &rows[i].run, .verdict = &verdicts[i]};
	}
	picture_defaults(&o);
	scene_make(&s, &o, items, 6, false, &measure);
	assert_true(s.height > o.height);
	assert_int_equal(s.height, picture_height(&o, 6, false));
	scene_fini(&s);
	o.exact = true;
	scene_make(&s, &o, items, 6, false, &measure);
	assert_int_equal(s.height, o.height);
	for (size_t i = 0; i < 6; i++)
		if (!says(&s, items[i].run->drive.model))
			fail_msg("%s is not named", items[i].run->drive.model);
	scene_fini(&s);
	o.height = 300;
	scene_make(&s, &o, items, 6, false, &measure);
	assert_int_equal(s.height, 300);
	assert_true(says(&s, "more drives: no room at this size"));
	scene_fini(&s);
	for (size_t i = 0; i < 6; i++)
		rows_end(&rows[i], &verdicts[i]);
}

/* Thousands of events: ticks from the first to the last, not a fence at the beginning. */
static void many_events_are_all_seen(void **state)
{
	struct rows r;
	struct verdict v;
	struct scene s;
	double last = 0;
	int lines = 0;

	(void)state;
	zoo_begin(&r, "Restless SSD", OP_WRITE);
	for (int i = 0; i < 3000; i++) {
		rows_add(&r, PHASE_LOAD, 900, 50);
		series_event(&r.run.series, EVENT_RESET, NAN, NULL);
	}
	rows_judge(&r, &v);
	lay_out(&s, &r, &v);
	for (size_t i = 0; i < s.n_marks; i++) {
		const struct scene_mark *m = &s.mark[i];
		const struct scene_point *p = s.point + m->first;

		if (m->kind != SCENE_LINE || m->ink != INK_OTHER || m->n != 2 || m->panel != 0)
			continue;
		lines += fabs(p[1].y - p[0].y) > 20;
		last = fmax(last, p[0].x);
	}
	assert_int_equal(lines, 0);
	assert_true(last > s.panel[0].x + s.panel[0].w - 3);
	scene_fini(&s);
	rows_end(&r, &v);
}

/* The rows decide what a gap is: another program's log may state any interval, or none. */
static void a_wrong_interval_makes_no_gaps(void **state)
{
	static const double stated[] = {NAN, 1, 0.001, 3600, 86400};

	(void)state;
	for (size_t k = 0; k < sizeof(stated) / sizeof(*stated); k++) {
		struct rows r;
		struct verdict v;
		struct scene s;

		zoo_begin(&r, "Slow log", OP_WRITE);
		r.run.interval_s = 60;
		for (int i = 0; i < 300; i++)
			rows_add(&r, PHASE_LOAD, 900, 50 + i % 7);
		r.run.interval_s = stated[k];
		rows_judge(&r, &v);
		lay_out(&s, &r, &v);
		if (lines_of(&s, INK_TEMP) != 1)
			fail_msg("%d pieces where %g s are stated", lines_of(&s, INK_TEMP),
				 stated[k]);
		scene_fini(&s);
		rows_end(&r, &v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_drives_keep_to_the_size),
	    cmocka_unit_test(many_events_are_all_seen),
	    cmocka_unit_test(a_wrong_interval_makes_no_gaps),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
