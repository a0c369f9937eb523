/*
 * Measures the verdict on synthetic drives: eval [RUNS] [SEED] [passive|active|bare] [SHOW] [KIND]
 * SHOW (false, missed, late, open, all) prints such runs, KIND draws only decoys of one kind.
 * `eval logs DIR` judges logs whose notes hold the truth (dump_prototype.py).
 * RUNS throttling and RUNS decoy drives; prints the confusion matrix, errors of onset,
 * temperature and loss, and what became of each kind. `active` lets the cause test run, `bare`
 * leaves baseline and cool-down away. Exit status 1 if a decoy was called heat.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "eval.h"

#define KINDS_MAX 128

enum answer {
	ANSWER_NONE,
	ANSWER_CACHE,
	ANSWER_BACKGROUND,
	ANSWER_OPEN,
	ANSWER_GENTLE,
	ANSWER_HEAT,
	ANSWER_OSCILLATING,
	ANSWER_LOST,
	ANSWER_COUNT
};

static const char *const truth_words[TRUTH_COUNT] = {"none",   "cache", "background", "lost",
						     "gentle", "hard",  "oscillating"};
static const char *const answer_words[ANSWER_COUNT] = {"none",   "cache", "backgr", "open",
						       "gentle", "heat",  "oscill", "lost"};

struct kind_row {
	char name[32];
	long runs, right, heat, open;
};

struct tally {
	long matrix[TRUTH_COUNT][ANSWER_COUNT];
	struct kind_row kind[KINDS_MAX];
	int n_kinds;
	long found[3], all[3]; /* counters, reads, writes; gentle left out */
	long wrong[3];         /* ... called not heat although it was */
	long false_heat, decoys;
	long false_added; /* of kinds that are only ours, the harder ones */
	struct errors onset, temp, loss;
	struct cost cost;
	long tested;
};

static enum answer answer_of(const struct verdict *v)
{
	bool cache = false, other = false;

	if (v->klass == CLASS_SHUTDOWN)
		return ANSWER_LOST;
	if (v->throttled == TRI_TRUE)
		return v->klass == CLASS_OSCILLATING                            ? ANSWER_OSCILLATING
		       : v->klass == CLASS_GENTLE || v->klass == CLASS_REPORTED ? ANSWER_GENTLE
										: ANSWER_HEAT;
	if (v->throttled == TRI_NULL)
		return ANSWER_OPEN;
	for (size_t i = 0; i < v->n_drops; i++) {
		cache = cache || v->drops[i].cause == CAUSE_SLC_CACHE;
		other = true;
	}
	return cache ? ANSWER_CACHE : other ? ANSWER_BACKGROUND : ANSWER_NONE;
}

static bool is_heat_answer(enum answer a)
{
	return a == ANSWER_GENTLE || a == ANSWER_HEAT || a == ANSWER_OSCILLATING;
}

static struct kind_row *kind_row(struct tally *t, const struct spec *p)
{
	char name[32];

	snprintf(name, sizeof(name), "%s %s%s", p->kind, op_names[p->op],
		 p->counters ? " counted" : "");
	for (int i = 0; i < t->n_kinds; i++)
		if (strcmp(t->kind[i].name, name) == 0)
			return &t->kind[i];
	if (t->n_kinds == KINDS_MAX)
		return &t->kind[KINDS_MAX - 1];
	memcpy(t->kind[t->n_kinds].name, name, sizeof(name));
	return &t->kind[t->n_kinds++];
}

static double tested_s; /* of the run at hand */

static void print_run(const char *word, const struct synth *s, const struct verdict *v)
{
	const struct spec *p = &s->spec;

	printf("%s %s %s%s truth %.0f s %.1f °C loss %.2f; got %s %.0f s %.1f °C wctemp %.0f, "
	       "tested %.0f s\n",
	       word, p->kind, op_names[p->op], p->slc_mb > 0 ? " slc" : "", s->onset_s, s->onset_c,
	       s->allow_n > 0 ? 1 - s->allow_sum / s->allow_n : 0, class_names[v->klass],
	       v->onset_s, v->onset_c, p->wctemp_c, tested_s);
	for (size_t i = 0; i < v->n_drops && i < 6; i++) {
		printf("    drop %.0f s %.0f -> %.0f MB/s %.0f °C %s:", v->drops[i].start_s,
		       v->drops[i].from_mb_s, v->drops[i].to_mb_s, v->drops[i].temp_c,
		       cause_names[v->drops[i].cause]);
		for (size_t k = 0; k < v->drops[i].evidence.n; k++)
			printf(" %s %+.1f%s%s", v->drops[i].evidence.item[k].rule,
			       v->drops[i].evidence.item[k].weight,
			       strncmp(v->drops[i].evidence.item[k].rule, "re", 2) ? "" : " ",
			       strncmp(v->drops[i].evidence.item[k].rule, "restart", 7)
				   ? ""
				   : v->drops[i].evidence.item[k].text);
		printf("\n");
	}
}

static void count_thermal(struct tally *t, const struct synth *s, const struct verdict *v,
			  enum answer a)
{
	int group = s->spec.counters ? 0 : s->spec.op == OP_READ ? 1 : 2;
	bool heat = is_heat_answer(a), gentle = synth_truth(s) == TRUTH_GENTLE;

	if (!gentle) {
		t->all[group]++;
		t->found[group] += heat;
		t->wrong[group] += !heat && v->throttled == TRI_FALSE;
	}
	if (!heat)
		return;
	if (!isnan(v->onset_s))
		errors_add(&t->onset, v->onset_s - s->onset_s);
	if (!isnan(v->onset_c))
		errors_add(&t->temp, v->onset_c - s->onset_c);
	if (!isnan(v->loss_pct) && s->spec.slc_mb <= 0)
		errors_add(&t->loss, v->loss_pct - 100 * (1 - s->allow_sum / s->allow_n));
}

