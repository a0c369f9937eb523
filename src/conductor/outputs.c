/* The files of a session. */
#include "outputs.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/report.h"
#include "throttlog/summary.h"

/* MODEL-OP-TIME without blanks and slashes. */
static void default_prefix(const struct session *s, const struct config *c, char *out, size_t size)
{
	const char *label = s->drive[0].label, *slash = strrchr(label, '/');
	char when[32], ops[64] = "watch";
	time_t now = (time_t)(clock_utc_ns() / NS_PER_S);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	if (c->legs.n)
		op_list_format(&s->drive[0].run.load.legs, '-', ops, sizeof(ops));
	/* A path: its last part names the files. */
	if (slash && !s->drive[0].run.drive.model[0])
		label = slash[1] ? slash + 1 : "drive";
	snprintf(out, size, "%s-%s-%s", label, ops, when);
	for (char *p = out; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_.+", *p))
			*p = '_';
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

		report_name(d->csv, sizeof(d->csv), prefix, i, s->n, ".csv");
		report_name(d->json, sizeof(d->json), prefix, i, s->n, ".json");
		report_name(d->png, sizeof(d->png), prefix, 0, 1, ".png");
		status = report_check_new(d->csv);
		if (!status)
			status = report_check_new(d->json);
	}
	return status ? status : reports_check_pictures(c, s->drive[0].png, s->n);
}

/* Without a log that can be read, the newest rows have to do. */
static void judge(struct session_drive *d, const struct config *c, struct report *r)
{
	char why[PATH_MAX + 200];

	/* All rows are in the log: no need to hold the newest twice. */
	if (!d->log_lost)
		series_fini(&d->run.series);
	if (report_read(r, d->csv, c, why, sizeof(why), NULL)) {
		diag_error("%s", why);
		report_judge(r, &d->run, c);
	}
}

int outputs_picture(const struct session *s, const struct config *c, const char *path)
{
	struct report *r = xzalloc(s->n * sizeof(*r));
	char why[PATH_MAX + 200];
	int err = 0;

	for (size_t i = 0; i < s->n && !err; i++)
		err = report_read(&r[i], s->drive[i].csv, c, why, sizeof(why), NULL);
	if (!err)
		err = reports_picture(path, c, r, s->n);
	reports_free(r, s->n);
	return err;
}

static void say_picture(const char *path)
{
	printf("picture %s\n", path);
}

int outputs_finish(struct session *s, const struct config *c)
{
	struct report *r = xzalloc(s->n * sizeof(*r));
	int status = STATUS_DONE, drawn;
	size_t unmet = 0;

	for (size_t i = 0; i < s->n; i++) {
		judge(&s->drive[i], c, &r[i]);
		unmet += r[i].unmet;
		summary_print(stdout, r[i].run, &r[i].verdict, c->iec);
		if (report_json(s->drive[i].json, &r[i]))
			status = STATUS_FAILED;
		printf("log %s, verdict %s\n", s->drive[i].csv, s->drive[i].json);
	}
	drawn = reports_pictures(c, s->drive[0].png, r, s->n, say_picture);
	reports_free(r, s->n);
	if (status == STATUS_DONE)
		status = drawn;
	return status == STATUS_DONE && unmet ? STATUS_REQUIRE : status;
}
