/* Logs that were read and judged, and the files that come of them. */
#include "throttlog/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/output_file.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/log.h"
#include "throttlog/picture.h"

void report_judge(struct report *r, const struct run *run, const struct config *c)
{
	r->run = run;
	verdict_make(run, &r->verdict);
	r->unmet = require_apply(&r->verdict, c->require.word, c->require.n);
}

int report_read(struct report *r, const char *log, const struct config *c, char *why, size_t size,
		void (*note)(const char *line))
{
	struct log_read_options options = {.columns = c->columns, .lean = true};
	int err;

	memset(r, 0, sizeof(*r));
	r->log = log;
	err = log_read(log, &options, &r->read, why, size, note);
	if (!err)
		report_judge(r, &r->read, c);
	return err;
}

void reports_free(struct report *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!r[i].run)
			continue;
		verdict_fini(&r[i].verdict);
		if (r[i].run == &r[i].read)
			run_fini(&r[i].read);
	}
	free(r);
}

void report_name(char *out, size_t size, const char *prefix, size_t i, size_t n, const char *ending)
{
	if (n > 1)
		snprintf(out, size, "%s-%zu%s", prefix, i + 1, ending);
	else
		snprintf(out, size, "%s%s", prefix, ending);
}

/* A status, after one line that says why `path` cannot be written. */
static int refuse(const char *path, int err)
{
	if (err == -EEXIST)
		diag_error("%s exists and is never overwritten: choose another name or remove it",
			   path);
	else if (err == -EFBIG)
		diag_error("cannot write %s: over %d px a side; make --size or --scale less", path,
			   PICTURE_SIDE_MAX);
	else
		diag_error("cannot write %s: %s", path, DIAG_ERRNO(err));
	return STATUS_FAILED;
}

int report_check_new(const char *path)
{
	char dir[PATH_MAX];
	char *slash;
	struct stat st;

	if (lstat(path, &st) == 0)
		return refuse(path, -EEXIST);
	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (!slash)
		snprintf(dir, sizeof(dir), ".");
	else if (slash == dir)
		slash[1] = '\0';
	else
		*slash = '\0';
	if (access(dir, W_OK | X_OK)) {
		diag_error("cannot write to %s: %s; name another place with -o or --picture", dir,
			   DIAG_ERRNO(errno));
		return STATUS_FAILED;
	}
	return STATUS_DONE;
}

static size_t picture_count(const struct config *c, const char *own)
{
	return c->pictures.n ? c->pictures.n : own != NULL;
}

static const char *picture_path(const struct config *c, const char *own, size_t i)
{
	return c->pictures.n ? c->pictures.word[i] : own;
}

int reports_check_pictures(const struct config *c, const char *own, size_t n)
{
	int status = STATUS_DONE, height = picture_height(&c->picture, n, c->compare);

	if (c->picture.exact && c->picture.height < height && picture_count(c, own))
		diag_warn("--size %dx%d is small for %zu %s: %dx%d shows all of them in full",
			  c->picture.width, c->picture.height, n, c->compare ? "runs" : "drives",
			  c->picture.width, height);
	if (!picture_fits(&c->picture) && picture_count(c, own))
		status = refuse(picture_path(c, own, 0), -EFBIG);
	for (size_t i = 0; i < picture_count(c, own) && !status; i++) {
		const char *path = picture_path(c, own, i);

		status = report_check_new(path);
		for (size_t k = 0; k < i && !status; k++)
			if (strcmp(path, picture_path(c, own, k)) == 0) {
				diag_error("--picture %s is named twice", path);
				status = STATUS_USAGE;
			}
	}
	return status;
}

int reports_picture(const char *path, const struct config *c, const struct report *r, size_t n)
{
	struct picture_item *items = xreallocarray(NULL, n, sizeof(*items));
	struct picture_options o = c->picture;
	int err;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct picture_item){r[i].run, &r[i].verdict, r[i].log};
	o.iec = c->iec;
	err = picture_write(path, &o, items, n, c->compare);
	free(items);
	return err;
}

int reports_pictures(const struct config *c, const char *own, const struct report *r, size_t n,
		     void (*done)(const char *path))
{
	int status = STATUS_DONE;

	for (size_t i = 0; i < picture_count(c, own); i++) {
		const char *path = picture_path(c, own, i);
		int err = reports_picture(path, c, r, n);

		if (err)
			status = refuse(path, err);
		else if (done)
			done(path);
	}
	return status;
}

int report_json(const char *path, const struct report *r)
{
	char *text = verdict_json(r->run, &r->verdict, true);
	int err = output_write(path, text, strlen(text));

	free(text);
	return err ? refuse(path, err) : STATUS_DONE;
}
