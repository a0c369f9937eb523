/* What a run is going to do and how long it will take, in one line before it starts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conductor_private.h"
#include "rest.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"

struct line {
	char text[400];
	double least_s, most_s;
};

static void add(struct line *l, const char *what, double least_s, double most_s)
{
	size_t used = strlen(l->text);
	char most[32];

	if (most_s <= 0)
		return;
	text_duration(most, sizeof(most), most_s);
	snprintf(l->text + used, sizeof(l->text) - used, "%s%s %s%s", used ? ", " : "", what,
		 least_s < most_s ? "up to " : "", most);
	l->least_s += least_s;
	l->most_s += most_s;
}

static void add_phases(struct line *l, const struct slot *s)
{
	const struct plan *p = &s->plan;

	add(l, "idle", p->baseline_s, p->baseline_s);
	for (unsigned i = 0; i < p->legs; i++) {
		if (i)
			add(l, "rest", fmin(REST_SHORTEST_S, p->rest_s), p->rest_s);
		add(l, op_names[s->legs.op[i]],
		    s->config->until_steady ? fmin(STEADY_SHORTEST_S, p->time_s) : p->time_s,
		    p->time_s);
	}
	add(l, "cool-down", p->cooldown_s, p->cooldown_s);
}

void conductor_announce(const struct conductor *c)
{
	const struct slot *s = &c->slots[0];
	struct line l = {0};
	char least[32], most[32], speed[48] = "";

	if (!s->ops)
		return;
	add_phases(&l, s);
	/* Drives of one run may differ in whether they may be written: the longest counts. */
	for (size_t i = 1; i < c->session.n; i++) {
		struct line other = {0};

		add_phases(&other, &c->slots[i]);
		if (other.most_s > l.most_s)
			l = other;
	}
	text_duration(least, sizeof(least), l.least_s);
	text_duration(most, sizeof(most), l.most_s);
	if (c->config->speed != 1 && isfinite(c->config->speed))
		text_format(speed, sizeof(speed), ", %g times faster than real time",
			    c->config->speed);
	diag_note("%s%s%s%s: %s%s%s in all%s%s", c->config->protocol ? "protocol " : "",
		  c->config->protocol ? c->config->protocol : "", c->config->protocol ? ", " : "",
		  l.text, l.least_s < l.most_s ? least : "", l.least_s < l.most_s ? " to " : "",
		  most, speed,
		  c->config->cause_test && c->config->cooldown_s > 0
		      ? "; a drop of open cause adds a test of some minutes"
		      : "");
}
