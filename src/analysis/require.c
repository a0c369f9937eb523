/*
 * Acceptance expressions. A table says which quantities there are, their unit and where the value
 * comes from; what cannot be judged counts as not met.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"
#include "throttlog/verdict.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static double max_temp(const struct verdict *v, double bound)
{
	(void)bound;
	return v->temp_trusted ? v->max_c : (double)NAN;
}

/* A kind of load that was run, but never for long enough to be judged. */
static bool any_unjudged(const struct verdict *v)
{
	bool run[OP_COUNT] = {false}, judged[OP_COUNT] = {false}, any = false;

	for (size_t i = 0; i < v->n_legs; i++) {
		run[v->legs[i].op] = true;
		judged[v->legs[i].op] |= v->legs[i].throttled != TRI_NULL;
	}
	for (enum op op = OP_NONE; op < OP_COUNT; op++)
		any |= run[op] && !judged[op];
	return any;
}

/* The worst load counts. */
static double sustained(const struct verdict *v, double bound)
{
	double least = NAN;

	(void)bound;
	for (size_t i = 0; i < v->n_legs; i++)
		if (v->legs[i].judged || v->n_legs == 1)
			least = fmin(least, 100 * v->legs[i].sustained_mb_s / v->legs[i].peak_mb_s);
	return least;
}

/* For so long each kind of load is known not to throttle. */
static double unthrottled_s(const struct verdict *v)
{
	double longest[OP_COUNT] = {0}, least = NAN;

	for (size_t i = 0; i < v->n_legs; i++)
		longest[v->legs[i].op] = fmax(longest[v->legs[i].op],
					      v->legs[i].end_s - v->legs[i].start_s);
	for (enum op op = OP_NONE; op < OP_COUNT; op++)
		if (longest[op] > 0)
			least = fmin(least, longest[op]);
	return any_unjudged(v) ? (double)NAN : least;
}

/*
 * The earliest of all loads. Not throttled: the load's length is a lower bound, good enough if it
 * reaches the one asked.
 */
static double time_to_throttle(const struct verdict *v, double bound)
{
	double earliest = NAN, load_s = unthrottled_s(v);

	for (size_t i = 0; i < v->n_legs; i++)
		if (v->legs[i].throttled == TRI_TRUE)
			earliest = fmin(earliest, v->legs[i].onset_s);
	if (v->throttled == TRI_TRUE)
		return earliest;
	return v->throttled == TRI_FALSE && load_s >= bound ? load_s : (double)NAN;
}

static double loss(const struct verdict *v, double bound)
{
	double most = v->throttled == TRI_FALSE ? 0 : (double)NAN;

	(void)bound;
	for (size_t i = 0; i < v->n_legs && v->throttled == TRI_TRUE; i++)
		if (v->legs[i].throttled == TRI_TRUE)
			most = fmax(most, v->legs[i].loss_pct);
	return most;
}

static const struct {
	const char *name, *unit;
	double (*value)(const struct verdict *v, double bound);
} quantities[] = {
    {"max_temp", "", max_temp},
    {"sustained", "%", sustained},
    {"time_to_throttle", "s", time_to_throttle},
    {"loss", "%", loss},
};

enum relation { REL_LESS, REL_LESS_EQUAL, REL_MORE, REL_MORE_EQUAL };

struct condition {
	int quantity; /* -1: no-throttle */
	enum relation relation;
	double bound;
};

#define NO_THROTTLE "no-throttle"

static int parse(const char *expr, struct condition *c, char *why, size_t size)
{
	size_t name = strcspn(expr, "<>="), i;
	const char *p = expr + name;
	char number[32];
	size_t n;

	if (strcmp(expr, NO_THROTTLE) == 0) {
		c->quantity = -1;
		return 0;
	}
	for (i = 0; i < COUNT(quantities); i++)
		if (strlen(quantities[i].name) == name &&
		    strncmp(expr, quantities[i].name, name) == 0)
			break;
	if (i == COUNT(quantities)) {
		snprintf(why, size,
			 "'%.60s' is no requirement; there are no-throttle, max_temp<=75, "
			 "sustained>=90%%, time_to_throttle>=180s, loss<=10%%",
			 expr);
		return -EINVAL;
	}
	c->quantity = (int)i;
	c->relation = *p == '<' ? REL_LESS : REL_MORE;
	if (*p != '<' && *p != '>') {
		snprintf(why, size, "'%.60s': %s needs one of < <= > >=", expr, quantities[i].name);
		return -EINVAL;
	}
	p++;
	if (*p == '=') {
		c->relation = c->relation == REL_LESS ? REL_LESS_EQUAL : REL_MORE_EQUAL;
		p++;
	}
	n = strspn(p, "0123456789.-");
	if (n > 0 && n < sizeof(number)) {
		memcpy(number, p, n);
		number[n] = '\0';
		if (text_to_double(number, &c->bound) && strcmp(p + n, quantities[i].unit) == 0)
			return 0;
	}
	snprintf(why, size, "'%.60s': %s is compared with a number%s%s", expr, quantities[i].name,
		 quantities[i].unit[0] ? " and its unit " : " without a unit", quantities[i].unit);
	return -EINVAL;
}

int require_check(const char *expr, char *why, size_t size)
{
	struct condition c;

	return parse(expr, &c, why, size);
}

static bool holds(enum relation relation, double value, double bound)
{
	switch (relation) {
	case REL_LESS:
		return value < bound;
	case REL_LESS_EQUAL:
		return value <= bound;
	case REL_MORE:
		return value > bound;
	case REL_MORE_EQUAL:
		return value >= bound;
	}
	return false;
}

static void judge(const struct verdict *v, const struct condition *c, struct requirement *out)
{
	if (c->quantity < 0) {
		out->met = v->throttled == TRI_TRUE                      ? TRI_FALSE
			   : v->throttled == TRI_NULL || any_unjudged(v) ? TRI_NULL
									 : TRI_TRUE;
		return;
	}
	out->value = quantities[c->quantity].value(v, c->bound);
	if (isnan(out->value))
		return;
	out->met = holds(c->relation, out->value, c->bound) ? TRI_TRUE : TRI_FALSE;
}

size_t require_apply(struct verdict *v, const char *const *exprs, size_t n)
{
	size_t failed = 0;

	v->requirements = xreallocarray(v->requirements, v->n_requirements + n + 1,
					sizeof(*v->requirements));
	for (size_t i = 0; i < n; i++) {
		struct requirement *r = &v->requirements[v->n_requirements++];
		struct condition c = {0};
		char why[200];

		*r = (struct requirement){.met = TRI_NULL, .value = NAN};
		snprintf(r->expr, sizeof(r->expr), "%s", exprs[i]);
		if (parse(exprs[i], &c, why, sizeof(why)) == 0)
			judge(v, &c, r);
		failed += r->met != TRI_TRUE;
	}
	return failed;
}
