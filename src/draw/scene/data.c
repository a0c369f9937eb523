/* The rows of one run as the picture needs them: places on the axes, and values at a time. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define MIB_PER_MB (1e6 / 1048576)

static bool any(const struct series *s, enum field f)
{
	if (!s->col[f])
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (!isnan(s->col[f][i]))
			return true;
	return false;
}

double plot_speed(const struct plot *p, double mb_s)
{
	return p->o->iec ? mb_s * MIB_PER_MB : mb_s;
}

const char *plot_speed_unit(const struct plot *p)
{
	return p->o->iec ? "MiB/s" : "MB/s";
}

void plot_bytes(const struct plot *p, double bytes, char *buf, size_t size)
{
	static const char *const si[] = {"kB", "MB", "GB", "TB", "PB"};
	static const char *const iec[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
	double base = p->o->iec ? 1024 : 1000;
	size_t k = 0;

	bytes /= base;
	while (k < 4 && bytes >= base * 0.9995) {
		bytes /= base;
		k++;
	}
	text_format(buf, size, "%.*f %s", bytes < 9.95 ? 1 : 0, bytes, p->o->iec ? iec[k] : si[k]);
}

void plot_begin(struct plot *p, struct scene *s, const struct picture_options *o,
		const struct picture_item *item)
{
	size_t n = item->run->series.n;

	memset(p, 0, sizeof(*p));
	p->s = s;
	p->o = o;
	p->run = item->run;
	p->v = item->verdict;
	p->zero_s = isnan(p->v->load_start_s) ? 0 : p->v->load_start_s;
	p->has_speed = any(&p->run->series, FIELD_MB_S);
	p->has_temp = any(&p->run->series, FIELD_TEMP);
	p->x = xreallocarray(NULL, n ? n : 1, sizeof(*p->x));
	p->value = xreallocarray(NULL, n ? n : 1, sizeof(*p->value));
}

void plot_end(struct plot *p)
{
	free(p->x);
	free(p->value);
}

void plot_fit_time(struct plot *p, double left, double right)
{
	const struct series *s = &p->run->series;
	int most = (int)fmin(fmax((right - left) / 72, 2), 14);
	double first = s->n ? series_time(s, 0) - p->run->interval_s : 0;
	double last = s->n ? series_time(s, s->n - 1) : 0;

	/* The first row covers the interval before its time. */
	if (isnan(first) || first < 0)
		first = 0;
	p->time = axis_time(fmin(first, last) - p->zero_s, last - p->zero_s, most);
	p->time.from = left;
	p->time.to = right;
	for (size_t i = 0; i < s->n; i++)
		p->x[i] = axis_px(&p->time, series_time(s, i) - p->zero_s);
}

double plot_x(const struct plot *p, double time_s)
{
	return axis_px(&p->time, time_s - p->zero_s);
}

double plot_max_temp(const struct plot *p)
{
	const struct series *s = &p->run->series;
	double max = -INFINITY;

	for (size_t i = 0; i < s->n; i++)
		max = fmax(max, series_get(s, FIELD_TEMP, i));
	return max;
}

enum field plot_hottest(const struct plot *p)
{
	const struct series *s = &p->run->series;
	double best = plot_max_temp(p) + 2;
	enum field field = FIELD_TEMP;

	for (int k = 0; k < SENSORS_MAX; k++) {
		enum field f = (enum field)(FIELD_SENSOR1 + k);

		for (size_t i = 0; s->col[f] && i < s->n; i++)
			if (series_get(s, f, i) > best) {
				best = series_get(s, f, i);
				field = f;
			}
	}
	return field;
}

double plot_temp_at(const struct plot *p, double time_s)
{
	const struct series *s = &p->run->series;
	double last = (double)NAN;

	for (size_t i = 0; i < s->n && series_time(s, i) <= time_s + 1e-6; i++)
		if (!isnan(series_get(s, FIELD_TEMP, i)))
			last = series_get(s, FIELD_TEMP, i);
	return last;
}

static void fit_speed(struct plot *p)
{
	const struct series *s = &p->run->series;
	int most = (int)fmin(fmax((p->speed_box.h) / 40, 2), 8);
	double max = 0;

	for (size_t i = 0; i < s->n; i++)
		max = fmax(max, series_get(s, FIELD_MB_S, i));
	max = plot_speed(p, max);
	p->speed = axis_number(0, max > 0 ? max * 1.04 : 1, true, most);
	p->speed.from = p->speed_box.y + p->speed_box.h;
	p->speed.to = p->speed_box.y;
}

static void widen(double *low, double *high, double value, double reach)
{
	if (isnan(value) || value > *high + reach)
		return;
	*low = fmin(*low, value);
	*high = fmax(*high, value);
}

static void fit_temp(struct plot *p)
{
	const struct series *s = &p->run->series;
	const struct thermal_limits *l = &p->run->drive.limits;
	int most = (int)fmin(fmax(p->temp_box.h / 34, 2), 10);
	enum field hottest = plot_hottest(p);
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		low = fmin(low, series_get(s, FIELD_TEMP, i));
		high = fmax(high, fmax(series_get(s, FIELD_TEMP, i), series_get(s, hottest, i)));
	}
	if (!(low <= high))
		low = high = 0;
	/* Limits far above the curve would press it flat; the words name them instead. */
	widen(&low, &high, p->v->observed_limit_c, 40);
	widen(&low, &high, l->tmt1_c, 12);
	widen(&low, &high, l->wctemp_c, 12);
	widen(&low, &high, l->tmt2_c, 12);
	widen(&low, &high, l->cctemp_c, 12);
	p->temp = axis_number(floor((low - 2) / 5) * 5, ceil((high + 2) / 5) * 5, true, most);
	p->temp.from = p->temp_box.y + p->temp_box.h;
	p->temp.to = p->temp_box.y;
}

void plot_fit_values(struct plot *p)
{
	if (p->has_speed)
		fit_speed(p);
	if (p->has_temp)
		fit_temp(p);
}
