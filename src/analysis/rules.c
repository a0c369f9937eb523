/* The table of evidence rules. */
#include "analysis/rules.h"

#include <math.h>

#include "analysis/tuning.h"

static struct match times(double n, double a, double b)
{
	return (struct match){n, a, b};
}

static struct match counter(const struct facts *f)
{
	return times(f->witness[WITNESS_TMT], 0, 0);
}

static struct match pel(const struct facts *f)
{
	return times(f->witness[WITNESS_PEL], 0, 0);
}

static struct match ocp(const struct facts *f)
{
	return times(f->witness[WITNESS_OCP], 0, 0);
}

static bool is_record(const struct facts *f)
{
	return f->record && f->rise_k >= 2;
}

static struct match record(const struct facts *f)
{
	return times(is_record(f), f->temp_c, f->rise_k);
}

static struct match no_record(const struct facts *f)
{
	return times(!is_record(f), f->temp_c, 0);
}

static struct match cool(const struct facts *f)
{
	return times(f->temp_c < tuning.cool_c && !f->near, f->temp_c, tuning.cool_c);
}

static struct match sliding(const struct facts *f)
{
	return times(f->sliding, 0, 0);
}

static bool sat_there(const struct facts *f)
{
	return f->at_s > 12 + 1.5 / fmax(f->slope_k_s, 0.012);
}

static struct match dwell(const struct facts *f)
{
	return times(sat_there(f), f->at_s, 0);
}

static struct match rising(const struct facts *f)
{
	return times(!sat_there(f) && f->slope_k_s >= 0.02, f->slope_k_s, 0);
}

static struct match capped(const struct facts *f)
{
	return times(f->above_k <= 2 && f->left_s >= 60, 0, 0);
}

static struct match cut_again(const struct facts *f)
{
	return times(f->above_k > 3 && f->cut_more, f->above_k, 0);
}

static struct match heats_on_read(const struct facts *f)
{
	return times(f->above_k > 3 && !f->cut_more && f->op == OP_READ, f->above_k, 0);
}

static struct match heats_on(const struct facts *f)
{
	return times(f->above_k > 3 && !f->cut_more && f->op != OP_READ, f->above_k, 0);
}

static struct match learned(const struct facts *f)
{
	double over_k = f->temp_c - f->others.limit_c;

	return times(over_k >= -2 && over_k <= 3 && is_record(f), f->others.limit_c, 0);
}

static struct match passed(const struct facts *f)
{
	return times(f->temp_c <= f->others.passed_c - tuning.passed_k, f->others.passed_c, 0);
}

/* A cache ends after as many bytes however cool the drive is. */
static struct match same_bytes(const struct facts *f)
{
	const struct others *o = &f->others;

	return times(f->op != OP_READ && f->op == o->fell_op && f->lasting &&
			 fabs(f->bytes / o->fell_bytes - 1) <= tuning.same_bytes &&
			 fabs(f->temp_c - o->fell_c) >= tuning.apart_k,
		     o->fell_bytes / 1e9, o->fell_c);
}

static struct match near_limit(const struct facts *f)
{
	return times(f->near != NULL, f->near_c, 0);
}

static struct match above_warning(const struct facts *f)
{
	return times(!f->near && f->temp_c > f->warning_c, f->warning_c, 0);
}

static bool many_again(const struct facts *f)
{
	return f->cooler_dips < 2 && f->same_drops >= 2 && f->same_drops >= 2 * f->other_drops;
}

static struct match again(const struct facts *f)
{
	return times(many_again(f) && f->cooler_dips == 0, f->same_drops, f->temp_c);
}

static struct match again_but(const struct facts *f)
{
	return times(many_again(f) && f->cooler_dips > 0, f->same_drops, f->temp_c);
}

static struct match once_again(const struct facts *f)
{
	return times(f->cooler_dips == 0 && f->same_drops == 1 && f->other_drops == 0, f->temp_c,
		     0);
}

