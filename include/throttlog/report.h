/*
 * Logs and what they say: read, judged, then written as JSON and drawn. One way for the end of a
 * run and for `report`, so that both say the same.
 */
#ifndef THROTTLOG_REPORT_H
#define THROTTLOG_REPORT_H

#include "throttlog/config.h"
#include "throttlog/run.h"
#include "throttlog/verdict.h"

struct report {
	const char *log; /* path; the caller's */
	struct run read;
	const struct run *run; /* `read`, or rows that lie elsewhere */
	struct verdict verdict;
	size_t unmet; /* requirements */
};

/*
 * Reads and judges `log`. Returns 0, or -errno with one line in `why`. note() gets oddities of
 * the log, may be NULL.
 */
int report_read(struct report *r, const char *log, const struct config *c, char *why, size_t size,
		void (*note)(const char *line));
/* Judges rows of the caller. */
void report_judge(struct report *r, const struct run *run, const struct config *c);
void reports_free(struct report *r, size_t n);

/* PREFIX.ENDING, or PREFIX-2.ENDING for the second of several. */
void report_name(char *out, size_t size, const char *prefix, size_t i, size_t n,
		 const char *ending);
/* 0, or a status after a line that says why no file can be made at `path`. */
int report_check_new(const char *path);
/*
 * The same for all pictures that the user asked for; `own` if none was named, may be NULL. Also
 * says if `n` drives or runs have too little room in them.
 */
int reports_check_pictures(const struct config *c, const char *own, size_t n);
/* Draws one of them. 0 or -errno. */
int reports_picture(const char *path, const struct config *c, const struct report *r, size_t n);
/* Draws them all; `done` gets each path, may be NULL. A status, after a line for each failure. */
int reports_pictures(const struct config *c, const char *own, const struct report *r, size_t n,
		     void (*done)(const char *path));
/* Writes the verdict. A status, after a line if it failed. */
int report_json(const char *path, const struct report *r);

#endif
