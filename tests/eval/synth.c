/* A synthetic drive second by second: firmware, speed, power, heat, sensor. */
#include "synth.h"

#include <math.h>
#include <string.h>

#define STEPS 10 /* Euler steps a second; the fastest time constant is about 2 s */

static void heat(double *t1, double *t2, double power_w, double ambient_c, double r2a,
		 const struct spec *p)
{
	for (int k = 0; k < STEPS; k++) {
		double q = (*t1 - *t2) / p->r12;

		*t1 += (power_w - q) / p->c1 / STEPS;
		*t2 += (q - (*t2 - ambient_c) / r2a) / p->c2 / STEPS;
	}
}

void synth_curve(const struct spec *p, double *out, int seconds)
{
	double t2 = p->ambient_c + p->idle_w * p->r2a, t1 = t2 + p->idle_w * p->r12, moved = 0;

	for (int i = 0; i < seconds; i++) {
		bool direct = p->slc_mb > 0 && moved >= p->slc_mb;
		double f = direct ? p->slc_factor : 1, power = direct ? p->slc_power : 1;

		moved += p->full_mb_s * f;
		out[i] = t1;
		heat(&t1, &t2, p->base_w + p->load_w * power, p->ambient_c, p->r2a, p);
	}
}

void synth_begin(struct synth *s, const struct spec *spec, uint64_t seed)
{
	memset(s, 0, sizeof(*s));
	s->spec = *spec;
	s->dice.state = seed;
	s->t2 = spec->ambient_c + spec->idle_w * spec->r2a;
	s->t1 = s->t2 + spec->idle_w * spec->r12;
	s->shown = s->filtered = s->t1;
	for (int i = 0; i < 16; i++)
		s->history[i] = s->t1;
	s->allow = s->power = s->walk = 1;
	s->since_s = 1e9;
	s->r2a_now = spec->r2a;
	s->onset_s = s->onset_c = NAN;
	s->gc_next_s = spec->gc_first_s > 0 ? spec->gc_first_s : 1e9;
	s->gc_end_s = -1;
}

/* On at the limit, off below it by the hysteresis. */
static void on_off(struct synth *s, double c)
{
	if (!s->active && c >= s->spec.limit_c)
		s->active = true;
	else if (s->active && c < s->spec.limit_c - s->spec.hysteresis)
		s->active = false;
}

static void two_deep(struct synth *s, double c, double in_k, double out_k)
{
	bool deep = s->stage == 2;

	on_off(s, c);
	s->stage = !s->active                                                             ? 0
		   : c >= s->spec.limit_c + in_k || (deep && c > s->spec.limit_c + out_k) ? 2
											  : 1;
}

static void policy_two(struct synth *s, double c)
{
	const struct spec *p = &s->spec;

	if (s->stage == 0 && c >= p->limit_c)
		s->stage = 1;
	else if (s->stage == 1 && c >= p->limit_c + p->gap)
		s->stage = 2;
	else if (s->stage == 2 && c < p->limit_c + p->gap - p->hysteresis)
		s->stage = 1;
	else if (s->stage == 1 && c < p->limit_c - p->hysteresis)
		s->stage = 0;
	s->active = s->stage > 0;
	s->allow = s->stage == 0 ? 1 : s->stage == 1 ? p->f : p->f2;
}

static void policy_steps(struct synth *s, double c)
{
	const struct spec *p = &s->spec;

	s->since_s++;
	if (c >= p->limit_c && s->since_s >= p->every) {
		s->allow = fmax(p->fmin, s->allow - p->step);
		s->since_s = 0;
	} else if (c < p->limit_c - p->hysteresis && s->since_s >= p->every) {
		s->allow = fmin(1, s->allow + p->step);
		s->since_s = 0;
	}
	s->active = s->allow < 0.999;
	s->stage = s->active;
}

static void policy_pi(struct synth *s, double c)
{
	const struct spec *p = &s->spec;
	double e = c - p->limit_c;

	s->ever = s->ever || e >= 0;
	if (s->ever)
		s->allow = fmin(
		    1, fmax(p->fmin, s->allow - p->ki * e - p->kp * fmax(-0.5, fmin(0.5, e))));
	s->active = s->allow < 0.985 || (s->ever && c >= p->limit_c - 1);
	s->stage = s->active;
}

static void policy_gentle(struct synth *s, double c)
{
	const struct spec *p = &s->spec;
	double e = c - p->limit_c;

	s->ever = s->ever || e >= 0;
	if (s->ever)
		s->power = fmin(1,
				fmax(0.5, s->power - 0.01 * e - 0.02 * fmax(-0.5, fmin(0.5, e))));
	s->active = s->ever && c >= p->limit_c - 1.5;
	s->stage = s->active;
	s->allow = s->ever && s->power < 0.999 ? 1 - p->loss : 1;
	if (s->active && dice_chance(&s->dice, p->dip))
		s->allow *= dice_uniform(&s->dice, 0.6, 0.9);
}

