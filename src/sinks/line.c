/*
 * The line view: one line a second and drive on stdout, for pipes, logs of a CI and serial
 * consoles. Fixed columns; what no drive can tell has no column.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "throttlog/alloc.h"
#include "throttlog/sink.h"
#include "throttlog/text.h"
#include "throttlog/view.h"

#define HEAD_EVERY 30  /* lines between two headers on a terminal */
#define DROP_MAX   9   /* of a column */
#define STALE_S    5.0 /* older answers are said to be old */

struct line_drive {
	double next_s;   /* no line before this row time, unless something happened */
	double sum_mb_s; /* of the rows since the last line */
	size_t n_mb_s;
	double first[FIELD_COUNT]; /* counters at their first answer */
};

struct line {
	struct sink sink;
	bool ascii, terminal;
	int dropped; /* columns whose `drop` is at least this are left out */
	unsigned long lines;
	struct line_drive *drive;
};

/* What one cell is made from. */
struct line_cell {
	const struct session *session;
	const struct session_drive *drive;
	struct line_drive *memory;
	size_t index, row;
};

struct column {
	const char *head;
	int width;        /* columns on screen; negative: left-aligned */
	enum field field; /* left out if no drive can tell it; FIELD_COUNT: always there */
	bool watch;       /* for drives without a load of ours only */
	int drop;         /* the highest go first where the terminal is too narrow; 0 stays */
	void (*format)(const struct column *column, const struct line_cell *c, char *buf,
		       size_t size);
};

static void format_index(const struct column *column, const struct line_cell *c, char *buf,
			 size_t size)
{
	(void)column;
	text_format(buf, size, "%zu", c->index + 1);
}

static void format_time(const struct column *column, const struct line_cell *c, char *buf,
			size_t size)
{
	(void)column;
	view_clock(series_time(&c->drive->run.series, c->row), buf, size);
}

static void format_phase(const struct column *column, const struct line_cell *c, char *buf,
			 size_t size)
{
	(void)column;
	text_format(buf, size, "%s", run_phase_word(&c->drive->run, c->row));
}

static void format_number(const char *format, double value, char *buf, size_t size)
{
	if (isnan(value))
		text_format(buf, size, "–");
	else
		text_format(buf, size, format[0] == '+' ? "%+.0f" : "%.1f", value);
}

static void format_speed(const struct column *column, const struct line_cell *c, char *buf,
			 size_t size)
{
	double mb_s = c->memory->n_mb_s ? c->memory->sum_mb_s / (double)c->memory->n_mb_s
					: (double)NAN;

	(void)column;
	format_number("", c->session->iec ? mb_s * 1e6 / 1048576 : mb_s, buf, size);
}

static void put_whole(double c, char *buf, size_t size)
{
	if (isnan(c))
		text_format(buf, size, "–");
	else
		text_format(buf, size, "%.0f", c);
}

static void format_whole(const struct column *column, const struct line_cell *c, char *buf,
			 size_t size)
{
	put_whole(series_get(&c->drive->run.series, column->field, c->row), buf, size);
}

static void format_hottest(const struct column *column, const struct line_cell *c, char *buf,
			   size_t size)
{
	(void)column;
	put_whole(view_hottest(&c->drive->run.series, c->row, NULL), buf, size);
}

/* Counters are lifetime totals: what matters is how far they moved. */
static void format_change(const struct column *column, const struct line_cell *c, char *buf,
			  size_t size)
{
	double now = series_get(&c->drive->run.series, column->field, c->row);
	double *first = &c->memory->first[column->field];

	if (isnan(*first))
		*first = now;
	format_number("+", now - *first, buf, size);
}

static void format_state(const struct column *column, const struct line_cell *c, char *buf,
			 size_t size)
{
	(void)column;
	text_format(buf, size, "%s", view_state_word(c->drive));
}

