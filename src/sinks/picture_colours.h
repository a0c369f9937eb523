/* Few colours for a file of a byte a pixel. */
#ifndef SINKS_PICTURE_COLOURS_H
#define SINKS_PICTURE_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COLOURS_MAX 256

/* Opaque to users but for `rgb` and `n`. */
struct colours {
	uint32_t rgb[COLOURS_MAX]; /* 0xRRGGBB */
	int n;
	/* private: open hash of the colours that occur */
	struct colour_slot *slot;
	size_t slots, used;
};

/*
 * Finds at most 256 colours for rows of 0xXXRRGGBB, `stride` in bytes. The inks of a picture stay
 * exact; blends at the edges of glyphs and lines move by a few steps of 255. Returns false if the
 * picture has too many different ones for that. colours_fini() in either case.
 */
bool colours_find(struct colours *c, const uint8_t *pixels, size_t stride, unsigned width,
		  unsigned height);
void colours_row(const struct colours *c, const uint8_t *pixels, unsigned width, uint8_t *out);
void colours_fini(struct colours *c);

#endif
