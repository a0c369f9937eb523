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

/* Units that other people's columns come in, and their size in ours. Longer words first. */
static const struct {
	const char *word;
	enum field field;
	double scale;
} units[] = {
    {"GiB/s", FIELD_MB_S, 1073.741824},
    {"MiB/s", FIELD_MB_S, 1.048576},
    {"KiB/s", FIELD_MB_S, 0.001024},
    {"GB/s", FIELD_MB_S, 1000},
    {"MB/s", FIELD_MB_S, 1},
    {"kB/s", FIELD_MB_S, 0.001},
    {"MiBps", FIELD_MB_S, 1.048576},
    {"MBps", FIELD_MB_S, 1},
    {"B/s", FIELD_MB_S, 1e-6},
    {"msec", FIELD_TIME, 0.001},
    {"ms", FIELD_TIME, 0.001},
    {"us", FIELD_TIME, 1e-6},
    {"s", FIELD_TIME, 1},
};
#define UNITS (sizeof(units) / sizeof(*units))

static bool unit_scale(enum field f, const char *unit, double *scale)
{
	for (size_t i = 0; i < UNITS; i++)
		if (units[i].field == f && strcasecmp(unit, units[i].word) == 0) {
			*scale = units[i].scale;
			return true;
		}
	return false;
}

/* The unit that a header cell names, as in "Read Rate [MB/s]" or "read_MiBps"; 1 if none. */
static double header_scale(enum field f, const char *header)
{
	for (size_t i = 0; f == FIELD_MB_S && i < UNITS; i++)
		if (units[i].field == f && strcasestr(header, units[i].word))
			return units[i].scale;
	return 1;
}

static int add(struct columns *c, enum field f, size_t cell, double scale)
{
	if (c->n == COLUMNS_MAX)
		return -E2BIG;
	c->column[c->n++] = (struct column){f, cell, scale};
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
		if (add(out, (enum field)f, i, 1))
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

/* The cell that `name` names by header text or by place; n if none. */
static size_t find_cell(char **cells, size_t n, const char *name)
{
	uint64_t place;

	for (size_t i = 0; i < n; i++)
		if (strcmp(cells[i], name) == 0)
			return i;
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(cells[i], name) == 0)
			return i;
	if (text_to_u64(name, &place) && place >= 1 && place <= n)
		return (size_t)place - 1;
	return n;
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
	double scale = 0;
	size_t cell = find_cell(c->cells, c->n, name);

	if (cell == c->n && colon && unit_scale(f, colon + 1, &scale)) {
		*colon = '\0';
		cell = find_cell(c->cells, c->n, name);
	}
	if (cell == c->n) {
		const char *near = text_nearest(name, (const char *const *)c->cells, c->n);

		snprintf(c->why, c->size, "no column '%.60s'%s%.60s%s", name,
			 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		return -EINVAL;
	}
	if (scale == 0)
		scale = header_scale(f, c->cells[cell]);
	return add(c->out, f, cell, scale);
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
		snprintf(c->why, c->size,
			 "--columns takes FIELD=COLUMN with fields as in our own logs "
			 "(time, mb_s, temp_c ...), not '%.60s'",
			 part);
		return -EINVAL;
	}
	rest = equals + 1;
	if (find_cell(c->cells, c->n, rest) < c->n)
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