static struct match elsewhere(const struct facts *f)
{
	return times(f->cooler_dips < 2 && !many_again(f) && f->other_drops > f->same_drops,
		     f->other_drops, 0);
}

static struct match full_between(const struct facts *f)
{
	return times(f->same_drops > 0 && f->full_hot_s > 25, f->full_hot_s, f->temp_c);
}

static struct match unsteady(const struct facts *f)
{
	int allowed = f->op == OP_READ ? 0 : 1; /* a cache ends once */

	return times(f->changes <= allowed ? 0 : f->changes < 4 ? 1 : 2, f->changes, 0);
}

static struct match hot_rise(const struct facts *f)
{
	return times(f->hot_rises > 0, f->temp_c, 0);
}

static struct match wandering(const struct facts *f)
{
	return times(f->wander >= tuning.wander && (f->lasting || !f->same_drops), 0, 0);
}

static struct match clockwork(const struct facts *f)
{
	return times(f->clock_cycles >= 4 && f->clock_s >= 8 ? (f->near ? 0.85 : 1) : 0, f->clock_s,
		     0);
}

/* The speed had been even before, and only went down since: else steps prove nothing. */
static bool is_calm(const struct facts *f)
{
	return f->cooler_dips == 0 && f->hot_rises == 0 && f->changes < 2 && !f->sliding &&
	       !(f->wander >= tuning.wander);
}

static bool is_stairs(const struct facts *f)
{
	return f->stairs >= 2 && is_calm(f) && f->slope_k_s >= 0.03 &&
	       (f->near || f->flat || f->temp_c > f->warning_c || f->steered);
}

static struct match stairs(const struct facts *f)
{
	return times(is_stairs(f), f->stairs + 1, f->temp_c);
}

static bool is_band(const struct facts *f)
{
	return f->band_steps >= 3 && is_calm(f) && f->r2_temp > 0.75 &&
	       f->r2_temp > f->r2_time + 0.01;
}

static struct match band(const struct facts *f)
{
	return times(!is_stairs(f) && is_band(f), f->band_steps + 1, 0);
}

/*
 * Heat above idle is a base plus a part in proportion to the speed. The base is 3 to 50 % of that
 * part, which gives the range in which a drive that only does less work can lie.
 */
static double heat_at(const struct facts *f, double base)
{
	return (base + f->speed_ratio) / (1 + base);
}

static bool is_working_on(const struct facts *f)
{
	return f->has_power && f->power_low > heat_at(f, 0.5) + 0.05;
}

static struct match works_on(const struct facts *f)
{
	return times(is_working_on(f), 100 * f->power_low, 100 * f->speed_ratio);
}

static struct match in_proportion(const struct facts *f)
{
	return times(f->has_power && f->power_high - f->power_low <= 0.15 &&
			 f->speed_ratio < 0.85 && f->power_low <= heat_at(f, 0.5) + 0.05 &&
			 f->power_high >= heat_at(f, 0.03) - 0.05,
		     50 * (f->power_low + f->power_high), 100 * f->speed_ratio);
}

static struct match held(const struct facts *f)
{
	return times(f->held_s > 0 && (f->near || f->temp_c > f->warning_c) && !is_working_on(f) &&
			 f->slope_k_s >= 0.08 && !f->steered,
		     f->temp_c, f->held_s);
}

static struct match follows(const struct facts *f)
{
	return times(!is_stairs(f) && !is_band(f) && f->follows && is_calm(f),
		     100 * (1 - exp(-f->fall)), 0);
}

static struct match steered(const struct facts *f)
{
	return times(!is_stairs(f) && f->steered && is_calm(f), 100 * (1 - exp(-f->fall)),
		     f->temp_c);
}

