/* Throughput against temperature as it builds up: what the drive does at which heat. */
#include <math.h>

#include "draw/plot_cells.h"
#include "draw/views/views.h"
#include "throttlog/text.h"

#define GUTTER   6
#define RECENT_S 60 /* newer points stand out */

struct scale {
	double left, right, bottom, top;
};

static int across(const struct scale *k, double temp, int columns)
{
	return (int)lround((temp - k->left) / (k->right - k->left) * (columns - 1));
}

static int down(const struct scale *k, double speed, int rows)
{
	return (int)lround((k->top - speed) / (k->top - k->bottom) * (rows - 1));
}

static bool usable(const struct series *s, size_t i)
{
	return s->op[i] != OP_NONE || s->phase[i] == PHASE_LOAD;
}

static struct scale scale_of(const struct frame *f, const struct series *s, size_t i)
{
	struct scale k = {INFINITY, -INFINITY, INFINITY, 0};
	struct limit limits[LIMITS_MAX];
	double step = f->v->fahrenheit ? 10 : 5;

	for (size_t row = 0; row < s->n; row++) {
		double c = show_temp(f, series_get(s, FIELD_TEMP, row));
		double v = show_speed(f, series_get(s, FIELD_MB_S, row));

		if (!usable(s, row) || isnan(c) || isnan(v))
			continue;
		k.left = fmin(k.left, c);
		k.right = fmax(k.right, c);
		k.bottom = fmin(k.bottom, v);
		k.top = fmax(k.top, v);
	}
	if (limits_of(f, i, limits) && isfinite(k.left))
		k.right = fmax(k.right, show_temp(f, limits[0].c));
	k.left = floor((k.left - 1) / step) * step;
	k.right = ceil((k.right + 1) / step) * step;
	if (!(k.top > 0))
		k.top = 100;
	/* From zero, unless that would press all that happens into the upper half. */
	step = nice_step(k.top, 4);
	k.bottom = k.bottom > k.top / 2 ? floor(k.bottom * 0.9 / step) * step : 0;
	step = nice_step(k.top - k.bottom, 4);
	k.top = ceil((k.top + step / 5) / step) * step;
	return k;
}

static void draw_axes(const struct frame *f, const struct scale *k, struct rect r)
{
	struct canvas *c = f->c;
	double step = nice_step(k->right - k->left, r.w / 8);
	struct ticks ticks = ticks_of(k->bottom, k->top,
				      nice_step(k->top - k->bottom, r.h > 6 ? r.h / 3 : 2));

	for (int y = 0; y < r.h; y++)
		canvas_put(c, r.x - 1, r.y + y, pick(c, 0x2502, '|'), TINT_FAINT, 0);
	for (int n = 0; n < ticks.n; n++) {
		double v = tick_at(&ticks, n);
		int y = r.y + down(k, v, r.h);

		for (int x = 2; x < r.w; x += 4)
			canvas_put(c, r.x + x, y, pick(c, 0xb7, '.'), TINT_FAINT, 0);
		canvas_printf(c, r.x - GUTTER, y, GUTTER - 1, TINT_PLAIN, 0, "%5.0f", v);
		canvas_put(c, r.x - 1, y, pick(c, 0x2524, '+'), TINT_FAINT, 0);
	}
	ticks = ticks_of(k->left, k->right, step < 5 ? 5 : step);
	for (int n = 0; n < ticks.n; n++) {
		double v = tick_at(&ticks, n);
		int x = r.x + across(k, v, r.w);
		char text[32];

		text_format(text, sizeof(text), n + 1 == ticks.n ? "%.0f %s" : "%.0f", v,
			    temp_unit(f));
		x -= n + 1 == ticks.n ? canvas_width(c, text) - 1 : 1;
		canvas_text(c, x, r.y + r.h, r.x + r.w - x, TINT_PLAIN, 0, text);
	}
	canvas_text(c, r.x + 1, r.y, r.w, TINT_FAINT, 0, speed_unit(f));
}

/* Is there nothing but the grid and limit lines from `x` to the end of the text? */
static bool is_free(const struct canvas *c, struct rect r, int x, int y, int w)
{
	if (x < r.x || x + w > r.x + r.w || y < r.y || y >= r.y + r.h)
		return false;
	for (int k = 0; k < w; k++) {
		uint32_t ch = canvas_at(c, x + k, y)->ch;

		if (ch != ' ' && ch != pick(c, 0xb7, '.') && ch != pick(c, 0x250a, ':'))
			return false;
	}
	return true;
}

