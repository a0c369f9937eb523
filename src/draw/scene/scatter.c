/*
 * Throughput against temperature, coloured by time. Points that share a cell are one dot, so that
 * a day of rows costs no more than the cells it touches.
 */
#include <stdlib.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define CELL   3.0
#define SHADES 24

struct grid {
	double *sum;
	uint32_t *n;
	size_t w, h;
};

static void collect(struct plot *p, struct scene_box b, const struct axis *ax, struct grid *g)
{
	const struct series *s = &p->run->series;
	double from = p->v->load_start_s, to = p->v->load_end_s, temp = (double)NAN, temp_s = 0;

	for (size_t i = 0; i < s->n; i++) {
		double t = series_time(s, i), mb_s = series_get(s, FIELD_MB_S, i);
		size_t x, y;

		if (!isnan(series_get(s, FIELD_TEMP, i))) {
			temp = series_get(s, FIELD_TEMP, i);
			temp_s = t;
		}
		/* An old reading says nothing about this second. */
		if (isnan(mb_s) || isnan(temp) || t - temp_s > 3)
			continue;
		if (!isnan(from) && !(t > from && t <= to + 1e-6))
			continue;
		x = (size_t)((axis_px(ax, temp) - b.x) / CELL);
		y = (size_t)((axis_px(&p->speed, plot_speed(p, mb_s)) - b.y) / CELL);
		if (x >= g->w || y >= g->h)
			continue;
		g->sum[y * g->w + x] += (double)i;
		g->n[y * g->w + x]++;
	}
}

static void dots(struct plot *p, struct scene_box b, const struct grid *g, double n)
{
	for (int k = 0; k < SHADES; k++) {
		mark_begin(p->s, SCENE_DOTS, INK_SPEED, 2)->ramp = (k + 0.5) / SHADES;
		for (size_t i = 0; i < g->w * g->h; i++) {
			double x = b.x + ((double)(i % g->w) + 0.5) * CELL;
			double y = b.y + ((double)(i / g->w) + 0.5) * CELL;

			if (!g->n[i] || (int)(g->sum[i] / g->n[i] / n * SHADES) != k)
				continue;
			mark_point(p->s, fmin(x, b.x + b.w), fmin(y, b.y + b.h));
			busy_line(p->s, x, y, x, y);
		}
	}
}

static void axes(struct plot *p, struct scene_box b, const struct axis *ax)
{
	static const struct type type = {TYPE_TICK, false, INK_MUTED};
	struct scene *s = p->s;
	char label[32];

	for (int k = 0; k < p->speed.ticks.n; k++) {
		double v = tick_value(&p->speed.ticks, k), y = axis_px(&p->speed, v);

		mark_line(s, k ? INK_GRID : INK_AXIS, 1, DASH_NONE, b.x, y, b.x + b.w, y);
		axis_label(&p->speed, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, b.x - 8, y + 0.36 * TYPE_TICK, ALIGN_RIGHT, type);
		s->current = (int)s->n_panels - 1;
	}
	mark_line(s, INK_AXIS, 1, DASH_NONE, b.x, b.y, b.x, b.y + b.h);
	for (int k = 0; k < ax->ticks.n; k++) {
		double v = tick_value(&ax->ticks, k), x = axis_px(ax, v);

		mark_line(s, INK_AXIS, 1, DASH_NONE, x, b.y + b.h - 5, x, b.y + b.h);
		axis_label(ax, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, x, b.y + b.h + 20, ALIGN_CENTER, type);
		s->current = (int)s->n_panels - 1;
	}
}

static void point(struct plot *p, struct scene_box b, const struct axis *ax)
{
	const struct verdict *v = p->v;
	double x, y;

	if (isnan(v->onset_c) || isnan(v->before_mb_s))
		return;
	x = axis_px(ax, v->onset_c);
	y = axis_px(&p->speed, plot_speed(p, v->before_mb_s));
	mark_line(p->s, INK_HEAT, 1.4, DASH_SHORT, x, b.y, x, b.y + b.h);
	mark_begin(p->s, SCENE_RING, INK_HEAT, 7);
	mark_point(p->s, x, y);
}

/* A strip that says which colour is when. */
static void ramp(struct plot *p, double x, double y, double width)
{
	static const struct type type = {TYPE_CAPTION, false, INK_MUTED};
	double seconds = p->run->series.n ? p->time.high : 0;
	double text = text_width(p->s, "early", type) + 8;
	char late[32] = "late";

	(void)seconds;
	text_put(p->s, "early", x, y + 10, ALIGN_LEFT, type);
	text_put(p->s, late, x + width, y + 10, ALIGN_RIGHT, type);
	width -= 2 * text;
	for (int k = 0; k < SHADES; k++) {
		mark_begin(p->s, SCENE_AREA, INK_SPEED, 0)->ramp = (k + 0.5) / SHADES;
		mark_point(p->s, x + text + width * k / SHADES, y);
		mark_point(p->s, x + text + width * (k + 1) / SHADES, y + 10);
	}
}

void scatter_draw(struct plot *p, struct scene_box box)
{
	static const struct type bold = {TYPE_LABEL, true, INK_TEXT};
	static const struct type plain = {TYPE_TICK, false, INK_MUTED};
	struct scene_box b = {box.x + 58, p->speed_box.y, box.w - 58 - 6, 0};
	struct scene *s = p->s;
	struct axis ax = axis_number(p->temp.low, p->temp.high, true, (int)fmax(b.w / 60, 2));
	struct grid g;

	b.h = p->speed_box.h;
	text_put_cut(s, "throughput against temperature", b.x, b.y - 8, b.w, bold);
	ax.from = b.x;
	ax.to = b.x + b.w;
	g.w = (size_t)(b.w / CELL) + 1;
	g.h = (size_t)(b.h / CELL) + 1;
	g.sum = xzalloc(g.w * g.h * sizeof(*g.sum));
	g.n = xzalloc(g.w * g.h * sizeof(*g.n));
	s->current = scene_panel(s, b);
	axes(p, b, &ax);
	collect(p, b, &ax, &g);
	dots(p, b, &g, (double)p->run->series.n);
	point(p, b, &ax);
	s->current = -1;
	text_put(s,
		 "\xc2\xb0"
		 "C",
		 b.x + b.w, b.y + b.h + 40, ALIGN_RIGHT, plain);
	ramp(p, b.x, b.y + b.h + 30, b.w - 40);
	free(g.sum);
	free(g.n);
}
