/* Building blocks of the scene: panels, marks, and a coarse map of where data lies. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"

#define CELL 4.0

const double scene_dashes[DASH_COUNT][5] = {
    [DASH_LONG] = {9, 5},
    [DASH_SHORT] = {4, 4},
    [DASH_DOT] = {1.5, 4},
    [DASH_MIXED] = {9, 4, 2, 4},
};

void scene_begin(struct scene *s, const struct picture_options *o,
		 const struct text_measure *measure)
{
	memset(s, 0, sizeof(*s));
	s->width = o->width;
	s->height = o->height;
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

static void busy_cell(struct scene *s, double x, double y)
{
	if (x < 0 || y < 0 || x >= s->width || y >= s->height)
		return;
	s->busy[(size_t)(y / CELL) * s->busy_w + (size_t)(x / CELL)] = 1;
}

void busy_line(struct scene *s, double x0, double y0, double x1, double y1)
{
	double steps = ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)) / CELL) + 1;

	for (double k = 0; k <= steps; k++)
		busy_cell(s, x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps);
}

double busy_share(const struct scene *s, struct scene_box box)
{
	size_t all = 0, busy = 0;

	for (double y = box.y; y <= box.y + box.h; y += CELL)
		for (double x = box.x; x <= box.x + box.w; x += CELL) {
			if (x < 0 || y < 0 || x >= s->width || y >= s->height)
				continue;
			all++;
			busy += s->busy[(size_t)(y / CELL) * s->busy_w + (size_t)(x / CELL)];
		}
	return all ? (double)busy / (double)all : 0;
}
