/*
 * Controllers: Connect and properties (Base Specification 2.0, section 6), what a reset and a
 * shutdown do, keep-alive, and which commands go where.
 */
#include "ctrl.h"

#include <stdlib.h>
#include <string.h>

#include "nvme.h"
#include "rig.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"

#define CONNECT_BYTES  1024
#define ADMIN_DATA_MAX 131072
#define VERSION        0x00010400u
/* Contiguous queues of QUEUE_ENTRIES, ready within 15 s, NVM command set. */
#define CAPABILITIES \
	((uint64_t)(QUEUE_ENTRIES - 1) | UINT64_C(1) << 16 | UINT64_C(30) << 24 | UINT64_C(1) << 37)
#define CC_SHUTDOWN(cc) ((cc) >> 14 & 3)
/* Connect, invalid parameters: where. */
#define IN_COMMAND(offset) ((uint64_t)(offset))
#define IN_DATA(offset)    ((uint64_t)(offset) | UINT64_C(1) << 16)

static struct ctrl *ctrl_find(const struct rig *r, uint16_t id)
{
	for (struct ctrl *c = r->ctrls; c; c = c->next)
		if (c->id == id)
			return c;
	return NULL;
}

static struct ctrl *ctrl_new(struct conn *c, const uint8_t *data, uint32_t kato_ms)
{
	struct ctrl *ctrl = xzalloc(sizeof(*ctrl));
	struct rig *r = c->rig;

	do
		r->last_cntlid = (uint16_t)(r->last_cntlid % 0xffef + 1);
	while (ctrl_find(r, r->last_cntlid));
	ctrl->id = r->last_cntlid;
	ctrl->rig = r;
	ctrl->admin = c;
	ctrl->kato_ms = kato_ms;
	ctrl->heard_ns = r->now_ns;
	memcpy(ctrl->host, data, sizeof(ctrl->host));
	ctrl->next = r->ctrls;
	r->ctrls = ctrl;
	features_reset(ctrl);
	return ctrl;
}

void ctrl_free(struct ctrl *ctrl)
{
	pel_release(&ctrl->pel);
	free(ctrl);
}

void ctrl_leave(struct conn *c)
{
	struct ctrl *ctrl = c->ctrl;
	struct rig *r = c->rig;

	if (!ctrl || ctrl->admin != c)
		return;
	for (struct conn *other = r->conns; other; other = other->next)
		if (other->ctrl == ctrl) {
			other->ctrl = NULL;
			other->dead = true;
		}
	for (struct ctrl **at = &r->ctrls; *at; at = &(*at)->next)
		if (*at == ctrl) {
			*at = ctrl->next;
			break;
		}
	ctrl_free(ctrl);
}

static uint16_t connect_refuse(struct command *cmd, uint64_t where)
{
	cmd->result = where;
	return STATUS_CONNECT_PARAMETER | STATUS_NO_RETRY;
}

/* An I/O queue of a controller that is there. */
static uint16_t connect_queue(struct command *cmd, uint16_t qid)
{
	struct conn *c = cmd->conn;
	struct ctrl *ctrl = ctrl_find(c->rig, get16(cmd->data + 16));

	if (!ctrl || memcmp(ctrl->host, cmd->data, sizeof(ctrl->host)) != 0)
		return connect_refuse(cmd, IN_DATA(16));
	if (qid > (ctrl->features.queues & 0xffff) + 1)
		return connect_refuse(cmd, IN_COMMAND(42));
	for (struct conn *other = c->rig->conns; other; other = other->next)
		if (other->ctrl == ctrl && other->qid == qid)
			return connect_refuse(cmd, IN_COMMAND(42));
	if (!(ctrl->csts & CSTS_READY))
		return STATUS_SEQUENCE;
	c->ctrl = ctrl;
	return STATUS_OK;
}

