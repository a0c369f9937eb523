/* Adds up the evidence rules and puts their sentences together. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/rules.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

void evidence_add(struct evidence_list *list, const char *rule, double weight, const char *format,
		  ...)
{
	struct evidence *e;
	va_list args;

	list->item = xreallocarray(list->item, list->n + 1, sizeof(*list->item));
	e = &list->item[list->n++];
	e->rule = rule;
	e->weight = weight;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
}

static const char *doing(enum op op)
{
	return op == OP_READ ? "reading" : op == OP_WRITE ? "writing" : "working";
}

/* Puts the numbers into the sentence. */
static void say_text(const struct rule *rule, const struct facts *f, struct match m, char *buf,
		     size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (const char *p = rule->text; *p && n + 1 < size;) {
		const char *end = *p == '{' ? strchr(p, '}') : NULL;

		if (!end) {
			buf[n++] = *p++;
			buf[n] = '\0';
			continue;
		}
		if (strncmp(p, "{near}", 6) == 0)
			text_format(buf + n, size - n, "%s", f->near ? f->near : "");
		else if (strncmp(p, "{leg}", 5) == 0)
			text_format(buf + n, size - n, "%s", doing(f->others.limit_op));
		else if (strncmp(p, "{passed}", 8) == 0)
			text_format(buf + n, size - n, "%s", doing(f->others.passed_op));
		else
			text_format(buf + n, size - n, "%.*f", p[2] == '}' ? 0 : p[2] - '0',
				    p[1] == 'a' ? m.a : m.b);
		n += strlen(buf + n);
		p = end + 1;
	}
}

static bool is_record(const struct rule *rule)
{
	for (int w = 0; w < WITNESS_COUNT; w++)
		if (strcmp(rule->name, witness_rules[w]) == 0)
			return true;
	return false;
}

static struct match apply(const struct rule *rule, const struct facts *f, const char *without)
{
	/* Of a temperature that is not to be trusted nothing follows. */
	if (!f->leg->has_temp && !is_record(rule))
		return (struct match){0};
	if (without && strcmp(rule->name, without) == 0)
		return (struct match){0};
	return rule->test(f);
}

double rules_weigh(struct facts *f, const char *without, struct evidence_list *evidence)
{
	double score = 0;

	f->responses = 0;
	for (int r = 0; r < rules_count; r++)
		if (rules[r].response && apply(&rules[r], f, without).times > 0)
			f->responses++;
	for (int r = 0; r < rules_count; r++) {
		struct match m = apply(&rules[r], f, without);
		double weight = m.times * rules[r].weight;
		char text[160];

		if (m.times <= 0)
			continue;
		score += weight;
		if (evidence) {
			say_text(&rules[r], f, m, text, sizeof(text));
			evidence_add(evidence, rules[r].name, weight, "%s", text);
		}
	}
	return score;
}
