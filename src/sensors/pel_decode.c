/* Walks the persistent event log, bounded by every length at once, and compares two readings. */
#include "pel_decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"

#define EVENT_HEADER_BYTES 24
#define EVENT_THERMAL      0x0d
#define CLOCK_MASK         UINT64_C(0xffffffffffff) /* 48 bits of ms; what follows are flags */
/* How far the drive's clock may be off from ours between two readings. */
#define SLACK_MS    2000
#define SLACK_SHARE 0.02

/* Little-endian and unaligned. */
static uint64_t le(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	for (int i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

bool pel_decode_header(const uint8_t *log, size_t bytes, struct pel_header *out)
{
	uint32_t head;

	memset(out, 0, sizeof(*out));
	if (bytes < PEL_HEADER_BYTES || log[0] != 0x0d)
		return false;
	out->events = (uint32_t)le(log + 4, 4);
	out->bytes = le(log + 8, 8);
	/* The stated length counts from byte 20 on. */
	head = (uint32_t)le(log + 18, 2) + 20;
	out->head_bytes = head < PEL_HEADER_BYTES ? PEL_HEADER_BYTES : head;
	out->now_ms = le(log + 20, 8) & CLOCK_MASK;
	out->generation = (uint16_t)le(log + 372, 2);
	out->records_thermal = log[480 + EVENT_THERMAL / 8] >> EVENT_THERMAL % 8 & 1;
	return out->bytes >= PEL_HEADER_BYTES;
}

static void add(struct pel_log *log, size_t *cap, const uint8_t *event, const uint8_t *data)
{
	if (log->n == *cap) {
		*cap = *cap ? *cap * 2 : 64;
		log->item = xreallocarray(log->item, *cap, sizeof(*log->item));
	}
	log->item[log->n++] = (struct pel_excursion){
	    .time_ms = le(event + 6, 8) & CLOCK_MASK, .beyond_k = data[0], .code = data[1]};
}

static int compare(const void *a, const void *b)
{
	const struct pel_excursion *x = a, *y = b;

	if (x->time_ms != y->time_ms)
		return x->time_ms < y->time_ms ? -1 : 1;
	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return (x->beyond_k > y->beyond_k) - (x->beyond_k < y->beyond_k);
}

bool pel_decode(const uint8_t *log, size_t bytes, struct pel_log *out)
{
	struct pel_header *h = &out->header;
	size_t end, at, cap = 0;

	memset(out, 0, sizeof(*out));
	if (!pel_decode_header(log, bytes, h))
		return false;
	end = h->bytes < bytes ? (size_t)h->bytes : bytes;
	out->cut = h->bytes > bytes;
	at = h->head_bytes;
	for (uint32_t i = 0; i < h->events; i++) {
		size_t head, length, vendor;

		if (at > end || end - at < EVENT_HEADER_BYTES) {
			out->cut = true;
			break;
		}
		head = log[at + 2] + (size_t)3; /* counts from byte 3 on */
		vendor = (size_t)le(log + at + 20, 2);
		length = (size_t)le(log + at + 22, 2); /* the vendor's part included */
		if (head < EVENT_HEADER_BYTES || vendor > length || head + length > end - at) {
			out->cut = true;
			break;
		}
		if (log[at] == EVENT_THERMAL && length - vendor >= 2)
			add(out, &cap, log + at, log + at + head + vendor);
		at += head + length;
	}
	if (out->n)
		qsort(out->item, out->n, sizeof(*out->item), compare);
	return true;
}

void pel_log_fini(struct pel_log *log)
{
	free(log->item);
	memset(log, 0, sizeof(*log));
}

/* The drive's clock went on as ours did: its times can be related to ours. */
static bool clocks_agree(const struct pel_log *before, const struct pel_log *after)
{
	double ours_ms = (double)(after->read_ns - before->read_ns) / 1e6;
	double its_ms = (double)after->header.now_ms - (double)before->header.now_ms;

	return before->header.now_ms > 0 && after->header.now_ms > 0 &&
	       fabs(its_ms - ours_ms) <= SLACK_MS + SLACK_SHARE * ours_ms;
}

static void keep(struct journal *out, const struct pel_excursion *e, double age_s)
{
	if (out->n == JOURNAL_MAX) {
		out->more++;
		return;
	}
	out->item[out->n++] = (struct journal_entry){
	    .code = e->code, .beyond_k = e->beyond_k, .time_s = age_s};
}

void pel_news(const struct pel_log *before, const struct pel_log *after, struct journal *out)
{
	bool agree = clocks_agree(before, after);
	double lasted_s = (double)(after->read_ns - before->read_ns) / 1e9 + SLACK_MS / 1e3;
	size_t old = 0;

	out->read_ns = after->read_ns;
	for (size_t i = 0; i < after->n; i++) {
		const struct pel_excursion *e = &after->item[i];
		double age_s = ((double)after->header.now_ms - (double)e->time_ms) / 1e3;

		while (old < before->n && compare(&before->item[old], e) < 0)
			old++;
		if (old < before->n && compare(&before->item[old], e) == 0) {
			old++;
			continue;
		}
		if (!agree) {
			/* Part of a log says nothing about what is new in it. */
			if (!before->cut && !after->cut)
				keep(out, e, (double)NAN);
			continue;
		}
		if (age_s >= -SLACK_MS / 1e3 && age_s <= lasted_s)
			keep(out, e, age_s > 0 ? age_s : 0);
	}
}
