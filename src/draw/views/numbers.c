/* The numbers: as a few lines that give way on small screens, and as a column on large ones. */
#include <math.h>
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

#define STALE_S 3.0 /* a temperature that is older is said to be */

/* Loss against the peak, in percent; NAN without a load. */
static double below_peak(const struct view_stats *st)
{
	double peak = st->peak[FIELD_MB_S], now = st->latest[FIELD_MB_S];

	return peak > 0 ? 100 * (1 - now / peak) : (double)NAN;
}

static double mean_mb_s(const struct view_stats *st)
{
	return st->n_mb_s ? st->sum_mb_s / (double)st->n_mb_s : (double)NAN;
}

/* Age of the temperature on the screen. */
static double temp_age(const struct frame *f, size_t i)
{
	const struct session_drive *d = &f->s->drive[i];
	const struct series *s = &d->run.series;
	double age = s->n ? series_time(s, s->n - 1) - f->v->stats[i].latest_s[FIELD_TEMP]
			  : (double)NAN;

	return fmax(age, d->answer_age_s);
}

/* An idle drive is asked each 30 s only: nothing to worry about. */
static enum tint old_tint(const struct frame *f, size_t i)
{
	return f->s->drive[i].phase == PHASE_BASELINE ? TINT_PLAIN : TINT_WARN;
}

/* The newest row's own value: an idle drive has no latency, whatever it had before. */
static double current(const struct frame *f, size_t i, enum field field)
{
	const struct series *s = &f->s->drive[i].run.series;

	return s->n ? series_get(s, field, s->n - 1) : (double)NAN;
}

static double change(const struct view_stats *st, enum field f)
{
	return st->latest[f] - st->first[f];
}

static bool idle(const struct session_drive *d)
{
	return d->paused || d->phase == PHASE_BASELINE || d->phase == PHASE_COOLDOWN ||
	       d->phase == PHASE_PAUSE;
}

/* No load of our own: how busy others keep the drive is a fact of its own. */
static bool watched(const struct session_drive *d)
{
	return d->run.load.op == OP_NONE;
}

static void speed_line(const struct frame *f, size_t i, struct pieces *p)
{
	const struct view_stats *st = &f->v->stats[i];
	char text[32];

	number_text(text, sizeof(text), show_speed(f, st->latest[FIELD_MB_S]), 0);
	piece_add(p, 9, TINT_SPEED, ATTR_BOLD, "%5s %s", text, speed_unit(f));
	if (!isnan(st->peak[FIELD_MB_S])) {
		double below = below_peak(st);

		piece_add(p, 8, TINT_PLAIN, 0, "peak %.0f", show_speed(f, st->peak[FIELD_MB_S]));
		if (below >= 0.5 && !idle(&f->s->drive[i]))
			piece_add(p, 7, TINT_PLAIN, 0, "now −%.0f %%", below);
		piece_add(p, 4, TINT_PLAIN, 0, "min %.0f", show_speed(f, st->least[FIELD_MB_S]));
		piece_add(p, 3, TINT_PLAIN, 0, "mean %.0f", show_speed(f, mean_mb_s(st)));
		amount_text(text, sizeof(text), st->moved_mb);
		piece_add(p, 1, TINT_PLAIN, 0, "%s", text);
	}
	if (!isnan(current(f, i, FIELD_LAT_AVG))) {
		latency_text(text, sizeof(text), current(f, i, FIELD_LAT_AVG));
		piece_add(p, 5, TINT_PLAIN, 0, "latency %s", text);
	}
	if (!isnan(current(f, i, FIELD_LAT_P99))) {
		latency_text(text, sizeof(text), current(f, i, FIELD_LAT_P99));
		piece_add(p, 2, TINT_PLAIN, 0, "p99 %s", text);
	}
	if (watched(&f->s->drive[i])) {
		if (!isnan(current(f, i, FIELD_IOPS)))
			piece_add(p, 5, TINT_PLAIN, 0, "%.0f IOPS", current(f, i, FIELD_IOPS));
		if (!isnan(current(f, i, FIELD_UTIL)))
			piece_add(p, 6, TINT_PLAIN, 0, "busy %.0f %%", current(f, i, FIELD_UTIL));
	}
}

