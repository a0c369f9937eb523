/*
 * The bytes of the persistent event log, page 0Dh. Pure; whatever a drive sends, nothing is read
 * beyond what was handed over. NVMe base specification 2.1, figures 223 to 225 and 239.
 */
#ifndef THROTTLOG_PEL_DECODE_H
#define THROTTLOG_PEL_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/journal.h"

#define PEL_HEADER_BYTES 512

struct pel_header {
	uint32_t events;      /* total number */
	uint64_t bytes;       /* total length, header included */
	uint64_t now_ms;      /* the drive's clock when the log was made up */
	uint16_t generation;  /* changes with the log */
	uint32_t head_bytes;  /* where the first event begins */
	bool records_thermal; /* supported events: thermal excursion */
};

/* A thermal excursion event. */
struct pel_excursion {
	uint64_t time_ms; /* the drive's clock */
	uint8_t code;     /* JOURNAL_WCTEMP and the like */
	uint8_t beyond_k;
};

struct pel_log {
	struct pel_header header;
	struct pel_excursion *item; /* sorted by time, code and distance; owned */
	size_t n;
	bool cut;        /* it ends before its stated end, or makes no sense from some place on */
	int64_t read_ns; /* our clock when the log was made up */
};

/* False if this is no header of page 0Dh. */
bool pel_decode_header(const uint8_t *log, size_t bytes, struct pel_header *out);
/* Takes in all events that can be read. Returns false if the header is none; frees nothing. */
bool pel_decode(const uint8_t *log, size_t bytes, struct pel_log *out);
void pel_log_fini(struct pel_log *log);

/*
 * What `after` has and `before` has not, oldest first; item[].time_s is the time before
 * after->read_ns, NAN where the drive's clock did not run evenly in between.
 */
void pel_news(const struct pel_log *before, const struct pel_log *after, struct journal *out);

#endif
