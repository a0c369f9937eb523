/*
 * A small NVMe/TCP host for the tests of the target: starts one, speaks to it over the loopback,
 * one command at a time. Failures are assertions.
 */
#ifndef TESTS_RIG_CLIENT_H
#define TESTS_RIG_CLIENT_H

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rig/nvme.h"
#include "rig/pdu.h"
#include "throttlog/text.h"

/* A target that runs. */
struct target_rig {
	pid_t pid;
	unsigned port;
	char control[64];
};

/* One connection. */
struct host {
	int fd;
	uint16_t cid;
	uint32_t result; /* of the last command */
	uint32_t event;  /* of an event request that completed meanwhile; 0: none */
};

#define EVENT_CID 0x7000
#define RIG_NQN   "nqn.2026-12.org.throttlog:T1"
#define NO_RETRY  STATUS_NO_RETRY

static inline void rig_path(char *out, size_t size)
{
	char self[256];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	assert_true(n > 0);
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	text_format(out, size, "%s/rig/throttlog-rig", self);
}

/* `options` ends with NULL. */
static inline struct target_rig rig_start(char *const *options)
{
	struct target_rig t;
	char path[300], line[64] = "", *argv[24] = {path, NULL};
	int out[2], n = 1;

	rig_path(path, sizeof(path));
	text_format(t.control, sizeof(t.control), "/tmp/rig-test-%d", (int)getpid());
	argv[n++] = (char[]){"--serial=T1"};
	argv[n++] = (char[]){"--control"};
	argv[n++] = t.control;
	while (*options)
		argv[n++] = *options++;
	argv[n] = NULL;
	assert_int_equal(pipe(out), 0);
	t.pid = fork();
	assert_true(t.pid >= 0);
	if (t.pid == 0) {
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		execv(path, argv);
		_exit(127);
	}
	close(out[1]);
	for (size_t have = 0; have < sizeof(line) - 1 && !strchr(line, '\n'); have++)
		if (read(out[0], line + have, 1) != 1)
			break;
	close(out[0]);
	assert_int_equal(sscanf(line, "port %u", &t.port), 1);
	return t;
}

/* One line to the control socket; the answer with its last line. */
static inline void rig_say(const struct target_rig *t, const char *words, char *answer, size_t size)
{
	char command[400], path[300], line[256];
	FILE *f;

	rig_path(path, sizeof(path));
	text_format(command, sizeof(command), "%s ctl %s %s 2>&1", path, t->control, words);
	f = popen(command, "r");
	assert_non_null(f);
	answer[0] = '\0';
	while (fgets(line, sizeof(line), f))
		if (strlen(answer) + strlen(line) < size)
			memcpy(answer + strlen(answer), line, strlen(line) + 1);
	assert_int_equal(pclose(f), 0);
}

static inline void rig_do(const struct target_rig *t, const char *words)
{
	char answer[2048];

	rig_say(t, words, answer, sizeof(answer));
	assert_string_equal(answer, "");
}

static inline double rig_state(const struct target_rig *t, const char *key)
{
	char answer[2048], *at;

	rig_say(t, "state", answer, sizeof(answer));
	at = strstr(answer, key);
	assert_non_null(at);
	return atof(at + strlen(key));
}

/* It must have stayed alive, and end well. */
static inline void rig_stop(const struct target_rig *t)
{
	int status;

	rig_do(t, "quit");
	assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
	assert_int_equal(status, 0);
}

/* A plain TCP connection. */
static inline int host_dial(const struct target_rig *t)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)t->port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct timeval patience = {.tv_sec = 20};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

/* To a connection that may have ended: the next read tells. */
static inline void host_write(int fd, const void *data, size_t n)
{
	ssize_t sent = send(fd, data, n, MSG_NOSIGNAL);

	assert_true(sent == (ssize_t)n || errno == EPIPE || errno == ECONNRESET);
}

/* False at the end of the connection. */
static inline bool host_read(int fd, void *data, size_t n)
{
	for (size_t have = 0; have < n;) {
		ssize_t got = recv(fd, (uint8_t *)data + have, n - have, 0);

		if (got <= 0) {
			assert_false(got < 0 && errno == EAGAIN);
			return false;
		}
		have += (size_t)got;
	}
	return true;
}

