/*
 * What happened at a row besides the numbers. One table holds each kind's word and form; in the
 * log a row's events are ';'-separated: "tmt1+2;warn_on;mark=fan on;poll_late=3.2s".
 */
#ifndef THROTTLOG_EVENT_H
#define THROTTLOG_EVENT_H

#include <stddef.h>

enum event_kind {
	EVENT_TMT1,      /* TMT1 transitions, delta */
	EVENT_TMT2,      /* TMT2 transitions, delta */
	EVENT_WARN_ON,   /* critical_warning bit 1 came */
	EVENT_WARN_OFF,  /* ... and went */
	EVENT_MARK,      /* the user's words */
	EVENT_POLL_LATE, /* seconds since the last answer of the drive */
	EVENT_LINK,      /* new PCIe link, "8.0x2" */
	EVENT_RESET,     /* controller reset seen */
	EVENT_LOST,      /* the drive is gone */
	EVENT_BACK,      /* ... and there again */
	EVENT_IO_ERROR,  /* failed requests in this row */
	EVENT_FAILING,   /* critical_warning: degraded or read-only */
	EVENT_STOP_TEMP, /* the load was stopped at this temperature, °C */
	EVENT_PAUSED,    /* by the user */
	EVENT_RESUMED,
	EVENT_DROP,      /* online: speed fell, cause open */
	EVENT_THROTTLE,  /* online: heat, °C */
	EVENT_STATE,     /* online state word */
	EVENT_SUSPENDED, /* seconds that the machine slept */
	EVENT_GAP,       /* seconds since the row before: this program was stopped or held up */
	EVENT_SPACE,     /* the file system is full */
	EVENT_AEN,       /* asynchronous event of the drive, "0x020101 temperature threshold" */
	EVENT_UEVENT,    /* the kernel announced something else about the controller */
	EVENT_PEL,       /* last row: from the drive's persistent event log, see journal.h */
	EVENT_PEL_MORE,  /* ... and so many more */
	EVENT_OCP,       /* throttling events of the OCP log, delta */
	EVENT_LOG_LOST,  /* rows that could not be written */
	EVENT_END,       /* last row: why the run ended */
	EVENT_OTHER,     /* a word that this version does not know, kept as it is */
	EVENT_KIND_COUNT
};

enum event_form { FORM_PLAIN, FORM_DELTA, FORM_NUMBER, FORM_SECONDS, FORM_CELSIUS, FORM_TEXT };

struct event_info {
	const char *word;
	enum event_form form;
	const char *label; /* for the live view and the manual */
};

extern const struct event_info event_kinds[EVENT_KIND_COUNT];

struct event {
	size_t row; /* index into the series */
	enum event_kind kind;
	double value; /* NAN for FORM_PLAIN and FORM_TEXT */
	char *text;   /* FORM_TEXT and EVENT_OTHER, else NULL; owned by the series */
};

/* Writes one event as its word. ';', '"', ',' and line ends in text become blanks. */
void event_format(const struct event *e, char *buf, size_t size);
/*
 * Reads one word (without ';'). Always succeeds: an unknown word becomes EVENT_OTHER. Sets
 * kind, value and text (allocated, or NULL); row is left alone.
 */
void event_parse(const char *word, struct event *out);

/* Values of EVENT_END, JSON's end_reason. */
#define END_DONE      "done"
#define END_STEADY    "steady"
#define END_STOP_TEMP "stop_temp"
#define END_SIGNAL    "signal"
#define END_QUIT      "quit"
#define END_LOST      "lost"
#define END_FAILED    "failed"

#endif
