/*
 * Reads logs: our own by their header, other people's by --columns. Forgives a torn last row and
 * unreadable cells, says how many; refuses what is no log with one line.
 */
#include "throttlog/log.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "columns.h"
#include "csv_line.h"
#include "csv_time.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"

/* A line longer than this is no log's. */
#define LINE_BYTES_MAX (1 << 20)

/* No drive, clock or sensor reports more in any unit; sums and integers still hold it. */
#define VALUE_MAX 1e18

/* Neither verdict nor picture look at these; a day of rows has no memory to spare for them. */
static const bool unjudged[FIELD_COUNT] = {
    [FIELD_UTC] = true,     [FIELD_IOPS] = true,       [FIELD_LAT_AVG] = true,
    [FIELD_LAT_P99] = true, [FIELD_LAT_MAX] = true,    [FIELD_POLL_MS] = true,
    [FIELD_HOST_C] = true,  [FIELD_POWER_STATE] = true};

struct reader {
	const char *path, *spec; /* spec: --columns, or NULL for our own logs */
	struct run *run;
	struct columns columns;
	bool has_header, torn, lean;
	size_t line, bad_cells, bad_rows;
	char bad_row[160]; /* what is wrong with the first of them */
	double first_time, last_time;
	struct csv_clock clock;
	char *cells[CSV_CELLS_MAX];
	struct sample blank; /* sample_clear()ed */
	char *why;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reader *r, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_clean(text);
	snprintf(r->why, r->size, "%s: %s", r->path, text);
	return -EINVAL;
}

/* "# key: value" */
static int read_preamble(struct reader *r, char *line)
{
	char *key = line + 1 + strspn(line + 1, " "), *value = strchr(key, ':');

	if (!value)
		return 0;
	*value++ = '\0';
	value += strspn(value, " ");
	for (size_t i = 0; i < run_keys_count; i++)
		if (strcmp(run_keys[i].name, key) == 0 &&
		    !run_key_parse(r->run, &run_keys[i], value))
			r->bad_cells++;
	if (r->run->schema > LOG_SCHEMA)
		return refuse(r,
			      "written by a newer version (schema %.0f, this one reads up to %d); "
			      "use that version's throttlog",
			      r->run->schema, LOG_SCHEMA);
	return 0;
}

static void read_events(struct reader *r, char *cell)
{
	struct series *s = &r->run->series;
	char *word;

	while ((word = strsep(&cell, ";"))) {
		struct event e = {0};

		text_clean(word);
		if (!*word)
			continue;
		event_parse(word, &e);
		series_event(s, e.kind, e.value, e.text);
		free(e.text);
	}
}

static bool read_time(struct reader *r, const char *cell, double *value)
{
	return r->spec ? csv_clock_read(&r->clock, cell, r->columns.comma, value)
		       : csv_number(cell, r->columns.comma, value);
}

/* One cell into the row. Several columns of one field add up. */
static bool read_cell(struct reader *r, const struct column *c, const char *cell,
		      struct sample *row)
{
	double value = (double)NAN, sum;
	int64_t utc_ns;
	int index;

	switch (fields[c->field].kind) {
	case KIND_PHASE:
		index = phase_by_name(cell);
		row->phase = index < 0 ? PHASE_LOAD : (enum phase)index;
		return index >= 0;
	case KIND_OP:
		index = op_by_name(cell);
		row->op = index < 0 ? OP_NONE : (enum op)index;
		return index >= 0;
	case KIND_UTC:
		if (clock_parse_utc(cell, &utc_ns))
			return false;
		row->utc_s = (double)utc_ns / 1e9;
		return true;
	case KIND_TIME:
		if (!read_time(r, cell, &value))
			return false;
		break;
	case KIND_GAUGE:
	case KIND_COUNTER:
		if (!csv_number(cell, r->columns.comma, &value))
			return false;
		break;
	case KIND_EVENTS:
		return true;
	}
	value = value * c->scale + c->offset;
	if (fabs(value) > VALUE_MAX)
		return false;
	sum = sample_get(row, c->field);
	sample_set(row, c->field, value + (isnan(sum) ? 0 : sum));
	return true;
}

