/*
 * From a block device down to its disk and its NVMe controller, by sysfs alone. Names are never
 * taken apart: with multipath nvme0n1 need not belong to nvme0.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "resolve.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

#define DEPTH_MAX  16 /* dm on md on loop ...: a kernel stacks a few at most */
#define LEAVES_MAX 32

struct leaves {
	char disk[LEAVES_MAX][64];
	size_t n;
	int depth;
};

static int find_leaves(struct leaves *l, const char *kernel);

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int resolve_kernel_name(const char *kind, dev_t dev, char *name, size_t size)
{
	char real[SYSFS_PATH_MAX];
	int err = sysfs_real(real, sizeof(real), "/sys/dev/%s/%u:%u", kind, major(dev), minor(dev));

	if (err == 0)
		text_format(name, size, "%s", last_part(real));
	return err;
}

static void add_leaf(struct leaves *l, const char *disk)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->disk[i], disk) == 0)
			return;
	if (l->n < LEAVES_MAX)
		text_format(l->disk[l->n++], sizeof(l->disk[0]), "%s", disk);
}

static int find_slave(const char *entry, void *data)
{
	return find_leaves(data, entry);
}

/* The disk below the file or device that a loop device shows. */
static int find_backing(struct leaves *l, const char *loop)
{
	char file[PATH_MAX], below[64];
	struct stat st;

	if (sysfs_text(file, sizeof(file), "/sys/class/block/%s/loop/backing_file", loop) ||
	    resolve_stat(file, &st) ||
	    resolve_kernel_name("block", S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, below,
				sizeof(below)))
		return 0; /* a file in memory, deleted, or on a file system without a device */
	return find_leaves(l, below);
}

/* Adds the disks below a block device: itself, its parent if it is a partition, its slaves. */
static int find_leaves(struct leaves *l, const char *kernel)
{
	char slaves[128];
	size_t before = l->n;
	int err = 0;

	if (++l->depth > DEPTH_MAX)
		return -ELOOP;
	text_format(slaves, sizeof(slaves), "/sys/class/block/%s/slaves", kernel);
	if (sysfs_exists("/sys/class/block/%s/partition", kernel)) {
		char real[SYSFS_PATH_MAX];

		err = sysfs_real(real, sizeof(real), "/sys/class/block/%s/..", kernel);
		if (err == 0)
			err = find_leaves(l, last_part(real));
	} else if (sysfs_exists("/sys/class/block/%s/loop/backing_file", kernel)) {
		err = find_backing(l, kernel);
	} else {
		err = sysfs_each(slaves, find_slave, l);
		err = err == -ENOENT ? 0 : err;
		if (err == 0 && l->n == before)
			add_leaf(l, kernel);
	}
	l->depth--;
	return err;
}

/* "nvme12": what the class nvme calls a controller. */
static bool is_controller(const char *name)
{
	return strncmp(name, "nvme", 4) == 0 && name[4] &&
	       name[4 + strspn(name + 4, "0123456789")] == '\0';
}

struct choice {
	char live[32], any[32];
};

static int choose_path(const char *entry, void *data)
{
	struct choice *c = data;
	char state[32];

	if (!is_controller(entry))
		return 0;
	if (!c->any[0])
		text_format(c->any, sizeof(c->any), "%s", entry);
	if (!c->live[0] &&
	    sysfs_text(state, sizeof(state), "/sys/class/nvme/%s/state", entry) == 0 &&
	    strcmp(state, "live") == 0)
		text_format(c->live, sizeof(c->live), "%s", entry);
	return 0;
}

/*
 * The device of an NVMe namespace is its controller, or with multipath its subsystem, which holds
 * a link to each controller. All of them lead to the same drive, so a live one is as good as any.
 */
static void find_controller(struct target *t)
{
	char real[SYSFS_PATH_MAX], dir[SYSFS_PATH_MAX];
	struct choice c = {"", ""};

	if (t->controller[0] ||
	    sysfs_real(real, sizeof(real), "/sys/class/block/%s/device", t->disk))
		return;
	if (is_controller(last_part(real))) {
		text_format(t->controller, sizeof(t->controller), "%s", last_part(real));
	} else if (strncmp(last_part(real), "nvme-subsys", 11) == 0) {
		text_format(dir, sizeof(dir), "%s", real + strlen(sysfs_root()));
		sysfs_each(dir, choose_path, &c);
		text_format(t->controller, sizeof(t->controller), "%s", c.live[0] ? c.live : c.any);
	}
}