static void policy_band(struct synth *s, double c)
{
	const struct spec *p = &s->spec;
	double target = c < p->limit_c ? 1 : fmax(p->fmin, 1 - (c - p->limit_c) / p->width);

	target = round(target * p->n) / p->n;
	s->allow += fmax(-0.05, fmin(0.05, target - s->allow));
	s->active = s->allow < 0.995;
	s->stage = s->active;
}

static void firmware(struct synth *s)
{
	const struct spec *p = &s->spec;
	double c = s->t1, f;
	bool was = s->active;

	switch (p->policy) {
	case POLICY_NONE:
		return;
	case POLICY_CLAMP:
		two_deep(s, c, 4, 2);
		s->allow = s->stage == 0 ? 1 : s->stage == 1 ? p->f : 0.3 * p->f;
		break;
	case POLICY_TWO:
		policy_two(s, c);
		break;
	case POLICY_PI:
		policy_pi(s, c);
		break;
	case POLICY_STAGES:
		policy_steps(s, c);
		break;
	case POLICY_PULSE:
		on_off(s, c);
		s->stage = s->active;
		s->allow = s->active ? p->f : 1;
		break;
	case POLICY_UNSTABLE:
		two_deep(s, c, 3, 1);
		f = p->f * (s->stage == 2 ? 0.35 : 1);
		s->allow = !s->active
			       ? 1
			       : fmin(1,
				      fmax(0.05, f + dice_normal(&s->dice, p->spread * f / p->f)));
		break;
	case POLICY_BAND:
		policy_band(s, c);
		break;
	case POLICY_GENTLE:
		policy_gentle(s, c);
		break;
	case POLICY_SHUTDOWN:
		s->dead = s->dead || c >= p->limit_c;
		s->active = s->dead;
		break;
	}
	s->counted_1 += s->active && !was;
	s->counted_2 += s->stage >= 2 && !s->was_deep;
	s->was_deep = s->stage >= 2;
	s->seconds_1 += s->active;
	s->seconds_2 += s->stage >= 2;
}

static double fold(struct synth *s)
{
	const struct spec *p = &s->spec;

	if (p->fold_factor <= 0)
		return 1;
	if (--s->fold_left_s <= 0) {
		s->fold_is_low = !s->fold_is_low;
		s->fold_left_s = dice_uniform(&s->dice, p->fold_low_s, p->fold_high_s);
	}
	return s->fold_is_low ? p->fold_factor : 1;
}

/* Slow and fast in turn by the clock; and speeds that wander. */
static double others(struct synth *s)
{
	const struct spec *p = &s->spec;
	double f = 1, at = s->load_s - p->duty_first_s;

	if (p->duty_high_s > 0 && at >= 0 &&
	    fmod(at, p->duty_high_s + p->duty_low_s) < p->duty_low_s)
		f *= p->duty_factor;
	if (p->wander > 0 && s->load_s % 5 == 0)
		s->walk = fmin(1, fmax(0.2, s->walk + dice_normal(&s->dice, p->wander)));
	return f * s->walk;
}

static double background(struct synth *s)
{
	const struct spec *p = &s->spec;

	if (s->load_s >= s->gc_next_s && s->load_s > s->gc_end_s) {
		s->gc_end_s = s->load_s + dice_uniform(&s->dice, p->gc_len_s[0], p->gc_len_s[1]);
		s->gc_depth = dice_uniform(&s->dice, p->gc_depth[0], p->gc_depth[1]);
		s->gc_next_s = s->load_s +
			       dice_uniform(&s->dice, p->gc_every_s[0], p->gc_every_s[1]);
	}
	return s->load_s < s->gc_end_s ? 1 - s->gc_depth : 1;
}

static double windows(struct synth *s, double base, struct sample *out)
{
	double f = 1;

	for (int i = 0; i < s->spec.n_windows; i++) {
		const struct window *w = &s->spec.window[i];

		if (s->load_s < w->from_s || s->load_s >= w->to_s)
			continue;
		f *= w->factor;
		if (w->kind == DISTURB_FOREIGN)
			out->foreign_bytes = 0.9 * base * (1 - w->factor) * 1e6;
		else if (w->kind == DISTURB_HOST)
			out->queue_avg = 32 * w->factor;
		else if (w->kind == DISTURB_LINK)
			out->link_gt_s = 4;
	}
	return f;
}