/* "13.8.2025" in one column and "13:58:50" in the next: put together before they are read. */
static const char *joined_time(struct reader *r, size_t n, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < r->columns.n; i++) {
		const struct column *c = &r->columns.column[i];
		size_t used = strlen(buf);

		if (c->field == FIELD_TIME && c->cell < n)
			snprintf(buf + used, size - used, "%s%s", used ? " " : "",
				 r->cells[c->cell]);
	}
	return buf;
}

static void read_cells(struct reader *r, size_t n, struct sample *row)
{
	bool time_done = false;

	for (size_t i = 0; i < r->columns.n; i++) {
		const struct column *c = &r->columns.column[i];
		const char *cell = c->cell < n ? r->cells[c->cell] : "";
		char joined[96];

		if (c->field == FIELD_TIME && r->spec) {
			if (time_done)
				continue;
			time_done = true;
			cell = joined_time(r, n, joined, sizeof(joined));
		}
		if (*cell && !(r->lean && unjudged[c->field]) && !read_cell(r, c, cell, row))
			r->bad_cells++;
	}
}

static void count_bad_row(struct reader *r, size_t n, double time_s)
{
	char cell[96];

	if (r->bad_rows++)
		return;
	if (n > CSV_CELLS_MAX || (!r->spec && n != r->columns.cells)) {
		text_format(r->bad_row, sizeof(r->bad_row),
			    "line %zu has %zu columns, the header has %zu", r->line, n,
			    r->columns.cells);
		return;
	}
	joined_time(r, n, cell, sizeof(cell));
	if (!isnan(time_s))
		text_format(r->bad_row, sizeof(r->bad_row),
			    "line %zu: the time %.40s is not after the one before", r->line, cell);
	else if (*cell)
		text_format(r->bad_row, sizeof(r->bad_row), "line %zu: '%.40s' is no time%s",
			    r->line, cell,
			    r->spec ? "; is it the column that --columns means?" : "");
	else
		text_format(r->bad_row, sizeof(r->bad_row), "line %zu has no time", r->line);
}

static void read_row(struct reader *r, char *line)
{
	size_t n = csv_split(line, r->columns.separator, r->cells);
	struct sample row = r->blank;

	if (n <= CSV_CELLS_MAX && (r->spec || n == r->columns.cells))
		read_cells(r, n, &row);
	/* Time stands still or runs back only in damaged files. */
	if (isnan(row.time_s) || row.time_s <= r->last_time) {
		count_bad_row(r, n, row.time_s);
		return;
	}
	if (isnan(r->first_time))
		r->first_time = r->spec ? row.time_s : 0;
	r->last_time = row.time_s;
	row.time_s -= r->first_time;
	series_append(&r->run->series, &row);
	for (size_t i = 0; i < r->columns.n; i++)
		if (r->columns.column[i].field == FIELD_EVENTS && r->columns.column[i].cell < n)
			read_events(r, r->cells[r->columns.column[i].cell]);
}

static int read_header(struct reader *r, char *line)
{
	char *copy = xstrdup(line);
	char why[300] = "";
	size_t n;
	int rc = 0;

	r->columns.separator = csv_separator(line);
	r->columns.comma = r->columns.separator != ',';
	n = csv_split(line, r->columns.separator, r->cells);
	if (n > CSV_CELLS_MAX)
		rc = refuse(r, "more than %d columns; this is not a log", CSV_CELLS_MAX);
	else if (r->spec)
		rc = columns_by_spec(r->spec, r->cells, n, &r->columns, why, sizeof(why));
	else
		rc = columns_native(r->cells, n, &r->columns, why, sizeof(why));
	if (*why)
		rc = refuse(r, "%s", why);
	r->has_header = true;
	if (!rc && r->columns.header_is_row)
		read_row(r, copy);
	free(copy);
	return rc;
}

