/* Get Log Page. Base Specification 2.0, 5.16. */
#include <math.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/clock.h"

#define ENTRY_BYTES   64
#define OCP_BYTES     512
#define EFFECTS_BYTES 4096

/* The answer is the part of a page that the host asked for. */
struct request {
	uint8_t id, action;
	bool keep; /* Retain Asynchronous Event */
	uint64_t offset, bytes;
};

static void read_request(const uint8_t *sqe, struct request *out)
{
	uint32_t dw10 = get32(sqe + 40), dw11 = get32(sqe + 44);

	out->id = dw10 & 0xff;
	out->action = dw10 >> 8 & 0x7f;
	out->keep = dw10 >> 15 & 1;
	out->bytes = (((uint64_t)(dw11 & 0xffff) << 16 | dw10 >> 16) + 1) * 4;
	out->offset = get64(sqe + 48);
}

static uint16_t answer(struct command *cmd, const struct request *q, const uint8_t *page,
		       size_t size)
{
	size_t bytes = q->bytes < size ? q->bytes : size;
	uint8_t *out;

	if (q->offset > size || q->offset % 4 != 0)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (q->bytes > UINT64_C(1) << 20)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (bytes > size - q->offset)
		bytes = size - q->offset;
	/* What lies behind the page is undefined; zeros here. */
	out = admin_answer(cmd, q->bytes);
	memcpy(out, page + q->offset, bytes);
	return STATUS_OK;
}

/* Which pages there are. A host looks here before it asks for a vendor's page. */
static uint16_t log_supported(struct command *cmd, const struct request *q)
{
	const struct quirks *quirks = &cmd->conn->rig->quirks;
	uint8_t page[1024] = {0};

	for (uint8_t id = LOG_SUPPORTED; id <= LOG_EFFECTS; id++)
		page[4 * id] = 1;
	page[4 * LOG_PERSISTENT_EVENTS] = quirk_on(quirks, QUIRK_PEL);
	page[4 * LOG_OCP_SMART] = quirk_on(quirks, QUIRK_OCP);
	return answer(cmd, q, page, sizeof(page));
}

static uint16_t log_errors(struct command *cmd, const struct request *q)
{
	const struct ctrl *ctrl = cmd->conn->ctrl;
	uint8_t page[LOG_ERROR_ENTRIES * ENTRY_BYTES] = {0};

	for (uint64_t i = 0; i < LOG_ERROR_ENTRIES && i < ctrl->errors; i++) {
		const struct error_entry *e =
		    &ctrl->error[(ctrl->errors - 1 - i) % LOG_ERROR_ENTRIES];
		uint8_t *p = page + i * ENTRY_BYTES;

		put64(p, e->count);
		put16(p + 8, e->qid);
		put16(p + 10, e->cid);
		put16(p + 12, (unsigned)e->status << 1);
		put16(p + 14, e->location);
		put64(p + 16, e->lba);
		put32(p + 24, e->nsid);
		p[29] = 3; /* TCP */
	}
	return answer(cmd, q, page, sizeof(page));
}

static uint16_t log_firmware(struct command *cmd, const struct request *q)
{
	const char *firmware = cmd->conn->rig->preset.firmware;
	uint8_t page[512] = {1};

	memset(page + 8, ' ', 8);
	memcpy(page + 8, firmware, strnlen(firmware, 8));
	return answer(cmd, q, page, sizeof(page));
}

static uint16_t log_changed(struct command *cmd, const struct request *q)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	uint8_t page[4096] = {0};

	if (ctrl->namespace_changed)
		put32(page, NAMESPACE_ID);
	ctrl->namespace_changed = false;
	return answer(cmd, q, page, sizeof(page));
}

