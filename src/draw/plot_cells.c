/* Dots finer than a cell, as braille, half blocks or ASCII. */
#include "draw/plot_cells.h"

#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"

/* Dots in a cell by charset. */
static const struct {
	int dx, dy;
} grids[] = {
    [CHARSET_ASCII] = {1, 3},
    [CHARSET_BLOCK] = {1, 2},
    [CHARSET_BRAILLE] = {2, 4},
};

#define BRAILLE 0x2800u

void dots_init(struct dots *d, enum charset charset, struct rect at)
{
	d->charset = charset;
	d->at = at;
	d->dx = grids[charset].dx;
	d->dy = grids[charset].dy;
	d->w = at.w > 0 ? at.w * d->dx : 0;
	d->h = at.h > 0 ? at.h * d->dy : 0;
	d->bits = xzalloc((size_t)(d->w * d->h) + 1);
}

void dots_fini(struct dots *d)
{
	free(d->bits);
	memset(d, 0, sizeof(*d));
}

void dots_set(struct dots *d, int x, int y)
{
	if (x < 0 || y < 0 || x >= d->w || y >= d->h)
		return;
	d->bits[y / d->dy * d->at.w + x / d->dx] |= (uint8_t)(1u
							      << (x % d->dx * d->dy + y % d->dy));
}

void dots_column(struct dots *d, int x, int y0, int y1)
{
	int low = y0 < y1 ? y0 : y1, high = y0 < y1 ? y1 : y0;

	if (low < 0)
		low = 0;
	for (int y = low; y <= high && y < d->h; y++)
		dots_set(d, x, y);
}

/* Bit n of a cell (columns of 4 from the top) as Unicode numbers braille dots (1-3, 7, 4-6, 8). */
static uint32_t braille(uint8_t bits)
{
	static const uint8_t order[8] = {0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80};
	uint32_t ch = BRAILLE;

	for (int i = 0; i < 8; i++)
		if (bits & 1u << i)
			ch |= order[i];
	return ch;
}

static uint32_t glyph(enum charset charset, uint8_t bits)
{
	static const uint32_t blocks[4] = {' ', 0x2580, 0x2584, 0x2588};
	static const char ascii[] = " '-|.:||";

	if (charset == CHARSET_BRAILLE)
		return braille(bits);
	return charset == CHARSET_BLOCK ? blocks[bits & 3] : (uint32_t)ascii[bits & 7];
}

void dots_paint(const struct dots *d, struct canvas *c, enum tint tint)
{
	for (int y = 0; y < d->at.h; y++)
		for (int x = 0; x < d->at.w; x++) {
			uint8_t bits = d->bits[y * d->at.w + x];
			const struct cell *old = canvas_at(c, d->at.x + x, d->at.y + y);
			uint32_t ch = glyph(d->charset, bits);

			if (!bits || !old)
				continue;
			if (d->charset == CHARSET_BRAILLE && (old->ch & ~0xffu) == BRAILLE)
				ch |= old->ch;
			canvas_put(c, d->at.x + x, d->at.y + y, ch, tint, 0);
		}
}
