/* The write guard: what it refuses and what it lets through, on loop devices and fake trees. */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "throttlog/guard.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

static char dir[64], why[512];

/* Runs a shell command; its first line of output without the line end goes to `out`. */
__attribute__((format(printf, 3, 4))) static int sh(char *out, size_t size, const char *format, ...)
{
	char command[1024], line[256];
	va_list args;
	FILE *f;
	bool first = true;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	f = popen(command, "r"); /* NOLINT(cert-env33-c): fixed commands */
	assert_non_null(f);
	out[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (first)
			text_format(out, size, "%s", line);
		first = false;
	}
	return pclose(f);
}

static char out[256];

/* A loop device of 64 MiB over a sparse file; NULL where there are none. */
static struct target *loop_new(const char *name)
{
	struct target *t = calloc(1, sizeof(*t));
	struct stat st;

	assert_non_null(t);
	if (geteuid() != 0 ||
	    sh(out, sizeof(out), "truncate -s 64M %s/%s && losetup -P --show -f %s/%s 2>/dev/null",
	       dir, name, dir, name) != 0) {
		free(t);
		return NULL;
	}
	t->kind = TARGET_BLOCK;
	text_format(t->name, sizeof(t->name), "%s", out);
	text_format(t->node, sizeof(t->node), "%s", out);
	text_format(t->kernel, sizeof(t->kernel), "%s", out + 5);
	text_format(t->disk, sizeof(t->disk), "%s", t->kernel);
	assert_int_equal(stat(t->node, &st), 0);
	t->dev = st.st_rdev;
	return t;
}

static void loop_free(struct target *t)
{
	sh(out, sizeof(out), "losetup -d %s", t->name);
	free(t);
}

#define LOOP_OR_SKIP(t, name)                                   \
	struct target *t = loop_new(name);                      \
	if (!t) {                                               \
		print_message("needs root and loop devices\n"); \
		skip();                                         \
	}

static int try_write(const struct target *t, bool destructive, const char *confirm, bool typed)
{
	struct guard_request r = {destructive, confirm, typed};
	struct write_permit *permit = NULL;
	int fd = -1, err = guard_open_write(t, &r, &fd, &permit, why, sizeof(why));

	if (err) {
		assert_int_equal(fd, -1);
		assert_null(permit);
		assert_true(why[0]);
		return err;
	}
	assert_true(write_permit_allows(permit, fd));
	assert_false(write_permit_allows(permit, fd + 1));
	assert_true(fcntl(fd, F_GETFL) & O_DIRECT);
	write_permit_revoke(permit);
	assert_false(write_permit_allows(permit, fd));
	write_permit_free(permit);
	close(fd);
	return 0;
}

static void needs_destructive_and_confirm(void **state)
{
	(void)state;
	LOOP_OR_SKIP(t, "plain");
	assert_int_equal(try_write(t, false, t->kernel, false), -EPERM);
	assert_non_null(strstr(why, "--destructive"));
	assert_int_equal(try_write(t, true, NULL, false), -EPERM);
	assert_non_null(strstr(why, "--confirm"));
	assert_int_equal(try_write(t, true, "loop", false), -EPERM);
	assert_int_equal(try_write(t, true, "", false), -EPERM);
	assert_int_equal(try_write(t, true, t->kernel, false), 0);
	/* Where there is a serial, the kernel's name does not do. */
	strcpy(t->drive.serial, "S123");
	assert_int_equal(try_write(t, true, t->kernel, false), -EPERM);
	assert_int_equal(try_write(t, true, "S123", false), 0);
	/* A loop device has the serial of a drive below it, which is not what is written. */
	strcpy(t->drive.transport, "loop");
	assert_int_equal(try_write(t, true, "S123", false), -EPERM);
	assert_int_equal(try_write(t, true, t->kernel, false), 0);
	loop_free(t);
}

static void refuses_other_device(void **state)
{
	(void)state;
	LOOP_OR_SKIP(t, "moved");
	t->dev++;
	assert_int_equal(try_write(t, true, t->kernel, false), -EPERM);
	loop_free(t);
}

static void refuses_signature(void **state)
{
	(void)state;
	LOOP_OR_SKIP(t, "signed");
	assert_int_equal(sh(out, sizeof(out), "mkfs.ext4 -q %s", t->node), 0);
	assert_int_equal(try_write(t, true, t->kernel, false), -EPERM);
	assert_non_null(strstr(why, "ext4"));
	strcpy(t->drive.serial, "S123");
	assert_int_equal(try_write(t, true, "S123", true), -EPERM);
	assert_int_equal(try_write(t, true, "S123", false), 0);
	loop_free(t);
}

