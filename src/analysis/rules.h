/*
 * The evidence rules: a table of name, weight, test and sentence. The sum of the weights of the
 * rules that apply decides whether a drop is heat.
 */
#ifndef ANALYSIS_RULES_H
#define ANALYSIS_RULES_H

#include <stdbool.h>

#include "analysis/facts.h"
#include "throttlog/verdict.h"

/* How many times a rule's weight applies (0: not at all), and numbers for its sentence. */
struct match {
	double times, a, b;
};

struct rule {
	const char *name;
	double weight;
	bool response; /* shows the drive reacting to a limit */
	struct match (*test)(const struct facts *f);
	const char *text; /* {a}, {b}: the numbers; {a1} with one decimal; {near}: a limit;
			     {leg}, {passed}: reading or writing, another load of the log */
};

extern const struct rule rules[];
extern const int rules_count;

/*
 * Weighs the facts and collects the evidence (may be NULL) in the table's order. A rule named
 * `without` (may be NULL) is left out. Sets f->responses. Returns the score.
 */
double rules_weigh(struct facts *f, const char *without, struct evidence_list *evidence);

void evidence_add(struct evidence_list *list, const char *rule, double weight, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));

/* verdict_make() with one rule switched off: shows in tests that no rule is dead. */
void verdict_make_without(const struct run *run, const char *without, struct verdict *out);

#endif
