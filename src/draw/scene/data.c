/* The rows of one run as the picture needs them: which there are, and what they span. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/plot.h"
#include "throttlog/alloc.h"

#define SPACINGS 500 /* rows whose distance tells the usual one */

double plot_row_speed(const struct plot *p, size_t i)
{
	const struct series *s = &p->run->series;
	double mb_s = series_get(s, FIELD_MB_S, i);

	/* Idle seconds are no measurement of speed. */
	if (s->phase[i] != PHASE_LOAD && s->op[i] == OP_NONE && !(mb_s > 0))
		return (double)NAN;
	return mb_s;
}

static void scan_temp(struct plot *p, size_t i)
{
	double c = series_get(&p->run->series, FIELD_TEMP, i);

	if (isnan(c))
		return;
	p->n_temps++;
	p->temp_min = fmin(p->temp_min, c);
	p->temp_max = fmax(p->temp_max, c);
}

/* The sensor that gets hottest, if it is not composite itself under another name. */
static enum field find_hottest(const struct series *s, double temp_max)
{
	double best = temp_max + 1.5;
	enum field field = FIELD_TEMP;

	for (int k = 0; k < SENSORS_MAX; k++) {
		enum field f = (enum field)(FIELD_SENSOR1 + k);

		for (size_t i = 0; s->col[f] && i < s->n; i++)
			if (s->col[f][i] > best) {
				best = s->col[f][i];
				field = f;
			}
	}
	return field;
}

static void scan(struct plot *p)
{
	const struct series *s = &p->run->series;

	p->temp_min = INFINITY;
	p->temp_max = p->speed_max = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		double mb_s = plot_row_speed(p, i), bytes = series_get(s, FIELD_BYTES, i);

		scan_temp(p, i);
		if (!isnan(mb_s)) {
			p->n_speeds++;
			p->speed_max = mb_s > p->speed_max ? mb_s : p->speed_max;
		}
		p->total += isnan(bytes) ? 0 : bytes;
	}
	p->has_temp = p->n_temps > 0;
	p->has_speed = p->n_speeds > 0;
	p->hottest = find_hottest(s, p->temp_max);
	for (size_t i = 0; p->hottest != FIELD_TEMP && i < s->n; i++) {
		double c = series_get(s, p->hottest, i);

		if (!isnan(c)) {
			p->temp_min = fmin(p->temp_min, c);
			p->temp_max = fmax(p->temp_max, c);
		}
	}
}

/* Some logs have a temperature every minute only; that is no gap. */
static double usual_temp_gap(const struct plot *p)
{
	double each_s = p->n_temps > 1 ? (p->end_s - p->begin_s) / (double)p->n_temps : 0;
	const struct series *s = &p->run->series;
	size_t loaded = 0, temps = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->phase[i] != PHASE_LOAD)
			continue;
		loaded++;
		temps += isnan(series_get(s, FIELD_TEMP, i)) ? 0 : 1;
	}
	if (temps > 1)
		each_s = p->interval_s * (double)loaded / (double)temps;
	return fmax(6, 3.5 * fmax(each_s, p->interval_s));
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* As the rows have it: what a log of another program states may be wrong or not there. */
static double usual_interval(const struct run *run)
{
	const struct series *s = &run->series;
	size_t every = s->n / SPACINGS + 1, n = 0;
	double dt[SPACINGS];

	for (size_t i = 1; i < s->n && n < SPACINGS; i += every)
		dt[n++] = series_time(s, i) - series_time(s, i - 1);
	if (n == 0)
		return run->interval_s > 0 ? run->interval_s : 1;
	qsort(dt, n, sizeof(*dt), by_size);
	return dt[n / 2] > 0 ? dt[n / 2] : 1;
}

void plot_begin(struct plot *p, struct scene *s, const struct picture_options *o,
		const struct picture_item *item)
{
	const struct series *rows = &item->run->series;
	size_t n = rows->n;

	memset(p, 0, sizeof(*p));
	p->s = s;
	p->o = o;
	p->run = item->run;
	p->v = item->verdict;
	p->speed_panel = p->temp_panel = -1;
	p->speed_ink = INK_SPEED;
	p->temp_ink = INK_TEMP;
	p->zero_s = isnan(p->v->load_start_s) ? 0 : p->v->load_start_s;
	p->interval_s = usual_interval(item->run);
	/* The first row covers the interval before its time. */
	p->end_s = n ? series_time(rows, n - 1) : 0;
	p->begin_s = n ? fmax(series_time(rows, 0) - p->interval_s, 0) : 0;
	p->begin_s = fmin(p->begin_s, p->end_s);
	scan(p);
	p->temp_gap_s = usual_temp_gap(p);
	p->px = xreallocarray(NULL, n ? n : 1, sizeof(*p->px));
	p->value = xreallocarray(NULL, n ? n : 1, sizeof(*p->value));
}

void plot_end(struct plot *p)
{
	free(p->px);
	free(p->value);
	free(p->moved);
}

enum op plot_op(const struct plot *p)
{
	return p->v->n_legs ? p->v->legs[p->v->main_leg].op : p->run->load.op;
}

const char *plot_verb(const struct plot *p)
{
	return p->v->klass == CLASS_SHUTDOWN ? "shuts down" : "throttles";
}

size_t plot_row_after(const struct plot *p, double time_s)
{
	const struct series *s = &p->run->series;
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (series_time(s, middle) <= time_s + 1e-6)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double plot_temp_at(const struct plot *p, double time_s)
{
	for (size_t i = plot_row_after(p, time_s); i-- > 0;)
		if (!isnan(series_get(&p->run->series, FIELD_TEMP, i)))
			return series_get(&p->run->series, FIELD_TEMP, i);
	return (double)NAN;
}

struct curve plot_curve(struct plot *p, enum field f)
{
	const struct series *s = &p->run->series;
	bool speed = f == FIELD_MB_S;
	struct curve c = {
	    .x = p->px,
	    .y = p->value,
	    .n = s->n,
	    .axis = speed ? &p->speed : &p->temp,
	    .columns = p->x.to - p->x.from,
	    .right = p->x.to,
	    .t = s->col[FIELD_TIME],
	    .gap_s = speed ? 3.5 * p->interval_s : p->temp_gap_s,
	    .ink = speed ? p->speed_ink : p->temp_ink,
	    .dash = speed ? p->speed_dash : p->temp_dash,
	    .phase = s->phase,
	};

	for (size_t i = 0; i < s->n; i++)
		p->value[i] = speed ? plot_speed(p, plot_row_speed(p, i)) : series_get(s, f, i);
	c.dense = (double)(speed ? p->n_speeds : p->n_temps) > 3 * c.columns;
	return c;
}
