/* The time axis that all plots share, and steps for its ticks. */
#include <math.h>
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

double nice_step(double range, int n)
{
	double raw = range / (n < 1 ? 1 : n), power = pow(10, floor(log10(raw)));
	static const double steps[] = {1, 2, 5, 10};

	for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++)
		if (steps[k] * power >= raw * (1 - 1e-9))
			return steps[k] * power;
	return 10 * power;
}

struct ticks ticks_of(double low, double high, double step)
{
	struct ticks t = {ceil(low / step - 1e-9) * step, step, 0};

	if (high >= t.first)
		t.n = (int)floor((high - t.first) / step + 1e-9) + 1;
	return t;
}

double tick_at(const struct ticks *t, int k)
{
	double v = t->first + k * t->step;

	return fabs(v) < t->step / 100 ? 0 : v; /* no "-0" */
}

size_t row_at(const struct series *s, double t_s)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (series_time(s, middle) <= t_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : s->n;
}

/* "60/600/180" -> 840; NAN if it says nothing. */
static double planned_s(const char *phases)
{
	double total = 0, part;
	char copy[sizeof(((struct run *)0)->phases)], *rest = copy, *word;

	text_format(copy, sizeof(copy), "%s", phases);
	while ((word = strsep(&rest, "/"))) {
		if (!text_to_double(word, &part))
			return NAN;
		total += part;
	}
	return total;
}

/* A width that stays for a while: each new one costs a repaint of the whole plot. */
static double roomy(double run_s)
{
	static const double widths[] = {1, 1.5, 2, 3, 5, 7};
	double unit = 60;

	while (10 * unit < run_s)
		unit *= 10;
	for (size_t k = 0; k < sizeof(widths) / sizeof(*widths); k++)
		if (widths[k] * unit >= run_s)
			return widths[k] * unit;
	return 10 * unit;
}

struct time_axis time_axis_of(const struct frame *f)
{
	double oldest = INFINITY, newest = 0, planned = NAN, step;
	bool done = true;

	for (size_t i = 0; i < f->s->n; i++) {
		const struct session_drive *d = &f->s->drive[i];
		const struct series *s = &d->run.series;

		planned = fmax(planned, planned_s(d->run.phases));
		done = done && d->done;
		if (!s->n)
			continue;
		oldest = fmin(oldest, series_time(s, 0) - fmax(d->run.interval_s, 0));
		newest = fmax(newest, series_time(s, s->n - 1));
	}
	/* Real clocks are some ms late. */
	if (!isfinite(oldest) || oldest < 0.5)
		oldest = 0;
	if (f->v->window_s > 0) {
		step = f->v->window_s / 4;
		if (!isnan(f->v->end_s))
			newest = f->v->end_s;
		else
			newest = fmax(ceil(newest / step) * step, oldest + f->v->window_s);
		return (struct time_axis){newest - f->v->window_s, newest};
	}
	if (done && newest > oldest)
		return (struct time_axis){oldest, newest};
	step = roomy(newest - oldest);
	if (oldest + step > planned && newest <= planned)
		step = planned - oldest;
	return (struct time_axis){oldest, oldest + step};
}
