/* Backgrounds: time without load, throttled time; and words for the phases of a cause test. */
#include "draw/scene/plot.h"
#include "throttlog/text.h"

static bool is_idle(enum phase phase)
{
	return phase == PHASE_BASELINE || phase == PHASE_PAUSE || phase == PHASE_COOLDOWN;
}

static void idle_areas(struct plot *p, struct scene_box b)
{
	const struct series *s = &p->run->series;
	double from = b.x;
	bool idle = s->n > 0 && is_idle((enum phase)s->phase[0]);

	for (size_t i = 1; i <= s->n; i++) {
		double to;

		if (i < s->n && is_idle((enum phase)s->phase[i]) == idle)
			continue;
		to = plot_x(p, series_time(s, i - 1));
		if (idle && to > from + 1)
			mark_area(p->s, INK_PHASE, from, b.y, to, b.y + b.h);
		from = to;
		idle = !idle;
	}
}

void backs_draw(struct plot *p, struct scene_box b)
{
	const struct verdict *v = p->v;
	double last = b.x;

	if (!p->moved)
		idle_areas(p, b);
	for (size_t i = 0; i < v->n_spans; i++) {
		double from = plot_x(p, v->spans[i].start_s);
		double to = fmax(plot_x(p, v->spans[i].end_s), fmin(from + 1, b.x + b.w));

		/* Slits of less than 2 px would only flicker. */
		if (i > 0 && from - last < 2)
			from = last;
		if (to > from)
			mark_area(p->s, INK_SHADE, from, b.y, to, b.y + b.h);
		last = to;
	}
}

void backs_explain(const struct plot *p, double width, char *buf, size_t size)
{
	static const struct type type = {TYPE_TICK, false, INK_MUTED};
	static const char *const lead[] = {
	    "after the load a test of its cause: ", "cause test: ", ""};
	static const char *const probe[] = {"probe = short reads", "probe = reads", "probe: reads"};
	static const char *const restart[] = {"restart = the load again once cooled",
					      "restart = load again", "restart: load"};
	const struct series *s = &p->run->series;
	bool seen[PHASE_COUNT] = {false}, probed, restarted;

	buf[0] = '\0';
	for (size_t i = 0; i < s->n; i++)
		seen[s->phase[i]] = true;
	probed = p->tested || seen[PHASE_PROBE];
	restarted = p->tested || seen[PHASE_RESTART];
	if (!probed && !restarted)
		return;
	for (int k = 0; k < 3; k++) {
		text_format(buf, size, "%s%s%s%s", lead[k], probed ? probe[k] : "",
			    probed && restarted ? ", " : "", restarted ? restart[k] : "");
		if (text_width(p->s, buf, type) <= width)
			return;
	}
}
