/* The embedded font, measured and handed to cairo. */
#ifndef SINKS_PICTURE_FONT_H
#define SINKS_PICTURE_FONT_H

#include <stdbool.h>

#include "throttlog/scene.h"

struct font;

/*
 * Opened at the first call and kept: cairo caches faces beyond their last use. Returns 0 or
 * -errno. Safe from any thread.
 */
int font_open(struct font **out);
/* A cairo_font_face_t. */
void *font_face(const struct font *f, bool bold);
struct text_measure font_measure(struct font *f);

#endif
