/* The picture's file: what is in it, that it is the same each time, and what errors leave. */
#include "cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim_run.h"
#include "throttlog/picture.h"
#include "throttlog/series.h"

static struct run run;
static struct verdict verdict;
static char folder[] = "/tmp/test_picture.XXXXXX";

static int setup(void **state)
{
	struct sim_run r;

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	run_clear(&run);
	run.load.op = OP_WRITE;
	run.interval_s = 1;
	strcpy(run.drive.model, "Drive <A&B>");
	strcpy(run.drive.serial, "SERIAL123456789");
	r = sim_run_phases(sim_new("xg5-p"), OP_WRITE, 20, 200, 60);
	for (int i = 1; i < 280; i++) {
		struct sample row = r.all[i].smart;

		row.time_s = i;
		row.mb_s = r.all[i].mb_s;
		row.bytes = row.mb_s * 1e6;
		row.phase = i <= 20 ? PHASE_BASELINE : i <= 220 ? PHASE_LOAD : PHASE_COOLDOWN;
		row.op = row.phase == PHASE_LOAD ? OP_WRITE : OP_NONE;
		series_append(&run.series, &row);
	}
	sim_run_free(&r);
	verdict_make(&run, &verdict);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	verdict_fini(&verdict);
	run_fini(&run);
	return rmdir(folder); /* fails if a test left a file behind */
}

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int write_picture(const char *path)
{
	struct picture_item item = {&run, &verdict};
	struct picture_options o;

	picture_defaults(&o);
	return picture_write(path, &o, &item, 1, false);
}

/* Contents, ended by NUL; the file is removed. */
static char *take(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *data = xzalloc(4 << 20);

	assert_non_null(f);
	*size = fread(data, 1, (4 << 20) - 1, f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(unlink(path), 0);
	return data;
}

static bool holds(const char *data, size_t size, const char *what)
{
	return memmem(data, size, what, strlen(what)) != NULL;
}

static void test_png(void **state)
{
	static const char *const parts[] = {"IHDR",     "sRGB",    "pHYs", "iTXtTitle",
					    "Software", "Verdict", "IDAT", "IEND"};
	const char *path = path_of("a.png");
	size_t size;
	char *data;

	(void)state;
	assert_int_equal(write_picture(path), 0);
	data = take(path, &size);
	assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
	assert_memory_equal(data + 16, "\0\0\x06\x40\0\0\x03\x84", 8); /* 1600 x 900 */
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!holds(data, size, parts[i]))
			fail_msg("no %s", parts[i]);
	assert_true(holds(data, size, verdict.text));
	assert_true(holds(data, size, "6789"));
	assert_false(holds(data, size, "SERIAL12"));
	free(data);
}

static void test_same_bytes(void **state)
{
	static const char *const names[] = {"a.png", "a.svg", "a.pdf"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *path = path_of(names[i]);
		size_t size[2];
		char *data[2];

		for (int k = 0; k < 2; k++) {
			assert_int_equal(write_picture(path), 0);
			data[k] = take(path, &size[k]);
		}
		assert_int_equal(size[0], size[1]);
		assert_memory_equal(data[0], data[1], size[0]);
		free(data[0]);
		free(data[1]);
	}
}

static void test_svg_text(void **state)
{
	const char *path = path_of("a.svg");
	size_t size;
	char *data;

	(void)state;
	assert_int_equal(write_picture(path), 0);
	data = take(path, &size);
	assert_true(holds(data, size, verdict.text));
	assert_true(holds(data, size, "Drive &lt;A&amp;B&gt;"));
	assert_false(holds(data, size, "<A&B>"));
	assert_false(holds(data, size, "nan"));
	free(data);
}

static void test_errors(void **state)
{
	const char *path = path_of("a.png");
	size_t size;
	FILE *f = fopen(path, "w");
	char *data;

	(void)state;
	assert_non_null(f);
	fputs("kept", f);
	fclose(f);
	assert_int_equal(write_picture(path), -EEXIST);
	data = take(path, &size);
	assert_string_equal(data, "kept");
	free(data);
	assert_int_equal(write_picture(path_of("a.gif")), -EINVAL);
	assert_int_equal(write_picture(path_of("none/a.png")), -ENOENT);
	assert_int_equal(write_picture("/proc/a.png"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_png),
	    cmocka_unit_test(test_same_bytes),
	    cmocka_unit_test(test_svg_text),
	    cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
