/*
 * Throughput and temperature over one time axis: limit lines, the throttle point, phases and
 * events. A column of dots shows the least and the greatest value in its time, so no spike and no
 * dip is averaged away.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_cells.h"
#include "draw/views/views.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define GUTTER         6  /* columns left of a plot: labels and axis */
#define LABELS         11 /* columns right of the temperature plot: names of limits */
#define LABELS_FROM    60 /* ... if the plot is at least so wide */
#define HOLD_TEMP_S    65 /* idle drives are asked every 30 s: the line goes on between */
#define UNIT_FROM      5  /* rows of a plot that names its unit */
#define SOURCE_HOTTEST FIELD_COUNT

/* One plot: its cells, without gutter, and what they stand for. */
struct plot {
	const struct frame *f;
	struct rect r;
	struct time_axis t;
	double low, high;
};

static double source_value(const struct frame *f, const struct series *s, enum field source,
			   size_t i)
{
	if (source == SOURCE_HOTTEST)
		return show_temp(f, view_hottest(s, i, NULL));
	if (source == FIELD_TEMP)
		return show_temp(f, series_get(s, source, i));
	return show_speed(f, series_get(s, source, i));
}

static int column_of(const struct plot *p, double t_s, int columns)
{
	double share = (t_s - p->t.from_s) / (p->t.to_s - p->t.from_s);

	return (int)lround(fmin(fmax(share * (columns - 1), -1), columns));
}

static int row_of(const struct plot *p, double v, int rows)
{
	double share = (p->high - v) / (p->high - p->low);

	return (int)lround(fmin(fmax(share * (rows - 1), -1), rows));
}

/* First and last value of the source in the window, for the scale; false if there is none. */
static bool extent(const struct plot *p, const struct series *s, enum field source, double *low,
		   double *high)
{
	size_t first = row_at(s, p->t.from_s);
	bool any = false;

	for (size_t i = first == s->n ? 0 : first; i < s->n; i++) {
		double v = source_value(p->f, s, source, i);

		if (series_time(s, i) > p->t.to_s)
			break;
		if (isnan(v))
			continue;
		*low = any ? fmin(*low, v) : v;
		*high = any ? fmax(*high, v) : v;
		any = true;
	}
	return any;
}

/* Draws the source; `stride` 2 leaves out every other column, which tells two lines apart. */
static void draw_source(const struct plot *p, const struct series *s, enum field source,
			double hold_s, int stride, enum tint tint)
{
	struct dots d;
	size_t first = row_at(s, p->t.from_s);
	double last_s = NAN;
	int last_row = -1;

	dots_init(&d, p->f->c->charset, p->r);
	for (size_t i = first == s->n ? 0 : first; i < s->n && d.w > 0; i++) {
		double t_s = series_time(s, i), v = source_value(p->f, s, source, i);
		int from, to, row;

		if (isnan(v) || t_s < p->t.from_s || t_s > p->t.to_s)
			continue;
		row = row_of(p, v, d.h);
		to = column_of(p, t_s, d.w);
		from = t_s - last_s <= hold_s ? column_of(p, last_s, d.w) : to;
		for (int x = from; x <= to; x++)
			if (x % stride == 0)
				dots_set(&d, x, row);
		if (t_s - last_s <= hold_s && from % stride == 0)
			dots_column(&d, from, last_row, row);
		last_s = t_s;
		last_row = row;
	}
	dots_paint(&d, p->f->c, tint);
	dots_fini(&d);
}

