/* Draws synthetic drives: throttling ones over all policies, and decoys that look like it. */
#include <math.h>
#include <string.h>

#include "synth.h"

#define CURVE_MAX 640

/* Unthrottled temperature of the drive at hand, after each second; too large for the stack. */
static double curve[CURVE_MAX];

static void body(struct dice *d, struct spec *p)
{
	memset(p, 0, sizeof(*p));
	p->ambient_c = dice_uniform(d, 20, 32);
	p->r12 = dice_uniform(d, 1.5, 5);
	p->r2a = dice_uniform(d, 8, 15);
	p->c1 = dice_uniform(d, 1.5, 5);
	p->c2 = dice_uniform(d, 8, 22);
	p->idle_w = dice_uniform(d, 0.8, 2.2);
	p->base_w = p->idle_w + dice_uniform(d, 0.2, 0.8);
	p->load_w = dice_uniform(d, 2.2, 5);
	p->lag_s = (int)PICK(d, 0, 1, 1, 2, 3, 4);
	p->refresh_s = (int)PICK(d, 1, 1, 1, 2, 5);
	p->filter = PICK(d, 0, 0, 0, 1, 2);
	p->rounding = PICK(d, 0.5, 0.5, 0);
	p->reading_noise = PICK(d, 0, 0.1, 0.25);
	p->noise = dice_uniform(d, 0.004, 0.025);
	p->dip_chance = PICK(d, 0, 0.003, 0.01, 0.02);
	p->op = dice_chance(d, 0.5) ? OP_READ : OP_WRITE;
	p->full_mb_s = PICK(d, 1200, 1800, 2400, 3000, 3400, 5000, 7000, 10000);
	p->read_mb_s = p->full_mb_s * dice_uniform(d, 1, 1.6);
	p->seconds = (int)PICK(d, 240, 300, 420, 600);
	p->wctemp_c = p->tmt1_c = NAN;
}

/* WCTEMP mostly at or above where it throttles; 15 % state none. */
static void stated_limits(struct dice *d, struct spec *p, double limit_c)
{
	bool known = !isnan(limit_c);

	if (p->slow_bus || dice_chance(d, 0.15))
		return;
	p->wctemp_c = round((known ? limit_c : dice_uniform(d, 70, 85)) +
			    PICK(d, -1, 0, 0, 1, 2, 3, 5, 8, 12));
	if (known && p->thermal && dice_chance(d, 0.25))
		p->tmt1_c = round(limit_c);
}

static void cache(struct dice *d, struct spec *p, double seconds)
{
	p->op = OP_WRITE;
	p->slc_mb = seconds * p->full_mb_s;
	p->slc_factor = dice_uniform(d, 0.08, 0.7);
	p->slc_power = dice_uniform(d, 0.35, 1.15);
}

static void flush(struct dice *d, struct spec *p)
{
	double share = 0;

	switch (dice_int(d, 4)) {
	case 0:
		share = dice_uniform(d, 0.02, 0.2);
		break;
	case 1:
		share = dice_uniform(d, 0.2, 1);
		break;
	default:
		break;
	}
	p->flush_mb_s = share * p->full_mb_s * p->slc_factor;
	p->flush_after_s = PICK(d, 2, 5, 20, 60);
}