static uint16_t log_effects(struct command *cmd, const struct request *q)
{
	static const uint8_t admin[] = {ADMIN_GET_LOG,      ADMIN_IDENTIFY,     ADMIN_ABORT,
					ADMIN_SET_FEATURES, ADMIN_GET_FEATURES, ADMIN_ASYNC_EVENT,
					ADMIN_KEEP_ALIVE};
	static const struct {
		uint8_t opcode, changes;
	} io[] = {{IO_FLUSH, 0}, {IO_WRITE, 1}, {IO_READ, 0}, {IO_WRITE_ZEROES, 1}, {IO_DSM, 1}};
	uint8_t page[EFFECTS_BYTES] = {0};

	for (size_t i = 0; i < sizeof(admin); i++)
		put32(page + 4 * admin[i], 1);
	for (size_t i = 0; i < sizeof(io) / sizeof(io[0]); i++)
		put32(page + 1024 + 4 * io[i].opcode, 1u | (uint32_t)io[i].changes << 1);
	return answer(cmd, q, page, sizeof(page));
}

/* Actions: 0 read, 1 establish the context and read, 2 release. */
static uint16_t log_persistent(struct command *cmd, const struct request *q)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	uint16_t status;

	if (q->action > 2)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (q->action == 2) {
		pel_release(&ctrl->pel);
		return STATUS_OK;
	}
	if ((q->action == 1) == (ctrl->pel.data != NULL))
		return STATUS_SEQUENCE | STATUS_NO_RETRY;
	if (q->action == 1)
		pel_establish(&ctrl->pel, ctrl->rig, ctrl_timestamp_ms(ctrl));
	status = answer(cmd, q, ctrl->pel.data, ctrl->pel.bytes);
	if (status && q->action == 1)
		pel_release(&ctrl->pel);
	return status;
}

/* OCP Datacenter NVMe SSD Specification 2.0, SMART / Health Information Extended. */
static uint16_t log_ocp(struct command *cmd, const struct request *q)
{
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};
	const struct rig *r = cmd->conn->rig;
	int own = sim_true_own_stage(r->pace.sim), host = sim_true_host_stage(r->pace.sim);
	uint8_t page[OCP_BYTES] = {0};

	put64(page + 16, r->pace.bytes[OP_READ]);
	page[96] = (uint8_t)r->throttle_events;
	page[97] = (uint8_t)(own > host ? own : host);
	put16(page + 494, 3); /* version of the page */
	memcpy(page + 496, guid, sizeof(guid));
	return answer(cmd, q, page, sizeof(page));
}

static uint16_t log_smart(struct command *cmd, const struct request *q)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	uint8_t page[512];

	if (get32(cmd->sqe + 4) != NSID_ALL && get32(cmd->sqe + 4) != 0)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	smart_page(ctrl->rig, &ctrl->features, page);
	return answer(cmd, q, page, sizeof(page));
}

uint16_t log_run(struct command *cmd)
{
	const struct quirks *quirks = &cmd->conn->rig->quirks;
	uint16_t status = STATUS_INVALID_LOG | STATUS_NO_RETRY;
	struct request q;

	read_request(cmd->sqe, &q);
	switch (q.id) {
	case LOG_SUPPORTED:
		if (quirk_on(quirks, QUIRK_OCP))
			status = log_supported(cmd, &q);
		break;
	case LOG_ERRORS:
		status = log_errors(cmd, &q);
		break;
	case LOG_SMART:
		status = log_smart(cmd, &q);
		break;
	case LOG_FIRMWARE:
		status = log_firmware(cmd, &q);
		break;
	case LOG_CHANGED_NAMESPACES:
		status = log_changed(cmd, &q);
		break;
	case LOG_EFFECTS:
		status = log_effects(cmd, &q);
		break;
	case LOG_PERSISTENT_EVENTS:
		if (quirk_on(quirks, QUIRK_PEL))
			status = log_persistent(cmd, &q);
		break;
	case LOG_OCP_SMART:
		if (quirk_on(quirks, QUIRK_OCP))
			status = log_ocp(cmd, &q);
		break;
	default:
		break;
	}
	if (status == STATUS_OK)
		event_read(cmd->conn->ctrl, q.id, q.keep);
	return status;
}
