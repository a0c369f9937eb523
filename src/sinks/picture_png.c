/* Pixels to PNG through libpng, with the facts as text chunks, density and sRGB. */
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinks/picture_colours.h"
#include "sinks/picture_private.h"
#include "throttlog/alloc.h"

#define PX_PER_METRE (96 / 0.0254)
#define LEVEL        8 /* 9 takes twice the time for a hundredth of the size */

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

/* libpng copies what it is given, but its struct asks for writable text. */
static void set_fact(png_structp png, png_infop info, const char *key, char *value)
{
	char key_copy[80], empty[1] = "";
	png_text text;

	memset(&text, 0, sizeof(text));
	snprintf(key_copy, sizeof(key_copy), "%s", key);
	/* Long ones are packed; short ones can be read in a dump of the file. */
	text.compression = strlen(value) > 1000 ? PNG_ITXT_COMPRESSION_zTXt
						: PNG_ITXT_COMPRESSION_NONE;
	text.key = key_copy;
	text.text = value;
	text.lang = empty;
	text.lang_key = empty;
	png_set_text(png, info, &text, 1);
}

static void set_palette(png_structp png, png_infop info, const struct colours *c)
{
	png_color palette[COLOURS_MAX];

	for (int i = 0; i < c->n; i++)
		palette[i] = (png_color){
		    (png_byte)(c->rgb[i] >> 16),
		    (png_byte)(c->rgb[i] >> 8 & 0xff),
		    (png_byte)(c->rgb[i] & 0xff),
		};
	png_set_PLTE(png, info, palette, c->n);
}

static void set_header(png_structp png, png_infop info, const struct image *im,
		       const struct colours *c, const struct facts *facts)
{
	png_uint_32 density = (png_uint_32)(PX_PER_METRE * im->scale + 0.5);

	png_set_IHDR(png, info, im->width, im->height, 8,
		     c ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (c)
		set_palette(png, info, c);
	png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_RELATIVE);
	png_set_pHYs(png, info, density, density, PNG_RESOLUTION_METER);
	for (size_t i = 0; i < facts->n; i++)
		set_fact(png, info, facts->item[i].key, facts->item[i].text);
	png_set_compression_level(png, LEVEL);
	png_set_filter(png, 0, PNG_FILTER_NONE);
}

static void set_row(uint8_t *row, const uint8_t *pixels, unsigned width)
{
	for (unsigned x = 0; x < width; x++) {
		uint32_t v;

		memcpy(&v, pixels + 4 * (size_t)x, sizeof(v));
		row[3 * (size_t)x] = (uint8_t)(v >> 16);
		row[3 * (size_t)x + 1] = (uint8_t)(v >> 8);
		row[3 * (size_t)x + 2] = (uint8_t)v;
	}
}

static void write_rows(png_structp png, const struct image *im, const struct colours *c,
		       uint8_t *row)
{
	for (unsigned y = 0; y < im->height; y++) {
		const uint8_t *pixels = im->pixels + y * im->stride;

		if (c)
			colours_row(c, pixels, im->width, row);
		else
			set_row(row, pixels, im->width);
		png_write_row(png, row);
	}
}

static int encode(const struct image *im, const struct colours *c, const struct facts *facts,
		  struct buffer *out)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error,
						  on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	uint8_t *row = xmalloc(3 * (size_t)im->width);
	volatile int err = 0;

	if (!info) {
		png_destroy_write_struct(&png, NULL);
		free(row);
		return -ENOMEM;
	}
	if (setjmp(png_jmpbuf(png))) {
		err = -EIO;
	} else {
		png_set_write_fn(png, out, on_write, on_flush);
		set_header(png, info, im, c, facts);
		png_write_info(png, info);
		write_rows(png, im, c, row);
		png_write_end(png, NULL);
	}
	png_destroy_write_struct(&png, &info);
	free(row);
	return err;
}

int png_encode(const struct image *im, const struct facts *facts, struct buffer *out)
{
	struct colours c;
	bool few = colours_find(&c, im->pixels, im->stride, im->width, im->height);
	int err = encode(im, few ? &c : NULL, facts, out);

	colours_fini(&c);
	return err;
}
