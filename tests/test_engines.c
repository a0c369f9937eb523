/*
 * One set of tests for every engine that drives a real file: what is on the disk afterwards,
 * what the kernel counted, what happens at the end of the space and of the file.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_rig.h"
#include "throttlog/alloc.h"

static int compare_sectors(const void *a, const void *b)
{
	return memcmp(a, b, SECTOR);
}

/* Bits a byte that the frequencies of its bytes allow; 4096 random bytes have about 7.95. */
static double entropy(const char *data, size_t bytes)
{
	size_t n[256] = {0};
	double bits = 0;

	for (size_t i = 0; i < bytes; i++)
		n[(unsigned char)data[i]]++;
	for (int i = 0; i < 256; i++)
		if (n[i])
			bits -= (double)n[i] * log2((double)n[i] / (double)bytes);
	return bits / (double)bytes;
}

/* No logical block equals another, within a pass and between two, and none compresses. */
static void data_neither_repeat_nor_compress(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600], *passes = xmalloc(2 * REGION);
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e = open_engine(ops, &c);

	for (size_t i = 0; i < 2; i++) {
		char *data;

		run_ios(ops, e, atomic_load(&counters.ios) + 13);
		data = read_back(path);
		memcpy(passes + i * REGION, data, REGION);
		for (size_t at = 0; at < BEYOND; at++)
			assert_int_equal(data[REGION + at], 0);
		for (size_t at = 0; at < REGION; at += 4096)
			assert_true(entropy(data + at, 4096) > 7.9);
		free(data);
		/* A read amid the writes spoils the buffers' noise: it must come back. */
		assert_int_equal(ops->set_op(e, OP_READ), 0);
		run_ios(ops, e, atomic_load(&counters.ios) + 8);
		assert_int_equal(ops->set_op(e, OP_WRITE), 0);
	}
	qsort(passes, 2 * REGION / SECTOR, SECTOR, compare_sectors);
	for (size_t i = 1; i < 2 * REGION / SECTOR; i++)
		assert_true(memcmp(passes + (i - 1) * SECTOR, passes + i * SECTOR, SECTOR) != 0);
	ops->close(e);
	free(passes);
	close(fd);
	unlink(path);
}

/* Bytes of storage I/O that the kernel counted for this process; false if it does not count. */
static bool kernel_count(const char *key, uint64_t *bytes)
{
	FILE *f = fopen("/proc/self/io", "re");
	unsigned long long value;
	bool found = false;
	char name[32];

	while (f && !found && fscanf(f, "%31[^:]: %llu\n", name, &value) == 2)
		if (!strcmp(name, key)) {
			*bytes = value;
			found = true;
		}
	if (f)
		fclose(f);
	return found;
}

static void bytes_are_those_the_kernel_counted(void **state)
{
	static const char *const keys[] = {"read_bytes", "write_bytes"};
	const struct engine_ops *ops = *state;
	char path[600];
	int fd = open_file(path, sizeof(path));

	for (int write = 0; write < 2; write++) {
		struct engine_config c = writes(fd);
		struct engine *e;
		uint64_t before, after, bytes;

		c.op = write ? OP_WRITE : OP_READ;
		e = open_engine(ops, &c);
		if (!kernel_count(keys[write], &before))
			skip();
		run_ios(ops, e, 500);
		assert_true(kernel_count(keys[write], &after));
		bytes = atomic_load(&counters.bytes);
		assert_true(atomic_load(&counters.ios) >= 500);
		/* Inodes and such come on top. */
		assert_in_range(after - before, bytes, bytes + bytes / 50);
		ops->close(e);
	}
	close(fd);
	unlink(path);
}

/* One at a time, so that the place after n requests is known. */
static void sequential_wraps_at_the_region(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600];
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e;
	uint64_t ios;

	c.queue_depth = 1;
	c.start_bytes = 5 * BS;
	e = open_engine(ops, &c);
	assert_int_equal(ops->position(e), 5 * BS);
	run_ios(ops, e, 30);
	ios = atomic_load(&counters.ios);
	assert_int_equal(ops->position(e), (5 + ios) % 13 * BS);
	/* Blocks done so far, the last of each pass being short. */
	assert_int_equal(atomic_load(&counters.bytes), ios * BS - (5 + ios) / 13 * (BS - 4096));
	ops->close(e);
	close(fd);
	unlink(path);
}

static void random_writes_cover_and_stay_inside(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600], *data;
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e;

	c.random = true;
	e = open_engine(ops, &c);
	run_ios(ops, e, UINT64_C(13) * 20);
	data = read_back(path);
	for (uint64_t at = 0; at < REGION; at += 4096)
		assert_true(entropy(data + at, 4096) > 7.9);
	for (uint64_t at = REGION; at < REGION + BEYOND; at++)
		assert_int_equal(data[at], 0);
	free(data);
	ops->close(e);
	close(fd);
	unlink(path);
}

