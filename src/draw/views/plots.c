/*
 * Throughput and temperature over one time axis: limit lines, the throttle point, phases and
 * events. A column of dots shows the least and the greatest value in its time, so no spike and no
 * dip is averaged away.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_cells.h"
#include "draw/views/plot.h"
#include "draw/views/views.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define LABELS_FROM    60 /* ... if the plot is at least so wide */
#define HOLD_TEMP_S    65 /* idle drives are asked every 30 s: the line goes on between */
#define UNIT_FROM      5  /* rows of a plot that names its unit */
#define SOURCE_HOTTEST FIELD_COUNT

static double source_value(const struct frame *f, const struct series *s, enum field source,
			   size_t i)
{
	if (source == SOURCE_HOTTEST)
		return show_temp(f, view_hottest(s, i, NULL));
	if (source == FIELD_TEMP)
		return show_temp(f, series_get(s, source, i));
	if (source == FIELD_LAT_AVG)
		return series_get(s, source, i) / 1e3;
	if (source == FIELD_UTIL)
		return series_get(s, source, i);
	return show_speed(f, series_get(s, source, i));
}

/* The source in the window, in the units of the screen. */
struct trace {
	const double *t_s; /* the series' */
	double *v;         /* NAN where nothing was reported; owned */
	size_t n;
	double low, high; /* NAN if there is no value */
};

static struct trace trace_take(const struct plot *p, const struct series *s, enum field source)
{
	struct trace t = {.low = NAN, .high = NAN};
	size_t first = s->n ? row_at(s, p->t.from_s) : 0;

	if (first == s->n)
		first = 0;
	while (first + t.n < s->n && series_time(s, first + t.n) <= p->t.to_s)
		t.n++;
	t.t_s = s->n ? s->col[FIELD_TIME] + first : NULL;
	t.v = xreallocarray(NULL, t.n + 1, sizeof(*t.v));
	for (size_t i = 0; i < t.n; i++) {
		double v = t.v[i] = source_value(p->f, s, source, first + i);

		/* Written so that the first value replaces NAN. */
		if (!(v >= t.low) && !isnan(v))
			t.low = v;
		if (!(v <= t.high) && !isnan(v))
			t.high = v;
	}
	return t;
}

static bool dots_above(const struct dots *d, int x, int y)
{
	while (--y >= 0)
		if (d->bits[y * d->at.w + x])
			return true;
	return false;
}

/* A light shade below the curve: tells the two plots apart, and shows how much there is. */
static void fill_below(const struct dots *d, struct canvas *c, enum tint tint)
{
	uint32_t shade = d->charset == CHARSET_BRAILLE ? 0x2810 : 0x2591;

	for (int x = 0; x < d->at.w; x++)
		for (int y = d->at.h - 1; y >= 0 && !d->bits[y * d->at.w + x]; y--)
			if (canvas_at(c, d->at.x + x, d->at.y + y)->ch == ' ' &&
			    dots_above(d, x, y))
				canvas_put(c, d->at.x + x, d->at.y + y, shade, tint, 0);
}

/*
 * A value holds from the one before it to its own time, if that is at most `hold_s`. `stride` 2
 * leaves out every other column, which tells two lines apart. Frees the trace.
 */
static void trace_draw(const struct plot *p, struct trace *t, double hold_s, int stride, bool fill,
		       enum tint tint)
{
	struct dots d;
	double last_s = NAN, last_v = NAN, per_s;
	int last_x = -1;

	dots_init(&d, p->f->c->charset, p->r);
	per_s = (d.w - 1) / (p->t.to_s - p->t.from_s);
	for (size_t i = 0; i < t->n && d.w > 0; i++) {
		double t_s = t->t_s[i], v = t->v[i];
		bool joined = t_s - last_s <= hold_s;
		int x = (int)((t_s - p->t.from_s) * per_s + 0.5), row;

		if (isnan(v) || t_s < p->t.from_s)
			continue;
		last_s = t_s;
		/* Many rows fall on one dot: long runs cost no more than short ones. */
		if (x == last_x && v == last_v)
			continue;
		row = plot_row(p, v, d.h);
		for (int k = joined ? last_x : x; k <= x; k++)
			if (k % stride == 0)
				dots_set(&d, k, row);
		if (joined && last_x % stride == 0)
			dots_column(&d, last_x, plot_row(p, last_v, d.h), row);
		last_v = v;
		last_x = x;
	}
	if (fill)
		fill_below(&d, p->f->c, tint);
	dots_paint(&d, p->f->c, tint);
	dots_fini(&d);
	free(t->v);
}

