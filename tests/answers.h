/*
 * The whole answer that a log must get, and the check of it. What is not known is expected as
 * NAN and then must be null: nothing is made up. A table of logs with their answers runs as one
 * test each.
 */
#ifndef TESTS_ANSWERS_H
#define TESTS_ANSWERS_H

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

#include "rows.h"

struct answer {
	enum tristate throttled;
	enum throttle_class klass;
	enum certainty certainty;
	const char *causes; /* of the drops in order, one word for several alike */
	double onset_s, onset_c, loss_pct, max_c; /* within 3 s or 10 %, 1 K, 5 points, 1 K */
	bool untrusted;                           /* the temperature */
	const char *text;                         /* in the headline */
	const char *evidence;                     /* in a line of it, or NULL */
	const char *warning, *warning2;           /* in one of them; NULL, NULL: none at all */
};

struct answer_case {
	const char *name;
	void (*build)(struct rows *r);
	struct answer answer;
};

static inline bool answer_near(double is, double expected, double eps)
{
	return isnan(expected) ? isnan(is) : fabs(is - expected) <= eps;
}

static inline bool answer_warned(const struct verdict *v, const char *words)
{
	for (size_t i = 0; i < v->n_warnings; i++)
		if (strstr(v->warnings[i], words))
			return true;
	return false;
}

static inline bool answer_reasoned(const struct verdict *v, const char *words)
{
	for (size_t i = 0; i < v->evidence.n; i++)
		if (strstr(v->evidence.item[i].text, words))
			return true;
	for (size_t k = 0; k < v->n_drops; k++)
		for (size_t i = 0; i < v->drops[k].evidence.n; i++)
			if (strstr(v->drops[k].evidence.item[i].text, words))
				return true;
	return false;
}

static inline void answer_print(const struct verdict *v)
{
	print_message("# %s\n# %d, %s, %s, trusted %d\n", v->text, v->throttled,
		      class_names[v->klass], certainty_names[v->certainty], v->temp_trusted);
	print_message("# onset %.1f s %.1f C, loss %.1f %%, max %.1f C, sensor %s, %.0f s\n",
		      v->onset_s, v->onset_c, v->loss_pct, v->max_c, v->hottest_sensor,
		      v->resolution_s);
	for (size_t i = 0; i < v->evidence.n; i++)
		print_message("#   %+.1f %s\n", v->evidence.item[i].weight,
			      v->evidence.item[i].text);
	for (size_t k = 0; k < v->n_drops; k++) {
		print_message("# drop %.0f..%.0f s at %.0f C, %.0f to %.0f MB/s: %s%s\n",
			      v->drops[k].start_s, v->drops[k].end_s, v->drops[k].temp_c,
			      v->drops[k].from_mb_s, v->drops[k].to_mb_s,
			      cause_names[v->drops[k].cause], v->drops[k].open ? ", open" : "");
		for (size_t i = 0; i < v->drops[k].evidence.n; i++)
			print_message("#   %+.1f %s\n", v->drops[k].evidence.item[i].weight,
				      v->drops[k].evidence.item[i].text);
	}
	for (size_t i = 0; i < v->n_warnings; i++)
		print_message("# warning: %s\n", v->warnings[i]);
	print_message("# heatsink %d: %s\n", v->heatsink_needed, v->heatsink_text);
}

/* "slc-cache thermal" */
static inline void answer_causes(const struct verdict *v, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < v->n_drops; i++)
		if (i == 0 || v->drops[i].cause != v->drops[i - 1].cause)
			snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", i ? " " : "",
				 cause_names[v->drops[i].cause]);
}

/* What is not as expected, NULL if all is. */
static inline const char *answer_differs(const struct verdict *v, const struct answer *a)
{
	char causes[200];

	answer_causes(v, causes, sizeof(causes));
	if (strcmp(a->causes, causes) != 0)
		return "causes";
	if (v->throttled != a->throttled)
		return "throttled";
	if (v->klass != a->klass)
		return "class";
	if (v->certainty != a->certainty)
		return "certainty";
	if (!answer_near(v->onset_s, a->onset_s, fmax(3, 0.1 * a->onset_s)))
		return "onset_s";
	if (!answer_near(v->onset_c, a->onset_c, 1))
		return "onset_c";
	if (!answer_near(v->loss_pct, a->loss_pct, 5))
		return "loss_pct";
	if (!answer_near(v->max_c, a->max_c, 1))
		return "max_c";
	if (v->temp_trusted == a->untrusted)
		return "trusted";
	if (!strstr(v->text, a->text))
		return "text";
	if (a->evidence && !answer_reasoned(v, a->evidence))
		return "evidence";
	if (a->warning ? !answer_warned(v, a->warning) : v->n_warnings > 0)
		return "warnings";
	if (a->warning2 && !answer_warned(v, a->warning2))
		return "second warning";
	return NULL;
}

/* A test whose initial state is a struct answer_case. */
static inline void answer_test(void **state)
{
	static struct rows r;
	static struct verdict v;
	const struct answer_case *c = *state;
	const char *wrong;

	c->build(&r);
	rows_judge(&r, &v);
	wrong = answer_differs(&v, &c->answer);
	if (wrong || getenv("ANSWERS"))
		answer_print(&v);
	rows_end(&r, &v);
	if (wrong)
		fail_msg("%s: %s", c->name, wrong);
}

/* Tests of `n` cases into tests[0..n). */
static inline void answer_tests(struct answer_case *cases, size_t n, struct CMUnitTest *tests)
{
	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
		    .name = cases[i].name, .test_func = answer_test, .initial_state = &cases[i]};
}

#endif
