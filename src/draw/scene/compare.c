/* Runs laid over each other: the same panels, a letter for each run, and a table of differences. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define ROW      23.0
#define HEAD     24.0
#define WIDE     1000.0
#define RADIUS   9.0
#define PLOTS_PX 180.0 /* that a long table leaves to the plots */

static const enum ink inks[] = {INK_RUN1, INK_RUN2, INK_RUN3, INK_RUN4};
static const enum scene_dash dashes[] = {DASH_NONE, DASH_LONG, DASH_MIXED, DASH_SHORT};
#define STYLES    4
#define NAMED_MAX 8

static enum ink ink_of(size_t k)
{
	return inks[k % STYLES];
}

static void letter(size_t k, char buf[8])
{
	text_format(buf, 8, k < 26 ? "%c" : "#%d", k < 26 ? (int)('A' + k) : (int)k);
}

static bool was_tested(const struct plot *p)
{
	const struct series *s = &p->run->series;

	for (size_t i = 0; i < s->n; i++)
		if (s->phase[i] == PHASE_PROBE || s->phase[i] == PHASE_RESTART)
			return true;
	return false;
}

/* All plots get one span of time, speed and temperature, so that they fit the same axes. */
static void share(struct plot *p, size_t n)
{
	double from = INFINITY, to = -INFINITY, speed = -INFINITY, low = INFINITY, high = -INFINITY;
	double total = 0;
	bool has_speed = false, has_temp = false;

	for (size_t i = 0; i < n; i++)
		p[0].tested |= i > 0 && was_tested(&p[i]);
	for (size_t i = 0; i < n; i++) {
		from = fmin(from, p[i].begin_s - p[i].zero_s);
		to = fmax(to, p[i].end_s - p[i].zero_s);
		speed = fmax(speed, p[i].speed_max);
		low = fmin(low, p[i].temp_min);
		high = fmax(high, p[i].temp_max);
		total = fmax(total, p[i].total);
		has_speed |= p[i].has_speed;
		has_temp |= p[i].has_temp;
	}
	for (size_t i = 0; i < n; i++) {
		p[i].shared = true;
		p[i].begin_s = from + p[i].zero_s;
		p[i].end_s = to + p[i].zero_s;
		p[i].speed_max = speed;
		p[i].temp_min = low;
		p[i].temp_max = high;
		p[i].total = total;
		p[i].has_speed = has_speed;
		p[i].has_temp = has_temp;
		p[i].speed_ink = p[i].temp_ink = ink_of(i);
		p[i].speed_dash = p[i].temp_dash = dashes[i % STYLES];
	}
}

static void take_frame(struct plot *p, const struct plot *from)
{
	p->speed_box = from->speed_box;
	p->temp_box = from->temp_box;
	p->speed_panel = from->speed_panel;
	p->temp_panel = from->temp_panel;
	plot_fit_x(p, p->speed_box.x, p->speed_box.x + p->speed_box.w);
	plot_fit_values(p);
}

/* A disc with the run's letter. */
static void disc(struct scene *s, int panel, size_t k, double x, double y)
{
	struct type type = {TYPE_CAPTION, true, INK_PAPER};
	char name[8];

	letter(k, name);
	s->current = panel;
	mark_begin(s, SCENE_RING, ink_of(k), RADIUS);
	mark_point(s, x, y);
	s->current = -1;
	text_put(s, name, x, y + 0.36 * type.size, ALIGN_CENTER, type);
	busy_box(s, (struct scene_box){x - 12, y - 12, 24, 24});
}

static double clamp_in(double v, double low, double size)
{
	return fmin(fmax(v, low + RADIUS + 3), low + size - RADIUS - 3);
}

/* The run's letter at its throttle point. */
static void onset(struct plot *p, size_t k)
{
	const struct verdict *v = p->v;
	double x, c = isnan(v->onset_c) ? plot_temp_at(p, v->onset_time_s) : v->onset_c;

	if (isnan(v->onset_time_s))
		return;
	x = plot_x(p, v->onset_time_s);
	if (p->has_speed && !isnan(v->before_mb_s))
		disc(p->s, p->speed_panel, k, clamp_in(x, p->speed_box.x, p->speed_box.w),
		     axis_px(&p->speed, plot_speed(p, v->before_mb_s)));
	if (p->has_temp && !isnan(c))
		disc(p->s, p->temp_panel, k, clamp_in(x, p->temp_box.x, p->temp_box.w),
		     axis_px(&p->temp, c));
}

