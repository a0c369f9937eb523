/*
 * DejaVu Sans from the program itself, so that a system without fonts draws the same picture.
 * A character that it lacks is drawn as its box for missing glyphs.
 */
#include <cairo-ft.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "sinks/picture_font.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

extern const unsigned char font_sans[], font_sans_end[], font_bold[], font_bold_end[];

struct font {
	FT_Library library;
	FT_Face ft[2];
	cairo_font_face_t *face[2];
	cairo_scaled_font_t *unit[2]; /* at 100 px, for widths; they scale */
};

#define UNIT_PX 100.0

static int open_face(struct font *f, int k, const unsigned char *data, const unsigned char *end)
{
	cairo_font_options_t *options;
	cairo_matrix_t size, identity;

	if (FT_New_Memory_Face(f->library, data, end - data, 0, &f->ft[k]))
		return -EIO;
	f->face[k] = cairo_ft_font_face_create_for_ft_face(f->ft[k], FT_LOAD_NO_HINTING);
	cairo_matrix_init_scale(&size, UNIT_PX, UNIT_PX);
	cairo_matrix_init_identity(&identity);
	options = cairo_font_options_create();
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	f->unit[k] = cairo_scaled_font_create(f->face[k], &size, &identity, options);
	cairo_font_options_destroy(options);
	return cairo_scaled_font_status(f->unit[k]) == CAIRO_STATUS_SUCCESS ? 0 : -EIO;
}

static struct font the_font;
static int the_error;

static void open_once(void)
{
	struct font *f = &the_font;

	the_error = FT_Init_FreeType(&f->library) ? -ENOMEM : 0;
	if (!the_error)
		the_error = open_face(f, 0, font_sans, font_sans_end);
	if (!the_error)
		the_error = open_face(f, 1, font_bold, font_bold_end);
}

int font_open(struct font **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, open_once);
	*out = the_error ? NULL : &the_font;
	return the_error;
}

void *font_face(const struct font *f, bool bold)
{
	return f->face[bold];
}

static double width(void *ctx, const char *text, double size, bool bold)
{
	const struct font *f = ctx;
	cairo_text_extents_t e;
	char *copy = NULL;

	/* One string that is not UTF-8, and cairo measures nothing any more. */
	if (!text_is_clean(text)) {
		copy = xstrdup(text);
		text_clean(copy);
	}
	cairo_scaled_font_text_extents(f->unit[bold], copy ? copy : text, &e);
	free(copy);
	return e.x_advance * size / UNIT_PX;
}

static bool has(void *ctx, uint32_t character)
{
	const struct font *f = ctx;

	return FT_Get_Char_Index(f->ft[0], character) != 0;
}

struct text_measure font_measure(struct font *f)
{
	return (struct text_measure){width, has, f};
}