/* One buffer: whatever the number of passes, all but the first words of sectors are the same. */
static void the_seed_makes_the_data(void **state)
{
	static const uint64_t seeds[] = {5, 5, 6};
	const struct engine_ops *ops = *state;
	char *data[3];

	for (int i = 0; i < 3; i++) {
		char path[600];
		int fd = open_file(path, sizeof(path));
		struct engine_config c = writes(fd);
		struct engine *e;

		c.queue_depth = 1;
		c.seed = seeds[i];
		e = open_engine(ops, &c);
		run_ios(ops, e, 13);
		ops->close(e);
		data[i] = read_back(path);
		close(fd);
		unlink(path);
	}
	for (size_t at = 0; at < REGION; at += SECTOR) {
		assert_memory_equal(data[0] + at + 8, data[1] + at + 8, SECTOR - 8);
		assert_memory_not_equal(data[0] + at + 8, data[2] + at + 8, SECTOR - 8);
	}
	for (int i = 0; i < 3; i++)
		free(data[i]);
}

static void writing_needs_the_permit(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600], why[200] = "";
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e = NULL;

	permit.fd = fd + 1;
	assert_int_equal(ops->open(&e, &c, why, sizeof(why)), -EPERM);
	assert_true(why[0] != '\0');
	c.permit = NULL;
	assert_int_equal(ops->open(&e, &c, why, sizeof(why)), -EPERM);
	c.op = OP_READ;
	e = open_engine(ops, &c);
	run_ios(ops, e, 5);
	assert_int_equal(ops->set_op(e, OP_WRITE), -EPERM);
	ops->close(e);

	c = writes(fd);
	e = open_engine(ops, &c);
	run_ios(ops, e, 5);
	atomic_store(&permit.revoked, true);
	assert_int_equal(ops->step(e, clock_now_ns() + 10 * NS_PER_S), -EPERM);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
	ops->close(e);
	close(fd);
	unlink(path);
}

/* The step ends at once, not at its time. */
static void the_end_of_the_file_ends_the_load(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600];
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e;
	int64_t start;

	c.op = OP_READ;
	e = open_engine(ops, &c);
	run_ios(ops, e, 20);
	assert_int_equal(ftruncate(fd, 4 * BS + 100), 0);
	start = clock_now_ns();
	assert_int_equal(ops->step(e, start + 60 * NS_PER_S), -ENODATA);
	assert_true(clock_now_ns() - start < 30 * NS_PER_S);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
	ops->close(e);
	close(fd);
	unlink(path);
}

static void a_limit_of_size_ends_the_load(void **state)
{
	const struct engine_ops *ops = *state;
	struct rlimit old, limit;
	char path[600];
	int fd = open_file(path, sizeof(path)), err;
	struct engine_config c = writes(fd);
	struct engine *e = open_engine(ops, &c);

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 4 * BS;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	err = ops->step(e, clock_now_ns() + 60 * NS_PER_S);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
	ops->close(e);
	close(fd);
	unlink(path);
}

#define CHILD_SKIPS 77

/* In a mount namespace of its own: a tmpfs with room for half of the region. */
static int fill_small_disk(const struct engine_ops *ops)
{
	struct engine_config c;
	struct engine *e = NULL;
	char why[200], path[600];
	int fd, err;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("small", dir, "tmpfs", 0, "size=98304"))
		return CHILD_SKIPS;
	snprintf(path, sizeof(path), "%s/full", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return 2;
	c = writes(fd);
	err = ops->open(&e, &c, why, sizeof(why));
	if (err)
		return 3;
	err = ops->step(e, clock_now_ns() + 60 * NS_PER_S);
	if (err != -ENOSPC || atomic_load(&counters.last_error) != ENOSPC)
		return 4;
	if (ops->drain(e, 10 * NS_PER_S))
		return 5;
	ops->close(e);
	return atomic_load(&counters.bytes) <= 98304 ? 0 : 6;
}

static void a_full_disk_ends_the_load(void **state)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		_exit(fill_small_disk(*state));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_SKIPS) {
		print_message("# no mount namespace, needs root\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

static const struct engine_test tests[] = {
    {TEST(data_neither_repeat_nor_compress)},  {TEST(bytes_are_those_the_kernel_counted)},
    {TEST(sequential_wraps_at_the_region)},    {TEST(random_writes_cover_and_stay_inside)},
    {TEST(the_seed_makes_the_data)},           {TEST(writing_needs_the_permit)},
    {TEST(the_end_of_the_file_ends_the_load)}, {TEST(a_limit_of_size_ends_the_load)},
    {TEST(a_full_disk_ends_the_load)},
};

int main(void)
{
	return run_with_each_engine("engines", tests, sizeof(tests) / sizeof(*tests));
}
