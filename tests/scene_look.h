/* One log laid out at the usual size, and looks at what came of it. */
#ifndef TESTS_SCENE_LOOK_H
#define TESTS_SCENE_LOOK_H

#include "scene_zoo.h"
#include "sinks/picture_font.h"
#include "throttlog/scene.h"

static struct text_measure measure;

static inline int set_up(void **state)
{
	struct font *font;

	(void)state;
	if (font_open(&font))
		return -1;
	measure = font_measure(font);
	return 0;
}

static inline void lay_out(struct scene *s, const struct rows *r, const struct verdict *v)
{
	struct picture_options o;
	struct picture_item item = {.run = &r->run, .verdict = v};

	picture_defaults(&o);
	scene_make(s, &o, &item, 1, false, &measure);
}

static inline bool says(const struct scene *s, const char *words)
{
	for (size_t i = 0; i < s->n_texts; i++)
		if (strstr(s->text[i].text, words))
			return true;
	return false;
}

static inline int lines_of(const struct scene *s, enum ink ink)
{
	int n = 0;

	for (size_t i = 0; i < s->n_marks; i++)
		n += s->mark[i].kind == SCENE_LINE && s->mark[i].ink == ink && s->mark[i].n > 1;
	return n;
}

#endif
