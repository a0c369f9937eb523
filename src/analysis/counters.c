/*
 * What the drive's own records say, as lines of evidence: counters, persistent event log, OCP log.
 * Counters are lifetime totals, so only their growth counts; TMT counters count host-controlled
 * throttling only, so standing still proves nothing; the warning time is in minutes (NVMe base
 * specification, SMART log).
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "throttlog/journal.h"
#include "throttlog/text.h"

static double growth(const struct series *s, enum field f)
{
	double first = NAN, last = NAN;

	for (size_t i = 0; s->col[f] && i < s->n; i++) {
		if (isnan(s->col[f][i]))
			continue;
		if (isnan(first))
			first = s->col[f][i];
		last = s->col[f][i];
	}
	return last - first;
}

static void about_tmt(const struct build *b, const char *name, enum field count, enum field seconds,
		      double limit_c)
{
	double times = growth(&b->run->series, count), time_s = growth(&b->run->series, seconds);

	if (!(times > 0) && !(time_s > 0))
		return;
	times = times > 0 ? times : 0;
	time_s = time_s > 0 ? time_s : 0;
	if (isnan(limit_c))
		evidence_add(&b->v->evidence, "tmt", 0, "%s: %.0f more transitions, %.0f s more",
			     name, times, time_s);
	else
		evidence_add(&b->v->evidence, "tmt", 0,
			     "%s, set by the host to %.0f °C: %.0f more transitions, %.0f s more",
			     name, limit_c, times, time_s);
}

/* How far the OCP log's count of one byte went on. */
static double ocp_growth(const struct series *s)
{
	double last = NAN, sum = 0;

	for (size_t i = 0; s->col[FIELD_OCP_COUNT] && i < s->n; i++) {
		double v = s->col[FIELD_OCP_COUNT][i];

		sum += ocp_count_delta(last, v);
		last = isnan(v) ? last : v;
	}
	return sum;
}

/* Readings of the OCP log, and how many of them say that the drive throttles. */
static void about_ocp(const struct build *b)
{
	const struct series *s = &b->run->series;
	const double *status = s->col[FIELD_OCP_STATUS];
	double more = ocp_growth(s);
	size_t readings = 0, throttled = 0;

	for (size_t i = 0; status && i < s->n; i++) {
		readings += isnan(status[i]) ? 0 : 1;
		throttled += status[i] > 0 ? 1 : 0;
	}
	if (more > 0)
		evidence_add(&b->v->evidence, "ocp-log", 0, "OCP log: %.0f more throttling events",
			     more);
	/* From before the first load to the end it tells nothing of this run. */
	if (throttled && throttled == readings)
		evidence_add(&b->v->evidence, "ocp-log", 0,
			     "OCP log: says that it throttles all the time, which is not judged");
}

/* One line a kind of entry: how many, and when the first came. */
static void about_entries(const struct build *b, unsigned code)
{
	const struct series *s = &b->run->series;
	const struct journal_kind *kind = journal_kind(code);
	double first_s = NAN;
	char when[64] = "", name[64];
	size_t n = 0;

	for (size_t i = 0; i < s->n_events; i++) {
		struct journal_entry e;

		if (s->events[i].kind != EVENT_PEL || !s->events[i].text ||
		    !journal_parse(s->events[i].text, &e) || e.code != code)
			continue;
		first_s = n++ ? fmin(first_s, e.time_s) : e.time_s;
	}
	if (!n)
		return;
	if (kind)
		text_format(name, sizeof(name), "%s", kind->label);
	else
		text_format(name, sizeof(name), "entry %#04x", code);
	if (first_s >= b->v->load_start_s)
		text_format(when, sizeof(when), "%s at %.0f s of load", n > 1 ? ", first" : "",
			    first_s - b->v->load_start_s);
	else if (!isnan(first_s))
		text_format(when, sizeof(when), "%s before the load", n > 1 ? ", first" : "");
	if (n > 1)
		evidence_add(&b->v->evidence, "pel-log", 0, "persistent event log: %s, %zu times%s",
			     name, n, when);
	else
		evidence_add(&b->v->evidence, "pel-log", 0, "persistent event log: %s%s", name,
			     when);
}

static void about_pel(const struct build *b)
{
	const struct series *s = &b->run->series;
	bool any = false;

	for (size_t i = 0; i < s->n_events && !any; i++)
		any = s->events[i].kind == EVENT_PEL;
	for (unsigned code = 0; any && code <= 0xff; code++)
		about_entries(b, code);
}

/* The alarm that a threshold sets says that it is hot, not that it is slow. */
static void about_alarm(const struct build *b)
{
	const struct series *s = &b->run->series;
	double limit_c = b->run->drive.limits.wctemp_c, hottest_c = NAN;

	for (size_t i = 0; s->col[FIELD_CRITICAL_WARNING] && i < s->n; i++) {
		double bits = s->col[FIELD_CRITICAL_WARNING][i], c = b->temps.temp_c[i];

		if (!isnan(bits) && ((unsigned)bits & 2) && c >= limit_c)
			hottest_c = fmax(hottest_c, c);
	}
	if (!isnan(hottest_c))
		evidence_add(
		    &b->v->evidence, "alarm", 0,
		    "temperature alarm, up to %.0f °C with WCTEMP at %.0f °C: an alarm and "
		    "no throttling",
		    hottest_c, limit_c);
}

/* By its code: type in bits 2:0, 1 for health; what in 15:8, 1 for a temperature threshold. */
static bool is_temperature_event(const struct event *e)
{
	unsigned long code;

	if (e->kind != EVENT_AEN || !e->text)
		return false;
	code = strtoul(e->text, NULL, 16);
	return (code & 0x7) == 1 && (code >> 8 & 0xff) == 1;
}

static void about_events(const struct build *b)
{
	const struct series *s = &b->run->series;
	size_t n = 0, first = 0;
	double since_s;

	for (size_t i = 0; i < s->n_events; i++)
		if (is_temperature_event(&s->events[i]) && n++ == 0)
			first = s->events[i].row;
	if (!n || isnan(b->v->load_start_s))
		return;
	since_s = series_time(s, first) - b->v->load_start_s;
	if (n == 1)
		evidence_add(&b->v->evidence, "event", 0,
			     "the drive sent a temperature event %.0f s after the load began",
			     since_s);
	else
		evidence_add(
		    &b->v->evidence, "event", 0,
		    "the drive sent %zu temperature events, the first %.0f s after the load began",
		    n, since_s);
}

void build_counters(const struct build *b)
{
	const struct thermal_limits *limits = &b->run->drive.limits;
	double warning = growth(&b->run->series, FIELD_WARNING_MIN);
	double critical = growth(&b->run->series, FIELD_CRITICAL_MIN);

	about_tmt(b, "TMT1", FIELD_TMT1_COUNT, FIELD_TMT1_S, limits->tmt1_c);
	about_tmt(b, "TMT2", FIELD_TMT2_COUNT, FIELD_TMT2_S, limits->tmt2_c);
	about_pel(b);
	about_ocp(b);
	about_alarm(b);
	about_events(b);
	if (warning > 0)
		evidence_add(
		    &b->v->evidence, "warning-time", 0,
		    "%.0f min more at or above WCTEMP, which is an alarm and no throttling",
		    warning);
	if (critical > 0)
		evidence_add(&b->v->evidence, "critical-time", 0,
			     "%.0f min more at or above CCTEMP", critical);
}
