/* Words for the views: state of a drive, events, elapsed time, and plain ASCII forms of them. */
#include <math.h>
#include <string.h>

#include "throttlog/text.h"
#include "throttlog/view.h"

static const char *const phase_states[PHASE_COUNT] = {
    [PHASE_BASELINE] = "BASELINE",  [PHASE_LOAD] = "LOAD",    [PHASE_PROBE] = "PROBING",
    [PHASE_RESTART] = "RESTARTING", [PHASE_PAUSE] = "PAUSED", [PHASE_COOLDOWN] = "COOLING",
};

/* A pause of the user's, not one of the cause test. */
static bool paused_by_user(const struct series *s)
{
	for (size_t i = s->n_events; i-- > 0;)
		if (s->events[i].kind == EVENT_PAUSED || s->events[i].kind == EVENT_RESUMED)
			return s->events[i].kind == EVENT_PAUSED;
	return false;
}

const char *view_state_word(const struct session_drive *d)
{
	const struct series *s = &d->run.series;

	if (d->lost)
		return "LOST";
	if (d->done)
		return "DONE";
	if (d->paused)
		return "PAUSED";
	if (d->phase == PHASE_PAUSE)
		return paused_by_user(s) ? "PAUSED" : "TESTING";
	for (size_t i = s->n_events; i-- > 0;)
		if (s->events[i].kind == EVENT_STATE && s->events[i].text)
			return s->events[i].text;
	return phase_states[d->phase];
}

enum tint view_state_tint(const char *word)
{
	static const struct {
		const char *word;
		enum tint tint;
	} states[] = {
	    {"THROTTLED", TINT_BAD}, {"LOST", TINT_BAD},    {"HOLDING", TINT_WARN},
	    {"HEATING", TINT_WARN},  {"STEADY", TINT_GOOD}, {"DONE", TINT_GOOD},
	    {"HEAT?", TINT_WARN},    {"SLOWED", TINT_WARN},
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (strncmp(word, states[i].word, strlen(states[i].word)) == 0)
			return states[i].tint;
	return TINT_PLAIN;
}

void view_event_text(const struct event *e, bool ascii, char *buf, size_t size)
{
	const struct event_info *info = &event_kinds[e->kind];
	const char *text = e->text ? e->text : "";

	switch (info->form) {
	case FORM_PLAIN:
		text_format(buf, size, "%s", info->label);
		break;
	case FORM_DELTA:
		text_format(buf, size, "%s %+.0f", info->label, e->value);
		break;
	case FORM_NUMBER:
		text_format(buf, size, "%s: %.0f", info->label, e->value);
		break;
	case FORM_SECONDS:
		text_format(buf, size, "%s, %.1f s", info->label, e->value);
		break;
	case FORM_CELSIUS:
		if (isnan(e->value))
			text_format(buf, size, "%s", info->label);
		else
			text_format(buf, size, "%s at %.0f °C", info->label, e->value);
		break;
	case FORM_TEXT:
		text_format(buf, size, "%s%s%s", info->label, *info->label ? ": " : "", text);
		break;
	}
	if (ascii)
		view_ascii(buf);
}

double view_hottest(const struct series *s, size_t i, int *sensor)
{
	double hottest = NAN;

	for (int k = 0; k < SENSORS_MAX; k++) {
		double c = series_get(s, (enum field)(FIELD_SENSOR1 + k), i);

		if (isnan(c) || c <= hottest)
			continue;
		hottest = c;
		if (sensor)
			*sensor = k + 1;
	}
	return hottest;
}

void view_clock(double seconds, char *buf, size_t size)
{
	long long s = isfinite(seconds) && seconds > 0 ? (long long)(seconds + 1e-6) : 0;

	text_format(buf, size, "%lld:%02lld:%02lld", s / 3600, s % 3600 / 60, s % 60);
}

/* What stands for the UTF-8 character at `in` on an ASCII terminal; '\0' for nothing. */
static char ascii_form(const char *in)
{
	static const struct {
		const char *from;
		char to;
	} forms[] = {{"°", '\0'}, {"µ", 'u'}, {"–", '-'}, {"−", '-'}, {"×", 'x'}, {"·", '|'}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strncmp(in, forms[i].from, strlen(forms[i].from)) == 0)
			return forms[i].to;
	return '?';
}

void view_ascii(char *s)
{
	char *out = s;

	for (const char *in = s; *in; in++) {
		unsigned char c = (unsigned char)*in;

		if (c < 0x80)
			*out++ = *in;
		else if (c >= 0xc0 && ascii_form(in))
			*out++ = ascii_form(in);
	}
	*out = '\0';
}
