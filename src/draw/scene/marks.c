/* The throttle point in both panels, drops with another cause, levels, and words for phases. */
#include "draw/scene/plot.h"
#include "throttlog/text.h"

#define CALLOUT    20.0
#define LINES_MOST 4

static const char *const drop_words[CAUSE_COUNT] = {
    [CAUSE_UNKNOWN] = "drop, cause open",   [CAUSE_THERMAL] = "heat",
    [CAUSE_SLC_CACHE] = "write cache full", [CAUSE_BACKGROUND] = "drive busy with itself",
    [CAUSE_LINK] = "slower link",           [CAUSE_HOST_CPU] = "host CPU throttled",
    [CAUSE_RESET] = "controller reset",     [CAUSE_STOP] = "load stopped",
};

/* Heat is told by the throttle point and the shade. */
static bool own_mark(const struct plot *p, const struct drop *d)
{
	return d->cause != CAUSE_THERMAL &&
	       !(fabs(d->start_s - p->v->onset_time_s) < 0.5 * p->interval_s);
}

/* How many drops of this cause there are; `first` is set if none came before drop i. */
static size_t alike(const struct plot *p, size_t i, bool *first)
{
	const struct verdict *v = p->v;
	size_t n = 0;

	*first = true;
	for (size_t k = 0; k < v->n_drops; k++) {
		if (v->drops[k].cause != v->drops[i].cause || !own_mark(p, &v->drops[k]))
			continue;
		*first &= k >= i;
		n++;
	}
	return n;
}

void marks_lines(struct plot *p, struct scene_box b)
{
	const struct verdict *v = p->v;

	for (size_t i = 0; i < v->n_drops; i++) {
		double x = plot_x(p, v->drops[i].start_s), h = b.h;
		bool first;

		if (!own_mark(p, &v->drops[i]))
			continue;
		/* A line for each of many would be a fence. */
		if (alike(p, i, &first) > LINES_MOST && !first)
			h = fmin(10, b.h);
		mark_line(p->s, INK_OTHER, 1.4, h < b.h ? DASH_NONE : DASH_SHORT, x, b.y, x,
			  b.y + h);
		busy_border(p->s, x, b.y, b.y + h);
	}
	if (!isnan(v->onset_time_s)) {
		double x = plot_x(p, v->onset_time_s);

		mark_line(p->s, INK_HEAT, 2, DASH_NONE, x, b.y, x, b.y + b.h);
		busy_border(p->s, x, b.y, b.y + b.h);
	}
}

static void ring(struct scene *s, int panel, double x, double y)
{
	s->current = panel;
	mark_begin(s, SCENE_RING, INK_HEAT, 7);
	mark_point(s, x, y);
	s->current = -1;
	busy_box(s, (struct scene_box){x - 12, y - 12, 24, 24});
}

static void onset_words(struct plot *p)
{
	const struct verdict *v = p->v;
	char first[64], second[96], clock[32];
	struct scene_box b = p->has_speed ? p->speed_box : p->temp_box;
	struct label l = {
	    .line = {first, second, NULL},
	    .type = {{b.h < 90 ? TYPE_LABEL : CALLOUT, true, INK_HEAT},
		     {TYPE_LABEL, false, INK_HEAT}},
	    .x = plot_x(p, v->onset_time_s),
	    .y = b.y + b.h * 0.22,
	    .near = true,
	};

	if (isnan(v->onset_c))
		text_format(first, sizeof(first), "%s here", plot_verb(p));
	else
		text_format(first, sizeof(first), "%s at %s%.0f " DEG_C, plot_verb(p),
			    v->onset_c < -0.5 ? MINUS : "", fabs(v->onset_c));
	clock_text(v->onset_s, clock, sizeof(clock));
	if (isnan(v->onset_bytes)) {
		text_format(second, sizeof(second), "after %s", clock);
	} else {
		char bytes[32];

		plot_bytes(p, v->onset_bytes, bytes, sizeof(bytes));
		text_format(second, sizeof(second), "after %s and %s", clock, bytes);
	}
	p->s->current = p->has_speed ? p->speed_panel : p->temp_panel;
	if (b.h < 70) /* one line is all that a low panel has room for */
		l.line[1] = NULL;
	text_place(p->s, &l, b);
	p->s->current = -1;
}

