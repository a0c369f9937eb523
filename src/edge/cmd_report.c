/* `throttlog report` and `compare`: verdict, JSON, table and picture from any log. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/log.h"
#include "throttlog/picture.h"
#include "throttlog/summary.h"
#include "throttlog/verdict.h"

static void print_note(const char *line)
{
	diag_note("%s", line);
}

static int write_pictures(const struct config *c, const struct report *reports, size_t n)
{
	struct picture_item *items = xreallocarray(NULL, n, sizeof(*items));
	struct picture_options o = c->picture;
	char own[1024];
	int status = STATUS_DONE;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct picture_item){&reports[i].run, &reports[i].verdict};
	o.iec = c->iec;
	o.log_path = n == 1 ? c->targets.word[0] : NULL;
	snprintf(own, sizeof(own), "%s.png", c->prefix ? c->prefix : "");
	for (size_t i = 0; i < c->pictures.n + (c->prefix && !c->pictures.n); i++) {
		const char *path = i < c->pictures.n ? c->pictures.word[i] : own;
		int err = picture_write(path, &o, items, n, c->compare);

		if (!err)
			continue;
		if (err == -EEXIST)
			diag_error("%s exists and is never overwritten: choose another name or "
				   "remove it",
				   path);
		else
			diag_error("cannot write %s: %s", path, DIAG_ERRNO(err));
		status = STATUS_FAILED;
	}
	free(items);
	return status;
}

static void print_all(const struct config *c, const struct report *reports, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c->json) {
			char *text = verdict_json(&reports[i].run, &reports[i].verdict, true);

			printf("%s%s", n > 1 ? i ? ",\n" : "[\n" : "", text);
			free(text);
		} else {
			summary_print(stdout, &reports[i].run, &reports[i].verdict, c->iec);
		}
	}
	if (c->json && n > 1)
		puts("]");
}

int cmd_report(const struct config *c)
{
	struct log_read_options options = {.columns = c->columns, .lean = true};
	struct report *reports = xzalloc(c->targets.n * sizeof(*reports));
	char why[1024];
	int status = STATUS_DONE;
	size_t n = 0, unmet = 0;

	for (; n < c->targets.n && !status; n++) {
		if (log_read(c->targets.word[n], &options, &reports[n].run, why, sizeof(why),
			     print_note)) {
			diag_error("%s", why);
			status = STATUS_FAILED;
			break;
		}
		verdict_make(&reports[n].run, &reports[n].verdict);
		unmet += require_apply(&reports[n].verdict, c->require.word, c->require.n);
	}
	if (!status) {
		if (c->compare)
			compare_print(stdout, c->targets.word, reports, n, c->iec);
		else
			print_all(c, reports, n);
		status = write_pictures(c, reports, n);
	}
	for (size_t i = 0; i < n; i++) {
		verdict_fini(&reports[i].verdict);
		run_fini(&reports[i].run);
	}
	free(reports);
	return status == STATUS_DONE && unmet ? STATUS_REQUIRE : status;
}
