/*
 * Where the mean line breaks: at what the verdict names, at changes of phase, and at clear steps
 * that nobody named. A mean across a step would draw a slope that never was.
 */
#include <stdlib.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"

#define STEP        0.08 /* of the higher side */
#define UNEXPLAINED 0.6  /* what a split may leave of the squared deviation */
#define SHARP       3    /* rows beside a step */
#define SWINGS      4
#define SPLITS_MAX  24 /* more would not be read */

enum { SWING_FIRST = 1, SWING_LAST = 2 };

static void add(struct cuts *c, size_t row)
{
	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 32;
		c->row = xreallocarray(c->row, c->cap, sizeof(*c->row));
	}
	c->row[c->n++] = row;
}

static void add_time(const struct plot *p, struct cuts *c, double time_s)
{
	if (!isnan(time_s))
		add(c, plot_row_after(p, time_s));
}

/*
 * Where drop i stands among those that recovered. Many of them are the swings of one
 * state, which the mean runs through; few are each the first and the last.
 */
static int swing(const struct verdict *v, size_t i)
{
	int n = 0, at = SWING_FIRST | SWING_LAST;

	if (isnan(v->drops[i].end_s))
		return at;
	for (size_t k = 0; k < v->n_drops; k++) {
		if (isnan(v->drops[k].end_s))
			continue;
		n++;
		at &= ~(k < i ? SWING_FIRST : k > i ? SWING_LAST : 0);
	}
	return n > SWINGS ? at : SWING_FIRST | SWING_LAST;
}

static int by_speed(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct swings cuts_swings(const struct plot *p)
{
	const struct verdict *v = p->v;
	struct swings w = {0, 0, (double)NAN, (double)NAN, (double)NAN};
	double *high = xreallocarray(NULL, v->n_drops + 1, sizeof(*high));
	double *low = xreallocarray(NULL, v->n_drops + 1, sizeof(*low));
	size_t n = 0, last = 0;

	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];

		if (isnan(d->end_s) || isnan(d->from_mb_s) || isnan(d->to_mb_s))
			continue;
		if (n == 0)
			w.first = i;
		high[n] = d->from_mb_s;
		low[n++] = d->to_mb_s;
		last = i;
	}
	if (n > SWINGS) {
		qsort(high, n, sizeof(*high), by_speed);
		qsort(low, n, sizeof(*low), by_speed);
		w.high_mb_s = high[n / 2];
		w.low_mb_s = low[n / 2];
		w.period_s = (v->drops[last].start_s - v->drops[w.first].start_s) / (double)(n - 1);
		w.first = plot_row_after(p, v->drops[w.first].start_s);
		w.end = plot_row_after(p, v->drops[last].end_s);
	}
	free(high);
	free(low);
	return w;
}

static void add_verdict(const struct plot *p, struct cuts *c)
{
	const struct verdict *v = p->v;

	for (size_t i = 0; i < v->n_drops; i++) {
		int at = swing(v, i);

		if (at & SWING_FIRST)
			add_time(p, c, v->drops[i].start_s);
		if (at & SWING_LAST)
			add_time(p, c, v->drops[i].end_s);
	}
	/* Many spans are the swings of one state: the mean runs through them. */
	for (size_t i = 0; i < v->n_spans; i++) {
		if (i == 0 || v->n_spans < 5)
			add_time(p, c, v->spans[i].start_s);
		if (i + 1 == v->n_spans || v->n_spans < 5)
			add_time(p, c, v->spans[i].end_s);
	}
	add_time(p, c, v->onset_time_s);
}

struct moments {
	double n, sum, squares;
};

static void take(struct moments *m, double y)
{
	if (isnan(y))
		return;
	m->n++;
	m->sum += y;
	m->squares += y * y;
}

/* Squared deviation from the mean. */
static double deviation(struct moments m)
{
	return m.n > 0 ? fmax(m.squares - m.sum * m.sum / m.n, 0) : 0;
}

/* A step happens between two rows; a slope, which a split explains as well, does not. */
static bool is_sharp(const double *y, size_t from, size_t cut, size_t to, double step)
{
	struct moments before = {0, 0, 0}, after = {0, 0, 0};

	for (size_t i = cut; i-- > from && before.n < SHARP;)
		take(&before, y[i]);
	for (size_t i = cut; i < to && after.n < SHARP; i++)
		take(&after, y[i]);
	return fabs(before.sum / before.n - after.sum / after.n) > step / 2;
}

/* Where one step explains most of what varies in rows from..to; 0 if none explains enough. */
static size_t best_split(const double *y, size_t from, size_t to)
{
	struct moments all = {0, 0, 0}, left = {0, 0, 0};
	double least = INFINITY, step = 0, high = 0;
	size_t best = 0;

	for (size_t i = from; i < to; i++)
		take(&all, y[i]);
	for (size_t i = from; i + 1 < to; i++) {
		struct moments right;
		double rest;

		take(&left, y[i]);
		right = (struct moments){all.n - left.n, all.sum - left.sum,
					 all.squares - left.squares};
		if (left.n == 0 || right.n == 0)
			continue;
		rest = deviation(left) + deviation(right);
		if (rest < least) {
			double a = left.sum / left.n, b = right.sum / right.n;

			least = rest;
			best = i + 1;
			step = fabs(a - b);
			high = fmax(a, b);
		}
	}
	if (least >= UNEXPLAINED * deviation(all) || step < STEP * high ||
	    !is_sharp(y, from, best, to, step))
		return 0;
	return best;
}

/* Splits each piece between known cuts, again and again; swings have no one best step. */
static void add_steps(const struct curve *c, const struct cuts *known, struct cuts *found)
{
	size_t stack[SPLITS_MAX + 1], from = 0;

	for (size_t k = 0; k <= known->n; k++) {
		size_t to = k < known->n ? known->row[k] : c->n, n = 0;

		if (to <= from)
			continue;
		stack[n++] = to;
		while (n > 0) {
			size_t cut = found->n + n > SPLITS_MAX
					 ? 0
					 : best_split(c->y, from, stack[n - 1]);

			if (cut) {
				stack[n++] = cut;
				continue;
			}
			from = stack[--n];
			if (from != to)
				add(found, from);
		}
	}
}

static int by_row(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void sort(struct cuts *c)
{
	if (c->n)
		qsort(c->row, c->n, sizeof(*c->row), by_row);
}

void cuts_find(const struct plot *p, const struct curve *c, struct cuts *out)
{
	const struct series *s = &p->run->series;
	struct cuts found = {NULL, 0, 0};

	*out = (struct cuts){NULL, 0, 0};
	add_verdict(p, out);
	for (size_t i = 1; i < s->n; i++)
		if (s->phase[i] != s->phase[i - 1])
			add(out, i);
	sort(out);
	add_steps(c, out, &found);
	for (size_t i = 0; i < found.n; i++)
		add(out, found.row[i]);
	sort(out);
	free(found.row);
}