static void draw_scale(const struct plot *p, int decimals)
{
	struct canvas *c = p->f->c;
	double step = nice_step(p->high - p->low, p->r.h > 6 ? p->r.h / 3 : 2);
	struct ticks ticks = ticks_of(p->low, p->high, step);

	for (int y = 0; y < p->r.h; y++)
		canvas_put(c, p->r.x - 1, p->r.y + y, pick(c, 0x2502, '|'), TINT_FAINT, 0);
	for (int k = 0; k < ticks.n; k++) {
		int y = p->r.y + row_of(p, tick_at(&ticks, k), p->r.h), w;
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

	if (t_s < p->t.from_s || t_s > p->t.to_s)
		return;
	for (int y = 0; y < p->r.h; y++)
		canvas_put(c, p->r.x + column_of(p, t_s, p->r.w), p->r.y + y, pick(c, 0x250a, ':'),
			   tint, 0);
}

/* Where phases change, and where throttling was first seen. */
static void draw_moments(const struct plot *p, size_t i, bool label)
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
	x = p->r.x + column_of(p, st->throttle_s, p->r.w);
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

static void draw_limit_lines(const struct plot *p, size_t i)
{
	struct canvas *c = p->f->c;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);

	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);

		for (int x = 0; x < p->r.w && v >= p->low && v <= p->high; x++)
			canvas_put(c, p->r.x + x, p->r.y + row_of(p, v, p->r.h),
				   pick(c, 0x2504, x % 2 ? ' ' : '-'), TINT_LIMIT, 0);
	}
}

/*
 * Names of the limits: to the right of the plot, moved to the next free row, or on the line where
 * there is no room beside. Drawn last, over the curve.
 */
static void draw_limit_names(const struct plot *p, size_t i, bool beside)
{
	struct canvas *c = p->f->c;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);
	int free_y = p->r.y + p->r.h;

	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);
		int y = p->r.y + row_of(p, v, p->r.h), at = y < free_y ? y : free_y - 1, w;
		char text[32];

		if (v < p->low || v > p->high || at < p->r.y || (!beside && at != y))
			continue;
		text_format(text, sizeof(text), "%s %.0f", limits[k].name, v);
		w = canvas_width(c, text);
		if (beside)
			canvas_text(c, p->r.x + p->r.w + 1, at, LABELS - 1, TINT_LIMIT, 0, text);
		else if (w < p->r.w / 2)
			canvas_text(c, p->r.x + p->r.w - w, y, w, TINT_LIMIT, 0, text);
		free_y = at;
	}
}

/* A top with a free row above the curve: there stands the label of the throttle point. */
static double speed_top(double peak, int rows)
{
	static const double tops[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double room = peak * (1 + fmin(1.2 / rows, 0.25)), power = pow(10, floor(log10(room)));

	for (size_t k = 0; k < sizeof(tops) / sizeof(*tops); k++)
		if (tops[k] * power >= room)
			return tops[k] * power;
	return 10 * power;
}

static void draw_speed(struct plot *p, size_t i, bool throttle_label)
{
	const struct series *s = &p->f->s->drive[i].run.series;
	double low = 0, high = 0;

	p->low = 0;
	p->high = 100;
	if (extent(p, s, FIELD_MB_S, &low, &high) && high > 0)
		p->high = speed_top(high, p->r.h);
	draw_scale(p, p->high < 2 ? 1 : 0);
	draw_moments(p, i, throttle_label);
	if (p->r.h >= UNIT_FROM)
		canvas_text(p->f->c, p->r.x + 1, p->r.y, p->r.w - 1, TINT_FAINT, 0,
			    speed_unit(p->f));
	draw_source(p, s, FIELD_MB_S, 2.5 * fmax(p->f->s->drive[i].run.interval_s, 1), 1,
		    TINT_SPEED);
}

/* The scale holds what was measured and the limits that are near. */
static void temp_scale(struct plot *p, size_t i)
{
	const struct series *s = &p->f->s->drive[i].run.series;
	double low = 20, high = 40, low2, high2, step = p->f->v->fahrenheit ? 10 : 5;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);
	bool any = extent(p, s, FIELD_TEMP, &low, &high);

	if (extent(p, s, SOURCE_HOTTEST, &low2, &high2)) {
		low = any ? fmin(low, low2) : low2;
		high = any ? fmax(high, high2) : high2;
	}
	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);

		/* Always the nearest limit: how far it is away is what people look for. */
		if (k == 0 || v < high + 3 * step)
			high = fmax(high, v);
	}
	p->low = floor((low - step / 5) / step) * step;
	p->high = ceil((high + step / 5) / step) * step;
}

