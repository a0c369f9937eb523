/* Axes with round ticks: numbers in steps of 1, 2 and 5, time in steps that clocks have. */
#include "draw/scene/axis.h"

#include <math.h>

#include "draw/scene/build.h"
#include "throttlog/text.h"

#define CLOCK_MAX_S 1e12 /* older than any drive */
#define AXIS_LONG   1e6  /* numbers from here on are written with an exponent */

double tick_step(double range, int most)
{
	static const double steps[] = {1, 2, 5, 10};
	double raw = range / (most < 1 ? 1 : most), power = pow(10, floor(log10(raw)));

	for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++)
		if (steps[k] * power >= raw * (1 - 1e-9))
			return steps[k] * power;
	return 10 * power;
}

struct ticks tick_range(double low, double high, double step)
{
	struct ticks t = {ceil(low / step - 1e-9) * step, step, 0};

	if (high >= t.first - step * 1e-9)
		t.n = (int)floor((high - t.first) / step + 1e-9) + 1;
	return t;
}

double tick_value(const struct ticks *t, int k)
{
	double v = t->first + k * t->step;

	return fabs(v) < t->step / 100 ? 0 : v; /* no "-0" */
}

struct axis axis_number(double low, double high, bool snap, int most)
{
	struct axis a = {.low = low, .high = high, .kind = AXIS_NUMBER};
	double step;

	if (!(high > low))
		a.high = high = low + 1;
	step = tick_step(high - low, most);
	if (snap) {
		a.low = floor(low / step + 1e-9) * step;
		a.high = ceil(high / step - 1e-9) * step;
	}
	a.ticks = tick_range(a.low, a.high, step);
	return a;
}

struct axis axis_time(double low, double high, int most)
{
	static const double steps[] = {0.1,  0.2,   0.5,   1,     2,     5,      10,    15,
				       30,   60,    120,   300,   600,   900,    1800,  3600,
				       7200, 10800, 21600, 43200, 86400, 172800, 604800};
	struct axis a = {.low = low, .high = high, .kind = AXIS_TIME};
	double step;
	size_t k = 0;

	if (!(high > low)) {
		a.low = low - 1;
		a.high = high + 1;
	}
	while (k + 1 < sizeof(steps) / sizeof(*steps) && (a.high - a.low) / steps[k] > most)
		k++;
	step = steps[k];
	while ((a.high - a.low) / step > most)
		step *= 10;
	a.ticks = tick_range(a.low, a.high, step);
	return a;
}

/* Steps that read well where another axis dictates how many there are. */
struct axis axis_alike(double low, double high, const struct axis *like)
{
	static const double steps[] = {1, 2, 5, 10, 20, 25, 50, 100};
	struct axis a = {.kind = AXIS_NUMBER};
	int most = like->ticks.n > 1 ? like->ticks.n - 1 : 1;
	double step = 0, first = 0;

	for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++) {
		step = steps[k];
		first = floor(low / step) * step;
		if (first + most * step >= high)
			break;
	}
	a.low = first;
	a.high = fmax(first + most * step, high);
	a.ticks = (struct ticks){first, step, most + 1};
	return a;
}

double axis_px(const struct axis *a, double value)
{
	double t = (value - a->low) / (a->high - a->low);

	return a->from + fmin(fmax(t, 0), 1) * (a->to - a->from);
}

void clock_text(double seconds, char *buf, size_t size)
{
	double whole = fmin(round(fabs(seconds)), CLOCK_MAX_S);
	long h = (long)(whole / 3600), m = (long)(whole / 60) % 60, s = (long)whole % 60;
	const char *sign = seconds < -0.5 ? "\xe2\x88\x92" : "";

	if (h > 0)
		text_format(buf, size, "%s%ld:%02ld:%02ld", sign, h, m, s);
	else
		text_format(buf, size, "%s%ld:%02ld", sign, m, s);
}

static void time_label(const struct axis *a, double value, char *buf, size_t size)
{
	const char *sign = value < 0 ? "\xe2\x88\x92" : "";
	long minutes = lround(fmin(fabs(value), CLOCK_MAX_S) / 60);

	if (a->ticks.step < 1)
		text_format(buf, size, "%s%.1f", sign, fabs(value));
	else if (a->high < 3600)
		clock_text(value, buf, size);
	else
		text_format(buf, size, "%s%ld:%02ld", sign, minutes / 60, minutes % 60);
}

void axis_label(const struct axis *a, double value, char *buf, size_t size)
{
	double digits = -floor(log10(a->ticks.step) + 1e-9);

	if (a->kind == AXIS_TIME) {
		time_label(a, value, buf, size);
		return;
	}
	if (fabs(value) >= AXIS_LONG) {
		text_format(buf, size, "%s%.3g", value < 0 ? "\xe2\x88\x92" : "", fabs(value));
		return;
	}
	text_format(buf, size, "%s%.*f", value < 0 ? "\xe2\x88\x92" : "",
		    digits > 0 ? (int)digits : 0, fabs(value));
}
