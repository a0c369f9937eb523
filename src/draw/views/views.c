/* The panels and the layout: which parts a screen of a given size has, and where. */
#include <string.h>

#include "draw/views/views.h"

#define COLUMN_W      30  /* numbers beside the plots ... */
#define COLUMN_FROM   100 /* ... on screens at least so wide ... */
#define COLUMN_FROM_H 28  /* ... and high */
#define SIDE_FROM     150 /* a third part with the curve and all values */
#define EVENTS_FROM   18  /* rows */

static size_t focused(const struct frame *f)
{
	return f->v->focus > 0 && (size_t)f->v->focus < f->s->n ? (size_t)f->v->focus : 0;
}

/* Screens of a few rows: the numbers alone. */
static void draw_tiny(const struct frame *f, size_t i, struct rect r)
{
	draw_lines(f, i, r);
}

/* Events get what they need, up to a share of the height. */
static int events_height(const struct frame *f, int w, int h)
{
	int want = events_rows(f, w), most = h / 4;

	if (h < EVENTS_FROM)
		return 0;
	if (most < 3)
		most = 3;
	return want > most ? most : want < 3 ? 3 : want;
}

/* One drive, small and middle screens: lines of numbers, plots, events. */
static void draw_stacked(const struct frame *f, size_t i, struct rect r)
{
	int lines = draw_lines(f, i, r), events = events_height(f, r.w, r.h);
	struct rect plots = {r.x, r.y + lines, r.w, r.h - lines - events};
	struct rect list = {r.x, r.y + r.h - events, r.w, events};

	draw_plots(f, i, plots, false);
	if (events)
		draw_events(f, list);
}

/* The curve above the table of values; the table gets what it needs. */
static void draw_side(const struct frame *f, size_t i, struct rect r)
{
	struct canvas nowhere = {.charset = f->c->charset};
	struct frame measure = {&nowhere, f->s, f->v};
	int columns = fields_columns(r.w), need = draw_fields(&measure, i, r);
	int table = (need - 1 + columns - 1) / columns + 1;

	if (table > r.h / 2)
		table = r.h / 2;
	draw_curve(f, i, (struct rect){r.x, r.y, r.w, r.h - table});
	draw_fields(f, i, (struct rect){r.x, r.y + r.h - table, r.w, table});
}

static void draw_one(const struct frame *f, size_t i, struct rect r)
{
	struct rect column, left = r;
	int events;

	if (r.w < COLUMN_FROM || r.h < COLUMN_FROM_H) {
		draw_stacked(f, i, r);
		return;
	}
	if (r.w >= SIDE_FROM) {
		left.w = (r.w + COLUMN_W) * 11 / 20;
		draw_side(f, i, (struct rect){left.x + left.w + 2, r.y, r.w - left.w - 2, r.h});
	}
	column = (struct rect){left.x + left.w - COLUMN_W, r.y, COLUMN_W, r.h};
	left.w -= COLUMN_W + 2;
	draw_column(f, i, column);
	events = events_height(f, left.w, r.h);
	draw_plots(f, i, (struct rect){left.x, left.y, left.w, left.h - events}, false);
	draw_events(f, (struct rect){left.x, left.y + left.h - events, left.w, events});
}

/* A row for one of several drives: title, numbers, two plots, and the curve where there is room. */
static void draw_row(const struct frame *f, size_t i, struct rect r)
{
	struct rect part = {r.x, r.y + 1, r.w, r.h - 1};
	bool curve = r.w >= SIDE_FROM && r.h >= 12;
	int lines;

	draw_title(f, i, r);
	if (curve) {
		part.w = r.w * 7 / 10;
		draw_curve(f, i, (struct rect){r.x + part.w + 2, part.y, r.w - part.w - 2, part.h});
	}
	/* Plots need two lines at least; else the numbers get all. */
	part.h = r.h > 10 ? 3 : r.h > 4 ? 2 : r.h - 1;
	lines = draw_lines(f, i, part);
	part.y += lines;
	part.h = r.h - 1 - lines;
	draw_plots(f, i, part, part.w >= 60 || part.h < 6);
}

static void draw_all(const struct frame *f, struct rect r)
{
	int n = (int)f->s->n, events = r.h >= n * 8 + 6 ? events_height(f, r.w, r.h) : 0;
	int fit = (r.h - events) / 2 < n ? (r.h - events) / 2 : n;

	for (int i = 0; i < fit; i++) {
		int from = (r.h - events) * i / fit, to = (r.h - events) * (i + 1) / fit;

		draw_row(f, (size_t)i, (struct rect){r.x, r.y + from, r.w, to - from});
	}
	if (events)
		draw_events(f, (struct rect){r.x, r.y + r.h - events, r.w, events});
}

static void draw_panel_curve(const struct frame *f, size_t i, struct rect r)
{
	int lines = 0;

	if (r.h > 10) {
		struct rect top = {r.x, r.y, r.w, 2};

		lines = draw_lines(f, i, top);
	}
	draw_curve(f, i, (struct rect){r.x, r.y + lines, r.w, r.h - lines});
}

static void draw_panel_fields(const struct frame *f, size_t i, struct rect r)
{
	draw_fields(f, i, r);
}

static void (*const panels[PANEL_COUNT])(const struct frame *, size_t, struct rect) = {
    [PANEL_MAIN] = draw_one,
    [PANEL_CURVE] = draw_panel_curve,
    [PANEL_FIELDS] = draw_panel_fields,
};

/* A list is never scrolled past its end. */
static void clamp_scroll(const struct frame *f, size_t i, struct rect r, struct view_state *v)
{
	struct canvas nowhere = {.charset = f->c->charset};
	struct frame measure = {&nowhere, f->s, f->v};
	int most = 0;

	if (v->help)
		most = draw_help(&measure, r) - r.h;
	else if (v->panel == PANEL_FIELDS)
		most = draw_fields(&measure, i, r) - 1 - (r.h - 1) * fields_columns(r.w);
	if (v->scroll > most)
		v->scroll = most > 0 ? most : 0;
}

void view_draw(struct canvas *c, const struct session *s, struct view_state *v)
{
	struct frame f = {c, s, v};
	size_t i = focused(&f);
	struct rect body = {0, 1, c->w, c->h - 2}, bar = {0, c->h - 1, c->w, 1};
	bool all = s->n > 1 && v->focus < 0 && v->panel == PANEL_MAIN && !v->help;

	canvas_clear(c);
	if (!s->n)
		return;
	if (all)
		body = (struct rect){0, 0, c->w, c->h - 1};
	else
		draw_title(&f, i, (struct rect){0, 0, c->w, 1});
	if (c->h < 3) {
		if (c->h == 2)
			draw_tiny(&f, i, bar);
		return;
	}
	clamp_scroll(&f, i, body, v);
	if (v->help)
		draw_help(&f, body);
	else if (all)
		draw_all(&f, body);
	else if (c->h < 6)
		draw_tiny(&f, i, body);
	else
		panels[v->panel](&f, i, body);
	draw_bar(&f, bar);
}
