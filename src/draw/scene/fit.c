/* Fits the axes of a plot to its rows, and writes numbers in the picture's units. */
#include "draw/scene/plot.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define MIB_PER_MB (1e6 / 1048576)

static const char *const si_units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
static const char *const iec_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
#define UNITS         6
#define PHASE_WORD_PX 24.0

double plot_speed(const struct plot *p, double mb_s)
{
	return p->o->iec ? mb_s * MIB_PER_MB : mb_s;
}

const char *plot_speed_unit(const struct plot *p)
{
	return p->o->iec ? "MiB/s" : "MB/s";
}

/* Digits after the point that leave three that count. */
static int digits(double value)
{
	value = fabs(value);
	return value >= 9.995 || value == 0 ? 0 : value >= 0.995 ? 1 : value >= 0.0995 ? 2 : 3;
}

void plot_speed_text(const struct plot *p, double mb_s, bool unit, char *buf, size_t size)
{
	mb_s = plot_speed(p, mb_s);
	text_format(buf, size, mb_s >= 1e7 ? "%.*g%s%s" : "%.*f%s%s",
		    mb_s >= 1e7 ? 3 : digits(mb_s), mb_s, unit ? " " : "",
		    unit ? plot_speed_unit(p) : "");
}

/* Index of the unit in which `bytes` has one to three digits before the point. */
static size_t byte_unit(double base, double bytes)
{
	size_t k = 0;

	for (; k + 1 < UNITS && bytes >= base * 0.9995; k++)
		bytes /= base;
	return k;
}

void plot_bytes(const struct plot *p, double bytes, char *buf, size_t size)
{
	double base = p->o->iec ? 1024 : 1000;
	size_t k = byte_unit(base, bytes);

	bytes /= pow(base, (double)k);
	text_format(buf, size, "%.*f %s", k ? digits(bytes) : 0, bytes,
		    p->o->iec ? iec_units[k] : si_units[k]);
}

static void fit_bytes(struct plot *p, int most)
{
	const struct series *s = &p->run->series;
	double base = p->o->iec ? 1024 : 1000, unit = pow(base, (double)byte_unit(base, p->total));
	double sum = 0;

	p->moved = xreallocarray(NULL, s->n ? s->n : 1, sizeof(*p->moved));
	for (size_t i = 0; i < s->n; i++) {
		double bytes = series_get(s, FIELD_BYTES, i);

		sum += isnan(bytes) ? 0 : bytes;
		p->moved[i] = sum / unit;
	}
	p->x = axis_number(0, p->total / unit, false, most);
}

/* Bytes moved by a time, in the unit of the axis. */
static double moved_at(const struct plot *p, double time_s)
{
	size_t n = p->run->series.n, i = plot_row_after(p, time_s);

	if (n == 0 || i == 0)
		return 0;
	return p->moved[(i < n ? i : n) - 1];
}

double plot_x(const struct plot *p, double time_s)
{
	return axis_px(&p->x, p->moved ? moved_at(p, time_s) : time_s - p->zero_s);
}

void plot_fit_x(struct plot *p, double left, double right)
{
	const struct series *s = &p->run->series;
	int most = (int)fmin(fmax((right - left) / 62, 2), 14);

	if (p->o->x_bytes && p->total > 0)
		fit_bytes(p, most);
	else
		p->x = axis_time(p->begin_s - p->zero_s, p->end_s - p->zero_s, most);
	p->x.from = left;
	p->x.to = right;
	for (size_t i = 0; i < s->n; i++) {
		/* Where nothing moves, no place on an axis of bytes. */
		if (p->moved && s->phase[i] != PHASE_LOAD)
			p->px[i] = (double)NAN;
		else
			p->px[i] = axis_px(&p->x,
					   p->moved ? p->moved[i] : series_time(s, i) - p->zero_s);
	}
}

static void fit_speed(struct plot *p)
{
	int most = (int)fmin(fmax(p->speed_box.h / 34, 2), 9);
	double max = plot_speed(p, p->speed_max);

	/* Rounding up to a tick would waste a small panel. */
	p->speed = axis_number(0, max > 0 ? max * (most > 4 ? 1.04 : 1.12) : 1, most > 4, most);
	p->speed.from = p->speed_box.y + p->speed_box.h;
	p->speed.to = p->speed_box.y;
}

static void fit_temp(struct plot *p)
{
	int most = (int)fmin(fmax(p->temp_box.h / 32, 2), 10);
	double low = p->temp_min, high = p->temp_max;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_near(p, limits);

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, limits[i].c);
		high = fmax(high, limits[i].c);
	}
	/* The words of the phases stand at the foot. */
	low -= fmax(1, (high - low) * PHASE_WORD_PX / fmax(p->temp_box.h, 100));
	low = floor(low / 5) * 5;
	high = ceil((high + 1) / 5) * 5;
	if (p->temp_box.y == p->speed_box.y && p->has_speed)
		p->temp = axis_alike(low, high, &p->speed);
	else
		do /* one tick alone is no scale */
			p->temp = axis_number(low, high, tick_step(high - low, most) <= 10, most);
		while (p->temp.ticks.n < 2 && most++ < 6);
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
