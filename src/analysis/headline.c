/* The verdict as one sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/tuning.h"
#include "throttlog/text.h"

static const char *at_temp(double c, char buf[24])
{
	if (isnan(c))
		buf[0] = '\0';
	else
		text_format(buf, 24, " at %.0f °C", c);
	return buf;
}

static enum op main_op(const struct build *b)
{
	return b->main < b->n_legs ? b->legs[b->main].op : OP_NONE;
}

static const char *verb(const struct build *b)
{
	enum op op = main_op(b);

	return op == OP_READ ? "read" : op == OP_WRITE ? "written" : "moved";
}

static const char *doing(enum op op)
{
	return op == OP_READ ? "reading" : op == OP_WRITE ? "writing" : "working";
}

/* "load", or what it was where there are several to tell apart. */
static const char *load_word(const struct build *b)
{
	return b->v->n_legs > 1 && main_op(b) != OP_NONE ? doing(main_op(b)) : "load";
}

/* What another leg adds to the sentence about the one that decided. */
static void add_other(const struct leg_verdict *l, enum tristate said, char *buf, size_t size)
{
	size_t used = strlen(buf);
	char at[24];

	buf += used;
	size -= used;
	if (l->throttled == TRI_TRUE)
		text_format(buf, size, "; %s too%s%s", doing(l->op),
			    l->klass == CLASS_REPORTED || isnan(l->onset_c) ? "" : ",",
			    l->klass == CLASS_REPORTED ? ", by the counters"
						       : at_temp(l->onset_c, at));
	else if (l->throttled == TRI_FALSE && said != TRI_FALSE)
		text_format(buf, size, "; not when %s", doing(l->op));
	else if (!l->judged)
		text_format(buf, size, "; %s was too short to judge", doing(l->op));
	else if (l->throttled == TRI_NULL && said != TRI_NULL)
		text_format(buf, size, "; %s: cannot tell", doing(l->op));
}

/*
 * The other legs into the sentence, before its full stop; of several alike the one that says
 * most. Loads that were cut up by pauses are many legs of one kind.
 */
static void add_others(const struct build *b, char *buf)
{
	const struct verdict *v = b->v;
	char others[160] = "", tail[320];
	char *stop = strchr(buf, '.');

	for (enum op op = OP_NONE; op < OP_COUNT; op++) {
		const struct leg_verdict *best = NULL;

		for (size_t i = 0; i < v->n_legs; i++)
			if (v->legs[i].op == op && op != main_op(b) &&
			    (!best || legs_decides(&v->legs[i], best)))
				best = &v->legs[i];
		if (best)
			add_other(best, v->throttled, others, sizeof(others));
	}
	/* A sentence ends where a blank or nothing follows; "0.5 MB/s" does not. */
	while (stop && stop[1] && stop[1] != ' ')
		stop = strchr(stop + 1, '.');
	if (!*others || !stop)
		return;
	text_format(tail, sizeof(tail), "%s%s", others, stop);
	text_format(stop, sizeof(v->text) - (size_t)(stop - buf), "%s", tail);
}

/* Where it throttles, and whose limit that is if the drive counted it. */
static const char *at_limit(const struct build *b, char buf[80])
{
	const struct finding *f = build_thermal(b);
	const char *near = f ? f->facts.near : NULL;
	char at[24];

	if (isnan(b->v->onset_c))
		text_format(buf, 80, " at an unknown temperature");
	else if (near && strncmp(near, "TMT", 3) == 0 && f->facts.witness[WITNESS_TMT])
		text_format(buf, 80, "%s, %s set by the host to %.0f °C,",
			    at_temp(b->v->onset_c, at), near, f->facts.near_c);
	else
		at_temp(b->v->onset_c, buf);
	return buf;
}

static void throttles(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	bool many = v->n_legs > 1; /* loads to tell apart */
	char when[32], at[80];

	text_duration(when, sizeof(when), round(v->onset_s));
	if (v->klass == CLASS_GENTLE)
		text_format(
		    buf, size,
		    "Reaches its limit%s after %s%s%s (%.0f GB%s%s); the loss is small: %.0f %%.",
		    at_limit(b, at), when, many ? " of " : "", many ? doing(main_op(b)) : "",
		    v->onset_bytes / 1e9, many ? "" : " ", many ? "" : verb(b), v->loss_pct);
	else
		text_format(
		    buf, size,
		    "Throttles%s after %s of %s (%.0f GB%s%s)%s: %.0f instead of %.0f MB/s, "
		    "%.0f %% less.",
		    at_limit(b, at), when, load_word(b), v->onset_bytes / 1e9, many ? "" : " ",
		    many ? "" : verb(b), v->klass == CLASS_OSCILLATING ? ", on and off" : "",
		    v->after_mb_s, v->before_mb_s, v->loss_pct);
}

static const struct drop *lasting_cache(const struct verdict *v)
{
	for (size_t i = 0; i < v->n_drops; i++)
		if (v->drops[i].cause == CAUSE_SLC_CACHE)
			return &v->drops[i];
	return NULL;
}