/* A cache ends at once, and a slide would have shown before. */
static struct match let_down(const struct facts *f)
{
	return times(f->ramp_s > 0 && f->lasting && !is_stairs(f) && !is_band(f) && !f->follows &&
			 !f->steered && is_calm(f) && f->fall >= 0.06 && f->above_k <= 3,
		     100 * (1 - exp(-f->fall)), f->ramp_s);
}

static struct match cache_ended(const struct facts *f)
{
	return times(f->lasting && f->temp_c >= f->cache_c + 3, f->cache_c, 0);
}

static struct match second_step(const struct facts *f)
{
	return times(f->second && f->flat && (f->near || f->temp_c > f->warning_c) &&
			 !is_working_on(f),
		     0, 0);
}

static struct match cold(const struct facts *f)
{
	return times(f->cold_s >= 15, f->cold_s, tuning.hysteresis_k);
}

static struct match exceeded(const struct facts *f)
{
	return times(f->exceed_s >= 5, f->exceed_s, 0);
}

static struct match full_later(const struct facts *f)
{
	return times(f->same_drops == 0 && !f->lasting && f->full_hot_all >= 45, f->full_hot_all,
		     f->temp_c);
}

static struct match flat(const struct facts *f)
{
	double share = f->slope_k_s >= 0.05 ? 1 : f->slope_k_s >= 0.03 && f->lasting ? 0.667 : 0;

	return times(f->flat ? share : 0, f->temp_c, 0);
}

static struct match same_heating(const struct facts *f)
{
	return times(f->depth >= 0.2 && f->slope_k_s > 0.05 && f->after_k_s > 0.6 * f->slope_k_s,
		     f->after_k_s, 100 * (1 - exp(-f->depth)));
}

static struct match cooler_dips(const struct facts *f)
{
	return times(fmin(f->cooler_dips, 4), f->cooler_dips, 0);
}

static struct match is_read(const struct facts *f)
{
	return times(f->op == OP_READ, 0, 0);
}

static struct match lasting_read(const struct facts *f)
{
	return times(f->op == OP_READ && f->lasting && f->left_s >= 60 &&
			 (f->depth >= 0.08 || f->responses || f->near),
		     0, 0);
}

static struct match lone_write(const struct facts *f)
{
	return times(f->op != OP_READ && f->lasting && !f->responses &&
			 1 - exp(-f->fall) >= tuning.cache_min,
		     0, 0);
}

static struct match not_ours(const struct facts *f)
{
	return times(f->watched, 0, 0);
}

static struct match passing(const struct facts *f)
{
	return times(!f->lasting && (f->same_drops == 0 || (f->same_drops == 1 && f->seconds <= 4)),
		     f->seconds, 0);
}

static struct match small(const struct facts *f)
{
	if (f->fall >= 0.08 || (f->responses && f->near))
		return times(0, 0, 0);
	return times(f->responses ? 1 : 2, 100 * (1 - exp(-f->fall)), 0);
}

/*
 * Rules that are a response come first in effect: they are added up before the others, which may
 * ask for f->responses. Weights were tuned on simulated drives.
 */
