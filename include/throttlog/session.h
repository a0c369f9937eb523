/*
 * A session: the drives of one invocation, what was asked of them and how they stand. Sinks are
 * handed this; the conductor alone changes it.
 */
#ifndef THROTTLOG_SESSION_H
#define THROTTLOG_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/run.h"

struct session_drive {
	struct run run;        /* series: the newest rows only, see session_rows_max */
	bool can[FIELD_COUNT]; /* columns of its log */
	char label[80];        /* short name for people: model or file */
	char csv[4096], json[4096], png[4096]; /* output paths; "" if none */
	enum phase phase;
	double phase_left_s; /* NAN: no end planned */
	bool paused, lost, done;
	bool log_lost;       /* rows of its log could not be written */
	int load_error;      /* errno that ended the load, or 0 */
	double throttle_s;   /* when throttling began, by the live detector; NAN */
	double answer_age_s; /* since the drive last answered, NAN if it never did */
	uint64_t bytes;      /* moved by the load so far */
};

struct session {
	struct session_drive *drive;
	size_t n;
	double elapsed_s;
	bool simulated;
	bool replay; /* rows come from a log; nothing can be asked of the drives */
	bool iec;    /* MiB/s */
	/* The latest thing to tell the user who watches ("picture written: x.png"), "" if none. */
	char notice[256];
	unsigned notices; /* how many there were: the same words may be news again */
};

/* Rows kept in memory for the live view; the log has all. */
#define SESSION_ROWS_MAX 32768

/* What a view asks of the conductor. */
enum request_kind {
	REQUEST_NONE,
	REQUEST_QUIT,
	REQUEST_PAUSE,   /* toggles the load of all drives */
	REQUEST_MARK,    /* text: into every drive's log */
	REQUEST_PICTURE, /* write the pictures now */
	/*
	 * Ctrl-Z: pause the loads that run (EVENT_PAUSED in the log), call the view's suspend(),
	 * stop the own process with SIGSTOP; after SIGCONT resume those loads (EVENT_RESUMED).
	 */
	REQUEST_SUSPEND
};

struct request {
	enum request_kind kind;
	char text[128];
};

#endif
