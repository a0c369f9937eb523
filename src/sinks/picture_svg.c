/*
 * A scene as SVG, written here since cairo turns every text into outlines: this one can be
 * selected and searched. Each text states its measured length, so that it fits in any font.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sinks/picture_private.h"
#include "throttlog/text.h"

__attribute__((format(printf, 2, 3))) static void say(struct buffer *out, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	text_vformat(text, sizeof(text), format, args);
	va_end(args);
	buffer_add(out, text, strlen(text));
}

static void say_escaped(struct buffer *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			say(out, "&lt;");
			break;
		case '>':
			say(out, "&gt;");
			break;
		case '&':
			say(out, "&amp;");
			break;
		default:
			buffer_add(out, text, 1);
		}
}

static struct rgb colour(const struct scene *s, const struct scene_mark *m)
{
	return isnan(m->ramp) ? s->palette->ink[m->ink] : palette_ramp(s->palette, m->ramp);
}

static void svg_areas(struct buffer *out, const struct scene_mark *m, const struct scene_point *p,
		      struct rgb c)
{
	say(out, "<path fill=\"#%02x%02x%02x\" d=\"", c.r, c.g, c.b);
	for (size_t i = 0; i + 1 < m->n; i += 2)
		say(out, "M%.2f %.2fH%.2fV%.2fH%.2fZ", p[i].x, p[i].y, p[i + 1].x, p[i + 1].y,
		    p[i].x);
	say(out, "\"/>\n");
}

static void svg_lines(struct buffer *out, const struct scene_mark *m, const struct scene_point *p,
		      struct rgb c)
{
	const double *dash = scene_dashes[m->dash];
	bool bars = m->kind == SCENE_BARS;

	say(out, "<path fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%.1f\"", c.r, c.g,
	    c.b, m->size);
	if (dash[0] > 0) {
		say(out, " stroke-dasharray=\"");
		for (size_t i = 0; i < 5 && dash[i] > 0; i++)
			say(out, "%s%.1f", i ? " " : "", dash[i]);
		say(out, "\"");
	} else if (!bars) {
		say(out, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
	}
	say(out, " d=\"");
	for (size_t i = 0; i < m->n; i++)
		say(out, "%c%.2f %.2f", i == 0 || (bars && i % 2 == 0) ? 'M' : 'L', p[i].x, p[i].y);
	if (m->n == 1) /* a lone value is still a mark */
		say(out, "h0");
	say(out, "\"/>\n");
}

/* Dots are lines of no length with round ends, which takes a third of the bytes of circles. */
static void svg_dots(struct buffer *out, const struct scene_mark *m, const struct scene_point *p,
		     double radius, struct rgb c)
{
	say(out,
	    "<path fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%.1f\" "
	    "stroke-linecap=\"round\" d=\"",
	    c.r, c.g, c.b, 2 * radius);
	for (size_t i = 0; i < m->n; i++)
		say(out, "M%.1f %.1fh0", p[i].x, p[i].y);
	say(out, "\"/>\n");
}

static void svg_mark(struct buffer *out, const struct scene *s, const struct scene_mark *m)
{
	const struct scene_point *p = s->point + m->first;

	switch (m->kind) {
	case SCENE_AREA:
		svg_areas(out, m, p, colour(s, m));
		break;
	case SCENE_LINE:
	case SCENE_BARS:
		svg_lines(out, m, p, colour(s, m));
		break;
	case SCENE_DOTS:
		svg_dots(out, m, p, m->size, colour(s, m));
		break;
	case SCENE_RING:
		svg_dots(out, m, p, m->size + 2.5, s->palette->ink[INK_PAPER]);
		svg_dots(out, m, p, m->size, colour(s, m));
		break;
	}
}

static void svg_text(struct buffer *out, const struct scene *s, const struct scene_text *t)
{
	struct rgb c = s->palette->ink[t->ink], paper = s->palette->ink[INK_PAPER];

	say(out,
	    "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" textLength=\"%.2f\" "
	    "fill=\"#%02x%02x%02x\"%s",
	    t->x, t->y, t->size, t->box.w, c.r, c.g, c.b, t->bold ? " font-weight=\"bold\"" : "");
	/* Words in a plot are set off from the lines behind them. */
	if (t->panel >= 0)
		say(out,
		    " stroke=\"#%02x%02x%02x\" stroke-opacity=\"0.85\" stroke-width=\"4\" "
		    "stroke-linejoin=\"round\" paint-order=\"stroke\"",
		    paper.r, paper.g, paper.b);
	say(out, ">");
	say_escaped(out, t->text);
	say(out, "</text>\n");
}

static void svg_facts(struct buffer *out, const struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		if (!strcmp(facts->item[i].key, "Title")) {
			say(out, "<title>");
			say_escaped(out, facts->item[i].text);
			say(out, "</title>\n");
		}
	say(out, "<desc>");
	for (size_t i = 0; i < facts->n; i++) {
		say(out, "%s: ", facts->item[i].key);
		say_escaped(out, facts->item[i].text);
		say(out, "\n");
	}
	say(out, "</desc>\n");
}

void picture_svg(const struct scene *s, const struct facts *facts, struct buffer *out)
{
	struct rgb paper = s->palette->ink[INK_PAPER];

	say(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
	    "viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n",
	    s->width, s->height, s->width, s->height);
	svg_facts(out, facts);
	say(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%02x%02x%02x\"/>\n", paper.r,
	    paper.g, paper.b);
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->mark[i].n)
			svg_mark(out, s, &s->mark[i]);
	for (size_t i = 0; i < s->n_texts; i++)
		svg_text(out, s, &s->text[i]);
	say(out, "</svg>\n");
}
