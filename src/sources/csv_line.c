/* Splitting of CSV lines, and numbers as other people write them. */
#include "csv_line.h"

#include <string.h>

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

/* Where `comma` is no separator it stands for thousands, or as the decimal mark in quotes. */
static bool is_decimal_comma(const char *cell, const char *at, bool comma)
{
	if (comma)
		return true;
	/* "1,234" may be either: no number rather than a wrong one. */
	return !strchr(at + 1, ',') && !strchr(cell, '.') && strlen(at + 1) != 3;
}

/* "1,234,567.5" with `mark` between thousands. False if it is not written so. */
static bool drop_thousands(char *number, char mark)
{
	char *out = strchr(number, mark), *group = out;

	while (group && *group == mark) {
		size_t digits = strspn(group + 1, "0123456789");

		if (digits != 3)
			return false;
		memmove(out, group + 1, digits);
		out += digits;
		group += 1 + digits;
	}
	if (group)
		memmove(out, group, strlen(group) + 1);
	return true;
}

bool csv_number(const char *cell, bool comma, double *out)
{
	const char *at = strchr(cell, ',');
	char copy[64];
	size_t n;

	if (!at)
		return text_to_double(cell, out);
	n = strlen(cell);
	if (n >= sizeof(copy))
		return false;
	memcpy(copy, cell, n + 1);
	if (is_decimal_comma(cell, at, comma)) {
		copy[at - cell] = '\0';
		if (!drop_thousands(copy, '.'))
			return false;
		n = strlen(copy);
		copy[n] = '.';
		memmove(copy + n + 1, at + 1, strlen(at + 1) + 1);
	} else if ((!strchr(cell, '.') && !strchr(at + 1, ',')) || !drop_thousands(copy, ',')) {
		return false;
	}
	return text_to_double(copy, out);
}
