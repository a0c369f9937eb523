/*
 * A picture as plain data: marks and texts with their places, in px at scale 1, laid out before
 * anything is drawn. PNG, SVG and PDF are drawings of the same scene.
 */
#ifndef THROTTLOG_SCENE_H
#define THROTTLOG_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/picture.h"

enum ink {
	INK_PAPER,
	INK_TEXT,
	INK_MUTED, /* secondary text */
	INK_GRID,
	INK_AXIS,
	INK_PHASE,  /* background of time without load */
	INK_SHADE,  /* background of throttled time */
	INK_SPEED,  /* mean line and words of throughput */
	INK_DOTS,   /* single seconds of throughput; where most of them lie in a column of many */
	INK_BAR,    /* lowest to highest of such a column */
	INK_TEMP,   /* composite temperature */
	INK_SENSOR, /* a hotter sensor beside it */
	INK_LIMIT,  /* stated limits */
	INK_HEAT,   /* the throttle point, its words, the observed limit */
	INK_OTHER,  /* drops that are not heat, events */
	INK_RUN1,   /* runs of a comparison */
	INK_RUN2,
	INK_RUN3,
	INK_RUN4,
	INK_COUNT
};

struct rgb {
	uint8_t r, g, b;
};

struct palette {
	struct rgb ink[INK_COUNT];
	struct rgb ramp[3]; /* early, middle, late */
};

extern const struct palette palettes[]; /* by enum picture_theme */
/* A colour of the time ramp, t from 0 (early) to 1. */
struct rgb palette_ramp(const struct palette *p, double t);

struct scene_point {
	double x, y;
};

struct scene_box {
	double x, y, w, h;
};

enum scene_kind {
	SCENE_AREA, /* pairs of points: opposite corners of filled boxes */
	SCENE_LINE, /* one polyline */
	SCENE_DOTS,
	SCENE_RING, /* dots with a ring of paper around them */
};

#define RING_PX 2.5 /* width of that ring */

enum scene_dash { DASH_NONE, DASH_LONG, DASH_SHORT, DASH_DOT, DASH_MIXED, DASH_COUNT };

/* Lengths of strokes and gaps, ended by 0. */
extern const double scene_dashes[DASH_COUNT][5];

struct scene_mark {
	enum scene_kind kind;
	enum ink ink;
	double ramp; /* NAN: ink */
	double size; /* width of a line, radius of a dot */
	enum scene_dash dash;
	size_t first, n; /* of scene.point */
	int panel;       /* index of the panel that holds it, -1: none */
};

struct scene_text {
	char *text;  /* owned */
	double x, y; /* left end of the baseline */
	double size; /* px of the em */
	bool bold;
	enum ink ink;
	enum ink halo; /* colour of what lies behind, to set it off from lines; INK_COUNT: none */
	struct scene_box box; /* measured */
	int panel;
};

struct scene {
	double width, height; /* height: at least the one asked for, more if the rows need it */
	char *title;          /* the headline; owned */
	const struct palette *palette;
	struct scene_mark *mark;
	size_t n_marks, cap_marks;
	struct scene_point *point;
	size_t n_points, cap_points;
	struct scene_text *text;
	size_t n_texts, cap_texts;
	struct scene_box *panel;
	size_t n_panels, cap_panels;
	/* private to src/draw/scene: where data lies, in cells of 4 px */
	uint8_t *busy;
	size_t busy_w, busy_h;
	const struct text_measure *measure;
	int current; /* panel of new marks and texts */
};

/* How wide a text is in the font that will draw it, and whether that has a character. */
struct text_measure {
	double (*width)(void *ctx, const char *text, double size, bool bold);
	bool (*has)(void *ctx, uint32_t character);
	void *ctx;
};

/* Ink of a line of text above and below its baseline, in em. */
#define TEXT_ASCENT  0.78
#define TEXT_DESCENT 0.24

/* Lays the picture out; scene_fini() frees it. `measure` is used during the call only. */
void scene_make(struct scene *out, const struct picture_options *options,
		const struct picture_item *items, size_t n, bool compare,
		const struct text_measure *measure);
void scene_fini(struct scene *s);

#endif
