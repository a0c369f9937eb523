/* Which block device carries a file system: by device number, and by asking btrfs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "resolve.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

/* statfs(2) types that <linux/magic.h> does not have. */
#define ZFS_MAGIC      0x2fc12fc1
#define BCACHEFS_MAGIC 0xca451a4e

/* File systems whose device number says nothing about a drive. */
static const struct fs_kind {
	long magic;
	const char *name;
	bool memory; /* there is no drive at all: refused */
} fs_kinds[] = {
    {TMPFS_MAGIC, "tmpfs", true},
    {RAMFS_MAGIC, "ramfs", true},
    {HUGETLBFS_MAGIC, "hugetlbfs", true},
    {PROC_SUPER_MAGIC, "proc", true},
    {SYSFS_MAGIC, "sysfs", true},
    {OVERLAYFS_SUPER_MAGIC, "overlay", false},
    {ZFS_MAGIC, "zfs", false},
    {BCACHEFS_MAGIC, "bcachefs", false},
    {NFS_SUPER_MAGIC, "nfs", false},
    {FUSE_SUPER_MAGIC, "fuse", false},
};

static void no_drive(struct target *t, const char *fs)
{
	text_format(
	    t->no_temp, sizeof(t->no_temp),
	    "no temperature: the %s file system of %.80s does not say which drive carries it; "
	    "name a directory on the drive itself",
	    fs, t->name);
}

/* btrfs gives each subvolume a device number of its own, and knows its devices by id. */
static int btrfs_device(const char *path, char *node, size_t size, uint64_t *count)
{
	struct btrfs_ioctl_fs_info_args info = {0};
	struct btrfs_ioctl_dev_info_args *dev = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, BTRFS_IOC_FS_INFO, &info))
		err = -errno;
	*count = info.num_devices;
	dev = calloc(1, sizeof(*dev));
	if (err == 0 && !dev)
		err = -ENOMEM;
	/* Ids start at 1 and have gaps where a device was removed. */
	for (uint64_t id = 1; err == 0 && id <= info.max_id; id++) {
		memset(dev, 0, sizeof(*dev));
		dev->devid = id;
		if (ioctl(fd, BTRFS_IOC_DEV_INFO, dev) == 0) {
			text_format(node, size, "%s", (const char *)dev->path);
			break;
		}
	}
	free(dev);
	close(fd);
	return err;
}

static int resolve_btrfs(struct target *t, const char *path)
{
	char node[1024] = "";
	uint64_t count = 0;
	struct stat st;

	if (btrfs_device(path, node, sizeof(node), &count)) {
		no_drive(t, "btrfs");
	} else if (count > 1) {
		text_format(
		    t->no_temp, sizeof(t->no_temp),
		    "no temperature: the btrfs of %.80s spans %llu drives; name one of them",
		    t->name, (unsigned long long)count);
	} else if (resolve_stat(node, &st) || !S_ISBLK(st.st_mode) ||
		   resolve_kernel_name("block", st.st_rdev, t->kernel, sizeof(t->kernel))) {
		t->kernel[0] = '\0';
		no_drive(t, "btrfs");
	} else {
		t->dev = st.st_rdev;
	}
	return 0;
}

int resolve_filesystem(struct target *t, const char *path, dev_t dev, char *why, size_t size)
{
	struct statfs fs;

	t->kernel[0] = '\0';
	if (statfs(path, &fs))
		fs.f_type = 0;
	if (fs.f_type == BTRFS_SUPER_MAGIC)
		return resolve_btrfs(t, path);
	for (size_t i = 0; i < sizeof(fs_kinds) / sizeof(*fs_kinds); i++) {
		if (fs.f_type != fs_kinds[i].magic)
			continue;
		if (fs_kinds[i].memory) {
			text_format(
			    why, size,
			    "%s lies in memory (%s), not on a drive: name a directory on the drive",
			    t->name, fs_kinds[i].name);
			return -ENOTSUP;
		}
		no_drive(t, fs_kinds[i].name);
		return 0;
	}
	if (major(dev) == 0 || resolve_kernel_name("block", dev, t->kernel, sizeof(t->kernel))) {
		t->kernel[0] = '\0';
		no_drive(t, "file");
	}
	return 0;
}
