/* Reads a PNG from memory for tests: pixels, text chunks, counts of a colour. */
#ifndef TESTS_PNG_DECODE_H
#define TESTS_PNG_DECODE_H

#include "cmocka_all.h"

#include <png.h>
#include <string.h>

#include "throttlog/scene.h"

struct bytes {
	unsigned char *data;
	size_t n;
};

struct decoded {
	png_structp png;
	png_infop info;
	png_textp text;
	int n_text;
	const struct bytes *from;
	size_t at;
	png_bytepp row;
	png_uint_32 width, height;
};

static inline void on_read(png_structp png, png_bytep out, png_size_t n)
{
	struct decoded *d = png_get_io_ptr(png);

	if (d->at + n > d->from->n)
		png_error(png, "short");
	memcpy(out, d->from->data + d->at, n);
	d->at += n;
}

static inline void decode(struct decoded *d, const struct bytes *b)
{
	memset(d, 0, sizeof(*d));
	d->from = b;
	d->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	d->info = png_create_info_struct(d->png);
	assert_int_equal(setjmp(png_jmpbuf(d->png)), 0);
	png_set_read_fn(d->png, d, on_read);
	png_read_png(d->png, d->info, PNG_TRANSFORM_EXPAND, NULL);
	png_get_text(d->png, d->info, &d->text, &d->n_text);
	d->row = png_get_rows(d->png, d->info);
	d->width = png_get_image_width(d->png, d->info);
	d->height = png_get_image_height(d->png, d->info);
	assert_int_equal(d->at, b->n);
}

static inline void forget(struct decoded *d)
{
	png_destroy_read_struct(&d->png, &d->info, NULL);
}

static inline const char *text_of(const struct decoded *d, const char *key)
{
	for (int i = 0; i < d->n_text; i++)
		if (strcmp(d->text[i].key, key) == 0)
			return d->text[i].text;
	return "";
}

static inline struct rgb pixel(const struct decoded *d, png_uint_32 x, png_uint_32 y)
{
	const png_byte *p = d->row[y] + 3 * x;

	return (struct rgb){p[0], p[1], p[2]};
}

static inline size_t count(const struct decoded *d, struct rgb c)
{
	size_t n = 0;

	for (png_uint_32 y = 0; y < d->height; y++)
		for (png_uint_32 x = 0; x < d->width; x++) {
			struct rgb p = pixel(d, x, y);

			n += p.r == c.r && p.g == c.g && p.b == c.b;
		}
	return n;
}

#endif
