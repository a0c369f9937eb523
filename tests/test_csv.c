/* The log on a disk that gets full: whole rows only, and it tells of those that are missing. */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/output_file.h"
#include "throttlog/log.h"
#include "throttlog/sink.h"
#include "view_fixture.h"

static char dir[64], path[128];

/* Writes beyond `bytes` fail, as on a full disk. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static off_t size_of(const char *p)
{
	struct stat st;

	return stat(p, &st) ? -1 : st.st_size;
}

static int setup(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	strcpy(dir, "/tmp/throttlog-csv-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/log.csv", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	limit_files(RLIM_INFINITY);
	unlink(path);
	return rmdir(dir);
}

static struct sink *open_log(struct fixture *f)
{
	struct sink_options options = {.ascii = true};
	struct sink *k;
	char why[400];

	f->session.simulated = true; /* rows are written at once, by this thread */
	strcpy(f->session.drive[0].csv, path);
	assert_int_equal(sink_csv.open(&k, &f->session, &options, why, sizeof(why)), 0);
	return k;
}

static void rows_that_find_no_room_are_told_of(void **state)
{
	struct fixture *f = fixture_new(1);
	struct sink *k = open_log(f);
	struct run run;
	char why[400];
	off_t before;
	size_t told = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_true(fixture_step(f));
		assert_int_equal(sink_csv.row(k, &f->session, 0), 0);
	}
	before = size_of(path);
	/* Room for a part of a row: none of it may stay. */
	limit_files((rlim_t)before + 20);
	for (int i = 0; i < 4; i++) {
		assert_true(fixture_step(f));
		assert_int_not_equal(sink_csv.row(k, &f->session, 0), 0);
		assert_int_equal(size_of(path), before);
	}
	limit_files(RLIM_INFINITY);
	for (int i = 0; i < 2; i++) {
		assert_true(fixture_step(f));
		sink_csv.row(k, &f->session, 0);
	}
	assert_int_not_equal(sink_csv.close(k, &f->session), 0);
	assert_int_equal(log_read(path, NULL, &run, why, sizeof(why), NULL), 0);
	assert_int_equal(run.series.n, 5);
	for (size_t e = 0; e < run.series.n_events; e++)
		if (run.series.events[e].kind == EVENT_LOG_LOST) {
			assert_int_equal(run.series.events[e].row, 3);
			assert_true(run.series.events[e].value == 4);
			told++;
		}
	assert_int_equal(told, 1);
	run_fini(&run);
	fixture_free(f);
}

static void a_log_without_room_for_its_head_is_not_made(void **state)
{
	struct fixture *f = fixture_new(1);
	struct sink_options options = {.ascii = true};
	struct sink *k;
	char why[400] = "";

	(void)state;
	f->session.simulated = true;
	strcpy(f->session.drive[0].csv, path);
	limit_files(50);
	assert_int_equal(sink_csv.open(&k, &f->session, &options, why, sizeof(why)), -EFBIG);
	assert_non_null(strstr(why, path));
	assert_int_equal(size_of(path), -1);
	fixture_free(f);
}

static void a_file_is_whole_or_not_there(void **state)
{
	char data[5000];

	(void)state;
	memset(data, 'x', sizeof(data));
	limit_files(1000);
	assert_int_equal(output_write(path, data, sizeof(data)), -EFBIG);
	assert_int_equal(size_of(path), -1);
	limit_files(RLIM_INFINITY);
	assert_int_equal(output_write(path, data, sizeof(data)), 0);
	assert_int_equal(size_of(path), sizeof(data));
	/* Never over what is there, and not through a link. */
	assert_int_equal(output_write(path, data, 10), -EEXIST);
	assert_int_equal(size_of(path), sizeof(data));
	unlink(path);
	assert_int_equal(symlink("elsewhere", path), 0);
	assert_int_equal(output_write(path, data, 10), -EEXIST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(rows_that_find_no_room_are_told_of, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_log_without_room_for_its_head_is_not_made, setup,
					    teardown),
	    cmocka_unit_test_setup_teardown(a_file_is_whole_or_not_there, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
