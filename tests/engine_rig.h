/* What tests of engines for real drives need: a file for O_DIRECT, a configuration, a way to run.
 */
#ifndef TESTS_ENGINE_RIG_H
#define TESTS_ENGINE_RIG_H

#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own_permit.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/engine.h"

#define BS     UINT64_C(16384)
#define REGION (12 * BS + 4096) /* the last block is a quarter */
#define BEYOND UINT64_C(65536)  /* of the file lies after the region */
#define SECTOR 512

static struct load_counters counters;
static struct write_permit permit;
static char dir[512];

/* A file of zeros on a real file system, open for O_DIRECT; skips where there is none. */
static int open_file(char *path, size_t size)
{
	static char zeros[REGION + BEYOND];
	int fd;

	snprintf(path, size, "%s/engine.XXXXXX", dir);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, zeros, sizeof(zeros)), sizeof(zeros));
	assert_int_equal(fsync(fd), 0);
	close(fd);
	fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
	if (fd < 0) {
		unlink(path);
		print_message("# no O_DIRECT in %s\n", dir);
		skip();
	}
	return fd;
}

static struct engine_config writes(int fd)
{
	permit.fd = fd;
	atomic_store(&permit.revoked, false);
	memset(&counters, 0, sizeof(counters));
	return (struct engine_config){
	    .op = OP_WRITE,
	    .block_bytes = BS,
	    .queue_depth = 4,
	    .fd = fd,
	    .align_bytes = 4096,
	    .region_bytes = REGION,
	    .seed = 1,
	    .permit = &permit,
	    .counters = &counters,
	};
}

static struct engine *open_engine(const struct engine_ops *ops, const struct engine_config *config)
{
	struct engine *e = NULL;
	char why[200] = "";
	int err = ops->open(&e, config, why, sizeof(why));

	if (err)
		print_message("# %s: %s\n", ops->name, why);
	assert_int_equal(err, 0);
	return e;
}

/* Steps until `ios` requests completed, then drains. */
static void run_ios(const struct engine_ops *ops, struct engine *e, uint64_t ios)
{
	while (atomic_load(&counters.ios) < ios)
		assert_int_equal(ops->step(e, clock_now_ns() + NS_PER_MS), 0);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
}

static char *read_back(const char *path)
{
	char *data = xmalloc(REGION + BEYOND);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, data, REGION + BEYOND), REGION + BEYOND);
	close(fd);
	return data;
}

/* A test that is run once for each engine; *state is its struct engine_ops. */
struct engine_test {
	const char *name;
	CMUnitTestFunction run;
};

/* In braces: a row of a table of them. */
#define TEST(f) .name = #f, .run = (f)

/* Returns the number of failed tests. */
static int run_with_each_engine(const char *group, const struct engine_test *tests, size_t n_tests)
{
	const char *build = getenv("BUILD");
	struct CMUnitTest *all = NULL;
	char **names = NULL;
	size_t n = 0;
	int failed;

	snprintf(dir, sizeof(dir), "%s/engines.XXXXXX", build ? build : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 0; engines[i]; i++) {
		if (engines[i]->simulated)
			continue;
		if (engines[i]->probe()) {
			print_message("# %s is refused here, left out\n", engines[i]->name);
			continue;
		}
		all = xreallocarray(all, n + n_tests, sizeof(*all));
		names = xreallocarray(names, n + n_tests, sizeof(char *));
		for (size_t k = 0; k < n_tests; k++, n++) {
			names[n] = xasprintf("%s: %s", engines[i]->name, tests[k].name);
			all[n] = (struct CMUnitTest){
			    .name = names[n],
			    .test_func = tests[k].run,
			    .initial_state = (void *)(uintptr_t)engines[i],
			};
		}
	}
	failed = _cmocka_run_group_tests(group, all, n, NULL, NULL);
	while (n)
		free(names[--n]);
	free(names);
	free(all);
	rmdir(dir);
	return failed;
}

#endif