static uint16_t connect_run(struct command *cmd)
{
	struct conn *c = cmd->conn;
	const uint8_t *sqe = cmd->sqe;
	uint16_t qid = get16(sqe + 42), entries = get16(sqe + 44), status = STATUS_OK;

	if (c->ctrl)
		return STATUS_SEQUENCE | STATUS_NO_RETRY;
	if (get16(sqe + 40) != 0)
		return STATUS_CONNECT_FORMAT | STATUS_NO_RETRY;
	if (cmd->received != CONNECT_BYTES)
		return STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	if (entries == 0 || entries >= QUEUE_ENTRIES)
		return connect_refuse(cmd, IN_COMMAND(44));
	if (strncmp((const char *)cmd->data + 256, c->rig->options.nqn, 256) != 0)
		return connect_refuse(cmd, IN_DATA(256));
	if (qid > 0)
		status = connect_queue(cmd, qid);
	else if (get16(cmd->data + 16) != 0xffff)
		return connect_refuse(cmd, IN_DATA(16));
	else
		c->ctrl = ctrl_new(c, cmd->data, get32(sqe + 48));
	if (status)
		return status;
	c->qid = qid;
	c->entries = (uint16_t)(entries + 1);
	c->sqhd = 1;
	c->no_flow = sqe[46] & 4;
	cmd->result = c->ctrl->id;
	return STATUS_OK;
}

/* EN from 1 to 0 is a reset: everything is forgotten, event requests are not answered. */
static void reset(struct ctrl *ctrl)
{
	for (size_t i = 0; i < QUEUE_ENTRIES; i++)
		if (ctrl->admin->command[i].state == COMMAND_EVENT)
			ctrl->admin->command[i].state = COMMAND_FREE;
	for (struct conn *c = ctrl->rig->conns; c; c = c->next)
		if (c->ctrl == ctrl && c != ctrl->admin)
			c->dead = true;
	memset(ctrl->event_due, 0, sizeof(ctrl->event_due));
	memset(ctrl->event_masked, 0, sizeof(ctrl->event_masked));
	ctrl->hot = false;
	pel_release(&ctrl->pel);
	ctrl->csts = 0;
	ctrl->rig->resets++;
	features_reset(ctrl);
}

static void set_cc(struct ctrl *ctrl, uint32_t cc)
{
	uint32_t changed = cc ^ ctrl->cc;

	ctrl->cc = cc;
	if (changed & CC_ENABLE) {
		if (cc & CC_ENABLE)
			ctrl->csts |= CSTS_READY;
		else
			reset(ctrl);
	}
	if (CC_SHUTDOWN(cc) && CC_SHUTDOWN(changed))
		ctrl->csts |= CSTS_SHUTDOWN;
	else if (!CC_SHUTDOWN(cc))
		ctrl->csts &= ~(uint32_t)CSTS_SHUTDOWN;
}

static uint16_t property_get(struct command *cmd)
{
	const struct ctrl *ctrl = cmd->conn->ctrl;
	uint32_t offset = get32(cmd->sqe + 44);
	bool wide = (cmd->sqe[40] & 7) == 1;

	if (wide != (offset == PROPERTY_CAP))
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (offset == PROPERTY_CAP)
		cmd->result = CAPABILITIES;
	else if (offset == PROPERTY_VS)
		cmd->result = VERSION;
	else if (offset == PROPERTY_CC)
		cmd->result = ctrl->cc;
	else if (offset == PROPERTY_CSTS)
		cmd->result = ctrl->csts;
	else
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	return STATUS_OK;
}

static uint16_t property_set(struct command *cmd)
{
	if ((cmd->sqe[40] & 7) != 0 || get32(cmd->sqe + 44) != PROPERTY_CC)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	set_cc(cmd->conn->ctrl, get32(cmd->sqe + 48));
	return STATUS_OK;
}

