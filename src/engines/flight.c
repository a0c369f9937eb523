/*
 * Requests of a load on a real drive: filling the queue, short transfers, failures, the end of
 * the target. Nothing here allocates or locks after flight_open().
 */
#include "engines/flight.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"

#define HUGE_PAGE (UINT64_C(2) << 20)
#define PAGE      4096u

#define DEPTH_MAX 1024

/* The load ends when nothing but failures came for as long, and more of them than fit the queue. */
#define FAIL_NS (3 * NS_PER_S)
/* A target that fails at once is asked this seldom. */
#define FAIL_PAUSE_NS (10 * NS_PER_MS)

#define BLANK_WORDS 16 /* of a read's data that are looked at */

enum treatment { TREAT_END, TREAT_COUNT, TREAT_AGAIN };

/*
 * Errors of a request that do not end the load. What is not listed concerns the target as a
 * whole, or is a mistake of ours, and would only come again. Block status to errno:
 * block/blk-core.c, blk_errors[].
 */
static const struct {
	int err;
	enum treatment treatment;
} treatments[] = {
    {EINTR, TREAT_AGAIN},     {EAGAIN, TREAT_AGAIN},
    {EIO, TREAT_COUNT},       /* anything, a drive that is about to vanish too */
    {ENODATA, TREAT_COUNT},   /* medium error: this block cannot be read */
    {EILSEQ, TREAT_COUNT},    /* protection information does not match */
    {ETIMEDOUT, TREAT_COUNT}, /* command timed out */
    {EREMOTEIO, TREAT_COUNT}, /* target failure */
    {EBADE, TREAT_COUNT},     /* reservation conflict */
};

static enum treatment treatment_of(int err)
{
	for (size_t i = 0; i < sizeof(treatments) / sizeof(*treatments); i++)
		if (treatments[i].err == err)
			return treatments[i].treatment;
	return TREAT_END;
}

static int check_config(struct flight *f, char *why, size_t size)
{
	const struct engine_config *c = &f->config;

	if (!c->queue_depth || c->queue_depth > DEPTH_MAX) {
		snprintf(why, size, "queue depth %u is not in 1 to %d", c->queue_depth, DEPTH_MAX);
		return -EINVAL;
	}
	if (!c->align_bytes || c->align_bytes % NOISE_BLOCK || c->block_bytes % c->align_bytes ||
	    !c->block_bytes) {
		snprintf(why, size, "block size %u is no multiple of the drive's %u bytes",
			 c->block_bytes, c->align_bytes);
		return -EINVAL;
	}
	if (position_init(&f->position, c->region_bytes, c->block_bytes, c->align_bytes,
			  c->start_bytes)) {
		snprintf(why, size,
			 "the region of %llu bytes has no room for a block of %u at %llu",
			 (unsigned long long)c->region_bytes, c->block_bytes,
			 (unsigned long long)c->start_bytes);
		return -EINVAL;
	}
	if (c->op != OP_READ && c->op != OP_WRITE) {
		snprintf(why, size, "the load must read or write");
		return -EINVAL;
	}
	if (c->op == OP_WRITE && !write_permit_allows(c->permit, c->fd)) {
		snprintf(why, size, "writing is not permitted");
		return -EPERM;
	}
	return 0;
}

/*
 * One area for all buffers, in huge pages where the kernel has them: a buffer then is one
 * segment for the block layer instead of 32.
 */
