/*
 * Is a block device in use? Mounts, swap, holders (dm, md, bcache), loop devices on top of it and
 * the root file system, for the device, its partitions and the disk it is part of.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "throttlog/guard.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

/* A disk has at most 256 minors in the kernel's tables; more partitions count as in use. */
#define DEVICES_MAX 260

struct device {
	char kernel[64];
	dev_t dev;
};

struct use {
	struct device device[DEVICES_MAX];
	size_t n;
	const char *disk; /* whose partitions are being listed */
	char *why;
	size_t size;
};

static int add_device(struct use *u, const char *kernel)
{
	unsigned major, minor;
	char text[32];
	int err = sysfs_text(text, sizeof(text), "/sys/class/block/%s/dev", kernel);

	if (err)
		return err;
	if (u->n == DEVICES_MAX)
		return -E2BIG;
	/* The kernel's own text: two decimal numbers. */
	if (sscanf(text, "%u:%u", &major, &minor) != 2) /* NOLINT(cert-err34-c) */
		return -EINVAL;
	text_format(u->device[u->n].kernel, sizeof(u->device[0].kernel), "%s", kernel);
	u->device[u->n++].dev = makedev(major, minor);
	return 0;
}

static int add_partition(const char *entry, void *data)
{
	struct use *u = data;

	if (!sysfs_exists("/sys/class/block/%s/%s/partition", u->disk, entry))
		return 0;
	return add_device(u, entry);
}

static const struct device *used_as(const struct use *u, dev_t dev)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->device[i].dev == dev)
			return &u->device[i];
	return NULL;
}

static const struct device *used_node(const struct use *u, const char *path)
{
	struct stat st;

	if (path[0] != '/' || stat(path, &st) || !S_ISBLK(st.st_mode))
		return NULL;
	return used_as(u, st.st_rdev);
}

