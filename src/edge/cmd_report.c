/* `throttlog report` and `compare`: verdict, JSON, table and picture from any log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/report.h"
#include "throttlog/summary.h"
#include "throttlog/verdict.h"

#define NAME_MAX_BYTES 4096

static void print_note(const char *line)
{
	diag_note("%s", line);
}

static void print_all(const struct config *c, const struct report *reports, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c->json) {
			char *text = verdict_json(reports[i].run, &reports[i].verdict, true);

			printf("%s%s", n > 1 ? i ? ",\n" : "[\n" : "", text);
			free(text);
		} else {
			summary_print(stdout, reports[i].run, &reports[i].verdict, c->iec);
		}
	}
	if (c->json && n > 1)
		puts("]");
}

/* PREFIX.png, NULL without a prefix. */
static const char *own_picture(const struct config *c, char *buf)
{
	if (!c->prefix)
		return NULL;
	report_name(buf, NAME_MAX_BYTES, c->prefix, 0, 1, ".png");
	return buf;
}

/* Before the work: nothing that was asked for is there already. */
static int check_files(const struct config *c, char *name)
{
	int status = STATUS_DONE;

	for (size_t i = 0; c->prefix && i < c->targets.n && !status; i++) {
		report_name(name, NAME_MAX_BYTES, c->prefix, i, c->targets.n, ".json");
		status = report_check_new(name);
	}
	return status ? status : reports_check_pictures(c, own_picture(c, name), c->targets.n);
}

/* For a picture of several runs: all of them by the same kind of load. */
static void align(struct report *reports, size_t n)
{
	enum op op = compare_op(reports, n);

	for (size_t i = 0; i < n; i++) {
		struct verdict *v = &reports[i].verdict;

		if (op == OP_NONE || v->n_legs < 2 || v->legs[v->main_leg].op == op)
			continue;
		verdict_fini(v);
		verdict_make_of(reports[i].run, op, v);
	}
}

static int write_files(const struct config *c, struct report *reports, size_t n, char *name)
{
	int status = STATUS_DONE, drawn;

	for (size_t i = 0; c->prefix && i < n; i++) {
		report_name(name, NAME_MAX_BYTES, c->prefix, i, n, ".json");
		if (report_json(name, &reports[i]))
			status = STATUS_FAILED;
	}
	if (c->compare)
		align(reports, n);
	drawn = reports_pictures(c, own_picture(c, name), reports, n, NULL);
	return drawn ? drawn : status;
}

int cmd_report(const struct config *c)
{
	struct report *reports;
	char why[1024], *name = xmalloc(NAME_MAX_BYTES);
	int status = check_files(c, name);
	size_t n = 0, unmet = 0;

	if (status) {
		free(name);
		return status;
	}
	reports = xzalloc(c->targets.n * sizeof(*reports));
	for (; n < c->targets.n; n++) {
		if (report_read(&reports[n], c->targets.word[n], c, why, sizeof(why), print_note)) {
			diag_error("%s", why);
			status = STATUS_FAILED;
			break;
		}
		unmet += reports[n].unmet;
	}
	if (!status) {
		if (c->compare)
			compare_print(stdout, reports, n, c->iec);
		else
			print_all(c, reports, n);
		status = write_files(c, reports, n, name);
	}
	reports_free(reports, n);
	free(name);
	return status == STATUS_DONE && unmet ? STATUS_REQUIRE : status;
}
