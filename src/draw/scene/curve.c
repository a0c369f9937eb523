/*
 * Rows to marks. Up to three rows in a px column are drawn as they are; above that each column
 * becomes a bar from its minimum to its maximum, so that no stall and no peak vanishes.
 */
#include "draw/scene/build.h"

bool curve_dense(const struct curve *c)
{
	return (double)c->n > 3 * c->columns;
}

static bool shown(const struct curve *c, size_t i)
{
	return !isnan(c->x[i]) && !isnan(c->y[i]);
}

void curve_dots(struct scene *s, const struct curve *c, enum ink ink, double radius)
{
	mark_begin(s, SCENE_DOTS, ink, radius);
	for (size_t i = 0; i < c->n; i++) {
		double y;

		if (!shown(c, i))
			continue;
		y = axis_px(c->axis, c->y[i]);
		mark_point(s, c->x[i], y);
		busy_line(s, c->x[i], y, c->x[i], y);
	}
}

static void bar(struct scene *s, const struct curve *c, double x, double low, double high)
{
	double y0 = axis_px(c->axis, low), y1 = axis_px(c->axis, high);

	/* A level column is still a mark of a px. */
	if (y0 - y1 < 1) {
		y0 = fmin(y0 + 0.5, fmax(c->axis->from, c->axis->to));
		y1 = fmax(y0 - 1, fmin(c->axis->from, c->axis->to));
	}
	mark_point(s, x, y0);
	mark_point(s, x, y1);
	busy_line(s, x, y0, x, y1);
}

void curve_envelope(struct scene *s, const struct curve *c, enum ink ink)
{
	double column = (double)NAN, low = INFINITY, high = -INFINITY;

	mark_begin(s, SCENE_BARS, ink, 1.1);
	for (size_t i = 0; i < c->n; i++) {
		double at;

		if (!shown(c, i))
			continue;
		at = floor(c->x[i]);
		if (at != column) {
			if (low <= high)
				bar(s, c, column + 0.5, low, high);
			column = at;
			low = INFINITY;
			high = -INFINITY;
		}
		low = fmin(low, c->y[i]);
		high = fmax(high, c->y[i]);
	}
	if (low <= high)
		bar(s, c, column + 0.5, low, high);
}

void curve_steps(struct scene *s, const struct curve *c, enum ink ink, double width)
{
	double x = (double)NAN, y = 0;

	for (size_t i = 0; i < c->n; i++) {
		double to;

		if (!shown(c, i))
			continue;
		to = axis_px(c->axis, c->y[i]);
		if (isnan(x) || c->x[i] - x > c->gap) {
			mark_begin(s, SCENE_LINE, ink, width);
			mark_point(s, c->x[i], to);
		} else if (fabs(to - y) > 0.01) {
			/* A reading holds until the next one. */
			mark_point(s, c->x[i], y);
			mark_point(s, c->x[i], to);
			busy_line(s, x, y, c->x[i], y);
			busy_line(s, c->x[i], y, c->x[i], to);
		} else {
			busy_line(s, x, y, c->x[i], y);
			/* Moves the end of the level part, or starts it. */
			if (s->mark[s->n_marks - 1].n > 1 &&
			    fabs(s->point[s->n_points - 2].y - to) < 0.01)
				s->point[s->n_points - 1].x = c->x[i];
			else
				mark_point(s, c->x[i], to);
		}
		x = c->x[i];
		y = to;
	}
}

/* Mean of the values in rows from <= i < to; NAN if there are none. */
struct sum {
	double total;
	size_t n;
};

static void sum_add(struct sum *sum, double value, int sign)
{
	if (isnan(value))
		return;
	sum->total += sign * value;
	sum->n += (size_t)sign;
}

/* One piece between two cuts: a running mean over `window` rows that never looks outside it. */
static void mean_piece(struct scene *s, const struct curve *c, size_t from, size_t to,
		       size_t window, enum ink ink, double width)
{
	struct sum sum = {0, 0};
	size_t half = window / 2, head = from, tail = from;
	double last = (double)NAN;

	for (size_t i = from; i < to; i++) {
		double y;

		for (; head < to && head <= i + half; head++)
			sum_add(&sum, c->y[head], 1);
		for (; tail + half < i; tail++)
			sum_add(&sum, c->y[tail], -1);
		if (!shown(c, i) || sum.n == 0)
			continue;
		if (!isnan(last) && c->x[i] - last < 0.5)
			continue;
		y = axis_px(c->axis, sum.total / (double)sum.n);
		if (isnan(last) || c->x[i] - last > c->gap)
			mark_begin(s, SCENE_LINE, ink, width);
		mark_point(s, c->x[i], y);
		if (!isnan(last))
			busy_line(s, s->point[s->n_points - 2].x, s->point[s->n_points - 2].y,
				  c->x[i], y);
		last = c->x[i];
	}
}

void curve_mean(struct scene *s, const struct curve *c, const struct cuts *cuts, size_t window,
		enum ink ink, double width)
{
	size_t from = 0;

	for (size_t k = 0; k <= cuts->n; k++) {
		size_t to = k < cuts->n ? cuts->row[k] : c->n;

		if (to > from)
			mean_piece(s, c, from, to, window, ink, width);
		from = to > from ? to : from;
	}
}
