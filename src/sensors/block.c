/*
 * Bytes that the disk moved since the last read, by anybody, from /sys/block/X/stat. They go to
 * foreign_bytes as they are; whoever runs a load takes its own bytes off.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

struct block {
	struct sensor base;
	char disk[64];
	double last_bytes;
};

/*
 * Documentation/block/stat.rst: the third number is sectors read, the seventh sectors written, in
 * units of 512 bytes.
 */
static int read_total(const char *disk, double *bytes)
{
	char text[256];
	unsigned long long read, written;
	int err = sysfs_text(text, sizeof(text), "/sys/class/block/%s/stat", disk);

	if (err)
		return err;
	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers */
	if (sscanf(text, "%*u %*u %llu %*u %*u %*u %llu", &read, &written) != 2)
		return -EINVAL;
	*bytes = ((double)read + (double)written) * 512;
	return 0;
}

static int block_read(struct sensor *base, struct sample *out)
{
	struct block *b = (struct block *)base;
	double bytes;
	int err = read_total(b->disk, &bytes);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	/* Less than before: the device went and came back. */
	out->foreign_bytes = bytes >= b->last_bytes ? bytes - b->last_bytes : (double)NAN;
	b->last_bytes = bytes;
	return 0;
}

static void block_close(struct sensor *base)
{
	free(base);
}

/*
 * A loop device counts for itself: what it does to the drive below goes through the page cache.
 * The head of a multipath drive counts nothing before Linux 6.5.
 */
static int block_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT],
		      char *why, size_t size)
{
	bool loop = t->kind == TARGET_BLOCK && strncmp(t->kernel, "loop", 4) == 0;
	const char *disk = loop ? t->kernel : t->disk;
	char device[SYSFS_PATH_MAX];
	struct block *b;
	double bytes;

	(void)have;
	why[0] = '\0';
	(void)size;
	if (t->kind == TARGET_SIM || !disk[0] || read_total(disk, &bytes))
		return -ENOENT;
	if (sysfs_real(device, sizeof(device), "/sys/class/block/%s/device", disk) == 0 &&
	    strstr(device, "/nvme-subsys"))
		return -ENOENT;
	b = xzalloc(sizeof(*b));
	text_format(b->disk, sizeof(b->disk), "%s", disk);
	b->last_bytes = bytes;
	b->base.can[FIELD_FOREIGN_BYTES] = true;
	*out = &b->base;
	return 0;
}

const struct sensor_ops sensor_block = {
    .name = "block",
    .help = "what other programs read from and write to the drive",
    .open = block_open,
    .read = block_read,
    .close = block_close,
};