/* It throttles from the second on in which 1 % of the speed is held back, or power is. */
static void note_truth(struct synth *s)
{
	bool gentle = s->spec.policy == POLICY_GENTLE && s->active;

	if (s->frozen)
		return;
	if (isnan(s->onset_s) && (gentle || s->dead || s->allow < 0.99)) {
		s->onset_s = s->load_s;
		s->onset_c = s->t1;
	}
	if (isnan(s->onset_s))
		return;
	s->allow_sum += s->allow;
	s->allow_n++;
	if (!s->cycle_low && s->allow < 0.85) {
		s->cycle_low = true;
	} else if (s->cycle_low && s->allow > 0.93) {
		s->cycle_low = false;
		s->cycles++;
	}
}

/* Speed of this second of load, MB/s; *power in W. */
static double work(struct synth *s, enum op op, struct sample *out, double *power)
{
	const struct spec *p = &s->spec;
	double base = op == OP_READ && p->op == OP_WRITE ? p->read_mb_s : p->full_mb_s;
	double full = base, per_byte = 1, x;
	bool direct = op == OP_WRITE && p->slc_mb > 0 && s->slc_used >= p->slc_mb;

	s->idle_run_s = 0;
	firmware(s);
	if (direct) {
		base *= p->slc_factor * fold(s);
		per_byte = p->slc_power / p->slc_factor;
	}
	base *= 1 - p->drift * s->load_s / p->seconds;
	if (p->shift_s > 0 && s->load_s >= p->shift_s)
		base *= p->shift_factor;
	x = s->allow * base * background(s) * others(s);
	x *= windows(s, base, out);
	s->ar = 0.3 * s->ar + dice_normal(&s->dice, p->noise);
	x *= 1 + s->ar;
	if (dice_chance(&s->dice, p->dip_chance))
		x *= 1 - dice_uniform(&s->dice, 0.05, 0.4);
	x = s->dead ? 0 : fmax(0, x);
	*power = (p->base_w + p->load_w * x / full * per_byte) * s->power;
	note_truth(s);
	if (!direct && op == OP_WRITE)
		s->slc_used += x;
	s->load_s++;
	return x;
}

static double rest(struct synth *s)
{
	const struct spec *p = &s->spec;
	double power = p->idle_w;

	s->idle_run_s++;
	if (p->flush_mb_s > 0 && s->idle_run_s > p->flush_after_s) {
		s->slc_used = fmax(0, s->slc_used - p->flush_mb_s);
		power += s->slc_used > 0 ? 0.4 : 0;
	}
	if (p->policy != POLICY_GENTLE && p->policy != POLICY_SHUTDOWN)
		firmware(s);
	return power;
}

static double reading(struct synth *s)
{
	const struct spec *p = &s->spec;
	double delayed;

	memmove(s->history + 1, s->history, sizeof(s->history) - sizeof(*s->history));
	s->history[0] = s->t1;
	delayed = s->history[p->lag_s];
	s->filtered += (delayed - s->filtered) / (p->filter + 1);
	if (s->all_s % p->refresh_s == 0)
		s->shown = s->filtered;
	if (p->glitch_every_s && s->all_s % p->glitch_every_s == p->glitch_every_s / 2)
		return floor(s->shown + 45);
	return floor(s->shown + p->rounding + dice_normal(&s->dice, p->reading_noise));
}

void synth_step(struct synth *s, enum op op, struct sample *out)
{
	const struct spec *p = &s->spec;
	double power, x = 0, c;

	sample_clear(out);
	out->queue_avg = op == OP_NONE ? 0 : 32;
	out->foreign_bytes = 0;
	out->link_gt_s = 8;
	out->link_width = 4;
	if (p->fan_s > 0 && s->load_s >= p->fan_s)
		s->r2a_now = p->r2a * p->fan_factor;
	if (op != OP_NONE && !s->dead)
		x = work(s, op, out, &power);
	else
		power = rest(s);
	heat(&s->t1, &s->t2, power, p->ambient_c + p->ambient_rise_k * s->load_s / p->seconds,
	     s->r2a_now, p);
	s->written += x;
	c = reading(s);
	s->all_s++;
	out->op = op;
	out->mb_s = x;
	out->bytes = x * 1e6;
	if (s->dead)
		return;
	out->temp_c = c;
	out->tmt1_count = p->counters ? s->counted_1 : 0;
	out->tmt1_s = p->counters ? s->seconds_1 : 0;
	out->tmt2_count = p->counters ? s->counted_2 : 0;
	out->tmt2_s = p->counters ? s->seconds_2 : 0;
}

enum truth synth_truth(const struct synth *s)
{
	if (!s->spec.thermal)
		return s->spec.truth;
	if (isnan(s->onset_s))
		return TRUTH_NONE;
	if (s->spec.policy == POLICY_GENTLE)
		return TRUTH_GENTLE;
	if (s->cycles >= 3)
		return TRUTH_OSCILLATING;
	return s->allow_sum / s->allow_n > 0.95 ? TRUTH_GENTLE : TRUTH_HARD;
}
