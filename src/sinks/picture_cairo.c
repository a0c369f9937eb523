/* Draws a scene with cairo: to pixels for PNG, or as vectors to PDF. */
#include <cairo-pdf.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "sinks/picture_private.h"

static void set_rgb(cairo_t *cr, struct rgb c)
{
	cairo_set_source_rgb(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0);
}

static void set_dash(cairo_t *cr, enum scene_dash dash)
{
	const double *d = scene_dashes[dash];
	int n = 0;

	while (n < 5 && d[n] > 0)
		n++;
	cairo_set_dash(cr, d, n, 0);
}

static void draw_areas(cairo_t *cr, const struct scene_point *p, size_t n)
{
	for (size_t i = 0; i + 1 < n; i += 2)
		cairo_rectangle(cr, p[i].x, p[i].y, p[i + 1].x - p[i].x, p[i + 1].y - p[i].y);
	cairo_fill(cr);
}

static void draw_lines(cairo_t *cr, const struct scene_mark *m, const struct scene_point *p)
{
	cairo_set_line_width(cr, m->size);
	cairo_set_line_cap(cr, m->dash ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	set_dash(cr, m->dash);
	for (size_t i = 0; i < m->n; i++) {
		double x = p[i].x, y = p[i].y;

		/* Thin level and upright lines lie on whole px. */
		if (m->n == 2 && m->size <= 1.5) {
			x = floor(x) + 0.5;
			y = floor(y) + 0.5;
		}
		if (i == 0)
			cairo_move_to(cr, x, y);
		else
			cairo_line_to(cr, x, y);
	}
	if (m->n == 1) /* a lone value is still a mark */
		cairo_line_to(cr, p[0].x, p[0].y);
	cairo_stroke(cr);
	cairo_set_dash(cr, NULL, 0, 0);
}

static void draw_dots(cairo_t *cr, const struct scene_point *p, size_t n, double radius)
{
	for (size_t i = 0; i < n; i++) {
		cairo_new_sub_path(cr);
		cairo_arc(cr, p[i].x, p[i].y, radius, 0, 2 * M_PI);
	}
	cairo_fill(cr);
}

static void draw_mark(cairo_t *cr, const struct scene *s, const struct scene_mark *m)
{
	const struct scene_point *p = s->point + m->first;

	set_rgb(cr, isnan(m->ramp) ? s->palette->ink[m->ink] : palette_ramp(s->palette, m->ramp));
	switch (m->kind) {
	case SCENE_AREA:
		draw_areas(cr, p, m->n);
		break;
	case SCENE_LINE:
		draw_lines(cr, m, p);
		break;
	case SCENE_DOTS:
		draw_dots(cr, p, m->n, m->size);
		break;
	case SCENE_RING:
		set_rgb(cr, s->palette->ink[INK_PAPER]);
		draw_dots(cr, p, m->n, m->size + RING_PX);
		set_rgb(cr, s->palette->ink[m->ink]);
		draw_dots(cr, p, m->n, m->size);
		break;
	}
}

static void draw_text(cairo_t *cr, const struct scene *s, const struct scene_text *t,
		      const struct font *font)
{
	cairo_set_font_face(cr, font_face(font, t->bold));
	cairo_set_font_size(cr, t->size);
	if (t->halo != INK_COUNT) {
		struct rgb c = s->palette->ink[t->halo];

		cairo_move_to(cr, t->x, t->y);
		cairo_text_path(cr, t->text);
		cairo_set_source_rgba(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0, 0.85);
		cairo_set_line_width(cr, 4);
		cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
		cairo_stroke(cr);
	}
	set_rgb(cr, s->palette->ink[t->ink]);
	cairo_move_to(cr, t->x, t->y);
	cairo_show_text(cr, t->text);
}

static int draw(cairo_t *cr, const struct scene *s, const struct font *font)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cr, options);
	cairo_font_options_destroy(options);
	set_rgb(cr, s->palette->ink[INK_PAPER]);
	cairo_paint(cr);
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->mark[i].n)
			draw_mark(cr, s, &s->mark[i]);
	for (size_t i = 0; i < s->n_texts; i++)
		draw_text(cr, s, &s->text[i], font);
	return cairo_status(cr) == CAIRO_STATUS_SUCCESS ? 0 : -ENOMEM;
}

int picture_png(const struct scene *s, const struct font *font, double scale,
		const struct facts *facts, struct buffer *out)
{
	int width = (int)lround(s->width * scale), height = (int)lround(s->height * scale);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_t *cr = cairo_create(surface);
	int err;

	cairo_scale(cr, scale, scale);
	err = draw(cr, s, font);
	cairo_destroy(cr);
	cairo_surface_flush(surface);
	if (!err) {
		struct image im = {
		    .pixels = cairo_image_surface_get_data(surface),
		    .stride = (size_t)cairo_image_surface_get_stride(surface),
		    .width = (unsigned)width,
		    .height = (unsigned)height,
		    .scale = scale,
		};

		err = png_encode(&im, facts, out);
	}
	cairo_surface_destroy(surface);
	return err;
}

static cairo_status_t collect(void *closure, const unsigned char *data, unsigned n)
{
	buffer_add(closure, data, n);
	return CAIRO_STATUS_SUCCESS;
}

static int vectors(cairo_surface_t *surface, const struct scene *s, const struct font *font)
{
	cairo_t *cr = cairo_create(surface);
	int err;

	/* A point is 1/72 inch, a px of the scene 1/96. */
	cairo_scale(cr, 0.75, 0.75);
	err = draw(cr, s, font);
	cairo_destroy(cr);
	cairo_surface_finish(surface);
	if (!err && cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
		err = -ENOMEM;
	cairo_surface_destroy(surface);
	return err;
}

static void metadata(cairo_surface_t *surface, const struct facts *facts)
{
	static const struct {
		const char *key;
		cairo_pdf_metadata_t what;
	} map[] = {
	    {"Title", CAIRO_PDF_METADATA_TITLE},
	    {"Software", CAIRO_PDF_METADATA_CREATOR},
	    {"Drive", CAIRO_PDF_METADATA_SUBJECT},
	    /* Not the time of drawing: the same log gives the same bytes. */
	    {"Creation Time", CAIRO_PDF_METADATA_CREATE_DATE},
	};

	for (size_t i = 0; i < facts->n; i++)
		for (size_t k = 0; k < sizeof(map) / sizeof(*map); k++)
			if (!strcmp(facts->item[i].key, map[k].key))
				cairo_pdf_surface_set_metadata(surface, map[k].what,
							       facts->item[i].text);
}

int picture_pdf(const struct scene *s, const struct font *font, const struct facts *facts,
		struct buffer *out)
{
	cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
	    collect, out, s->width * 0.75, s->height * 0.75);

	metadata(surface, facts);
	return vectors(surface, s, font);
}
