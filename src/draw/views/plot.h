/* One plot over time, and the parts that several plots have. Private to the views. */
#ifndef THROTTLOG_PLOT_H
#define THROTTLOG_PLOT_H

#include "draw/views/views.h"

#define GUTTER 6  /* columns left of a plot: labels and axis */
#define LABELS 11 /* columns right of the temperature plot: names of limits */

/* One plot: its cells, without gutter, and what they stand for. */
struct plot {
	const struct frame *f;
	struct rect r;
	struct time_axis t;
	double low, high;
};

/* Column and row of a time and a value, of so many in the plot; -1 or the count outside. */
int plot_column(const struct plot *p, double t_s, int columns);
int plot_row(const struct plot *p, double v, int rows);
/* The axis at the left with its numbers. */
void plot_scale(const struct plot *p, int decimals);
/* Where phases change, and where throttling was first seen; `label` says so in words. */
void plot_moments(const struct plot *p, size_t i, bool label);
/* A dashed line a limit. */
void plot_limit_lines(const struct plot *p, size_t i);
/* Names of the limits; `beside`: LABELS columns to the right of the plot are free for them. */
void plot_limit_names(const struct plot *p, size_t i, bool beside);
/* One row: phases by name and events by letter. */
void plot_strip(const struct plot *p, size_t i);
/* One row: the times. */
void plot_time(const struct plot *p);

#endif
