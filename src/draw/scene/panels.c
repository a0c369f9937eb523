/* The panels on one axis: throughput above, temperature with its limits below, or both in one. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/text.h"

#define GUTTER      62.0 /* tick labels of the value axes */
#define HEAD        24.0 /* the name of a panel above it */
#define FOOT        24.0 /* tick labels of the time axis */
#define APART       6.0  /* more between the panels */
#define TITLE       22.0 /* ... and its name */
#define STRIP       44.0 /* in place of a panel that has no data */
#define SMALL       200.0
#define PLOTS_LEAST 30.0

static const struct type tick_type = {TYPE_TICK, false, INK_MUTED};

void panels_value_axis(struct plot *p, const struct axis *a, struct scene_box b, bool right)
{
	struct scene *s = p->s;
	int panel = s->current;
	double x = right ? b.x + b.w : b.x;

	for (int k = 0; k < a->ticks.n; k++) {
		double v = tick_value(&a->ticks, k), y = axis_px(a, v);
		char label[32];

		if (!right)
			mark_line(s, k == 0 && y >= b.y + b.h - 0.5 ? INK_AXIS : INK_GRID, 1,
				  DASH_NONE, b.x, y, b.x + b.w, y);
		axis_label(a, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, right ? x + 8 : x - 8, y + 0.36 * TYPE_TICK,
			 right ? ALIGN_LEFT : ALIGN_RIGHT, tick_type);
		s->current = panel;
	}
	mark_line(s, INK_AXIS, 1, DASH_NONE, x, b.y, x, b.y + b.h);
}

void panels_x_axis(struct plot *p, struct scene_box b, bool words)
{
	struct scene *s = p->s;
	double foot = b.y + b.h;
	int panel = s->current;

	mark_line(s, INK_AXIS, 1, DASH_NONE, b.x, foot, b.x + b.w, foot);
	for (int k = 0; k < p->x.ticks.n; k++) {
		double v = tick_value(&p->x.ticks, k), x = axis_px(&p->x, v);
		char label[32];

		mark_line(s, INK_AXIS, 1, DASH_NONE, x, foot - 5, x, foot);
		if (!words)
			continue;
		axis_label(&p->x, v, label, sizeof(label));
		s->current = -1;
		text_put(s, label, x, foot + 21, ALIGN_CENTER, tick_type);
		s->current = panel;
	}
}

void panels_x_title(struct plot *p, struct scene_box b)
{
	const char *from = isnan(p->v->load_start_s) ? "the start of the log"
			   : p->v->n_legs < 2        ? "the start of the load"
			   : plot_op(p) == OP_READ   ? "the start of reading"
						     : "the start of writing";
	char title[96];

	if (p->moved) {
		char unit[32];

		plot_bytes(p, p->total, unit, sizeof(unit));
		text_format(title, sizeof(title), "%s, %s",
			    p->run->load.legs.n > 1      ? "moved"
			    : p->run->load.op == OP_READ ? "read"
							 : "written",
			    strchr(unit, ' ') ? strchr(unit, ' ') + 1 : "");
	} else {
		text_format(title, sizeof(title), "time from %s, %s", from,
			    p->x.ticks.step < 1 ? "s"
			    : p->x.high < 3600  ? "min:s"
						: "h:min");
	}
	text_put(p->s, title, b.x + b.w / 2, b.y + b.h + FOOT + 15, ALIGN_CENTER, tick_type);
}

static void draw_mean(struct plot *p, struct curve *c)
{
	double window = fmax(30 / p->interval_s, (double)p->n_speeds / 60), rows;
	struct mean mean = {.swings = cuts_swings(p), .width = 2.6};
	struct cuts cuts;

	mean.window = (size_t)fmin(window, (double)c->n);
	rows = fmin(3 * mean.swings.period_s / p->interval_s, (double)c->n);
	mean.swing_window = rows > window ? (size_t)rows : mean.window;
	c->ink = p->speed_ink;
	cuts_find(p, c, &cuts);
	curve_mean(p->s, c, &cuts, &mean);
	free(cuts.row);
}

/* What is missing for less than two px is no blank to be seen. */
static void gap_ticks(struct plot *p, const struct curve *c, struct scene_box b)
{
	char words[48];
	struct label l = {.line = {words},
			  .type = {{TYPE_TICK, false, INK_OTHER}},
			  .y = b.y + 0.06 * b.h,
			  .optional = true};
	size_t n = curve_gaps(p->s, c, b.y, &l.x);

	if (n == 0)
		return;
	text_format(words, sizeof(words), n > 1 ? "data missing \xc3\x97%zu" : "data missing", n);
	text_place(p->s, &l, (struct scene_box){b.x, b.y + 8, b.w, b.h - 8});
}

