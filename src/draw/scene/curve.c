/*
 * Rows to marks. Up to three rows in a px column are drawn as they are; above that each column
 * becomes a bar from its minimum to its maximum, so that no stall and no peak vanishes.
 */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"

#define BASELINE_GAP_S 65.0 /* idle drives are asked every 30 s */

#define GAP_SEEN_PX 2.0 /* so wide a gap leaves a whole column blank */
#define GAP_TICK_PX 7.0

static bool shown(const struct curve *c, size_t i)
{
	return !isnan(c->x[i]) && !isnan(c->y[i]);
}

/* Nothing is known between rows a and b, which are neighbours among those with a value. */
static bool gap(const struct curve *c, size_t a, size_t b)
{
	double most = c->phase[a] == PHASE_BASELINE ? fmax(c->gap_s, BASELINE_GAP_S) : c->gap_s;

	return c->t[b] - c->t[a] > most;
}

void curve_dots(struct scene *s, const struct curve *c, double radius)
{
	mark_begin(s, SCENE_DOTS, c->ink, radius);
	for (size_t i = 0; i < c->n; i++) {
		double y;

		if (!shown(c, i))
			continue;
		y = axis_px(c->axis, c->y[i]);
		mark_point(s, c->x[i], y);
		busy_line(s, c->x[i], y, c->x[i], y);
	}
}

/* One px column of a dense curve. */
struct column {
	double x, low, high; /* x NAN: none yet */
};

static void put_bar(struct scene *s, const struct curve *c, const struct column *col, double least)
{
	double top = fmin(c->axis->from, c->axis->to), foot = fmax(c->axis->from, c->axis->to);
	double y0 = axis_px(c->axis, col->low), y1 = axis_px(c->axis, col->high);

	/* A level column is still a mark. */
	if (y0 - y1 < least) {
		y0 = fmin((y0 + y1 + least) / 2, foot);
		y1 = fmax(y0 - least, top);
	}
	mark_point(s, col->x, y1);
	mark_point(s, fmin(col->x + 1, c->right), y0);
	busy_line(s, col->x, y0, col->x, y1);
}

void curve_bars(struct scene *s, const struct curve *c, double least, bool joined)
{
	struct column col = {(double)NAN, INFINITY, -INFINITY};
	double last = (double)NAN;
	size_t before = 0;

	mark_begin(s, SCENE_AREA, c->ink, 0);
	for (size_t i = 0; i < c->n; i++) {
		double x;

		if (!shown(c, i))
			continue;
		x = floor(c->x[i]);
		if (x != col.x) {
			bool next = joined && x == col.x + 1 && !gap(c, before, i);
			double at = next ? last : (double)NAN;

			if (!isnan(col.x))
				put_bar(s, c, &col, least);
			col = (struct column){x, fmin(at, INFINITY), fmax(at, -INFINITY)};
		}
		last = c->y[i];
		before = i;
		col.low = last < col.low ? last : col.low;
		col.high = last > col.high ? last : col.high;
	}
	if (!isnan(col.x))
		put_bar(s, c, &col, least);
}

#define CELL 3.0 /* px of height */

/* Cells of one column that hold more than their share of its values. */
static void put_cells(struct scene *s, const struct curve *c, const unsigned *count, size_t cells,
		      double x, unsigned all)
{
	double foot = c->axis->from, top = c->axis->to;

	for (size_t k = 0; k < cells; k++) {
		size_t end = k;

		while (end < cells && count[end] > 1 && count[end] * 10 >= all)
			end++;
		if (end == k)
			continue;
		mark_point(s, x, fmax(foot - CELL * (double)end, top));
		mark_point(s, fmin(x + 1, c->right), foot - CELL * (double)k);
		k = end;
	}
}

void curve_cells(struct scene *s, const struct curve *c)
{
	size_t cells = (size_t)((c->axis->from - c->axis->to) / CELL) + 1;
	unsigned *count = xzalloc(cells * sizeof(*count)), all = 0;
	double column = (double)NAN;

	mark_begin(s, SCENE_AREA, c->ink, 0);
	for (size_t i = 0; i < c->n; i++) {
		if (!shown(c, i))
			continue;
		if (floor(c->x[i]) != column) {
			if (all)
				put_cells(s, c, count, cells, column, all);
			memset(count, 0, cells * sizeof(*count));
			all = 0;
			column = floor(c->x[i]);
		}
		count[(size_t)((c->axis->from - axis_px(c->axis, c->y[i])) / CELL)]++;
		all++;
	}
	if (all)
		put_cells(s, c, count, cells, column, all);
	free(count);
}

