/* Pixels to PNG through libpng, with the facts as text chunks, density and sRGB. */
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "sinks/picture_private.h"
#include "throttlog/alloc.h"

#define PX_PER_METRE (96 / 0.0254)

static void on_error(png_structp png, png_const_charp message)
{
	(void)message;
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void on_write(png_structp png, png_bytep data, png_size_t n)
{
	buffer_add(png_get_io_ptr(png), data, n);
}

static void on_flush(png_structp png)
{
	(void)png;
}

static void set_facts(png_structp png, png_infop info, const struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		char key[sizeof(facts->item[i].key)];
		png_text text = {
		    .compression = PNG_ITXT_COMPRESSION_NONE,
		    .key = key,
		    .text = facts->item[i].text,
		    .lang = (char[1]){0},
		    .lang_key = (char[1]){0},
		};

		memcpy(key, facts->item[i].key, sizeof(key)); /* libpng wants it writable */
		png_set_text(png, info, &text, 1);
	}
}

static void set_palette(png_structp png, png_infop info, const struct colours *c)
{
	png_color palette[256];

	for (unsigned i = 0; i < c->n; i++)
		palette[i] = (png_color){(png_byte)(c->rgb[i] >> 16), (png_byte)(c->rgb[i] >> 8),
					 (png_byte)c->rgb[i]};
	png_set_PLTE(png, info, palette, (int)c->n);
}

/* `c` is NULL where there are too many colours for a palette. */
static void set_header(png_structp png, png_infop info, unsigned width, unsigned height,
		       double scale, const struct colours *c, const struct facts *facts)
{
	png_uint_32 density = (png_uint_32)(PX_PER_METRE * scale + 0.5);

	png_set_IHDR(png, info, width, height, 8, c ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
		     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_RELATIVE);
	if (c)
		set_palette(png, info, c);
	png_set_pHYs(png, info, density, density, PNG_RESOLUTION_METER);
	set_facts(png, info, facts);
	png_set_compression_level(png, 9);
	png_set_filter(png, 0, PNG_FILTER_NONE);
}

static void set_row(uint8_t *row, const uint8_t *pixels, unsigned width)
{
	for (unsigned x = 0; x < width; x++) {
		uint32_t v = *(const uint32_t *)(const void *)(pixels + 4 * (size_t)x);

		row[3 * (size_t)x] = (uint8_t)(v >> 16);
		row[3 * (size_t)x + 1] = (uint8_t)(v >> 8);
		row[3 * (size_t)x + 2] = (uint8_t)v;
	}
}

static void write_rows(png_structp png, const uint8_t *pixels, size_t stride, unsigned width,
		       unsigned height, const struct colours *c, uint8_t *row)
{
	for (unsigned y = 0; y < height; y++) {
		if (c) {
			png_write_row(png, c->index + (size_t)y * width);
			continue;
		}
		set_row(row, pixels + y * stride, width);
		png_write_row(png, row);
	}
}

int png_encode(const uint8_t *pixels, size_t stride, unsigned width, unsigned height, double scale,
	       const struct facts *facts, struct buffer *out)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error,
						  on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	struct colours reduced = {.index = xreallocarray(NULL, height, width)};
	const struct colours *c = colours_reduce(&reduced, pixels, stride, width, height) ? &reduced
											  : NULL;
	uint8_t *row = xmalloc(3 * (size_t)width);
	volatile int err = 0;

	if (!info) {
		err = -ENOMEM;
	} else if (setjmp(png_jmpbuf(png))) {
		err = -EIO;
	} else {
		png_set_write_fn(png, out, on_write, on_flush);
		set_header(png, info, width, height, scale, c, facts);
		png_write_info(png, info);
		write_rows(png, pixels, stride, width, height, c, row);
		png_write_end(png, info);
	}
	png_destroy_write_struct(&png, &info);
	free(reduced.index);
	free(row);
	return err;
}
