/*
 * Engines on block devices and under the load thread: a device that loses its end, one with bad
 * blocks, one that hangs. Loop devices are made for it, which needs root.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conductor/load.h"
#include "engine_rig.h"

#define DISK   (UINT64_C(64) * BS)
#define LOCKED (48 << 10) /* the four buffers take 64 KiB */

struct disk {
	int backing, loop;
	char path[64];
};

/* A loop device over memory; skips where none can be had. */
static struct disk make_disk(void)
{
	struct disk d = {.backing = memfd_create("disk", MFD_CLOEXEC), .loop = -1};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	assert_true(d.backing >= 0);
	assert_int_equal(ftruncate(d.backing, DISK), 0);
	/* Another process may take the free one first. */
	for (int i = 0; i < 8 && control >= 0 && d.loop < 0; i++) {
		struct loop_config config = {.fd = (unsigned)d.backing,
					     .info = {.lo_flags = LO_FLAGS_AUTOCLEAR}};
		int n = ioctl(control, LOOP_CTL_GET_FREE);

		snprintf(d.path, sizeof(d.path), "/dev/loop%d", n);
		d.loop = n < 0 ? -1 : open(d.path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (d.loop >= 0 && ioctl(d.loop, LOOP_CONFIGURE, &config)) {
			close(d.loop);
			d.loop = -1;
		}
	}
	if (control >= 0)
		close(control);
	if (d.loop < 0) {
		close(d.backing);
		print_message("# no loop device here, needs root\n");
		skip();
	}
	return d;
}

static void remove_disk(struct disk *d)
{
	close(d->loop); /* detaches it */
	close(d->backing);
}

static struct engine_config on_disk(const struct disk *d, enum op op)
{
	struct engine_config c = writes(d->loop);

	c.op = op;
	c.region_bytes = DISK;
	return c;
}

/* What a drive that is pulled out looks like: the device shrinks under the load. */
static void a_device_that_shrinks_is_gone(void **state)
{
	static const enum op ops_tried[] = {OP_READ, OP_WRITE};
	const struct engine_ops *ops = *state;

	for (int i = 0; i < 2; i++) {
		struct disk d = make_disk();
		struct engine_config c = on_disk(&d, ops_tried[i]);
		struct engine *e = open_engine(ops, &c);

		run_ios(ops, e, 100);
		assert_int_equal(ftruncate(d.backing, DISK / 2), 0);
		assert_int_equal(ioctl(d.loop, LOOP_SET_CAPACITY, 0), 0);
		assert_int_equal(ops->step(e, clock_now_ns() + 60 * NS_PER_S), -ENODEV);
		assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
		ops->close(e);
		remove_disk(&d);
	}
}

/* Blocks behind the backing file's end fail with EIO, the others are still read. */
static void bad_blocks_are_counted(void **state)
{
	const struct engine_ops *ops = *state;
	struct disk d = make_disk();
	struct engine_config c = on_disk(&d, OP_READ);
	struct engine *e = open_engine(ops, &c);
	uint64_t ios;

	run_ios(ops, e, 100);
	assert_int_equal(atomic_load(&counters.errors), 0);
	assert_int_equal(ftruncate(d.backing, DISK / 2), 0);
	while (atomic_load(&counters.errors) < 10)
		assert_int_equal(ops->step(e, clock_now_ns() + 10 * NS_PER_MS), 0);
	assert_int_equal(atomic_load(&counters.last_error), EIO);
	ios = atomic_load(&counters.ios);
	run_ios(ops, e, ios + 100);

	/* None left: the load gives up after a while, not at once. */
	assert_int_equal(ftruncate(d.backing, 0), 0);
	assert_int_equal(ops->step(e, clock_now_ns() + 60 * NS_PER_S), -EIO);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
	ops->close(e);
	remove_disk(&d);
}

/* An empty pipe answers no read until something is written: a hang that can be ended. */
static void hanging_requests_do_not_hold_the_step(void **state)
{
	static const char data[4 * BS];
	const struct engine_ops *ops = *state;
	struct engine_config c;
	struct engine *e;
	int64_t start;
	int ends[2];

	/* libaio waits for a pipe within io_submit(). */
	if (strcmp(ops->name, "io_uring") != 0)
		return;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	c = writes(ends[0]);
	c.op = OP_READ;
	e = open_engine(ops, &c);
	start = clock_now_ns();
	assert_int_equal(ops->step(e, start + 100 * NS_PER_MS), 0);
	assert_int_equal(ops->drain(e, 100 * NS_PER_MS), -EBUSY);
	assert_true(clock_now_ns() - start < 10 * NS_PER_S);
	assert_int_equal(atomic_load(&counters.ios), 0);
	assert_true(atomic_load(&counters.busy_ns) > 0);
	assert_int_equal(write(ends[1], data, sizeof(data)), sizeof(data));
	close(ends[1]);
	assert_int_equal(ops->drain(e, 10 * NS_PER_S), 0);
	ops->close(e);
	close(ends[0]);
}

/* As an ordinary user with room for the ring but not for the buffers: 0 if it runs, and says what
 * it does without. */
static int run_with_little_locked_memory(const struct engine_ops *ops, int fd)
{
	const struct rlimit limit = {LOCKED, LOCKED};
	struct engine_config c = writes(fd);
	struct engine *e = NULL;
	char why[200] = "";

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(65534) || setuid(65534))
		return 2;
	if (ops->open(&e, &c, why, sizeof(why)))
		return 3;
	while (atomic_load(&counters.ios) < 100)
		if (ops->step(e, clock_now_ns() + NS_PER_MS))
			return 4;
	if (ops->drain(e, 10 * NS_PER_S))
		return 5;
	ops->close(e);
	return strcmp(ops->name, "io_uring") == 0 && !strstr(why, "ulimit -l") ? 6 : 0;
}

