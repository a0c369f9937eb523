/*
 * What the log itself reports: a drive lost, a reset, a changed link, the user's marks. A line
 * each, and words as far as they find room, the gravest first.
 */
#include <stdio.h>
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/journal.h"
#include "throttlog/text.h"

#define LINES_MAX 30
#define WORDS_MAX 60
#define TICK      7.0

/* The gravest first; others are in the log, and in the verdict if they mattered. */
static const enum event_kind shown[] = {
    EVENT_LOST,    EVENT_FAILING,  EVENT_RESET,     EVENT_BACK,     EVENT_STOP_TEMP,
    EVENT_LINK,    EVENT_IO_ERROR, EVENT_SUSPENDED, EVENT_GAP,      EVENT_MARK,
    EVENT_TMT2,    EVENT_TMT1,     EVENT_PEL,       EVENT_OCP,      EVENT_PAUSED,
    EVENT_RESUMED, EVENT_WARN_ON,  EVENT_SPACE,     EVENT_LOG_LOST,
};
#define SHOWN (sizeof(shown) / sizeof(*shown))

static size_t rank(enum event_kind kind)
{
	size_t k = 0;

	while (k < SHOWN && shown[k] != kind)
		k++;
	return k;
}

/* What the drive says about heat. */
static bool is_heat(enum event_kind kind)
{
	return kind == EVENT_TMT1 || kind == EVENT_TMT2 || kind == EVENT_WARN_ON ||
	       kind == EVENT_PEL || kind == EVENT_OCP;
}

/* Counters and warnings come in numbers; the shade shows what they mean. */
static bool has_line(enum event_kind kind)
{
	return rank(kind) < SHOWN && !is_heat(kind) && kind != EVENT_IO_ERROR;
}

/* When it happened: entries of the drive's own log stand in the last row. NAN: not known. */
static double event_time(const struct plot *p, const struct event *e)
{
	struct journal_entry entry;

	if (e->kind != EVENT_PEL)
		return series_time(&p->run->series, e->row);
	return e->text && journal_parse(e->text, &entry) && entry.time_s >= 0 ? entry.time_s
									      : (double)NAN;
}

static double event_x(const struct plot *p, const struct event *e)
{
	return plot_x(p, event_time(p, e));
}

static bool is_shown(const struct plot *p, const struct event *e)
{
	const struct journal_kind *kind;
	struct journal_entry entry;

	if (e->kind != EVENT_PEL)
		return rank(e->kind) < SHOWN;
	if (isnan(event_time(p, e)) || !journal_parse(e->text, &entry))
		return false;
	kind = journal_kind(entry.code);
	return kind && kind->throttles;
}

/* The next event from `i` on that is shown, at least 1.5 px after `last`. */
static size_t next_shown(const struct plot *p, size_t i, double last)
{
	const struct series *s = &p->run->series;

	while (i < s->n_events &&
	       (!is_shown(p, &s->events[i]) || fabs(event_x(p, &s->events[i]) - last) < 1.5))
		i++;
	return i;
}

void events_lines(struct plot *p, struct scene_box b)
{
	const struct series *s = &p->run->series;
	double last = (double)NAN;
	size_t lines = 0;

	for (size_t i = next_shown(p, 0, last); i < s->n_events; i = next_shown(p, i + 1, last)) {
		last = event_x(p, &s->events[i]);
		lines += has_line(s->events[i].kind);
	}
	last = (double)NAN;
	for (size_t i = next_shown(p, 0, last); i < s->n_events; i = next_shown(p, i + 1, last)) {
		double x = last = event_x(p, &s->events[i]);

		/* A line for each of many would be a fence. */
		if (has_line(s->events[i].kind) && lines <= LINES_MAX) {
			mark_line(p->s, INK_OTHER, 1.2, DASH_DOT, x, b.y, x, b.y + b.h);
			busy_line(p->s, x, b.y, x, b.y + b.h);
		} else {
			mark_line(p->s, INK_OTHER, 1.4, DASH_NONE, x, b.y, x, b.y + TICK);
		}
	}
}

static void words_of(const struct event *e, size_t times, char *buf, size_t size)
{
	const char *label = event_kinds[e->kind].label;
	const char *text = e->text ? e->text : "";

	if (e->kind == EVENT_MARK)
		text_format(buf, size, "%.60s", text);
	else if (e->kind == EVENT_LINK)
		text_format(buf, size, "link now %.20s", text);
	else if (e->kind == EVENT_STOP_TEMP && !isnan(e->value))
		text_format(buf, size, "load stopped at %.0f " DEG_C, e->value);
	else if (e->kind == EVENT_PEL)
		text_format(buf, size, "throttling, says its event log");
	else
		text_format(buf, size, "%s", label);
	if (times > 1)
		text_format(buf + strlen(buf), size - strlen(buf), " \xc3\x97%zu", times);
	text_clean(buf);
}

/* Words for the first of its kind; later ones are counted, but each mark has its own. */
static void words_for(struct plot *p, size_t i, struct scene_box b, int panel)
{
	const struct series *s = &p->run->series;
	const struct event *e = &s->events[i];
	enum ink ink = e->kind == EVENT_LOST || e->kind == EVENT_FAILING ? INK_TEXT : INK_OTHER;
	bool grave = ink == INK_TEXT;
	size_t times = 0;
	char text[128];
	struct label l = {
	    .line = {text, NULL},
	    .type = {{grave ? TYPE_LABEL + 2 : TYPE_TICK, grave, ink}},
	    .x = event_x(p, e),
	    .y = b.y + b.h * (grave ? 0.3 : 0.08),
	    .optional = !grave && e->kind != EVENT_MARK,
	};

	for (size_t k = 0; k < s->n_events && e->kind != EVENT_MARK; k++) {
		bool same = s->events[k].kind == e->kind && is_shown(p, &s->events[k]);

		times += same;
		if (k < i && same)
			return;
	}
	words_of(e, times, text, sizeof(text));
	b.y += TICK + 2;
	b.h -= TICK + 2;
	p->s->current = panel;
	text_place(p->s, &l, b);
	p->s->current = -1;
}

void events_words(struct plot *p)
{
	const struct series *s = &p->run->series;
	int words = 0;

	for (size_t k = 0; k < SHOWN; k++)
		for (size_t i = 0; i < s->n_events && words < WORDS_MAX; i++) {
			if (s->events[i].kind != shown[k] || !is_shown(p, &s->events[i]))
				continue;
			words++;
			if (p->has_temp &&
			    (is_heat(shown[k]) || !p->has_speed || shown[k] == EVENT_LOST))
				words_for(p, i, p->temp_box, p->temp_panel);
			else if (p->has_speed)
				words_for(p, i, p->speed_box, p->speed_panel);
		}
}