static void draw_policy(struct dice *d, struct spec *p)
{
	static const char *const kinds[] = {"clamp", "clamp",    "two",    "pi",  "pi",  "stages",
					    "pulse", "unstable", "gentle", "osc", "band"};

	p->kind = kinds[dice_int(d, 11)];
	p->hysteresis = dice_uniform(d, 1, 8);
	switch (p->kind[0]) {
	case 'c':
		p->policy = POLICY_CLAMP;
		p->f = dice_uniform(d, 0.12, 0.8);
		break;
	case 'o':
		p->policy = POLICY_CLAMP;
		p->f = dice_uniform(d, 0.05, 0.4);
		p->hysteresis = dice_uniform(d, 1, 4);
		break;
	case 't':
		p->policy = POLICY_TWO;
		p->f = dice_uniform(d, 0.4, 0.8);
		p->f2 = p->f * dice_uniform(d, 0.1, 0.5);
		p->gap = dice_uniform(d, 2, 5);
		p->hysteresis = dice_uniform(d, 1.5, 4);
		break;
	case 's':
		p->policy = POLICY_STAGES;
		p->fmin = 0.1;
		p->step = dice_uniform(d, 0.02, 0.08);
		p->every = PICK(d, 1, 2, 3, 5);
		p->hysteresis = dice_uniform(d, 1, 3);
		break;
	case 'b':
		p->policy = POLICY_BAND;
		p->fmin = dice_uniform(d, 0.05, 0.3);
		p->width = dice_uniform(d, 6, 20);
		p->n = PICK(d, 10, 18, 100);
		break;
	case 'u':
		p->policy = POLICY_UNSTABLE;
		p->f = dice_uniform(d, 0.4, 0.6);
		p->spread = dice_uniform(d, 0.08, 0.2);
		p->hysteresis = dice_uniform(d, 3, 8);
		break;
	case 'g':
		p->policy = POLICY_GENTLE;
		p->loss = dice_uniform(d, 0, 0.04);
		p->dip = PICK(d, 0, 0.05, 0.15);
		break;
	default:
		p->policy = strcmp(p->kind, "pi") == 0 ? POLICY_PI : POLICY_PULSE;
		p->fmin = dice_uniform(d, 0.05, 0.3);
		p->ki = dice_uniform(d, 0.01, 0.04);
		p->kp = dice_uniform(d, 0, 0.06);
		p->f = dice_uniform(d, 0.01, 0.06);
		if (p->policy == POLICY_PULSE)
			p->hysteresis = dice_uniform(d, 1, 4);
		break;
	}
}

/* A limit somewhere on the rising part of the curve, at a temperature that drives have. */
static void draw_limit(struct dice *d, struct spec *p)
{
	double target = dice_uniform(d, 60, 92), top = -1e9;
	static int candidates[CURVE_MAX];
	int n = 0, last = p->seconds - 60;

	synth_curve(p, curve, p->seconds);
	for (int i = 0; i < p->seconds; i++) {
		top = fmax(top, curve[i]);
		if (i >= 12 && i < last && curve[i] - curve[i - 8] > 0.12 && curve[i] >= top - 0.01)
			candidates[n++] = i;
	}
	p->limit_c = curve[n ? candidates[dice_int(d, n)] : 15];
	if (p->limit_c < 58 || p->limit_c > 93) {
		p->ambient_c += target - p->limit_c;
		p->limit_c = target;
	}
}

void spec_thermal(struct dice *d, struct spec *p)
{
	body(d, p);
	p->thermal = true;
	draw_policy(d, p);
	if (p->op == OP_WRITE && dice_chance(d, 0.5)) {
		p->slc_mb = dice_uniform(d, 4, 120) * 1000;
		p->slc_factor = dice_uniform(d, 0.25, 0.7);
		p->slc_power = dice_uniform(d, 0.6, 1.05);
		flush(d, p);
	}
	draw_limit(d, p);
	p->counters = dice_chance(d, 0.5);
	stated_limits(d, p, p->limit_c);
}

/* As often as listed. */
static const char *const drawn[] = {
    "none",     "none-hot", "none-drift", "slc-heat", "slc-heat", "slc-heat", "slc-flat",
    "slc-near", "gc",       "trim",       "sata",     "usb",      "fold",     "bg",
    "bg",       "link",     "foreign",    "host",     "fan",      "shift",    "slc3",
    "slope",    "glitch",   "outside",    "duty",     "wander"};

const char *const spec_decoy_kinds[] = {
    "none",  "none-hot", "none-drift", "slc-heat", "slc-flat", "slc-near", "gc",   "trim",
    "sata",  "usb",      "fold",       "bg",       "link",     "foreign",  "host", "fan",
    "shift", "slc3",     "slope",      "glitch",   "outside",  "bgperm"};
const int spec_decoy_kinds_count = (int)(sizeof(spec_decoy_kinds) / sizeof(*spec_decoy_kinds));

