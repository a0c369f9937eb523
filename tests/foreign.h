/*
 * One run, cut by heat after 90 s at 80 °C, that tests write in the many ways of other programs
 * and countries. Each must be read to the same answer.
 */
#ifndef TESTS_FOREIGN_H
#define TESTS_FOREIGN_H

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/log.h"
#include "throttlog/text.h"
#include "throttlog/verdict.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define ROWS     280

static char path[] = "/tmp/throttlog-foreign-XXXXXX";
static char noted[1000];

static inline void note(const char *line)
{
	size_t n = strlen(noted);

	snprintf(noted + n, sizeof(noted) - n, "%s\n", line);
}

/* The run: second, speed in MB/s, °C. It swings on and off, so that no counter need confirm it. */
static inline double speed_at(int i)
{
	double noise = (i * 37 % 11 - 5) / 500.0;

	return (i < 90 || (i - 90) % 38 >= 14 + (i - 90) / 38 * 2 ? 3000 : 1200) * (1 + noise);
}

static inline double temp_at(int i)
{
	int k = (i - 90) % 38, low = 14 + (i - 90) / 38 * 2;

	if (i < 90)
		return round(40 + 40 * i / 90.0);
	return round(k < low ? 80 - 5.0 * k / low : 75 + 5.0 * (k - low) / (38 - low));
}

/* A number with the decimal mark of the log. */
static inline const char *number(double value, char mark, char buf[40])
{
	char *dot;

	text_format(buf, 40, "%.3f", value);
	dot = strchr(buf, '.');
	*dot = mark;
	return buf;
}

static inline FILE *begin(void)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	return f;
}

/* Time of day from a start near midnight on. */
static inline void clock_at(int start_s, int i, int *day, int *h, int *m, int *s)
{
	int t = start_s + i;

	*day = t / 86400;
	*h = t / 3600 % 24;
	*m = t / 60 % 60;
	*s = t % 60;
}

struct way {
	const char *name;
	void (*write)(FILE *f);
	const char *columns;
	const char *note; /* that must be given; NULL: none at all */
};

static inline void the_answer_is_the_same(void **state)
{
	const struct way *w = *state;
	struct log_read_options o = {.columns = w->columns};
	struct verdict v;
	struct run run;
	char why[400] = "";
	FILE *f = begin();

	w->write(f);
	fclose(f);
	noted[0] = '\0';
	if (log_read(path, &o, &run, why, sizeof(why), note))
		fail_msg("%s: %s", w->name, why);
	if (w->note ? !strstr(noted, w->note) : *noted)
		fail_msg("%s: noted '%s'", w->name, noted);
	verdict_make(&run, &v);
	if (v.throttled != TRI_TRUE || v.klass != CLASS_OSCILLATING ||
	    v.certainty < CERTAINTY_POSSIBLE || fabs(v.onset_s - 90) > 3 ||
	    fabs(v.onset_c - 80) > 1 || fabs(v.before_mb_s - 3000) > 30 ||
	    fabs(v.loss_pct - 28) > 3 || fabs(v.max_c - 80) > 1 || v.n_drops < 4 ||
	    fabs(v.duration_s - ROWS) > 3)
		fail_msg("%s: %s (%.1f s, %.1f C, before %.0f, loss %.1f, max %.1f, %zu drops, "
			 "%.0f s)",
			 w->name, v.text, v.onset_s, v.onset_c, v.before_mb_s, v.loss_pct, v.max_c,
			 v.n_drops, v.duration_s);
	for (size_t i = 0; i < v.n_warnings; i++)
		if (!strstr(v.warnings[i], "known only every 3 s"))
			fail_msg("%s: warned '%s'", w->name, v.warnings[i]);
	verdict_fini(&v);
	run_fini(&run);
}

static inline int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	return fd < 0;
}

static inline int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

/* A test a way into tests[0..n). */
static inline void foreign_tests(struct way *ways, size_t n, struct CMUnitTest *tests)
{
	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){.name = ways[i].name,
					       .test_func = the_answer_is_the_same,
					       .initial_state = &ways[i]};
}

#endif
