/* The block of numbers beside the panels. */
#include "draw/scene/build.h"
#include "throttlog/text.h"

#define ROW 24.0

struct rows {
	struct plot *p;
	struct scene_box box;
	int n;
};

static void row(struct rows *r, const char *name, const char *value)
{
	static const struct type muted = {TYPE_LABEL, false, INK_MUTED};
	static const struct type bold = {TYPE_LABEL, true, INK_TEXT};
	double y = r->box.y + ROW * (r->n + 1) - 7;
	double width = text_width(r->p->s, value, bold);

	if (y > r->box.y + r->box.h)
		return;
	mark_line(r->p->s, INK_GRID, 1, DASH_NONE, r->box.x, y + 7, r->box.x + r->box.w, y + 7);
	text_put(r->p->s, value, r->box.x + r->box.w, y, ALIGN_RIGHT, bold);
	text_put_cut(r->p->s, name, r->box.x, y, r->box.w - width - 10, muted);
	r->n++;
}

static void speed_row(struct rows *r, const char *name, double mb_s)
{
	char text[64];

	if (isnan(mb_s))
		return;
	mb_s = plot_speed(r->p, mb_s);
	text_format(text, sizeof(text), "%.*f %s", mb_s < 9.95 ? 1 : 0, mb_s,
		    plot_speed_unit(r->p));
	row(r, name, text);
}

static void temp_rows(struct rows *r)
{
	const struct verdict *v = r->p->v;
	char text[64];

	if (isnan(v->max_c))
		return;
	if (isnan(v->idle_c))
		text_format(text, sizeof(text),
			    "%.0f \xc2\xb0"
			    "C",
			    v->max_c);
	else
		text_format(text, sizeof(text),
			    "%.0f \xe2\x86\x92 %.0f \xc2\xb0"
			    "C",
			    v->idle_c, v->max_c);
	row(r, isnan(v->idle_c) ? "highest temperature" : "idle \xe2\x86\x92 highest", text);
}

static void throttle_rows(struct rows *r)
{
	const struct verdict *v = r->p->v;
	char text[64];

	if (!isnan(v->onset_s)) {
		text_duration(text, sizeof(text), v->onset_s);
		row(r, "time at full speed", text);
	}
	if (!isnan(v->onset_bytes)) {
		plot_bytes(r->p, v->onset_bytes, text, sizeof(text));
		row(r, r->p->run->load.op == OP_READ ? "read before" : "written before", text);
	}
	speed_row(r, "before throttling", v->before_mb_s);
	speed_row(r, "throttled, mean", v->after_mb_s);
	if (!isnan(v->loss_pct)) {
		text_format(text, sizeof(text), "%.0f %%", v->loss_pct);
		row(r, "loss", text);
	}
	if (v->time_throttled_s > 0 && v->load_end_s > v->load_start_s) {
		text_format(text, sizeof(text), "%.0f %%",
			    100 * v->time_throttled_s / (v->load_end_s - v->load_start_s));
		row(r, "throttled share of load", text);
	}
}

double numbers_height(void)
{
	return 9 * ROW;
}

void numbers_draw(struct plot *p, struct scene_box box)
{
	static const char *const needed[] = {"no", "yes"};
	struct rows r = {p, box, 0};
	char text[64];

	if (p->v->throttled == TRI_TRUE)
		throttle_rows(&r);
	else
		speed_row(&r, "peak", p->v->peak_mb_s);
	if (isnan(p->v->after_mb_s))
		speed_row(&r, "sustained", p->v->sustained_mb_s);
	temp_rows(&r);
	if (p->v->bytes > 0) {
		plot_bytes(p, p->v->bytes, text, sizeof(text));
		row(&r, p->run->load.op == OP_READ ? "read in all" : "written in all", text);
	}
	if (p->v->heatsink_needed != TRI_NULL)
		row(&r, "heatsink needed", needed[p->v->heatsink_needed]);
}