/* "10 min of load", "5 min of reading and 5 min of writing". */
static void name_loads(const struct verdict *v, char *buf, size_t size)
{
	double seconds[OP_COUNT] = {0};
	const char *and = "";
	char time[32];

	buf[0] = '\0';
	if (v->n_legs < 2) {
		text_duration(time, sizeof(time), round(v->load_end_s - v->load_start_s));
		text_format(buf, size, "%s of load", time);
		return;
	}
	for (size_t i = 0; i < v->n_legs; i++)
		if (v->legs[i].throttled == TRI_FALSE)
			seconds[v->legs[i].op] += v->legs[i].end_s - v->legs[i].start_s;
	for (enum op op = OP_NONE; op < OP_COUNT; op++) {
		size_t used = strlen(buf);

		if (seconds[op] <= 0)
			continue;
		text_duration(time, sizeof(time), round(seconds[op]));
		text_format(buf + used, size - used, "%s%s of %s", and, time,
			    op == OP_NONE ? "load" : doing(op));
		and = " and ";
	}
}

static void no_throttling(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	const struct drop *cache = lasting_cache(v);
	char load[120], tail[120] = "";

	if (isnan(v->load_start_s)) {
		text_format(buf, size, "The drive was idle: nothing to throttle.");
		return;
	}
	name_loads(v, load, sizeof(load));
	if (cache)
		text_format(tail, sizeof(tail),
			    " The write cache ended after %.0f GB: %.0f, then %.0f MB/s.",
			    cache->bytes / 1e9, cache->from_mb_s, cache->to_mb_s);
	text_format(buf, size, "No throttling in %s, up to %.0f °C.%s", load, v->max_c, tail);
}

/* The drop of the main load that is open, or the deepest. */
static const struct drop *worst_drop(const struct verdict *v)
{
	const struct drop *worst = NULL;

	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];

		if (d->leg != v->main_leg)
			continue;
		if (!worst || d->open > worst->open ||
		    (d->open == worst->open &&
		     d->from_mb_s - d->to_mb_s > worst->from_mb_s - worst->to_mb_s))
			worst = d;
	}
	return worst;
}

/* What fell, where and by how much; first what is explained. */
static void cannot_tell(const struct verdict *v, enum op op, const struct drop *d, char *buf,
			size_t size)
{
	const struct drop *cache = lasting_cache(v);
	char when[32], at[24], first[100] = "";

	text_duration(when, sizeof(when), round(d->start_s - v->load_start_s));
	if (cache && cache->leg == d->leg && cache->start_s < d->start_s)
		text_format(first, sizeof(first),
			    "the write cache ended after %.0f GB (%.0f, then %.0f MB/s); then ",
			    cache->bytes / 1e9, cache->from_mb_s, cache->to_mb_s);
	text_format(buf, size,
		    "Cannot tell: %s%s%s%sthe speed fell from %.0f to %.0f MB/s%s after %s, from "
		    "heat or another cause.",
		    v->n_legs > 1 ? "when " : "", v->n_legs > 1 ? doing(op) : "",
		    v->n_legs > 1 ? ", " : "", first, d->from_mb_s, d->to_mb_s,
		    at_temp(d->temp_c, at), when);
}

/* A load that is too short, or so slow that the drive was as good as idle. */
static void too_little(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	double longest = 0, fastest = 0;
	char when[32];

	for (size_t i = 0; i < v->n_legs; i++)
		longest = fmax(longest, v->legs[i].end_s - v->legs[i].start_s);
	for (size_t i = 0; i < b->n_legs; i++)
		fastest = fmax(fastest, b->legs[i].usual_mb_s);
	text_duration(when, sizeof(when), fmax(1, round(longest)));
	if (longest > tuning.short_s && fastest < tuning.load_min_mb_s)
		text_format(buf, size,
			    "Too little load to judge: %.2g MB/s for %s. Below %.0f MB/s a drive "
			    "is as good as idle.",
			    fastest, when, tuning.load_min_mb_s);
	else
		text_format(buf, size,
			    "Too short to judge: %s of load. It takes %.0f s at least, better some "
			    "minutes (--time 5m).",
			    when, tuning.short_s);
}

static void unknown(const struct build *b, char *buf, size_t size)
{
	const struct verdict *v = b->v;
	const struct drop *worst = worst_drop(v);

	if (v->n_legs && (b->main >= b->n_legs || !leg_is_long(&b->legs[b->main])) &&
	    v->bytes > 0) {
		too_little(b, buf, size);
	} else if (b->main >= b->n_legs || isnan(v->mean_mb_s)) {
		text_format(buf, size, "Nothing to judge: the log has no throughput under load.");
	} else if (v->klass != CLASS_UNATTRIBUTED || !worst) {
		text_format(buf, size,
			    "Cannot tell: no usable temperature and no counters. The speed "
			    "%s.",
			    worst ? "fell" : "held");
	} else {
		cannot_tell(v, main_op(b), worst, buf, size);
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
				? "The drive shut down%s after %s of %s."
				: "The drive vanished%s after %s of %s; nothing says that it "
				  "was heat.",
			    at_temp(v->onset_c, at), when, load_word(b));
	} else if (v->klass == CLASS_REPORTED) {
		text_format(v->text, sizeof(v->text),
			    "The drive recorded throttling by itself%s%s, but no loss of speed "
			    "is visible.",
			    v->n_legs > 1 ? " when " : "", v->n_legs > 1 ? doing(main_op(b)) : "");
	} else if (v->throttled == TRI_TRUE) {
		throttles(b, v->text, sizeof(v->text));
	} else if (v->throttled == TRI_FALSE) {
		no_throttling(b, v->text, sizeof(v->text));
	} else {
		unknown(b, v->text, sizeof(v->text));
	}
	if (v->n_legs > 1 && b->main < b->n_legs && v->legs[v->main_leg].judged)
		add_others(b, v->text);
}
