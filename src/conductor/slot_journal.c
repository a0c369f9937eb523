/* The end of a run: what the drive itself recorded meanwhile, as events of the last row. */
#include <math.h>

#include "slot.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

/* Rows wait no longer than this ... */
#define ROW_WAIT_NS (300 * NS_PER_MS)
/* ... and the end of the run no longer than this. */
#define END_WAIT_S 5.0

static bool any_finish(const struct slot *s)
{
	for (size_t i = 0; i < s->n_sensors; i++)
		if (s->sensors[i]->ops->finish)
			return true;
	return false;
}

/* True once the sensors are through; *out may be empty. */
static bool ask(struct slot *s, struct journal *out)
{
	if (s->poller)
		return poller_finish(s->poller, ROW_WAIT_NS, out);
	for (size_t i = 0; i < s->n_sensors; i++)
		if (s->sensors[i]->ops->finish)
			s->sensors[i]->ops->finish(s->sensors[i], out);
	return true;
}

static void tell(struct slot *s, const struct journal *j)
{
	double read_s = (double)(j->read_ns - s->start_ns) / 1e9;
	struct series *series = &s->sd->run.series;

	for (size_t i = 0; i < j->n; i++) {
		struct journal_entry e = j->item[i];
		char text[64];

		e.time_s = read_s - e.time_s;
		journal_format(&e, text, sizeof(text));
		series_event(series, EVENT_PEL, (double)NAN, text);
	}
	if (j->more)
		series_event(series, EVENT_PEL_MORE, (double)j->more, NULL);
}

bool slot_last_words(struct slot *s, double t_s)
{
	struct journal journal = {0};

	if (!any_finish(s))
		return true;
	if (isnan(s->finish_s))
		s->finish_s = t_s;
	if (ask(s, &journal)) {
		tell(s, &journal);
		return true;
	}
	if (t_s - s->finish_s < END_WAIT_S)
		return false;
	diag_warn("%s does not answer: its own records are not read, its settings not put back",
		  s->target.name);
	return true;
}