static int make_buffers(struct flight *f, char *why, size_t size)
{
	size_t total;

	f->stride = ((size_t)f->config.block_bytes + PAGE - 1) / PAGE * PAGE;
	total = f->stride * f->config.queue_depth;
	f->buffers = aligned_alloc(
	    total < HUGE_PAGE ? PAGE : HUGE_PAGE,
	    total < HUGE_PAGE ? total : (total + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	if (!f->buffers) {
		snprintf(why, size, "no memory for %u buffers of %u bytes", f->config.queue_depth,
			 f->config.block_bytes);
		return -ENOMEM;
	}
	if (total >= HUGE_PAGE)
		(void)madvise(f->buffers, total, MADV_HUGEPAGE);
	memset(f->buffers, 0, total); /* page faults now, not under the load */
	return 0;
}

int flight_open(struct flight *f, const struct engine_config *config, const struct flight_io *io,
		char *why, size_t size)
{
	unsigned depth = config->queue_depth;
	int err;

	*f = (struct flight){.config = *config, .io = io};
	err = check_config(f, why, size);
	if (!err)
		err = make_buffers(f, why, size);
	if (err)
		return err;
	noise_init(&f->noise, config->seed);
	if (config->random)
		position_randomize(&f->position, config->seed);
	f->requests = xzalloc(depth * sizeof(*f->requests));
	f->ready = xzalloc(depth * sizeof(struct request *));
	for (unsigned i = 0; i < depth; i++) {
		struct request *r = &f->requests[i];

		r->index = i;
		r->buffer = f->buffers + i * f->stride;
		/* Filled now, so that the first second of the load is not slower than the rest. */
		if (config->op == OP_WRITE) {
			noise_fill(&f->noise, r->buffer, config->block_bytes);
			r->noise = true;
		}
		f->ready[depth - 1 - i] = r;
	}
	f->n_ready = depth;
	return 0;
}

void flight_close(struct flight *f)
{
	free(f->ready);
	free(f->requests);
	free(f->buffers);
}

/* A new place, and data that were never written before. */
static void begin(struct flight *f, struct request *r)
{
	r->offset = position_take(&f->position, &r->bytes);
	r->done = 0;
	r->start_ns = f->now_ns;
	r->write = f->config.op == OP_WRITE;
	if (r->write && r->noise)
		noise_stamp(&f->noise, r->buffer, r->bytes);
	else if (r->write)
		noise_fill(&f->noise, r->buffer, f->config.block_bytes);
	r->noise = r->write;
}

/* Queues all that is ready. The permit is asked for each write: it can be revoked at any time. */
static void fill_queue(struct flight *f)
{
	while (f->n_ready && !f->error) {
		struct request *r = f->ready[f->n_ready - 1];
		bool write = r->bytes ? r->write : f->config.op == OP_WRITE;

		if (write && !write_permit_allows(f->config.permit, f->config.fd)) {
			f->error = -EPERM;
			return;
		}
		if (!r->bytes)
			begin(f, r);
		f->n_ready--;
		f->io->queue(f, r);
	}
}

/*
 * True if the target does not reach to `end` any more. A drive that was pulled out is a block
 * device of size 0: reads return nothing and writes find no space.
 */
static bool target_shrank(const struct flight *f, uint64_t end, int *err)
{
	struct stat st;
	uint64_t bytes = 0;

	if (fstat(f->config.fd, &st))
		return false;
	if (S_ISBLK(st.st_mode)) {
		*err = -ENODEV;
		return ioctl(f->config.fd, BLKGETSIZE64, &bytes) || bytes < end;
	}
	*err = -ENODATA;
	return S_ISREG(st.st_mode) && (uint64_t)st.st_size < end;
}

static void end_load(struct flight *f, const struct request *r, int err)
{
	int shrank = 0;

	if (f->error)
		return;
	f->error = err;
	/* Writes to a regular file make it longer: there, no space means no space. */
	if (target_shrank(f, r->offset + r->bytes, &shrank) && !(r->write && shrank == -ENODATA))
		f->error = shrank;
}

static void note_failure(struct flight *f, const struct request *r, int err)
{
	load_counters_failed(f->config.counters, err);
	if (!f->failures++)
		f->failing_since_ns = f->now_ns;
	if (f->failures < f->config.queue_depth)
		return;
	f->not_before_ns = f->now_ns + FAIL_PAUSE_NS;
	if (f->failures > f->config.queue_depth && f->now_ns - f->failing_since_ns >= FAIL_NS)
		end_load(f, r, -EIO);
}

/* True if words looked at all over the block are the same. Data of files differ in the first two.
 */
static bool is_blank(const struct request *r)
{
	const uint64_t *words = (const void *)r->buffer;
	size_t n = r->bytes / sizeof(*words);

	/* The steps are odd: not only first words of sectors are looked at. */
	for (size_t i = 1; i < n; i += n / BLANK_WORDS | 1)
		if (words[i] != words[0])
			return false;
	return true;
}

static void transferred(struct flight *f, struct request *r, uint32_t moved)
{
	/* O_DIRECT cannot go on amid a block: the torn part is moved again. */
	moved -= moved % f->config.align_bytes;
	r->done += moved;
	if (!moved) {
		load_counters_failed(f->config.counters, EIO);
		end_load(f, r, -EIO);
		r->bytes = 0;
	} else if (r->done >= r->bytes) {
		load_counters_done(f->config.counters, r->bytes, f->now_ns - r->start_ns);
		if (!r->write && is_blank(r))
			load_counters_blank(f->config.counters);
		f->failures = 0;
		r->bytes = 0;
	}
}

void flight_result(struct flight *f, struct request *r, int64_t res)
{
	f->ready[f->n_ready++] = r;
	if (res >= 0) {
		transferred(f, r, (uint32_t)res);
		return;
	}
	switch (treatment_of((int)-res)) {
	case TREAT_AGAIN:
		f->not_before_ns = f->now_ns + FLIGHT_AGAIN_NS;
		break;
	case TREAT_COUNT:
		note_failure(f, r, (int)-res);
		r->bytes = 0;
		break;
	case TREAT_END:
		load_counters_failed(f->config.counters, (int)-res);
		end_load(f, r, (int)res);
		r->bytes = 0;
		break;
	}
}

/* One way into the kernel and back; keeps the account of the time that requests were under way. */
static void enter(struct flight *f, int64_t until_ns)
{
	unsigned in_flight = flight_in_flight(f);
	int64_t before = f->now_ns;
	int err = 0;

	if (in_flight)
		err = f->io->enter(f, until_ns > before ? until_ns - before : 0);
	else
		clock_sleep_until(until_ns);
	f->now_ns = clock_now_ns();
	load_counters_busy(f->config.counters, in_flight, f->now_ns - before);
	if (in_flight)
		f->io->reap(f);
	if (!err)
		return;
	if (!f->error)
		f->error = err;
	clock_sleep_until(f->now_ns + FLIGHT_AGAIN_NS); /* a drain asks again */
}

int flight_step(struct flight *f, int64_t until_ns)
{
	f->now_ns = clock_now_ns();
	while (!f->error && f->now_ns < until_ns) {
		int64_t wake_ns = until_ns;

		if (f->now_ns >= f->not_before_ns)
			fill_queue(f);
		else if (f->not_before_ns < until_ns)
			wake_ns = f->not_before_ns;
		if (!f->error)
			enter(f, wake_ns);
	}
	return f->error;
}

int flight_set_op(struct flight *f, enum op op)
{
	if (op != OP_READ && op != OP_WRITE)
		return -EINVAL;
	if (op == OP_WRITE && !write_permit_allows(f->config.permit, f->config.fd))
		return -EPERM;
	f->config.op = op;
	return 0;
}

int flight_drain(struct flight *f, int64_t timeout_ns)
{
	int64_t until_ns;

	f->now_ns = clock_now_ns();
	until_ns = f->now_ns + timeout_ns;
	while (flight_in_flight(f)) {
		enter(f, until_ns);
		if (f->now_ns >= until_ns)
			break;
	}
	return flight_in_flight(f) ? -EBUSY : 0;
}
