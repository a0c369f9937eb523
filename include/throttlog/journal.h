/*
 * What a drive wrote into its persistent event log about heat while a run lasted (NVMe base
 * specification 2.1, thermal excursion event), and its form in the log's last row:
 * "pel=self-throttling@312.4s+2K".
 */
#ifndef THROTTLOG_JOURNAL_H
#define THROTTLOG_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The threshold codes of the specification. Others are kept as they are. */
#define JOURNAL_WCTEMP          0x01u
#define JOURNAL_CCTEMP          0x02u
#define JOURNAL_TMT1            0x03u
#define JOURNAL_TMT2            0x04u
#define JOURNAL_SELF_THROTTLING 0x05u
#define JOURNAL_NORMAL          0x88u
#define JOURNAL_STOPPED         0x89u
#define JOURNAL_UNDER           0xb0u

struct journal_kind {
	unsigned code;
	const char *word;  /* in the log */
	const char *label; /* for people: "self-throttling began" */
	bool throttles;    /* the drive slows down from here on */
};

struct journal_entry {
	unsigned code;
	unsigned beyond_k; /* from the threshold */
	double time_s;     /* of the log, NAN where the drive's clock cannot be related to it */
};

/* More than these are only counted. */
#define JOURNAL_MAX 24

/* Filled by the sensors that keep one, at the end of a run. Oldest first. */
struct journal {
	struct journal_entry item[JOURNAL_MAX]; /* time_s: seconds before `read_ns`, as age */
	size_t n, more;
	int64_t read_ns; /* when it was read: CLOCK_MONOTONIC, or the simulated drive's clock */
};

/* NULL for a code that is not known. */
const struct journal_kind *journal_kind(unsigned code);
void journal_format(const struct journal_entry *e, char *buf, size_t size);
/* False if `text` is not what journal_format() writes. */
bool journal_parse(const char *text, struct journal_entry *out);

#endif
