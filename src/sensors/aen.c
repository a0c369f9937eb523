/*
 * --events: lets the drive send an event when a temperature crosses its threshold. Feature 0Bh,
 * bit 1, for the run only: the other bits are the kernel's, which writes the feature anew at each
 * reset of the controller. So it is read before it is written, every time.
 */
#include <errno.h>
#include <stdlib.h>

#include "nvme_shim.h"
#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

/* As in SMART's critical warning: a temperature beyond a threshold. */
#define EVENT_TEMPERATURE 0x02u
/*
 * OAES bits for which Linux asks for events at all (drivers/nvme/host/core.c, NVME_AEN_SUPPORTED):
 * namespace attributes, firmware activation, namespace access, discovery log.
 */
#define LINUX_EVENTS 0x80000b00u

struct aen {
	struct sensor base;
	const struct nvme_transport *via;
	struct nvme_dev *dev;
	char name[32];
	uint32_t added; /* bits that were 0 before */
};

/* 0, an NVMe status or -errno. */
static int enable(struct aen *a)
{
	uint32_t value;
	int err = a->via->get_feature(a->dev, NVME_FEATURE_EVENTS, 0, &value);

	if (err || (value & EVENT_TEMPERATURE))
		return err;
	err = a->via->set_feature(a->dev, NVME_FEATURE_EVENTS, value | EVENT_TEMPERATURE);
	if (err == 0)
		a->added = EVENT_TEMPERATURE;
	return err;
}

static void say_error(const struct aen *a, const char *what, int err)
{
	if (err > 0)
		diag_warn("%s: cannot %s temperature events (NVMe status %#x)", a->name, what,
			  (unsigned)err);
	else
		diag_warn("%s: cannot %s temperature events: %s", a->name, what, DIAG_ERRNO(err));
}

static void aen_begin(struct sensor *s)
{
	struct aen *a = (struct aen *)s;
	int err = enable(a);

	if (err)
		say_error(a, "ask for", err);
}

static void aen_finish(struct sensor *s, struct journal *out)
{
	struct aen *a = (struct aen *)s;
	uint32_t value;
	int err;

	(void)out;
	if (!a->added)
		return;
	err = a->via->get_feature(a->dev, NVME_FEATURE_EVENTS, 0, &value);
	if (err == 0 && (value & a->added))
		err = a->via->set_feature(a->dev, NVME_FEATURE_EVENTS, value & ~a->added);
	a->added = 0;
	/* A drive that is gone has nothing set any more. */
	if (err && err != -ENODEV)
		say_error(a, "put back", err);
}

static int aen_read(struct sensor *s, struct sample *out)
{
	(void)s, (void)out; /* events come through the kernel */
	return 0;
}

static void aen_close(struct sensor *s)
{
	struct aen *a = (struct aen *)s;

	aen_finish(s, NULL);
	a->via->close(a->dev);
	free(a);
}

static void say_open_error(const struct target *t, int err, char *why, size_t size)
{
	if (err == -EACCES || err == -EPERM)
		text_format(why, size,
			    "--events changes a setting of the drive and needs CAP_SYS_ADMIN; "
			    "events that the drive sends by itself are still shown");
	else if (err == -ENOENT)
		text_format(why, size, "--events is for NVMe drives, which %s is not", t->name);
	else if (err > 0)
		text_format(why, size,
			    "%s refuses feature 0Bh, so --events has no effect (NVMe "
			    "status %#x)",
			    t->controller, (unsigned)err);
	else
		text_format(why, size, "--events: cannot ask %s: %s", t->controller,
			    DIAG_ERRNO(err));
}

/* What speaks against it: an error of identify() or get_feature(), or -ENOTSUP. */
static int check(const struct aen *a)
{
	uint8_t *id = nvme_buffer_new();
	uint32_t value, oaes = 0;
	int err = a->via->identify(a->dev, id);

	if (err == 0)
		oaes = id[92] | (uint32_t)id[93] << 8 | (uint32_t)id[94] << 16 |
		       (uint32_t)id[95] << 24;
	free(id);
	if (err)
		return err;
	err = a->via->get_feature(a->dev, NVME_FEATURE_EVENTS, 0, &value);
	if (err)
		return err;
	return oaes & LINUX_EVENTS ? 0 : -ENOTSUP;
}

static int aen_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT], char *why,
		    size_t size)
{
	struct aen *a;
	int err;

	(void)have;
	if (!t->events)
		return -ENOENT;
	a = xzalloc(sizeof(*a));
	err = nvme_open_target(t, &a->via, &a->dev);
	if (err == 0) {
		err = check(a);
		if (err)
			a->via->close(a->dev);
	}
	if (err) {
		free(a);
		if (err == -ENOTSUP)
			text_format(why, size,
				    "Linux asks %s for no events (OAES), so --events has no effect",
				    t->controller);
		else
			say_open_error(t, err, why, size);
		/* Not -ENOENT, which would be silent. */
		return -ENOTSUP;
	}
	text_format(a->name, sizeof(a->name), "%s", t->controller[0] ? t->controller : t->name);
	*out = &a->base;
	return 0;
}

const struct sensor_ops sensor_aen = {
    .name = "events",
    .help = "--events: temperature events of an NVMe drive, for the run only",
    .open = aen_open,
    .read = aen_read,
    .begin = aen_begin,
    .renew = aen_begin,
    .finish = aen_finish,
    .close = aen_close,
};
