/*
 * The target as a whole: one simulated drive, its one namespace, the controllers that hosts have
 * connected to, and what is being done to the drive. One thread; everything hangs off struct rig.
 */
#ifndef RIG_RIG_H
#define RIG_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pace.h"
#include "pel.h"
#include "quirks.h"
#include "store.h"

struct conn;
struct control;
struct ctrl;

#define NAMESPACE_ID 1

struct options {
	const char *drive, *set; /* preset, and what is changed in it */
	const char *nqn, *serial, *control;
	uint64_t port, size, keep, lba_bytes, capsule, seed;
	double time_scale, speed;
	bool unlimited;
};

/* Faults that last. A time of 0 is none. */
struct faults {
	int64_t hang_until_ns;         /* I/O is taken and not answered before */
	int64_t gone_until_ns;         /* no connection is accepted before; INT64_MAX: until told */
	uint64_t bad_first, bad_count; /* LBAs that fail */
	bool bad_read, bad_write;
	bool read_only;
};

struct rig {
	struct options options;
	struct sim_preset preset;
	struct pace pace;
	struct store store;
	struct quirks quirks;
	struct pel pel;
	struct faults faults;
	struct sim_totals totals; /* at the start */
	int64_t now_ns, start_ns, watched_ns, temp_ns;
	double temp_c, sensor_c[SENSORS_MAX]; /* as reported, renewed at temp_ns */
	uint64_t errors;                      /* entries of the error log that were ever made */
	uint64_t reads, writes, resets;
	unsigned spikes;          /* SMART reads that the spike has shown in */
	uint64_t throttle_events; /* times that throttling began */
	bool was_warm, was_critical;
	int own_stage, host_stage;
	int listener;
	struct conn *conns;
	struct ctrl *ctrls;
	struct control *control;
	uint16_t last_cntlid;
	bool late; /* some answers are held back */
	bool quit;
};

/* main.c: binds the port again, or closes it. -errno. */
int rig_listen(struct rig *r);
void rig_cut(struct rig *r);

#endif