bool spec_is_added(const char *kind)
{
	return strcmp(kind, "duty") == 0 || strcmp(kind, "wander") == 0;
}

static void add_window(struct spec *p, double from_s, double to_s, double factor,
		       enum disturbance kind)
{
	p->window[p->n_windows++] = (struct window){from_s, to_s, factor, kind};
	p->truth = TRUTH_BACKGROUND;
}

/* Disturbances for a while, or for good. */
static bool disturbed(struct dice *d, const char *kind, struct spec *p)
{
	double a = dice_uniform(d, 10, 150), f = dice_uniform(d, 0.4, 0.8);
	double long_s = dice_uniform(d, 20, 200);
	int n;

	if (strcmp(kind, "trim") == 0) {
		a = dice_uniform(d, 10, p->seconds - 30);
		add_window(p, a, a + dice_uniform(d, 4, 8), dice_uniform(d, 0, 0.08),
			   DISTURB_INSIDE);
	} else if (strcmp(kind, "bg") == 0) {
		a = dice_uniform(d, 10, 120);
		for (n = (int)PICK(d, 1, 1, 2, 3); n > 0; n--) {
			add_window(p, a, a + dice_uniform(d, 8, 60), dice_uniform(d, 0.4, 0.85),
				   DISTURB_INSIDE);
			a += dice_uniform(d, 60, 150);
		}
	} else if (strcmp(kind, "link") == 0) {
		add_window(p, a, 1e9, 0.5, DISTURB_LINK);
	} else if (strcmp(kind, "foreign") == 0) {
		add_window(p, a, a + long_s, f, DISTURB_FOREIGN);
	} else if (strcmp(kind, "host") == 0) {
		add_window(p, a, a + long_s, f, DISTURB_HOST);
	} else if (strcmp(kind, "bgperm") == 0) {
		p->op = OP_READ;
		add_window(p, a, 1e9, f, DISTURB_INSIDE);
	} else {
		return false;
	}
	return true;
}

/* Caches that end, in all ways. Returns the stated limit that tempts, NAN. */
static double cached(struct dice *d, const char *kind, struct spec *p)
{
	double t, wctemp_c = NAN;

	p->truth = TRUTH_CACHE;
	if (strcmp(kind, "slc-heat") == 0) {
		cache(d, p, dice_uniform(d, 8, 120));
	} else if (strcmp(kind, "slc-flat") == 0) {
		cache(d, p, dice_uniform(d, 0.5, 0.8) * p->seconds);
	} else if (strcmp(kind, "slc-near") == 0) {
		t = dice_uniform(d, 10, 120);
		cache(d, p, t);
		synth_curve(p, curve, (int)t + 2);
		wctemp_c = curve[(int)t + 1] + dice_uniform(d, -1, 3);
	} else if (strcmp(kind, "sata") == 0) {
		p->full_mb_s = dice_uniform(d, 500, 560);
		p->slow_bus = true;
		p->load_w = dice_uniform(d, 1.2, 2.5);
		if (dice_chance(d, 0.7))
			cache(d, p, dice_uniform(d, 8, 200));
		else
			p->truth = TRUTH_NONE;
	} else if (strcmp(kind, "usb") == 0) {
		p->full_mb_s = dice_uniform(d, 850, 1000);
		p->slow_bus = true;
		cache(d, p, dice_uniform(d, 20, 200));
		p->slc_factor = dice_uniform(d, 0.15, 0.3);
	} else if (strcmp(kind, "fold") == 0) {
		cache(d, p, dice_uniform(d, 8, 120));
		p->fold_low_s = dice_uniform(d, 3, 10);
		p->fold_high_s = dice_uniform(d, 10, 40);
		p->fold_factor = dice_uniform(d, 0.25, 0.7);
	} else if (strcmp(kind, "slc3") == 0) {
		cache(d, p, dice_uniform(d, 8, 80));
		p->slc_factor = dice_uniform(d, 0.35, 0.7);
		t = dice_uniform(d, 60, 200);
		add_window(p, t, 1e9, dice_uniform(d, 0.25, 0.7), DISTURB_INSIDE);
		p->truth = TRUTH_CACHE;
	} else {
		p->truth = TRUTH_NONE;
	}
	if (p->slc_mb > 0)
		flush(d, p);
	return wctemp_c;
}

