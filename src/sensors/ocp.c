/*
 * The OCP SMART log, page C0h: has the drive throttled, does it now? Asked for only where the
 * drive's list of log pages has it, since asking for a page that is not there leaves an entry in
 * the drive's error log.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvme_shim.h"
#include "ocp_decode.h"
#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

#define LPA_LIST   0x20 /* page 00h is there */
#define LIST_BYTES 1024
#define CHEAP_NS   (20 * NS_PER_MS)
#define TRIES      3
#define SLOW_NS    (30 * NS_PER_S) /* how often a page is read that takes longer */

struct ocp {
	struct sensor base;
	const struct nvme_transport *via;
	struct nvme_dev *dev;
	void *buf;
	bool cheap; /* it has answered quickly: what takes longer now is the load's doing */
	int64_t read_ns;
};

static int get_page(struct ocp *o)
{
	int64_t start_ns = clock_now_ns();
	int err;

	memset(o->buf, 0, OCP_LOG_BYTES);
	err = o->via->get_log(o->dev, NVME_LOG_OCP_SMART, o->buf, OCP_LOG_BYTES);
	o->cheap |= clock_now_ns() - start_ns < CHEAP_NS;
	if (err)
		return err;
	return ocp_is_smart_log(o->buf) ? 0 : -ENOENT;
}

/* 0 if the page is there and is the one. */
static int probe(struct ocp *o)
{
	int err = o->via->identify(o->dev, o->buf);

	if (err)
		return err;
	/* LPA, byte 261. */
	if (!(((const uint8_t *)o->buf)[261] & LPA_LIST))
		return -ENOENT;
	memset(o->buf, 0, LIST_BYTES);
	err = o->via->get_log(o->dev, NVME_LOG_SUPPORTED, o->buf, LIST_BYTES);
	if (err || !ocp_page_listed(o->buf, NVME_LOG_OCP_SMART))
		return -ENOENT;
	err = get_page(o);
	for (int i = 1; i < TRIES && err == 0 && !o->cheap; i++)
		err = get_page(o);
	return err;
}

static void ocp_close(struct sensor *s)
{
	struct ocp *o = (struct ocp *)s;

	o->via->close(o->dev);
	free(o->buf);
	free(o);
}

static int ocp_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT], char *why,
		    size_t size)
{
	struct ocp *o = xzalloc(sizeof(*o));

	(void)have;
	text_format(why, size, "%s", ""); /* few drives have it: nothing to be said */
	if (nvme_open_target(t, &o->via, &o->dev)) {
		free(o);
		return -ENOENT;
	}
	o->buf = nvme_buffer_new();
	if (probe(o)) {
		ocp_close(&o->base);
		return -ENOENT;
	}
	o->base.can[FIELD_OCP_COUNT] = o->base.can[FIELD_OCP_STATUS] = true;
	*out = &o->base;
	return 0;
}

static int ocp_read(struct sensor *s, struct sample *out)
{
	struct ocp *o = (struct ocp *)s;
	int64_t now_ns = nvme_now_ns(o->via, o->dev);
	int err;

	if (!o->cheap && o->read_ns && now_ns - o->read_ns < SLOW_NS)
		return 0;
	o->read_ns = now_ns;
	err = get_page(o);
	if (err == 0)
		ocp_decode(o->buf, out);
	return err;
}

const struct sensor_ops sensor_ocp = {
    .name = "ocp",
    .help = "OCP SMART log of an NVMe drive: its count of throttling events, and whether it does",
    .asks_drive = true,
    .open = ocp_open,
    .read = ocp_read,
    .close = ocp_close,
};
