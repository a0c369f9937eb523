/* A row a figure, a column a run, and the difference to the first run behind each number. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/pair.h"
#include "throttlog/text.h"

#define MIB_IN_MB 1.048576
#define GB        1e9

enum figure_kind { FIGURE_SPEED, FIGURE_TEMP, FIGURE_SECONDS, FIGURE_GB, FIGURE_PERCENT };

static const struct figure {
	const char *label;
	enum figure_kind kind;
	size_t offset; /* of a double in struct verdict */
} figures[] = {
    {"idle temperature", FIGURE_TEMP, offsetof(struct verdict, idle_c)},
    {"highest temperature", FIGURE_TEMP, offsetof(struct verdict, max_c)},
    {"throttles at", FIGURE_TEMP, offsetof(struct verdict, onset_c)},
    {"throttles after", FIGURE_SECONDS, offsetof(struct verdict, onset_s)},
    {"moved before", FIGURE_GB, offsetof(struct verdict, onset_bytes)},
    {"speed before", FIGURE_SPEED, offsetof(struct verdict, before_mb_s)},
    {"speed throttled", FIGURE_SPEED, offsetof(struct verdict, after_mb_s)},
    {"loss", FIGURE_PERCENT, offsetof(struct verdict, loss_pct)},
    {"time throttled", FIGURE_SECONDS, offsetof(struct verdict, time_throttled_s)},
    {"mean speed", FIGURE_SPEED, offsetof(struct verdict, mean_mb_s)},
    {"sustained speed", FIGURE_SPEED, offsetof(struct verdict, sustained_mb_s)},
};

static const char *unit_of(enum figure_kind kind, bool iec)
{
	static const char *const units[] = {"MB/s", "°C", "s", "GB", "%"};

	return kind == FIGURE_SPEED && iec ? "MiB/s" : units[kind];
}

static double value_of(const struct figure *f, const struct verdict *v, bool iec)
{
	double value;

	memcpy(&value, (const char *)v + f->offset, sizeof(value));
	if (f->kind == FIGURE_GB)
		return value / GB;
	return f->kind == FIGURE_SPEED && iec ? value / MIB_IN_MB : value;
}

static void print_figure(FILE *out, const struct figure *f, const struct verdict *v, size_t n,
			 bool iec)
{
	double first = value_of(f, &v[0], iec);
	char label[48];

	text_format(label, sizeof(label), "%s, %s", f->label, unit_of(f->kind, iec));
	/* The degree sign takes two bytes and one column. */
	fprintf(out, "%-*s", strstr(label, "°") ? 31 : 30, label);
	for (size_t i = 0; i < n; i++) {
		double value = value_of(f, &v[i], iec);
		char cell[48] = "-";

		if (isfinite(value) && (i == 0 || !isfinite(first)))
			text_format(cell, sizeof(cell), "%.0f", value);
		else if (isfinite(value))
			text_format(cell, sizeof(cell), "%.0f (%+.0f)", value, value - first);
		fprintf(out, "  %20s", cell);
	}
	fputc('\n', out);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_table(FILE *out, const char *title, const struct report *reports,
			const struct verdict *v, size_t n, bool iec)
{
	fprintf(out, "\n%-30s", title);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "  %20.20s", file_name(reports[i].log));
	fputc('\n', out);
	for (size_t f = 0; f < sizeof(figures) / sizeof(*figures); f++)
		print_figure(out, &figures[f], v, n, iec);
}

static bool has(const struct verdict *v, enum op op)
{
	for (size_t i = 0; i < v->n_legs; i++)
		if (v->legs[i].op == op)
			return true;
	return false;
}

/* A load of each log that did the same is compared, whatever decided each log's verdict. */
static bool all_have(const struct report *reports, size_t n, enum op op)
{
	size_t have = 0;

	while (have < n && has(&reports[have].verdict, op))
		have++;
	return have == n;
}

enum op compare_op(const struct report *reports, size_t n)
{
	const struct verdict *first = &reports[0].verdict;
	enum op op = first->n_legs ? first->legs[first->main_leg].op : OP_NONE;

	return all_have(reports, n, op) ? op : OP_NONE;
}

/* What the first log and another say about a drop that both have. */
static void print_pair(FILE *out, const struct report *a, const struct report *b)
{
	const struct drop *of_a, *of_b;
	enum cause cause = verdict_pair(&a->verdict, &b->verdict, &of_a, &of_b);

	if (cause == CAUSE_UNKNOWN)
		return;
	fprintf(out, "\n%s and %s fall after %.0f and %.0f GB, at %.0f and %.0f °C: %s.\n",
		file_name(a->log), file_name(b->log), of_a->bytes / GB, of_b->bytes / GB,
		of_a->temp_c, of_b->temp_c,
		cause == CAUSE_THERMAL ? "heat, not the end of a cache"
				       : "the end of a cache, not heat");
}

void compare_print(FILE *out, const struct report *reports, size_t n, bool iec)
{
	struct verdict *v = xreallocarray(NULL, n, sizeof(*v));
	bool many = false, any = false;

	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%s: %s\n", reports[i].log, reports[i].verdict.text);
		many |= reports[i].verdict.n_legs > 1;
		v[i] = reports[i].verdict; /* not owned */
	}
	for (enum op op = OP_READ; many && op <= OP_WRITE; op++) {
		if (!all_have(reports, n, op))
			continue;
		any = true;
		for (size_t i = 0; i < n; i++) {
			verdict_make_of(reports[i].run, op, &v[i]);
			v[i].max_c = v[i].legs[v[i].main_leg].max_c;
		}
		print_table(out, op == OP_READ ? "reading" : "writing", reports, v, n, iec);
		for (size_t i = 0; i < n; i++)
			verdict_fini(&v[i]);
	}
	if (!any)
		print_table(out, "", reports, v, n, iec);
	for (size_t i = 1; i < n; i++)
		print_pair(out, &reports[0], &reports[i]);
	free(v);
}
