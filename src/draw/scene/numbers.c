/* The block of numbers beside the panels. */
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/text.h"

#define ROW 24.0

struct rows {
	struct plot *p;
	struct scene_box box;
	double y;
};

static void row(struct rows *r, const char *name, const char *value)
{
	static const struct type muted = {TYPE_LABEL, false, INK_MUTED};
	static const struct type bold = {TYPE_LABEL, true, INK_TEXT};
	double width = text_width(r->p->s, value, bold), y = r->y + ROW - 7;

	if (r->y + ROW > r->box.y + r->box.h)
		return;
	mark_line(r->p->s, INK_GRID, 1, DASH_NONE, r->box.x, y + 7, r->box.x + r->box.w, y + 7);
	text_put(r->p->s, value, r->box.x + r->box.w, y, ALIGN_RIGHT, bold);
	text_put_cut(r->p->s, name, r->box.x, y, r->box.w - width - 10, muted);
	r->y += ROW;
}

static void speed_row(struct rows *r, const char *name, double mb_s)
{
	char text[64];

	if (isnan(mb_s))
		return;
	plot_speed_text(r->p, mb_s, true, text, sizeof(text));
	row(r, name, text);
}

static void celsius(double c, char *buf, size_t size)
{
	text_format(buf, size, "%s%.0f", c < -0.5 ? MINUS : "", fabs(c));
}

static void temp_rows(struct rows *r)
{
	const struct verdict *v = r->p->v;
	const struct thermal_limits *l = &r->p->run->drive.limits;
	char text[64], a[16], b[16];

	if (isnan(v->max_c))
		return;
	celsius(v->idle_c, a, sizeof(a));
	celsius(v->max_c, b, sizeof(b));
	if (isnan(v->idle_c))
		text_format(text, sizeof(text), "%s " DEG_C, b);
	else
		text_format(text, sizeof(text), "%s " ARROW " %s " DEG_C, a, b);
	row(r, isnan(v->idle_c) ? "highest temperature" : "idle " ARROW " highest", text);
	/* Near limits are drawn; the others stand here. */
	celsius(l->wctemp_c, a, sizeof(a));
	celsius(l->cctemp_c, b, sizeof(b));
	if (isnan(l->wctemp_c) || l->wctemp_c <= r->p->temp.high)
		return;
	if (isnan(l->cctemp_c))
		text_format(text, sizeof(text), "%s " DEG_C, a);
	else
		text_format(text, sizeof(text), "%s / %s " DEG_C, a, b);
	row(r, isnan(l->cctemp_c) ? "WCTEMP" : "WCTEMP / CCTEMP", text);
}

static void throttle_rows(struct rows *r)
{
	const struct verdict *v = r->p->v;
	char text[96], from[32];

	if (!isnan(v->onset_c)) {
		celsius(v->onset_c, from, sizeof(from));
		text_format(text, sizeof(text), "%s " DEG_C, from);
		char name[32];

		text_format(name, sizeof(name), "%s at", plot_verb(r->p));
		row(r, name, text);
	}
	speed_row(r, "before throttling", v->before_mb_s);
	if (!isnan(v->after_mb_s) && !isnan(v->loss_pct)) {
		plot_speed_text(r->p, v->after_mb_s, true, from, sizeof(from));
		text_format(text, sizeof(text), "%s  (" MINUS "%.0f %%)", from, v->loss_pct);
		row(r, "throttled, mean", text);
	} else {
		speed_row(r, "throttled, mean", v->after_mb_s);
	}
	if (!isnan(v->onset_s)) {
		text_duration(text, sizeof(text), v->onset_s);
		row(r, "time at full speed", text);
	}
	if (!isnan(v->onset_bytes)) {
		plot_bytes(r->p, v->onset_bytes, text, sizeof(text));
		row(r, plot_op(r->p) == OP_READ ? "read before" : "written before", text);
	}
	if (v->time_throttled_s > 0 && v->load_end_s > v->load_start_s) {
		text_format(text, sizeof(text), "%.0f %% of the load",
			    100 * v->time_throttled_s / (v->load_end_s - v->load_start_s));
		row(r, "throttled", text);
	}
}

/* What cooling would do: yes or no, and the sentence as far as there is room. */
static void heatsink(struct rows *r)
{
	static const struct type type = {TYPE_LABEL, false, INK_MUTED};
	static const char *const needed[] = {"cannot say", "not needed", "needed"};
	const struct verdict *v = r->p->v;
	const char *text = v->heatsink_text, *colon = strchr(text, ':');
	struct scene_box b = r->box;
	int lines;

	if (!*text || !r->p->has_temp || !r->p->has_speed)
		return;
	row(r, "heatsink", needed[v->heatsink_needed + 1]);
	/* The sentence may begin with the same word. */
	if (colon && colon - text <= 10)
		text = colon + 1 + strspn(colon + 1, " ");
	b.y = r->y + 6;
	if (strncmp(text, needed[0], strlen(needed[0])) == 0)
		return;
	lines = (int)((r->box.y + r->box.h - b.y) / (LINE * type.size));
	if (lines > 0)
		text_wrap(r->p->s, text, b, lines < 4 ? lines : 4, type);
}

void numbers_draw(struct plot *p, struct scene_box box)
{
	const struct verdict *v = p->v;
	struct rows r = {p, box, box.y};
	char text[64];

	if (v->throttled == TRI_TRUE) {
		throttle_rows(&r);
	} else {
		speed_row(&r, "peak", v->peak_mb_s);
		speed_row(&r, "mean", v->mean_mb_s);
		speed_row(&r, "sustained", v->sustained_mb_s);
	}
	temp_rows(&r);
	if (v->bytes > 0) {
		plot_bytes(p, v->bytes, text, sizeof(text));
		row(&r,
		    p->run->load.legs.n > 1 || p->run->load.op == OP_NONE ? "moved in all"
		    : p->run->load.op == OP_READ                          ? "read in all"
									  : "written in all",
		    text);
	}
	if (v->duration_s > 0) {
		text_duration(text, sizeof(text), v->duration_s);
		row(&r, "length of the run", text);
	}
	heatsink(&r);
}
