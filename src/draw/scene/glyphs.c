/*
 * Characters that the picture's font lacks are drawn as boxes. The caption says which ones they
 * stand for, so that nothing is lost without a word.
 */
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/text.h"

#define NAMED_MAX 4

struct missing {
	uint32_t named[NAMED_MAX];
	size_t n, more;
};

/* The character at `s` of valid UTF-8, and its length. */
static uint32_t character(const char *s, size_t *length)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t n = *u < 0x80 ? 1 : *u < 0xe0 ? 2 : *u < 0xf0 ? 3 : 4;
	uint32_t c = n == 1 ? *u : *u & (0xffU >> (n + 1));

	for (size_t i = 1; i < n && (u[i] & 0xc0) == 0x80; i++)
		c = c << 6 | (u[i] & 0x3f);
	*length = strnlen(s, n);
	return c;
}

static void look(const struct scene *s, const char *text, struct missing *m)
{
	size_t length, k;

	for (; *text; text += length) {
		uint32_t c = character(text, &length);

		if (s->measure->has(s->measure->ctx, c))
			continue;
		for (k = 0; k < m->n && m->named[k] != c; k++)
			;
		if (k < m->n)
			continue;
		if (m->n < NAMED_MAX)
			m->named[m->n++] = c;
		else
			m->more++;
	}
}

void glyphs_missing(const struct scene *s, const struct picture_item *items, size_t n, char *buf,
		    size_t size)
{
	struct missing m = {.n = 0};
	size_t end;

	for (size_t i = 0; i < n; i++) {
		const struct series *rows = &items[i].run->series;

		look(s, items[i].run->drive.model, &m);
		look(s, items[i].run->note, &m);
		for (size_t k = 0; k < rows->n_events; k++)
			if (rows->events[k].text)
				look(s, rows->events[k].text, &m);
	}
	buf[0] = '\0';
	if (m.n == 0)
		return;
	text_format(buf, size, "boxes: not in this font");
	for (size_t k = 0; k < m.n; k++) {
		end = strlen(buf);
		text_format(buf + end, size - end, " U+%04X", m.named[k]);
	}
	end = strlen(buf);
	if (m.more)
		text_format(buf + end, size - end, " and more");
}
