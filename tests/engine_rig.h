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

#endif
