/* Labels in the plots look for the place where they hide the least data, near what they name. */
#include "draw/scene/build.h"

#define STEP          6.0   /* px between places that are tried */
#define SIDE          9     /* how many of them to each side */
#define HIDING        900.0 /* px that a label goes to hide no data */
#define CROSSING      0.3 /* px more for each px^2 that is hidden: thin lines are little of a place */
#define HIDING_LEVEL  250.0 /* ... that has to be near its line */
#define NEAR          6.0
#define OPTIONAL_BUSY 0.02
#define SECOND        12.0 /* px that another form of the label has to save */

struct size {
	int n;
	double w, h;
};

/* How much of the place is taken, with a little room around the words. */
static double hidden(const struct scene *s, struct scene_box box)
{
	return busy_share(s, (struct scene_box){box.x - 4, box.y, box.w + 8, box.h});
}

static struct size measure(const struct scene *s, const struct label *l)
{
	struct size z = {0, 0, 0};

	for (; z.n < LABEL_LINES && l->line[z.n]; z.n++) {
		z.w = fmax(z.w, text_width(s, l->line[z.n], l->type[z.n]));
		z.h += 1.2 * l->type[z.n].size;
	}
	return z;
}

/* How far the place is from what it names, in px as it were. */
static double distance(const struct label *l, struct scene_box box)
{
	double side = box.x > l->x ? box.x - l->x : l->x - box.x - box.w;
	double away = fabs(box.y + box.h / 2 - l->y);

	/* Just above its line, or just below. */
	if (l->level)
		return 0.5 * fabs(box.x - l->x) + 2 * fabs(away - box.h / 2 - 4) +
		       (box.y > l->y ? 3 : 0);
	return fmax(side - 8, 0) * (l->near ? NEAR : 1) + 0.35 * away + (box.x < l->x ? 4 : 0);
}

static double place_x(const struct label *l, double width, int k)
{
	double off = 8 + 3 * STEP * floor(k / 2.0);

	if (l->level)
		return l->x + (k % 2 ? -4 : 4) * STEP * ceil(k / 2.0);
	return k % 2 ? l->x - off - width : l->x + off;
}

static void put(struct scene *s, const struct label *l, struct size z, struct scene_box at)
{
	double y = at.y;

	for (int k = 0; k < z.n; k++) {
		double size = l->type[k].size;

		y += 1.2 * size;
		text_add(s, l->line[k], at.x, y - (TEXT_DESCENT + 0.05) * size, l->type[k],
			 mark_behind(s, at.x + z.w / 2, y - size / 2));
	}
	/* Later words of less weight keep their distance. */
	busy_box(s, at);
}

struct place {
	struct scene_box box;
	double cost; /* INFINITY: none */
};

static struct place find(struct scene *s, const struct label *l, struct size z, struct scene_box in)
{
	struct place best = {.cost = INFINITY};

	for (int row = 0; row <= (in.h - 4 - z.h) / STEP; row++)
		for (int k = 0; k < 2 * SIDE; k++) {
			struct scene_box box = {place_x(l, z.w, k), in.y + 2 + STEP * row, z.w,
						z.h};
			double cost = distance(l, box);

			if (cost >= best.cost || box.x < in.x + 2 ||
			    box.x + box.w > in.x + in.w - 2)
				continue;
			cost += hidden(s, box) *
				(l->level ? HIDING_LEVEL : HIDING + CROSSING * (z.w + 8) * z.h);
			if (cost < best.cost && text_free(s, box))
				best = (struct place){box, cost};
		}
	return best;
}

bool text_place_one(struct scene *s, const struct label *labels, size_t n, struct scene_box in)
{
	const struct label *chosen = NULL;
	struct place best = {.cost = INFINITY};

	for (size_t i = 0; i < n; i++) {
		struct place at = find(s, &labels[i], measure(s, &labels[i]), in);

		if (at.cost >= best.cost - (i ? SECOND : 0))
			continue;
		best = at;
		chosen = &labels[i];
	}
	if (!chosen || (chosen->optional && hidden(s, best.box) > OPTIONAL_BUSY))
		return false;
	put(s, chosen, measure(s, chosen), best.box);
	return true;
}

bool text_place(struct scene *s, const struct label *l, struct scene_box in)
{
	return text_place_one(s, l, 1, in);
}
