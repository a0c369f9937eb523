/* Logs of another generator: found and missed heat, false heat, errors of onset and temperature. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "eval.h"
#include "throttlog/log.h"
#include "throttlog/text.h"

/* The number after `key` in the note; NAN if there is none. */
static double truth_of(const char *note, const char *key)
{
	const char *p = strstr(note, key);
	char word[32] = "";
	double value;

	if (p)
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(p + strlen(key), " "),
			 p + strlen(key));
	return text_to_double(word, &value) ? value : (double)NAN;
}

struct sums {
	long found[3], all[3], false_heat, decoys;
	struct errors onset, temp;
};

static bool has_counters(const struct run *run)
{
	const double *count = run->series.col[FIELD_TMT1_COUNT];

	return count && run->series.n && count[run->series.n - 1] > 0;
}

static void judge(const char *path, struct sums *sums)
{
	static struct run run;
	static struct verdict v;
	char why[200];
	bool heat;
	int group;

	if (log_read(path, NULL, &run, why, sizeof(why), NULL)) {
		printf("%s\n", why);
		return;
	}
	verdict_make(&run, &v);
	heat = v.throttled == TRI_TRUE && v.klass != CLASS_SHUTDOWN;
	group = has_counters(&run) ? 0 : run.load.op == OP_READ ? 1 : 2;
	if (truth_of(run.note, "heat=") > 0) {
		if (truth_of(run.note, "gentle=") < 1) {
			sums->all[group]++;
			sums->found[group] += heat;
		}
		if (heat && !isnan(v.onset_s)) {
			errors_add(&sums->onset, v.onset_s - truth_of(run.note, "onset="));
			errors_add(&sums->temp, v.onset_c - truth_of(run.note, "temp="));
		}
	} else {
		sums->decoys++;
		sums->false_heat += heat;
		if (heat)
			printf("false: %s: %s (%s)\n", path, v.text, run.note);
	}
	verdict_fini(&v);
	run_fini(&run);
}

int eval_logs(const char *dir)
{
	static const char *const groups[] = {"counters", "reads", "writes"};
	struct sums sums = {0};
	char pattern[4096];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.csv", dir);
	if (glob(pattern, 0, NULL, &found)) {
		printf("no logs in %s\n", dir);
		return 1;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		judge(found.gl_pathv[i], &sums);
	globfree(&found);
	printf("false heat: %ld of %ld\n", sums.false_heat, sums.decoys);
	for (int g = 0; g < 3; g++)
		printf("%-9s found %ld of %ld (%.1f %%)\n", groups[g], sums.found[g], sums.all[g],
		       100.0 * (double)sums.found[g] / (double)(sums.all[g] ? sums.all[g] : 1));
	errors_print("onset, s", &sums.onset);
	errors_print("temperature, K", &sums.temp);
	errors_free(&sums.onset);
	errors_free(&sums.temp);
	return sums.false_heat > 0;
}
