/* The two panels on one time axis: throughput above, temperature with its limits below. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define GUTTER 62.0 /* tick labels of the value axes */
#define HEAD   24.0 /* the name of a panel above it */
#define FOOT   24.0 /* tick labels of the time axis */

static const struct type tick_type = {TYPE_TICK, false, INK_MUTED};

/* Backgrounds: time without load, and throttled time. */
static void shades(struct plot *p, struct scene_box b)
{
	const struct verdict *v = p->v;
	struct scene *s = p->s;

	if (!isnan(v->load_start_s)) {
		double on = plot_x(p, v->load_start_s), off = plot_x(p, v->load_end_s);

		if (on > b.x + 1)
			mark_area(s, INK_PHASE, b.x, b.y, on, b.y + b.h);
		if (off < b.x + b.w - 1)
			mark_area(s, INK_PHASE, off, b.y, b.x + b.w, b.y + b.h);
	}
	for (size_t i = 0; i < v->n_spans; i++) {
		double from = plot_x(p, v->spans[i].start_s);
		double to = fmax(plot_x(p, v->spans[i].end_s), fmin(from + 1, b.x + b.w));

		mark_area(s, INK_SHADE, from, b.y, to, b.y + b.h);
	}
}

static void value_axis(struct plot *p, const struct axis *a, struct scene_box b)
{
	struct scene *s = p->s;

	for (int k = 0; k < a->ticks.n; k++) {
		double v = tick_value(&a->ticks, k), y = axis_px(a, v);
		char label[32];

		mark_line(s, k == 0 && y >= b.y + b.h - 0.5 ? INK_AXIS : INK_GRID, 1, DASH_NONE,
			  b.x, y, b.x + b.w, y);
		axis_label(a, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, b.x - 8, y + 0.36 * TYPE_TICK, ALIGN_RIGHT, tick_type);
		s->current = (int)s->n_panels - 1;
	}
	mark_line(s, INK_AXIS, 1, DASH_NONE, b.x, b.y, b.x, b.y + b.h);
}

static void time_axis(struct plot *p, struct scene_box b, bool words)
{
	struct scene *s = p->s;
	double foot = b.y + b.h;

	for (int k = 0; k < p->time.ticks.n; k++) {
		double v = tick_value(&p->time.ticks, k), x = axis_px(&p->time, v);
		char label[32];

		mark_line(s, INK_AXIS, 1, DASH_NONE, x, foot - 5, x, foot);
		if (!words)
			continue;
		axis_label(&p->time, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, x, foot + 20, ALIGN_CENTER, tick_type);
		s->current = (int)s->n_panels - 1;
	}
}