/* Where the loads that did not decide throttled: a thin line, and when. */
static void other_onsets(struct plot *p)
{
	const struct verdict *v = p->v;
	struct scene_box b = p->has_speed ? p->speed_box : p->temp_box;

	for (size_t i = 0; i < v->n_legs; i++) {
		const struct leg_verdict *g = &v->legs[i];
		char text[64], clock[32];
		struct label l = {.line = {text, NULL}, .type = {{TYPE_TICK, false, INK_HEAT}}};

		if (i == v->main_leg || isnan(g->onset_time_s) || p->moved)
			continue;
		l.x = plot_x(p, g->onset_time_s);
		l.y = b.y + b.h * 0.06;
		p->s->current = p->has_speed ? p->speed_panel : p->temp_panel;
		mark_line(p->s, INK_HEAT, 1.2, DASH_LONG, l.x, b.y, l.x, b.y + b.h);
		clock_text(g->onset_s, clock, sizeof(clock));
		text_format(text, sizeof(text), "%s: %.0f " DEG_C " after %s",
			    g->op == OP_READ ? "reading" : "writing", g->onset_c, clock);
		if (!isnan(g->onset_c))
			text_place(p->s, &l, b);
	}
	p->s->current = -1;
}

static void onset_mark(struct plot *p)
{
	const struct verdict *v = p->v;
	double x, c;

	if (isnan(v->onset_time_s))
		return;
	x = plot_x(p, v->onset_time_s);
	if (p->has_speed && !isnan(v->before_mb_s))
		ring(p->s, p->speed_panel, x, axis_px(&p->speed, plot_speed(p, v->before_mb_s)));
	c = isnan(v->onset_c) ? plot_temp_at(p, v->onset_time_s) : v->onset_c;
	if (p->has_temp && !isnan(c))
		ring(p->s, p->temp_panel, x, axis_px(&p->temp, c));
	onset_words(p);
}

/* Words for the first drop of its cause, with the number of them. */
static void drop_word(struct plot *p, size_t i)
{
	const struct drop *d = &p->v->drops[i];
	struct scene_box b = p->speed_box;
	char first[64], line[96], after[64] = "", speeds[80], bytes[32], from[32], to[32];
	struct label forms[2] = {
	    {.line = {first, line, NULL},
	     .type = {{TYPE_LABEL, true, INK_OTHER}, {TYPE_TICK, false, INK_OTHER}}},
	    {.line = {first, speeds, NULL},
	     .type = {{TYPE_CAPTION, false, INK_OTHER},
		      {TYPE_CAPTION, false, INK_OTHER},
		      {TYPE_CAPTION, false, INK_OTHER}}},
	};
	bool is_first;
	size_t n = alike(p, i, &is_first);

	if (!is_first)
		return;
	text_format(first, sizeof(first), "%s", drop_words[d->cause]);
	if (n > 1)
		text_format(first, sizeof(first), "%s, \xc3\x97%zu", drop_words[d->cause], n);
	plot_bytes(p, d->bytes, bytes, sizeof(bytes));
	plot_speed_text(p, d->from_mb_s, false, from, sizeof(from));
	plot_speed_text(p, d->to_mb_s, false, to, sizeof(to));
	text_format(speeds, sizeof(speeds), "%s " ARROW " %s", from, to);
	if (!isnan(d->bytes))
		text_format(after, sizeof(after), "after %s:", bytes);
	text_format(line, sizeof(line), "%s%s%s %s", after, *after ? " " : "", speeds,
		    plot_speed_unit(p));
	if (*after) {
		forms[1].line[1] = after;
		forms[1].line[2] = speeds;
	}
	for (int k = 0; k < 2; k++) {
		forms[k].x = plot_x(p, d->start_s);
		forms[k].y = b.y + b.h * 0.1;
		forms[k].near = true;
	}
	text_place_one(p->s, forms, 2, b);
}

