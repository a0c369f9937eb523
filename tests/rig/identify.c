/* Identify: controller, namespace, their lists and descriptors. Base Specification 2.0, 5.17. */
#include <math.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"

#define IDENTIFY_BYTES      4096
#define LOG_PAGE_ATTRIBUTES 0x06 /* commands supported and effects; offsets */
#define LPA_PEL             0x10
#define LPA_LIST            0x20 /* log page 00h */
#define NVME_CSI_NVM        0

enum identify_cns {
	CNS_NAMESPACE = 0x00,
	CNS_CONTROLLER = 0x01,
	CNS_ACTIVE_LIST = 0x02,
	CNS_DESCRIPTORS = 0x03,
	CNS_NAMESPACE_CSI = 0x05,
	CNS_CONTROLLER_CSI = 0x06,
	CNS_ACTIVE_LIST_CSI = 0x07,
};

static void put_power_states(uint8_t *psd)
{
	static const uint16_t watts_100[POWER_STATES] = {600, 400, 250, 5, 1};

	for (size_t i = 0; i < POWER_STATES; i++) {
		uint8_t *p = psd + 32 * i;

		put16(p, watts_100[i]);
		p[3] = i >= 3 ? 2 : 0; /* non-operational */
		put32(p + 4, i >= 3 ? 5000 : 0);
		put32(p + 8, i >= 3 ? 10000 : 0);
		p[12] = p[13] = p[14] = p[15] = (uint8_t)(i < 3 ? i : 0);
	}
}

static void put_thermal(const struct rig *r, uint8_t *p)
{
	put16(p + 266, smart_limit_k(r, r->preset.limits.wctemp_c));
	put16(p + 268, smart_limit_k(r, r->preset.limits.cctemp_c));
	if (quirk_on(&r->quirks, QUIRK_HCTM)) {
		put16(p + 322, 1);
		put16(p + 324, KELVIN);
		put16(p + 326, KELVIN + 100);
	}
}

static void put_fabrics(const struct rig *r, uint8_t *p)
{
	memcpy(p + 768, r->options.nqn, strlen(r->options.nqn));
	put32(p + 1792, (uint32_t)(64 + r->options.capsule) / 16);
	put32(p + 1796, 1);
	p[1803] = 1; /* one SGL descriptor */
}

static void identify_controller(const struct ctrl *ctrl, uint8_t *p)
{
	const struct rig *r = ctrl->rig;
	uint64_t capacity = r->store.bytes;

	ctrl_put_names(r, p + 4, p + 24);
	memset(p + 64, ' ', 8);
	memcpy(p + 64, r->preset.firmware, strnlen(r->preset.firmware, 8));
	p[77] = 5; /* a transfer is at most 32 pages, 128 KiB: no merging hides the load's blocks */
	put16(p + 78, ctrl->id);
	put32(p + 80, 0x00010400);
	if (quirk_on(&r->quirks, QUIRK_OAES))
		put32(p + 92, (uint32_t)r->quirks.value[QUIRK_OAES]);
	p[111] = 1; /* an I/O controller */
	p[258] = 3;
	p[259] = EVENT_REQUESTS - 1;
	p[260] = 0x03; /* one firmware slot, read-only */
	p[261] = LOG_PAGE_ATTRIBUTES | (quirk_on(&r->quirks, QUIRK_PEL) ? LPA_PEL : 0) |
		 (quirk_on(&r->quirks, QUIRK_OCP) ? LPA_LIST : 0);
	p[262] = LOG_ERROR_ENTRIES - 1;
	p[263] = POWER_STATES - 1;
	put_thermal(r, p);
	put64(p + 280, capacity);
	put16(p + 320, 1); /* keep-alive in steps of 100 ms */
	put32(p + 352, quirk_on(&r->quirks, QUIRK_PEL) ? 1 : 0);
	p[512] = 0x66;
	p[513] = 0x44;
	put16(p + 514, QUEUE_ENTRIES);
	put32(p + 516, 1);
	put16(p + 520, 0x4c); /* DSM, Write Zeroes, Timestamp */
	p[525] = 1;           /* a volatile write cache */
	put32(p + 536, 1);    /* SGLs */
	put_fabrics(r, p);
	put_power_states(p + 2048);
}

