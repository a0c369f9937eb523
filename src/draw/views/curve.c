/* Throughput against temperature as it builds up: what the drive does at which heat. */
#include <math.h>

#include "draw/plot_cells.h"
#include "draw/views/views.h"
#include "throttlog/text.h"

#define GUTTER   6
#define RECENT_S 60 /* newer points stand out */

struct scale {
	double left, right, top;
};

static bool usable(const struct series *s, size_t i)
{
	return s->op[i] != OP_NONE || s->phase[i] == PHASE_LOAD;
}

static struct scale scale_of(const struct frame *f, const struct series *s, size_t i)
{
	struct scale k = {INFINITY, -INFINITY, 0};
	struct limit limits[LIMITS_MAX];
	double step = f->v->fahrenheit ? 10 : 5;

	for (size_t row = 0; row < s->n; row++) {
		double c = show_temp(f, series_get(s, FIELD_TEMP, row));

		if (!usable(s, row) || isnan(c))
			continue;
		k.left = fmin(k.left, c);
		k.right = fmax(k.right, c);
		k.top = fmax(k.top, show_speed(f, series_get(s, FIELD_MB_S, row)));
	}
	if (limits_of(f, i, limits) && isfinite(k.left))
		k.right = fmax(k.right, show_temp(f, limits[0].c));
	k.left = floor((k.left - 1) / step) * step;
	k.right = ceil((k.right + 1) / step) * step;
	k.top = k.top > 0 ? ceil(k.top * 1.1 / nice_step(k.top, 4)) * nice_step(k.top, 4) : 100;
	return k;
}

static void draw_axes(const struct frame *f, const struct scale *k, struct rect r)
{
	struct canvas *c = f->c;
	double step = nice_step(k->right - k->left, r.w / 8);
	struct ticks ticks = ticks_of(0, k->top, nice_step(k->top, r.h > 6 ? r.h / 3 : 2));

	for (int y = 0; y < r.h; y++)
		canvas_put(c, r.x - 1, r.y + y, pick(c, 0x2502, '|'), TINT_FAINT, 0);
	for (int n = 0; n < ticks.n; n++) {
		double v = tick_at(&ticks, n);
		int y = r.y + (int)lround((1 - v / k->top) * (r.h - 1));

		canvas_printf(c, r.x - GUTTER, y, GUTTER - 1, TINT_PLAIN, 0, "%5.0f", v);
		canvas_put(c, r.x - 1, y, pick(c, 0x2524, '+'), TINT_FAINT, 0);
	}
	ticks = ticks_of(k->left, k->right, step < 5 ? 5 : step);
	for (int n = 0; n < ticks.n; n++) {
		double v = tick_at(&ticks, n);
		int x = r.x + (int)lround((v - k->left) / (k->right - k->left) * (r.w - 1));
		char text[32];

		text_format(text, sizeof(text), n + 1 == ticks.n ? "%.0f %s" : "%.0f", v,
			    temp_unit(f));
		x -= n + 1 == ticks.n ? canvas_width(c, text) - 1 : 1;
		canvas_text(c, x, r.y + r.h, r.x + r.w - x, TINT_PLAIN, 0, text);
	}
	canvas_text(c, r.x + 1, r.y, r.w, TINT_FAINT, 0, speed_unit(f));
}

static void draw_limit_lines(const struct frame *f, size_t i, const struct scale *k, struct rect r)
{
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(f, i, limits);

	for (size_t l = 0; l < n; l++) {
		double v = show_temp(f, limits[l].c);
		int x = r.x + (int)lround((v - k->left) / (k->right - k->left) * (r.w - 1)), w;
		char text[32];

		if (v > k->right || v < k->left)
			continue;
		for (int y = 0; y < r.h; y++)
			canvas_put(f->c, x, r.y + y, pick(f->c, 0x250a, ':'), TINT_LIMIT, 0);
		text_format(text, sizeof(text), "%s %.0f", limits[l].name, v);
		w = canvas_width(f->c, text);
		/* A row each, from the bottom, so that near limits stay readable. */
		canvas_text(f->c, x - w > r.x ? x - w : x + 1, r.y + r.h - 2 - (int)l, w,
			    TINT_LIMIT, 0, text);
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
		dots_set(&d, (int)lround((c - k->left) / (k->right - k->left) * (d.w - 1)),
			 (int)lround((1 - v / k->top) * (d.h - 1)));
	}
	dots_paint(&d, f->c, recent ? TINT_SPEED : TINT_FAINT);
	dots_fini(&d);
}

static void mark_point(const struct frame *f, const struct scale *k, struct rect r, double c,
		       double mb_s, uint32_t glyph, enum tint tint, const char *name)
{
	int x = r.x + (int)lround((show_temp(f, c) - k->left) / (k->right - k->left) * (r.w - 1));
	int y = r.y + (int)lround((1 - show_speed(f, mb_s) / k->top) * (r.h - 1));
	int w = canvas_width(f->c, name);

	if (isnan(c) || isnan(mb_s))
		return;
	canvas_put(f->c, x, y, glyph, tint, ATTR_BOLD);
	canvas_text(f->c, x - w - 1 > r.x ? x - w - 1 : x + 2, y - 1 < r.y ? y : y - 1, w, tint,
		    ATTR_BOLD, name);
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
	draw_limit_lines(f, i, &k, r);
	draw_points(f, s, &k, r, false);
	draw_points(f, s, &k, r, true);
	if (!isnan(st->throttle_s) && (row = row_at(s, st->throttle_s)) < s->n)
		mark_point(f, &k, r, st->throttle_c, series_get(s, FIELD_MB_S, row ? row - 1 : 0),
			   pick(f->c, 0x25c6, 'X'), TINT_BAD, "throttles");
	if (s->n && usable(s, s->n - 1))
		mark_point(f, &k, r, st->latest[FIELD_TEMP], st->latest[FIELD_MB_S],
			   pick(f->c, 0x25cf, '@'), TINT_PLAIN, "now");
}