static uint16_t fabrics(struct command *cmd)
{
	struct conn *c = cmd->conn;

	if (cmd->sqe[4] == FABRICS_CONNECT)
		return connect_run(cmd);
	if (!c->ctrl)
		return STATUS_SEQUENCE | STATUS_NO_RETRY;
	switch (cmd->sqe[4]) {
	case FABRICS_PROPERTY_GET:
		return c->qid ? STATUS_INVALID_OPCODE | STATUS_NO_RETRY : property_get(cmd);
	case FABRICS_PROPERTY_SET:
		return c->qid ? STATUS_INVALID_OPCODE | STATUS_NO_RETRY : property_set(cmd);
	case FABRICS_DISCONNECT:
		if (!c->qid)
			return STATUS_INVALID_QUEUE | STATUS_NO_RETRY;
		c->closing = true; /* after the answer */
		return STATUS_OK;
	default:
		return STATUS_INVALID_OPCODE | STATUS_NO_RETRY;
	}
}

void ctrl_run(struct command *cmd)
{
	struct conn *c = cmd->conn;

	if (c->ctrl)
		c->ctrl->heard_ns = c->rig->now_ns;
	if (cmd->sqe[0] == FABRICS)
		command_done(cmd, fabrics(cmd));
	else if (!c->ctrl || !(c->ctrl->csts & CSTS_READY))
		command_done(cmd, STATUS_SEQUENCE | STATUS_NO_RETRY);
	else if (c->qid == 0)
		admin_run(cmd);
	else
		io_run(cmd);
}

bool ctrl_takes_data(const struct command *cmd)
{
	uint8_t code = cmd->sqe[0] == FABRICS ? cmd->sqe[4] : cmd->sqe[0];

	/* Bits 1:0 of an opcode say which way its data goes. */
	return code & 1;
}

void ctrl_expect(struct command *cmd, uint32_t bytes)
{
	bool stored = cmd->conn->qid && cmd->sqe[0] == IO_WRITE;
	uint16_t status = STATUS_OK;

	if (!ctrl_takes_data(cmd))
		status = STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	else if (stored && !cmd->conn->ctrl)
		status = STATUS_SEQUENCE | STATUS_NO_RETRY;
	else if (stored)
		status = io_check(cmd);
	else if (bytes > ADMIN_DATA_MAX)
		status = STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	if (status == STATUS_OK && stored && bytes != io_bytes(cmd))
		status = STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	if (status) {
		if (status == (STATUS_WRITE_FAULT | STATUS_NO_RETRY))
			error_log_add(cmd, status, get64(cmd->sqe + 40));
		command_done(cmd, status);
		return;
	}
	if (!stored)
		cmd->data = xzalloc(bytes);
	cmd->expected = bytes;
	cmd->received = 0;
	cmd->state = COMMAND_DATA;
}

uint64_t ctrl_timestamp_ms(const struct ctrl *ctrl)
{
	const struct features *f = &ctrl->features;

	return f->timestamp_ms + (uint64_t)((ctrl->rig->now_ns - f->timestamp_ns) / NS_PER_MS);
}

void ctrl_put_names(const struct rig *r, uint8_t serial[20], uint8_t model[40])
{
	memset(serial, ' ', 20);
	memcpy(serial, r->options.serial, strnlen(r->options.serial, 20));
	memset(model, ' ', 40);
	memcpy(model, r->preset.model, strnlen(r->preset.model, 40));
}

void ctrl_tick(struct ctrl *ctrl)
{
	int64_t kato_ns = (int64_t)ctrl->kato_ms * NS_PER_MS;

	/* A host that waits for an answer has not gone away. */
	if (ctrl->rig->late)
		ctrl->heard_ns = ctrl->rig->now_ns;
	if (kato_ns > 0 && ctrl->rig->now_ns - ctrl->heard_ns > kato_ns) {
		ctrl->csts |= CSTS_FATAL;
		ctrl->admin->dead = true;
		return;
	}
	events_send(ctrl);
}
