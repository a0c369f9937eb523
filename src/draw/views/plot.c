/* Parts of plots over time: scales, limits, moments, the strip of events and the time axis. */
#include "draw/views/plot.h"

#include <math.h>
#include <string.h>

#include "throttlog/text.h"

int plot_column(const struct plot *p, double t_s, int columns)
{
	double share = (t_s - p->t.from_s) / (p->t.to_s - p->t.from_s);

	return (int)lround(fmin(fmax(share * (columns - 1), -1), columns));
}

int plot_row(const struct plot *p, double v, int rows)
{
	double share = (p->high - v) / (p->high - p->low);

	return (int)lround(fmin(fmax(share * (rows - 1), -1), rows));
}

/* The cell that the curve has at this time, whatever its dots. */
static int cell_of(const struct plot *p, double t_s)
{
	return (plot_column(p, t_s, 2 * p->r.w) + 2) / 2 - 1;
}

void plot_scale(const struct plot *p, int decimals)
{
	struct canvas *c = p->f->c;
	double step = nice_step(p->high - p->low, p->r.h > 9 ? p->r.h / 3 : p->r.h > 3 ? 3 : 2);
	struct ticks ticks = ticks_of(p->low, p->high, step);

	for (int y = 0; y < p->r.h; y++)
		canvas_put(c, p->r.x - 1, p->r.y + y, pick(c, 0x2502, '|'), TINT_FAINT, 0);
	for (int k = 0; k < ticks.n; k++) {
		int y = p->r.y + plot_row(p, tick_at(&ticks, k), p->r.h), w;
		char text[32];

		number_text(text, sizeof(text), tick_at(&ticks, k), decimals);
		w = canvas_width(c, text);
		canvas_text(c, p->r.x - 1 - w, y, w, TINT_PLAIN, 0, text);
		canvas_put(c, p->r.x - 1, y, pick(c, 0x2524, '+'), TINT_FAINT, 0);
	}
}

static void draw_vertical(const struct plot *p, double t_s, enum tint tint)
{
	struct canvas *c = p->f->c;

	int x = cell_of(p, t_s);

	if (t_s < p->t.from_s || t_s > p->t.to_s)
		return;
	for (int y = 0; y < p->r.h; y++)
		canvas_put(c, p->r.x + x, p->r.y + y, pick(c, 0x250a, ':'), tint, 0);
}

/* Where phases change, and where throttling was first seen. */
void plot_moments(const struct plot *p, size_t i, bool label)
{
	const struct frame *f = p->f;
	const struct series *s = &f->s->drive[i].run.series;
	const struct view_stats *st = &f->v->stats[i];
	char text[64], clock[32];
	int x, w;

	for (size_t k = 1; k < s->n; k++)
		if (s->phase[k] != s->phase[k - 1])
			draw_vertical(p, series_time(s, k - 1), TINT_FAINT);
	if (isnan(st->throttle_s) || st->throttle_s < p->t.from_s || st->throttle_s > p->t.to_s)
		return;
	draw_vertical(p, st->throttle_s, TINT_BAD);
	x = p->r.x + cell_of(p, st->throttle_s);
	canvas_put(f->c, x, p->r.y, pick(f->c, 0x25bc, 'V'), TINT_BAD, ATTR_BOLD);
	if (!label)
		return;
	view_clock(st->throttle_s, clock, sizeof(clock));
	text_format(text, sizeof(text), "throttles: %.0f %s at %s", show_temp(f, st->throttle_c),
		    temp_unit(f), clock);
	w = canvas_width(f->c, text);
	if (x + 2 + w > p->r.x + p->r.w)
		x -= w + 3;
	if (x + 2 > p->r.x)
		canvas_text(f->c, x + 2, p->r.y, w, TINT_BAD, 0, text);
}

void plot_limit_lines(const struct plot *p, size_t i)
{
	struct canvas *c = p->f->c;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);

	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);

		for (int x = 0; x < p->r.w && v >= p->low && v <= p->high; x++)
			canvas_put(c, p->r.x + x, p->r.y + plot_row(p, v, p->r.h),
				   pick(c, 0x2504, x % 2 ? ' ' : '-'), TINT_LIMIT, 0);
	}
}

/*
 * Names of the limits: to the right of the plot, moved to the next free row, or at the start of the
 * line, where a drive is still cool, if there is no room beside.
 */
