/* Lays out the whole picture: words around, a row for each drive, panels and numbers in it. */
#include <stdlib.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define PAD         26.0
#define WIDE        1000.0 /* px from which numbers stand beside the panels */
#define ROW_PX      340.0  /* height of a row of several */
#define ROW_LEAST   200.0  /* ... below which a drive is only named */
#define HEAD        24.0
#define LEFT_OUT_PX 20.0

/* Scatter above, numbers below, in a column of their own. */
static void side_column(struct plot *p, struct scene_box b)
{
	bool scatter = p->has_speed && p->has_temp && b.h >= 260;

	if (scatter) {
		double h = fmax(floor(b.h * 0.57) - HEAD, 120);

		/* On the same grid lines as the throughput beside it. */
		if (p->temp_box.y > p->speed_box.y)
			h = p->speed_box.h;
		else
			p->speed.from = b.y + HEAD + h;
		p->speed.to = b.y + HEAD;
		scatter_draw(p, (struct scene_box){b.x, b.y + HEAD, b.w, h});
		b.h -= HEAD + h + 62;
		b.y += HEAD + h + 62;
	} else {
		b.y += HEAD - 12;
		b.h -= HEAD - 12;
	}
	numbers_draw(p, b);
}

/* Under the panels of a tall picture: scatter left, numbers right. */
static void foot_row(struct plot *p, struct scene_box b)
{
	bool scatter = p->has_speed && p->has_temp;
	double half = scatter ? floor(b.w / 2) : 0;

	if (scatter) {
		p->speed.from = b.y + b.h - 56;
		p->speed.to = b.y + HEAD;
		scatter_draw(p,
			     (struct scene_box){b.x + 62, b.y + HEAD, half - 82, b.h - HEAD - 56});
	}
	numbers_draw(p, (struct scene_box){b.x + half + (scatter ? 20 : 62), b.y + HEAD - 10,
					   b.w - half - (scatter ? 20 : 62), b.h - HEAD + 10});
}

static void row(struct plot *p, struct scene_box box)
{
	bool wide = box.w >= WIDE, tall = !wide && box.h >= 1.05 * box.w;
	double side = wide ? fmax(floor(box.w * 0.27), 300) : 0;
	double foot = tall ? floor(box.h * 0.36) : 0;

	panels_draw(p,
		    (struct scene_box){box.x, box.y, box.w - side - (wide ? 10 : 0), box.h - foot});
	if (wide)
		side_column(p, (struct scene_box){box.x + box.w - side, box.y, side - 6, box.h});
	if (tall)
		foot_row(p, (struct scene_box){box.x, box.y + box.h - foot, box.w, foot});
}

/* A row's own headline: who, and what it did. */
static struct scene_box row_head(struct scene *s, const struct picture_item *items, size_t n,
				 size_t i, struct scene_box box)
{
	static const struct type bold = {TYPE_LABEL + 2, true, INK_TEXT};
	static const struct type plain = {TYPE_CAPTION, false, INK_MUTED};
	char who[512];

	text_put_cut(s, items[i].verdict->text, box.x, box.y + 18, box.w, bold);
	if (box.h < ROW_LEAST)
		return (struct scene_box){box.x, box.y + 24, box.w, box.h - 24};
	words_drive(s, items, n, i, box.w, plain, who, sizeof(who));
	text_put_cut(s, who, box.x, box.y + 36, box.w, plain);
	return (struct scene_box){box.x, box.y + 42, box.w, box.h - 54};
}

/* Beside the panels stand words of limits and tick labels of the scatter. */
static double gutter(const struct plot *p, double width)
{
	double words = limits_width(p);

	if (width < 640)
		return 0;
	return fmax(words > 0 ? words + 16 : 0, width >= WIDE ? 72 : 0);
}

