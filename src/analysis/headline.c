/* The verdict as one sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/build.h"
#include "throttlog/text.h"

static const char *at_temp(double c, char buf[24])
{
	if (isnan(c))
		buf[0] = '\0';
	else
		text_format(buf, 24, " at %.0f °C", c);
	return buf;
}

static const char *verb(const struct build *b)
{
	enum op op = b->main < b->n_legs ? b->legs[b->main].op : OP_NONE;

	return op == OP_READ ? "read" : op == OP_WRITE ? "written" : "moved";
}

static void throttles(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	char when[32], at[24];

	text_duration(when, sizeof(when), round(v->onset_s));
	if (v->klass == CLASS_GENTLE)
		text_format(
		    buf, size,
		    "Reaches its limit%s after %s (%.0f GB %s); the loss is small: %.0f %%.",
		    at_temp(v->onset_c, at), when, v->onset_bytes / 1e9, verb(b), v->loss_pct);
	else
		text_format(
		    buf, size,
		    "Throttles%s after %s of load (%.0f GB %s)%s: %.0f instead of %.0f MB/s, "
		    "%.0f %% less.",
		    at_temp(v->onset_c, at), when, v->onset_bytes / 1e9, verb(b),
		    v->klass == CLASS_OSCILLATING ? ", on and off" : "", v->after_mb_s,
		    v->before_mb_s, v->loss_pct);
}

static const struct drop *lasting_cache(const struct verdict *v)
{
	for (size_t i = 0; i < v->n_drops; i++)
		if (v->drops[i].cause == CAUSE_SLC_CACHE)
			return &v->drops[i];
	return NULL;
}

static void no_throttling(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	const struct drop *cache = lasting_cache(v);
	char load[32], tail[120] = "";

	if (isnan(v->load_start_s)) {
		text_format(buf, size, "The drive was idle: nothing to throttle.");
		return;
	}
	text_duration(load, sizeof(load), round(v->load_end_s - v->load_start_s));
	if (cache)
		text_format(tail, sizeof(tail),
			    " The write cache ended after %.0f GB: %.0f, then %.0f MB/s.",
			    cache->bytes / 1e9, cache->from_mb_s, cache->to_mb_s);
	text_format(buf, size, "No throttling in %s of load, up to %.0f °C.%s", load, v->max_c,
		    tail);
}

static void unknown(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	const struct drop *worst = NULL;
	char when[32];

	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];

		if (!worst || d->open > worst->open ||
		    (d->open == worst->open &&
		     d->from_mb_s - d->to_mb_s > worst->from_mb_s - worst->to_mb_s))
			worst = d;
	}
	if (b->main >= b->n_legs || isnan(v->mean_mb_s)) {
		text_format(buf, size, "Nothing to judge: the log has no throughput under load.");
	} else if (v->klass != CLASS_UNATTRIBUTED || !worst) {
		text_format(buf, size,
			    "Cannot tell: no usable temperature and no counters. The speed "
			    "%s.",
			    worst ? "fell" : "held");
	} else {
		text_duration(when, sizeof(when), round(worst->start_s - v->load_start_s));
		text_format(
		    buf, size,
		    "Cannot tell: the speed fell from %.0f to %.0f MB/s after %s, from heat or "
		    "another cause.",
		    worst->from_mb_s, worst->to_mb_s, when);
	}
}

void build_headline(const struct build *b)
{
	struct verdict *v = b->v;
	char when[32], at[24];

	if (v->klass == CLASS_SHUTDOWN) {
		text_duration(when, sizeof(when), round(v->onset_s));
		text_format(v->text, sizeof(v->text),
			    v->throttled == TRI_TRUE
				? "The drive shut down%s after %s of load."
				: "The drive vanished%s after %s of load; nothing says that it "
				  "was heat.",
			    at_temp(v->onset_c, at), when);
	} else if (v->klass == CLASS_REPORTED) {
		text_format(
		    v->text, sizeof(v->text),
		    "The drive's counters recorded throttling, but no loss of speed is visible.");
	} else if (v->throttled == TRI_TRUE) {
		throttles(b, v->text, sizeof(v->text));
	} else if (v->throttled == TRI_FALSE) {
		no_throttling(b, v->text, sizeof(v->text));
	} else {
		unknown(b, v->text, sizeof(v->text));
	}
}