static void count(struct tally *t, const struct synth *s, const struct verdict *v, const char *show)
{
	enum truth truth = synth_truth(s);
	enum answer a = answer_of(v);
	bool is_heat = truth >= TRUTH_GENTLE, heat = is_heat_answer(a);
	struct kind_row *row = kind_row(t, &s->spec);

	t->matrix[truth][a]++;
	row->runs++;
	row->heat += heat;
	row->open += a == ANSWER_OPEN;
	row->right += is_heat ? heat : !heat && a != ANSWER_OPEN;
	if (is_heat) {
		count_thermal(t, s, v, a);
	} else {
		t->decoys++;
		t->false_heat += heat;
		t->false_added += heat && spec_is_added(s->spec.kind);
	}
	if (strcmp(show, "false") == 0 && !is_heat && heat)
		print_run("FALSE", s, v);
	if (strcmp(show, "missed") == 0 && is_heat && !heat && truth != TRUTH_GENTLE)
		print_run("MISSED", s, v);
	if (strcmp(show, "late") == 0 && is_heat && heat && !(fabs(v->onset_s - s->onset_s) <= 2.5))
		print_run("LATE", s, v);
	if (strcmp(show, "all") == 0)
		print_run("RUN", s, v);
	if (strcmp(show, "open") == 0 && !is_heat && a == ANSWER_OPEN)
		print_run("OPEN", s, v);
}

static void print_matrix(const struct tally *t)
{
	printf("%-12s", "truth");
	for (int a = 0; a < ANSWER_COUNT; a++)
		printf("%8s", answer_words[a]);
	printf("\n");
	for (int i = 0; i < TRUTH_COUNT; i++) {
		printf("%-12s", truth_words[i]);
		for (int a = 0; a < ANSWER_COUNT; a++)
			printf("%8ld", t->matrix[i][a]);
		printf("\n");
	}
}

static void print_tally(struct tally *t)
{
	static const char *const groups[] = {"counters", "reads", "writes"};

	print_matrix(t);
	printf("false heat: %ld of %ld, %ld of them by clock and wandering decoys\n", t->false_heat,
	       t->decoys, t->false_added);
	for (int g = 0; g < 3; g++)
		printf("%-9s found %ld of %ld (%.1f %%), wrongly not heat %ld\n", groups[g],
		       t->found[g], t->all[g],
		       100.0 * (double)t->found[g] / (double)(t->all[g] ? t->all[g] : 1),
		       t->wrong[g]);
	errors_print("onset, s", &t->onset);
	errors_print("temperature, K", &t->temp);
	errors_print("loss, points", &t->loss);
	if (t->tested)
		printf("cause tests: %ld, %.0f s and %.0f GB written more on average\n", t->tested,
		       t->cost.seconds / (double)t->tested, t->cost.written_gb / (double)t->tested);
	printf("%-28s%8s%8s%8s%8s\n", "kind", "runs", "right", "heat", "open");
	for (int i = 0; i < t->n_kinds; i++)
		printf("%-28s%8ld%8ld%8ld%8ld\n", t->kind[i].name, t->kind[i].runs,
		       t->kind[i].right, t->kind[i].heat, t->kind[i].open);
}

static void one_run(struct tally *t, const struct spec *spec, uint64_t seed, enum mode mode,
		    const char *show)
{
	static struct synth s; /* large */
	static struct run run;
	static struct verdict v;
	struct cost cost;

	cost = eval_log(spec, seed, mode, &s, &run);
	tested_s = cost.seconds;
	if (cost.seconds > 0) {
		t->tested++;
		t->cost.seconds += cost.seconds;
		t->cost.written_gb += cost.written_gb;
	}
	verdict_make_of(&run, spec->op, &v);
	count(t, &s, &v, show);
	verdict_fini(&v);
	run_fini(&run);
}

int main(int argc, char **argv)
{
	long runs = argc > 1 ? atol(argv[1]) : 3000;
	struct dice dice = {(uint64_t)(argc > 2 ? atol(argv[2]) : 20261)};
	const char *word = argc > 3 ? argv[3] : "passive", *show = argc > 4 ? argv[4] : "";
	const char *kind = argc > 5 ? argv[5] : NULL;
	enum mode mode = strcmp(word, "active") == 0     ? MODE_ACTIVE
			 : strcmp(word, "bare") == 0     ? MODE_BARE
			 : strcmp(word, "review") == 0   ? MODE_REVIEW
			 : strcmp(word, "protocol") == 0 ? MODE_PROTOCOL
							 : MODE_PASSIVE;
	static struct tally t;
	struct spec spec;

	if (argc > 2 && strcmp(argv[1], "logs") == 0)
		return eval_logs(argv[2]);
	for (long i = 0; i < 2 * runs; i++) {
		if (i < runs)
			spec_thermal(&dice, &spec);
		else if (!kind && dice_chance(&dice, 0.06))
			spec_lost(&dice, &spec);
		else
			spec_decoy(&dice, kind, &spec);
		one_run(&t, &spec, dice.state ^ (uint64_t)i, mode, show);
	}
	printf("%ld throttling and %ld decoy drives, %s\n", runs, runs, word);
	print_tally(&t);
	errors_free(&t.onset);
	errors_free(&t.temp);
	errors_free(&t.loss);
	return t.false_heat > 0;
}
