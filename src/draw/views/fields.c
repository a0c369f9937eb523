/* Every value of the field table that the drive can tell, its limits, and who it is. */
#include <math.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

struct table {
	const struct frame *f;
	struct rect r;
	int line, columns, column_w;
};

/* The next free line; lines flow down, then into the next column. */
static bool next_line(struct table *t, int *x, int *y)
{
	int at = t->line++ - t->f->v->scroll, rows = t->r.h;

	if (at < 0 || rows < 1 || at >= rows * t->columns)
		return false;
	*x = t->r.x + at / rows * (t->column_w + 2);
	*y = t->r.y + at % rows;
	return true;
}

static void text_line(struct table *t, const char *name, const char *text, enum tint tint)
{
	int x, y, w, name_w = canvas_width(t->f->c, name), most;

	if (!*text || !next_line(t, &x, &y))
		return;
	w = canvas_width(t->f->c, text);
	/* A short name stays whole: "mo... KBG3AZMS512G" says less than a shortened model. */
	most = t->column_w - 1 - (name_w < t->column_w / 3 ? name_w : 1);
	if (w > most)
		w = most;
	canvas_text(t->f->c, x, y, t->column_w - w - 1, TINT_PLAIN, 0, name);
	canvas_text(t->f->c, x + t->column_w - w, y, w, tint, tint == TINT_PLAIN ? 0 : ATTR_BOLD,
		    text);
}

static bool is_celsius(enum field f)
{
	return f == FIELD_TEMP || f == FIELD_HOST_C || (f >= FIELD_SENSOR1 && f <= FIELD_SENSOR8);
}

static void field_line(struct table *t, const struct view_stats *st, enum field field)
{
	const struct field_info *info = &fields[field];
	double v = st->latest[field], moved = v - st->first[field];
	char text[96];

	if (info->kind == KIND_COUNTER)
		text_format(text, sizeof(text), "%+.0f  %.0f%s%s", moved, v, *info->unit ? " " : "",
			    info->unit);
	else if (is_celsius(field))
		text_format(text, sizeof(text), "%.0f %s  max %.0f", show_temp(t->f, v),
			    temp_unit(t->f), show_temp(t->f, st->peak[field]));
	else if (field == FIELD_MB_S)
		text_format(text, sizeof(text), "%.0f %s", show_speed(t->f, v), speed_unit(t->f));
	else if (field >= FIELD_LAT_AVG && field <= FIELD_LAT_MAX)
		latency_text(text, sizeof(text), v);
	else if (field == FIELD_BYTES || field == FIELD_FOREIGN_BYTES)
		amount_text(text, sizeof(text), v / 1e6);
	else if (field == FIELD_IOPS)
		text_format(text, sizeof(text), "%.0f IOPS", v);
	else
		text_format(text, sizeof(text), "%.*f%s%s", info->decimals > 1 ? 1 : info->decimals,
			    v, *info->unit ? " " : "", info->unit);
	text_line(t, info->label, text,
		  info->kind == KIND_COUNTER && moved > 0 ? TINT_BAD : TINT_PLAIN);
}

static void limit_line(struct table *t, const char *name, double c)
{
	char text[48];

	if (isnan(c))
		text_format(text, sizeof(text), "not reported");
	else
		text_format(text, sizeof(text), "%.0f %s", show_temp(t->f, c), temp_unit(t->f));
	text_line(t, name, text, isnan(c) ? TINT_PLAIN : TINT_LIMIT);
}

int fields_columns(int w)
{
	return w >= 68 ? w / 34 : 1;
}

int draw_fields(const struct frame *f, size_t i, struct rect r)
{
	const struct session_drive *d = &f->s->drive[i];
	const struct thermal_limits *l = &d->run.drive.limits;
	const struct view_stats *st = &f->v->stats[i];
	struct table t = {f, r, 0, fields_columns(r.w), 0};

	canvas_rule(f->c, r.x, r.y, r.w, "All values: change since the start, total");
	t.r.y++;
	t.r.h--;
	t.column_w = (r.w - 2 * (t.columns - 1)) / t.columns;
	limit_line(&t, "WCTEMP, warning", l->wctemp_c);
	limit_line(&t, "CCTEMP, critical", l->cctemp_c);
	limit_line(&t, "TMT1, light throttling", l->tmt1_c);
	limit_line(&t, "TMT2, heavy throttling", l->tmt2_c);
	for (enum field field = FIELD_TEMP; field < FIELD_EVENTS; field++)
		if (!isnan(st->latest[field]))
			field_line(&t, st, field);
	for (enum field field = FIELD_BYTES; field < FIELD_TEMP; field++)
		if (!isnan(st->latest[field]))
			field_line(&t, st, field);
	text_line(&t, "model", d->run.drive.model, TINT_PLAIN);
	text_line(&t, "serial", d->run.drive.serial, TINT_PLAIN);
	text_line(&t, "firmware", d->run.drive.firmware, TINT_PLAIN);
	text_line(&t, "connected by", d->run.drive.transport, TINT_PLAIN);
	if (d->run.drive.capacity_bytes) {
		char text[32];

		amount_text(text, sizeof(text), (double)d->run.drive.capacity_bytes / 1e6);
		text_line(&t, "capacity", text, TINT_PLAIN);
	}
	text_line(&t, "engine", d->run.load.engine, TINT_PLAIN);
	text_line(&t, "log", d->csv, TINT_PLAIN);
	return t.line + 1;
}
