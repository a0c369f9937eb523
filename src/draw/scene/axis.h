/* Axes with round ticks. */
#ifndef DRAW_SCENE_AXIS_H
#define DRAW_SCENE_AXIS_H

#include <stdbool.h>
#include <stddef.h>

struct ticks {
	double first, step;
	int n;
};

enum axis_kind { AXIS_NUMBER, AXIS_TIME };

struct axis {
	double low, high; /* values at ... */
	double from, to;  /* ... these px */
	struct ticks ticks;
	enum axis_kind kind;
};

/* The least round step that parts `range` into at most `most` pieces. */
double tick_step(double range, int most);
struct ticks tick_range(double low, double high, double step);
double tick_value(const struct ticks *t, int k);
/* `snap` rounds both ends outwards to ticks. Steps are 1, 2 or 5 times a power of ten. */
struct axis axis_number(double low, double high, bool snap, int most);
/* Seconds; steps that a clock has. */
struct axis axis_time(double low, double high, int most);
/* An axis of as many steps as `like`, so that both share their grid lines. */
struct axis axis_alike(double low, double high, const struct axis *like);
double axis_px(const struct axis *a, double value); /* clamped to the axis */
void axis_label(const struct axis *a, double value, char *buf, size_t size);
/* "2:32", "1:02:32" */
void clock_text(double seconds, char *buf, size_t size);

#endif
