/*
 * One drive of a session at work: its target, load, sensors and phases. The conductor ticks it;
 * it fills the session's row and events.
 */
#ifndef CONDUCTOR_SLOT_H
#define CONDUCTOR_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load.h"
#include "plan.h"
#include "poller.h"
#include "rest.h"
#include "throttlog/cause_test.h"
#include "throttlog/config.h"
#include "throttlog/engine.h"
#include "throttlog/online.h"
#include "throttlog/sensor.h"
#include "throttlog/session.h"
#include "throttlog/target.h"
#include "throttlog/uevent.h"

struct slot {
	const struct config *config;
	struct session_drive *sd;
	struct target target;
	int fd;
	struct write_permit *permit;
	const struct engine_ops *ops; /* NULL: watch */
	struct op_list legs;          /* what the loads do, without those that are left out */
	struct engine_config engine_config;
	struct load *load;             /* real drives */
	struct engine *engine;         /* simulated drives, while the load runs */
	struct load_counters counters; /* simulated drives */
	struct load_snapshot before, after;
	struct sensor *sensors[SENSORS_OPEN_MAX];
	size_t n_sensors;
	struct sensor *at_tick; /* the one that must match the row's interval, not polled */
	struct poller *poller;
	int64_t start_ns; /* CLOCK_MONOTONIC; simulated: 0 */
	double finish_s;  /* when the sensors were asked for their last words, NAN */
	struct plan plan;
	double last_s;               /* time of the last row */
	double asked_s;              /* simulated: when the drive was last asked */
	double latest[FIELD_COUNT];  /* last values reported, for events */
	double hot_before_c, over_c; /* last reading; the same if it stops loads, else NAN */
	double foreign_due;          /* bytes moved by others, not yet told */
	double stop_c;               /* NAN: off */
	int load_error, sensor_error;
	enum phase phase;       /* of the row under way */
	enum op op;             /* what the load does now, OP_NONE: nothing */
	struct cause_test test; /* while plan.held */
	unsigned tested;        /* so many loads are through with it */
	struct rest rest;
	struct online *online; /* the live detector */
	bool paused, suspended, lost, warned_blank;
	bool removed;            /* the kernel took the controller away */
	bool resetting;          /* polls show a reset that is not over */
	uint32_t aen;            /* the latest asynchronous event, ... */
	double aen_s, reset_s;   /* ... when it came, when a reset was announced; -INFINITY */
	uint64_t io_errors;      /* reported so far */
	struct event pending[8]; /* for the next row; texts are owned */
	size_t n_pending;
};

/*
 * Resolves and opens everything for `target`; prints what stands in the way. Returns an exit
 * status, STATUS_DONE if all is ready. A slot that failed to open may be closed.
 */
int slot_open(struct slot *s, const struct config *config, const char *target,
	      struct session_drive *sd);
/* Starts poller and clock; `start_ns` is CLOCK_MONOTONIC. */
void slot_start(struct slot *s, int64_t start_ns);
/*
 * Makes the row that ends at `t_s` and what follows from it. `stop` ends the run with that
 * reason after this row.
 */
void slot_tick(struct slot *s, double t_s, double utc_s, const char *stop);
/* An event from outside (a mark, the machine slept) for the next row; `text` may be NULL. */
void slot_note(struct slot *s, enum event_kind kind, double value, const char *text);
/* The load pauses or goes on, at the user's wish; the next row tells. */
void slot_pause(struct slot *s, bool paused);
/*
 * Around a stop of our own process: pauses a load that runs and lets it go on. The log tells both,
 * though no row lies between.
 */
void slot_suspend(struct slot *s, bool suspended);
/*
 * Bounded. Returns 0; -EBUSY if requests hang in the kernel and were left behind, -EAGAIN if only
 * the last poll was.
 */
int slot_close(struct slot *s);

/* The kernel announced something about the drive; the next row tells. */
void slot_announced(struct slot *s, const struct uevent *event);

/* In slot_activity.c: what the load does from `t_s` on, by plan, cause test and pause. */
void slot_switch_load(struct slot *s, double t_s);
/* The active cause test begins where a load ended by itself. */
void slot_begin_test(struct slot *s);

/* A row with this temperature (NAN for none): ends the rest between two loads if it may end. */
void slot_rest(struct slot *s, double temp_c, double t_s);
/*
 * If the row that ends at `t_s` is the last one, lets the requests in flight finish, that they may
 * be counted in it. Returns the seconds that it took, 0 where nothing was to be done.
 */
double slot_drain_last(struct slot *s, double t_s, const char *stop);

/* In slot_events.c: what the row means beside its numbers. */
void slot_events(struct slot *s, const struct sample *row, const struct poller_answer *answer);

/*
 * In slot_journal.c: what the drive itself recorded of the run goes into the last row. False: it is
 * still being asked, and this is not the last row.
 */
bool slot_last_words(struct slot *s, double t_s);

/* No load is found to be steady before this, s. */
#define STEADY_SHORTEST_S 150.0
/* In steady.c: throughput and temperature of the load have settled (SNIA-like windows). */
bool series_steady(const struct series *s);

#endif