static void temp_line(const struct frame *f, size_t i, struct pieces *p)
{
	const struct view_stats *st = &f->v->stats[i];
	const struct series *s = &f->s->drive[i].run.series;
	double age = temp_age(f, i);
	char text[64];
	int sensor = 0;
	bool over;

	number_text(text, sizeof(text), show_temp(f, st->latest[FIELD_TEMP]), 0);
	piece_add(p, 9, TINT_TEMP, ATTR_BOLD, "%5s %s", text, temp_unit(f));
	if (age > STALE_S)
		piece_add(p, 8, old_tint(f, i), 0, "(%.0f s old)", age);
	if (!isnan(st->peak[FIELD_TEMP]))
		piece_add(p, 6, TINT_PLAIN, 0, "max %.0f", show_temp(f, st->peak[FIELD_TEMP]));
	over = distance_text(f, i, text, sizeof(text));
	piece_add(p, 7, over ? TINT_BAD : TINT_PLAIN, over ? ATTR_BOLD : 0, "%s", text);
	if (s->n && !isnan(view_hottest(s, s->n - 1, &sensor)))
		piece_add(p, 4, TINT_SENSOR, 0, "sensor %d %.0f", sensor,
			  show_temp(f, view_hottest(s, s->n - 1, NULL)));
	if (!isnan(st->latest[FIELD_HOST_C]))
		piece_add(p, 2, TINT_PLAIN, 0, "host %.0f", show_temp(f, st->latest[FIELD_HOST_C]));
	if (!isnan(st->throttle_s)) {
		view_clock(st->throttle_s, text, sizeof(text));
		piece_add(p, 3, TINT_BAD, 0, "throttled first at %s, %.0f %s", text,
			  show_temp(f, st->throttle_c), temp_unit(f));
	}
}

/* "TMT1 +2, 55 s": how often and how long, as far as the drive counts them. */
static void counter_piece(const struct view_stats *st, enum field times, enum field spent,
			  const char *name, const char *unit, int priority, struct pieces *p)
{
	double n = times == FIELD_COUNT ? (double)NAN : change(st, times);
	double time = change(st, spent);
	bool moved = n > 0 || time > 0;
	char text[64] = "";

	if (!isnan(n) && time > 0)
		text_format(text, sizeof(text), "+%.0f, %.0f %s", n, time, unit);
	else if (!isnan(n))
		text_format(text, sizeof(text), "+%.0f", n);
	else if (!isnan(time))
		text_format(text, sizeof(text), "+%.0f %s", time, unit);
	else
		return;
	piece_add(p, moved ? priority + 4 : priority, moved ? TINT_BAD : TINT_PLAIN,
		  moved ? ATTR_BOLD : 0, "%s %s", name, text);
}

static void counter_line(const struct frame *f, size_t i, struct pieces *p)
{
	const struct view_stats *st = &f->v->stats[i];

	counter_piece(st, FIELD_TMT1_COUNT, FIELD_TMT1_S, "TMT1", "s", 6, p);
	counter_piece(st, FIELD_TMT2_COUNT, FIELD_TMT2_S, "TMT2", "s", 5, p);
	counter_piece(st, FIELD_COUNT, FIELD_WARNING_MIN, "warning", "min", 4, p);
	counter_piece(st, FIELD_COUNT, FIELD_CRITICAL_MIN, "critical", "min", 2, p);
	if (change(st, FIELD_CPU_THROTTLE) > 0)
		piece_add(p, 5, TINT_BAD, ATTR_BOLD, "CPU throttled +%.0f",
			  change(st, FIELD_CPU_THROTTLE));
	if (!isnan(st->latest[FIELD_POWER_STATE]))
		piece_add(p, 1, TINT_PLAIN, 0, "PS%.0f", st->latest[FIELD_POWER_STATE]);
	if (!isnan(st->latest[FIELD_POLL_MS]))
		piece_add(p, 0, TINT_PLAIN, 0, "poll %.1f ms", st->latest[FIELD_POLL_MS]);
	if (!p->n)
		piece_add(p, 1, TINT_FAINT, 0, "no thermal counters");
}

