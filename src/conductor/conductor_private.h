/* The conductor's state, shared by its loop and by what the view asks of it. */
#ifndef CONDUCTOR_PRIVATE_H
#define CONDUCTOR_PRIVATE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "slot.h"
#include "throttlog/config.h"
#include "throttlog/session.h"
#include "throttlog/sink.h"

struct verdict;

struct conductor {
	const struct config *config;
	struct session session;
	struct slot *slots; /* one a drive of the session */
	size_t n_open;
	struct sink *sinks[4];
	size_t n_sinks;
	struct sink *view; /* one of the sinks, or NULL */
	int signal_fd, signal;
	int uevent_fd; /* what the kernel announces; -1: not watched */
	bool quit;
	const struct verdict *replay_verdict; /* of the whole log */
	int64_t boot_ahead_ns;                /* CLOCK_BOOTTIME - CLOCK_MONOTONIC */

	/* The picture that the user asked for, made by a thread of its own. */
	pthread_t picture_thread;
	bool picture_started;
	atomic_bool picture_done;
	int picture_error;
	char picture_path[4096];
};

/* In announce.c: says what will be done and how long it will take. */
void conductor_announce(const struct conductor *c);

/* SIGINT and the like become readable in c->signal_fd. 0 or -errno. */
int conductor_block_signals(struct conductor *c);
/* Opens the sinks of the table, or only the first of its screens that works here. A status. */
int conductor_open_sinks(struct conductor *c, bool screen_only);
/* STATUS_FAILED if the log lost something. */
int conductor_close_sinks(struct conductor *c);
/* Waits for the CLOCK_MONOTONIC time `until_ns`, serving signals and view; or for a stop. */
void conductor_wait(struct conductor *c, int64_t until_ns);
/* Takes in all that the view has to ask. */
void conductor_requests(struct conductor *c);
/* Ctrl-Z: pauses the loads, stops this process, goes on where it was after SIGCONT. */
void conductor_suspend(struct conductor *c);
/*
 * In drive_events.c: listens to what the kernel announces about the session's NVMe drives, gives
 * what has come to their slots, and ends that.
 */
void conductor_watch_kernel(struct conductor *c);
void conductor_hear_kernel(struct conductor *c);
void conductor_unwatch_kernel(struct conductor *c);
/* A picture under way is finished first; one that is ready is told of. */
void conductor_wait_picture(struct conductor *c);
void conductor_check_picture(struct conductor *c);

#endif
