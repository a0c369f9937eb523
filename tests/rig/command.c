/*
 * Commands that are under way on a connection: their place, their data, their answer. What they
 * mean is decided in ctrl.c, admin.c and io.c.
 */
#include <stdlib.h>
#include <string.h>

#include "conn.h"
#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/alloc.h"

/* SGL descriptors: type << 4 | subtype. */
#define SGL_BLOCK_OFFSET 0x01 /* data block, in the capsule */
#define SGL_TRANSPORT    0x5a /* the transport carries it */

struct command *command_new(struct conn *c, const uint8_t sqe[64])
{
	struct command *cmd = NULL;

	for (size_t i = 0; i < QUEUE_ENTRIES && !cmd; i++)
		if (c->command[i].state == COMMAND_FREE)
			cmd = &c->command[i];
	if (!cmd) { /* more than the queue has entries for */
		conn_fatal(c, FATAL_SEQUENCE, 0, NULL, 0);
		return NULL;
	}
	memcpy(cmd->sqe, sqe, sizeof(cmd->sqe));
	cmd->cid = get16(sqe + 2);
	cmd->state = COMMAND_LATER;
	cmd->due_ns = INT64_MAX;
	cmd->status = STATUS_OK;
	cmd->result = 0;
	cmd->expected = cmd->received = cmd->bytes = 0;
	c->sqhd = (uint16_t)((c->sqhd + 1) % c->entries);
	return cmd;
}

uint16_t command_sgl(const struct command *cmd, bool *in_capsule, uint32_t *bytes)
{
	const uint8_t *sgl = cmd->sqe + 24;
	uint8_t type = sgl[15];

	*bytes = get32(sgl + 8);
	*in_capsule = type == SGL_BLOCK_OFFSET;
	if (type == SGL_TRANSPORT || *bytes == 0)
		return STATUS_OK;
	if (type != SGL_BLOCK_OFFSET)
		return STATUS_SGL_TYPE | STATUS_NO_RETRY;
	return get64(sgl) == 0 ? STATUS_OK : STATUS_SGL_OFFSET | STATUS_NO_RETRY;
}

struct command *command_by_tag(struct conn *c, uint16_t tag)
{
	if (tag >= QUEUE_ENTRIES || c->command[tag].state != COMMAND_DATA)
		return NULL;
	return &c->command[tag];
}

uint8_t *command_place(struct command *cmd, size_t *bytes)
{
	struct conn *c = cmd->conn;

	if (c->qid == 0 || cmd->data)
		return cmd->data + cmd->received;
	return store_run(&c->rig->store, io_offset(cmd) + cmd->received, bytes, true);
}

/* One R2T for all of it, in pieces that a single H2CData PDU can hold. */
void command_ask(struct command *cmd)
{
	uint8_t head[PDU_DATA_HEAD];
	size_t left = cmd->expected - cmd->received;

	pdu_make_r2t(head, cmd->cid, cmd->tag, (uint32_t)cmd->received, (uint32_t)left);
	conn_send(cmd->conn, head, sizeof(head), NULL, 0, NULL);
}

void command_run(struct command *cmd)
{
	cmd->state = COMMAND_LATER;
	cmd->due_ns = INT64_MAX;
	ctrl_run(cmd);
}

static void send_stored(struct command *cmd)
{
	struct conn *c = cmd->conn;
	uint8_t head[PDU_DATA_HEAD];
	uint64_t offset = io_offset(cmd);
	size_t done = 0, head_bytes = sizeof(head);

	pdu_make_data(head, cmd->cid, 0, (uint32_t)cmd->bytes);
	while (done < cmd->bytes) {
		size_t n = cmd->bytes - done;
		const uint8_t *from = store_run(&c->rig->store, offset + done, &n, false);

		conn_send(c, head, head_bytes, from, n, NULL);
		head_bytes = 0;
		done += n;
	}
}

static void send_data(struct command *cmd)
{
	uint8_t head[PDU_DATA_HEAD];

	pdu_make_data(head, cmd->cid, 0, (uint32_t)cmd->bytes);
	conn_send(cmd->conn, head, sizeof(head), cmd->data, cmd->bytes, cmd->data);
	cmd->data = NULL;
}

void command_done(struct command *cmd, uint16_t status)
{
	struct conn *c = cmd->conn;
	uint8_t cqe[16] = {0}, head[PDU_DATA_HEAD];

	if (status == STATUS_OK && cmd->bytes) {
		if (cmd->data)
			send_data(cmd);
		else
			send_stored(cmd);
	}
	put64(cqe, cmd->result);
	put16(cqe + 8, c->no_flow ? 0xffff : c->sqhd);
	put16(cqe + 12, cmd->cid);
	put16(cqe + 14, (unsigned)status << 1);
	pdu_make_response(head, cqe);
	conn_send(c, head, sizeof(head), NULL, 0, NULL);
	free(cmd->data);
	cmd->data = NULL;
	cmd->state = COMMAND_FREE;
}

void command_pace(struct command *cmd)
{
	struct conn *c = cmd->conn;
	static int64_t serial;

	cmd->state = COMMAND_PACED;
	cmd->serial = serial++;
	cmd->next = NULL;
	*c->paced_end = cmd;
	c->paced_end = &cmd->next;
}
