/*
 * Runs a simulated drive through baseline, load and cool-down and keeps one row a second; and a
 * plain drive to build others from.
 */
#ifndef TESTS_SIM_RUN_H
#define TESTS_SIM_RUN_H

#include <math.h>
#include <stdlib.h>

#include "sim/sim_preset.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/sim.h"

struct sim_row {
	double mb_s;
	double share, chip_c; /* ground truth at the end of the row */
	struct sample smart;
};

/* 30 °C idle; under full load 70 °C after 75 s, 94 °C in the end. No noise. */
static inline struct sim_preset sim_plain(void)
{
	struct sim_preset p = {
	    .name = "plain",
	    .help = "a drive for tests",
	    .model = "PLAIN",
	    .serial = "SIM9999",
	    .firmware = "1",
	    .capacity_bytes = UINT64_C(1000000000000),
	    .nvme = true,
	    .limits = {.wctemp_c = NAN, .cctemp_c = NAN, .tmt1_c = NAN, .tmt2_c = NAN},
	    .thermal = {20, 0.625, 4, 12, 2.5, 4},
	    .read = {2000, 4, 0},
	    .write = {{1000, 4, 0}},
	    .composite = {.present = true, .chip_share = 1},
	};

	return p;
}

/* Row i covers second i - 1 to i of the load; rows before 1 are idle ones. */
struct sim_run {
	struct sim_row *all, *row; /* row[0] is the last one of the baseline */
	int base, load, cool;      /* seconds */
};

static inline void sim_run_second(struct sim *s, struct sim_row *out)
{
	int64_t now_ns = sim_now_ns(s);
	uint64_t before = sim_bytes(s);

	sim_advance(s, now_ns + NS_PER_S);
	out->mb_s = (double)(sim_bytes(s) - before) / 1e6;
	out->share = sim_true_share(s);
	out->chip_c = sim_true_chip_c(s);
	sample_clear(&out->smart);
	sim_smart(s, &out->smart);
}

/* Takes over `s` and frees it. */
static inline struct sim_run sim_run_phases(struct sim *s, enum op op, int base, int load, int cool)
{
	struct sim_run r = {.base = base, .load = load, .cool = cool};

	r.all = xreallocarray(NULL, (size_t)(base + load + cool + 1), sizeof(*r.all));
	r.row = r.all + base;
	for (int i = 0; i <= base + load + cool; i++) {
		if (i == base + 1)
			sim_set_load(s, op, 131072, 32);
		if (i == base + load + 1)
			sim_set_load(s, OP_NONE, 0, 0);
		sim_run_second(s, &r.all[i]);
	}
	sim_free(s);
	return r;
}

static inline void sim_run_free(struct sim_run *r)
{
	free(r->all);
}

/* Mean speed of the load's seconds from < t <= to. */
static inline double sim_run_mean(const struct sim_run *r, int from, int to)
{
	double sum = 0;

	for (int i = from + 1; i <= to; i++)
		sum += r->row[i].mb_s;
	return sum / (to - from);
}

/* First second of the load that ends with less than full speed left by heat; 0: never. */
static inline int sim_run_onset(const struct sim_run *r)
{
	for (int i = 1; i <= r->load; i++)
		if (r->row[i].share < 1)
			return i;
	return 0;
}

/* First second of the load whose speed is below `mb_s`; 0: none. */
static inline int sim_run_below(const struct sim_run *r, double mb_s)
{
	for (int i = 1; i <= r->load; i++)
		if (r->row[i].mb_s < mb_s)
			return i;
	return 0;
}

#endif