/* A DOS partition table with one partition from sector 2048 to the end. */
static void write_partition_table(const char *node)
{
	static const unsigned char entry[16] = {0, 0, 0, 0, 0x83, 0,    0, 0,
						0, 8, 0, 0, 0,    0xf8, 1, 0};
	unsigned char sector[512] = {0};
	int fd = open(node, O_RDWR | O_CLOEXEC);

	memcpy(sector + 446, entry, sizeof(entry));
	sector[510] = 0x55;
	sector[511] = 0xaa;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, sector, sizeof(sector)), sizeof(sector));
	fsync(fd);
	close(fd);
}

/* Adds or deletes partition 1 in the kernel, which need not know the table's format for that. */
static int change_partition(const char *node, int op)
{
	struct blkpg_partition p = {.start = 1 << 20, .length = 63 << 20, .pno = 1};
	struct blkpg_ioctl_arg arg = {.op = op, .datalen = sizeof(p), .data = &p};
	int fd = open(node, O_RDONLY | O_CLOEXEC), result;

	assert_true(fd >= 0);
	result = ioctl(fd, BLKPG, &arg);
	close(fd);
	return result;
}

static void refuses_partition_table(void **state)
{
	(void)state;
	LOOP_OR_SKIP(t, "table");
	write_partition_table(t->node);
	assert_int_equal(try_write(t, true, t->kernel, false), -EPERM);
	assert_non_null(strstr(why, "partition table"));
	loop_free(t);
}

static void refuses_mounted(void **state)
{
	char where[96];

	(void)state;
	LOOP_OR_SKIP(t, "mounted");
	strcpy(t->drive.serial, "S123");
	text_format(where, sizeof(where), "%s/a b", dir);
	assert_int_equal(sh(out, sizeof(out), "mkfs.ext4 -q %s", t->node), 0);
	assert_int_equal(mkdir(where, 0700), 0);
	assert_int_equal(mount(t->node, where, "ext4", 0, NULL), 0);
	assert_int_equal(try_write(t, true, "S123", false), -EBUSY);
	assert_non_null(strstr(why, where));
	assert_int_equal(umount(where), 0);
	assert_int_equal(try_write(t, true, "S123", false), 0);
	rmdir(where);
	loop_free(t);
}

