/* The embedded font, measured and handed to cairo. */
#ifndef SINKS_PICTURE_FONT_H
#define SINKS_PICTURE_FONT_H

#include <stdbool.h>

#include "throttlog/scene.h"

struct font;

/* Returns 0 or -errno; font_close() frees. */
int font_open(struct font **out);
void font_close(struct font *f);
/* A cairo_font_face_t that lives as long as the font. */
void *font_face(const struct font *f, bool bold);
struct text_measure font_measure(struct font *f);

#endif
