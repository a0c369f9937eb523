/* Splitting of CSV lines, numbers with decimal commas, and the times that loggers write. */
#include "csv_line.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "throttlog/text.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Outer blanks of the cell from `s` to `end`. */
static char *trim(char *s, char *end)
{
	while (is_blank(*s))
		s++;
	while (end > s && is_blank(end[-1]))
		end--;
	*end = '\0';
	return s;
}

/* Moves the text of the quoted cell at `s` to its front; returns the first byte behind the cell. */
static char *unquote(char *s)
{
	char *in = s + 1, *out = s;

	while (*in && !(in[0] == '"' && in[1] != '"')) {
		in += in[0] == '"';
		*out++ = *in++;
	}
	in += *in == '"';
	/* The quotes took two bytes, so there is always room before `in`. */
	if (out < in)
		*out = '\0';
	return in;
}

size_t csv_split(char *line, char separator, char **cells)
{
	size_t n = 0;
	char *s = line;

	for (;;) {
		char *cell = s, *end;
		bool last, quoted;

		while (*cell == ' ')
			cell++;
		quoted = *cell == '"';
		end = quoted ? unquote(cell) : cell;
		while (*end && *end != separator)
			end++;
		if (n == CSV_CELLS_MAX)
			return CSV_CELLS_MAX + 1;
		last = *end == '\0';
		*end = '\0';
		/* What was quoted ended itself before that. */
		cells[n++] = trim(cell, quoted ? cell + strlen(cell) : end);
		if (last)
			return n;
		s = end + 1;
	}
}

char csv_separator(const char *line)
{
	size_t semicolons = 0, tabs = 0, commas = 0;

	for (; *line; line++) {
		semicolons += *line == ';';
		tabs += *line == '\t';
		commas += *line == ',';
	}
	if (semicolons && semicolons >= commas)
		return ';';
	return tabs > commas ? '\t' : ',';
}

bool csv_number(const char *cell, bool comma, double *out)
{
	char copy[64];
	const char *at = comma ? strchr(cell, ',') : NULL;
	size_t n;

	if (!at)
		return text_to_double(cell, out);
	n = strlen(cell);
	if (n >= sizeof(copy))
		return false;
	memcpy(copy, cell, n + 1);
	copy[at - cell] = '.';
	return text_to_double(copy, out);
}

/* Seconds of a day from "h:mm[:ss[.fff]] [AM|PM]"; false if it is none. */
static bool time_of_day(const char *s, double *out)
{
	int h, m, used = 0;
	double sec = 0;

	if (sscanf(s, "%2d:%2d%n", &h, &m, &used) != 2 || h < 0 || h > 24 || m < 0 || m > 59)
		return false;
	s += used;
	if (*s == ':') {
		size_t n = strspn(s + 1, "0123456789.,");
		char number[24];

		if (n == 0 || n >= sizeof(number))
			return false;
		memcpy(number, s + 1, n);
		number[n] = '\0';
		if (!csv_number(number, true, &sec))
			return false;
		s += 1 + n;
	}
	s += strspn(s, " ");
	if (strncasecmp(s, "PM", 2) == 0 && h < 12)
		h += 12;
	else if (strncasecmp(s, "AM", 2) == 0 && h == 12)
		h = 0;
	*out = h * 3600.0 + m * 60.0 + sec;
	return true;
}

/* Days since 1970 from "2025-08-13", "13.8.2025" or "8/13/2025"; *used is its length. */
static bool date(const char *s, double *days, int *used)
{
	struct tm tm = {0};
	int a, b, c;

	*used = 0;
	if (sscanf(s, "%4d-%2d-%2d%n", &a, &b, &c, used) == 3) {
		tm.tm_year = a - 1900;
		tm.tm_mon = b - 1;
		tm.tm_mday = c;
	} else if (sscanf(s, "%2d.%2d.%4d%n", &a, &b, &c, used) == 3) {
		tm.tm_year = c - 1900;
		tm.tm_mon = b - 1;
		tm.tm_mday = a;
	} else if (sscanf(s, "%2d/%2d/%4d%n", &a, &b, &c, used) == 3) {
		/* Month first, unless that cannot be. */
		tm.tm_year = c - 1900;
		tm.tm_mon = (a > 12 ? b : a) - 1;
		tm.tm_mday = a > 12 ? a : b;
	}
	if (*used == 0 || tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 || tm.tm_mday > 31)
		return false;
	*days = (double)(timegm(&tm) / 86400);
	return true;
}

bool csv_time(const char *cell, bool comma, double *seconds, bool *daily)
{
	double days, day_s;
	int used;

	*daily = false;
	if (csv_number(cell, comma, seconds))
		return true;
	if (date(cell, &days, &used)) {
		const char *rest = cell + used + strspn(cell + used, " T,");

		if (!time_of_day(rest, &day_s))
			return false;
		*seconds = days * 86400 + day_s;
		return true;
	}
	*daily = true;
	return time_of_day(cell, seconds);
}