/* ... and beside its curves at a place near the end of the load. */
static void names(struct plot *p, size_t k)
{
	double end_s = isnan(p->v->load_end_s) ? p->end_s : p->v->load_end_s;
	double at_s = p->zero_s + (end_s - p->zero_s) * (0.9 - 0.08 * (double)(k % STYLES));
	double c = plot_temp_at(p, at_s);
	size_t row = plot_row_after(p, at_s);
	double mb_s = p->v->throttled == TRI_TRUE ? p->v->after_mb_s : p->v->sustained_mb_s;
	char name[8];
	struct label l = {.line = {name}, .type = {{TYPE_LABEL + 1, true, ink_of(k)}}};

	letter(k, name);
	if (row >= p->run->series.n)
		return;
	l.x = p->px[row];
	l.level = true;
	if (p->has_speed && !isnan(mb_s) && !isnan(l.x)) {
		l.y = axis_px(&p->speed, plot_speed(p, mb_s));
		p->s->current = p->speed_panel;
		text_place(p->s, &l, p->speed_box);
	}
	if (p->has_temp && !isnan(c) && !isnan(l.x)) {
		l.y = axis_px(&p->temp, c);
		p->s->current = p->temp_panel;
		text_place(p->s, &l, p->temp_box);
	}
	p->s->current = -1;
}

static void scatter(struct plot *p, size_t n, struct scene_box b)
{
	static const struct type bold = {TYPE_LABEL, true, INK_TEXT};
	struct axis ax;

	text_put_cut(p->s, "throughput against temperature, " DEG_C, b.x, b.y - 8, b.w, bold);
	for (size_t i = 0; i < n; i++) {
		p[i].speed.from = b.y + b.h;
		p[i].speed.to = b.y;
	}
	scatter_axes(p, b, &ax);
	for (size_t i = 0; i < n; i++)
		scatter_dots(&p[i], b, &ax, false);
	p->s->current = -1;
}

/* One value of the table; empty where it is not known. */
enum cell { CELL_THROTTLES, CELL_AFTER, CELL_BYTES, CELL_SPEED, CELL_LOSS, CELL_MAX, CELLS };

static const struct {
	const char *head;
	double width;
} cells[CELLS] = {
    [CELL_THROTTLES] = {"throttles", 96}, [CELL_AFTER] = {"after", 76},
    [CELL_BYTES] = {"moved before", 104}, [CELL_SPEED] = {"throughput", 160},
    [CELL_LOSS] = {"loss", 64},           [CELL_MAX] = {"highest", 84},
};

static void speed_cell(const struct plot *p, char *buf, size_t size)
{
	const struct verdict *v = p->v;
	char before[32], after[32];

	plot_speed_text(p, v->before_mb_s, false, before, sizeof(before));
	plot_speed_text(p, v->after_mb_s, true, after, sizeof(after));
	if (!isnan(v->before_mb_s) && !isnan(v->after_mb_s))
		text_format(buf, size, "%s " ARROW " %s", before, after);
	else if (!isnan(v->sustained_mb_s))
		plot_speed_text(p, v->sustained_mb_s, true, buf, size);
}

static void cell_text(const struct plot *p, enum cell c, char *buf, size_t size)
{
	static const char *const no[] = {"not known", "no", "yes"};
	const struct verdict *v = p->v;

	buf[0] = '\0';
	switch (c) {
	case CELL_THROTTLES:
		if (v->throttled == TRI_TRUE && !isnan(v->onset_c))
			text_format(buf, size, "at %.0f " DEG_C, v->onset_c);
		else
			text_format(buf, size, "%s", no[v->throttled + 1]);
		break;
	case CELL_AFTER:
		if (!isnan(v->onset_s))
			clock_text(v->onset_s, buf, size);
		break;
	case CELL_BYTES:
		if (!isnan(v->onset_bytes))
			plot_bytes(p, v->onset_bytes, buf, size);
		break;
	case CELL_SPEED:
		speed_cell(p, buf, size);
		break;
	case CELL_LOSS:
		if (v->throttled == TRI_TRUE && !isnan(v->loss_pct))
			text_format(buf, size, "%.0f %%", v->loss_pct);
		break;
	case CELL_MAX:
		if (!isnan(v->max_c))
			text_format(buf, size, "%.0f " DEG_C, v->max_c);
		break;
	case CELLS:
		break;
	}
}

static bool differ(const struct picture_item *items, size_t n, size_t offset)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp((const char *)items[i].run + offset,
			   (const char *)items[0].run + offset) != 0)
			return true;
	return false;
}

static void name_add(char *buf, size_t size, const char *part)
{
	size_t n = strlen(buf);

	if (*part)
		text_format(buf + n, size - n, "%s%s", n ? ", " : "", part);
}

