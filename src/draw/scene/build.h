/* Building blocks of the scene: marks and texts, used by everything that lays out a picture. */
#ifndef DRAW_SCENE_BUILD_H
#define DRAW_SCENE_BUILD_H

#include <math.h>

#include "throttlog/scene.h"

/* Sizes of type in px: 13.4 px are 10 pt at 96 dpi, the least that is used. */
#define TYPE_LABEL   15.0
#define TYPE_TICK    14.0
#define TYPE_CAPTION 13.4
#define LINE         1.3 /* from one baseline to the next, in em */

#define DEG_C       "\xc2\xb0\x43" /* the C would belong to the escape */
#define ARROW       "\xe2\x86\x92"
#define MINUS       "\xe2\x88\x92"
#define LABEL_LINES 3

enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT };

struct type {
	double size;
	bool bold;
	enum ink ink;
};

/* build.c: marks. The points of a mark follow its mark_begin(). */
void scene_begin(struct scene *s, const struct picture_options *o, double height,
		 const struct text_measure *measure);
int scene_panel(struct scene *s, struct scene_box box);
struct scene_mark *mark_begin(struct scene *s, enum scene_kind kind, enum ink ink, double size);
void mark_point(struct scene *s, double x, double y);
void mark_area(struct scene *s, enum ink ink, double x0, double y0, double x1, double y1);
void mark_line(struct scene *s, enum ink ink, double width, enum scene_dash dash, double x0,
	       double y0, double x1, double y1);
/* The background that the panels' areas leave at this place. */
enum ink mark_behind(const struct scene *s, double x, double y);
/* Keeps words off this place if they have a choice. */
void busy_line(struct scene *s, double x0, double y0, double x1, double y1);
/* The same for an upright line that words must not be taken to belong to. */
void busy_border(struct scene *s, double x, double y0, double y1);
void busy_box(struct scene *s, struct scene_box box);
double busy_share(const struct scene *s, struct scene_box box);

/*
 * text.c. All return false and add nothing if the text would overlap another or leave the picture
 * or its panel.
 */
double text_width(const struct scene *s, const char *text, struct type type);
bool text_put(struct scene *s, const char *text, double x, double y, enum align align,
	      struct type type);
/* Cuts with an ellipsis to `width`. */
bool text_put_cut(struct scene *s, const char *text, double x, double y, double width,
		  struct type type);
/* Breaks at blanks into at most `lines` lines; returns the y below the last one. */
double text_wrap(struct scene *s, const char *text, struct scene_box in, int lines,
		 struct type type);
bool text_free(const struct scene *s, struct scene_box box);
struct scene_box text_box(double x, double y, double width, double size);
/* Adds without a look at others: for places that text_free() found. */
void text_add(struct scene *s, const char *text, double x, double y, struct type type,
	      enum ink halo);

/* place.c */
struct label {
	const char *line[LABEL_LINES]; /* up to the first NULL */
	struct type type[LABEL_LINES];
	double x, y;   /* what it belongs to */
	bool level;    /* x is where it begins, and no line that it stays clear of */
	bool near;     /* right beside its upright line, or it would seem to belong to another */
	bool optional; /* not worth hiding data for */
};

/*
 * Finds the best place for a label inside `in`: no text is covered, as little data as possible, as
 * near as possible. Drops it if there is none.
 */
bool text_place(struct scene *s, const struct label *l, struct scene_box in);
/* The same for the best of n forms of one label, the first preferred. */
bool text_place_one(struct scene *s, const struct label *labels, size_t n, struct scene_box in);

/* Headline and subtitle at the top of `box`, caption at its foot; returns what is left. */
struct scene_box words_frame(struct scene *s, const struct picture_item *items, size_t n,
			     bool compare, struct scene_box box);
/* One line that says who drive i is, what it did and why that is believed. */
void words_drive(struct scene *s, const struct picture_item *items, size_t n, size_t i,
		 double width, struct type type, char *buf, size_t size);
/* glyphs.c: which characters the font lacks, "" if none. */
void glyphs_missing(const struct scene *s, const struct picture_item *items, size_t n, char *buf,
		    size_t size);

#endif
