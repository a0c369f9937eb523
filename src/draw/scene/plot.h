/* The plots of one run: its rows on the axes, and the parts that draw them. */
#ifndef DRAW_SCENE_PLOT_H
#define DRAW_SCENE_PLOT_H

#include "draw/scene/axis.h"
#include "draw/scene/build.h"

/* curve.c: rows to marks. */
struct curve {
	const double *x; /* px, ascending; NAN: not shown */
	const double *y; /* value, NAN: none */
	size_t n;
	const struct axis *axis;
	double columns, right; /* px of width; right end */
	const double *t;       /* seconds of each row */
	const uint8_t *phase;
	double gap_s; /* seconds without a value that break a line */
	bool dense;   /* more than three values in a px column */
	enum ink ink;
	enum scene_dash dash;
};

/* Rows at which the mean line breaks, ascending; between them it runs through. */
struct cuts {
	size_t *row; /* owned */
	size_t n, cap;
};

/* Fast and slow in turn: rows, how often, and between what; period_s NAN: none. */
struct swings {
	size_t first, end;
	double period_s, high_mb_s, low_mb_s;
};

void curve_dots(struct scene *s, const struct curve *c, double radius);
/*
 * Columns of a dense curve from lowest to highest, at least `least` px high; `joined` to their
 * neighbours, as a value that moves without jumps.
 */
void curve_bars(struct scene *s, const struct curve *c, double least, bool joined);
/* Where in such columns most of the values lie. */
void curve_cells(struct scene *s, const struct curve *c);
void curve_steps(struct scene *s, const struct curve *c, double width);
/* `window` in rows; `swings` has one of its own. */
struct mean {
	size_t window, swing_window;
	struct swings swings;
	double width;
};
void curve_mean(struct scene *s, const struct curve *c, const struct cuts *cuts,
		const struct mean *mean);
/*
 * A tick at `top` for each gap that is too narrow to be seen as one; returns how many gaps those
 * are, and the place of the first.
 */
size_t curve_gaps(struct scene *s, const struct curve *c, double top, double *first_x);

struct plot {
	struct scene *s;
	const struct picture_options *o;
	const struct run *run;
	const struct verdict *v;
	struct axis x; /* seconds from the start of the load, or bytes in x_unit */
	struct axis speed, temp;
	struct scene_box speed_box, temp_box; /* of equal place where both share one panel */
	int speed_panel, temp_panel;          /* -1: not drawn */
	double *px, *value;                   /* place of each row; scratch */
	double *moved;                        /* bytes by the end of each row; NULL: time axis */
	double zero_s;                        /* the log's time_s at the start of the load */
	double begin_s, end_s;                /* of what is shown, time_s */
	double interval_s, temp_gap_s;
	bool has_speed, has_temp;
	bool overlay; /* both curves in one panel */
	bool tested;  /* another run of the panels had a cause test */
	bool shared;  /* the panels hold other runs too: no shades, events and limits of one */
	size_t n_temps, n_speeds;
	enum field hottest; /* a sensor that differs from composite, or FIELD_TEMP */
	double speed_max, temp_min, temp_max, total; /* MB/s, °C, bytes */
	double gutter; /* px right of the panels for the words of limits; 0: none */
	enum ink speed_ink, temp_ink;
	enum scene_dash speed_dash, temp_dash;
};

/* data.c */
void plot_begin(struct plot *p, struct scene *s, const struct picture_options *o,
		const struct picture_item *item);
void plot_end(struct plot *p);
/* Throughput of a row in MB/s; NAN where no load ran. */
double plot_row_speed(const struct plot *p, size_t i);
double plot_temp_at(const struct plot *p, double time_s);
size_t plot_row_after(const struct plot *p, double time_s); /* the first that ends after it */
const char *plot_verb(const struct plot *p);                /* what the drive does at its limit */
/* What the load did that the verdict is about. */
enum op plot_op(const struct plot *p);
struct curve plot_curve(struct plot *p, enum field f);

/* fit.c: axes, units, numbers. */
void plot_fit_x(struct plot *p, double left, double right);
void plot_fit_values(struct plot *p);
double plot_x(const struct plot *p, double time_s);
double plot_speed(const struct plot *p, double mb_s); /* in the unit of the picture */
const char *plot_speed_unit(const struct plot *p);
/* "1041 MB/s", "0.42 MB/s"; `unit` false leaves the unit out. */
void plot_speed_text(const struct plot *p, double mb_s, bool unit, char *buf, size_t size);
/* "78 GB" or "73 GiB". */
void plot_bytes(const struct plot *p, double bytes, char *buf, size_t size);

/* limits.c */
#define LIMITS_MAX 5
struct limit {
	const char *name;
	double c;
	enum ink ink;
	enum scene_dash dash;
};

/* Those that lie near enough to the curve to be drawn; returns how many. */
size_t limits_near(const struct plot *p, struct limit out[LIMITS_MAX]);
double limits_width(const struct plot *p);
void limits_lines(struct plot *p);
void limits_words(struct plot *p);

/* cuts.c: the caller frees out->row. */
void cuts_find(const struct plot *p, const struct curve *c, struct cuts *out);
struct swings cuts_swings(const struct plot *p);

/* panels.c, backs.c */
void backs_draw(struct plot *p, struct scene_box b);
/* The longest explanation of a cause test's phases that has room; "" if there was none. */
void backs_explain(const struct plot *p, double width, char *buf, size_t size);
void panels_value_axis(struct plot *p, const struct axis *a, struct scene_box b, bool right);
void panels_x_axis(struct plot *p, struct scene_box b, bool words);
void panels_x_title(struct plot *p, struct scene_box b);
void panels_curves(struct plot *p);
/* Boxes, axes and names without curves; false: there is nothing to draw. */
bool panels_frame(struct plot *p, struct scene_box box);
void panels_draw(struct plot *p, struct scene_box box);

/* events.c, marks.c, scatter.c, numbers.c, compare.c */
void events_lines(struct plot *p, struct scene_box b);
void events_words(struct plot *p);
void marks_lines(struct plot *p, struct scene_box b);
void marks_draw(struct plot *p);
void scatter_axes(struct plot *p, struct scene_box b, struct axis *ax);
void scatter_dots(struct plot *p, struct scene_box b, const struct axis *ax, bool ramp);
void scatter_draw(struct plot *p, struct scene_box b);
void numbers_draw(struct plot *p, struct scene_box box);
void compare_draw(struct scene *s, const struct picture_options *o,
		  const struct picture_item *items, size_t n, struct scene_box box);

#endif
