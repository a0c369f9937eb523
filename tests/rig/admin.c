/*
 * Admin commands: dispatch, Abort, event requests, and the error log that Get Log Page 01h shows.
 * A slow or failing SMART log is made here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"

uint8_t *admin_answer(struct command *cmd, size_t size)
{
	bool in_capsule;
	uint32_t wanted;

	command_sgl(cmd, &in_capsule, &wanted);
	free(cmd->data);
	cmd->data = xzalloc(size);
	cmd->bytes = wanted < size ? wanted : size;
	return cmd->data;
}

void error_log_add(struct command *cmd, uint16_t status, uint64_t lba)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	struct error_entry *e = &ctrl->error[ctrl->errors++ % LOG_ERROR_ENTRIES];

	*e = (struct error_entry){
	    .count = ++ctrl->rig->errors,
	    .lba = lba,
	    .qid = cmd->conn->qid,
	    .cid = cmd->cid,
	    .status = status,
	    .location = 0xffff,
	    .nsid = get32(cmd->sqe + 4),
	};
}

static uint16_t async_event(struct command *cmd)
{
	struct conn *c = cmd->conn;
	unsigned waiting = 0;

	for (size_t i = 0; i < QUEUE_ENTRIES; i++)
		waiting += c->command[i].state == COMMAND_EVENT;
	if (waiting >= EVENT_REQUESTS)
		return STATUS_TOO_MANY_EVENTS;
	cmd->state = COMMAND_EVENT;
	events_send(c->ctrl);
	return STATUS_OK;
}

/* Only what can still be stopped: event requests and answers that are held back. */
static uint16_t abort_command(struct command *cmd)
{
	struct conn *c = cmd->conn;
	uint16_t sqid = get16(cmd->sqe + 40), cid = get16(cmd->sqe + 42);

	cmd->result = 1; /* not aborted */
	for (struct conn *q = c->rig->conns; q; q = q->next) {
		if (q->ctrl != c->ctrl || q->qid != sqid || q->dead)
			continue;
		for (size_t i = 0; i < QUEUE_ENTRIES; i++) {
			struct command *other = &q->command[i];

			if (other->cid != cid || other == cmd)
				continue;
			if (other->state != COMMAND_EVENT && other->state != COMMAND_LATER)
				continue;
			other->bytes = 0;
			command_done(other, STATUS_ABORTED);
			cmd->result = 0;
			return STATUS_OK;
		}
	}
	return STATUS_OK;
}

static bool is_smart(const struct command *cmd)
{
	return cmd->sqe[0] == ADMIN_GET_LOG && cmd->sqe[40] == LOG_SMART;
}

static uint16_t run(struct command *cmd)
{
	switch (cmd->sqe[0]) {
	case ADMIN_GET_LOG:
		return log_run(cmd);
	case ADMIN_IDENTIFY:
		return identify_run(cmd);
	case ADMIN_ABORT:
		return abort_command(cmd);
	case ADMIN_SET_FEATURES:
		return feature_set(cmd);
	case ADMIN_GET_FEATURES:
		return feature_get(cmd);
	case ADMIN_ASYNC_EVENT:
		return async_event(cmd);
	case ADMIN_KEEP_ALIVE:
		return STATUS_OK;
	default:
		return STATUS_INVALID_OPCODE | STATUS_NO_RETRY;
	}
}

void admin_run(struct command *cmd)
{
	struct rig *r = cmd->conn->rig;
	uint16_t status = run(cmd);

	if (cmd->sqe[0] == ADMIN_ASYNC_EVENT && status == STATUS_OK)
		return;
	if (status == STATUS_OK && is_smart(cmd)) {
		if (quirk_on(&r->quirks, QUIRK_SMART_FAIL))
			status = (uint16_t)r->quirks.value[QUIRK_SMART_FAIL];
		if (quirk_on(&r->quirks, QUIRK_SMART_SLOW)) {
			cmd->status = status;
			r->late = true;
			cmd->due_ns = r->now_ns + (int64_t)(r->quirks.value[QUIRK_SMART_SLOW] *
							    (double)NS_PER_S);
			return;
		}
	}
	/* No entry for what a probing host tries: real drives differ, this one forgives. */
	command_done(cmd, status);
}
