/* Between the parts of the picture: bytes in memory, and the facts that go with them. */
#ifndef SINKS_PICTURE_PRIVATE_H
#define SINKS_PICTURE_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "sinks/picture_font.h"
#include "throttlog/scene.h"

struct buffer {
	uint8_t *data; /* owned */
	size_t n, cap;
};

void buffer_add(struct buffer *b, const void *data, size_t n);

/* For the PNG's text chunks and the PDF's metadata. */
struct fact {
	char key[24];
	char *text; /* UTF-8; owned */
};

struct facts {
	struct fact *item;
	size_t n, cap;
};

/* Each draws `s` into `out`. Returns 0 or -errno. */
int picture_png(const struct scene *s, const struct font *font, double scale,
		const struct facts *facts, struct buffer *out);
void picture_svg(const struct scene *s, const struct facts *facts, struct buffer *out);
int picture_pdf(const struct scene *s, const struct font *font, const struct facts *facts,
		struct buffer *out);
/* Rows of 0xXXRRGGBB, stride in bytes. */
struct image {
	const uint8_t *pixels;
	size_t stride;
	unsigned width, height;
	double scale;
};

int png_encode(const struct image *im, const struct facts *facts, struct buffer *out);

#endif