/* Where there is one line for all: both numbers come first. */
static void only_line(const struct frame *f, size_t i, struct pieces *p)
{
	struct pieces speed = {0};

	speed_line(f, i, &speed);
	p->item[p->n++] = speed.item[0];
	temp_line(f, i, p);
	for (size_t k = 1; k < speed.n && p->n < PIECES_MAX; k++)
		p->item[p->n++] = speed.item[k];
}

int draw_lines(const struct frame *f, size_t i, struct rect r)
{
	static void (*const lines[])(const struct frame *, size_t,
				     struct pieces *) = {speed_line, temp_line, counter_line};
	int n = r.h < 3 ? r.h : 3;

	for (int k = 0; k < n; k++) {
		struct pieces p = {0};

		if (n == 1)
			only_line(f, i, &p);
		else
			lines[k](f, i, &p);
		pieces_draw(f->c, r.x, r.y + k, r.w, &p, 2);
	}
	return n;
}

/* The column: one name and value a line. */
struct column {
	const struct frame *f;
	struct rect r;
	int line;
};

static void head(struct column *k, const char *title)
{
	if (k->line)
		k->line++;
	if (k->line < k->r.h)
		canvas_rule(k->f->c, k->r.x, k->r.y + k->line, k->r.w, title);
	k->line++;
}

static void value(struct column *k, const char *name, enum tint tint, const char *text)
{
	int attr = tint == TINT_PLAIN ? 0 : ATTR_BOLD;
	int w = canvas_width(k->f->c, text);

	if (w > k->r.w)
		w = k->r.w;
	if (k->line < k->r.h) {
		canvas_text(k->f->c, k->r.x, k->r.y + k->line, k->r.w - w - 1, TINT_PLAIN, 0, name);
		canvas_text(k->f->c, k->r.x + k->r.w - w, k->r.y + k->line, w, tint, attr, text);
	}
	k->line++;
}

/* Nothing where nothing is known: the column has no room for blanks. */
static void number(struct column *k, const char *name, enum tint tint, double v, const char *format)
{
	char text[64];

	if (isnan(v))
		return;
	text_format(text, sizeof(text), format[0] == '+' ? "%+.0f %s" : "%.0f %s", v,
		    format[0] == '+' ? format + 1 : format);
	value(k, name, tint, text);
}

static void latency(struct column *k, const char *name, double us)
{
	char text[32];

	latency_text(text, sizeof(text), us);
	if (!isnan(us))
		value(k, name, TINT_PLAIN, text);
}

static void speed_section(struct column *k, size_t i, const struct view_stats *st)
{
	const struct frame *f = k->f;
	const char *unit = speed_unit(f);
	double below = below_peak(st);
	char text[32];

	head(k, "Throughput");
	number(k, "now", TINT_SPEED, show_speed(f, st->latest[FIELD_MB_S]), unit);
	number(k, "peak", TINT_PLAIN, show_speed(f, st->peak[FIELD_MB_S]), unit);
	number(k, "minimum", TINT_PLAIN, show_speed(f, st->least[FIELD_MB_S]), unit);
	number(k, "mean", TINT_PLAIN, show_speed(f, mean_mb_s(st)), unit);
	if (!idle(&f->s->drive[i]))
		number(k, "below peak", below >= 10 ? TINT_BAD : TINT_PLAIN, below, "%");
	amount_text(text, sizeof(text), st->moved_mb);
	value(k, "moved", TINT_PLAIN, text);
	number(k, "requests", TINT_PLAIN, current(f, i, FIELD_IOPS), "/s");
	if (watched(&f->s->drive[i]))
		number(k, "busy", TINT_PLAIN, current(f, i, FIELD_UTIL), "%");
	latency(k, "latency", current(f, i, FIELD_LAT_AVG));
	latency(k, "99 % below", current(f, i, FIELD_LAT_P99));
	latency(k, "longest", current(f, i, FIELD_LAT_MAX));
}

