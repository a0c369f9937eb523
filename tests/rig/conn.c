/*
 * A connection's bytes: PDUs in, segments out. A PDU whose header makes no sense ends the
 * connection with a TermReq, as the transport specification asks for (section 3.5).
 */
#include "conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/alloc.h"

#define PIECES 64
/* So much from one connection before the others get their turn. */
#define TURN_BYTES (1u << 20)

struct conn *conn_new(struct rig *r, int fd)
{
	struct conn *c = xzalloc(sizeof(*c));

	c->rig = r;
	c->fd = fd;
	c->out_end = &c->out;
	c->paced_end = &c->paced;
	c->entries = QUEUE_ENTRIES;
	for (uint16_t i = 0; i < QUEUE_ENTRIES; i++) {
		c->command[i].conn = c;
		c->command[i].tag = i;
	}
	return c;
}

static void segment_free(struct segment *s)
{
	free(s->owned);
	free(s);
}

void conn_free(struct conn *c)
{
	while (c->out) {
		struct segment *s = c->out;

		c->out = s->next;
		segment_free(s);
	}
	for (size_t i = 0; i < QUEUE_ENTRIES; i++)
		free(c->command[i].data);
	close(c->fd);
	free(c);
}

void conn_send(struct conn *c, const uint8_t *head, size_t head_bytes, const uint8_t *data,
	       size_t bytes, uint8_t *owned)
{
	struct segment *s = xmalloc(sizeof(*s));

	s->next = NULL;
	if (head_bytes)
		memcpy(s->head, head, head_bytes);
	s->head_bytes = head_bytes;
	s->data = data;
	s->bytes = bytes;
	s->sent = 0;
	s->owned = owned;
	*c->out_end = s;
	c->out_end = &s->next;
}

void conn_fatal(struct conn *c, enum pdu_fatal fatal, uint32_t field, const uint8_t *head, size_t n)
{
	uint8_t term[PDU_DATA_HEAD + 128];

	if (n > 128 - PDU_DATA_HEAD)
		n = 128 - PDU_DATA_HEAD;
	pdu_make_term(term, fatal, field, n);
	conn_send(c, term, PDU_DATA_HEAD, NULL, 0, NULL);
	if (n) {
		uint8_t *copy = xmalloc(n);

		memcpy(copy, head, n);
		conn_send(c, NULL, 0, copy, n, copy);
	}
	c->closing = true;
}

/* The pieces of what is left to send. */
static int gather(const struct conn *c, struct iovec iov[PIECES])
{
	int n = 0;

	for (struct segment *s = c->out; s && n + 2 <= PIECES; s = s->next) {
		size_t skip = s->sent;

		if (skip < s->head_bytes) {
			iov[n++] = (struct iovec){s->head + skip, s->head_bytes - skip};
			skip = 0;
		} else {
			skip -= s->head_bytes;
		}
		if (s->bytes > skip) {
			/* sendmsg() takes no pointer to const, but only reads. */
			iov[n].iov_base = (void *)(uintptr_t)(s->data + skip);
			iov[n++].iov_len = s->bytes - skip;
		}
	}
	return n;
}

void conn_flush(struct conn *c)
{
	struct iovec iov[PIECES];

	while (c->out && !c->dead) {
		struct msghdr message = {.msg_iov = iov};
		ssize_t n;

		message.msg_iovlen = (size_t)gather(c, iov);
		n = sendmsg(c->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0) {
			c->dead = errno != EAGAIN && errno != EINTR;
			return;
		}
		while (c->out) {
			struct segment *s = c->out;
			size_t left = s->head_bytes + s->bytes - s->sent;

			if ((size_t)n < left) {
				s->sent += (size_t)n;
				break;
			}
			n -= (ssize_t)left;
			c->out = s->next;
			if (!c->out)
				c->out_end = &c->out;
			segment_free(s);
		}
	}
	if (!c->out && c->closing)
		c->dead = true;
}

/* Data of a command capsule. */
static void capsule(struct conn *c, const uint8_t *head)
{
	struct command *cmd = command_new(c, head + PDU_COMMON);
	size_t data = c->pdu.plen > c->pdu.hlen ? c->pdu.plen - c->pdu.pdo : 0;
	bool in_capsule;
	uint32_t bytes;

	c->pad_left = data ? (size_t)(c->pdu.pdo - c->pdu.hlen) : c->pdu.plen - c->pdu.hlen;
	c->data_left = data;
	c->receiving = NULL;
	if (!cmd)
		return;
	cmd->status = command_sgl(cmd, &in_capsule, &bytes);
	if (cmd->status == STATUS_OK && in_capsule && bytes != data)
		cmd->status = STATUS_SGL_LENGTH;
	if (cmd->status == STATUS_OK && in_capsule && bytes) {
		ctrl_expect(cmd, bytes);
		if (cmd->state == COMMAND_DATA)
			c->receiving = cmd;
		return;
	}
	if (cmd->status) {
		command_done(cmd, cmd->status);
		return;
	}
	if (bytes && ctrl_takes_data(cmd)) {
		ctrl_expect(cmd, bytes);
		if (cmd->state == COMMAND_DATA)
			command_ask(cmd);
		return;
	}
	command_run(cmd);
}

