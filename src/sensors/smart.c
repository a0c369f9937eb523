/*
 * The drive's own account: SMART log page 02h at each read; Identify and the thermal features
 * once, at open. Never retries within a read and never writes to the drive.
 */
#include "smart.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sensor_table.h"
#include "smart_decode.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

struct smart {
	struct sensor base;
	struct nvme_dev *dev; /* NULL: the drive went away */
	void *buf;
	char controller[32], serial[64];
};

/* The page that the drive gives, or an error where nothing came. */
static int get_page(struct nvme_dev *dev, void *buf)
{
	int err;

	/* What no drive would answer, to see whether the transfer took place. */
	memset(buf, 0xa5, NVME_SMART_LOG_BYTES);
	err = smart_transport->get_log(dev, NVME_LOG_SMART, buf, NVME_SMART_LOG_BYTES);
	if (err)
		return err;
	return smart_log_blank(buf) ? -ENODATA : 0;
}

static bool read_power_state(struct smart *s, struct sample *out)
{
	uint32_t value;

	if (smart_transport->get_feature(s->dev, NVME_FEATURE_POWER, 0, &value))
		return false;
	out->power_state = value & 0x1f;
	return true;
}

/* After the drive came back: the same name, and the same drive behind it. */
static int reopen(struct smart *s)
{
	char serial[64];
	int err = sysfs_text(serial, sizeof(serial), "/sys/class/nvme/%s/serial", s->controller);

	if (err || strcmp(serial, s->serial) != 0)
		return -ENODEV;
	return smart_transport->open(&s->dev, s->controller);
}

static int smart_read(struct sensor *base, struct sample *out)
{
	struct smart *s = (struct smart *)base;
	int64_t start_ns = clock_now_ns();
	int err = 0;

	if (!s->dev)
		err = reopen(s);
	if (err == 0)
		err = get_page(s->dev, s->buf);
	if (err == -ENODEV && s->dev) {
		smart_transport->close(s->dev);
		s->dev = NULL;
	}
	if (err)
		return err;
	smart_decode_log(s->buf, out);
	/* The drive is awake now, so one more command costs it next to nothing. */
	if (base->can[FIELD_POWER_STATE] && !read_power_state(s, out))
		out->power_state = NAN;
	out->poll_ms = (double)(clock_now_ns() - start_ns) / NS_PER_MS;
	return 0;
}

static void smart_close(struct sensor *base)
{
	struct smart *s = (struct smart *)base;

	if (s->dev)
		smart_transport->close(s->dev);
	free(s->buf);
	free(s);
}

/* What to type to get more, by what was refused: the node or the command. */
static void say_denied(bool node, char *why, size_t size)
{
	char self[512];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	text_format(why, size,
		    "without CAP_SYS_ADMIN a drive tells at best its temperature (hwmon), not its "
		    "throttle counters, TMT limits and warnings: use sudo, or once sudo setcap "
		    "cap_sys_admin%s+ep %s",
		    node ? ",cap_dac_read_search" : "", self[0] ? self : "throttlog");
}

static void say_error(const struct target *t, int err, char *why, size_t size)
{
	if (err == -EAGAIN || (err > 0 && NVME_STATUS_PATH(err)))
		text_format(
		    why, size,
		    "%s cannot be asked for its SMART log now: the controller is being reset "
		    "or connecting",
		    t->controller);
	else if (err > 0)
		text_format(why, size, "%s refuses its SMART log (NVMe status %#x)", t->controller,
			    (unsigned)err);
	else if (err == -ENODATA)
		text_format(why, size, "%s answers with an empty SMART log", t->controller);
	else
		text_format(why, size, "cannot read the SMART log of %s: %s", t->controller,
			    DIAG_ERRNO(err));
}

/* Odd things that change how the log is to be read go to `why`; the first one wins. */
static void check_oddities(struct nvme_dev *dev, const struct target *t,
			   const struct smart_identity *id, double temp_c, char *why, size_t size)
{
	const struct thermal_limits *limits = &t->drive.limits;
	uint32_t value;
	double threshold_c = NAN, timeout_s;

	if (smart_transport->get_feature(dev, NVME_FEATURE_TEMP, 0, &value) == 0)
		threshold_c = smart_decode_threshold(value);
	if (isnan(temp_c))
		text_format(why, size, "%s reports no temperature (0 K or out of range)",
			    t->controller);
	else if (id->limits_odd)
		text_format(why, size, "%s states limits that make no sense; they are ignored",
			    t->controller);
	else if (!isnan(limits->wctemp_c) && fabs(threshold_c - limits->wctemp_c) >= 1)
		text_format(
		    why, size,
		    "%s warns at %.0f °C, where its threshold was set, not at its WCTEMP of "
		    "%.0f °C",
		    t->controller, threshold_c, limits->wctemp_c);
	else if (sysfs_number(&timeout_s, "/sys/module/nvme_core/parameters/admin_timeout") == 0 &&
		 timeout_s < 10)
		text_format(why, size,
			    "nvme_core.admin_timeout is %.0f s: a drive that answers a poll later "
			    "than that is reset by the kernel",
			    timeout_s);
}

static void read_limits(struct nvme_dev *dev, void *buf, struct target *t,
			struct smart_identity *id)
{
	uint32_t value;

	memset(id, 0, sizeof(*id));
	id->power_states = 1;
	if (smart_transport->identify(dev, buf) == 0)
		smart_decode_identify(buf, &t->drive, id);
	if (id->hctm && smart_transport->get_feature(dev, NVME_FEATURE_HCTM, 0, &value) == 0)
		smart_decode_hctm(value, &t->drive.limits);
}

/* The first page says which fields there are. An empty one gets a second chance. */
static int first_page(struct nvme_dev *dev, void *buf, struct sample *first)
{
	int err = get_page(dev, buf);

	if (err == -ENODATA)
		err = get_page(dev, buf);
	if (err == 0)
		smart_decode_log(buf, first);
	return err;
}

static int smart_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT],
		      char *why, size_t size)
{
	struct smart_identity id;
	struct sample first;
	struct smart *s;
	const struct nvme_transport *via;
	struct nvme_dev *dev;
	int err;

	(void)have;
	if (!t->controller[0])
		return -ENOENT;
	err = nvme_open_target(t, &via, &dev);
	if (err) {
		if (err == -EACCES || err == -EPERM)
			say_denied(true, why, size);
		else
			say_error(t, err, why, size);
		return err;
	}
	s = xzalloc(sizeof(*s));
	s->dev = dev;
	s->buf = nvme_buffer_new();
	text_format(s->controller, sizeof(s->controller), "%s", t->controller);
	sample_clear(&first);
	err = first_page(dev, s->buf, &first);
	if (err) {
		if (err == -EACCES || err == -EPERM)
			say_denied(false, why, size);
		else
			say_error(t, err, why, size);
		smart_close(&s->base);
		return err;
	}
	read_limits(dev, s->buf, t, &id);
	text_format(s->serial, sizeof(s->serial), "%s", t->drive.serial);
	smart_fields(&first, &id, &t->drive.limits, s->base.can);
	s->base.can[FIELD_POLL_MS] = true;
	s->base.can[FIELD_POWER_STATE] = id.power_states > 1 && read_power_state(s, &first);
	check_oddities(dev, t, &id, first.temp_c, why, size);
	*out = &s->base;
	return 0;
}

const struct sensor_ops sensor_smart = {
    .name = "smart",
    .help = "SMART log page 02h of an NVMe drive: temperatures, warnings, throttle counters",
    .asks_drive = true,
    .open = smart_open,
    .read = smart_read,
    .close = smart_close,
};