static inline void pdu_head(uint8_t *p, enum pdu_type type, uint8_t hlen, uint8_t pdo, size_t plen)
{
	memset(p, 0, hlen);
	p[0] = (uint8_t)type;
	p[2] = hlen;
	p[3] = pdo;
	put32(p + 4, (uint32_t)plen);
}

static inline struct host host_open(const struct target_rig *t)
{
	struct host h = {.fd = host_dial(t)};
	uint8_t ic[PDU_IC_BYTES];

	pdu_head(ic, PDU_ICREQ, PDU_IC_BYTES, 0, PDU_IC_BYTES);
	ic[11] = 3; /* asks for both digests, and must be told no */
	host_write(h.fd, ic, sizeof(ic));
	assert_true(host_read(h.fd, ic, sizeof(ic)));
	assert_int_equal(ic[0], PDU_ICRESP);
	assert_int_equal(ic[11], 0);
	assert_true(get32(ic + 12) >= 4096);
	return h;
}

static inline void host_send_data(struct host *h, const uint8_t *r2t, const uint8_t *data)
{
	uint32_t offset = get32(r2t + 12), n = get32(r2t + 16);
	uint8_t head[PDU_DATA_HEAD];

	pdu_head(head, PDU_H2C_DATA, PDU_DATA_HEAD, PDU_DATA_HEAD, PDU_DATA_HEAD + n);
	head[1] = PDU_FLAG_LAST;
	memcpy(head + 8, r2t + 8, 4);
	put32(head + 12, offset);
	put32(head + 16, n);
	host_write(h->fd, head, sizeof(head));
	host_write(h->fd, data + offset, n);
}

/* Until the answer to `cid`; its status, or -1 at the end of the connection. */
static inline int host_wait(struct host *h, uint16_t cid, const uint8_t *to_drive, uint8_t *from,
			    size_t from_bytes)
{
	uint8_t head[PDU_DATA_HEAD];

	while (host_read(h->fd, head, sizeof(head))) {
		if (head[0] == PDU_R2T) {
			assert_non_null(to_drive);
			host_send_data(h, head, to_drive);
		} else if (head[0] == PDU_C2H_DATA) {
			assert_int_equal(get32(head + 4), PDU_DATA_HEAD + get32(head + 16));
			assert_true(get32(head + 12) + get32(head + 16) <= from_bytes);
			assert_true(host_read(h->fd, from + get32(head + 12), get32(head + 16)));
		} else {
			assert_int_equal(head[0], PDU_RESPONSE);
			if (get16(head + 20) == EVENT_CID && cid != EVENT_CID) {
				h->event = get32(head + 8);
				continue;
			}
			assert_int_equal(get16(head + 20), cid);
			h->result = get32(head + 8);
			return get16(head + 22) >> 1;
		}
	}
	return -1;
}

/* Sends a command: `to` goes in the capsule where it fits and `capsule` says so. */
static inline void host_submit(struct host *h, uint8_t sqe[64], uint16_t cid, const uint8_t *to,
			       size_t bytes, bool capsule)
{
	uint8_t head[PDU_COMMON];
	size_t data = to && capsule ? bytes : 0;

	put16(sqe + 2, cid);
	sqe[1] = 0x40;
	put32(sqe + 32, (uint32_t)bytes);
	sqe[39] = data ? 0x01 : 0x5a;
	pdu_head(head, PDU_COMMAND, PDU_COMMON, 0, 0);
	head[2] = PDU_COMMAND_HEAD;
	head[3] = data ? PDU_COMMAND_HEAD : 0;
	put32(head + 4, (uint32_t)(PDU_COMMAND_HEAD + data));
	host_write(h->fd, head, sizeof(head));
	host_write(h->fd, sqe, 64);
	if (data)
		host_write(h->fd, to, data);
}