void curve_steps(struct scene *s, const struct curve *c, double width)
{
	double x = (double)NAN, y = 0;
	size_t last = 0;

	for (size_t i = 0; i < c->n; i++) {
		double to;

		if (!shown(c, i))
			continue;
		to = axis_px(c->axis, c->y[i]);
		if (isnan(x) || gap(c, last, i)) {
			mark_begin(s, SCENE_LINE, c->ink, width)->dash = c->dash;
			mark_point(s, c->x[i], to);
		} else {
			busy_line(s, x, y, c->x[i], y);
			busy_line(s, c->x[i], y, c->x[i], to);
			/* A reading holds until the next one; level parts are one line. */
			if (s->mark[s->n_marks - 1].n > 1 &&
			    fabs(s->point[s->n_points - 2].y - y) < 0.01)
				s->point[s->n_points - 1].x = c->x[i];
			else
				mark_point(s, c->x[i], y);
			if (fabs(to - y) > 0.01)
				mark_point(s, c->x[i], to);
		}
		x = c->x[i];
		y = to;
		last = i;
	}
}

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

/*
 * A running mean that never looks outside the piece. Towards its ends the window shrinks, down to
 * `least` rows to each side, so that the mean does not lag where the value moves.
 */
static void smooth(const double *in, double *out, size_t n, size_t half, size_t least)
{
	struct sum sum = {0, 0};
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < n; i++) {
		size_t edge = i < n - 1 - i ? i : n - 1 - i;
		size_t reach = edge < half ? edge : half;
		size_t from, to;

		reach = reach < least ? least : reach;
		from = i > reach ? i - reach : 0;
		to = i + reach + 1 < n ? i + reach + 1 : n;
		for (; head < to; head++)
			sum_add(&sum, in[head], 1);
		for (; tail < from; tail++)
			sum_add(&sum, in[tail], -1);
		for (; tail > from; tail--)
			sum_add(&sum, in[tail - 1], 1);
		for (; head > to; head--)
			sum_add(&sum, in[head - 1], -1);
		out[i] = sum.n ? sum.total / (double)sum.n : (double)NAN;
	}
}

/* The window is whole swings and keeps its width, so that the mean is one of the swings. */
static void smooth_swings(const double *in, double *out, size_t n, size_t window)
{
	struct sum sum = {0, 0};
	size_t width = window < n ? window : n, half = width / 2, from = 0;

	for (size_t i = 0; i < width; i++)
		sum_add(&sum, in[i], 1);
	for (size_t i = 0; i < n; i++) {
		if (i > half && from + width < n) {
			sum_add(&sum, in[from], -1);
			sum_add(&sum, in[from + width], 1);
			from++;
		}
		out[i] = sum.n ? sum.total / (double)sum.n : (double)NAN;
	}
}

static void put_mean(struct scene *s, const struct curve *c, size_t from, size_t to,
		     const double *mean, double width)
{
	double x = (double)NAN;
	size_t last = from;

	for (size_t i = from; i < to; i++) {
		bool broken;
		double y;

		if (!shown(c, i))
			continue;
		broken = isnan(x) || gap(c, last, i);
		last = i;
		/* More than two points a px would not be seen. */
		if (!broken && c->x[i] - x < 0.5 && i + 1 < to)
			continue;
		y = axis_px(c->axis, mean[i - from]);
		if (broken)
			mark_begin(s, SCENE_LINE, c->ink, width)->dash = c->dash;
		mark_point(s, c->x[i], y);
		if (!broken)
			busy_line(s, x, s->point[s->n_points - 2].y, c->x[i], y);
		x = c->x[i];
	}
}

void curve_mean(struct scene *s, const struct curve *c, const struct cuts *cuts,
		const struct mean *mean)
{
	double *once = xreallocarray(NULL, c->n ? c->n : 1, sizeof(*once));
	double *twice = xreallocarray(NULL, c->n ? c->n : 1, sizeof(*twice));
	size_t from = 0, third = mean->window / 3;

	for (size_t k = 0; k <= cuts->n; k++) {
		size_t to = k < cuts->n ? cuts->row[k] : c->n, n = to - from;

		if (to <= from)
			continue;
		/* Twice: a single pass gives corners that are not in the data. */
		if (!isnan(mean->swings.period_s) && from >= mean->swings.first &&
		    to <= mean->swings.end) {
			smooth_swings(c->y + from, once, n, mean->swing_window);
			smooth(once, twice, n, third, 0);
		} else {
			smooth(c->y + from, once, n, third, third / 2);
			smooth(once, twice, n, third, 0);
		}
		put_mean(s, c, from, to, twice, mean->width);
		from = to;
	}
	free(once);
	free(twice);
}

size_t curve_gaps(struct scene *s, const struct curve *c, double top, double *first_x)
{
	size_t n = 0, last = c->n;
	double tick = (double)NAN;

	for (size_t i = 0; i < c->n; i++) {
		if (!shown(c, i))
			continue;
		/* Rows without a place on the axis are not missing. */
		if (last < i && !isnan(c->x[last + 1]) && gap(c, last, i) &&
		    c->x[i] - c->x[last] < GAP_SEEN_PX) {
			double x = (c->x[last] + c->x[i]) / 2;

			if (n++ == 0)
				*first_x = x;
			if (!(x - tick < GAP_SEEN_PX)) {
				mark_line(s, INK_OTHER, 1.4, DASH_NONE, x, top, x,
					  top + GAP_TICK_PX);
				busy_line(s, x, top, x, top + GAP_TICK_PX);
				tick = x;
			}
		}
		last = i;
	}
	return n;
}