/* Writes a name where it covers no point and no other name. */
static bool write_free(struct canvas *c, struct rect r, int x, int y, enum tint tint, int attr,
		       const char *text)
{
	int w = canvas_width(c, text);

	if (!is_free(c, r, x, y, w))
		return false;
	canvas_text(c, x, y, w, tint, attr, text);
	return true;
}

/* The lines, to be drawn below the points, or their names, above them. */
static void draw_limits(const struct frame *f, size_t i, const struct scale *k, struct rect r,
			bool lines)
{
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(f, i, limits);

	for (size_t l = 0; l < n; l++) {
		double v = show_temp(f, limits[l].c);
		int x = r.x + across(k, v, r.w), w;
		char text[32];

		if (v > k->right || v < k->left)
			continue;
		for (int y = 0; y < r.h && lines; y++)
			canvas_put(f->c, x, r.y + y, pick(f->c, 0x250a, ':'), TINT_LIMIT, 0);
		text_format(text, sizeof(text), "%s %.0f", limits[l].name, v);
		w = canvas_width(f->c, text);
		/* From the bottom, so that near limits stay readable. */
		for (int y = r.y + r.h - 2; y > r.y && !lines; y--)
			if (write_free(f->c, r, x - w, y, TINT_LIMIT, 0, text) ||
			    write_free(f->c, r, x + 1, y, TINT_LIMIT, 0, text))
				break;
	}
}

static void draw_points(const struct frame *f, const struct series *s, const struct scale *k,
			struct rect r, bool recent)
{
	double newest = series_time(s, s->n - 1);
	struct dots d;

	dots_init(&d, f->c->charset, r);
	for (size_t row = 0; row < s->n; row++) {
		double c = show_temp(f, series_get(s, FIELD_TEMP, row));
		double v = show_speed(f, series_get(s, FIELD_MB_S, row));

		if (!usable(s, row) || isnan(c) || isnan(v) ||
		    recent != (newest - series_time(s, row) <= RECENT_S))
			continue;
		dots_set(&d, across(k, c, d.w), down(k, v, d.h));
	}
	dots_paint(&d, f->c, recent ? TINT_SPEED : TINT_FAINT);
	dots_fini(&d);
}

/* A point, and its name beside it where there is room. */
static void mark_point(const struct frame *f, const struct scale *k, struct rect r, double c,
		       double mb_s, uint32_t glyph, enum tint tint, const char *name)
{
	static const int rows[] = {0, -1, 1, -2, 2};
	int x, y, w = canvas_width(f->c, name);

	if (isnan(c) || isnan(mb_s))
		return;
	x = r.x + across(k, show_temp(f, c), r.w);
	y = r.y + down(k, show_speed(f, mb_s), r.h);
	canvas_put(f->c, x, y, glyph, tint, ATTR_BOLD);
	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++)
		if (write_free(f->c, r, x - w - 1, y + rows[n], tint, ATTR_BOLD, name) ||
		    write_free(f->c, r, x + 2, y + rows[n], tint, ATTR_BOLD, name))
			return;
}

void draw_curve(const struct frame *f, size_t i, struct rect r)
{
	const struct series *s = &f->s->drive[i].run.series;
	const struct view_stats *st = &f->v->stats[i];
	struct scale k = scale_of(f, s, i);
	size_t row;

	canvas_rule(f->c, r.x, r.y, r.w, "Throughput against temperature");
	if (!isfinite(k.left) || r.h < 5 || r.w < GUTTER + 10) {
		canvas_text(f->c, r.x + 1, r.y + 1, r.w - 1, TINT_FAINT, 0,
			    "no row with a load and a temperature yet");
		return;
	}
	r = (struct rect){r.x + GUTTER, r.y + 1, r.w - GUTTER, r.h - 2};
	draw_axes(f, &k, r);
	draw_limits(f, i, &k, r, true);
	draw_points(f, s, &k, r, false);
	draw_points(f, s, &k, r, true);
	if (!isnan(st->throttle_s) && (row = row_at(s, st->throttle_s)) < s->n)
		mark_point(f, &k, r, st->throttle_c, series_get(s, FIELD_MB_S, row ? row - 1 : 0),
			   pick(f->c, 0x25c6, 'X'), TINT_BAD, "throttles");
	if (s->n && usable(s, s->n - 1))
		mark_point(f, &k, r, st->latest[FIELD_TEMP], st->latest[FIELD_MB_S],
			   pick(f->c, 0x25cf, '@'), TINT_PLAIN, "now");
	draw_limits(f, i, &k, r, false);
}
