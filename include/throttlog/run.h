/*
 * One drive's run: who, how, where, and the rows. The table `run_keys` describes the log's
 * preamble once; the log's writer and reader walk it.
 */
#ifndef THROTTLOG_RUN_H
#define THROTTLOG_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "throttlog/drive.h"
#include "throttlog/series.h"

#define LOG_SCHEMA 1

struct load_spec {
	enum op op;          /* of the first load; OP_NONE: no load of ours (watch) */
	struct op_list legs; /* of all loads, where there are several */
	char pattern[16];    /* "sequential", "random", "" */
	uint32_t block_bytes;
	unsigned queue_depth;
	char engine[16];
	uint64_t region_bytes;
};

struct run {
	double schema;
	char tool[40]; /* "throttlog 0.1.0" */
	struct drive drive;
	struct load_spec load;
	double interval_s;
	char start_utc[32];
	char host[65], kernel[80];
	double ambient_c; /* NAN: not given */
	char note[256];
	/* As planned, seconds of baseline/load/cooldown: "60/600/180"; with rests "60/9/5/9/180".
	 */
	char phases[96];
	struct series series;
};

enum run_key_kind { KEY_TEXT, KEY_NUMBER, KEY_U64, KEY_U32, KEY_UINT, KEY_OP };

struct run_key {
	const char *name;
	enum run_key_kind kind;
	size_t offset, size;
	const char *help;
};

extern const struct run_key run_keys[];
extern const size_t run_keys_count;

/* Absent numbers NAN, strings empty, no rows. */
void run_clear(struct run *r);
void run_fini(struct run *r);
/* The value of a key as the log writes it; an empty string if it was not reported. */
void run_key_format(const struct run *r, const struct run_key *key, char *buf, size_t size);
/* Reads a value; returns false if it is not of the key's kind. Empty leaves "not reported". */
bool run_key_parse(struct run *r, const struct run_key *key, const char *value);
/* Row `i`'s phase in a word; of several loads what the load does. */
const char *run_phase_word(const struct run *r, size_t i);
/* The reason in the last EVENT_END, or "unknown" (the program was killed). */
const char *run_end_reason(const struct run *r);

#endif