static void temp_section(struct column *k, size_t i, const struct view_stats *st)
{
	const struct frame *f = k->f;
	const struct series *s = &f->s->drive[i].run.series;
	const char *unit = temp_unit(f);
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(f, i, limits);
	double age = temp_age(f, i);
	char text[64], name[32];
	int sensor = 0;
	bool over;

	head(k, "Temperature");
	if (!reports_heat(&f->s->drive[i]))
		value(k, "composite", TINT_PLAIN, "not reported");
	number(k, "composite", TINT_TEMP, show_temp(f, st->latest[FIELD_TEMP]), unit);
	if (age > STALE_S)
		number(k, "age of the reading", old_tint(f, i), age, "s");
	number(k, "highest", TINT_PLAIN, show_temp(f, st->peak[FIELD_TEMP]), unit);
	number(k, "lowest", TINT_PLAIN, show_temp(f, st->least[FIELD_TEMP]), unit);
	if (s->n && !isnan(view_hottest(s, s->n - 1, &sensor))) {
		text_format(name, sizeof(name), "sensor %d", sensor);
		number(k, name, TINT_SENSOR, show_temp(f, view_hottest(s, s->n - 1, NULL)), unit);
	}
	for (size_t l = n; l-- > 0;) {
		text_format(name, sizeof(name),
			    strcmp(limits[l].name, "limit") == 0 ? "%s seen" : "%s",
			    limits[l].name);
		number(k, name, TINT_LIMIT, show_temp(f, limits[l].c), unit);
	}
	over = distance_text(f, i, text, sizeof(text));
	if (*text)
		value(k, "", over ? TINT_BAD : TINT_PLAIN, text);
	number(k, "host CPU", TINT_PLAIN, show_temp(f, st->latest[FIELD_HOST_C]), unit);
}

static void counter_section(struct column *k, const struct view_stats *st)
{
	static const struct {
		enum field field;
		const char *name, *unit;
	} rows[] = {
	    {FIELD_TMT1_COUNT, "TMT1 entered", "+×"},
	    {FIELD_TMT1_S, "TMT1 time", "+s"},
	    {FIELD_TMT2_COUNT, "TMT2 entered", "+×"},
	    {FIELD_TMT2_S, "TMT2 time", "+s"},
	    {FIELD_WARNING_MIN, "above WCTEMP", "+min"},
	    {FIELD_CRITICAL_MIN, "above CCTEMP", "+min"},
	    {FIELD_CPU_THROTTLE, "CPU throttled", "+×"},
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double moved = change(st, rows[i].field);

		if (isnan(moved))
			continue;
		if (!any)
			head(k, "Since the start");
		any = true;
		number(k, rows[i].name, moved > 0 ? TINT_BAD : TINT_PLAIN, moved, rows[i].unit);
	}
}

static void throttle_section(struct column *k, const struct view_stats *st)
{
	const struct frame *f = k->f;
	char text[32];

	if (isnan(st->throttle_s))
		return;
	head(k, "Throttled first");
	view_clock(st->throttle_s, text, sizeof(text));
	value(k, "at", TINT_BAD, text);
	number(k, "temperature", TINT_BAD, show_temp(f, st->throttle_c), temp_unit(f));
	amount_text(text, sizeof(text), st->throttle_mb);
	value(k, "after", TINT_PLAIN, text);
}

/* What the letters of the plots mean, where there is room left. */
static void letter_section(struct column *k)
{
	if (k->r.h - k->line < 8)
		return;
	head(k, "Letters in the plots");
	for (enum event_kind kind = 0; kind < EVENT_KIND_COUNT && k->line < k->r.h; kind++) {
		if (!event_letter(kind) || !*event_kinds[kind].label)
			continue;
		canvas_printf(k->f->c, k->r.x, k->r.y + k->line, 1, event_tint(kind), ATTR_BOLD,
			      "%c", event_letter(kind));
		canvas_text(k->f->c, k->r.x + 2, k->r.y + k->line, k->r.w - 2, TINT_PLAIN, 0,
			    event_kinds[kind].label);
		k->line++;
	}
}

int draw_column(const struct frame *f, size_t i, struct rect r)
{
	struct column k = {f, r, 0};
	const struct view_stats *st = &f->v->stats[i];

	speed_section(&k, i, st);
	temp_section(&k, i, st);
	counter_section(&k, st);
	throttle_section(&k, st);
	letter_section(&k);
	return k.line;
}