static int by_row(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* First row that ends after time_s. */
static size_t row_after(const struct series *s, double time_s)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (series_time(s, middle) <= time_s + 1e-6)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void cut_at(const struct plot *p, struct cuts *c, double time_s)
{
	if (!isnan(time_s))
		c->row[c->n++] = row_after(&p->run->series, time_s);
}

/* The mean line breaks where the speed changed its level. The caller frees c->row. */
static void find_cuts(const struct plot *p, struct cuts *c)
{
	const struct verdict *v = p->v;
	const struct series *s = &p->run->series;
	size_t phases = 0;

	for (size_t i = 1; i < s->n; i++)
		phases += s->phase[i] != s->phase[i - 1];
	c->row = xreallocarray(NULL, 2 * (v->n_drops + v->n_spans) + phases + 3, sizeof(*c->row));
	c->n = 0;
	for (size_t i = 0; i < v->n_drops; i++) {
		cut_at(p, c, v->drops[i].start_s);
		cut_at(p, c, v->drops[i].end_s);
	}
	/* Many spans are the swings of one state: the mean runs through them. */
	for (size_t i = 0; i < v->n_spans; i++) {
		if (i == 0 || v->n_spans < 5)
			cut_at(p, c, v->spans[i].start_s);
		if (i + 1 == v->n_spans || v->n_spans < 5)
			cut_at(p, c, v->spans[i].end_s);
	}
	cut_at(p, c, v->onset_time_s);
	for (size_t i = 1; i < s->n; i++)
		if (s->phase[i] != s->phase[i - 1])
			c->row[c->n++] = i;
	qsort(c->row, c->n, sizeof(*c->row), by_row);
}

static struct curve curve_of(struct plot *p, enum field f, const struct axis *axis, double gap_s)
{
	const struct series *s = &p->run->series;
	double px_per_s = (p->time.to - p->time.from) / (p->time.high - p->time.low);

	for (size_t i = 0; i < s->n; i++) {
		p->value[i] = series_get(s, f, i);
		if (f == FIELD_MB_S) {
			p->value[i] = plot_speed(p, p->value[i]);
			/* Idle seconds are no measurement of speed. */
			if (s->phase[i] != PHASE_LOAD && s->op[i] == OP_NONE && !(p->value[i] > 0))
				p->value[i] = (double)NAN;
		}
	}
	return (struct curve){
	    p->x, p->value, s->n, axis, p->time.to - p->time.from, fmax(gap_s * px_per_s, 1.5)};
}

static void speed_panel(struct plot *p, struct scene_box b)
{
	double interval_s = p->run->interval_s > 0 ? p->run->interval_s : 1;
	struct curve c = curve_of(p, FIELD_MB_S, &p->speed, 3.5 * interval_s);
	struct cuts cuts;

	if (curve_dense(&c))
		curve_envelope(p->s, &c, INK_DOTS);
	else
		curve_dots(p->s, &c, INK_DOTS, c.n > 1500 ? 1.3 : 1.8);
	find_cuts(p, &cuts);
	curve_mean(p->s, &c, &cuts, (size_t)fmax(30 / interval_s, (double)c.n / 60), INK_SPEED,
		   2.6);
	free(cuts.row);
	(void)b;
}

struct limit {
	const char *name;
	double c;
	enum ink ink;
	enum scene_dash dash;
};

static void limit_lines(struct plot *p, struct scene_box b)
{
	const struct thermal_limits *l = &p->run->drive.limits;
	const struct limit limits[] = {
	    {"observed limit", p->v->observed_limit_c, INK_HEAT, DASH_NONE},
	    {"WCTEMP", l->wctemp_c, INK_LIMIT, DASH_LONG},
	    {"CCTEMP", l->cctemp_c, INK_LIMIT, DASH_MIXED},
	    {"TMT1", l->tmt1_c, INK_LIMIT, DASH_SHORT},
	    {"TMT2", l->tmt2_c, INK_LIMIT, DASH_DOT},
	};
	const size_t n = sizeof(limits) / sizeof(*limits);

	for (size_t i = 0; i < n; i++) {
		double c = limits[i].c, y = axis_px(&p->temp, c);
		struct type type = {TYPE_TICK, false, limits[i].ink};
		char label[96];
		bool before = false;

		if (isnan(c) || c > p->temp.high || c < p->temp.low)
			continue;
		mark_line(p->s, limits[i].ink, 1.2, limits[i].dash, b.x, y, b.x + b.w, y);
		text_format(label, sizeof(label), "%s", limits[i].name);
		for (size_t k = 0; k < n; k++) {
			if (k == i || !(fabs(limits[k].c - c) < 0.5))
				continue;
			before |= k < i;
			text_format(label + strlen(label), sizeof(label) - strlen(label), " = %s",
				    limits[k].name);
		}
		if (before)
			continue;
		text_format(label + strlen(label), sizeof(label) - strlen(label),
			    " %.0f \xc2\xb0"
			    "C",
			    c);
		/* Moves left until it is free of the other labels. */
		for (double x = b.x + b.w - 6; x > b.x + 60; x -= 20) {
			double width = text_width(p->s, label, type);

			if (x - width < b.x)
				break;
			if (text_put(p->s, label, x, y - 5, ALIGN_RIGHT, type))
				break;
		}
	}
}

static void temp_panel(struct plot *p, struct scene_box b)
{
	enum field hottest = plot_hottest(p);
	struct curve c;

	limit_lines(p, b);
	if (hottest != FIELD_TEMP) {
		c = curve_of(p, hottest, &p->temp, 45);
		if (curve_dense(&c))
			curve_envelope(p->s, &c, INK_SENSOR);
		else
			curve_steps(p->s, &c, INK_SENSOR, 1.4);
	}
	c = curve_of(p, FIELD_TEMP, &p->temp, 45);
	if (curve_dense(&c))
		curve_envelope(p->s, &c, INK_TEMP);
	else
		curve_steps(p->s, &c, INK_TEMP, 2.4);
}

static void panel_name(struct plot *p, struct scene_box b, const char *name, enum ink ink,
		       const char *legend)
{
	struct type bold = {TYPE_LABEL, true, ink}, plain = {TYPE_TICK, false, INK_MUTED};

	text_put(p->s, name, b.x, b.y - 8, ALIGN_LEFT, bold);
	text_put_cut(p->s, legend, b.x + text_width(p->s, name, bold) + 12, b.y - 8,
		     b.w - text_width(p->s, name, bold) - 12, plain);
}

static void speed_name(struct plot *p)
{
	char name[64], legend[128];
	struct curve c = {.n = p->run->series.n, .columns = p->time.to - p->time.from};

	text_format(name, sizeof(name), "throughput, %s", plot_speed_unit(p));
	text_format(legend, sizeof(legend), "%s, line: mean between changes",
		    curve_dense(&c) ? "bars: lowest to highest" : "dots: single readings");
	panel_name(p, p->speed_box, name, INK_SPEED, legend);
}

static void temp_name(struct plot *p)
{
	enum field hottest = plot_hottest(p);
	char legend[128] = "";

	if (hottest != FIELD_TEMP)
		text_format(legend, sizeof(legend), "thick: composite, thin: sensor %d",
			    (int)(hottest - FIELD_SENSOR1) + 1);
	panel_name(p, p->temp_box,
		   "temperature, \xc2\xb0"
		   "C",
		   INK_TEMP, legend);
}

static void split(struct plot *p, struct scene_box box)
{
	double left = box.x + GUTTER, width = box.w - GUTTER - 4;
	double plots = box.h - FOOT - 22 - HEAD * (p->has_temp && p->has_speed ? 2 : 1);
	double upper = p->has_temp ? floor(plots * 0.57) : plots;

	if (!p->has_speed)
		upper = 0;
	p->speed_box = (struct scene_box){left, box.y + HEAD, width, upper};
	p->temp_box = (struct scene_box){
	    left, p->has_speed ? box.y + 2 * HEAD + upper : box.y + HEAD, width, plots - upper};
}

void panels_draw(struct plot *p, struct scene_box box)
{
	static const struct type type = {TYPE_TICK, false, INK_MUTED};
	struct scene *s = p->s;

	split(p, box);
	plot_fit_time(p, p->speed_box.x, p->speed_box.x + p->speed_box.w);
	plot_fit_values(p);
	if (p->has_speed) {
		speed_name(p);
		s->current = scene_panel(s, p->speed_box);
		shades(p, p->speed_box);
		value_axis(p, &p->speed, p->speed_box);
		time_axis(p, p->speed_box, !p->has_temp);
		events_lines(p, p->speed_box);
		speed_panel(p, p->speed_box);
		s->current = -1;
	}
	if (p->has_temp) {
		temp_name(p);
		s->current = scene_panel(s, p->temp_box);
		shades(p, p->temp_box);
		value_axis(p, &p->temp, p->temp_box);
		time_axis(p, p->temp_box, true);
		events_lines(p, p->temp_box);
		temp_panel(p, p->temp_box);
		s->current = -1;
	}
	text_put(s,
		 p->time.ticks.step < 1 ? "seconds from the start of the load"
		 : p->time.high < 3600  ? "minutes:seconds from the start of the load"
					: "hours:minutes from the start of the load",
		 p->speed_box.x + p->speed_box.w / 2, box.y + box.h - 3, ALIGN_CENTER, type);
	events_words(p);
}