/* A top with a free row above the curve: there stands the label of the throttle point. */
static double speed_top(double peak, int rows)
{
	static const double tops[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double room = peak * (1 + fmin(1.2 / rows, 0.25)), power = pow(10, floor(log10(room)));

	for (size_t k = 0; k < sizeof(tops) / sizeof(*tops); k++)
		if (tops[k] * power >= room)
			return tops[k] * power;
	return 10 * power;
}

static void draw_speed(struct plot *p, size_t i, bool throttle_label)
{
	const struct session_drive *d = &p->f->s->drive[i];
	struct trace speed = trace_take(p, &d->run.series, FIELD_MB_S);
	double hold_s = 2.5 * fmax(d->run.interval_s, 1);

	p->low = 0;
	p->high = speed.high > 0 ? speed_top(speed.high, p->r.h) : 100;
	plot_scale(p, p->high < 2 ? 1 : 0);
	plot_moments(p, i, throttle_label);
	if (p->r.h >= UNIT_FROM)
		canvas_text(p->f->c, p->r.x + 1, p->r.y, p->r.w - 1, TINT_FAINT, 0,
			    speed_unit(p->f));
	trace_draw(p, &speed, hold_s, 1, p->f->c->charset != CHARSET_ASCII, TINT_SPEED);
}

/* The scale holds what was measured and the limits that are near. */
static void temp_scale(struct plot *p, size_t i, double low, double high)
{
	double step = p->f->v->fahrenheit ? 10 : 5;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_of(p->f, i, limits);

	if (isnan(low)) {
		low = show_temp(p->f, 20);
		high = show_temp(p->f, 40);
	}
	for (size_t k = 0; k < n; k++) {
		double v = show_temp(p->f, limits[k].c);

		/* Always the nearest limit: how far it is away is what people look for. */
		if (k == 0 || v < high + 3 * step)
			high = fmax(high, v);
	}
	p->low = floor((low - step / 5) / step) * step;
	p->high = ceil((high + step / 5) / step) * step;
}

/* A drive without temperature: how busy others keep it, or how long our requests take. */
static void draw_instead(struct plot *p, size_t i)
{
	const struct session_drive *d = &p->f->s->drive[i];
	bool busy = d->run.load.op == OP_NONE && d->can[FIELD_UTIL];
	struct trace t = trace_take(p, &d->run.series, busy ? FIELD_UTIL : FIELD_LAT_AVG);
	bool fast = !busy && t.high < 1;
	int used;

	for (size_t k = 0; k < t.n && fast; k++)
		t.v[k] *= 1e3;
	t.high *= fast ? 1e3 : 1;
	p->low = 0;
	p->high = busy ? 100 : t.high > 0 ? speed_top(t.high, p->r.h) : 10;
	plot_scale(p, p->high < 2 ? 1 : 0);
	plot_moments(p, i, false);
	trace_draw(p, &t, 2.5 * fmax(d->run.interval_s, 1), 1, false, TINT_PLAIN);
	used = canvas_text(p->f->c, p->r.x + 1, p->r.y, p->r.w - 1, TINT_FAINT, 0,
			   busy   ? "% busy"
			   : fast ? "µs latency"
				  : "ms latency");
	canvas_text(p->f->c, p->r.x + used + 3, p->r.y, p->r.w - used - 3, TINT_WARN, 0,
		    "the drive reports no temperature");
}

static void draw_temp(struct plot *p, size_t i, bool labels)
{
	const struct session_drive *d = &p->f->s->drive[i];
	const struct series *s = &d->run.series;
	struct trace temp, hottest;

	if (!reports_heat(d)) {
		draw_instead(p, i);
		return;
	}
	temp = trace_take(p, s, FIELD_TEMP);
	hottest = trace_take(p, s, SOURCE_HOTTEST);
	temp_scale(p, i, fmin(temp.low, hottest.low), fmax(temp.high, hottest.high));
	plot_scale(p, 0);
	plot_moments(p, i, false);
	plot_limit_lines(p, i);
	if (p->r.h >= UNIT_FROM)
		canvas_text(p->f->c, p->r.x + 1, p->r.y, p->r.w - 1, TINT_FAINT, 0,
			    temp_unit(p->f));
	if (isnan(temp.high) && isnan(hottest.high) && s->n)
		canvas_text(p->f->c, p->r.x + 1, p->r.y + p->r.h / 2, p->r.w - 2, TINT_WARN, 0,
			    "no temperature in this time");
	trace_draw(p, &hottest, HOLD_TEMP_S, 2, false, TINT_SENSOR);
	trace_draw(p, &temp, HOLD_TEMP_S, 1, false, TINT_TEMP);
	plot_limit_names(p, i, labels);
}

static void draw_beside(const struct frame *f, size_t i, struct rect r, struct time_axis t)
{
	int w = (r.w - 1) / 2, axis = r.h >= 4 ? 1 : 0;
	bool labels = w >= LABELS_FROM;
	struct plot speed = {f, {r.x + GUTTER, r.y, w - GUTTER, r.h - axis}, t, 0, 1};
	struct plot temp = speed;

	temp.r.x = r.x + w + 1 + GUTTER;
	temp.r.w = r.w - w - 1 - GUTTER - (labels ? LABELS : 0);
	draw_speed(&speed, i, labels);
	draw_temp(&temp, i, labels);
	speed.r.y = temp.r.y = r.y + r.h - 1;
	if (axis) {
		plot_time(&speed);
		plot_time(&temp);
	}
}

void draw_plots(const struct frame *f, size_t i, struct rect r, bool beside)
{
	struct time_axis t = time_axis_of(f);
	bool labels = r.w >= LABELS_FROM;
	int strip = r.h >= 8 ? 1 : 0, axis = r.h >= 5 ? 1 : 0, rows = r.h - strip - axis;
	struct plot p = {f, {r.x + GUTTER, r.y, r.w - GUTTER, 0}, t, 0, 1};

	if (r.w < GUTTER + 4 || r.h < 2)
		return;
	if (beside) {
		draw_beside(f, i, r, t);
		return;
	}
	p.r.w -= labels ? LABELS : 0;
	p.r.h = rows / 2;
	draw_speed(&p, i, labels);
	p.r.y += p.r.h;
	if (strip) {
		plot_strip(&p, i);
		p.r.y++;
	}
	p.r.h = rows - rows / 2;
	draw_temp(&p, i, labels);
	p.r.y += p.r.h;
	if (axis)
		plot_time(&p);
}
