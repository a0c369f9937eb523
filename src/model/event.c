/* The event table, and events as words of the log. */
#include "throttlog/event.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"

const struct event_info event_kinds[EVENT_KIND_COUNT] = {
    [EVENT_TMT1] = {"tmt1", FORM_DELTA, "light throttling (TMT1)"},
    [EVENT_TMT2] = {"tmt2", FORM_DELTA, "heavy throttling (TMT2)"},
    [EVENT_WARN_ON] = {"warn_on", FORM_PLAIN, "temperature warning"},
    [EVENT_WARN_OFF] = {"warn_off", FORM_PLAIN, "temperature warning over"},
    [EVENT_MARK] = {"mark", FORM_TEXT, "mark"},
    [EVENT_POLL_LATE] = {"poll_late", FORM_SECONDS, "drive does not answer the poll"},
    [EVENT_LINK] = {"link", FORM_TEXT, "PCIe link changed"},
    [EVENT_RESET] = {"reset", FORM_PLAIN, "controller reset"},
    [EVENT_LOST] = {"lost", FORM_PLAIN, "drive lost"},
    [EVENT_BACK] = {"back", FORM_PLAIN, "drive is back"},
    [EVENT_IO_ERROR] = {"io_error", FORM_NUMBER, "failed requests"},
    [EVENT_FAILING] = {"failing", FORM_PLAIN, "drive reports itself degraded or read-only"},
    [EVENT_STOP_TEMP] = {"stop_temp", FORM_CELSIUS, "load stopped at temperature limit"},
    [EVENT_PAUSED] = {"paused", FORM_PLAIN, "load paused"},
    [EVENT_RESUMED] = {"resumed", FORM_PLAIN, "load resumed"},
    [EVENT_DROP] = {"drop", FORM_PLAIN, "speed dropped, cause open"},
    [EVENT_THROTTLE] = {"throttle", FORM_CELSIUS, "throttling"},
    [EVENT_STATE] = {"state", FORM_TEXT, "state"},
    [EVENT_SUSPENDED] = {"suspended", FORM_SECONDS, "machine slept"},
    [EVENT_GAP] = {"gap", FORM_SECONDS, "program stopped or held up"},
    [EVENT_SPACE] = {"no_space", FORM_PLAIN, "file system full"},
    [EVENT_AEN] = {"aen", FORM_TEXT, "event of the drive"},
    [EVENT_UEVENT] = {"uevent", FORM_TEXT, "the kernel announces"},
    [EVENT_PEL] = {"pel", FORM_TEXT, "the drive's event log"},
    [EVENT_PEL_MORE] = {"pel_more", FORM_NUMBER, "more in the drive's event log"},
    [EVENT_OCP] = {"ocp", FORM_DELTA, "throttling (OCP log)"},
    [EVENT_LOG_LOST] = {"rows_lost", FORM_NUMBER, "rows lost"},
    [EVENT_END] = {"end", FORM_TEXT, "end"},
    [EVENT_OTHER] = {"", FORM_TEXT, ""},
};

static void copy_plain(char *dst, size_t size, const char *src)
{
	size_t i = 0;

	for (; src && src[i] && i + 1 < size; i++) {
		dst[i] = src[i];
		if (strchr(";\",", src[i]) || (unsigned char)src[i] < 0x20)
			dst[i] = ' ';
	}
	dst[i] = '\0';
}

void event_format(const struct event *e, char *buf, size_t size)
{
	const struct event_info *info = &event_kinds[e->kind];
	char text[256];

	copy_plain(text, sizeof(text), e->text);
	switch (info->form) {
	case FORM_PLAIN:
		text_format(buf, size, "%s", info->word);
		break;
	case FORM_DELTA:
		text_format(buf, size, "%s%+.0f", info->word, e->value);
		break;
	case FORM_NUMBER:
		text_format(buf, size, "%s=%.0f", info->word, e->value);
		break;
	case FORM_SECONDS:
		text_format(buf, size, "%s=%.1fs", info->word, e->value);
		break;
	case FORM_CELSIUS:
		if (isnan(e->value))
			text_format(buf, size, "%s", info->word);
		else
			text_format(buf, size, "%s=%.0fC", info->word, e->value);
		break;
	case FORM_TEXT:
		text_format(buf, size, "%s%s%s", info->word, e->kind == EVENT_OTHER ? "" : "=",
			    text);
		break;
	}
}

/* The number in `s` up to `suffix` (may be NUL), or false. */
static bool number_with(const char *s, char suffix, double *out)
{
	char copy[32];
	size_t n = strlen(s);

	if (suffix && (n == 0 || s[n - 1] != suffix))
		return false;
	n -= suffix ? 1 : 0;
	if (n == 0 || n >= sizeof(copy))
		return false;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return text_to_double(copy, out);
}

static bool parse_as(enum event_kind kind, const char *rest, struct event *out)
{
	bool equals = rest[0] == '=';

	switch (event_kinds[kind].form) {
	case FORM_PLAIN:
		return rest[0] == '\0';
	case FORM_DELTA:
		return (rest[0] == '+' || rest[0] == '-') && number_with(rest, '\0', &out->value);
	case FORM_NUMBER:
		return equals && number_with(rest + 1, '\0', &out->value);
	case FORM_SECONDS:
		return equals && number_with(rest + 1, 's', &out->value);
	case FORM_CELSIUS:
		return rest[0] == '\0' || (equals && number_with(rest + 1, 'C', &out->value));
	case FORM_TEXT:
		if (equals)
			out->text = xstrdup(rest + 1);
		return equals;
	}
	return false;
}

void event_parse(const char *word, struct event *out)
{
	out->value = NAN;
	out->text = NULL;
	for (enum event_kind kind = 0; kind < EVENT_OTHER; kind++) {
		size_t n = strlen(event_kinds[kind].word);

		if (strncmp(word, event_kinds[kind].word, n) == 0 &&
		    parse_as(kind, word + n, out)) {
			out->kind = kind;
			return;
		}
	}
	out->kind = EVENT_OTHER;
	out->value = NAN;
	out->text = xstrdup(word);
}