void plot_limit_names(const struct plot *p, size_t i, bool beside)
{
	struct canvas *c = p->f->c;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);
	int free_y = p->r.y + p->r.h;

	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);
		int y = p->r.y + plot_row(p, v, p->r.h), at = y < free_y ? y : free_y - 1, w;
		char text[32];

		if (v < p->low || v > p->high || at < p->r.y || (!beside && at != y))
			continue;
		text_format(text, sizeof(text), "%s %.0f", limits[k].name, v);
		w = canvas_width(c, text);
		if (beside)
			canvas_text(c, p->r.x + p->r.w + 1, at, LABELS - 1, TINT_LIMIT, 0, text);
		else if (w < p->r.w / 2)
			canvas_text(c, p->r.x + 4, y, w, TINT_LIMIT, 0, text);
		free_y = at;
	}
}

static bool is_throttled(const struct event *e)
{
	return e->kind == EVENT_STATE && e->text && view_state_tint(e->text) == TINT_BAD;
}

/* A heavy line while the drive was throttled. */
static void strip_throttled(const struct plot *p, const struct series *s)
{
	struct canvas *c = p->f->c;

	for (size_t k = 0; k < s->n_events; k++) {
		double from_s, to_s = series_time(s, s->n - 1);

		if (!is_throttled(&s->events[k]))
			continue;
		from_s = series_time(s, s->events[k].row);
		for (size_t next = k + 1; next < s->n_events; next++)
			if (s->events[next].kind == EVENT_STATE) {
				to_s = series_time(s, s->events[next].row);
				break;
			}
		if (to_s < p->t.from_s || from_s > p->t.to_s)
			continue;
		for (int x = cell_of(p, fmax(from_s, p->t.from_s));
		     x <= cell_of(p, fmin(to_s, p->t.to_s)) && x < p->r.w; x++)
			canvas_put(c, p->r.x + x, p->r.y, pick(c, 0x2501, '='), TINT_BAD, 0);
	}
}

/* Phases by name and events by letter, in the row between the plots. */
void plot_strip(const struct plot *p, size_t i)
{
	struct canvas *c = p->f->c;
	const struct run *run = &p->f->s->drive[i].run;
	const struct series *s = &run->series;
	int y = p->r.y;

	for (int x = -1; x < p->r.w; x++)
		canvas_put(c, p->r.x + x, y, pick(c, x < 0 ? 0x251c : 0x2500, x < 0 ? '+' : '-'),
			   TINT_FAINT, 0);
	strip_throttled(p, s);
	for (size_t k = 0; k < s->n; k++) {
		double t_s = k ? series_time(s, k - 1) : series_time(s, k);
		int x = cell_of(p, fmax(t_s, p->t.from_s)), w;
		const char *word = run_phase_word(run, k);
		size_t end = k;

		while (end < s->n && s->phase[end] == s->phase[k])
			end++;
		w = cell_of(p, series_time(s, end - 1)) - x - 1;
		if (series_time(s, end - 1) > p->t.from_s && t_s < p->t.to_s &&
		    w >= (int)strlen(word))
			canvas_text(c, p->r.x + x + 1, y, w, TINT_FAINT, 0, word);
		k = end - 1;
	}
	for (size_t k = 0; k < s->n_events; k++) {
		double t_s = series_time(s, s->events[k].row);
		char letter = event_letter(s->events[k].kind);

		if (letter && t_s >= p->t.from_s && t_s <= p->t.to_s)
			canvas_put(c, p->r.x + cell_of(p, t_s), y, (uint32_t)letter,
				   event_tint(s->events[k].kind), ATTR_BOLD);
	}
}

/* 60-second multiples where seconds would be odd. */
static double time_step(double range_s, int n)
{
	static const double steps[] = {5,   10,   15,   30,   60,    120,   300,   600,
				       900, 1800, 3600, 7200, 14400, 21600, 43200, 86400};

	for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++)
		if (steps[k] * n >= range_s)
			return steps[k];
	return nice_step(range_s, n);
}

void plot_time(const struct plot *p)
{
	struct canvas *c = p->f->c;
	double step = time_step(p->t.to_s - p->t.from_s, p->r.w / 11);
	struct ticks ticks = ticks_of(p->t.from_s, p->t.to_s, step);
	int free_x = p->r.x - GUTTER;

	for (int k = 0; k < ticks.n; k++) {
		double t = tick_at(&ticks, k);
		char text[32];
		int w, x;

		if (step < 60 || p->t.to_s < 3600)
			text_format(text, sizeof(text), "%.0f:%02.0f", floor(t / 60), fmod(t, 60));
		else
			text_format(text, sizeof(text), "%.0f:%02.0f h", floor(t / 3600),
				    floor(fmod(t, 3600) / 60));
		w = canvas_width(c, text);
		x = p->r.x + cell_of(p, t) - w / 2;
		if (x + w > p->r.x + p->r.w)
			x = p->r.x + p->r.w - w;
		if (x > free_x) {
			canvas_text(c, x, p->r.y, w, TINT_PLAIN, 0, text);
			free_x = x + w;
		}
	}
}