/* From the serial number, so that two drives differ. */
static void put_guid(const struct rig *r, uint8_t *p, size_t bytes)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (const char *s = r->options.serial; *s; s++)
		hash = (hash ^ (uint8_t)*s) * UINT64_C(1099511628211);
	for (size_t i = 0; i < bytes; i += 8)
		put64(p + i, hash + i);
}

static void identify_namespace(const struct rig *r, uint8_t *p)
{
	uint64_t blocks = r->store.bytes / r->options.lba_bytes;

	put64(p, blocks);
	put64(p + 8, blocks);
	put64(p + 16, blocks);
	p[33] = 0x09; /* deallocated blocks read as zeros, also by Write Zeroes */
	p[99] = r->faults.read_only;
	put64(p + 48, r->store.bytes); /* NVMCAP */
	put_guid(r, p + 104, 16);
	put_guid(r, p + 120, 8);
	p[130] = r->options.lba_bytes == 4096 ? 12 : 9;
}

static void put_descriptors(const struct rig *r, uint8_t *p)
{
	p[0] = 1; /* EUI64 */
	p[1] = 8;
	put_guid(r, p + 4, 8);
	p[12] = 2; /* NGUID */
	p[13] = 16;
	put_guid(r, p + 16, 16);
}

static uint16_t need_namespace(uint32_t nsid)
{
	return nsid == NAMESPACE_ID ? STATUS_OK : STATUS_INVALID_NAMESPACE | STATUS_NO_RETRY;
}

/* CNS 05h to 07h: by I/O command set, of which there is the NVM command set alone. */
static uint16_t by_command_set(struct command *cmd, uint8_t cns, uint32_t nsid)
{
	uint16_t status = STATUS_OK;
	uint8_t *p;

	if (cmd->sqe[47] != NVME_CSI_NVM)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (cns == CNS_NAMESPACE_CSI)
		status = need_namespace(nsid);
	if (status)
		return status;
	p = admin_answer(cmd, IDENTIFY_BYTES);
	if (cns == CNS_CONTROLLER_CSI)
		p[1] = 9; /* Write Zeroes: 512 pages at most */
	else if (cns == CNS_ACTIVE_LIST_CSI && nsid < NAMESPACE_ID)
		put32(p, NAMESPACE_ID);
	return STATUS_OK;
}

uint16_t identify_run(struct command *cmd)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	uint32_t nsid = get32(cmd->sqe + 4);
	uint8_t cns = cmd->sqe[40];
	uint16_t status;
	uint8_t *p;

	switch (cns) {
	case CNS_CONTROLLER:
		identify_controller(ctrl, admin_answer(cmd, IDENTIFY_BYTES));
		return STATUS_OK;
	case CNS_NAMESPACE:
	case CNS_DESCRIPTORS:
		status = need_namespace(nsid);
		if (status)
			return status;
		p = admin_answer(cmd, IDENTIFY_BYTES);
		if (cns == CNS_NAMESPACE)
			identify_namespace(ctrl->rig, p);
		else
			put_descriptors(ctrl->rig, p);
		return STATUS_OK;
	case CNS_ACTIVE_LIST:
		if (nsid >= 0xfffffffe)
			return STATUS_INVALID_NAMESPACE | STATUS_NO_RETRY;
		p = admin_answer(cmd, IDENTIFY_BYTES);
		if (nsid < NAMESPACE_ID)
			put32(p, NAMESPACE_ID);
		return STATUS_OK;
	case CNS_NAMESPACE_CSI:
	case CNS_CONTROLLER_CSI:
	case CNS_ACTIVE_LIST_CSI:
		return by_command_set(cmd, cns, nsid);
	default:
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	}
}
