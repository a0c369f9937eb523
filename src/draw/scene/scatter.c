/*
 * Throughput against temperature, coloured by time. Points that share a cell are one dot, larger
 * where many lie, so that a day of rows costs no more than the cells it touches.
 */
#include <stdlib.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"

#define CELL   3.0
#define SHADES 24
#define RAMP   12.0 /* px of height of the strip that explains the colours */
#define OLD_S  3.0  /* an older reading says nothing about this second */

static const struct type tick_type = {TYPE_TICK, false, INK_MUTED};

struct grid {
	double *sum; /* of the rows' times */
	uint32_t *n;
	size_t w, h;
};

static void collect(struct plot *p, struct scene_box b, const struct axis *ax, struct grid *g)
{
	const struct series *s = &p->run->series;
	double from = p->v->load_start_s, to = p->v->load_end_s, temp = (double)NAN, temp_s = 0;
	double old_s = fmax(OLD_S, p->temp_gap_s / 2);

	for (size_t i = 0; i < s->n; i++) {
		double t = series_time(s, i), mb_s = plot_row_speed(p, i);
		double c = series_get(s, FIELD_TEMP, i);
		size_t x, y;

		if (!isnan(c)) {
			temp = c;
			temp_s = t;
		}
		if (isnan(mb_s) || isnan(temp) || t - temp_s > old_s)
			continue;
		if (!isnan(from) && !(t > from && t <= to + 1e-6))
			continue;
		x = (size_t)((axis_px(ax, temp) - b.x) / CELL);
		y = (size_t)((axis_px(&p->speed, plot_speed(p, mb_s)) - b.y) / CELL);
		g->sum[y * g->w + x] += t;
		g->n[y * g->w + x]++;
	}
}

static void dots(struct plot *p, struct scene_box b, const struct grid *g, int shade, bool many)
{
	double from = isnan(p->v->load_start_s) ? p->begin_s : p->v->load_start_s;
	double to = isnan(p->v->load_end_s) ? p->end_s : p->v->load_end_s;
	bool begun = false;

	for (size_t i = 0; i < g->w * g->h; i++) {
		size_t row = i / g->w;
		double x = b.x + ((double)(i % g->w) + 0.5) * CELL, share;
		double y = b.y + ((double)row + 0.5) * CELL;

		if (!g->n[i] || (g->n[i] > 1) != many)
			continue;
		share = to > from ? (g->sum[i] / g->n[i] - from) / (to - from) : 0;
		if (shade >= 0 && (int)fmin(fmax(share, 0) * SHADES, SHADES - 1) != shade)
			continue;
		if (!begun) {
			struct scene_mark *m = mark_begin(p->s, SCENE_DOTS, p->speed_ink,
							  many ? 2.2 : 1.7);

			if (shade >= 0)
				m->ramp = (shade + 0.5) / SHADES;
			begun = true;
		}
		mark_point(p->s, fmin(x, b.x + b.w), fmin(y, b.y + b.h));
		busy_line(p->s, x, y, x, y);
	}
}

void scatter_dots(struct plot *p, struct scene_box b, const struct axis *ax, bool ramp)
{
	struct grid g = {.w = (size_t)(b.w / CELL) + 1, .h = (size_t)(b.h / CELL) + 1};

	g.sum = xzalloc(g.w * g.h * sizeof(*g.sum));
	g.n = xzalloc(g.w * g.h * sizeof(*g.n));
	collect(p, b, ax, &g);
	for (int k = 0; k < (ramp ? SHADES : 1); k++) {
		dots(p, b, &g, ramp ? k : -1, false);
		dots(p, b, &g, ramp ? k : -1, true);
	}
	free(g.sum);
	free(g.n);
}

/* The temperature axis at the foot of `b`, fitted to `ax`; the panel is current afterwards. */
void scatter_axes(struct plot *p, struct scene_box b, struct axis *ax)
{
	struct scene *s = p->s;
	char label[32];

	*ax = axis_number(p->temp.low, p->temp.high, false, (int)fmax(b.w / 64, 2));
	ax->from = b.x;
	ax->to = b.x + b.w;
	s->current = scene_panel(s, b);
	panels_value_axis(p, &p->speed, b, false);
	for (int k = 0; k < ax->ticks.n; k++) {
		double v = tick_value(&ax->ticks, k), x = axis_px(ax, v);
		int panel = s->current;

		mark_line(s, INK_GRID, 1, DASH_NONE, x, b.y, x, b.y + b.h);
		mark_line(s, INK_AXIS, 1, DASH_NONE, x, b.y + b.h - 5, x, b.y + b.h);
		axis_label(ax, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, x, b.y + b.h + 19, ALIGN_CENTER, tick_type);
		s->current = panel;
	}
	mark_line(s, INK_AXIS, 1, DASH_NONE, b.x, b.y + b.h, b.x + b.w, b.y + b.h);
}

static void point(struct plot *p, struct scene_box b, const struct axis *ax)
{
	const struct verdict *v = p->v;
	double x, y;

	if (isnan(v->onset_c))
		return;
	x = axis_px(ax, v->onset_c);
	mark_line(p->s, INK_HEAT, 1.4, DASH_SHORT, x, b.y, x, b.y + b.h);
	if (isnan(v->before_mb_s))
		return;
	y = axis_px(&p->speed, plot_speed(p, v->before_mb_s));
	mark_begin(p->s, SCENE_RING, INK_HEAT, 6);
	mark_point(p->s, x, y);
}

/* The strip says which colour is when. */
static void ramp(struct plot *p, double x, double y, double width)
{
	double from = isnan(p->v->load_start_s) ? p->begin_s : p->v->load_start_s;
	double to = isnan(p->v->load_end_s) ? p->end_s : p->v->load_end_s;
	char first[32], last[32];
	struct axis as = axis_time(from - p->zero_s, to - p->zero_s, 6);
	double left, right;

	axis_label(&as, from - p->zero_s, first, sizeof(first));
	axis_label(&as, to - p->zero_s, last, sizeof(last));
	left = x + text_width(p->s, first, tick_type) + 8;
	right = x + width - text_width(p->s, last, tick_type) - 8;
	text_put(p->s, first, x, y + RAMP - 1, ALIGN_LEFT, tick_type);
	text_put(p->s, last, x + width, y + RAMP - 1, ALIGN_RIGHT, tick_type);
	for (int k = 0; k < SHADES; k++) {
		double begin = round(left + (right - left) * k / SHADES);
		double end = round(left + (right - left) * (k + 1) / SHADES);

		mark_begin(p->s, SCENE_AREA, INK_SPEED, 0)->ramp = (k + 0.5) / SHADES;
		mark_point(p->s, begin, y);
		mark_point(p->s, end, y + RAMP);
	}
}

void scatter_draw(struct plot *p, struct scene_box b)
{
	static const struct type bold = {TYPE_LABEL, true, INK_TEXT};
	struct scene *s = p->s;
	const char *title = "throughput against temperature, " DEG_C;
	struct axis ax;

	if (text_width(s, title, bold) > b.w)
		title = "throughput against " DEG_C;
	text_put_cut(s, title, b.x, b.y - 8, b.w, bold);
	scatter_axes(p, b, &ax);
	scatter_dots(p, b, &ax, true);
	point(p, b, &ax);
	s->current = -1;
	ramp(p, b.x, b.y + b.h + 31, b.w);
}
