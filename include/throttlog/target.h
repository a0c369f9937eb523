/*
 * What the user named, resolved to a drive: a block device, a controller node, a by-id link, a
 * partition or dm node, a file, a directory, or "sim:NAME".
 */
#ifndef THROTTLOG_TARGET_H
#define THROTTLOG_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "throttlog/drive.h"

enum target_kind {
	TARGET_BLOCK, /* the load goes to a block device */
	TARGET_FILE,  /* ... to a file of ours, or reads an existing one */
	TARGET_SIM
};

struct sim;

struct target {
	enum target_kind kind;
	char name[PATH_MAX]; /* as given */
	char node[PATH_MAX]; /* device node, file or directory that the load opens */
	char kernel[64];     /* block device as the kernel names it: "nvme0n1", "loop0", "sda2"; for
				a file the one that carries its file system, "" if none */
	char controller[32]; /* "nvme0", or "" if no NVMe controller is behind it */
	char controller_sysfs[PATH_MAX]; /* real path of /sys/class/nvme/nvme0, or "" */
	char pci_sysfs[PATH_MAX];        /* real path of its PCI device, or "" */
	char disk[64];       /* whole disk that carries it: "nvme0n1", "sda"; "" if none */
	dev_t dev;           /* of the block device, or of the file's file system */
	uint64_t size_bytes; /* of the block device or existing file; 0 for a file to be made */
	bool directory;      /* TARGET_FILE: node is a directory, the file is to be made there */
	bool exists;         /* TARGET_FILE: node is an existing file; never written */
	bool events;         /* let the drive send temperature events while it is watched */
	char no_temp[200];   /* why no temperature can be had and what helps; "" where it can */
	struct drive drive;  /* the one that carries it; capacity_bytes is the whole disk's */
	struct sim *sim;     /* TARGET_SIM; owned by the target */
};

/*
 * Resolves `name`. Returns 0, or -errno with one line in `why`: what is wrong with which object
 * and what to do. -EINVAL: unknown preset or not a drive (usage), -ENOENT, -EACCES, -ENOTSUP:
 * behind RAID, USB bridge and the like.
 */
int target_resolve(const char *name, struct target *out, char *why, size_t size);
void target_fini(struct target *t);

#endif