/* One line for each drive that finds no room, as far as there is any. */
static void left_out(struct scene *s, const struct picture_item *items, size_t n,
		     struct scene_box box)
{
	static const struct type type = {TYPE_CAPTION, false, INK_TEXT};
	size_t lines = (size_t)fmax(box.h / LEFT_OUT_PX, 1);

	for (size_t i = 0; i < n && i < lines; i++) {
		double y = box.y + LEFT_OUT_PX * (double)(i + 1) - 5;
		char line[700];

		text_format(line, sizeof(line), "%s: %s", items[i].run->drive.model,
			    items[i].verdict->text);
		if (i + 1 == lines && n > lines)
			text_format(line, sizeof(line), "%zu more drives: no room at this size",
				    n - i);
		text_put_cut(s, line, box.x, y, box.w, type);
	}
}

/* How many of n rows are drawn; the others get a line each, `*foot` px in all. */
static size_t rows_shown(size_t n, double h, double *foot)
{
	size_t k = n;

	*foot = 0;
	while (k > 1 && (h - *foot) / (double)k < ROW_LEAST) {
		k--;
		*foot = fmin(LEFT_OUT_PX * (double)(n - k), fmax(h * 0.3, LEFT_OUT_PX));
	}
	return k;
}

/* A row for each drive; drives of one session heat each other, so their clocks are lined up. */
static void rows(struct scene *s, const struct picture_options *o, const struct picture_item *items,
		 size_t n, struct scene_box box)
{
	struct plot *p = xreallocarray(NULL, n, sizeof(*p));
	double from = INFINITY, to = -INFINITY, beside = 0, foot = 0, h;
	size_t all = n;

	n = rows_shown(n, box.h, &foot);
	h = (box.h - foot) / (double)n;
	left_out(s, items + n, all - n,
		 (struct scene_box){box.x, box.y + box.h - foot, box.w, foot});
	for (size_t i = 0; i < n; i++) {
		plot_begin(&p[i], s, o, &items[i]);
		beside = fmax(beside, gutter(&p[i], box.w));
		if (items[i].run->series.n == 0)
			continue;
		from = fmin(from, p[i].begin_s - p[i].zero_s);
		to = fmax(to, p[i].end_s - p[i].zero_s);
	}
	for (size_t i = 0; i < n; i++) {
		struct scene_box b = {box.x, box.y + h * (double)i, box.w, h};

		p[i].gutter = beside;
		if (n > 1 && from <= to) {
			p[i].begin_s = from + p[i].zero_s;
			p[i].end_s = to + p[i].zero_s;
		}
		row(&p[i], all > 1 ? row_head(s, items, all, i, b) : b);
	}
	for (size_t i = 0; i < n; i++)
		plot_end(&p[i]);
	free(p);
}

bool picture_fits(const struct picture_options *o)
{
	return o->width * o->scale <= PICTURE_SIDE_MAX && o->height * o->scale <= PICTURE_SIDE_MAX;
}

int picture_height(const struct picture_options *o, size_t n, bool compare)
{
	double wanted = compare ? 560 + 24 * (double)n : (double)n * ROW_PX + 140;

	if (n < 2)
		return o->height;
	return (int)fmin(fmax(o->height, wanted), PICTURE_SIDE_MAX / fmax(o->scale, 1));
}

void scene_make(struct scene *out, const struct picture_options *options,
		const struct picture_item *items, size_t n, bool compare,
		const struct text_measure *measure)
{
	double height = options->exact ? options->height : picture_height(options, n, compare);
	struct scene_box box;

	if (options->height < 500)
		box = (struct scene_box){14, 10, options->width - 28, height - 18};
	else
		box = (struct scene_box){PAD, PAD - 6, options->width - 2 * PAD,
					 height - 2 * PAD + 14};
	scene_begin(out, options, height, measure);
	if (n == 0)
		return;
	box = words_frame(out, items, n, compare, box);
	if (compare && n > 1)
		compare_draw(out, options, items, n, box);
	else
		rows(out, options, items, n, box);
	out->measure = NULL;
}
