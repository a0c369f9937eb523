/*
 * Sinks take the rows of a session as they come: log, line view, live view, metrics file. One
 * table (sinks.c) lists them. All calls come from the conductor's thread, none may block on a
 * drive.
 */
#ifndef THROTTLOG_SINK_H
#define THROTTLOG_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/session.h"

/* First member of each sink's own struct. */
struct sink {
	const struct sink_ops *ops;
};

struct sink_options {
	bool ascii, no_color;
};

struct sink_ops {
	const char *name;
	const char *help;
	bool screen; /* shows the rows to a user; only one of these is open */
	/* 0 and *out, or -errno with one line in `why`. */
	int (*open)(struct sink **out, const struct session *s, const struct sink_options *o,
		    char *why, size_t size);
	/* The last row of s->drive[i].run.series is new. 0, or -errno: it lost the row. */
	int (*row)(struct sink *k, const struct session *s, size_t i);
	/*
	 * Views only, else NULL: a descriptor to poll for input (-1: none any more), and what to
	 * do when it has some: to be called until out->kind is REQUEST_NONE, for several keys may
	 * have come at once.
	 */
	int (*fd)(struct sink *k);
	void (*input)(struct sink *k, const struct session *s, struct request *out);
	/* Views only, else NULL: called ten times a second and after each tick. */
	void (*tick)(struct sink *k, const struct session *s);
	/*
	 * Views only, else NULL: gives the terminal back before the process stops itself; the next
	 * tick takes it again.
	 */
	void (*suspend)(struct sink *k);
	/* Finishes its files. 0 or -errno: something was lost. */
	int (*close)(struct sink *k, const struct session *s);
};

extern const struct sink_ops sink_csv, sink_line, sink_view;

/* All of them, screens in order of preference; ends with NULL. */
extern const struct sink_ops *const sinks[];

#endif
