/*
 * The log on disk: self-contained CSV, one file a run. The writer never rewrites; the reader
 * forgives a torn last row and other people's columns.
 */
#ifndef THROTTLOG_LOG_H
#define THROTTLOG_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/run.h"

/* Preamble and header line; `can` marks the columns beside the ones every log has. Caller frees. */
char *log_format_head(const struct run *run, const bool can[FIELD_COUNT]);
/* One line with its newline into `buf`; returns its length. `events` may be NULL. */
size_t log_format_row(const struct sample *row, const struct event *events, size_t n_events,
		      const bool can[FIELD_COUNT], char *buf, size_t size);

struct log_read_options {
	const char *columns; /* "time=...,mb_s=...,temp_c=...", or NULL */
	bool lean;           /* only the columns that verdict and picture look at */
};

/*
 * Reads a log into *run (run_clear()ed by this call; run_fini() frees it). Returns 0, or -errno
 * with one line in `why` that names the file, the line and the remedy. Oddities that do not
 * prevent reading (torn row, unreadable cells) go to note(), may be NULL.
 */
int log_read(const char *path, const struct log_read_options *options, struct run *run, char *why,
	     size_t size, void (*note)(const char *line));

#endif
