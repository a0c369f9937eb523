/*
 * Chooses a palette. A chart is a few inks and their blends: the colours that occur most become
 * the palette, and each other one takes the place of a near neighbour.
 */
#include "picture_colours.h"

#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"

#define NONE      UINT32_MAX
#define MOST_USED 60000 /* different colours that are worth the search */
#define FAR_MOST  24    /* steps of 255 by which a blend may move */

struct colour_slot {
	uint32_t rgb, count; /* rgb NONE: empty */
	int index;
};

static uint32_t pixel(const uint8_t *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return v & 0xffffff;
}

static struct colour_slot *find(const struct colours *c, uint32_t rgb)
{
	size_t i = (rgb * 2654435761U >> 7) & (c->slots - 1);

	while (c->slot[i].rgb != rgb && c->slot[i].rgb != NONE)
		i = (i + 1) & (c->slots - 1);
	return &c->slot[i];
}

static void make_slots(struct colours *c, size_t slots)
{
	c->slots = slots;
	c->slot = xreallocarray(NULL, slots, sizeof(*c->slot));
	for (size_t i = 0; i < slots; i++)
		c->slot[i] = (struct colour_slot){NONE, 0, 0};
}

static void grow(struct colours *c)
{
	struct colour_slot *old = c->slot;
	size_t n = c->slots;

	make_slots(c, 4 * n);
	for (size_t i = 0; i < n; i++)
		if (old[i].rgb != NONE)
			*find(c, old[i].rgb) = old[i];
	free(old);
}

static bool count(struct colours *c, const uint8_t *pixels, size_t stride, unsigned width,
		  unsigned height)
{
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width;) {
			const uint8_t *row = pixels + y * stride;
			uint32_t rgb = pixel(row + 4 * (size_t)x);
			struct colour_slot *s = find(c, rgb);
			unsigned run = 1;

			while (x + run < width && pixel(row + 4 * (size_t)(x + run)) == rgb)
				run++;
			x += run;
			c->used += s->rgb == NONE;
			s->rgb = rgb;
			s->count += run;
			if (c->used > MOST_USED)
				return false;
			if (4 * c->used > c->slots)
				grow(c);
		}
	return true;
}

static int by_count(const void *a, const void *b)
{
	const struct colour_slot *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->rgb > y->rgb) - (x->rgb < y->rgb);
}

/* The largest difference of the three channels. */
static int apart(uint32_t a, uint32_t b)
{
	int most = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		int d = abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));

		most = d > most ? d : most;
	}
	return most;
}

static int nearest(const struct colours *c, uint32_t rgb, int *distance)
{
	int best = 0;

	*distance = 256;
	for (int i = 0; i<c->n && * distance> 0; i++) {
		int d = apart(c->rgb[i], rgb);

		if (d < *distance) {
			*distance = d;
			best = i;
		}
	}
	return best;
}

/* Takes colours in turn unless one within `reach` is there already; false if they do not fit. */
static bool choose(struct colours *c, struct colour_slot *sorted, size_t n, int reach)
{
	int distance;

	c->n = 0;
	for (size_t i = 0; i < n; i++) {
		nearest(c, sorted[i].rgb, &distance);
		if (c->n > 0 && distance <= reach)
			continue;
		if (c->n == COLOURS_MAX)
			return false;
		c->rgb[c->n++] = sorted[i].rgb;
	}
	for (size_t i = 0; i < n; i++)
		find(c, sorted[i].rgb)->index = nearest(c, sorted[i].rgb, &distance);
	return true;
}

bool colours_find(struct colours *c, const uint8_t *pixels, size_t stride, unsigned width,
		  unsigned height)
{
	struct colour_slot *sorted;
	bool ok = false;
	size_t n = 0;

	memset(c, 0, sizeof(*c));
	make_slots(c, 4096);
	if (!count(c, pixels, stride, width, height))
		return false;
	sorted = xreallocarray(NULL, c->used, sizeof(*sorted));
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].rgb != NONE)
			sorted[n++] = c->slot[i];
	qsort(sorted, n, sizeof(*sorted), by_count);
	for (int reach = 0; reach <= FAR_MOST && !ok; reach += reach < 4 ? 1 : 4)
		if (reach > 0 || n <= COLOURS_MAX)
			ok = choose(c, sorted, n, reach);
	free(sorted);
	return ok;
}

void colours_row(const struct colours *c, const uint8_t *pixels, unsigned width, uint8_t *out)
{
	uint32_t last = NONE;
	uint8_t index = 0;

	for (unsigned x = 0; x < width; x++) {
		uint32_t rgb = pixel(pixels + 4 * (size_t)x);

		if (rgb != last)
			index = (uint8_t)find(c, rgb)->index;
		last = rgb;
		out[x] = index;
	}
}

void colours_fini(struct colours *c)
{
	free(c->slot);
	c->slot = NULL;
}