/* What tells this run from the others. */
static void run_name(const struct picture_item *items, size_t n, size_t k, char *buf, size_t size)
{
	const struct run *run = items[k].run;
	char text[64];
	bool op = false, ambient = false;

	buf[0] = '\0';
	if (differ(items, n, offsetof(struct run, drive.model)))
		name_add(buf, size, run->drive.model);
	if (differ(items, n, offsetof(struct run, drive.firmware)))
		name_add(buf, size, run->drive.firmware);
	for (size_t i = 1; i < n; i++) {
		op |= items[i].run->load.op != items[0].run->load.op;
		ambient |= !(items[i].run->ambient_c == items[0].run->ambient_c);
	}
	if (op)
		name_add(buf, size, op_names[run->load.op]);
	if (differ(items, n, offsetof(struct run, note)))
		name_add(buf, size, run->note);
	if (ambient && !isnan(run->ambient_c)) {
		text_format(text, sizeof(text), "ambient %.0f " DEG_C, run->ambient_c);
		name_add(buf, size, text);
	}
	text_format(text, sizeof(text), "%.10s %.5s", run->start_utc,
		    strlen(run->start_utc) > 11 ? run->start_utc + 11 : "");
	if (!*buf)
		name_add(buf, size, run->drive.model);
	if (differ(items, n, offsetof(struct run, start_utc)))
		name_add(buf, size, text);
}

static void table(const struct plot *p, const struct picture_item *items, size_t n,
		  struct scene_box b)
{
	static const struct type head = {TYPE_CAPTION, false, INK_MUTED};
	static const struct type value = {TYPE_LABEL, true, INK_TEXT};
	struct scene *s = p->s;
	double all = 0;

	for (int c = 0; c < CELLS; c++)
		all += cells[c].width;
	for (size_t i = 0; i < n; i++) {
		struct type name = {TYPE_LABEL, true, ink_of(i)};
		double y = b.y + ROW * (double)(i + 2) - 7, x = b.x + fmax(b.w - all, 220);
		char text[512], tag[8];

		if (y + 7 > b.y + b.h + 1)
			break;
		if (i + 1 < n && y + ROW + 7 > b.y + b.h + 1) {
			text_format(text, sizeof(text), "%zu more runs: no room at this size",
				    n - i);
			text_put_cut(s, text, b.x + 10, y, b.w - 10, head);
			break;
		}
		letter(i, tag);
		text_put(s, tag, b.x + 10, y, ALIGN_LEFT, name);
		mark_line(s, ink_of(i), 2.6, dashes[i % STYLES], b.x + 40, y - 5, b.x + 80, y - 5);
		mark_line(s, INK_GRID, 1, DASH_NONE, b.x, y - 17, b.x + b.w, y - 17);
		run_name(items, n, i, text, sizeof(text));
		name = (struct type){TYPE_LABEL, false, INK_TEXT};
		text_put_cut(s, text, b.x + 92, y, fmax(b.w - all - 104, 120), name);
		for (int c = 0; c < CELLS && x + cells[c].width <= b.x + b.w + 1; c++) {
			x += cells[c].width;
			if (i == 0)
				text_put(s, cells[c].head, x, b.y + ROW - 7, ALIGN_RIGHT, head);
			cell_text(&p[i], (enum cell)c, text, sizeof(text));
			text_put(s, text, x, y, ALIGN_RIGHT, value);
		}
	}
}

void compare_draw(struct scene *s, const struct picture_options *o,
		  const struct picture_item *items, size_t n, struct scene_box box)
{
	struct plot *p = xreallocarray(NULL, n, sizeof(*p));
	double rows = fmin(ROW * (double)(n + 1) + 10, fmax(box.h - PLOTS_PX, ROW * 2));
	double side = box.w >= WIDE ? floor(box.w * 0.27) : 0;
	struct scene_box plots = {box.x, box.y, box.w - side - (side > 0 ? 74 : 0), box.h - rows};

	for (size_t i = 0; i < n; i++)
		plot_begin(&p[i], s, o, &items[i]);
	share(p, n);
	if (panels_frame(&p[0], plots)) {
		for (size_t i = 0; i < n; i++) {
			if (i > 0)
				take_frame(&p[i], &p[0]);
			panels_curves(&p[i]);
		}
		for (size_t i = 0; i < n; i++)
			onset(&p[i], i);
		/* More would hide the curves; the table has them all. */
		for (size_t i = 0; i < n && n <= NAMED_MAX; i++)
			names(&p[i], i);
		if (side > 0 && p->has_speed && p->has_temp)
			scatter(p, n,
				(struct scene_box){box.x + box.w - side, box.y + HEAD, side - 6,
						   plots.h - HEAD - 46});
	}
	table(p, items, n, (struct scene_box){box.x, box.y + box.h - rows + 6, box.w, rows});
	for (size_t i = 0; i < n; i++)
		plot_end(&p[i]);
	free(p);
}
