/*
 * The persistent event log (page 0Dh, Base Specification 2.0, section 5.16.1.14): events that the
 * drive recorded, and the frozen copy that a host reads between establishing and releasing its
 * context.
 */
#ifndef RIG_PEL_H
#define RIG_PEL_H

#include <stddef.h>
#include <stdint.h>

#define PEL_EVENTS_MAX 512

/* What a thermal excursion (event 0Dh) says happened. */
enum pel_threshold {
	PEL_WARNING = 0x01,  /* rose to WCTEMP */
	PEL_CRITICAL = 0x02, /* rose to CCTEMP */
	PEL_TMT1 = 0x03,     /* light throttling has begun */
	PEL_TMT2 = 0x04,     /* heavy */
	PEL_OWN = 0x05,      /* the drive throttles by itself */
	PEL_NORMAL = 0x88,   /* below WCTEMP again */
	PEL_STOPPED = 0x89,  /* no throttling any more */
};

struct pel_event {
	uint64_t ms; /* the drive's timestamp */
	uint8_t over_k, threshold;
};

struct pel {
	struct pel_event event[PEL_EVENTS_MAX]; /* oldest first */
	size_t count;
	uint16_t generation;
};

/* A host's context: a copy of the page, which later events do not change. */
struct pel_page {
	uint8_t *data; /* NULL: none established */
	size_t bytes;
};

/* The oldest makes room. */
void pel_add(struct pel *pel, uint64_t ms, uint8_t over_k, enum pel_threshold threshold);

struct rig;
/* Freezes the page at the drive's time `ms`; freed by pel_release(). */
void pel_establish(struct pel_page *page, const struct rig *r, uint64_t ms);
void pel_release(struct pel_page *page);

#endif
