/*
 * The drive's persistent event log, page 0Dh, read before and after a run. The log is read out of a
 * reporting context that the controller keeps; there is one for all, so it is held for the reading
 * alone, released on every path, and never taken from somebody else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvme_shim.h"
#include "pel_decode.h"
#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

/* Actions of the log page (field LSP). */
#define READ      0
#define ESTABLISH 1
#define RELEASE   2

#define LPA_PERSISTENT 0x10
/* More than this, and more time than this, no reading takes. */
#define LOG_BYTES_MAX ((size_t)8 << 20)
#define READ_NS_MAX   (3 * NS_PER_S)

struct pel {
	struct sensor base;
	const struct nvme_transport *via;
	struct nvme_dev *dev;
	void *buf;
	char name[32];
	struct pel_log before;
	bool have_before;
};

/* The rest of the log after its header, as far as it goes in the time. Returns 0 or an error. */
static int read_rest(const struct pel *p, uint8_t *log, size_t bytes, size_t *got)
{
	int64_t until = clock_now_ns() + READ_NS_MAX;

	while (*got < bytes && clock_now_ns() < until) {
		size_t left = bytes - *got;
		/* A length in double words; what is beyond the end is not kept. */
		size_t ask = left < NVME_BUFFER_BYTES ? (left + 3) & ~(size_t)3 : NVME_BUFFER_BYTES;
		int err = p->via->get_log_at(p->dev, NVME_LOG_PERSISTENT, READ, *got, p->buf,
					     (uint32_t)ask);

		if (err)
			return err;
		memcpy(log + *got, p->buf, left < ask ? left : ask);
		*got += left < ask ? left : ask;
	}
	return 0;
}

/* With the context established and the header in the buffer. */
static int read_in_context(const struct pel *p, struct pel_log *out)
{
	int64_t read_ns = nvme_now_ns(p->via, p->dev);
	struct pel_header header, again;
	size_t bytes, got = PEL_HEADER_BYTES;
	uint8_t *log;
	int err;

	if (!pel_decode_header(p->buf, PEL_HEADER_BYTES, &header))
		return -EPROTO;
	bytes = header.bytes < LOG_BYTES_MAX ? (size_t)header.bytes : LOG_BYTES_MAX;
	log = xreallocarray(NULL, bytes, 1);
	memcpy(log, p->buf, PEL_HEADER_BYTES);
	err = read_rest(p, log, bytes, &got);
	if (!err)
		err = p->via->get_log_at(p->dev, NVME_LOG_PERSISTENT, READ, 0, p->buf,
					 PEL_HEADER_BYTES);
	/* Another number: the context was lost on the way. */
	if (!err && (!pel_decode_header(p->buf, PEL_HEADER_BYTES, &again) ||
		     again.generation != header.generation))
		err = -ESTALE;
	if (!err && !pel_decode(log, got, out))
		err = -EPROTO;
	if (!err)
		out->read_ns = read_ns;
	free(log);
	return err;
}

/* 0, an NVMe status or -errno; *out is to be freed after 0 only. */
static int read_log(const struct pel *p, struct pel_log *out)
{
	int err, released;

	memset(p->buf, 0, PEL_HEADER_BYTES);
	err = p->via->get_log_at(p->dev, NVME_LOG_PERSISTENT, ESTABLISH, 0, p->buf,
				 PEL_HEADER_BYTES);
	if (err)
		return err;
	err = read_in_context(p, out);
	released = p->via->get_log_at(p->dev, NVME_LOG_PERSISTENT, RELEASE, 0, p->buf,
				      PEL_HEADER_BYTES);
	if (released)
		diag_note("%s does not release its persistent event log (%s%#x)", p->name,
			  released > 0 ? "NVMe status " : "errno ",
			  (unsigned)(released > 0 ? released : -released));
	return err;
}

static void say_error(const struct pel *p, int err)
{
	if (err > 0 && NVME_STATUS(err) == NVME_STATUS_SEQUENCE)
		diag_note("the persistent event log of %s is being read by another program: it is "
			  "left alone and not judged",
			  p->name);
	else if (err > 0)
		diag_note("%s refuses its persistent event log (NVMe status %#x)", p->name,
			  (unsigned)err);
	else if (err == -EPROTO)
		diag_note("the persistent event log of %s makes no sense; it is not judged",
			  p->name);
	else if (err == -ESTALE)
		diag_note("the persistent event log of %s changed while it was read; it is not "
			  "judged",
			  p->name);
	else
		diag_note("cannot read the persistent event log of %s: %s", p->name,
			  DIAG_ERRNO(err));
}

static int pel_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT], char *why,
		    size_t size)
{
	struct pel *p = xzalloc(sizeof(*p));
	int err = nvme_open_target(t, &p->via, &p->dev);

	(void)have;
	text_format(why, size, "%s", ""); /* "smart" says what a missing privilege costs */
	if (err) {
		free(p);
		return -ENOENT;
	}
	p->buf = nvme_buffer_new();
	text_format(p->name, sizeof(p->name), "%s", t->controller[0] ? t->controller : t->name);
	err = p->via->identify(p->dev, p->buf);
	/* LPA, byte 261. */
	if (err || !(((const uint8_t *)p->buf)[261] & LPA_PERSISTENT)) {
		p->via->close(p->dev);
		free(p->buf);
		free(p);
		return -ENOENT;
	}
	*out = &p->base;
	return 0;
}

static int pel_read(struct sensor *s, struct sample *out)
{
	(void)s, (void)out; /* nothing in a row */
	return 0;
}

static void pel_begin(struct sensor *s)
{
	struct pel *p = (struct pel *)s;
	int err = read_log(p, &p->before);

	p->have_before = err == 0;
	if (err == -EACCES || err == -EPERM)
		return;
	if (err)
		say_error(p, err);
}

static void pel_finish(struct sensor *s, struct journal *out)
{
	struct pel *p = (struct pel *)s;
	struct pel_log after;
	int err;

	if (!p->have_before)
		return;
	err = read_log(p, &after);
	/* A drive that is gone was told of already. */
	if (err && err != -ENODEV)
		say_error(p, err);
	if (err)
		return;
	pel_news(&p->before, &after, out);
	pel_log_fini(&after);
}

static void pel_close(struct sensor *s)
{
	struct pel *p = (struct pel *)s;

	pel_log_fini(&p->before);
	p->via->close(p->dev);
	free(p->buf);
	free(p);
}

const struct sensor_ops sensor_pel = {
    .name = "pel",
    .help = "persistent event log of an NVMe drive: thermal events of the run, at its end",
    .open = pel_open,
    .read = pel_read,
    .begin = pel_begin,
    .finish = pel_finish,
    .close = pel_close,
};
