/* The persistent event log: a list of thermal excursions, and the page made of it. */
#include "pel.h"

#include <stdlib.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/alloc.h"

#define HEADER_BYTES  512
#define EVENT_HEADER  24
#define EVENT_BYTES   (EVENT_HEADER + 2)
#define EVENT_THERMAL 0x0d

void pel_add(struct pel *pel, uint64_t ms, uint8_t over_k, enum pel_threshold threshold)
{
	if (pel->count == PEL_EVENTS_MAX) {
		memmove(pel->event, pel->event + 1, sizeof(pel->event) - sizeof(pel->event[0]));
		pel->count--;
	}
	pel->event[pel->count++] = (struct pel_event){ms, over_k, (uint8_t)threshold};
	pel->generation++;
}

/* Newest first, as the specification wants it. */
static void put_event(uint8_t *p, const struct pel_event *e)
{
	p[0] = EVENT_THERMAL;
	p[1] = 1;
	p[2] = EVENT_HEADER - 3; /* counted from the byte after itself */
	put64(p + 6, e->ms);
	put16(p + 22, 2);
	p[EVENT_HEADER] = e->over_k;
	p[EVENT_HEADER + 1] = e->threshold;
}

void pel_establish(struct pel_page *page, const struct rig *r, uint64_t ms)
{
	const struct pel *pel = &r->pel;
	uint8_t *p;

	page->bytes = HEADER_BYTES + pel->count * EVENT_BYTES;
	/* A whole number of dwords can be read. */
	page->data = p = xzalloc((page->bytes + 3) / 4 * 4);
	p[0] = LOG_PERSISTENT_EVENTS;
	put32(p + 4, (uint32_t)pel->count);
	put64(p + 8, page->bytes);
	p[16] = 1;
	put16(p + 18, HEADER_BYTES - 20);
	put64(p + 20, ms);
	ctrl_put_names(r, p + 56, p + 76);
	memcpy(p + 116, r->options.nqn, strlen(r->options.nqn));
	put16(p + 372, pel->generation);
	put32(p + 374, 1u << 18); /* a context is established */
	p[480 + EVENT_THERMAL / 8] = 1 << EVENT_THERMAL % 8;
	for (size_t i = 0; i < pel->count; i++)
		put_event(p + HEADER_BYTES + i * EVENT_BYTES, &pel->event[pel->count - 1 - i]);
}

void pel_release(struct pel_page *page)
{
	free(page->data);
	*page = (struct pel_page){NULL, 0};
}
