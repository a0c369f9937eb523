/* What is odd about a log, in words: each line tells what was seen and what it means. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/build.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

void build_warning(struct verdict *v, const char *format, ...)
{
	char text[240];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	v->warnings = xreallocarray(v->warnings, v->n_warnings + 1, sizeof(*v->warnings));
	v->warnings[v->n_warnings++] = xstrdup(text);
}

/* Why the composite temperature is not to be trusted. */
static void about_distrust(struct verdict *v, const struct temps *t)
{
	if (t->frozen)
		build_warning(v, "the temperature never moved from %.0f °C under load: not trusted",
			      t->max_c);
	else if (t->stuck)
		build_warning(v,
			      "the temperature never moved from %.0f °C while another sensor is "
			      "far cooler: not trusted",
			      t->max_c);
	if (t->contradicted)
		build_warning(v,
			      "the composite temperature lies far above every sensor of the drive: "
			      "not trusted");
	if (!isnan(t->belied_c))
		build_warning(v,
			      "the temperature reads %.0f °C at most, but the drive counted a "
			      "limit of %.0f °C as reached: not trusted",
			      t->max_c, t->belied_c);
}

static void about_temperature(const struct build *b)
{
	const struct temps *t = &b->temps, *composite = &b->composite;
	struct verdict *v = b->v;
	int sensor = (int)t->source - FIELD_SENSOR1 + 1;

	if (!t->known)
		build_warning(
		    v, "no temperature in this log: only the drive's counters could show heat");
	about_distrust(v, composite);
	if (t->source != FIELD_TEMP && !composite->known)
		build_warning(v, "the drive reports no composite temperature: judged by sensor %d",
			      sensor);
	else if (t->source != FIELD_TEMP && b->composite_bad)
		build_warning(v, "the composite temperature is not usable: judged by sensor %d",
			      sensor);
	else if (t->source != FIELD_TEMP)
		build_warning(
		    v,
		    "judged by sensor %d, which is hotter and fits the cut; the composite does not",
		    sensor);
	if (composite->glitches)
		build_warning(v, "%zu readings jumped by more than %.0f °C and came back: left out",
			      composite->glitches, tuning.glitch_k);
	if (composite->out_of_range)
		build_warning(v, "%zu readings are no temperature (0 K and the like): left out",
			      composite->out_of_range);
	if (t->known >= 2 && t->spacing_s >= 2.5)
		build_warning(v, "the temperature is known only every %.0f s", t->spacing_s);
	else if (t->refresh_s >= 3)
		build_warning(v, "the drive renews its temperature only every %.0f s",
			      t->refresh_s);
}

/* Warmer without our doing: from outside, or from the polling itself. */
static void about_idle_heat(const struct build *b)
{
	const struct series *s = &b->run->series;
	double first = NAN, last = NAN, first_s = 0, last_s = 0;
	bool baseline = false;
	int polls = 0;

	for (size_t i = 0; i < s->n; i++) {
		bool idle = s->phase[i] == PHASE_BASELINE ||
			    !(row_mb_s(b->run, i) >= tuning.load_min_mb_s);

		if (!idle)
			break;
		baseline = baseline || s->phase[i] == PHASE_BASELINE;
		if (isnan(series_get(s, b->temps.source, i)) || isnan(b->temps.temp_c[i]))
			continue;
		if (polls++ == 0) {
			first = b->temps.temp_c[i];
			first_s = series_time(s, i);
		}
		last = b->temps.temp_c[i];
		last_s = series_time(s, i);
	}
	if (!(last - first >= tuning.idle_rise_k) || polls < 2)
		return;
	if ((last_s - first_s) / (polls - 1) < 5)
		build_warning(
		    b->v,
		    "it got %.0f K hotter while idle, polled every %.0f s: polling itself can "
		    "heat a drive, or heat comes from outside",
		    last - first, fmax(1, (last_s - first_s) / (polls - 1)));
	else
		build_warning(b->v, "it got %.0f K hotter while idle: heat from outside%s",
			      last - first, baseline ? ", or not yet at rest" : "");
}

/* Bit 1 is also set below an under-temperature threshold, and by some drives for no reason. */
static void about_alarm(const struct build *b)
{
	const struct series *s = &b->run->series;
	double limit_c = b->run->drive.limits.wctemp_c, at_c = NAN;

	for (size_t i = 0; i < s->n; i++) {
		double bits = series_get(s, FIELD_CRITICAL_WARNING, i);

		if (!isnan(bits) && ((unsigned)bits & 2) && b->temps.temp_c[i] < limit_c - 3)
			at_c = b->temps.temp_c[i];
	}
	if (!isnan(at_c))
		build_warning(
		    b->v,
		    "the drive reports a temperature alarm at %.0f °C, below its WCTEMP of "
		    "%.0f °C: no sign of overheating",
		    at_c, limit_c);
}

