/*
 * What the disk did since the last read, for anybody, from /sys/block/X/stat: bytes, requests, how
 * long they took and how busy it was. The bytes go to foreign_bytes as they are; whoever runs a
 * load takes its own off.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

/* Totals since the device appeared. */
struct totals {
	double requests, bytes;
	double request_ms; /* from start to end of each, added up */
	double busy_ms;    /* with a request in flight */
	int64_t t_ns;
};

struct block {
	struct sensor base;
	char disk[64];
	struct totals last;
};

/*
 * Documentation/block/stat.rst: requests, merges, sectors of 512 bytes and ms of the reads, the
 * same of the writes; requests in flight, ms with any in flight.
 */
static int read_totals(const char *disk, struct totals *out)
{
	unsigned long long reads, read, read_ms, writes, written, write_ms, busy_ms;
	char text[256];
	int err = sysfs_text(text, sizeof(text), "/sys/class/block/%s/stat", disk);

	if (err)
		return err;
	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers */
	if (sscanf(text, "%llu %*u %llu %llu %llu %*u %llu %llu %*u %llu", &reads, &read, &read_ms,
		   &writes, &written, &write_ms, &busy_ms) != 7)
		return -EINVAL;
	out->t_ns = clock_now_ns();
	out->requests = (double)reads + (double)writes;
	out->bytes = ((double)read + (double)written) * 512;
	out->request_ms = (double)read_ms + (double)write_ms;
	out->busy_ms = (double)busy_ms;
	return 0;
}

static int block_read(struct sensor *base, struct sample *out)
{
	struct block *b = (struct block *)base;
	struct totals now, was = b->last;
	double dt_s, requests;
	int err = read_totals(b->disk, &now);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	b->last = now;
	/* Less than before: the device went and came back. */
	if (now.bytes < was.bytes || now.requests < was.requests || now.busy_ms < was.busy_ms)
		return 0;
	out->foreign_bytes = now.bytes - was.bytes;
	requests = now.requests - was.requests;
	if (requests > 0 && now.request_ms >= was.request_ms)
		out->lat_avg_us = 1e3 * (now.request_ms - was.request_ms) / requests;
	dt_s = (double)(now.t_ns - was.t_ns) / 1e9;
	if (dt_s <= 0)
		return 0;
	out->iops = requests / dt_s;
	/* The kernel counts in its ticks: a little more than all of the time is all of it. */
	out->util_pct = fmin(100, 0.1 * (now.busy_ms - was.busy_ms) / dt_s);
	return 0;
}

static void block_close(struct sensor *base)
{
	free(base);
}

/* Some systems switch the statistics off for speed; all stays 0 then, which is no measurement. */
static bool switched_off(const char *disk)
{
	double on;

	return sysfs_number(&on, "/sys/class/block/%s/queue/iostats", disk) == 0 && on == 0;
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
	struct totals start;
	struct block *b;

	(void)have;
	why[0] = '\0';
	if (t->kind == TARGET_SIM || !disk[0] || read_totals(disk, &start))
		return -ENOENT;
	if (sysfs_real(device, sizeof(device), "/sys/class/block/%s/device", disk) == 0 &&
	    strstr(device, "/nvme-subsys"))
		return -ENOENT;
	if (switched_off(disk)) {
		text_format(why, size,
			    "the kernel does not count what programs move on %s: echo 1 > "
			    "/sys/block/%s/queue/iostats switches that on",
			    disk, disk);
		return -EOPNOTSUPP;
	}
	b = xzalloc(sizeof(*b));
	text_format(b->disk, sizeof(b->disk), "%s", disk);
	b->last = start;
	b->base.can[FIELD_FOREIGN_BYTES] = true;
	b->base.can[FIELD_UTIL] = true;
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