static void speed_curve(struct plot *p)
{
	struct curve c = plot_curve(p, FIELD_MB_S);

	if (p->shared) {
		if (!c.dense)
			curve_dots(p->s, &c, 1.1);
	} else if (c.dense) {
		c.ink = INK_BAR;
		curve_bars(p->s, &c, 1, false);
		c.ink = INK_DOTS;
		curve_cells(p->s, &c);
	} else {
		c.ink = INK_DOTS;
		curve_dots(p->s, &c,
			   p->n_speeds > 1500  ? 1.3
			   : p->n_speeds > 150 ? 1.8
			   : p->n_speeds > 20  ? 2.6
					       : 4);
	}
	draw_mean(p, &c);
	if (!p->shared)
		gap_ticks(p, &c, p->speed_box);
}

static void temp_curve(struct plot *p, enum field f, enum ink ink, double width)
{
	struct curve c = plot_curve(p, f);

	c.ink = ink;
	if (c.dense)
		curve_bars(p->s, &c, width, true);
	else if (p->n_temps == 1)
		curve_dots(p->s, &c, 4);
	else
		curve_steps(p->s, &c, width);
	if (f == FIELD_TEMP && !p->shared && !p->overlay)
		gap_ticks(p, &c, p->temp_box);
}

void panels_curves(struct plot *p)
{
	struct scene *s = p->s;

	if (p->has_speed) {
		s->current = p->speed_panel;
		speed_curve(p);
	}
	if (p->has_temp) {
		s->current = p->temp_panel;
		if (p->hottest != FIELD_TEMP && !p->shared)
			temp_curve(p, p->hottest, INK_SENSOR, 1.5);
		temp_curve(p, FIELD_TEMP, p->temp_ink, p->overlay ? 1.6 : 2.4);
	}
	s->current = -1;
}

static const char overlay_name[] = "temperature, " DEG_C " (thin line)";

static void panel_name(struct plot *p, struct scene_box b, const char *name, enum ink ink,
		       const char *legend)
{
	struct type bold = {TYPE_LABEL, true, ink};
	double width = text_width(p->s, name, bold);

	text_put(p->s, name, b.x, b.y - 8, ALIGN_LEFT, bold);
	text_put_cut(p->s, legend, b.x + width + 12, b.y - 8, b.w - width - 12, tick_type);
}

/* Beside the name: first what the phases are, then what the marks are, as far as there is room. */
static void add_legend(struct plot *p, double width, bool phases, const char *marks, char *buf,
		       size_t size)
{
	buf[0] = '\0';
	if (phases)
		backs_explain(p, width, buf, size);
	if (*buf &&
	    text_width(p->s, buf, tick_type) + text_width(p->s, marks, tick_type) + 12 > width)
		return;
	text_format(buf + strlen(buf), size - strlen(buf), "%s%s", *buf && *marks ? "; " : "",
		    marks);
}

static void speed_name(struct plot *p)
{
	bool dense = (double)p->n_speeds > 3 * (p->x.to - p->x.from);
	bool overlay = p->has_temp && p->o->style == STYLE_OVERLAY;
	static const struct type bold = {TYPE_LABEL, true, INK_TEMP};
	struct scene_box b = p->speed_box;
	char name[64], legend[300];

	text_format(name, sizeof(name), "throughput, %s", plot_speed_unit(p));
	if (overlay)
		b.w -= text_width(p->s, overlay_name, bold) + 16;
	add_legend(p, b.w - text_width(p->s, name, bold) - 12, overlay || !p->has_temp,
		   p->shared ? dense ? "lines: means between changes"
				     : "dots: single readings, lines: means between changes"
		   : dense   ? "bars: lowest to highest, dark: where most lie, line: mean"
			     : "dots: single readings, line: mean between changes",
		   legend, sizeof(legend));
	panel_name(p, b, name, p->shared ? INK_TEXT : INK_SPEED, legend);
}

static void temp_name(struct plot *p, bool overlay)
{
	static const struct type bold = {TYPE_LABEL, true, INK_TEMP};
	struct scene_box b = p->temp_box;
	char legend[300], marks[64] = "";

	if (overlay) {
		text_put(p->s, overlay_name, b.x + b.w, b.y - 8, ALIGN_RIGHT, bold);
		return;
	}
	if (p->hottest != FIELD_TEMP && !p->shared)
		text_format(marks, sizeof(marks), "thick: composite, thin: sensor %d",
			    (int)(p->hottest - FIELD_SENSOR1) + 1);
	add_legend(p, b.w - text_width(p->s, "temperature, " DEG_C, bold) - 12, true, marks, legend,
		   sizeof(legend));
	panel_name(p, b, "temperature, " DEG_C, p->shared ? INK_TEXT : INK_TEMP, legend);
}

