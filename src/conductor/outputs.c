/* The files of a session. */
#include "outputs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sinks/output_file.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/log.h"
#include "throttlog/picture.h"
#include "throttlog/summary.h"
#include "throttlog/verdict.h"

/* MODEL-OP-TIME without blanks and slashes. */
static void default_prefix(const struct session *s, const struct config *c, char *out, size_t size)
{
	char when[32], ops[64] = "watch";
	time_t now = (time_t)(clock_utc_ns() / NS_PER_S);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	if (c->legs.n)
		op_list_format(&s->drive[0].run.load.legs, '-', ops, sizeof(ops));
	snprintf(out, size, "%s-%s-%s", s->drive[0].label, ops, when);
	for (char *p = out; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_.+", *p))
			*p = '_';
}

/* The picture's path: the user's own list, or PREFIX.png. */
static const char *picture_path(const struct session *s, const struct config *c, size_t i)
{
	return c->pictures.n ? c->pictures.word[i] : s->drive[0].png;
}

static size_t picture_count(const struct config *c)
{
	return c->pictures.n ? c->pictures.n : 1;
}

static int check_new(const char *path)
{
	char dir[PATH_MAX];
	char *slash;
	struct stat st;

	if (lstat(path, &st) == 0) {
		diag_error("%s exists and is never overwritten: choose another name with -o or "
			   "remove it",
			   path);
		return STATUS_FAILED;
	}
	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (!slash)
		snprintf(dir, sizeof(dir), ".");
	else if (slash == dir)
		slash[1] = '\0';
	else
		*slash = '\0';
	if (access(dir, W_OK | X_OK)) {
		diag_error("cannot write to %s: %s; name another place with -o", dir,
			   DIAG_ERRNO(errno));
		return STATUS_FAILED;
	}
	return STATUS_DONE;
}

int outputs_name(struct session *s, const struct config *c)
{
	char prefix[PATH_MAX - 64];
	int status = STATUS_DONE;

	if (c->prefix)
		snprintf(prefix, sizeof(prefix), "%s", c->prefix);
	else
		default_prefix(s, c, prefix, sizeof(prefix));
	for (size_t i = 0; i < s->n && !status; i++) {
		struct session_drive *d = &s->drive[i];
		char number[32] = "";

		if (s->n > 1)
			snprintf(number, sizeof(number), "-%zu", i + 1);
		snprintf(d->csv, sizeof(d->csv), "%s%s.csv", prefix, number);
		snprintf(d->json, sizeof(d->json), "%s%s.json", prefix, number);
		snprintf(d->png, sizeof(d->png), "%s.png", prefix);
		status = check_new(d->csv);
		if (!status)
			status = check_new(d->json);
	}
	for (size_t i = 0; i < picture_count(c) && !status; i++)
		status = check_new(picture_path(s, c, i));
	return status;
}

static const struct log_read_options lean = {.lean = true};

/* What one drive's log says. */
struct result {
	struct run read;
	const struct run *run; /* `read`, or the session's own rows if the log cannot be read */
	struct verdict verdict;
};

static size_t judge(struct session_drive *d, const struct config *c, struct result *r)
{
	char why[PATH_MAX + 200];

	r->run = &r->read;
	/* All rows are in the log: no need to hold the newest twice. */
	if (!d->log_lost)
		series_fini(&d->run.series);
	if (log_read(d->csv, &lean, &r->read, why, sizeof(why), NULL)) {
		diag_error("%s", why);
		r->run = &d->run;
	}
	verdict_make(r->run, &r->verdict);
	return require_apply(&r->verdict, c->require.word, c->require.n);
}

static int write_json(const char *path, const struct result *r)
{
	char *text = verdict_json(r->run, &r->verdict, true);
	int err = output_write(path, text, strlen(text));

	free(text);
	if (err)
		diag_error("cannot write %s: %s", path, DIAG_ERRNO(err));
	return err;
}

static int write_picture(const char *path, const struct config *c, const struct session *s,
			 const struct result *results)
{
	struct picture_item *items = xreallocarray(NULL, s->n, sizeof(*items));
	struct picture_options o = c->picture;
	int err;

	for (size_t i = 0; i < s->n; i++)
		items[i] = (struct picture_item){results[i].run, &results[i].verdict};
	o.iec = c->iec;
	o.log_path = s->n == 1 ? s->drive[0].csv : NULL;
	err = picture_write(path, &o, items, s->n, false);
	free(items);
	return err;
}

static void free_results(struct result *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		verdict_fini(&r[i].verdict);
		if (r[i].run == &r[i].read)
			run_fini(&r[i].read);
	}
	free(r);
}

int outputs_picture(const struct session *s, const struct config *c, const char *path)
{
	struct result *r = xzalloc(s->n * sizeof(*r));
	char why[PATH_MAX + 200];
	size_t n = 0;
	int err = 0;

	for (; n < s->n && !err; n++) {
		err = log_read(s->drive[n].csv, &lean, &r[n].read, why, sizeof(why), NULL);
		if (err)
			break;
		r[n].run = &r[n].read;
		verdict_make(r[n].run, &r[n].verdict);
	}
	if (!err)
		err = write_picture(path, c, s, r);
	free_results(r, n);
	return err;
}

int outputs_finish(struct session *s, const struct config *c)
{
	struct result *r = xzalloc(s->n * sizeof(*r));
	int status = STATUS_DONE;
	size_t unmet = 0;

	for (size_t i = 0; i < s->n; i++) {
		unmet += judge(&s->drive[i], c, &r[i]);
		summary_print(stdout, r[i].run, &r[i].verdict, c->iec);
		if (write_json(s->drive[i].json, &r[i]))
			status = STATUS_FAILED;
		printf("log %s, verdict %s\n", s->drive[i].csv, s->drive[i].json);
	}
	for (size_t i = 0; i < picture_count(c); i++) {
		const char *path = picture_path(s, c, i);
		int err = write_picture(path, c, s, r);

		if (err) {
			diag_error("cannot write %s: %s", path, DIAG_ERRNO(err));
			status = STATUS_FAILED;
		} else {
			printf("picture %s\n", path);
		}
	}
	free_results(r, s->n);
	if (status == STATUS_DONE && unmet)
		status = STATUS_REQUIRE;
	return status;
}