static void controller_paths(struct target *t)
{
	char transport[16];

	if (!t->controller[0])
		return;
	sysfs_real(t->controller_sysfs, sizeof(t->controller_sysfs), "/sys/class/nvme/%s",
		   t->controller);
	if (sysfs_text(transport, sizeof(transport), "/sys/class/nvme/%s/transport",
		       t->controller) == 0 &&
	    strcmp(transport, "pcie") == 0)
		sysfs_real(t->pci_sysfs, sizeof(t->pci_sysfs), "/sys/class/nvme/%s/device",
			   t->controller);
}

static void say_several(struct target *t, const struct leaves *l)
{
	char names[100] = "";
	size_t at = 0;

	for (size_t i = 0; i < l->n && at < sizeof(names); i++)
		at += (size_t)text_format(names + at, sizeof(names) - at, "%s%s", i ? ", " : "",
					  l->disk[i]);
	text_format(t->no_temp, sizeof(t->no_temp),
		    "no temperature: %s lies on several drives (%s); name one of them", t->kernel,
		    names);
}

int resolve_block(struct target *t, char *why, size_t size)
{
	struct leaves list = {.n = 0}, *l = &list;
	int err;

	if (strncmp(t->kernel, "loop", 4) == 0 &&
	    !sysfs_exists("/sys/class/block/%s/loop/backing_file", t->kernel) &&
	    !sysfs_exists("/sys/class/block/%s/partition", t->kernel)) {
		text_format(why, size, "%s has no file behind it: losetup %s FILE", t->name,
			    t->name);
		return -ENXIO;
	}
	err = find_leaves(l, t->kernel);
	if (err) {
		text_format(why, size, "cannot find the drive below %s in /sys", t->name);
		return err;
	}
	if (l->n > 1) {
		say_several(t, l);
	} else if (l->n == 1) {
		text_format(t->disk, sizeof(t->disk), "%s", l->disk[0]);
		find_controller(t);
		controller_paths(t);
	}
	identity_read(t);
	return 0;
}

struct namespaces {
	char first[64];
	size_t n;
};

/*
 * Below a controller lie its namespaces, "nvme0n1", or with multipath hidden paths "nvme0c1n1"
 * (subsystem, controller, namespace) whose visible head is "nvme0n1".
 */
static int add_namespace(const char *entry, void *data)
{
	struct namespaces *list = data;
	unsigned subsystem, path, ns;
	int end = 0;
	char head[64];

	/* NOLINTBEGIN(cert-err34-c): the kernel's own names */
	if (sscanf(entry, "nvme%uc%un%u%n", &subsystem, &path, &ns, &end) == 3 && !entry[end])
		text_format(head, sizeof(head), "nvme%un%u", subsystem, ns);
	else if (sscanf(entry, "nvme%un%u%n", &subsystem, &ns, &end) == 2 && !entry[end])
		text_format(head, sizeof(head), "%s", entry);
	else
		return 0;
	/* NOLINTEND(cert-err34-c) */
	if (!sysfs_exists("/sys/class/block/%s", head))
		return 0;
	if (list->n++ == 0)
		text_format(list->first, sizeof(list->first), "%s", head);
	return 0;
}

int resolve_namespace(struct target *t, char *why, size_t size)
{
	struct namespaces list = {"", 0};
	char dir[96];
	int err;

	text_format(dir, sizeof(dir), "/sys/class/nvme/%s/", t->controller);
	err = sysfs_each(dir, add_namespace, &list);
	if (err == 0 && list.n == 1) {
		text_format(t->kernel, sizeof(t->kernel), "%s", list.first);
		return 0;
	}
	if (list.n > 1)
		text_format(why, size, "%s has %zu namespaces: name one, for example /dev/%s",
			    t->name, list.n, list.first);
	else
		text_format(why, size,
			    "%s has no namespace to load: the drive is resetting, or it has none",
			    t->name);
	return list.n > 1 ? -EINVAL : -ENXIO;
}
