/* Readers of option values: each takes the text of one option and knows what is right. */
#include "option_values.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "protocols.h"
#include "throttlog/alloc.h"
#include "throttlog/config.h"
#include "throttlog/engine.h"
#include "throttlog/text.h"

static bool in_range(const struct option_row *o, double v)
{
	return v >= o->min && v <= o->max;
}

bool parse_flag(const struct option_row *o, const char *arg, void *at)
{
	(void)o, (void)arg;
	*(bool *)at = true;
	return true;
}

bool parse_word(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(const char **)at = arg;
	return *arg != '\0';
}

bool parse_list(const struct option_row *o, const char *arg, void *at)
{
	struct word_list *list = at;

	(void)o;
	list->word = xreallocarray(list->word, list->n + 1, sizeof(*list->word));
	list->word[list->n++] = arg;
	return *arg != '\0';
}

bool parse_duration(const struct option_row *o, const char *arg, void *at)
{
	double v;

	if (!text_to_duration(arg, &v) || !in_range(o, v))
		return false;
	*(double *)at = v;
	return true;
}

bool parse_number(const struct option_row *o, const char *arg, void *at)
{
	double v;

	if (!text_to_double(arg, &v) || !in_range(o, v))
		return false;
	*(double *)at = v;
	return true;
}

bool parse_size(const struct option_row *o, const char *arg, void *at)
{
	uint64_t v;

	if (!text_to_size(arg, &v) || !in_range(o, (double)v))
		return false;
	*(uint64_t *)at = v;
	return true;
}

bool parse_uint(const struct option_row *o, const char *arg, void *at)
{
	uint64_t v;

	if (!text_to_u64(arg, &v) || !in_range(o, (double)v))
		return false;
	*(unsigned *)at = (unsigned)v;
	return true;
}

bool parse_u64(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	return text_to_u64(arg, at);
}

bool parse_ops(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	return op_list_parse(arg, at);
}

bool parse_protocol(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(const char **)at = arg;
	return protocol_by_name(arg) != NULL;
}

bool parse_pattern(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "random") == 0;
	return *(bool *)at || strcmp(arg, "sequential") == 0;
}

bool parse_engine(const struct option_row *o, const char *arg, void *at)
{
	bool known = strcmp(arg, "auto") == 0;

	(void)o;
	for (size_t i = 0; engines[i]; i++)
		known |= !engines[i]->simulated && strcmp(arg, engines[i]->name) == 0;
	*(const char **)at = arg;
	return known;
}

bool parse_stop_temp(const struct option_row *o, const char *arg, void *at)
{
	if (strcmp(arg, "off") == 0) {
		*(double *)at = INFINITY;
		return true;
	}
	return parse_number(o, arg, at);
}

bool parse_speed(const struct option_row *o, const char *arg, void *at)
{
	if (strcmp(arg, "max") == 0) {
		*(double *)at = INFINITY;
		return true;
	}
	return parse_number(o, arg, at);
}

bool parse_units(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "iec") == 0;
	return *(bool *)at || strcmp(arg, "si") == 0;
}

bool parse_px(const struct option_row *o, const char *arg, void *at)
{
	struct picture_options *p = at;
	char number[2][8];
	const char *x = strchr(arg, 'x');
	uint64_t w, h;

	(void)o;
	if (!x || x == arg || x - arg > 6 || strlen(x + 1) > 6)
		return false;
	text_format(number[0], 8, "%.*s", (int)(x - arg), arg);
	text_format(number[1], 8, "%s", x + 1);
	if (!text_to_u64(number[0], &w) || !text_to_u64(number[1], &h) || w < 400 || h < 250 ||
	    w > 10000 || h > 10000)
		return false;
	p->width = (int)w;
	p->height = (int)h;
	p->exact = true;
	return true;
}

/* The place of `arg` among the words "a|b|c" of the row's `arg`. */
bool parse_choice(const struct option_row *o, const char *arg, void *at)
{
	const char *s = o->arg;
	size_t n = strlen(arg);

	for (int i = 0; s; i++) {
		const char *bar = strchr(s, '|');
		size_t len = bar ? (size_t)(bar - s) : strlen(s);

		if (len == n && strncmp(s, arg, n) == 0) {
			*(int *)at = i;
			return true;
		}
		s = bar ? bar + 1 : NULL;
	}
	return false;
}

bool parse_auto(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "auto") == 0;
	return *(bool *)at || strcmp(arg, "off") == 0;
}

bool parse_x(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "bytes") == 0;
	return *(bool *)at || strcmp(arg, "time") == 0;
}