const struct rule rules[] = {
    {"counter", 9, true, counter, "the drive's thermal-management counter moved at the drop"},
    {"pel", 9, true, pel, "the drive's persistent event log says that it throttled from there on"},
    {"ocp", 9, true, ocp, "the drive's OCP log counted throttling at the drop"},
    {"record", 1, false, record, "new highest temperature, {a} °C, {b} K above the start"},
    {"no-record", -4, false, no_record, "no new highest temperature at {a} °C"},
    {"cool", -5, false, cool, "at {a} °C: no drive is known to throttle below {b} °C"},
    {"sliding", -5, false, sliding, "the speed had been falling slowly all along"},
    {"dwell", -3, false, dwell, "had been this hot for {a} s at full speed"},
    {"rising", 0.5, false, rising, "was heating by {a2} K/s before"},
    {"capped", 1, false, capped, "never got more than 2 K hotter afterwards"},
    {"cut-again", -0.5, false, cut_again, "got {a} K hotter afterwards, and slower again"},
    {"heats-on-read", -1.5, false, heats_on_read, "got {a} K hotter afterwards at the same speed"},
    {"heats-on", -4, false, heats_on, "got {a} K hotter afterwards at the same speed"},
    {"learned", 4, true, learned, "at the limit that this drive showed when {leg}, {a} °C"},
    {"passed", -4, false, passed, "{passed} got up to {a} °C in this log without a cut"},
    {"same-bytes", -4, false, same_bytes,
     "another load of this log fell after as many bytes, {a} GB, at {b} °C"},
    {"near-limit", 1.5, false, near_limit, "near the drive's {near} of {a} °C"},
    {"above-warning", 0.5, false, above_warning, "above the drive's own WCTEMP of {a} °C"},
    {"again", 3, true, again, "{a} more drops at the same temperature, {b} °C"},
    {"again-but", 1.5, true, again_but,
     "{a} more drops at the same temperature, {b} °C, but some cooler"},
    {"once-again", 2, true, once_again, "one more drop at the same temperature, {a} °C"},
    {"elsewhere", -1.5, false, elsewhere, "{a} more drops at other temperatures"},
    {"full-between", -3, false, full_between,
     "between drops it ran {a} s at full speed though at {b} °C"},
    {"unsteady", -3, false, unsteady, "the speed had changed {a} times before, when far cooler"},
    {"hot-rise", -3, false, hot_rise, "got faster again without getting cooler than {a} °C"},
    {"wandering", -2, false, wandering, "the speed had been wandering up and down before"},
    {"clockwork", -4, false, clockwork, "slow and fast in turn every {a} s, as regular as a clock"},
    {"stairs", 3, true, stairs, "{a} steps down one after the other at {b} °C"},
    {"band", 3, true, band, "the speed follows the temperature down in {a} steps"},
    {"works-on", -3, false, works_on, "makes {a} % of the heat at {b} % of the speed: it works on"},
    {"in-proportion", 0.5, false, in_proportion, "makes {a} % of the heat at {b} % of the speed"},
    {"held", 2, true, held,
     "the temperature was held at {a} °C for {b} s though it had been rising"},
    {"follows", 2, true, follows, "the speed was let down by {a} % bit by bit as it got hotter"},
    {"steered", 3, true, steered,
     "the speed was let down by {a} % bit by bit while the temperature stood at {b} °C"},
    {"let-down", 1.5, true, let_down,
     "the speed was let down by {a} % over {b} s: a cache ends at once"},
    {"cache-ended", 1.5, false, cache_ended,
     "the write cache had ended before, at {a} °C: it ends only once"},
    {"second-step", 1.5, true, second_step,
     "the second of two steps within seconds: a cache ends only once"},
    {"cold", -5, false, cold, "still slow for {a} s although more than {b} K cooler"},
    {"exceeded", -6, false, exceeded, "full speed later for {a} s although hotter"},
    {"full-later", -4, false, full_later, "later {a} s at full speed though at {b} °C"},
    {"flat", 1.5, false, flat, "the temperature stopped rising and held {a} °C"},
    {"same-heating", -2, false, same_heating, "went on heating by {a2} K/s after a loss of {b} %"},
    {"cooler-dips", -2, false, cooler_dips, "{a} similar dips earlier, when cooler"},
    {"read", 1, false, is_read, "reading has no write cache that could run out"},
    {"lasting-read", 1.5, false, lasting_read, "lasted to the end of the load, host as before"},
    {"lone-write", -3, false, lone_write,
     "one lasting step in a write: a full cache looks like it"},
    {"not-ours", -2, false, not_ours, "the load is not ours: it may have asked for less"},
    {"passing", -2, false, passing, "one passing dip of {a} s"},
    {"small", -1.5, false, small, "small: {a} %"},
};
const int rules_count = (int)(sizeof(rules) / sizeof(*rules));
