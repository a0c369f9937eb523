/* Lays out the whole picture: words around, a row for each drive, panels and numbers in it. */
#include "draw/scene/build.h"

#define PAD 26.0

static void row(struct scene *s, const struct picture_options *o, const struct picture_item *item,
		struct scene_box box)
{
	struct plot p;
	bool side = box.w >= 900;
	double right = side ? fmax(floor(box.w * 0.28), 300) : 0;

	plot_begin(&p, s, o, item);
	panels_draw(&p, (struct scene_box){box.x, box.y, box.w - right - (side ? 36 : 0), box.h});
	if (side) {
		struct scene_box b = {box.x + box.w - right, box.y, right, box.h};

		if (p.has_speed && p.has_temp) {
			double below = p.speed_box.y + p.speed_box.h + 60;

			scatter_draw(&p, b);
			b.h -= below - b.y;
			b.y = below;
		}
		numbers_draw(&p, (struct scene_box){b.x + 10, b.y, b.w - 16, b.h});
	}
	plot_end(&p);
}

void scene_make(struct scene *out, const struct picture_options *options,
		const struct picture_item *items, size_t n, bool compare,
		const struct text_measure *measure)
{
	struct scene_box box = {PAD, PAD - 6, options->width - 2 * PAD,
				options->height - 2 * PAD + 12};

	(void)compare;
	scene_begin(out, options, measure);
	if (n == 0)
		return;
	box = words_frame(out, options, items, n, box);
	for (size_t i = 0; i < n; i++) {
		double h = box.h / (double)n;

		row(out, options, &items[i],
		    (struct scene_box){box.x, box.y + h * (double)i, box.w, h});
	}
	out->measure = NULL;
}
