/*
 * A scene as SVG. Written here and not by cairo, which turns text into outlines: this way it can
 * be searched, copied and read aloud. Widths are stated, so another font keeps the layout.
 */
#include <math.h>
#include <string.h>

#include "sinks/picture_private.h"
#include "throttlog/text.h"

static void add(struct buffer *b, const char *text)
{
	buffer_add(b, text, strlen(text));
}

/* Two decimals at most, none that are zero. */
static void number(struct buffer *b, const char *before, double v)
{
	char digits[40];
	int n = text_format(digits, sizeof(digits), "%.2f", v);

	while (n > 1 && digits[n - 1] == '0')
		n--;
	if (digits[n - 1] == '.')
		n--;
	digits[n] = '\0';
	add(b, before);
	add(b, strcmp(digits, "-0") == 0 ? "0" : digits);
}

static void attribute(struct buffer *b, const char *name, double v)
{
	add(b, " ");
	add(b, name);
	number(b, "=\"", v);
	add(b, "\"");
}

static void colour(struct buffer *b, const char *name, struct rgb c)
{
	char value[40];

	text_format(value, sizeof(value), " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
	add(b, value);
}

static void escaped(struct buffer *b, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&':
			add(b, "&amp;");
			break;
		case '<':
			add(b, "&lt;");
			break;
		case '>':
			add(b, "&gt;");
			break;
		default:
			if ((unsigned char)*s >= 0x20)
				buffer_add(b, s, 1);
			break;
		}
	}
}

static void corner(struct buffer *b, const char *before, struct scene_point p)
{
	number(b, before, p.x);
	number(b, " ", p.y);
}

static void areas(struct buffer *b, const struct scene_point *p, size_t n)
{
	for (size_t i = 0; i + 1 < n; i += 2) {
		corner(b, "M", p[i]);
		number(b, "H", p[i + 1].x);
		number(b, "V", p[i + 1].y);
		number(b, "H", p[i].x);
		add(b, "z");
	}
}

/* Thin level and upright lines lie on whole px, as in the PNG. */
static struct scene_point snapped(const struct scene_mark *m, struct scene_point p)
{
	if (m->n == 2 && m->size <= 1.5)
		return (struct scene_point){floor(p.x) + 0.5, floor(p.y) + 0.5};
	return p;
}

static void lines(struct buffer *b, const struct scene_mark *m, const struct scene_point *p)
{
	for (size_t i = 0; i < m->n; i++)
		corner(b, i ? "L" : "M", snapped(m, p[i]));
	if (m->n == 1)
		add(b, "h0");
}

static void dots(struct buffer *b, const struct scene_point *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		corner(b, "M", p[i]);
		add(b, "h0");
	}
}

static void dash(struct buffer *b, enum scene_dash kind)
{
	const double *d = scene_dashes[kind];

	if (kind == DASH_NONE)
		return;
	add(b, " stroke-dasharray=\"");
	for (int i = 0; i < 5 && d[i] > 0; i++)
		number(b, i ? " " : "", d[i]);
	add(b, "\"");
}

static void stroke(struct buffer *b, struct rgb c, double width, bool round)
{
	colour(b, "fill=\"none\" stroke", c);
	attribute(b, "stroke-width", width);
	if (round)
		add(b, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
}

static void mark(struct buffer *b, const struct scene *s, const struct scene_mark *m)
{
	const struct scene_point *p = s->point + m->first;
	struct rgb c = isnan(m->ramp) ? s->palette->ink[m->ink] : palette_ramp(s->palette, m->ramp);

	add(b, "<path");
	switch (m->kind) {
	case SCENE_AREA:
		colour(b, "fill", c);
		add(b, " d=\"");
		areas(b, p, m->n);
		break;
	case SCENE_LINE:
		stroke(b, c, m->size, m->dash == DASH_NONE);
		dash(b, m->dash);
		add(b, " d=\"");
		lines(b, m, p);
		break;
	case SCENE_RING:
		stroke(b, s->palette->ink[INK_PAPER], 2 * (m->size + RING_PX), true);
		add(b, " d=\"");
		dots(b, p, m->n);
		add(b, "\"/>\n<path");
		stroke(b, c, 2 * m->size, true);
		add(b, " d=\"");
		dots(b, p, m->n);
		break;
	case SCENE_DOTS:
		stroke(b, c, 2 * m->size, true);
		add(b, " d=\"");
		dots(b, p, m->n);
		break;
	}
	add(b, "\"/>\n");
}

static void text(struct buffer *b, const struct scene *s, const struct scene_text *t)
{
	add(b, "<text");
	attribute(b, "x", t->x);
	attribute(b, "y", t->y);
	attribute(b, "font-size", t->size);
	attribute(b, "textLength", t->box.w);
	if (t->bold)
		add(b, " font-weight=\"bold\"");
	colour(b, "fill", s->palette->ink[t->ink]);
	if (t->halo != INK_COUNT) {
		colour(b, "stroke", s->palette->ink[t->halo]);
		add(b, " stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
	}
	add(b, ">");
	escaped(b, t->text);
	add(b, "</text>\n");
}

void picture_svg(const struct scene *s, const struct facts *facts, struct buffer *out)
{
	add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	attribute(out, "width", s->width);
	attribute(out, "height", s->height);
	number(out, " viewBox=\"0 0 ", s->width);
	number(out, " ", s->height);
	add(out,
	    "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" xml:space=\"preserve\">\n<title>");
	escaped(out, s->title ? s->title : "");
	add(out, "</title>\n<desc>");
	for (size_t i = 0; i < facts->n; i++) {
		escaped(out, facts->item[i].key);
		add(out, ": ");
		escaped(out, facts->item[i].text);
		add(out, "\n");
	}
	add(out, "</desc>\n<path");
	colour(out, "fill", s->palette->ink[INK_PAPER]);
	add(out, " d=\"");
	areas(out, (struct scene_point[]){{0, 0}, {s->width, s->height}}, 2);
	add(out, "\"/>\n");
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->mark[i].n)
			mark(out, s, &s->mark[i]);
	for (size_t i = 0; i < s->n_texts; i++)
		text(out, s, &s->text[i]);
	add(out, "</svg>\n");
}
