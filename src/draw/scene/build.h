/* What the parts of the scene share: building blocks, axes, and the context of one plot. */
#ifndef DRAW_SCENE_BUILD_H
#define DRAW_SCENE_BUILD_H

#include <math.h>

#include "throttlog/scene.h"

/* Sizes of type in px: 13.4 px are 10 pt at 96 dpi, the least that is used. */
#define TYPE_HEAD    24.0
#define TYPE_SUB     16.0
#define TYPE_LABEL   15.0
#define TYPE_TICK    14.0
#define TYPE_CAPTION 13.4

enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT };

struct type {
	double size;
	bool bold;
	enum ink ink;
};

/* build.c: marks. The points of a mark follow its mark_begin(). */
void scene_begin(struct scene *s, const struct picture_options *o,
		 const struct text_measure *measure);
int scene_panel(struct scene *s, struct scene_box box);
struct scene_mark *mark_begin(struct scene *s, enum scene_kind kind, enum ink ink, double size);
void mark_point(struct scene *s, double x, double y);
void mark_area(struct scene *s, enum ink ink, double x0, double y0, double x1, double y1);
void mark_line(struct scene *s, enum ink ink, double width, enum scene_dash dash, double x0,
	       double y0, double x1, double y1);
/* Keeps words off this place if they have a choice. */
void busy_line(struct scene *s, double x0, double y0, double x1, double y1);
double busy_share(const struct scene *s, struct scene_box box);

/* place.c: texts. All return false and add nothing if the text would overlap another. */
double text_width(const struct scene *s, const char *text, struct type type);
bool text_put(struct scene *s, const char *text, double x, double y, enum align align,
	      struct type type);
/* Cuts with an ellipsis to `width`. */
bool text_put_cut(struct scene *s, const char *text, double x, double y, double width,
		  struct type type);
/* Breaks at blanks into at most `lines` lines; returns the baseline below the last one. */
double text_wrap(struct scene *s, const char *text, struct scene_box in, int lines,
		 struct type type);
/*
 * Finds the best free place for a label of up to two lines near (x, y) inside `in`: no text is
 * covered, as little data as possible, as near as possible. Drops it if there is none.
 */
bool text_place(struct scene *s, const char *const lines[2], const struct type type[2],
		struct scene_box in, double x, double y);

/* ticks.c */
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

double tick_step(double range, int most);
struct ticks tick_range(double low, double high, double step);
double tick_value(const struct ticks *t, int k);
/* Both round outwards to ticks where `snap`; at most `most` ticks. */
struct axis axis_number(double low, double high, bool snap, int most);
struct axis axis_time(double low, double high, int most);
double axis_px(const struct axis *a, double value); /* clamped to the axis */
void axis_label(const struct axis *a, double value, char *buf, size_t size);

/* curve.c: rows to marks. */
struct curve {
	const double *x; /* px, ascending; NAN: not shown */
	const double *y; /* value, NAN: none */
	size_t n;
	const struct axis *axis;
	double columns; /* px of width */
	double gap;     /* px without a value that break a line */
};

/* Cuts of the mean line, in rows, ascending; between them it runs through. */
struct cuts {
	size_t *row;
	size_t n;
};

bool curve_dense(const struct curve *c); /* more than three rows in a px column */
void curve_dots(struct scene *s, const struct curve *c, enum ink ink, double radius);
void curve_envelope(struct scene *s, const struct curve *c, enum ink ink);
void curve_steps(struct scene *s, const struct curve *c, enum ink ink, double width);
void curve_mean(struct scene *s, const struct curve *c, const struct cuts *cuts, size_t window,
		enum ink ink, double width);

/* The context of one drive's plots. */
struct plot {
	struct scene *s;
	const struct picture_options *o;
	const struct run *run;
	const struct verdict *v;
	struct axis time; /* seconds from the start of the load, or GB */
	struct axis speed, temp;
	double *x, *value; /* px of each row; scratch */
	double zero_s;     /* the log's time_s at the start of the load */
	bool has_speed, has_temp;
	struct scene_box speed_box, temp_box;
};

/* data.c */
void plot_begin(struct plot *p, struct scene *s, const struct picture_options *o,
		const struct picture_item *item);
void plot_end(struct plot *p);
/* Fills x[] and fits the axis to left..right. */
void plot_fit_time(struct plot *p, double left, double right);
void plot_fit_values(struct plot *p);
double plot_x(const struct plot *p, double time_s);
double plot_speed(const struct plot *p, double mb_s); /* in the unit of the picture */
const char *plot_speed_unit(const struct plot *p);
double plot_temp_at(const struct plot *p, double time_s);
enum field plot_hottest(const struct plot *p); /* a sensor hotter than composite, or FIELD_TEMP */
double plot_max_temp(const struct plot *p);
/* "78 GB" or "73 GiB". */
void plot_bytes(const struct plot *p, double bytes, char *buf, size_t size);
/* "2:32" */
void clock_text(double seconds, char *buf, size_t size);

/* panels.c, events.c, scatter.c, words.c, numbers.c */
void panels_draw(struct plot *p, struct scene_box box);
void events_lines(struct plot *p, struct scene_box box);
void events_words(struct plot *p);
void scatter_draw(struct plot *p, struct scene_box box);
double numbers_height(void);
void numbers_draw(struct plot *p, struct scene_box box);
/* Headline and subtitle at the top of `box`, caption at its foot; returns what is left. */
struct scene_box words_frame(struct scene *s, const struct picture_options *o,
			     const struct picture_item *items, size_t n, struct scene_box box);

#endif
