/*
 * I/O commands: what they may touch, when they may go through. Data of a write is in the store as
 * soon as it has come; that of a read is taken from there when the bucket lets it go.
 */
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/clock.h"

#define RANGE_BYTES    16
#define DSM_DEALLOCATE 0x4

static uint64_t first_block(const struct command *cmd)
{
	return get64(cmd->sqe + 40);
}

static uint64_t block_count(const struct command *cmd)
{
	return (get32(cmd->sqe + 48) & 0xffff) + UINT64_C(1);
}

uint64_t io_offset(const struct command *cmd)
{
	return first_block(cmd) * cmd->conn->rig->options.lba_bytes;
}

uint64_t io_bytes(const struct command *cmd)
{
	return block_count(cmd) * cmd->conn->rig->options.lba_bytes;
}

static bool outside(const struct rig *r, uint64_t first, uint64_t count)
{
	uint64_t blocks = r->store.bytes / r->options.lba_bytes;

	return first >= blocks || count > blocks - first;
}

static bool bad(const struct faults *f, bool write, uint64_t first, uint64_t count)
{
	if (!(write ? f->bad_write : f->bad_read))
		return false;
	return first < f->bad_first + f->bad_count && first + count > f->bad_first;
}

uint16_t io_check(const struct command *cmd)
{
	const struct rig *r = cmd->conn->rig;
	uint64_t first = first_block(cmd), count = block_count(cmd);
	bool write = cmd->sqe[0] != IO_READ;

	if (get32(cmd->sqe + 4) != NAMESPACE_ID)
		return STATUS_INVALID_NAMESPACE | STATUS_NO_RETRY;
	if (outside(r, first, count))
		return STATUS_LBA_RANGE | STATUS_NO_RETRY;
	if (write && r->faults.read_only)
		return STATUS_WRITE_PROTECTED | STATUS_NO_RETRY;
	if (bad(&r->faults, write, first, count))
		return (write ? STATUS_WRITE_FAULT : STATUS_READ_ERROR) | STATUS_NO_RETRY;
	return STATUS_OK;
}

static uint16_t deallocate(struct command *cmd)
{
	struct rig *r = cmd->conn->rig;
	size_t ranges = (size_t)cmd->sqe[40] + 1;

	if (get32(cmd->sqe + 4) != NAMESPACE_ID)
		return STATUS_INVALID_NAMESPACE | STATUS_NO_RETRY;
	/* Linux always sends 4096 bytes, however few ranges there are. */
	if (!cmd->data || cmd->received < ranges * RANGE_BYTES)
		return STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	if (r->faults.read_only)
		return STATUS_WRITE_PROTECTED | STATUS_NO_RETRY;
	for (size_t i = 0; i < ranges; i++) {
		const uint8_t *p = cmd->data + i * RANGE_BYTES;

		if (outside(r, get64(p + 8), get32(p + 4)) && get32(p + 4))
			return STATUS_LBA_RANGE | STATUS_NO_RETRY;
	}
	for (size_t i = 0; i < ranges && get32(cmd->sqe + 44) & DSM_DEALLOCATE; i++) {
		const uint8_t *p = cmd->data + i * RANGE_BYTES;
		uint64_t lba_bytes = r->options.lba_bytes;

		if (get32(p + 4))
			store_zero(&r->store, get64(p + 8) * lba_bytes, get32(p + 4) * lba_bytes);
	}
	return STATUS_OK;
}

static uint16_t write_zeroes(struct command *cmd)
{
	uint16_t status = io_check(cmd);

	if (status == STATUS_OK)
		store_zero(&cmd->conn->rig->store, io_offset(cmd), io_bytes(cmd));
	return status;
}

/* Read and Write: STATUS_OK where they go on to wait for their turn. */
static uint16_t check_transfer(struct command *cmd)
{
	bool in_capsule;
	uint32_t bytes;
	uint16_t status = io_check(cmd);

	if (status)
		return status;
	command_sgl(cmd, &in_capsule, &bytes);
	if (bytes != io_bytes(cmd) || (cmd->sqe[0] == IO_WRITE && cmd->received != bytes))
		return STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	return STATUS_OK;
}

static bool failed_medium(uint16_t status)
{
	return (status & 0x7ff) >= STATUS_WRITE_FAULT;
}

void io_run(struct command *cmd)
{
	struct rig *r = cmd->conn->rig;
	uint16_t status = STATUS_OK;
	bool transfer = false;

	switch (cmd->sqe[0]) {
	case IO_READ:
	case IO_WRITE:
		status = check_transfer(cmd);
		transfer = status == STATUS_OK;
		break;
	case IO_FLUSH:
		if (get32(cmd->sqe + 4) != NAMESPACE_ID && get32(cmd->sqe + 4) != NSID_ALL)
			status = STATUS_INVALID_NAMESPACE | STATUS_NO_RETRY;
		break;
	case IO_WRITE_ZEROES:
		status = write_zeroes(cmd);
		break;
	case IO_DSM:
		status = deallocate(cmd);
		break;
	default:
		status = STATUS_INVALID_OPCODE | STATUS_NO_RETRY;
		break;
	}
	if (failed_medium(status))
		error_log_add(cmd, status, first_block(cmd));
	cmd->status = status;
	if (transfer || r->faults.hang_until_ns > r->now_ns)
		command_pace(cmd);
	else
		command_done(cmd, status);
}

/* The queue whose first command has waited longest. */
static struct conn *next_turn(const struct rig *r)
{
	struct conn *first = NULL;

	for (struct conn *c = r->conns; c; c = c->next)
		if (!c->dead && c->ctrl && c->paced)
			if (!first || c->paced->serial < first->paced->serial)
				first = c;
	return first;
}

static void go(struct command *cmd)
{
	struct rig *r = cmd->conn->rig;

	if (cmd->status == STATUS_OK && cmd->sqe[0] == IO_READ) {
		cmd->bytes = io_bytes(cmd);
		r->reads++;
	} else if (cmd->sqe[0] == IO_WRITE) {
		r->writes++;
	}
	command_done(cmd, cmd->status);
}

int64_t io_tick(struct rig *r)
{
	struct conn *c;

	if (r->faults.hang_until_ns > r->now_ns)
		return r->faults.hang_until_ns;
	while ((c = next_turn(r))) {
		struct command *cmd = c->paced;
		bool moves = cmd->status == STATUS_OK &&
			     (cmd->sqe[0] == IO_READ || cmd->sqe[0] == IO_WRITE);
		enum op op = cmd->sqe[0] == IO_READ ? OP_READ : OP_WRITE;

		if (moves && !pace_take(&r->pace, op, io_bytes(cmd), r->now_ns))
			return pace_ready_ns(&r->pace, r->now_ns);
		c->paced = cmd->next;
		if (!c->paced)
			c->paced_end = &c->paced;
		go(cmd);
	}
	return INT64_MAX;
}