static void draw_temp(struct plot *p, size_t i, bool labels)
{
	const struct series *s = &p->f->s->drive[i].run.series;

	temp_scale(p, i);
	draw_scale(p, 0);
	draw_moments(p, i, false);
	draw_limit_lines(p, i);
	if (p->r.h >= UNIT_FROM)
		canvas_text(p->f->c, p->r.x + 1, p->r.y, p->r.w - 1, TINT_FAINT, 0,
			    temp_unit(p->f));
	draw_source(p, s, SOURCE_HOTTEST, HOLD_TEMP_S, 2, TINT_SENSOR);
	draw_source(p, s, FIELD_TEMP, HOLD_TEMP_S, 1, TINT_TEMP);
	draw_limit_names(p, i, labels);
}

/* Phases by name and events by letter, in the row between the plots. */
static void draw_strip(const struct plot *p, size_t i)
{
	struct canvas *c = p->f->c;
	const struct series *s = &p->f->s->drive[i].run.series;
	int y = p->r.y;

	for (int x = -1; x < p->r.w; x++)
		canvas_put(c, p->r.x + x, y, pick(c, x < 0 ? 0x251c : 0x2500, x < 0 ? '+' : '-'),
			   TINT_FAINT, 0);
	for (size_t k = 0; k < s->n; k++) {
		double t_s = k ? series_time(s, k - 1) : series_time(s, k);
		int x = column_of(p, fmax(t_s, p->t.from_s), p->r.w), w;
		size_t end = k;

		while (end < s->n && s->phase[end] == s->phase[k])
			end++;
		w = column_of(p, series_time(s, end - 1), p->r.w) - x - 1;
		if (series_time(s, end - 1) > p->t.from_s && t_s < p->t.to_s &&
		    w >= (int)strlen(phase_names[s->phase[k]]))
			canvas_text(c, p->r.x + x + 1, y, w, TINT_FAINT, 0,
				    phase_names[s->phase[k]]);
		k = end - 1;
	}
	for (size_t k = 0; k < s->n_events; k++) {
		double t_s = series_time(s, s->events[k].row);
		char letter = event_letter(s->events[k].kind);

		if (letter && t_s >= p->t.from_s && t_s <= p->t.to_s)
			canvas_put(c, p->r.x + column_of(p, t_s, p->r.w), y, (uint32_t)letter,
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

static void draw_time(const struct plot *p)
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
		x = p->r.x + column_of(p, t, p->r.w) - w / 2;
		if (x + w > p->r.x + p->r.w)
			x = p->r.x + p->r.w - w;
		if (x > free_x) {
			canvas_text(c, x, p->r.y, w, TINT_PLAIN, 0, text);
			free_x = x + w;
		}
	}
}

static void draw_beside(const struct frame *f, size_t i, struct rect r, struct time_axis t)
{
	int w = (r.w - 1) / 2, axis = r.h >= 4 ? 1 : 0;
	struct plot speed = {f, {r.x + GUTTER, r.y, w - GUTTER, r.h - axis}, t, 0, 1};
	struct plot temp = speed;

	temp.r.x = r.x + w + 1 + GUTTER;
	temp.r.w = r.w - w - 1 - GUTTER;
	draw_speed(&speed, i, false);
	draw_temp(&temp, i, false);
	speed.r.y = temp.r.y = r.y + r.h - 1;
	if (axis) {
		draw_time(&speed);
		draw_time(&temp);
	}
}

void draw_plots(const struct frame *f, size_t i, struct rect r, bool beside)
{
	struct time_axis t = time_axis_of(f);
	bool labels = r.w >= LABELS_FROM;
	int strip = r.h >= 8 ? 1 : 0, axis = r.h >= 5 ? 1 : 0, rows = r.h - strip - axis;
	struct plot p = {f, {r.x + GUTTER, r.y, r.w - GUTTER, 0}, t, 0, 1};

	if (r.w < GUTTER + 4 || r.h < 2)
		return;
	if (beside) {
		draw_beside(f, i, r, t);
		return;
	}
	p.r.w -= labels ? LABELS : 0;
	p.r.h = rows / 2;
	draw_speed(&p, i, labels);
	p.r.y += p.r.h;
	if (strip) {
		draw_strip(&p, i);
		p.r.y++;
	}
	p.r.h = rows - rows / 2;
	draw_temp(&p, i, labels);
	p.r.y += p.r.h;
	if (axis)
		draw_time(&p);
}
