/*
 * Everything that makes up a simulated drive. The table of presets is in presets.c; tests build
 * drives of their own from the same struct. A zero means "none" where a comment says so.
 */
#ifndef THROTTLOG_SIM_PRESET_H
#define THROTTLOG_SIM_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/drive.h"
#include "throttlog/sample.h"

#define SIM_WRITE_LEVELS 3

/*
 * Two thermal nodes: the chip (controller and NAND, what the sensors see) and the case (board,
 * label, heatsink), which alone touches the air.
 */
struct sim_thermal {
	double ambient_c;
	double idle_w;                 /* power without load */
	double r_chip_k_w, r_case_k_w; /* chip to case, case to air */
	double c_chip_j_k, c_case_j_k;
};

/* A speed the drive can sustain at QD32, 128 KiB, and what it costs beyond idle at that speed. */
struct sim_level {
	double mb_s;    /* 10^6 bytes a second */
	double load_w;  /* at mb_s; in proportion below it */
	uint64_t bytes; /* write levels: how much fits; 0: no end */
};

enum sim_policy_kind {
	SIM_POLICY_NONE,
	SIM_POLICY_GENTLE,      /* holds the limit by power (clock, voltage), speed hardly falls */
	SIM_POLICY_HOLD,        /* holds the limit by speed */
	SIM_POLICY_STEP,        /* one or two lower levels until it is cooler */
	SIM_POLICY_OSCILLATING, /* near stop and full speed in turn */
	SIM_POLICY_UNSTABLE,    /* about `level`, another value each tick */
	SIM_POLICY_STAIRS,      /* many small steps, one a tick while hot */
	SIM_POLICY_BAND,        /* speed falls in proportion to the excess */
	SIM_POLICY_SHUTDOWN,    /* the controller stops and is gone until a power cycle */
	SIM_POLICY_COUNT
};

/* Shares are of the speed that the drive would have had: 1 is full speed. */
struct sim_policy {
	enum sim_policy_kind kind;
	double limit_c;   /* acts at and above */
	double release_k; /* lets go that far below the limit; 0: at it */
	double level;     /* share: the low level; HOLD: at most this while held; GENTLE: kept */
	double level2;    /* STEP: share in the second stage; 0: there is none */
	double limit2_c;  /* STEP: the second stage acts at and above */
	double gain;      /* HOLD, GENTLE: share per K */
	double settle_s;  /* HOLD, GENTLE: integral time, about the chip's time constant */
	double spread;    /* UNSTABLE: standard deviation of the share */
	double step;      /* STAIRS: share a step; BAND: share per K */
	double period_s;  /* how often the firmware looks; 0: each second */
};

/* Where a temperature is measured: 1 is the chip, 0 the case, between them a mixture. */
struct sim_sensor {
	bool present;
	double chip_share;
	double offset_k;
};

/* From a node's temperature to the number that is reported. */
struct sim_reading {
	double lag_s;     /* first-order */
	double refresh_s; /* the firmware's own interval; 0: each step */
	double noise_k;   /* standard deviation, before rounding to 1 K */
	double round_k;   /* added before rounding down: 0 floor, 0.5 nearest */
};

/* Lifetime totals at the start. */
struct sim_totals {
	double warning_s, critical_s; /* seconds here, reported as minutes */
	double tmt1_count, tmt1_s, tmt2_count, tmt2_s;
};

/* Short dips that are no heat: garbage collection and the like. every_s 0: none. */
struct sim_dips {
	double every_s, length_s; /* means */
	double depth;             /* share that is lost */
};

struct sim_preset {
	const char *name, *help;
	const char *model, *serial, *firmware;
	uint64_t capacity_bytes;
	bool nvme; /* SMART log page 02h; otherwise one temperature attribute is all there is */
	double link_gt_s, link_width; /* 0: not reported */
	double idle_power_state;      /* NVMe power state after a second without load */
	double poll_ms;               /* how long it takes to answer a poll */
	struct thermal_limits limits; /* NAN: not stated; tmt1/tmt2: host-controlled, NAN: off */

	struct sim_thermal thermal;
	struct sim_level read;
	struct sim_level write[SIM_WRITE_LEVELS]; /* in turn; mb_s 0 ends the list */
	double refill_mb_s;    /* how fast idle time empties the cache; 0: never */
	double refill_after_s; /* ... after that much idle time */
	double noise;          /* standard deviation of the speed over a second, share */
	struct sim_dips dips;

	struct sim_policy throttle;
	struct sim_reading reading;
	struct sim_sensor composite; /* not present: the drive reports no temperature */
	struct sim_sensor sensor[SENSORS_MAX];
	struct sim_totals totals;
	bool pel, ocp; /* it keeps a persistent event log, an OCP SMART log */
};

extern const struct sim_preset sim_presets[];
extern const size_t sim_presets_count;

/* NULL, or what is wrong with the numbers of `p`. */
const char *sim_preset_check(const struct sim_preset *p);

struct sim;

/* A drive from numbers of one's own: *p is copied, its strings must outlive it. NULL if bad. */
struct sim *sim_custom(const struct sim_preset *p);
/* Case to air, K/W, from now on: another heatsink or a fan. */
void sim_set_cooling(struct sim *s, double r_case_k_w);
/* Set Features 10h: host-controlled thermal management; NAN turns a threshold off. */
void sim_set_tmt(struct sim *s, double tmt1_c, double tmt2_c);
/* Something outside the drive (link, host, other I/O) allows no more than that; NAN: no limit. */
void sim_set_ceiling(struct sim *s, double mb_s);
/* Ground truth for tests: share of full speed that heat leaves now, and the chip's temperature. */
double sim_true_share(const struct sim *s);
double sim_true_chip_c(const struct sim *s);
/* How far throttling has come, 0 none, 1 light, 2 heavy: the drive's own, and that of TMT1/TMT2. */
int sim_true_own_stage(const struct sim *s);
int sim_true_host_stage(const struct sim *s);
/* What the drive would move now of the load that is set, were there no ceiling; MB/s. */
double sim_possible_mb_s(const struct sim *s);

#endif
