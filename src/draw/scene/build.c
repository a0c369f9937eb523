/* Building blocks of the scene: panels, marks, and a coarse map of where data lies. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"

#define CELL          4.0
#define BORDER_WEIGHT 3

const double scene_dashes[DASH_COUNT][5] = {
    [DASH_LONG] = {9, 5},
    [DASH_SHORT] = {4, 4},
    [DASH_DOT] = {1.5, 4},
    [DASH_MIXED] = {9, 4, 2, 4},
};

void scene_begin(struct scene *s, const struct picture_options *o, double height,
		 const struct text_measure *measure)
{
	memset(s, 0, sizeof(*s));
	s->width = o->width;
	s->height = height;
	s->palette = &palettes[o->theme];
	s->measure = measure;
	s->current = -1;
	s->busy_w = (size_t)(s->width / CELL) + 1;
	s->busy_h = (size_t)(s->height / CELL) + 1;
	s->busy = xzalloc(s->busy_w * s->busy_h);
}

void scene_fini(struct scene *s)
{
	for (size_t i = 0; i < s->n_texts; i++)
		free(s->text[i].text);
	free(s->text);
	free(s->title);
	free(s->mark);
	free(s->point);
	free(s->panel);
	free(s->busy);
	memset(s, 0, sizeof(*s));
}

int scene_panel(struct scene *s, struct scene_box box)
{
	if (s->n_panels == s->cap_panels) {
		s->cap_panels = s->cap_panels ? 2 * s->cap_panels : 8;
		s->panel = xreallocarray(s->panel, s->cap_panels, sizeof(*s->panel));
	}
	s->panel[s->n_panels] = box;
	return (int)s->n_panels++;
}

struct scene_mark *mark_begin(struct scene *s, enum scene_kind kind, enum ink ink, double size)
{
	struct scene_mark *m;

	if (s->n_marks == s->cap_marks) {
		s->cap_marks = s->cap_marks ? 2 * s->cap_marks : 64;
		s->mark = xreallocarray(s->mark, s->cap_marks, sizeof(*s->mark));
	}
	m = &s->mark[s->n_marks++];
	*m = (struct scene_mark){
	    .kind = kind,
	    .ink = ink,
	    .ramp = (double)NAN,
	    .size = size,
	    .first = s->n_points,
	    .panel = s->current,
	};
	return m;
}

void mark_point(struct scene *s, double x, double y)
{
	if (s->n_points == s->cap_points) {
		s->cap_points = s->cap_points ? 2 * s->cap_points : 256;
		s->point = xreallocarray(s->point, s->cap_points, sizeof(*s->point));
	}
	s->point[s->n_points++] = (struct scene_point){x, y};
	s->mark[s->n_marks - 1].n++;
}

void mark_area(struct scene *s, enum ink ink, double x0, double y0, double x1, double y1)
{
	mark_begin(s, SCENE_AREA, ink, 0);
	mark_point(s, x0, y0);
	mark_point(s, x1, y1);
}

void mark_line(struct scene *s, enum ink ink, double width, enum scene_dash dash, double x0,
	       double y0, double x1, double y1)
{
	mark_begin(s, SCENE_LINE, ink, width)->dash = dash;
	mark_point(s, x0, y0);
	mark_point(s, x1, y1);
}

enum ink mark_behind(const struct scene *s, double x, double y)
{
	enum ink ink = INK_PAPER;

	for (size_t i = 0; i < s->n_marks; i++) {
		const struct scene_mark *m = &s->mark[i];
		const struct scene_point *p = s->point + m->first;

		if (m->kind != SCENE_AREA || (m->ink != INK_PHASE && m->ink != INK_SHADE))
			continue;
		if (p[0].x <= x && x <= p[1].x && p[0].y <= y && y <= p[1].y)
			ink = m->ink;
	}
	return ink;
}

static void busy_cell(struct scene *s, double x, double y, uint8_t weight)
{
	uint8_t *at;

	if (x < 0 || y < 0 || x >= s->width || y >= s->height)
		return;
	at = &s->busy[(size_t)(y / CELL) * s->busy_w + (size_t)(x / CELL)];
	*at = *at < weight ? weight : *at;
}

void busy_line(struct scene *s, double x0, double y0, double x1, double y1)
{
	int steps = (int)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)) / CELL) + 1;

	for (int k = 0; k <= steps; k++)
		busy_cell(s, x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps, 1);
}

void busy_border(struct scene *s, double x, double y0, double y1)
{
	for (double y = y0; y <= y1; y += CELL)
		busy_cell(s, x, y, BORDER_WEIGHT);
}

void busy_box(struct scene *s, struct scene_box box)
{
	int rows = (int)ceil(box.h / CELL);

	for (int k = 0; k <= rows; k++) {
		double y = box.y + box.h * k / fmax(rows, 1);

		busy_line(s, box.x, y, box.x + box.w, y);
	}
}

/* The cell of a coordinate, held inside the map. */
static size_t cell(double v, size_t n)
{
	return (size_t)fmin(fmax(v / CELL, 0), (double)(n - 1));
}

double busy_share(const struct scene *s, struct scene_box box)
{
	size_t x0 = cell(box.x, s->busy_w), x1 = cell(box.x + box.w, s->busy_w);
	size_t y0 = cell(box.y, s->busy_h), y1 = cell(box.y + box.h, s->busy_h);
	size_t busy = 0;

	for (size_t y = y0; y <= y1; y++)
		for (size_t x = x0; x <= x1; x++)
			busy += s->busy[y * s->busy_w + x];
	return (double)busy / (double)((x1 - x0 + 1) * (y1 - y0 + 1));
}