static void others(struct dice *d, const char *kind, struct spec *p, double *wctemp_c)
{
	if (strcmp(kind, "none-hot") == 0) {
		synth_curve(p, curve, p->seconds);
		*wctemp_c = curve[p->seconds - 1] - dice_uniform(d, 0, 12);
	} else if (strcmp(kind, "none-drift") == 0) {
		p->drift = dice_uniform(d, 0.01, 0.08);
	} else if (strcmp(kind, "gc") == 0) {
		p->gc_first_s = dice_uniform(d, 10, 150);
		memcpy(p->gc_every_s, (double[]){8, 60}, sizeof(p->gc_every_s));
		memcpy(p->gc_len_s, (double[]){1, 4}, sizeof(p->gc_len_s));
		memcpy(p->gc_depth, (double[]){0.2, 0.9}, sizeof(p->gc_depth));
		p->truth = TRUTH_BACKGROUND;
	} else if (strcmp(kind, "fan") == 0) {
		p->fan_s = dice_uniform(d, 30, 200);
		p->fan_factor = dice_uniform(d, 0.3, 0.7);
	} else if (strcmp(kind, "shift") == 0) {
		p->shift_s = dice_uniform(d, 20, 200);
		p->shift_factor = dice_uniform(d, 0.94, 0.985);
	} else if (strcmp(kind, "slope") == 0) {
		p->drift = dice_uniform(d, 0.1, 0.3);
		p->truth = TRUTH_BACKGROUND;
	} else if (strcmp(kind, "glitch") == 0) {
		p->glitch_every_s = 20 + dice_int(d, 100);
		p->lag_s = 0;
		p->filter = 0;
		p->refresh_s = 1;
		if (dice_chance(d, 0.5))
			add_window(p, 60, 90, 0.5, DISTURB_INSIDE);
	} else if (strcmp(kind, "duty") == 0) {
		p->duty_first_s = dice_uniform(d, 20, 0.5 * p->seconds);
		p->duty_high_s = dice_uniform(d, 5, 40);
		p->duty_low_s = dice_uniform(d, 3, 25);
		p->duty_factor = dice_uniform(d, 0.1, 0.8);
		p->truth = TRUTH_BACKGROUND;
	} else if (strcmp(kind, "wander") == 0) {
		p->wander = dice_uniform(d, 0.01, 0.1);
		p->truth = TRUTH_BACKGROUND;
	} else if (strcmp(kind, "outside") == 0) {
		p->ambient_rise_k = dice_uniform(d, 10, 25);
	}
}

void spec_decoy(struct dice *d, const char *kind, struct spec *p)
{
	double wctemp_c, top = -1e9, shift_k;

	body(d, p);
	p->kind = kind ? kind : drawn[dice_int(d, (int)(sizeof(drawn) / sizeof(*drawn)))];
	p->limit_c = NAN;
	p->truth = TRUTH_NONE;
	wctemp_c = cached(d, p->kind, p);
	if (p->truth == TRUTH_NONE && strcmp(p->kind, "sata") != 0 && !disturbed(d, p->kind, p))
		others(d, p->kind, p, &wctemp_c);
	synth_curve(p, curve, p->seconds);
	for (int i = 0; i < p->seconds; i++)
		top = fmax(top, curve[i]);
	if (top > 90) {
		shift_k = dice_uniform(d, 60, 90) - top;
		p->ambient_c += shift_k;
		wctemp_c += shift_k;
	}
	stated_limits(d, p, wctemp_c);
}

void spec_lost(struct dice *d, struct spec *p)
{
	spec_decoy(d, "none", p);
	synth_curve(p, curve, p->seconds);
	p->kind = "lost";
	p->truth = TRUTH_LOST;
	p->policy = POLICY_SHUTDOWN;
	p->limit_c = curve[15 + dice_int(d, 105)];
}
