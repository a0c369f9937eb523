/* The line view: columns, counters as changes, events, units, several drives. */
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/sink.h"
#include "throttlog/view.h"
#include "view_fixture.h"

/* Points stdout at a file of ours while a sink prints. */
struct capture {
	FILE *file;
	int saved;
};

static struct capture capture_start(void)
{
	struct capture c = {tmpfile(), dup(STDOUT_FILENO)};

	assert_non_null(c.file);
	fflush(stdout);
	assert_true(dup2(fileno(c.file), STDOUT_FILENO) >= 0);
	return c;
}

/* What was printed; the caller frees it. */
static char *capture_end(struct capture *c)
{
	char *text = xzalloc(200000);

	fflush(stdout);
	dup2(c->saved, STDOUT_FILENO);
	close(c->saved);
	rewind(c->file);
	assert_true(fread(text, 1, 199999, c->file) > 0);
	fclose(c->file);
	return text;
}

/* What the sink printed for the first `rows` rows of `n` drives; the caller frees it. */
static char *print_rows(size_t n, int rows, bool iec, struct fixture **keep)
{
	struct sink_options options = {.ascii = true};
	struct fixture *f = fixture_new(n);
	struct capture c = capture_start();
	char why[200], *text;
	struct sink *k;

	f->session.iec = iec;
	assert_int_equal(sink_line.open(&k, &f->session, &options, why, sizeof(why)), 0);
	for (int r = 0; r < rows && fixture_step(f); r++)
		for (size_t i = 0; i < n; i++)
			assert_int_equal(sink_line.row(k, &f->session, i), 0);
	assert_int_equal(sink_line.close(k, &f->session), 0);
	text = capture_end(&c);
	if (keep)
		*keep = f;
	else
		fixture_free(f);
	return text;
}

static size_t count_lines(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void one_line_a_row(void **state)
{
	char *text = print_rows(1, 100, false, NULL);

	(void)state;
	assert_int_equal(count_lines(text), 101);
	assert_non_null(strstr(text, "    time  phase "));
	assert_non_null(strstr(text, "MB/s"));
	assert_non_null(strstr(text, " 0:00:40  load "));
	assert_null(strstr(text, "drive"));
	for (const char *p = text; *p; p++)
		assert_true((unsigned char)*p < 0x80);
	free(text);
}

static void counters_show_their_change(void **state)
{
	struct fixture *f;
	char *text = print_rows(1, FIXTURE_ROWS, false, &f), *last = strrchr(text, '\n'), want[32];

	(void)state;
	*last = '\0';
	last = strrchr(text, '\n');
	assert_true(f->tmt1_count[0] > 12);
	snprintf(want, sizeof(want), " %+.0f  %+6.0f ", f->tmt1_count[0] - 12, f->tmt1_s[0] - 340);
	assert_non_null(strstr(last, want));
	assert_non_null(strstr(text, "throttling at 80 C"));
	assert_non_null(strstr(text, "THROTTLED"));
	assert_non_null(strstr(text, "mark: fan on"));
	fixture_free(f);
	free(text);
}

static void several_drives_and_binary_units(void **state)
{
	char *text = print_rows(2, 10, true, NULL);

	(void)state;
	assert_int_equal(count_lines(text), 2 + 1 + 20);
	assert_non_null(strstr(text, "drive 2: TS512GMTE850"));
	assert_non_null(strstr(text, "MiB/s"));
	assert_non_null(strstr(text, "\n    2   0:00:10 "));
	free(text);
}

static void fast_rows_are_thinned_but_events_kept(void **state)
{
	struct sink_options options = {.ascii = true};
	struct fixture *f = fixture_new(1);
	struct session_drive *d = &f->session.drive[0];
	struct capture c = capture_start();
	char *text, why[100];
	struct sink *k;

	(void)state;
	assert_int_equal(sink_line.open(&k, &f->session, &options, why, sizeof(why)), 0);
	for (int i = 1; i <= 100; i++) {
		struct sample row;

		sample_clear(&row);
		row.time_s = i * 0.1;
		row.mb_s = i;
		series_append(&d->run.series, &row);
		if (i == 37)
			series_event(&d->run.series, EVENT_MARK, NAN, "here");
		assert_int_equal(sink_line.row(k, &f->session, 0), 0);
	}
	sink_line.close(k, &f->session);
	text = capture_end(&c);
	/* Header, the first row, the mark and ten whole seconds. */
	assert_int_equal(count_lines(text), 13);
	assert_non_null(strstr(text, "mark: here"));
	/* Rows 91..100 make the last line. */
	assert_non_null(strstr(text, "    95.5 "));
	free(text);
	fixture_free(f);
}

/* How much others ask of the drive, where the load is not ours. */
static void a_watch_has_columns_of_its_own(void **state)
{
	(void)state;
	for (int watch = 0; watch < 2; watch++) {
		struct sink_options options = {.ascii = true};
		struct fixture *f = fixture_new(1);
		struct session_drive *d = &f->session.drive[0];
		struct capture c = capture_start();
		struct sample row;
		char *text, why[100];
		struct sink *k;

		d->can[FIELD_UTIL] = true;
		if (watch)
			d->run.load.op = OP_NONE;
		sample_clear(&row);
		row.time_s = 1;
		row.mb_s = 12;
		row.iops = 345;
		row.util_pct = 67;
		assert_int_equal(sink_line.open(&k, &f->session, &options, why, sizeof(why)), 0);
		series_append(&d->run.series, &row);
		assert_int_equal(sink_line.row(k, &f->session, 0), 0);
		sink_line.close(k, &f->session);
		text = capture_end(&c);
		assert_int_equal(strstr(text, "IOPS  busy %") != NULL, watch);
		assert_int_equal(strstr(text, "12.0      345      67 ") != NULL, watch);
		free(text);
		fixture_free(f);
	}
}

static void clock_and_ascii(void **state)
{
	char buf[64];

	(void)state;
	view_clock(45296, buf, sizeof(buf));
	assert_string_equal(buf, "12:34:56");
	view_clock(NAN, buf, sizeof(buf));
	assert_string_equal(buf, "0:00:00");
	strcpy(buf, "80 °C – µs");
	view_ascii(buf);
	assert_string_equal(buf, "80 C - us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_line_a_row),
	    cmocka_unit_test(counters_show_their_change),
	    cmocka_unit_test(several_drives_and_binary_units),
	    cmocka_unit_test(fast_rows_are_thinned_but_events_kept),
	    cmocka_unit_test(a_watch_has_columns_of_its_own),
	    cmocka_unit_test(clock_and_ascii),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
