/*
 * One TCP connection: a queue of one controller. conn.c moves bytes and PDUs; command.c keeps the
 * commands that are under way. Nothing here blocks.
 */
#ifndef RIG_CONN_H
#define RIG_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdu.h"

#define QUEUE_ENTRIES 128
#define RECEIVE_BYTES 16384

struct ctrl;
struct rig;

enum command_state {
	COMMAND_FREE,
	COMMAND_DATA,  /* waits for the host's data */
	COMMAND_PACED, /* waits for the bucket */
	COMMAND_LATER, /* answered at due_ns */
	COMMAND_EVENT, /* an Asynchronous Event Request */
};

struct command {
	struct conn *conn;
	enum command_state state;
	uint8_t sqe[64];
	uint16_t cid, tag;    /* tag: its place in conn->command */
	struct command *next; /* of those that wait for the bucket */
	int64_t due_ns, serial;
	/* To the host: what an admin command answers. */
	uint8_t *data;
	size_t bytes;
	/* From the host: whole length, how much came; admin data goes to `data`. */
	size_t expected, received;
	uint64_t result;
	uint16_t status;
};

/* A piece of what is to be sent. */
struct segment {
	struct segment *next;
	uint8_t head[PDU_IC_BYTES];
	size_t head_bytes;
	const uint8_t *data;
	size_t bytes, sent; /* sent: of both */
	uint8_t *owned;     /* freed afterwards; NULL: the store's */
};

struct conn {
	struct conn *next;
	struct rig *rig;
	struct ctrl *ctrl; /* NULL before Connect */
	int fd;
	bool open;    /* ICReq was answered */
	bool dead;    /* to be closed at the end of this turn */
	bool closing; /* ... once all is sent */
	uint16_t qid, entries, sqhd;
	bool no_flow; /* the host does not look at the SQ head */

	uint8_t in[RECEIVE_BYTES];
	size_t in_from, in_to;
	struct pdu pdu;            /* whose data is being received */
	struct command *receiving; /* NULL with data left: it is thrown away */
	size_t data_left, pad_left, data_at;

	struct segment *out, **out_end;
	struct command command[QUEUE_ENTRIES];
	struct command *paced, **paced_end;
};

/* Takes over the descriptor. */
struct conn *conn_new(struct rig *r, int fd);
void conn_free(struct conn *c);
void conn_readable(struct conn *c);
void conn_flush(struct conn *c);
/* Ends the connection with a TermReq. */
void conn_fatal(struct conn *c, enum pdu_fatal fatal, uint32_t field, const uint8_t *head,
		size_t n);
/* `data` is sent after the header; `owned` is freed then. */
void conn_send(struct conn *c, const uint8_t *head, size_t head_bytes, const uint8_t *data,
	       size_t bytes, uint8_t *owned);

/* command.c */
/* A command capsule came, with `bytes` of data still to be received with it. */
struct command *command_new(struct conn *c, const uint8_t sqe[64]);
/* Where the next bytes of the host's data go; *bytes is cut to what fits there. */
uint8_t *command_place(struct command *cmd, size_t *bytes);
/* All the data is there: carry it out. */
void command_run(struct command *cmd);
/* Asks the host for the data of a write. */
void command_ask(struct command *cmd);
/* Answers and frees it: data to the host first, if it has any. */
void command_done(struct command *cmd, uint16_t status);
/* Puts it behind the others that wait for the bucket. */
void command_pace(struct command *cmd);
/* The data that the command's SGL describes; a status where that makes no sense. */
uint16_t command_sgl(const struct command *cmd, bool *in_capsule, uint32_t *bytes);
/* The command that waits for data and has that tag, or NULL. */
struct command *command_by_tag(struct conn *c, uint16_t tag);

#endif
