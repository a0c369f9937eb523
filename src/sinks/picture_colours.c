/*
 * At most 256 colours, so that a PNG takes one byte a px instead of three. Colours that cover
 * areas stay exact; the shades at the edges of words and lines are rounded, by no more than needed.
 */
#include <stdlib.h>
#include <string.h>

#include "sinks/picture_private.h"
#include "throttlog/alloc.h"

#define SLOTS 65536U /* of the hash table; more colours than half of it are not a chart */

struct shade {
	uint32_t rgb; /* with USED set; 0: no entry */
	uint32_t n;   /* px, later the index */
};

#define USED 0xff000000U

static struct shade *find(struct shade *table, uint32_t rgb)
{
	uint32_t at = (rgb * 2654435761U) >> 16;

	while (table[at].rgb && table[at].rgb != (rgb | USED))
		at = (at + 1) % SLOTS;
	return &table[at];
}

/* Returns the number of different colours, or 0 if there are too many to count. */
static size_t count(struct shade *table, const uint8_t *pixels, size_t stride, unsigned width,
		    unsigned height)
{
	size_t n = 0;

	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++) {
			uint32_t v = *(const uint32_t *)(const void *)(pixels + y * stride +
								       4 * (size_t)x);
			struct shade *s = find(table, v & ~USED);

			n += s->n == 0;
			if (n > SLOTS / 2)
				return 0;
			s->rgb = v | USED;
			s->n++;
		}
	return n;
}

static int by_count(const void *a, const void *b)
{
	const struct shade *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->rgb > y->rgb) - (x->rgb < y->rgb);
}

static uint32_t rounded(uint32_t rgb, unsigned step)
{
	uint32_t out = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		uint32_t c = ((rgb >> shift & 0xff) + step / 2) / step * step;

		out |= (c > 0xff ? 0xff : c) << shift;
	}
	return out;
}

/* The index of `rgb` in the palette, added if there is room; -1 if there is none. */
static int indexed(struct colours *c, uint32_t rgb)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->rgb[i] == rgb)
			return (int)i;
	if (c->n == 256)
		return -1;
	c->rgb[c->n] = rgb;
	return (int)c->n++;
}

/* Gives each of the n shades its index; false if they do not fit with this step. */
static bool fit(struct colours *c, struct shade *shade, size_t n, unsigned step)
{
	c->n = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t rgb = shade[i].rgb & ~USED;
		int at = indexed(c, i < COLOURS_EXACT ? rgb : rounded(rgb, step));

		if (at < 0)
			return false;
		shade[i].n = (uint32_t)at;
	}
	return true;
}

bool colours_reduce(struct colours *c, const uint8_t *pixels, size_t stride, unsigned width,
		    unsigned height)
{
	static const unsigned steps[] = {1, 4, 8, 12, 16, 24, 32, 40};
	struct shade *table = xzalloc(SLOTS * sizeof(*table));
	size_t n = count(table, pixels, stride, width, height), k = 0;
	struct shade *list = xreallocarray(NULL, n + 1, sizeof(*list));
	bool ok = false;

	for (size_t i = 0; n > 0 && i < SLOTS; i++)
		if (table[i].rgb)
			list[k++] = table[i];
	qsort(list, k, sizeof(*list), by_count);
	for (size_t i = 0; k > 0 && !ok && i < sizeof(steps) / sizeof(*steps); i++)
		ok = fit(c, list, k, steps[i]);
	for (size_t i = 0; ok && i < k; i++)
		find(table, list[i].rgb & ~USED)->n = list[i].n;
	for (unsigned y = 0; ok && y < height; y++)
		for (unsigned x = 0; x < width; x++) {
			uint32_t v = *(const uint32_t *)(const void *)(pixels + y * stride +
								       4 * (size_t)x);

			c->index[(size_t)y * width + x] = (uint8_t)find(table, v & ~USED)->n;
		}
	free(list);
	free(table);
	return ok;
}
