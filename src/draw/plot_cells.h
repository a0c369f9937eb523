/*
 * Dots finer than a cell: braille has 2 x 4 of them in a cell, half blocks 1 x 2, ASCII 1 x 3
 * (' for the upper third, - for the middle, . for the lower).
 */
#ifndef THROTTLOG_PLOT_CELLS_H
#define THROTTLOG_PLOT_CELLS_H

#include <stdint.h>

#include "throttlog/canvas.h"

struct dots {
	int w, h;   /* dots */
	int dx, dy; /* dots in a cell */
	enum charset charset;
	struct rect at;
	uint8_t *bits; /* one byte a cell, one bit a dot; owned */
};

void dots_init(struct dots *d, enum charset charset, struct rect at);
void dots_fini(struct dots *d);
/* Outside of the area nothing happens. */
void dots_set(struct dots *d, int x, int y);
/* A vertical line from y0 to y1, both included, in any order. */
void dots_column(struct dots *d, int x, int y0, int y1);
/* Draws the cells that have dots; braille adds to the dots that are there. */
void dots_paint(const struct dots *d, struct canvas *c, enum tint tint);

#endif
