/*
 * Messages for people, on stderr, one line each: "throttlog: cannot open X: reason".
 * While a full-screen view is up they are held back and printed afterwards.
 */
#ifndef THROTTLOG_DIAG_H
#define THROTTLOG_DIAG_H

#include <stdbool.h>

/* Errors and warnings carry the program's name; control characters in the result become '?'. */
void diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Same stream, for information; not printed when quiet. */
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_set_quiet(bool quiet);

/* Keeps messages until diag_release(), which prints them in order. Safe from any thread. */
void diag_hold(void);
void diag_release(void);
/* Called once before a fatal message is printed (out of memory), to restore the terminal. */
void diag_on_fatal(void (*hook)(void));
/* Runs the hook, prints and ends the program with status 1. */
_Noreturn void diag_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Thread-safe strerror for a positive or negative errno; `buf` of 64 bytes is enough. */
const char *diag_errno(int err, char *buf, unsigned size);
#define DIAG_ERRNO(err) diag_errno((err), (char[96]){0}, 96)

#endif
