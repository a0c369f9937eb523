/*
 * Synthetic drives with a known truth, for measuring the verdict: two thermal nodes, firmware
 * that looks at its sensor once a second, write caches, disturbances, sensors with their faults.
 * Not the product's simulated drives: those imitate known drives, these sweep what is thinkable.
 */
#ifndef TESTS_EVAL_SYNTH_H
#define TESTS_EVAL_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

#include "throttlog/run.h"

struct dice {
	uint64_t state;
};

double dice_uniform(struct dice *d, double from, double to);
int dice_int(struct dice *d, int n); /* 0..n-1 */
bool dice_chance(struct dice *d, double p);
double dice_normal(struct dice *d, double sigma);
double dice_pick(struct dice *d, const double *values, int n);
#define PICK(d, ...)                                  \
	dice_pick((d), (const double[]){__VA_ARGS__}, \
		  (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

enum policy {
	POLICY_NONE,
	POLICY_CLAMP,
	POLICY_TWO,
	POLICY_PI,
	POLICY_STAGES,
	POLICY_PULSE,
	POLICY_UNSTABLE,
	POLICY_BAND,
	POLICY_GENTLE,
	POLICY_SHUTDOWN
};

enum truth {
	TRUTH_NONE,
	TRUTH_CACHE,
	TRUTH_BACKGROUND,
	TRUTH_LOST,
	TRUTH_GENTLE,
	TRUTH_HARD,
	TRUTH_OSCILLATING,
	TRUTH_COUNT
};

enum disturbance { DISTURB_INSIDE, DISTURB_FOREIGN, DISTURB_HOST, DISTURB_LINK };

struct window {
	double from_s, to_s, factor;
	enum disturbance kind;
};

/* 0 and NAN switch a feature off. Speeds in MB/s, powers in W, K/W, J/K, sizes in MB. */
struct spec {
	const char *kind;
	enum op op;
	bool thermal;     /* a limit is meant to be met */
	enum truth truth; /* of decoys */
	int seconds;
	double full_mb_s, read_mb_s;
	double ambient_c, idle_w, base_w, load_w, r12, r2a, c1, c2;
	enum policy policy;
	double limit_c, f, f2, hysteresis, gap, fmin, ki, kp, step, every, spread, width, n, loss,
	    dip;
	double slc_mb, slc_factor, slc_power, flush_mb_s, flush_after_s;
	double fold_low_s, fold_high_s, fold_factor;
	double noise, dip_chance, drift;
	double shift_s, shift_factor, fan_s, fan_factor, ambient_rise_k;
	double duty_first_s, duty_high_s, duty_low_s, duty_factor;
	double wander; /* standard deviation of the steps of a random walk, every 5 s */
	double gc_first_s, gc_every_s[2], gc_len_s[2], gc_depth[2];
	struct window window[4];
	int n_windows;
	int lag_s, refresh_s;
	double filter, rounding, reading_noise;
	bool counters, slow_bus;
	double wctemp_c, tmt1_c; /* as reported */
	int glitch_every_s;
};

struct synth {
	struct spec spec;
	struct dice dice;
	int idle_s, cool_s;
	/* truth */
	double onset_s, onset_c;   /* in the load; NAN */
	double allow_sum, allow_n; /* from the onset on */
	int cycles;
	bool cycle_low, dead;
	bool frozen; /* set after the load: what a cause test does is not part of the truth */
	/* state */
	double t1, t2, r2a_now, shown, filtered, history[16], ar, written, slc_used;
	double allow, power, since_s, counted_1, counted_2, seconds_1, seconds_2;
	bool active, ever, fold_is_low, was_deep;
	int stage, load_s, all_s, idle_run_s;
	double walk, fold_left_s, gc_next_s, gc_end_s, gc_depth;
};

void spec_thermal(struct dice *d, struct spec *out);
/* One of spec_decoy_kinds, NULL: any. */
void spec_decoy(struct dice *d, const char *kind, struct spec *out);
void spec_lost(struct dice *d, struct spec *out);
/* Kinds beyond those of the method's own list, made to be hard. */
bool spec_is_added(const char *kind);
extern const char *const spec_decoy_kinds[];
extern const int spec_decoy_kinds_count;

void synth_begin(struct synth *s, const struct spec *spec, uint64_t seed);
/* One second; OP_NONE is idle. Fills the values of a row but not its time and phase. */
void synth_step(struct synth *s, enum op op, struct sample *out);
/* Unthrottled hot-spot temperature after each second. */
void synth_curve(const struct spec *spec, double *out, int seconds);
enum truth synth_truth(const struct synth *s);

#endif
