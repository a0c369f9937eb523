/* A simulated drive at work, shared by the files of this folder only. */
#ifndef THROTTLOG_SIM_STATE_H
#define THROTTLOG_SIM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim_preset.h"
#include "throttlog/clock.h"
#include "throttlog/sim.h"

/*
 * The model's own step. All time inside is a whole number of steps since the start, so results
 * do not depend on how sim_advance() is called.
 */
#define SIM_STEP_NS (10 * NS_PER_MS)
#define SIM_STEP_S  0.01

/* One throttle policy with its memory. */
struct sim_throttle {
	struct sim_policy policy;
	int stage;           /* 0 none, 1 light, 2 heavy */
	double speed, power; /* shares that it leaves */
	double error_k;      /* HOLD, GENTLE: at the last tick */
	uint64_t period_steps;
};

/* The latest thermal events. */
#define SIM_JOURNAL_MAX 256
struct sim_journal {
	struct {
		uint64_t step;
		uint8_t code, beyond_k;
	} item[SIM_JOURNAL_MAX]; /* a ring */
	uint64_t n;              /* recorded so far */
};

struct sim {
	struct sim_preset preset;
	uint64_t rng;
	int64_t now_ns;
	uint64_t steps;

	enum op op;
	double parallel_mb_s; /* what block size and queue depth allow */
	double ceiling_mb_s;
	uint64_t idle_steps;

	double chip_c, case_c;           /* true temperatures */
	double chip_seen_c, case_seen_c; /* behind the sensors' lag */
	double noise;                    /* relative, of the speed */
	uint64_t dip_start, dip_end;     /* steps */
	double cached_bytes;             /* taken up by the write levels */
	double bytes;                    /* total moved */
	bool lost;

	struct sim_throttle own, host; /* the drive's policy; TMT1/TMT2 set by the host */
	double composite_c, sensor_c[SENSORS_MAX]; /* as reported */
	struct sim_totals totals;
	struct sim_journal journal;
	unsigned ocp_count; /* throttling events, at most 255 */
};

/* rng.c */
double sim_random(struct sim *s);       /* 0 <= x < 1 */
double sim_random_gauss(struct sim *s); /* mean 0, standard deviation 1, within 3.5 */

/* policy.c */
void sim_throttle_init(struct sim_throttle *t, const struct sim_policy *policy);
/* Called each step; looks at the temperature once a period. */
void sim_throttle_tick(struct sim *s, struct sim_throttle *t);

/* step.c: one step of speed, heat and throttling. */
void sim_step(struct sim *s);

/* logs.c: records what began or ended in this step. */
void sim_logs_step(struct sim *s, int own_before, int host_before, double composite_before_c);

/* smart.c: moves readings and totals on by one step. */
void sim_smart_step(struct sim *s);
void sim_smart_refresh(struct sim *s);

#endif
