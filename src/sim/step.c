/*
 * One step of a simulated drive: what speed the cache and the throttle leave, what power that
 * costs, and how it warms the chip and the case.
 */
#include <math.h>

#include "sim/sim_state.h"

#define NOISE_STEPS 10  /* the speed's noise changes ten times a second ... */
#define NOISE_KEEP  0.9 /* ... and remembers about one second */

static void step_noise(struct sim *s)
{
	const struct sim_dips *d = &s->preset.dips;

	if (s->steps % NOISE_STEPS == 0) {
		double fresh = sqrt(1 - NOISE_KEEP * NOISE_KEEP);

		s->noise = NOISE_KEEP * s->noise + fresh * s->preset.noise * sim_random_gauss(s);
	}
	if (d->every_s > 0 && s->steps >= s->dip_end) {
		double wait_s = d->every_s * (0.5 + sim_random(s));
		double length_s = d->length_s * (0.5 + sim_random(s));

		s->dip_start = s->steps + (uint64_t)(wait_s / SIM_STEP_S);
		s->dip_end = s->dip_start + 1 + (uint64_t)(length_s / SIM_STEP_S);
	}
}

/* The write level that the next bytes go into. */
static const struct sim_level *write_level(const struct sim *s)
{
	const struct sim_level *level = s->preset.write;
	double end = 0;

	for (int i = 0; i < SIM_WRITE_LEVELS && s->preset.write[i].mb_s > 0; i++) {
		level = &s->preset.write[i];
		end += (double)level->bytes;
		if (level->bytes == 0 || s->cached_bytes < end)
			break;
	}
	return level;
}

/* What cache, noise and throttling leave of `level`, were there no ceiling. */
static double possible_mb_s(const struct sim *s, const struct sim_level *level)
{
	double mb_s = fmin(level->mb_s, s->parallel_mb_s) * (1 + s->noise);

	if (s->dip_end > 0 && s->steps >= s->dip_start)
		mb_s *= 1 - s->preset.dips.depth;
	return fmax(mb_s * fmin(s->own.speed, s->host.speed), 0);
}

double sim_possible_mb_s(const struct sim *s)
{
	if (s->op == OP_NONE || s->lost)
		return 0;
	return possible_mb_s(s, s->op == OP_READ ? &s->preset.read : write_level(s));
}

/* Moves this step's bytes; returns what they cost beyond idle, W. */
static double step_load(struct sim *s)
{
	const struct sim_level *level = s->op == OP_READ ? &s->preset.read : write_level(s);
	double mb_s = possible_mb_s(s, level);
	double bytes;

	if (!isnan(s->ceiling_mb_s))
		mb_s = fmin(mb_s, s->ceiling_mb_s);
	bytes = mb_s * 1e6 * SIM_STEP_S;
	s->bytes += bytes;
	if (s->op == OP_WRITE)
		s->cached_bytes += bytes;
	return level->load_w * (mb_s / level->mb_s) * fmin(s->own.power, s->host.power);
}

/* Idle time moves the cache's content to its final place. */
static void step_idle(struct sim *s)
{
	s->idle_steps++;
	if ((double)s->idle_steps * SIM_STEP_S < s->preset.refill_after_s)
		return;
	s->cached_bytes = fmax(0, s->cached_bytes - s->preset.refill_mb_s * 1e6 * SIM_STEP_S);
}

static void step_heat(struct sim *s, double power_w)
{
	const struct sim_thermal *t = &s->preset.thermal;
	double to_case_w = (s->chip_c - s->case_c) / t->r_chip_k_w;
	double to_air_w = (s->case_c - t->ambient_c) / t->r_case_k_w;

	s->chip_c += SIM_STEP_S * (power_w - to_case_w) / t->c_chip_j_k;
	s->case_c += SIM_STEP_S * (to_case_w - to_air_w) / t->c_case_j_k;
}

static void step_throttle(struct sim *s)
{
	int stage = s->host.stage;

	sim_throttle_tick(s, &s->own);
	sim_throttle_tick(s, &s->host);
	if (s->host.stage > stage) {
		if (s->host.stage == 1)
			s->totals.tmt1_count++;
		else
			s->totals.tmt2_count++;
	}
}

void sim_step(struct sim *s)
{
	int own_stage = s->own.stage, host_stage = s->host.stage;
	double load_w = 0, composite_c = s->composite_c;

	step_noise(s);
	if (!s->lost)
		step_throttle(s);
	if (s->op != OP_NONE && !s->lost) {
		s->idle_steps = 0;
		load_w = step_load(s);
	} else {
		step_idle(s);
	}
	step_heat(s, s->lost ? 0 : s->preset.thermal.idle_w + load_w);
	s->steps++;
	sim_smart_step(s);
	sim_logs_step(s, own_stage, host_stage, composite_c);
}