static void refuses_mounted_partition(void **state)
{
	char where[96], part[300];
	int fd;

	(void)state;
	LOOP_OR_SKIP(t, "parts");
	strcpy(t->drive.serial, "S123");
	text_format(where, sizeof(where), "%s/p", dir);
	text_format(part, sizeof(part), "%sp1", t->node);
	change_partition(t->node, BLKPG_DEL_PARTITION);
	if (change_partition(t->node, BLKPG_ADD_PARTITION) || access(part, F_OK)) {
		loop_free(t);
		print_message("no partitions on loop devices here\n");
		skip();
	}
	assert_int_equal(sh(out, sizeof(out), "mkfs.ext4 -q %s", part), 0);
	assert_int_equal(mkdir(where, 0700), 0);
	assert_int_equal(mount(part, where, "ext4", 0, NULL), 0);
	assert_int_equal(try_write(t, true, "S123", false), -EBUSY);
	assert_non_null(strstr(why, where));
	assert_int_equal(umount(where), 0);
	assert_int_equal(try_write(t, true, "S123", false), 0);
	/* Unmounted, but another program holds the partition. */
	fd = open(part, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(try_write(t, true, "S123", false), -EBUSY);
	close(fd);
	change_partition(t->node, BLKPG_DEL_PARTITION);
	rmdir(where);
	loop_free(t);
}

static void refuses_exclusive(void **state)
{
	int fd;

	(void)state;
	LOOP_OR_SKIP(t, "claimed");
	fd = open(t->node, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(try_write(t, true, t->kernel, false), -EBUSY);
	close(fd);
	loop_free(t);
}

static void refuses_loop_below_loop(void **state)
{
	char upper[64];

	(void)state;
	LOOP_OR_SKIP(t, "below");
	assert_int_equal(sh(upper, sizeof(upper), "losetup --show -f %s", t->node), 0);
	assert_int_equal(try_write(t, true, t->kernel, false), -EBUSY);
	assert_non_null(strstr(why, upper));
	sh(out, sizeof(out), "losetup -d %s", upper);
	loop_free(t);
}

/* A tree of a disk "sdx" with a partition, held by dm-7 named "vault", and swap tables. */
static void fake_tree(const char *root)
{
	assert_int_equal(
	    sh(out, sizeof(out),
	       "set -e; cd %s; mkdir -p sys/devices/sdx/sdx1/holders/dm-7 "
	       "sys/devices/sdx/holders sys/devices/sdx/sdx2/holders "
	       "sys/class/block sys/devices/dm-7/dm proc/self; "
	       "echo 250:0 >sys/devices/sdx/dev; echo 250:1 >sys/devices/sdx/sdx1/dev; "
	       "echo 250:2 >sys/devices/sdx/sdx2/dev; "
	       "echo 1 >sys/devices/sdx/sdx1/partition; "
	       "echo 2 >sys/devices/sdx/sdx2/partition; "
	       "echo vault >sys/devices/dm-7/dm/name; "
	       "for d in sdx sdx/sdx1 sdx/sdx2 dm-7; do "
	       "ln -s ../../devices/$d sys/class/block/; done; "
	       ": >proc/self/mountinfo; : >proc/swaps",
	       root),
	    0);
}

static void holders_and_tables(void **state)
{
	char root[96];

	(void)state;
	text_format(root, sizeof(root), "%s/tree", dir);
	assert_int_equal(mkdir(root, 0700), 0);
	fake_tree(root);
	sysfs_set_root(root);
	assert_int_equal(guard_check_unused("sdx", why, sizeof(why)), -EBUSY);
	assert_non_null(strstr(why, "sdx1"));
	assert_non_null(strstr(why, "vault"));
	assert_int_equal(guard_check_unused("sdx1", why, sizeof(why)), -EBUSY);
	/* Its neighbour is free, until the whole disk is held. */
	assert_int_equal(guard_check_unused("sdx2", why, sizeof(why)), 0);
	sh(out, sizeof(out), "mkdir %s/sys/devices/sdx/holders/md0", root);
	assert_int_equal(guard_check_unused("sdx2", why, sizeof(why)), -EBUSY);
	assert_non_null(strstr(why, "md0"));
	sh(out, sizeof(out),
	   "rm -r %s/sys/devices/sdx/holders/md0 %s/sys/devices/sdx/sdx1/holders/dm-7", root, root);
	assert_int_equal(guard_check_unused("sdx", why, sizeof(why)), 0);
	sh(out, sizeof(out),
	   "printf '%%s\\n' '30 1 250:2 / /mnt/my\\040disk rw - ext4 /dev/x rw' "
	   ">%s/proc/self/mountinfo",
	   root);
	assert_int_equal(guard_check_unused("sdx", why, sizeof(why)), -EBUSY);
	assert_non_null(strstr(why, "/mnt/my disk"));
	/* What cannot be read is no permission. */
	sh(out, sizeof(out), "rm %s/proc/self/mountinfo", root);
	assert_true(guard_check_unused("sdx", why, sizeof(why)) < 0);
	sh(out, sizeof(out), ": >%s/proc/self/mountinfo; rm %s/proc/swaps", root, root);
	assert_true(guard_check_unused("sdx", why, sizeof(why)) < 0);
	assert_true(guard_check_unused("nothere", why, sizeof(why)) < 0);
	sysfs_set_root(NULL);
}

static void swap_source_is_found(void **state)
{
	char root[96];

	(void)state;
	LOOP_OR_SKIP(t, "swap");
	text_format(root, sizeof(root), "%s/swaptree", dir);
	assert_int_equal(sh(out, sizeof(out),
			    "set -e; mkdir -p %s/proc/self; ln -s /sys %s/sys; "
			    ": >%s/proc/self/mountinfo; "
			    "printf 'Filename Type\\n%s partition 8 0 -2\\n' >%s/proc/swaps",
			    root, root, root, t->node, root),
			 0);
	sysfs_set_root(root);
	assert_int_equal(guard_check_unused(t->kernel, why, sizeof(why)), -EBUSY);
	assert_non_null(strstr(why, "swapoff"));
	sysfs_set_root(NULL);
	loop_free(t);
}

static struct target file;

/* A file-mode target below the directory of the tests. */
static struct target *file_target(const char *name)
{
	memset(&file, 0, sizeof(file));
	file.kind = TARGET_FILE;
	file.directory = true;
	text_format(file.name, sizeof(file.name), "%s/%s", dir, name);
	text_format(file.node, sizeof(file.node), "%s/%s", dir, name);
	return &file;
}

static void file_leaves_nothing(void **state)
{
	struct target *t = file_target("files");
	struct write_permit *permit = NULL;
	uint64_t bytes = 8 << 20;
	struct stat st;
	int fd = -1, err;

	(void)state;
	assert_int_equal(mkdir(t->node, 0700), 0);
	err = guard_create_file(t, &bytes, &fd, &permit, why, sizeof(why));
	if (err == -EINVAL) {
		print_message("the file system of the tests has no O_DIRECT\n");
		skip();
	}
	assert_int_equal(err, 0);
	assert_int_equal(bytes, 8 << 20);
	assert_true(write_permit_allows(permit, fd));
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 8 << 20);
	assert_int_equal(st.st_nlink, 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* An empty directory can be removed: there is no name. */
	assert_int_equal(rmdir(t->node), 0);
	write_permit_free(permit);
	close(fd);
}

static void file_keeps_space_free(void **state)
{
	struct target *t = file_target("");
	struct write_permit *permit = NULL;
	uint64_t bytes = UINT64_C(1) << 60;
	int fd = -1;

	(void)state;
	assert_int_equal(guard_create_file(t, &bytes, &fd, &permit, why, sizeof(why)), -ENOSPC);
	assert_non_null(strstr(why, "--region"));
	assert_int_equal(fd, -1);
}

/* 64 MiB in all: the default is half of what is free, and a tenth of the whole stays free. */
static void file_default_is_half(void **state)
{
	struct target *t = file_target("small.d");
	struct write_permit *permit = NULL;
	uint64_t bytes = 0;
	int fd = -1;

	(void)state;
	LOOP_OR_SKIP(loop, "small");
	assert_int_equal(mkdir(t->node, 0700), 0);
	assert_int_equal(sh(out, sizeof(out), "mkfs.ext4 -q -m 0 %s", loop->node), 0);
	assert_int_equal(mount(loop->node, t->node, "ext4", 0, NULL), 0);
	assert_int_equal(guard_create_file(t, &bytes, &fd, &permit, why, sizeof(why)), 0);
	assert_in_range(bytes, 20 << 20, 32 << 20);
	write_permit_free(permit);
	close(fd);
	bytes = 58 << 20;
	assert_int_equal(guard_create_file(t, &bytes, &fd, &permit, why, sizeof(why)), -ENOSPC);
	assert_int_equal(umount(t->node), 0);
	loop_free(loop);
}

static void existing_file_is_never_written(void **state)
{
	struct target *t = file_target("kept");
	struct guard_request r = {true, "x", false};
	struct write_permit *permit = NULL;
	uint64_t bytes = 0;
	int fd = -1;

	(void)state;
	t->directory = false;
	t->exists = true;
	sh(out, sizeof(out), "echo data >%s", t->node);
	assert_int_equal(guard_create_file(t, &bytes, &fd, &permit, why, sizeof(why)), -EPERM);
	assert_int_equal(guard_open_write(t, &r, &fd, &permit, why, sizeof(why)), -EPERM);
	if (guard_open_read(t, &fd, why, sizeof(why)) == 0) {
		assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
		/* Not O_NONBLOCK: io_uring fails what would have to wait. */
		assert_int_equal(fcntl(fd, F_GETFL) & (O_NONBLOCK | O_DIRECT), O_DIRECT);
		close(fd);
	}
}

static void no_permit_allows_nothing(void **state)
{
	(void)state;
	assert_false(write_permit_allows(NULL, 3));
	write_permit_revoke(NULL);
	write_permit_free(NULL);
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/throttlog-guard-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	/* What a failed test left behind. */
	sh(out, sizeof(out),
	   "umount %s/* 2>/dev/null; for f in %s/*; do losetup -j $f | cut -d: -f1 | "
	   "xargs -r losetup -d; done; rm -rf %s",
	   dir, dir, dir);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(needs_destructive_and_confirm),
	    cmocka_unit_test(refuses_other_device),
	    cmocka_unit_test(refuses_signature),
	    cmocka_unit_test(refuses_partition_table),
	    cmocka_unit_test(refuses_mounted),
	    cmocka_unit_test(refuses_mounted_partition),
	    cmocka_unit_test(refuses_exclusive),
	    cmocka_unit_test(refuses_loop_below_loop),
	    cmocka_unit_test(holders_and_tables),
	    cmocka_unit_test(swap_source_is_found),
	    cmocka_unit_test(file_leaves_nothing),
	    cmocka_unit_test(file_keeps_space_free),
	    cmocka_unit_test(file_default_is_half),
	    cmocka_unit_test(existing_file_is_never_written),
	    cmocka_unit_test(no_permit_allows_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
