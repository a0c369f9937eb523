/* The map from cells to fields. */
#include "columns.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"

/* Units that other people's columns come in, and how they become ours. Longer words first. */
static const struct unit {
	const char *word;
	enum field field;
	double scale, offset;
} units[] = {
    {"GiB/s", FIELD_MB_S, 1073.741824, 0},
    {"MiB/s", FIELD_MB_S, 1.048576, 0},
    {"KiB/s", FIELD_MB_S, 0.001024, 0},
    {"Gbit/s", FIELD_MB_S, 125, 0},
    {"Mbit/s", FIELD_MB_S, 0.125, 0},
    {"GB/s", FIELD_MB_S, 1000, 0},
    {"MB/s", FIELD_MB_S, 1, 0},
    {"kB/s", FIELD_MB_S, 0.001, 0},
    {"MiBps", FIELD_MB_S, 1.048576, 0},
    {"MBps", FIELD_MB_S, 1, 0},
    {"B/s", FIELD_MB_S, 1e-6, 0},
    {"msec", FIELD_TIME, 0.001, 0},
    {"ms", FIELD_TIME, 0.001, 0},
    {"us", FIELD_TIME, 1e-6, 0},
    {"min", FIELD_TIME, 60, 0},
    {"s", FIELD_TIME, 1, 0},
    {"°F", FIELD_TEMP, 5.0 / 9, -160.0 / 9},
    {"F", FIELD_TEMP, 5.0 / 9, -160.0 / 9},
    {"K", FIELD_TEMP, 1, -273},
    {"°C", FIELD_TEMP, 1, 0},
    {"C", FIELD_TEMP, 1, 0},
};
#define UNITS (sizeof(units) / sizeof(*units))

static const struct unit ours = {.scale = 1};

/* All temperatures come in the same units. */
static enum field unit_field(enum field f)
{
	return f >= FIELD_SENSOR1 && f <= FIELD_SENSOR8 ? FIELD_TEMP : f;
}

static const struct unit *unit_by_word(enum field f, const char *word)
{
	for (size_t i = 0; i < UNITS; i++)
		if (units[i].field == unit_field(f) && strcasecmp(word, units[i].word) == 0)
			return &units[i];
	return NULL;
}

/* No letter, or the r or w of iostat's "rkB/s". */
static bool begins_word(const char *text, const char *at)
{
	if (at > text && (at[-1] == 'r' || at[-1] == 'w'))
		at--;
	return at == text || !isalpha((unsigned char)at[-1]);
}

/* `word` stands in `text` as a word; a single letter has a bracket or a degree sign before it. */
static bool names_unit(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strcasestr(at, word)); at++) {
		unsigned char before = at > text ? (unsigned char)at[-1] : '\0';

		if (isalpha((unsigned char)at[n]))
			continue;
		if (n == 1 ? before == '[' || before == '(' || before >= 0x80
			   : begins_word(text, at))
			return true;
	}
	return false;
}

/* The unit that a header cell names, as in "Read Rate [MB/s]" or "read_MiBps". */
static const struct unit *unit_in_header(enum field f, const char *header)
{
	for (size_t i = 0; i < UNITS; i++)
		if (units[i].field == unit_field(f) && names_unit(header, units[i].word))
			return &units[i];
	return &ours;
}

static int add(struct columns *c, enum field f, size_t cell, const struct unit *unit)
{
	if (c->n == COLUMNS_MAX)
		return -E2BIG;
	c->column[c->n++] = (struct column){f, cell, unit->scale, unit->offset};
	return 0;
}

static bool has_field(const struct columns *c, int f)
{
	for (size_t i = 0; i < c->n; i++)
		if ((int)c->column[i].field == f)
			return true;
	return false;
}

int columns_native(char **cells, size_t n, struct columns *out, char *why, size_t size)
{
	bool time;

	for (size_t i = 0; i < n; i++) {
		int f = field_by_name(cells[i]);

		if (f < 0)
			continue;
		if (has_field(out, f)) {
			snprintf(why, size, "column '%.40s' stands twice in the header", cells[i]);
			return -EINVAL;
		}
		if (add(out, (enum field)f, i, &ours))
			break;
	}
	out->cells = n;
	time = has_field(out, FIELD_TIME);
	if (time && (has_field(out, FIELD_MB_S) || has_field(out, FIELD_BYTES) ||
		     has_field(out, FIELD_TEMP)))
		return 0;
	snprintf(why, size,
		 "no %s column; for a log of another program name its columns with "
		 "--columns time=...,mb_s=...,temp_c=...",
		 time ? "mb_s, bytes or temp_c" : "time_s");
	return -EINVAL;
}

