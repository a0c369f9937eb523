/*
 * A simulated drive behind the admin commands that a real one answers: what identifies its
 * records, the records themselves, and feature 0Bh. Its temperatures come from sim.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvme_shim.h"
#include "throttlog/alloc.h"
#include "throttlog/sim.h"

#define STATUS_INVALID_FIELD 0x002
#define STATUS_INVALID_PAGE  0x109
#define KERNEL_EVENTS        0x100 /* what Linux asks for: namespace attributes */

struct nvme_dev {
	struct sim *sim;
	uint8_t *pel; /* while a reporting context is established */
	size_t pel_bytes;
	uint32_t events;
};

struct nvme_dev *nvme_sim_dev(struct sim *sim)
{
	struct nvme_dev *d = xzalloc(sizeof(*d));

	d->sim = sim;
	d->events = KERNEL_EVENTS;
	return d;
}

static void sim_close(struct nvme_dev *d)
{
	free(d->pel);
	free(d);
}

static int sim_identify(struct nvme_dev *d, void *buf)
{
	uint8_t *id = buf;

	if (sim_lost(d->sim))
		return -ENODEV;
	memset(id, 0, NVME_BUFFER_BYTES);
	id[93] = KERNEL_EVENTS >> 8; /* OAES */
	/* LPA: persistent event log, list of log pages. */
	id[261] = (uint8_t)((sim_has_pel(d->sim) ? 0x10 : 0) | 0x20);
	return 0;
}

static int persistent(struct nvme_dev *d, uint8_t action, uint64_t offset, void *buf,
		      uint32_t bytes)
{
	size_t n;

	if (!sim_has_pel(d->sim))
		return STATUS_INVALID_PAGE;
	if (action > 2)
		return STATUS_INVALID_FIELD;
	/* A second context, or none where one is needed. */
	if ((action == 1) == (d->pel != NULL) && action != 2)
		return NVME_STATUS_SEQUENCE;
	if (action == 1)
		d->pel_bytes = sim_pel(d->sim, &d->pel);
	memset(buf, 0, bytes);
	if (d->pel && offset < d->pel_bytes) {
		n = d->pel_bytes - (size_t)offset;
		memcpy(buf, d->pel + offset, n < bytes ? n : bytes);
	}
	if (action == 2) {
		free(d->pel);
		d->pel = NULL;
	}
	return 0;
}

static int sim_get_log_at(struct nvme_dev *d, uint8_t page, uint8_t action, uint64_t offset,
			  void *buf, uint32_t bytes)
{
	if (sim_lost(d->sim))
		return -ENODEV;
	if (page == NVME_LOG_PERSISTENT)
		return persistent(d, action, offset, buf, bytes);
	if (page == NVME_LOG_SUPPORTED && bytes == 1024) {
		memset(buf, 0, bytes);
		((uint8_t *)buf)[(size_t)4 * NVME_LOG_OCP_SMART] = sim_has_ocp(d->sim);
		return 0;
	}
	if (page == NVME_LOG_OCP_SMART && bytes == 512 && sim_has_ocp(d->sim)) {
		sim_ocp(d->sim, buf);
		return 0;
	}
	return STATUS_INVALID_PAGE;
}

static int sim_get_log(struct nvme_dev *d, uint8_t page, void *buf, uint32_t bytes)
{
	return sim_get_log_at(d, page, 0, 0, buf, bytes);
}

static int sim_get_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value)
{
	(void)cdw11;
	if (sim_lost(d->sim))
		return -ENODEV;
	if (feature != NVME_FEATURE_EVENTS)
		return STATUS_INVALID_FIELD;
	*value = d->events;
	return 0;
}

static int sim_set_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11)
{
	if (sim_lost(d->sim))
		return -ENODEV;
	if (feature != NVME_FEATURE_EVENTS)
		return STATUS_INVALID_FIELD;
	d->events = cdw11;
	return 0;
}

static int64_t sim_clock(const struct nvme_dev *d)
{
	return sim_now_ns(d->sim);
}

/* No open(): a simulated drive has no name in /dev. */
const struct nvme_transport nvme_simulated = {
    .identify = sim_identify,
    .get_log = sim_get_log,
    .get_feature = sim_get_feature,
    .close = sim_close,
    .get_log_at = sim_get_log_at,
    .set_feature = sim_set_feature,
    .now_ns = sim_clock,
};