static void h2c_data(struct conn *c, const uint8_t *head)
{
	struct command *cmd = command_by_tag(c, get16(head + 10));
	uint32_t offset = get32(head + 12), bytes = get32(head + 16);

	if (!cmd || cmd->cid != get16(head + 8)) {
		conn_fatal(c, FATAL_FIELD, 10, head, PDU_DATA_HEAD);
		return;
	}
	if (c->pdu.plen - c->pdu.pdo != bytes || c->pdu.pdo < c->pdu.hlen || bytes == 0) {
		conn_fatal(c, FATAL_FIELD, 16, head, PDU_DATA_HEAD);
		return;
	}
	if (offset != cmd->received || bytes > cmd->expected - cmd->received) {
		conn_fatal(c, FATAL_RANGE, 12, head, PDU_DATA_HEAD);
		return;
	}
	c->receiving = cmd;
	c->pad_left = (size_t)(c->pdu.pdo - c->pdu.hlen);
	c->data_left = bytes;
}

/* A whole header is there. */
static void take_pdu(struct conn *c, const uint8_t *head)
{
	uint8_t answer[PDU_IC_BYTES];
	enum pdu_fatal fatal;
	uint32_t field;

	switch (c->pdu.type) {
	case PDU_ICREQ:
		fatal = pdu_check_icreq(head, &field);
		if (fatal) {
			conn_fatal(c, fatal, field, head, PDU_IC_BYTES);
			return;
		}
		pdu_make_icresp(answer);
		conn_send(c, answer, sizeof(answer), NULL, 0, NULL);
		c->open = true;
		break;
	case PDU_COMMAND:
		capsule(c, head);
		break;
	case PDU_H2C_DATA:
		h2c_data(c, head);
		break;
	default: /* the host ends the connection */
		c->dead = true;
		break;
	}
}

/* Bytes of a PDU's data that are in the buffer. */
static void take_data(struct conn *c)
{
	while (c->data_left && c->in_from < c->in_to) {
		size_t n = c->in_to - c->in_from;

		if (n > c->data_left)
			n = c->data_left;
		if (c->receiving) {
			uint8_t *to = command_place(c->receiving, &n);

			memcpy(to, c->in + c->in_from, n);
			c->receiving->received += n;
		}
		c->in_from += n;
		c->data_left -= n;
	}
}

/* Data that goes where it belongs without the buffer. False: there is nothing now. */
static bool receive_data(struct conn *c)
{
	static uint8_t nowhere[65536];
	size_t want = c->data_left;
	uint8_t *to = nowhere;
	ssize_t n;

	if (c->receiving)
		to = command_place(c->receiving, &want);
	else if (want > sizeof(nowhere))
		want = sizeof(nowhere);
	n = recv(c->fd, to, want, MSG_DONTWAIT);
	if (n <= 0) {
		c->dead = n == 0 || (errno != EAGAIN && errno != EINTR);
		return false;
	}
	if (c->receiving)
		c->receiving->received += (size_t)n;
	c->data_left -= (size_t)n;
	return true;
}

static void data_complete(struct conn *c)
{
	struct command *cmd = c->receiving;

	c->receiving = NULL;
	if (cmd && cmd->received == cmd->expected)
		command_run(cmd);
}

/* Everything that is in the buffer, up to the last incomplete header. */
static void parse(struct conn *c)
{
	while (c->in_from < c->in_to && !c->closing && !c->dead) {
		size_t have = c->in_to - c->in_from;
		const uint8_t *head = c->in + c->in_from;
		enum pdu_fatal fatal;
		uint32_t field;

		if (c->pad_left) {
			size_t n = have < c->pad_left ? have : c->pad_left;

			c->in_from += n;
			c->pad_left -= n;
			continue;
		}
		if (c->data_left) {
			take_data(c);
			if (!c->data_left)
				data_complete(c);
			continue;
		}
		if (have < PDU_COMMON)
			break;
		pdu_read(head, &c->pdu);
		fatal = pdu_check(&c->pdu, c->open, &field);
		if (fatal) {
			conn_fatal(c, fatal, field, head, PDU_COMMON);
			break;
		}
		if (have < c->pdu.hlen)
			break;
		c->in_from += c->pdu.hlen;
		take_pdu(c, head);
	}
	memmove(c->in, c->in + c->in_from, c->in_to - c->in_from);
	c->in_to -= c->in_from;
	c->in_from = 0;
}

void conn_readable(struct conn *c)
{
	size_t taken = 0;

	while (taken < TURN_BYTES && !c->dead && !c->closing) {
		ssize_t n;

		if (c->data_left && !c->pad_left && c->in_to == 0) {
			size_t before = c->data_left;

			if (!receive_data(c))
				return;
			taken += before - c->data_left;
			if (!c->data_left)
				data_complete(c);
			continue;
		}
		n = recv(c->fd, c->in + c->in_to, sizeof(c->in) - c->in_to, MSG_DONTWAIT);
		if (n <= 0) {
			c->dead = n == 0 || (errno != EAGAIN && errno != EINTR);
			return;
		}
		c->in_to += (size_t)n;
		taken += (size_t)n;
		parse(c);
	}
}