/* mountinfo and swaps write blanks in names as "\040". */
static void unescape(char *s)
{
	char *out = s;

	while (*s) {
		unsigned code;

		if (s[0] == '\\' && sscanf(s + 1, "%3o", &code) == 1) { /* NOLINT(cert-err34-c) */
			*out++ = (char)code;
			s += strnlen(s, 4);
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

/*
 * One line of mountinfo (proc(5)): "ID PARENT MAJOR:MINOR ROOT WHERE OPTIONS ... - TYPE SOURCE
 * OPTIONS". btrfs gives an anonymous device number, so the source counts too.
 */
static int check_mount(struct use *u, char *line)
{
	char *field[5] = {0}, *save = NULL, *source, *tail = strstr(line, " - ");
	unsigned major, minor;
	const struct device *d;

	if (!tail)
		return 0;
	*tail = '\0';
	field[0] = strtok_r(line, " ", &save);
	for (int i = 1; i < 5; i++)
		field[i] = strtok_r(NULL, " ", &save);
	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers */
	if (!field[4] || sscanf(field[2], "%u:%u", &major, &minor) != 2)
		return 0;
	strtok_r(tail + 3, " ", &save);
	source = strtok_r(NULL, " \n", &save);
	unescape(field[4]);
	d = used_as(u, makedev(major, minor));
	if (!d && source) {
		unescape(source);
		d = used_node(u, source);
	}
	if (!d)
		return 0;
	text_format(u->why, u->size, "/dev/%s is mounted on %s: unmount it first", d->kernel,
		    field[4]);
	return -EBUSY;
}

static int check_swap(struct use *u, char *line)
{
	const struct device *d;

	line[strcspn(line, " \t")] = '\0';
	unescape(line);
	d = used_node(u, line);
	if (!d)
		return 0;
	text_format(u->why, u->size, "/dev/%s is swap space: run swapoff /dev/%s first", d->kernel,
		    d->kernel);
	return -EBUSY;
}

/* A table that cannot be read counts as a reason to refuse. */
static int check_lines(struct use *u, const char *file, int (*check)(struct use *, char *))
{
	char path[PATH_MAX], *line = NULL;
	size_t cap = 0;
	FILE *f;
	int result = sysfs_path(path, sizeof(path), "%s", file);

	if (result)
		return result;
	f = fopen(path, "re");
	if (!f) {
		result = -errno;
		text_format(u->why, u->size,
			    "cannot read %s, so it is not known what is in use: mount /proc", file);
		return result;
	}
	while (result == 0 && getline(&line, &cap, f) > 0)
		result = check(u, line);
	free(line);
	fclose(f);
	return result;
}

struct holder {
	struct use *use;
	const char *kernel;
};

static int refuse_holder(const char *entry, void *data)
{
	const struct holder *h = data;
	char name[64] = "";

	sysfs_text(name, sizeof(name), "/sys/class/block/%s/dm/name", entry);
	text_format(h->use->why, h->use->size, "/dev/%s is part of %s%s%s%s: take that apart first",
		    h->kernel, entry, name[0] ? " (" : "", name, name[0] ? ")" : "");
	return -EBUSY;
}

static int check_holders(struct use *u, const char *kernel)
{
	char dir[128];
	struct holder h = {u, kernel};
	int result;

	text_format(dir, sizeof(dir), "/sys/class/block/%s/holders", kernel);
	result = sysfs_each(dir, refuse_holder, &h);
	return result == -ENOENT ? 0 : result;
}

static int check_loop(const char *entry, void *data)
{
	struct use *u = data;
	const struct device *d;
	char file[PATH_MAX];

	if (strncmp(entry, "loop", 4) != 0 ||
	    sysfs_text(file, sizeof(file), "/sys/class/block/%s/loop/backing_file", entry))
		return 0;
	d = used_node(u, file);
	if (!d)
		return 0;
	text_format(u->why, u->size, "/dev/%s is behind /dev/%s: run losetup -d /dev/%s first",
		    d->kernel, entry, entry);
	return -EBUSY;
}

/* The disk of a partition, or an empty string. The directory of a partition lies in its disk's. */
static void parent_disk(const char *kernel, char *disk, size_t size)
{
	char real[PATH_MAX], *slash;

	disk[0] = '\0';
	if (!sysfs_exists("/sys/class/block/%s/partition", kernel) ||
	    sysfs_real(real, sizeof(real), "/sys/class/block/%s/..", kernel))
		return;
	slash = strrchr(real, '/');
	if (slash)
		text_format(disk, size, "%s", slash + 1);
}

/*
 * What "/" lies on, in one step: mounts of lower layers (a live system's image, an encrypted root)
 * are in the mount table or are holders, so only the device itself is left to ask.
 */
static int check_root(struct use *u)
{
	struct stat st;
	const struct device *d;

	if (stat("/", &st))
		return -errno;
	d = used_as(u, st.st_dev);
	if (!d)
		return 0;
	text_format(u->why, u->size, "/dev/%s holds the root file system of this machine",
		    d->kernel);
	return -EBUSY;
}

static int check_all(struct use *u, const char *disk)
{
	int result = check_root(u);

	if (result == 0)
		result = check_lines(u, "/proc/self/mountinfo", check_mount);
	if (result == 0)
		result = check_lines(u, "/proc/swaps", check_swap);
	for (size_t i = 0; result == 0 && i < u->n; i++)
		result = check_holders(u, u->device[i].kernel);
	if (result == 0 && disk[0])
		result = check_holders(u, disk);
	if (result == 0)
		result = sysfs_each("/sys/class/block", check_loop, u);
	return result;
}

int guard_check_unused(const char *kernel, char *why, size_t size)
{
	char dir[128], disk[64];
	struct use *u = calloc(1, sizeof(*u));
	int result;

	if (!u)
		return -ENOMEM;
	u->why = why;
	u->size = size;
	u->disk = kernel;
	why[0] = '\0';
	text_format(dir, sizeof(dir), "/sys/class/block/%s", kernel);
	parent_disk(kernel, disk, sizeof(disk));
	result = add_device(u, kernel);
	if (result == 0)
		result = sysfs_each(dir, add_partition, u);
	if (result == 0)
		result = check_all(u, disk);
	if (result && !why[0])
		text_format(why, size, "cannot tell whether /dev/%s is in use: %s", kernel,
			    result == -ENOENT ? "it is not in /sys/class/block"
					      : "its partitions cannot be listed");
	free(u);
	return result;
}