/* Says in place of a panel why it is not there. */
static void strip(struct plot *p, double y, const char *why)
{
	struct scene_box b = {p->speed_box.x, y, p->speed_box.w, STRIP - 10};

	mark_area(p->s, INK_PHASE, b.x, b.y, b.x + b.w, b.y + b.h);
	text_put_cut(p->s, why, b.x + 10, b.y + b.h / 2 + 0.36 * TYPE_TICK, b.w - 20, tick_type);
}

static bool split(struct plot *p, struct scene_box box)
{
	bool both = p->has_speed && p->has_temp;
	bool overlay = both && p->o->style == STYLE_OVERLAY;
	double right = overlay ? GUTTER - 14 + p->gutter : fmax(p->gutter, 8);
	double left = box.x + GUTTER, width = box.w - GUTTER - right;
	double plots = box.h - FOOT - (box.h < SMALL ? 0 : TITLE) -
		       (both && !overlay ? 2 * HEAD + APART : HEAD);
	double upper = floor(plots * 0.57);

	if (!both)
		plots -= STRIP;
	if (!both || overlay)
		upper = p->has_speed ? plots : 0;
	p->speed_box = (struct scene_box){left, box.y + HEAD + (p->has_speed ? 0 : STRIP - HEAD),
					  width, upper};
	p->temp_box = (struct scene_box){left, p->speed_box.y + upper + HEAD + (both ? APART : 0),
					 width, plots - upper};
	if (overlay)
		p->temp_box = p->speed_box;
	return overlay;
}

static void draw_speed(struct plot *p, bool overlay)
{
	struct scene *s = p->s;
	struct scene_box b = p->speed_box;

	speed_name(p);
	s->current = p->speed_panel = scene_panel(s, b);
	if (!p->shared)
		backs_draw(p, b);
	panels_value_axis(p, &p->speed, b, false);
	panels_x_axis(p, b, overlay || !p->has_temp);
	if (!p->shared) {
		events_lines(p, b);
		marks_lines(p, b);
	}
	s->current = -1;
}

static void draw_temp(struct plot *p, bool overlay)
{
	struct scene *s = p->s;
	struct scene_box b = p->temp_box;

	temp_name(p, overlay);
	s->current = p->temp_panel = overlay ? p->speed_panel : scene_panel(s, b);
	if (!overlay && !p->shared)
		backs_draw(p, b);
	panels_value_axis(p, &p->temp, b, overlay);
	if (!overlay) {
		panels_x_axis(p, b, true);
		limits_lines(p);
	}
	if (!overlay && !p->shared) {
		events_lines(p, b);
		marks_lines(p, b);
	}
	s->current = -1;
}

bool panels_frame(struct plot *p, struct scene_box box)
{
	bool overlay = split(p, box);

	if (p->speed_box.h + (overlay ? 0 : p->temp_box.h) < PLOTS_LEAST) {
		p->has_speed = p->has_temp = false;
		if (box.h >= STRIP)
			strip(p, box.y, "No room for plots at this size.");
		return false;
	}
	if (!p->has_speed && !p->has_temp) {
		strip(p, box.y + box.h / 2,
		      "The log has no rows with a throughput or temperature.");
		return false;
	}
	plot_fit_x(p, p->speed_box.x, p->speed_box.x + p->speed_box.w);
	plot_fit_values(p);
	if (overlay) {
		p->hottest = FIELD_TEMP;
		p->overlay = true;
	}
	if (p->has_speed)
		draw_speed(p, overlay);
	if (p->has_temp)
		draw_temp(p, overlay);
	if (!p->has_speed)
		strip(p, box.y, "No throughput was measured: there was no load to time.");
	if (!p->has_temp)
		strip(p, box.y + box.h - STRIP + 10,
		      "No temperature was reported: heat cannot be judged from this log.");
	if (box.h >= SMALL)
		panels_x_title(p, p->has_temp ? p->temp_box : p->speed_box);
	return true;
}

void panels_draw(struct plot *p, struct scene_box box)
{
	if (!panels_frame(p, box))
		return;
	panels_curves(p);
	/* Bars of throughput would hide them. */
	if (p->overlay) {
		p->s->current = p->temp_panel;
		limits_lines(p);
		p->s->current = -1;
	}
	marks_draw(p);
	if (p->has_temp)
		limits_words(p);
	events_words(p);
}
