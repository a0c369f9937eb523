/* What the user asked for: filled from the option table, read by everything above the sources. */
#ifndef THROTTLOG_CONFIG_H
#define THROTTLOG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/picture.h"
#include "throttlog/sample.h"

/* Exit statuses, as documented in the manual. */
enum {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_REQUIRE = 3,
	STATUS_REFUSED = 4,
	STATUS_LOST = 5,
	STATUS_STOP_TEMP = 6,
	STATUS_SIGNAL = 128 /* + signal number */
};

/* A growing list of words; the words stay the caller's, the array is freed with the config. */
struct word_list {
	const char **word;
	size_t n;
};

struct config {
	struct word_list targets;

	const char *protocol; /* name of the ready set that was taken, or NULL */
	struct op_list legs;  /* what the loads do; none: watch */
	bool may_skip_write;  /* a write leg that is not permitted is left out */
	bool random;
	uint64_t block_bytes;
	unsigned queue_depth;
	const char *engine;
	uint64_t region_bytes; /* 0: whole device, or the file mode's default */
	double baseline_s, time_s, rest_s, cooldown_s;
	bool until_steady;
	bool cause_test; /* probe and restart after a lasting drop of open cause */
	double interval_s;
	bool events;        /* let the drive send temperature events */
	double stop_temp_c; /* NAN: the drive's CCTEMP; INFINITY: off */
	bool destructive;
	const char *confirm; /* NULL: ask on the terminal */

	const char *prefix; /* NULL: made from model, load and time */
	struct word_list pictures;
	bool no_tui, ascii, no_color;
	bool iec;
	double ambient_c;
	const char *note;
	struct word_list require;
	double speed; /* simulated drives; INFINITY: as fast as possible */
	uint64_t seed;

	bool compare;        /* report: lay the logs over each other */
	bool json;           /* report: print JSON */
	const char *columns; /* report: other people's CSV */
	bool sim;            /* list */
	bool replay;         /* watch: the target is a log */
	bool quiet;
	struct picture_options picture;
};

#endif