static inline int host_command(struct host *h, uint8_t sqe[64], const uint8_t *to, uint8_t *from,
			       size_t bytes)
{
	uint16_t cid = ++h->cid;

	host_submit(h, sqe, cid, to, bytes, bytes <= PDU_CAPSULE_DATA);
	return host_wait(h, cid, to, from, bytes);
}

static inline int host_connect(struct host *h, uint16_t qid, uint16_t cntlid, uint32_t kato_ms)
{
	uint8_t sqe[64] = {FABRICS}, data[1024] = {0};

	sqe[4] = FABRICS_CONNECT;
	put16(sqe + 42, qid);
	put16(sqe + 44, 31);
	put32(sqe + 48, kato_ms);
	memset(data, 0x11, 16);
	put16(data + 16, cntlid);
	memcpy(data + 256, RIG_NQN, sizeof(RIG_NQN));
	memcpy(data + 512, "host", 5);
	return host_command(h, sqe, data, NULL, sizeof(data));
}

static inline int host_property(struct host *h, bool set, uint32_t offset, uint32_t value)
{
	uint8_t sqe[64] = {FABRICS};

	sqe[4] = set ? FABRICS_PROPERTY_SET : FABRICS_PROPERTY_GET;
	sqe[40] = offset == PROPERTY_CAP;
	put32(sqe + 44, offset);
	put32(sqe + 48, value);
	return host_command(h, sqe, NULL, NULL, 0);
}

/* An admin queue whose controller is ready. */
static inline struct host host_admin(const struct target_rig *t, uint16_t *cntlid)
{
	struct host h = host_open(t);

	assert_int_equal(host_connect(&h, 0, 0xffff, 0), 0);
	*cntlid = (uint16_t)h.result;
	assert_int_equal(host_property(&h, true, PROPERTY_CC, 0x460001), 0);
	return h;
}

static inline int host_identify(struct host *h, uint8_t cns, uint32_t nsid, uint8_t page[4096])
{
	uint8_t sqe[64] = {ADMIN_IDENTIFY};

	put32(sqe + 4, nsid);
	sqe[40] = cns;
	return host_command(h, sqe, NULL, page, 4096);
}

static inline int host_log(struct host *h, uint8_t id, uint8_t action, uint64_t offset,
			   uint8_t *page, size_t bytes)
{
	uint8_t sqe[64] = {ADMIN_GET_LOG};

	put32(sqe + 4, NSID_ALL);
	put32(sqe + 40, (uint32_t)(bytes / 4 - 1) << 16 | (uint32_t)action << 8 | id);
	put64(sqe + 48, offset);
	return host_command(h, sqe, NULL, page, bytes);
}

static inline int host_set(struct host *h, uint8_t feature, uint32_t value)
{
	uint8_t sqe[64] = {ADMIN_SET_FEATURES};

	sqe[40] = feature;
	put32(sqe + 44, value);
	return host_command(h, sqe, NULL, NULL, 0);
}

static inline int host_get(struct host *h, uint8_t feature, uint8_t select, uint32_t dw11)
{
	uint8_t sqe[64] = {ADMIN_GET_FEATURES}, data[8];

	put32(sqe + 40, feature | (uint32_t)select << 8);
	put32(sqe + 44, dw11);
	return host_command(h, sqe, NULL, data, sizeof(data));
}

/* `opcode` on `blocks` blocks of 512 bytes; data either way. */
static inline int host_io(struct host *h, uint8_t opcode, uint64_t lba, unsigned blocks,
			  uint8_t *data)
{
	uint8_t sqe[64] = {opcode};
	size_t bytes = opcode == IO_READ || opcode == IO_WRITE ? (size_t)blocks * 512 : 0;

	put32(sqe + 4, 1);
	put64(sqe + 40, lba);
	put32(sqe + 48, blocks - 1);
	return host_command(h, sqe, opcode == IO_WRITE ? data : NULL, data, bytes);
}

static inline struct host host_queue(const struct target_rig *t, uint16_t cntlid)
{
	struct host h = host_open(t);

	assert_int_equal(host_connect(&h, 1, cntlid, 0), 0);
	return h;
}

#endif