/* "1700 and 760 in turn, every 18 s" */
static bool turns_words(const struct plot *p, char *buf, size_t size)
{
	struct swings w = cuts_swings(p);
	char high[32], low[32], period[32];

	if (isnan(w.period_s) || p->speed_box.h < 240)
		return false;
	plot_speed_text(p, w.high_mb_s, false, high, sizeof(high));
	plot_speed_text(p, w.low_mb_s, false, low, sizeof(low));
	text_duration(period, sizeof(period), w.period_s);
	text_format(buf, size, "%s and %s in turn, every %s", high, low, period);
	return true;
}

/* The mean of a stretch, in words beside its line. */
static void level_word(struct plot *p, double from_s, double to_s, double mb_s)
{
	char text[48], turns[96], number[32];
	struct label l = {
	    .line = {text, turns_words(p, turns, sizeof(turns)) ? turns : NULL},
	    .type = {{TYPE_LABEL, true, INK_SPEED}, {TYPE_TICK, false, INK_SPEED}},
	    .level = true,
	};
	struct scene_box in = p->speed_box;
	double from, to;

	if (isnan(mb_s) || isnan(from_s))
		return;
	plot_speed_text(p, mb_s, true, number, sizeof(number));
	text_format(text, sizeof(text), "mean %s", number);
	from = plot_x(p, from_s);
	to = isnan(to_s) ? p->x.to : plot_x(p, to_s);
	l.x = from + 0.55 * (to - from);
	l.y = axis_px(&p->speed, plot_speed(p, mb_s));
	in.x = from;
	in.w = to - from;
	/* Near its line or not at all: elsewhere it would name another one. */
	in.h = fmin(l.y + 44, in.y + in.h) - fmax(l.y - 30, in.y);
	in.y = fmax(l.y - 30, in.y);
	text_place(p->s, &l, in);
}

static void speed_words(struct plot *p)
{
	const struct verdict *v = p->v;

	if (!p->has_speed)
		return;
	p->s->current = p->speed_panel;
	for (size_t i = 0; i < v->n_drops; i++)
		if (own_mark(p, &v->drops[i]))
			drop_word(p, i);
	if (v->throttled == TRI_TRUE)
		level_word(p, v->onset_time_s, v->load_end_s, v->after_mb_s);
	else if (v->n_drops == 0)
		level_word(p, isnan(v->load_start_s) ? p->begin_s : v->load_start_s, v->load_end_s,
			   v->sustained_mb_s);
	p->s->current = -1;
}

static void phase_word(struct plot *p, const char *word, double from, double to)
{
	static const struct type type = {TYPE_TICK, false, INK_MUTED};
	struct scene_box b = p->has_temp ? p->temp_box : p->speed_box;
	double width = text_width(p->s, word, type);

	/* A throttle point at the very start of the load covers its word. */
	for (int k = 0; from + 6 + 24 * k + width <= to - 2; k++) {
		double x = from + 6 + 24 * k;
		struct scene_box at = text_box(x, b.y + b.h - 8, width, type.size);

		if (busy_share(p->s, at) > 0.05 || !text_free(p->s, at))
			continue;
		text_add(p->s, word, x, b.y + b.h - 8, type, mark_behind(p->s, x, at.y));
		return;
	}
}

static void phase_words(struct plot *p)
{
	static const char *const words[PHASE_COUNT] = {"idle",    "load",  "probe",
						       "restart", "pause", "cool-down"};
	const struct series *s = &p->run->series;
	size_t from = 0;
	double start = p->x.from;

	if (p->moved || isnan(p->v->load_start_s))
		return;
	p->s->current = p->has_temp ? p->temp_panel : p->speed_panel;
	for (size_t i = 1; i <= s->n; i++) {
		double end;

		if (i < s->n && s->phase[i] == s->phase[from])
			continue;
		end = i < s->n ? plot_x(p, series_time(s, i - 1)) : p->x.to;
		phase_word(p,
			   s->phase[from] == PHASE_LOAD && p->v->n_legs > 1 && s->op[from]
			       ? op_names[s->op[from]]
			       : words[s->phase[from]],
			   start, end);
		start = end;
		from = i;
	}
	p->s->current = -1;
}

void marks_draw(struct plot *p)
{
	onset_mark(p);
	other_onsets(p);
	speed_words(p);
	phase_words(p);
}
