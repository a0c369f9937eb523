/*
 * The live detector: marks a drop of speed within seconds and asks the offline analysis every ten
 * seconds what it was. Until two answers agree the cause is open. The final verdict is always the
 * offline one.
 *
 *     n = online_row(o, &run, events);       after each new row
 *     series_event(&run.series, events[i].kind, events[i].value, events[i].text)
 */
#ifndef THROTTLOG_ONLINE_H
#define THROTTLOG_ONLINE_H

#include <stddef.h>

#include "throttlog/run.h"

#define ONLINE_EVENTS_MAX 4

struct online;

struct online_event {
	enum event_kind kind; /* EVENT_DROP, EVENT_THROTTLE, EVENT_STATE */
	double value;         /* EVENT_THROTTLE: °C, NAN if not known */
	const char *text;     /* EVENT_STATE: one word in capitals, static */
};

/* Never NULL; the caller frees it. */
struct online *online_new(void);
void online_free(struct online *o);
/*
 * Looks at the last row of run->series. Returns how many events belong to it. Mostly a few
 * operations; every ten seconds of load an analysis of the last two hours at most.
 */
size_t online_row(struct online *o, const struct run *run,
		  struct online_event out[ONLINE_EVENTS_MAX]);
/*
 * When the throttling began that EVENT_THROTTLE told of, time_s; NAN before it. Earlier than the
 * event, which waits until the cause is sure.
 */
double online_onset_s(const struct online *o);
/* The state word now, "" before the first row. */
const char *online_state(const struct online *o);

#endif