/* The same but for letters outside ASCII, which may be written in another code. */
static bool same_but_foreign(const char *a, const char *b)
{
	while (*a && *b) {
		size_t in_a = 0, in_b = 0;

		while ((unsigned char)a[in_a] >= 0x80)
			in_a++;
		while ((unsigned char)b[in_b] >= 0x80)
			in_b++;
		if (!in_a != !in_b ||
		    (!in_a && tolower((unsigned char)*a) != tolower((unsigned char)*b)))
			return false;
		a += in_a ? in_a : 1;
		b += in_b ? in_b : 1;
	}
	return !*a && !*b;
}

static bool same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool same_but_case(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

/* The cells that `name` names by header text or by place; n_found says how many. */
struct found {
	size_t cell, second, n_found;
};

static struct found find_cell(char **cells, size_t n, const char *name)
{
	static bool (*const alike[])(const char *a, const char *b) = {same, same_but_case,
								      same_but_foreign};
	struct found found = {n, n, 0};
	uint64_t place;

	for (size_t k = 0; k < 3 && !found.n_found; k++)
		for (size_t i = 0; i < n; i++) {
			if (!alike[k](cells[i], name))
				continue;
			if (found.n_found++ == 0)
				found.cell = i;
			else if (found.n_found == 2)
				found.second = i;
		}
	if (!found.n_found && text_to_u64(name, &place) && place >= 1 && place <= n)
		found = (struct found){(size_t)place - 1, n, 1};
	return found;
}

struct spec_context {
	char **cells;
	size_t n;
	struct columns *out;
	char *why;
	size_t size;
};

/* One "name" or "name:unit" of the user's list. */
static int one_source(struct spec_context *c, enum field f, char *name)
{
	char *colon = strrchr(name, ':');
	struct found at = find_cell(c->cells, c->n, name);
	const struct unit *unit = NULL;

	if (!at.n_found && colon && (unit = unit_by_word(f, colon + 1))) {
		*colon = '\0';
		at = find_cell(c->cells, c->n, name);
	}
	if (!at.n_found) {
		const char *near = text_nearest(name, (const char *const *)c->cells, c->n);

		snprintf(c->why, c->size, "no column '%.60s'%s%.60s%s", name,
			 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		return -EINVAL;
	}
	if (at.n_found > 1) {
		snprintf(c->why, c->size,
			 "%zu columns are called '%.60s'; name the one you mean by its place: %zu, "
			 "%zu%s",
			 at.n_found, name, at.cell + 1, at.second + 1,
			 at.n_found > 2 ? " ..." : "");
		return -EINVAL;
	}
	return add(c->out, f, at.cell, unit ? unit : unit_in_header(f, c->cells[at.cell]));
}

static int one_field(struct spec_context *c, char *part)
{
	char *equals = strchr(part, '='), *rest, *name;
	int f = -1, rc = 0;

	if (equals) {
		*equals = '\0';
		f = strcmp(part, "time") == 0 ? FIELD_TIME : field_by_name(part);
	}
	if (!equals || f < 0 || fields[f].kind == KIND_EVENTS) {
		if (equals)
			*equals = '=';
		snprintf(c->why, c->size,
			 "--columns takes FIELD=COLUMN with fields as in our own logs "
			 "(time, mb_s, temp_c ...), not '%.60s'",
			 part);
		return -EINVAL;
	}
	rest = equals + 1;
	if (find_cell(c->cells, c->n, rest).n_found)
		return one_source(c, (enum field)f, rest);
	while (!rc && (name = strsep(&rest, "+")))
		rc = one_source(c, (enum field)f, name);
	return rc;
}

int columns_by_spec(const char *spec, char **cells, size_t n, struct columns *out, char *why,
		    size_t size)
{
	struct spec_context c = {cells, n, out, why, size};
	char *copy = xstrdup(spec), *rest = copy, *part;
	int rc = 0;

	while (!rc && (part = strsep(&rest, ",")))
		rc = one_field(&c, part);
	if (!rc && !has_field(out, FIELD_TIME)) {
		snprintf(why, size, "--columns must name a time: time=COLUMN");
		rc = -EINVAL;
	}
	/* A first line that starts with a digit in every cell we use is data, as in fio's logs. */
	out->header_is_row = true;
	for (size_t i = 0; i < out->n; i++)
		out->header_is_row &= isdigit((unsigned char)cells[out->column[i].cell][0]) != 0;
	out->cells = n;
	free(copy);
	return rc;
}