static void little_locked_memory_is_enough(void **state)
{
	char path[600];
	int fd, status = 0;
	pid_t child;

	if (geteuid() != 0) {
		print_message("# needs root, to become an ordinary user\n");
		skip();
	}
	fd = open_file(path, sizeof(path));
	fflush(NULL);
	child = fork();
	if (!child)
		_exit(run_with_little_locked_memory(*state, fd));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	close(fd);
	unlink(path);
}

static uint64_t bytes_of(struct load *l)
{
	static struct load_snapshot s;

	load_take(l, &s);
	return s.bytes;
}

#define WAIT_FOR(condition)                                        \
	do {                                                       \
		int64_t limit_ns = clock_now_ns() + 10 * NS_PER_S; \
		while (!(condition) && clock_now_ns() < limit_ns)  \
			usleep(2000);                              \
		assert_true(condition);                            \
	} while (0)

/* Holes and zeros are told from data. */
static void blank_reads_are_counted(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600];
	int fd = open_file(path, sizeof(path));
	struct engine_config c = writes(fd);
	struct engine *e;
	uint64_t blank;

	c.op = OP_READ;
	e = open_engine(ops, &c);
	run_ios(ops, e, 13);
	assert_int_equal(atomic_load(&counters.blank), atomic_load(&counters.ios));
	assert_int_equal(ops->set_op(e, OP_WRITE), 0);
	run_ios(ops, e, atomic_load(&counters.ios) + 30);
	blank = atomic_load(&counters.blank);
	assert_int_equal(ops->set_op(e, OP_READ), 0);
	run_ios(ops, e, atomic_load(&counters.ios) + 30);
	assert_int_equal(atomic_load(&counters.blank), blank);
	ops->close(e);
	close(fd);
	unlink(path);
}

/* The engine in its thread: reads, writes, pauses, goes on, ends; the file shows it. */
static void the_load_thread_drives_it(void **state)
{
	const struct engine_ops *ops = *state;
	char path[600], why[200], *data;
	int fd = open_file(path, sizeof(path)), err;
	struct engine_config c = writes(fd);
	struct load *l = NULL;
	uint64_t bytes;

	c.op = OP_READ;
	c.counters = NULL;
	assert_int_equal(load_start(&l, ops, &c, why, sizeof(why)), 0);
	WAIT_FOR(bytes_of(l) > 2 * REGION);
	data = read_back(path);
	assert_int_equal(data[0], 0);
	free(data);
	assert_int_equal(load_set_op(l, OP_WRITE), 0);
	bytes = bytes_of(l);
	WAIT_FOR(bytes_of(l) > bytes + 20 * REGION);
	load_pause(l, true);
	WAIT_FOR(load_status(l, &err) == LOAD_PAUSED);
	bytes = bytes_of(l);
	usleep(20000);
	assert_int_equal(bytes_of(l), bytes);
	load_pause(l, false);
	WAIT_FOR(bytes_of(l) > bytes);
	assert_int_equal(load_stop(l, 10 * NS_PER_S), 0);
	data = read_back(path);
	for (size_t at = 0; at < REGION; at += SECTOR)
		assert_true(memcmp(data + at, data + REGION, SECTOR) != 0);
	free(data);
	close(fd);
	unlink(path);
}

static const struct engine_test tests[] = {
    {TEST(a_device_that_shrinks_is_gone)},
    {TEST(bad_blocks_are_counted)},
    {TEST(hanging_requests_do_not_hold_the_step)},
    {TEST(little_locked_memory_is_enough)},
    {TEST(blank_reads_are_counted)},
    {TEST(the_load_thread_drives_it)},
};

int main(void)
{
	return run_with_each_engine("engine_device", tests, sizeof(tests) / sizeof(*tests));
}
