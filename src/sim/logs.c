/*
 * What a simulated drive keeps of its own: thermal events in a persistent event log, and a count
 * of throttling events in an OCP SMART log; both as the bytes of their log pages. NVMe base
 * specification 2.1, page 0Dh; OCP datacenter NVMe SSD specification, page C0h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"
#include "throttlog/alloc.h"
#include "throttlog/journal.h"

#define HEADER_BYTES  512
#define EVENT_BYTES   26                      /* header of 24, two bytes of data */
#define EPOCH_MS      UINT64_C(1767225600000) /* 2026-01-01T00:00:00Z, set by its host */
#define STEP_MS       (SIM_STEP_NS / NS_PER_MS)
#define EVENT_THERMAL 0x0d

void sim_set_records(struct sim *s, bool pel, bool ocp)
{
	s->preset.pel = pel;
	s->preset.ocp = ocp;
}

bool sim_has_pel(const struct sim *s)
{
	return s->preset.pel;
}

bool sim_has_ocp(const struct sim *s)
{
	return s->preset.ocp;
}

static void record(struct sim *s, unsigned code, double limit_c)
{
	struct sim_journal *j = &s->journal;
	double beyond = fabs(s->composite_c - limit_c);
	size_t at = j->n++ % SIM_JOURNAL_MAX;

	j->item[at].step = s->steps;
	j->item[at].code = (uint8_t)code;
	j->item[at].beyond_k = (uint8_t)(beyond < 255 ? beyond : 0);
}

static void count(struct sim *s)
{
	if (s->ocp_count < 255)
		s->ocp_count++;
}

void sim_logs_step(struct sim *s, int own_before, int host_before, double composite_before_c)
{
	const struct thermal_limits *limit = &s->preset.limits;
	double now_c = s->composite_c;

	if (own_before == 0 && s->own.stage > 0) {
		record(s, JOURNAL_SELF_THROTTLING, s->own.policy.limit_c);
		count(s);
	}
	if (own_before > 0 && s->own.stage == 0)
		record(s, JOURNAL_STOPPED, s->own.policy.limit_c);
	if (s->host.stage > host_before) {
		record(s, s->host.stage == 1 ? JOURNAL_TMT1 : JOURNAL_TMT2,
		       s->host.stage == 1 ? limit->tmt1_c : limit->tmt2_c);
		count(s);
	}
	if (host_before > 0 && s->host.stage == 0)
		record(s, JOURNAL_STOPPED, limit->tmt1_c);
	if (now_c >= limit->wctemp_c && composite_before_c < limit->wctemp_c)
		record(s, JOURNAL_WCTEMP, limit->wctemp_c);
	if (now_c >= limit->cctemp_c && composite_before_c < limit->cctemp_c)
		record(s, JOURNAL_CCTEMP, limit->cctemp_c);
	if (now_c < limit->wctemp_c && composite_before_c >= limit->wctemp_c)
		record(s, JOURNAL_NORMAL, limit->wctemp_c);
}

static void put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* Blanks to the end, as in Identify. */
static void put_text(uint8_t *p, const char *text, size_t size)
{
	size_t n = strnlen(text, size);

	memset(p, ' ', size);
	memcpy(p, text, n);
}

size_t sim_pel(const struct sim *s, uint8_t **out)
{
	const struct sim_journal *j = &s->journal;
	size_t events = j->n < SIM_JOURNAL_MAX ? (size_t)j->n : SIM_JOURNAL_MAX;
	size_t bytes = HEADER_BYTES + events * EVENT_BYTES;
	uint8_t *log = xzalloc(bytes);

	log[0] = 0x0d;
	put(log + 4, events, 4);
	put(log + 8, bytes, 8);
	log[16] = 2;                         /* log revision */
	put(log + 18, HEADER_BYTES - 20, 2); /* counts from byte 20 on */
	put(log + 20, EPOCH_MS + s->steps * STEP_MS, 8);
	put_text(log + 56, s->preset.serial, 20);
	put_text(log + 76, s->preset.model, 40);
	put(log + 372, j->n + 1, 2);
	log[480 + EVENT_THERMAL / 8] = 1 << EVENT_THERMAL % 8;
	/* The newest first. */
	for (size_t i = 0; i < events; i++) {
		uint8_t *e = log + HEADER_BYTES + i * EVENT_BYTES;
		size_t at = (j->n - 1 - i) % SIM_JOURNAL_MAX;

		e[0] = EVENT_THERMAL;
		e[1] = 1;
		e[2] = 24 - 3; /* counts from byte 3 on */
		put(e + 6, EPOCH_MS + j->item[at].step * STEP_MS, 8);
		put(e + 22, 2, 2);
		e[24] = j->item[at].beyond_k;
		e[25] = j->item[at].code;
	}
	*out = log;
	return bytes;
}

void sim_ocp(const struct sim *s, uint8_t page[512])
{
	/* AFD514C97C6F4F9CA4F2BFEA2810AFC5h, the lowest byte first. */
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};
	int stage = s->own.stage > s->host.stage ? s->own.stage : s->host.stage;

	memset(page, 0, 512);
	page[96] = (uint8_t)s->ocp_count;
	page[97] = (uint8_t)stage;
	put(page + 494, 3, 2); /* version of the page */
	memcpy(page + 496, guid, sizeof(guid));
}