static int read_line(struct reader *r, char *line, size_t n)
{
	const char *text;

	r->line++;
	if (n > LINE_BYTES_MAX)
		return refuse(r, "line %zu is longer than 1 MiB; this is not a log", r->line);
	if (r->line == 1 && n >= 2 &&
	    (memcmp(line, "\xff\xfe", 2) == 0 || memcmp(line, "\xfe\xff", 2) == 0))
		return refuse(r, "is UTF-16 text; save it as UTF-8");
	if (memchr(line, '\0', n))
		return refuse(r, "line %zu is not text; this is not a log", r->line);
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		line[--n] = '\0';
	if (r->line == 1 && n >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
		line += 3;
	if (line[0] == '#')
		return read_preamble(r, line);
	text = line;
	while (*text == ' ' || *text == '\t')
		text++;
	if (!*text)
		return 0;
	if (!r->has_header && (*text == '{' || *text == '['))
		return refuse(r, "looks like JSON; a log is CSV");
	if (!r->has_header)
		return read_header(r, line);
	read_row(r, line);
	return 0;
}

/* Each of throughput and bytes from the other, where a log has only one. */
static void complete(struct series *s)
{
	bool from_bytes = s->col[FIELD_BYTES] && !s->col[FIELD_MB_S];
	double *to;

	if (!s->n || !s->col[FIELD_BYTES] == !s->col[FIELD_MB_S])
		return;
	to = xreallocarray(NULL, s->cap, sizeof(double));
	for (size_t i = 0; i < s->n; i++) {
		size_t b = i ? i : 1;
		double dt = s->n > 1 ? series_time(s, b) - series_time(s, b - 1) : 1;

		to[i] = from_bytes ? s->col[FIELD_BYTES][i] / dt / 1e6
				   : s->col[FIELD_MB_S][i] * dt * 1e6;
	}
	s->col[from_bytes ? FIELD_MB_S : FIELD_BYTES] = to;
}

static void report_oddities(const struct reader *r, void (*note)(const char *line))
{
	char line[PATH_MAX + 200];

	if (!note)
		return;
	if (r->torn) {
		snprintf(line, sizeof(line), "%s: last row is not complete, ignored", r->path);
		note(line);
	}
	if (r->bad_rows) {
		snprintf(line, sizeof(line), "%s: %zu %s could not be read, ignored: %s%s", r->path,
			 r->bad_rows, r->bad_rows > 1 ? "rows" : "row",
			 r->bad_rows > 1 ? "first " : "", r->bad_row);
		note(line);
	}
	if (r->bad_cells) {
		snprintf(line, sizeof(line), "%s: %zu values could not be read, taken as missing",
			 r->path, r->bad_cells);
		note(line);
	}
}

static int read_lines(struct reader *r, FILE *file)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int rc = 0;

	while (!rc && (n = getline(&line, &cap, file)) >= 0) {
		/* Every row of ours ends in a newline: without one it is torn. */
		r->torn = line[n - 1] != '\n' && !r->spec && r->has_header;
		if (r->torn && !memchr(line, '\0', (size_t)n))
			break;
		rc = read_line(r, line, (size_t)n);
	}
	if (!rc && ferror(file))
		rc = refuse(r, "cannot read: %s", DIAG_ERRNO(errno));
	else if (!rc && !r->has_header)
		rc = refuse(r, "%s; this is not a log", r->line ? "no header line" : "empty");
	else if (!rc && r->run->series.n == 0 && r->bad_rows)
		rc = refuse(r, "none of %zu rows can be read: %s", r->bad_rows, r->bad_row);
	else if (!rc && r->run->series.n == 0)
		rc = refuse(r, "has a header but no rows");
	free(line);
	return rc;
}

int log_read(const char *path, const struct log_read_options *options, struct run *run, char *why,
	     size_t size, void (*note)(const char *line))
{
	struct reader *r;
	struct stat st;
	FILE *file;
	int rc;

	run_clear(run);
	file = fopen(path, "re");
	if (!file || fstat(fileno(file), &st) || S_ISDIR(st.st_mode)) {
		rc = file ? -EISDIR : -errno;
		snprintf(why, size, "cannot open %s: %s", path, DIAG_ERRNO(rc));
		if (file)
			fclose(file);
		return rc;
	}
	r = xzalloc(sizeof(*r));
	*r = (struct reader){.path = path,
			     .spec = options ? options->columns : NULL,
			     .lean = options && options->lean,
			     .run = run,
			     .first_time = (double)NAN,
			     .last_time = (double)NAN,
			     .why = why,
			     .size = size};
	sample_clear(&r->blank);
	csv_clock_init(&r->clock);
	rc = read_lines(r, file);
	fclose(file);
	if (rc) {
		run_fini(run);
	} else {
		complete(&run->series);
		report_oddities(r, note);
	}
	free(r);
	return rc;
}
