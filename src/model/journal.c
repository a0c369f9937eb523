/* Words for the entries of a drive's persistent event log, and reading them back. */
#include "throttlog/journal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "throttlog/text.h"

/* NVMe base specification 2.1, thermal excursion event data, field THRESH. */
static const struct journal_kind kinds[] = {
    {JOURNAL_WCTEMP, "wctemp", "WCTEMP reached", false},
    {JOURNAL_CCTEMP, "cctemp", "CCTEMP reached", false},
    {JOURNAL_TMT1, "tmt1", "light throttling (TMT1) began", true},
    {JOURNAL_TMT2, "tmt2", "heavy throttling (TMT2) began", true},
    {JOURNAL_SELF_THROTTLING, "self-throttling", "self-throttling began", true},
    {JOURNAL_NORMAL, "normal", "temperature back to normal", false},
    {JOURNAL_STOPPED, "throttling-stopped", "throttling stopped", false},
    {JOURNAL_UNDER, "under-temperature", "too cold", false},
};

const struct journal_kind *journal_kind(unsigned code)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].code == code)
			return &kinds[i];
	return NULL;
}

void journal_format(const struct journal_entry *e, char *buf, size_t size)
{
	const struct journal_kind *kind = journal_kind(e->code);
	char word[32], time[32] = "", beyond[16] = "";

	if (kind)
		snprintf(word, sizeof(word), "%s", kind->word);
	else
		snprintf(word, sizeof(word), "0x%02x", e->code & 0xff);
	if (!isnan(e->time_s))
		text_format(time, sizeof(time), "@%.1fs", e->time_s);
	if (e->beyond_k)
		snprintf(beyond, sizeof(beyond), "+%uK", e->beyond_k & 0xff);
	snprintf(buf, size, "%s%s%s", word, time, beyond);
}

static bool parse_code(const char *word, unsigned *code)
{
	unsigned value;
	char end;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].word, word) == 0) {
			*code = kinds[i].code;
			return true;
		}
	if (strlen(word) != 4 || sscanf(word, "0x%2x%c", &value, &end) != 1)
		return false;
	*code = value;
	return true;
}

/* Cuts "...@312.4s" or "...+2K" off the end of `s`. True if it was there and is a number. */
static bool cut(char *s, char mark, char unit, double *out)
{
	char *at = strrchr(s, mark);
	size_t n = at ? strlen(at) : 0;
	double value;

	if (n < 3 || at[n - 1] != unit)
		return false;
	at[n - 1] = '\0';
	if (!text_to_double(at + 1, &value) || fabs(value) > 1e12)
		return false;
	*at = '\0';
	*out = value;
	return true;
}

bool journal_parse(const char *text, struct journal_entry *out)
{
	double beyond_k = 0;
	char copy[96];

	out->time_s = NAN;
	if (strlen(text) >= sizeof(copy))
		return false;
	memcpy(copy, text, strlen(text) + 1);
	if (strchr(copy, '+') && !cut(copy, '+', 'K', &beyond_k))
		return false;
	if (strchr(copy, '@') && !cut(copy, '@', 's', &out->time_s))
		return false;
	if (!(beyond_k >= 0 && beyond_k <= 255))
		return false;
	out->beyond_k = (unsigned)beyond_k;
	return parse_code(copy, &out->code);
}