/* What a link carries after its coding, MB/s: 8b/10b up to 5 GT/s, 128b/130b above. */
static double link_mb_s(double gt_s, double lanes)
{
	return gt_s * lanes * (gt_s <= 5 ? 100 : 1000.0 * 128 / 130 / 8);
}

static double last_known(const struct series *s, enum field f)
{
	for (size_t i = s->n; s->col[f] && i-- > 0;)
		if (!isnan(s->col[f][i]))
			return s->col[f][i];
	return NAN;
}

/*
 * Hot and even from its first second: nothing fell, so no heat is claimed. What may be the limit
 * is named, as people take such a run for a throttled one. Packets cost a link 10 to 20 %.
 */
static void about_bottleneck(const struct build *b)
{
	const struct series *s = &b->run->series;
	double gt_s = last_known(s, FIELD_LINK_GT_S), lanes = last_known(s, FIELD_LINK_WIDTH);
	double carries = link_mb_s(gt_s, lanes), mb_s = b->v->sustained_mb_s;

	if (b->main >= b->n_legs || b->v->throttled != TRI_FALSE || b->v->n_drops ||
	    b->run->load.op == OP_NONE || !b->legs[b->main].has_temp ||
	    b->legs[b->main].temp_c[0] < tuning.hot_start_c)
		return;
	if (mb_s >= 0.75 * carries)
		build_warning(b->v,
			      "%.0f MB/s is about what the PCIe link (%g GT/s x %.0f) carries: "
			      "the link is the limit",
			      mb_s, gt_s, lanes);
	else if (mb_s < 0.5 * carries)
		build_warning(b->v,
			      "hot but even from the start, at %.0f of the %.0f MB/s that the PCIe "
			      "link (%g GT/s x %.0f) could carry: a limit outside the drive, such "
			      "as a shared bus, or throttled before the log began",
			      mb_s, carries, gt_s, lanes);
}

static void about_failures(const struct build *b)
{
	const struct series *s = &b->run->series;
	double failed = 0;

	for (size_t e = 0; e < s->n_events; e++)
		if (s->events[e].kind == EVENT_IO_ERROR)
			failed += s->events[e].value;
	if (failed > 0)
		build_warning(b->v,
			      "%.0f requests failed: the drive has blocks that cannot be read or "
			      "written, or it was going away",
			      failed);
}

/* A drive with little to do shows nothing of what it does under load. */
static void about_ease(const struct build *b)
{
	double busy_s = 0, s = 0;

	if (b->run->load.op != OP_NONE)
		return;
	for (size_t i = 0; i < b->n_legs; i++)
		for (long k = 0; k < b->legs[i].n; k++)
			if (!isnan(leg_value(b->legs[i].util, k))) {
				busy_s += b->legs[i].util[k] / 100 * b->legs[i].dt_s;
				s += b->legs[i].dt_s;
			}
	if (s > 0 && busy_s < tuning.easy_share * s)
		build_warning(b->v,
			      "the drive was busy only %.0f %% of the time: a heavier load may "
			      "still make it throttle",
			      100 * busy_s / s);
}

static void about_short_loads(struct verdict *v)
{
	const struct leg_verdict *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < v->n_legs && v->legs[v->main_leg].judged; i++) {
		if (v->legs[i].judged)
			continue;
		last = &v->legs[i];
		n++;
	}
	if (n == 1 && last)
		build_warning(v, "the %s load of %.0f s is too short to judge", op_names[last->op],
			      last->end_s - last->start_s);
	else if (n > 1)
		build_warning(v, "%zu of %zu loads are too short to judge", n, v->n_legs);
}

void build_warnings(const struct build *b)
{
	struct verdict *v = b->v;

	about_temperature(b);
	about_idle_heat(b);
	about_alarm(b);
	about_bottleneck(b);
	about_failures(b);
	about_ease(b);
	about_short_loads(v);
	if (v->missed_samples)
		build_warning(v, "%zu rows are missing", v->missed_samples);
	for (size_t i = 0; i < b->n_legs; i++)
		if (b->judged[i].more) {
			build_warning(v, "only the first %.0f drops were examined",
				      tuning.events_max);
			break;
		}
}
