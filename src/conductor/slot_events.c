/* Events that follow from a row: counters that moved, warnings, link, late polls, failed I/O. */
#include <errno.h>
#include <math.h>

#include "slot.h"
#include "throttlog/text.h"

#define WARN_TEMPERATURE 0x02 /* SMART critical_warning, NVMe base 2.1 figure 206 */
#define WARN_FAILING     0x0c /* reliability degraded, read-only */
#define LATE_S           2.0
#define SAME_AEN_S       10.0
#define SAME_RESET_S     3.0

static void counter_event(struct series *series, const struct slot *s, const struct sample *row,
			  enum field count, enum field seconds, enum event_kind kind)
{
	double delta = sample_get(row, count) - s->latest[count];
	double time = sample_get(row, seconds) - s->latest[seconds];

	if (delta > 0)
		series_event(series, kind, delta, NULL);
	else if (time > 0 && !(delta > 0) && isnan(delta))
		series_event(series, kind, 0, NULL);
}

static void ocp_event(struct series *series, const struct slot *s, const struct sample *row)
{
	double delta = ocp_count_delta(s->latest[FIELD_OCP_COUNT], row->ocp_throttle_count);

	if (delta > 0)
		series_event(series, EVENT_OCP, delta, NULL);
}

static void warning_events(struct series *series, const struct slot *s, const struct sample *row)
{
	double before = s->latest[FIELD_CRITICAL_WARNING], now = row->critical_warning;
	unsigned was = isnan(before) ? 0 : (unsigned)before, is;

	if (isnan(now))
		return;
	is = (unsigned)now;
	if ((is & WARN_TEMPERATURE) && !(was & WARN_TEMPERATURE))
		series_event(series, EVENT_WARN_ON, (double)NAN, NULL);
	if (!(is & WARN_TEMPERATURE) && (was & WARN_TEMPERATURE))
		series_event(series, EVENT_WARN_OFF, (double)NAN, NULL);
	if ((is & WARN_FAILING) && !(was & WARN_FAILING))
		series_event(series, EVENT_FAILING, (double)NAN, NULL);
}

static void link_event(struct series *series, const struct slot *s, const struct sample *row)
{
	double speed = s->latest[FIELD_LINK_GT_S], width = s->latest[FIELD_LINK_WIDTH];
	char text[40];

	if (isnan(speed) || isnan(row->link_gt_s) ||
	    (row->link_gt_s == speed && row->link_width == width))
		return;
	text_format(text, sizeof(text), "%.1fx%.0f", row->link_gt_s, row->link_width);
	series_event(series, EVENT_LINK, (double)NAN, text);
}

/*
 * One reset shows twice: in polls that fail, and in the kernel's announcement that it is over,
 * which may come first. It is told once.
 */
static bool poll_shows_reset(struct slot *s, int error)
{
	/* A cancelled command or a node that is not live. */
	bool begins = (error == -EINTR || error == -EAGAIN) && s->sensor_error == 0;

	s->resetting = begins || (s->resetting && error != 0);
	return begins && s->last_s - s->reset_s > SAME_RESET_S;
}

static bool kernel_shows_reset(struct slot *s)
{
	bool is_new = !s->resetting;

	s->resetting = false;
	s->reset_s = s->last_s;
	return is_new;
}

/*
 * An event whose condition lasts may come again with each poll, because the poll clears it: only
 * the first of them is told.
 */
static bool is_new_aen(struct slot *s, uint32_t aen)
{
	bool is_new = aen != s->aen || s->last_s - s->aen_s > SAME_AEN_S;

	s->aen = aen;
	s->aen_s = s->last_s;
	return is_new;
}

void slot_announced(struct slot *s, const struct uevent *event)
{
	char text[64];

	if (s->sd->done)
		return;
	switch (event->kind) {
	case UEVENT_NONE:
		break;
	case UEVENT_AEN:
		uevent_aen_text(event->aen, text, sizeof(text));
		if (is_new_aen(s, event->aen))
			slot_note(s, EVENT_AEN, (double)NAN, text);
		break;
	case UEVENT_CONNECTED:
		if (kernel_shows_reset(s))
			slot_note(s, EVENT_RESET, (double)NAN, NULL);
		if (s->poller)
			poller_renew(s->poller);
		break;
	case UEVENT_NAMED:
		slot_note(s, EVENT_UEVENT, (double)NAN, event->name);
		break;
	case UEVENT_REMOVED:
		s->removed = true;
		break;
	case UEVENT_ADDED:
		slot_note(s, EVENT_BACK, (double)NAN, NULL);
		break;
	}
}

void slot_events(struct slot *s, const struct sample *row, const struct poller_answer *answer)
{
	struct series *series = &s->sd->run.series;
	double interval = s->config->interval_s > 0.5 ? s->config->interval_s : 0.5;
	bool slow = s->plan.phase == PHASE_BASELINE;

	counter_event(series, s, row, FIELD_TMT1_COUNT, FIELD_TMT1_S, EVENT_TMT1);
	counter_event(series, s, row, FIELD_TMT2_COUNT, FIELD_TMT2_S, EVENT_TMT2);
	ocp_event(series, s, row);
	warning_events(series, s, row);
	link_event(series, s, row);
	if (s->n_sensors && !slow && answer->age_s > fmax(LATE_S, 2 * interval))
		series_event(series, EVENT_POLL_LATE, answer->age_s, NULL);
	if (poll_shows_reset(s, answer->error))
		series_event(series, EVENT_RESET, (double)NAN, NULL);
	/* Over, where the kernel does not announce it. */
	if (s->poller && s->sensor_error && !answer->error)
		poller_renew(s->poller);
	s->sensor_error = answer->error;
	if (s->after.errors > s->io_errors)
		series_event(series, EVENT_IO_ERROR, (double)(s->after.errors - s->io_errors),
			     NULL);
	s->io_errors = s->after.errors;
	for (enum field f = FIELD_TEMP; f < FIELD_COUNT; f++)
		if (!isnan(sample_get(row, f)))
			s->latest[f] = sample_get(row, f);
}
