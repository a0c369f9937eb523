/* What happened: the throttle point in both panels, drops with another cause, words for phases. */
#include <stdlib.h>

#include "draw/scene/build.h"
#include "throttlog/text.h"

static const char *const drop_words[CAUSE_COUNT] = {
    [CAUSE_UNKNOWN] = "drop, cause open",   [CAUSE_THERMAL] = "heat",
    [CAUSE_SLC_CACHE] = "write cache full", [CAUSE_BACKGROUND] = "drive busy with itself",
    [CAUSE_LINK] = "slower link",           [CAUSE_HOST_CPU] = "host CPU throttled",
    [CAUSE_RESET] = "controller reset",     [CAUSE_STOP] = "load stopped",
};

static bool near_onset(const struct plot *p, double time_s)
{
	return fabs(time_s - p->v->onset_time_s) < 1.5 * fmax(p->run->interval_s, 1);
}

void events_lines(struct plot *p, struct scene_box b)
{
	const struct verdict *v = p->v;

	for (size_t i = 0; i < v->n_drops; i++) {
		double x = plot_x(p, v->drops[i].start_s);

		if (v->drops[i].cause == CAUSE_THERMAL || near_onset(p, v->drops[i].start_s))
			continue;
		mark_line(p->s, INK_OTHER, 1.6, DASH_DOT, x, b.y, x, b.y + b.h);
		busy_line(p->s, x, b.y, x, b.y + b.h);
	}
	if (!isnan(v->onset_time_s)) {
		double x = plot_x(p, v->onset_time_s);

		mark_line(p->s, INK_HEAT, 2, DASH_NONE, x, b.y, x, b.y + b.h);
		busy_line(p->s, x, b.y, x, b.y + b.h);
	}
}

static void ring(struct scene *s, int panel, double x, double y)
{
	s->current = panel;
	mark_begin(s, SCENE_RING, INK_HEAT, 7);
	mark_point(s, x, y);
	busy_line(s, x - 8, y, x + 8, y);
	busy_line(s, x, y - 8, x, y + 8);
}

static int panel_of(const struct scene *s, struct scene_box b)
{
	for (size_t i = s->n_panels; i-- > 0;)
		if (s->panel[i].x == b.x && s->panel[i].y == b.y)
			return (int)i;
	return -1;
}

static void onset_words(struct plot *p)
{
	static const struct type type[2] = {{18, true, INK_HEAT}, {TYPE_LABEL, false, INK_HEAT}};
	const struct verdict *v = p->v;
	char first[64], second[96], clock[32], bytes[32];
	const char *const lines[2] = {first, second};
	double x = plot_x(p, v->onset_time_s);
	struct scene_box b = p->has_speed ? p->speed_box : p->temp_box;

	if (isnan(v->onset_c))
		text_format(first, sizeof(first), "throttles here");
	else
		text_format(first, sizeof(first),
			    "throttles at %.0f \xc2\xb0"
			    "C",
			    v->onset_c);
	clock_text(v->onset_s, clock, sizeof(clock));
	if (isnan(v->onset_bytes)) {
		text_format(second, sizeof(second), "after %s", clock);
	} else {
		plot_bytes(p, v->onset_bytes, bytes, sizeof(bytes));
		text_format(second, sizeof(second), "after %s and %s", clock, bytes);
	}
	p->s->current = panel_of(p->s, b);
	text_place(p->s, lines, type, b, x, b.y + b.h * 0.25);
}

static void onset_mark(struct plot *p)
{
	const struct verdict *v = p->v;
	double x;

	if (isnan(v->onset_time_s))
		return;
	x = plot_x(p, v->onset_time_s);
	if (p->has_speed && !isnan(v->before_mb_s))
		ring(p->s, panel_of(p->s, p->speed_box), x,
		     axis_px(&p->speed, plot_speed(p, v->before_mb_s)));
	if (p->has_temp) {
		double c = isnan(v->onset_c) ? plot_temp_at(p, v->onset_time_s) : v->onset_c;

		if (!isnan(c))
			ring(p->s, panel_of(p->s, p->temp_box), x, axis_px(&p->temp, c));
	}
	onset_words(p);
	p->s->current = -1;
}

static void drop_words_draw(struct plot *p)
{
	static const struct type type[2] = {{TYPE_LABEL, true, INK_OTHER},
					    {TYPE_TICK, false, INK_OTHER}};
	const struct verdict *v = p->v;
	struct scene_box b = p->speed_box;

	if (!p->has_speed)
		return;
	p->s->current = panel_of(p->s, b);
	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];
		char second[96], bytes[32];
		const char *const lines[2] = {drop_words[d->cause], second};

		if (d->cause == CAUSE_THERMAL || near_onset(p, d->start_s))
			continue;
		plot_bytes(p, d->bytes, bytes, sizeof(bytes));
		text_format(second, sizeof(second), "after %s: %.0f \xe2\x86\x92 %.0f %s", bytes,
			    plot_speed(p, d->from_mb_s), plot_speed(p, d->to_mb_s),
			    plot_speed_unit(p));
		text_place(p->s, lines, type, b, plot_x(p, d->start_s), b.y + b.h * 0.1);
	}
	p->s->current = -1;
}

static void phase_word(struct plot *p, const char *word, double from, double to)
{
	static const struct type type = {TYPE_TICK, false, INK_MUTED};
	struct scene_box b = p->has_temp ? p->temp_box : p->speed_box;

	if (to - from < text_width(p->s, word, type) + 6)
		return;
	p->s->current = panel_of(p->s, b);
	text_put(p->s, word, from + 6, b.y + b.h - 8, ALIGN_LEFT, type);
	p->s->current = -1;
}

static void phase_words(struct plot *p)
{
	static const char *const words[PHASE_COUNT] = {"idle",    "load",  "probe",
						       "restart", "pause", "cool-down"};
	const struct series *s = &p->run->series;
	size_t from = 0;
	double start = p->time.from;

	for (size_t i = 1; i <= s->n; i++) {
		double end;

		if (i < s->n && s->phase[i] == s->phase[from])
			continue;
		end = i < s->n ? plot_x(p, series_time(s, i - 1)) : p->time.to;
		phase_word(p, words[s->phase[from]], start, end);
		start = end;
		from = i;
	}
}

void events_words(struct plot *p)
{
	phase_words(p);
	onset_mark(p);
	drop_words_draw(p);
}
