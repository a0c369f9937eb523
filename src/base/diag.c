/* Messages on stderr, held back while a full-screen view owns the terminal. */
#include "throttlog/diag.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define HELD_MAX 256

static struct {
	pthread_mutex_t lock;
	bool quiet, holding;
	char *held[HELD_MAX];
	size_t n_held, lost;
	void (*fatal_hook)(void);
} diag = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void emit(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

__attribute__((format(printf, 2, 0))) static void message(const char *prefix, const char *format,
							  va_list args)
{
	char line[1200];
	size_t n = (size_t)snprintf(line, sizeof(line), "throttlog: %s", prefix);

	vsnprintf(line + n, sizeof(line) - n, format, args);
	text_clean(line);
	pthread_mutex_lock(&diag.lock);
	if (!diag.holding)
		emit(line);
	else if (diag.n_held < HELD_MAX)
		diag.held[diag.n_held++] = xstrdup(line);
	else
		diag.lost++;
	pthread_mutex_unlock(&diag.lock);
}

void diag_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message("", format, args);
	va_end(args);
}

void diag_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message("warning: ", format, args);
	va_end(args);
}

void diag_note(const char *format, ...)
{
	va_list args;

	if (diag.quiet)
		return;
	va_start(args, format);
	message("", format, args);
	va_end(args);
}

void diag_set_quiet(bool quiet)
{
	diag.quiet = quiet;
}

void diag_hold(void)
{
	pthread_mutex_lock(&diag.lock);
	diag.holding = true;
	pthread_mutex_unlock(&diag.lock);
}

void diag_release(void)
{
	pthread_mutex_lock(&diag.lock);
	for (size_t i = 0; i < diag.n_held; i++) {
		emit(diag.held[i]);
		free(diag.held[i]);
	}
	if (diag.lost)
		fprintf(stderr, "throttlog: %zu more messages\n", diag.lost);
	diag.n_held = diag.lost = 0;
	diag.holding = false;
	pthread_mutex_unlock(&diag.lock);
}

void diag_on_fatal(void (*hook)(void))
{
	diag.fatal_hook = hook;
}

void diag_fatal(const char *format, ...)
{
	char line[512];
	va_list args;

	if (diag.fatal_hook)
		diag.fatal_hook();
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "throttlog: %s\n", line);
	_exit(1);
}

const char *diag_errno(int err, char *buf, unsigned size)
{
	return strerror_r(err < 0 ? -err : err, buf, size);
}