static const struct column columns[] = {
    {"drive", 5, FIELD_COUNT, false, 0, format_index},
    {"time", 8, FIELD_COUNT, false, 0, format_time},
    {"phase", -8, FIELD_COUNT, false, 0, format_phase},
    {"MB/s", 8, FIELD_COUNT, false, 0, format_speed},
    {"IOPS", 7, FIELD_IOPS, true, 3, format_whole},
    {"busy %", 6, FIELD_UTIL, true, 0, format_whole},
    {"temp °C", 7, FIELD_TEMP, false, 0, format_whole},
    {"hottest °C", 10, FIELD_SENSOR1, false, 4, format_hottest},
    {"TMT1", 5, FIELD_TMT1_COUNT, false, 0, format_change},
    {"TMT1 s", 6, FIELD_TMT1_S, false, 8, format_change},
    {"TMT2", 5, FIELD_TMT2_COUNT, false, 5, format_change},
    {"TMT2 s", 6, FIELD_TMT2_S, false, 9, format_change},
    {"warn min", 8, FIELD_WARNING_MIN, false, 6, format_change},
    {"host °C", 7, FIELD_HOST_C, false, 7, format_whole},
    {"state", -10, FIELD_COUNT, false, 0, format_state},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static bool wanted(const struct session *s, const struct column *column)
{
	enum field last = column->field == FIELD_SENSOR1 ? FIELD_SENSOR8 : column->field;

	if (column->field == FIELD_COUNT)
		return column->format != format_index || s->n > 1;
	for (size_t i = 0; i < s->n; i++)
		for (enum field f = column->field; f <= last; f++)
			if (s->drive[i].can[f] &&
			    (!column->watch || s->drive[i].run.load.op == OP_NONE))
				return true;
	return false;
}

static bool shows(const struct line *l, const struct session *s, const struct column *column)
{
	return (!column->drop || column->drop < l->dropped) && wanted(s, column);
}

/* Lines that wrap are no table. */
static void fit(struct line *l, const struct session *s)
{
	struct winsize size = {0};

	l->dropped = DROP_MAX + 1;
	if (!l->terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return;
	for (;; l->dropped--) {
		int total = -2;

		for (size_t c = 0; c < COLUMNS; c++)
			if (shows(l, s, &columns[c]))
				total += abs(columns[c].width) + 2;
		if (total <= size.ws_col || !l->dropped)
			return;
	}
}

/* Adds `text` to the line, padded by what it takes on screen: UTF-8 has more bytes than columns. */
static void put_cell(const struct line *l, char *line, size_t size, const char *text, int width)
{
	size_t at = strlen(line), shown = 0;
	int pad;
	char copy[64];

	text_format(copy, sizeof(copy), "%s", text);
	if (l->ascii)
		view_ascii(copy);
	for (const char *p = copy; *p; p++)
		shown += ((unsigned char)*p & 0xc0) != 0x80;
	pad = abs(width) - (int)shown;
	if (pad < 0)
		pad = 0;
	text_format(line + at, size - at, "%s%*s%s%*s", at ? "  " : "", width > 0 ? pad : 0, "",
		    copy, width < 0 ? pad : 0, "");
}

static void put_events(const struct line *l, const struct session_drive *d, size_t row, char *line,
		       size_t size)
{
	const struct series *s = &d->run.series;
	const char *comma = "  ";

	for (size_t i = 0; i < s->n_events; i++) {
		size_t at = strlen(line);
		char text[256];

		if (s->events[i].row != row || s->events[i].kind == EVENT_STATE)
			continue;
		view_event_text(&s->events[i], l->ascii, text, sizeof(text));
		text_format(line + at, size - at, "%s%s", comma, text);
		comma = ", ";
	}
	if (d->answer_age_s > STALE_S) {
		size_t at = strlen(line);

		text_format(line + at, size - at, "%sno answer for %.0f s", comma, d->answer_age_s);
	}
}

/* Lines end without trailing blanks. Returns 0 or -errno. */
static int print(struct line *l, char *line)
{
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		line[--n] = '\0';
	if (puts(line) < 0 || fflush(stdout) != 0)
		return errno ? -errno : -EIO;
	l->lines++;
	return 0;
}

static int print_head(struct line *l, const struct session *s)
{
	char line[512] = "";

	fit(l, s);
	for (size_t c = 0; c < COLUMNS; c++) {
		const char *head = columns[c].format == format_speed && s->iec ? "MiB/s"
									       : columns[c].head;

		if (shows(l, s, &columns[c]))
			put_cell(l, line, sizeof(line), head, columns[c].width);
	}
	return print(l, line);
}

static bool has_events(const struct series *s, size_t row)
{
	return s->n_events && s->events[s->n_events - 1].row == row;
}

static int line_open(struct sink **out, const struct session *s, const struct sink_options *o,
		     char *why, size_t size)
{
	struct line *l = xzalloc(sizeof(*l));
	int err;

	l->sink.ops = &sink_line;
	l->ascii = o->ascii || !text_locale_utf8();
	l->terminal = isatty(STDOUT_FILENO);
	l->drive = xreallocarray(NULL, s->n, sizeof(*l->drive));
	for (size_t i = 0; i < s->n; i++) {
		l->drive[i] = (struct line_drive){.next_s = -INFINITY};
		for (int f = 0; f < FIELD_COUNT; f++)
			l->drive[i].first[f] = NAN;
	}
	err = 0;
	for (size_t i = 0; i < s->n && s->n > 1 && !err; i++) {
		char line[128];

		text_format(line, sizeof(line), "drive %zu: %s", i + 1, s->drive[i].label);
		err = print(l, line);
	}
	if (!err)
		err = print_head(l, s);
	l->lines = 0;
	if (err) {
		text_format(why, size, "cannot write to the standard output");
		free(l->drive);
		free(l);
		return err;
	}
	*out = &l->sink;
	return 0;
}

static int line_row(struct sink *k, const struct session *s, size_t i)
{
	struct line *l = (struct line *)k;
	struct line_drive *m = &l->drive[i];
	const struct session_drive *d = &s->drive[i];
	struct line_cell cell = {s, d, m, i, d->run.series.n - 1};
	char line[1024] = "";
	double mb_s, t_s;
	int err = 0;

	if (!d->run.series.n)
		return 0;
	mb_s = series_get(&d->run.series, FIELD_MB_S, cell.row);
	t_s = series_time(&d->run.series, cell.row);
	if (!isnan(mb_s)) {
		m->sum_mb_s += mb_s;
		m->n_mb_s++;
	}
	/* Rows a little early by their clock still belong to their second. */
	if (t_s + 0.05 < m->next_s && !has_events(&d->run.series, cell.row))
		return 0;
	m->next_s = floor(t_s + 0.05) + 1;
	if (l->terminal && i == 0 && l->lines >= HEAD_EVERY) {
		err = print_head(l, s);
		l->lines = 0;
	}
	for (size_t c = 0; c < COLUMNS; c++) {
		char text[64];

		if (!shows(l, s, &columns[c]))
			continue;
		columns[c].format(&columns[c], &cell, text, sizeof(text));
		put_cell(l, line, sizeof(line), text, columns[c].width);
	}
	put_events(l, d, cell.row, line, sizeof(line));
	m->sum_mb_s = 0;
	m->n_mb_s = 0;
	return err ? err : print(l, line);
}

static int line_close(struct sink *k, const struct session *s)
{
	struct line *l = (struct line *)k;

	(void)s;
	free(l->drive);
	free(l);
	return 0;
}

const struct sink_ops sink_line = {
    .name = "line",
    .help = "one line a second on the standard output",
    .screen = true,
    .open = line_open,
    .row = line_row,
    .close = line_close,
};
