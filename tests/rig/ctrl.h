/*
 * A controller, as one host sees it between Connect and the end of its connections: properties,
 * features, outstanding event requests. Several may exist while a host reconnects; the drive behind
 * them is one.
 */
#ifndef RIG_CTRL_H
#define RIG_CTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conn.h"
#include "pel.h"

#define EVENT_REQUESTS    4
#define TEMP_SELECTIONS   9 /* composite, sensors 1 to 8 */
#define LOG_ERROR_ENTRIES 16
#define POWER_STATES      5

/* Asynchronous events that can be due; each is masked until its log page is read. */
enum event { EVENT_TEMPERATURE, EVENT_READ_ONLY, EVENT_NAMESPACE, EVENT_FORCED, EVENT_COUNT };

struct features {
	uint32_t arbitration, power, error_recovery, write_cache, queues, async_events, hctm;
	uint32_t over[TEMP_SELECTIONS], under; /* K */
	uint64_t timestamp_ms;
	int64_t timestamp_ns; /* when it was set */
	uint8_t timestamp_origin;
};

struct error_entry {
	uint64_t count, lba;
	uint16_t qid, cid, status, location;
	uint32_t nsid;
};

struct ctrl {
	struct ctrl *next;
	struct rig *rig;
	struct conn *admin;
	uint16_t id;
	uint8_t host[16];
	uint32_t cc, csts;
	uint32_t kato_ms;
	int64_t heard_ns;
	struct features features;
	bool event_due[EVENT_COUNT], event_masked[EVENT_COUNT];
	uint32_t forced_event;
	bool namespace_changed;
	bool hot; /* critical_warning bit 1 as last seen */
	struct error_entry error[LOG_ERROR_ENTRIES];
	uint64_t errors;
	struct pel_page pel;
};

#define CSTS_READY    0x1
#define CSTS_FATAL    0x2
#define CSTS_SHUTDOWN 0x8 /* complete */
#define CC_ENABLE     0x1

/* ctrl.c: connections, properties, dispatch. */
void ctrl_run(struct command *cmd);
bool ctrl_takes_data(const struct command *cmd);
/* `bytes` of data come from the host: sets cmd->state to COMMAND_DATA, or answers with an error. */
void ctrl_expect(struct command *cmd, uint32_t bytes);
/* The connection ends; without its admin queue the controller does as well. */
void ctrl_leave(struct conn *c);
void ctrl_free(struct ctrl *ctrl);
/* Its time has come: keep-alive and events. */
void ctrl_tick(struct ctrl *ctrl);
/* Serial number (20 bytes) and model (40) as Identify pads them. */
void ctrl_put_names(const struct rig *r, uint8_t serial[20], uint8_t model[40]);
uint64_t ctrl_timestamp_ms(const struct ctrl *ctrl);

/* admin.c */
void admin_run(struct command *cmd);
/* Takes a buffer of `size` for the answer and sends its first `bytes`, cut to what the host takes.
 */
uint8_t *admin_answer(struct command *cmd, size_t size);
void error_log_add(struct command *cmd, uint16_t status, uint64_t lba);

/* identify.c, logs.c, features.c: a status each; the answer is in the command. */
uint16_t identify_run(struct command *cmd);
uint16_t log_run(struct command *cmd);
uint16_t feature_get(struct command *cmd);
uint16_t feature_set(struct command *cmd);
/* Everything at its default, as after a reset. */
void features_reset(struct ctrl *ctrl);

/* smart.c: what the drive reports, with its quirks. */
void smart_refresh(struct rig *r);
uint8_t smart_warning(const struct rig *r, const struct features *f);
void smart_page(struct rig *r, const struct features *f, uint8_t page[512]);
/* WCTEMP or CCTEMP as stated, in K; 0: none. */
unsigned smart_limit_k(const struct rig *r, double limit_c);

/* events.c */
void event_raise(struct ctrl *ctrl, enum event event);
void event_read(struct ctrl *ctrl, uint8_t log, bool keep);
void events_send(struct ctrl *ctrl);
/* Looks at the drive: crossings become events and entries of the persistent event log. */
void events_watch(struct rig *r);

/* io.c */
void io_run(struct command *cmd);
uint64_t io_offset(const struct command *cmd);
/* What a read or write is to move. */
uint64_t io_bytes(const struct command *cmd);
/* STATUS_OK, or why it cannot be done: range, write protection, injected error. */
uint16_t io_check(const struct command *cmd);
/* Lets those through whose turn it is; until when nothing can happen. */
int64_t io_tick(struct rig *r);

#endif
