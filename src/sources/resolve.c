/* From what the user named to a drive: looks at what kind of thing it is and follows it down. */
#include "resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/sim.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

static int real_stat(const char *path, struct stat *st)
{
	return stat(path, st) ? -errno : 0;
}

int (*resolve_stat)(const char *, struct stat *) = real_stat;

static int not_a_drive(const char *name, const char *what, char *why, size_t size)
{
	text_format(why, size, "%s is %s, not a drive: name a block device, a file or a directory",
		    name, what);
	return -EINVAL;
}

static int resolve_block_node(struct target *t, const struct stat *st, char *why, size_t size)
{
	char *real = realpath(t->name, NULL);

	t->kind = TARGET_BLOCK;
	t->dev = st->st_rdev;
	text_format(t->node, sizeof(t->node), "%s", real ? real : t->name);
	free(real);
	if (resolve_kernel_name("block", st->st_rdev, t->kernel, sizeof(t->kernel))) {
		text_format(why, size,
			    "no device is behind %s (%u:%u): it has gone, or /sys is not "
			    "mounted",
			    t->name, major(st->st_rdev), minor(st->st_rdev));
		return -ENXIO;
	}
	return resolve_block(t, why, size);
}

/* The block device of a namespace that was found through its controller. */
static int use_namespace(struct target *t, char *why, size_t size)
{
	char text[32];
	unsigned ma, mi;

	t->kind = TARGET_BLOCK;
	text_format(t->node, sizeof(t->node), "/dev/%s", t->kernel);
	if (sysfs_text(text, sizeof(text), "/sys/class/block/%s/dev", t->kernel) ||
	    sscanf(text, "%u:%u", &ma, &mi) != 2) { /* NOLINT(cert-err34-c) */
		text_format(why, size, "%s has no block device %s: the drive may be resetting",
			    t->name, t->kernel);
		return -ENXIO;
	}
	t->dev = makedev(ma, mi);
	return resolve_block(t, why, size);
}

/* /dev/nvme0 is the controller, /dev/ng0n1 a namespace without the block layer. */
static int resolve_char_node(struct target *t, const struct stat *st, char *why, size_t size)
{
	char kernel[64];
	int err;

	if (resolve_kernel_name("char", st->st_rdev, kernel, sizeof(kernel)))
		return not_a_drive(t->name, "a character device", why, size);
	if (strncmp(kernel, "ng", 2) == 0 && sysfs_exists("/sys/class/block/nvme%s", kernel + 2)) {
		text_format(t->kernel, sizeof(t->kernel), "nvme%s", kernel + 2);
		return use_namespace(t, why, size);
	}
	if (!sysfs_exists("/sys/class/nvme/%s", kernel))
		return not_a_drive(t->name, "a character device", why, size);
	text_format(t->controller, sizeof(t->controller), "%s", kernel);
	err = resolve_namespace(t, why, size);
	return err ? err : use_namespace(t, why, size);
}

static int resolve_file(struct target *t, const char *path, dev_t dev, char *why, size_t size)
{
	int err;

	t->kind = TARGET_FILE;
	t->dev = dev;
	text_format(t->node, sizeof(t->node), "%s", t->name);
	err = resolve_filesystem(t, path, dev, why, size);
	if (err || !t->kernel[0])
		return err;
	return resolve_block(t, why, size);
}

/* The directory of a path, allocated. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xasprintf("%.*s", slash == path ? 1 : (int)(slash - path), path)
		     : xstrdup(".");
}

/* A name that leads nowhere: a slip of the fingers, or the path of a file to be made. */
static int resolve_new(struct target *t, int err, char *why, size_t size)
{
	char *parent;
	struct stat st;
	const char *preset = strchr(t->name, '/') ? NULL : resolve_sim_nearest(t->name);

	if (err != -ENOENT) {
		text_format(why, size, "cannot open %s: %s", t->name, DIAG_ERRNO(err));
		return err;
	}
	if (!strchr(t->name, '/') && (sysfs_exists("/sys/class/block/%s", t->name) ||
				      sysfs_exists("/sys/class/nvme/%s", t->name))) {
		text_format(why, size, "there is no file %s; did you mean /dev/%s?", t->name,
			    t->name);
		return -ENOENT;
	}
	if (preset && strcmp(preset, t->name) == 0) {
		text_format(why, size, "there is no file %s; did you mean sim:%s?", t->name,
			    preset);
		return -ENOENT;
	}
	if (strncmp(t->name, "/dev/", 5) == 0 && strncmp(t->name, "/dev/shm/", 9) != 0) {
		text_format(why, size, "no such device: %s; throttlog list shows the drives",
			    t->name);
		return -ENOENT;
	}
	parent = parent_of(t->name);
	err = resolve_stat(parent, &st);
	if (err == 0 && !S_ISDIR(st.st_mode))
		err = -ENOTDIR;
	if (err == 0)
		err = resolve_file(t, parent, st.st_dev, why, size);
	else
		text_format(why, size, "cannot make %s: %s: %s", t->name, parent, DIAG_ERRNO(err));
	free(parent);
	return err;
}

static int resolve_existing(struct target *t, const struct stat *st, char *why, size_t size)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFBLK:
		return resolve_block_node(t, st, why, size);
	case S_IFCHR:
		return resolve_char_node(t, st, why, size);
	case S_IFDIR:
		t->directory = true;
		return resolve_file(t, t->name, st->st_dev, why, size);
	case S_IFREG:
		t->exists = true;
		t->size_bytes = (uint64_t)st->st_size;
		if (st->st_size == 0) {
			text_format(why, size, "%s is empty: there is nothing to read", t->name);
			return -EINVAL;
		}
		return resolve_file(t, t->name, st->st_dev, why, size);
	case S_IFIFO:
		return not_a_drive(t->name, "a pipe", why, size);
	case S_IFSOCK:
		return not_a_drive(t->name, "a socket", why, size);
	default:
		return not_a_drive(t->name, "something else", why, size);
	}
}

int target_resolve(const char *name, struct target *out, char *why, size_t size)
{
	struct stat st;
	int err;

	memset(out, 0, sizeof(*out));
	drive_clear(&out->drive);
	why[0] = '\0';
	if (!name[0] || strlen(name) >= sizeof(out->name)) {
		text_format(why, size,
			    name[0] ? "the name of the target is too long"
				    : "the name of the target is empty");
		return -EINVAL;
	}
	text_format(out->name, sizeof(out->name), "%s", name);
	if (strncmp(name, "sim:", 4) == 0)
		return resolve_sim(name + 4, out, why, size);
	err = resolve_stat(name, &st);
	if (err)
		return resolve_new(out, err, why, size);
	return resolve_existing(out, &st, why, size);
}

void target_fini(struct target *t)
{
	if (t->sim)
		sim_free(t->sim);
	t->sim = NULL;
}
