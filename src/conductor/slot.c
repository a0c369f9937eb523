/* One drive at work: each tick makes a row, its events, and moves the phases on. */
#include "slot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/guard.h"
#include "throttlog/sim.h"

/* A jump of more than this from one answer to the next is a glitch until it is seen again. */
#define GLITCH_K 15.0
#define STOP_NS  (3 * NS_PER_S)

static bool simulated(const struct slot *s)
{
	return s->target.kind == TARGET_SIM;
}

void slot_start(struct slot *s, int64_t start_ns)
{
	double interval = s->config->interval_s;
	double poll_s = interval > 0.5 ? interval : 0.5;

	s->start_ns = simulated(s) ? 0 : start_ns;
	for (size_t i = 0; simulated(s) && i < s->n_sensors; i++)
		if (s->sensors[i]->ops->begin)
			s->sensors[i]->ops->begin(s->sensors[i]);
	if (!simulated(s) && s->n_sensors) {
		/* The answer is there when the row is written, and no older than need be. */
		s->poller = poller_start(s->sensors, s->n_sensors, start_ns, poll_s,
					 fmin(0.2 * interval, 0.25));
		poller_set_slow(s->poller, s->plan.phase == PHASE_BASELINE);
	}
	if (s->at_tick) {
		struct sample discard;

		sample_clear(&discard);
		sensor_read(s->at_tick, &discard);
	}
	slot_switch_load(s, 0);
}

/* Simulated drives: moves their clock to `t_s`, then asks their sensors if that is due. */
static void step_simulated(struct slot *s, double t_s, struct poller_answer *answer)
{
	int64_t t_ns = llround(t_s * 1e9);
	double period = s->plan.phase == PHASE_BASELINE ? POLL_SLOW_S
							: fmax(0.5, s->config->interval_s);

	if (s->engine) {
		int rc = s->ops->step(s->engine, t_ns);

		if (rc)
			s->load_error = -rc;
	}
	sim_advance(s->target.sim, t_ns);
	if (t_s - s->asked_s < period - 1e-6)
		return;
	s->asked_s = t_s;
	answer->fresh = true;
	sample_clear(&answer->values);
	for (size_t i = 0; i < s->n_sensors && !answer->error; i++)
		answer->error = sensor_read(s->sensors[i], &answer->values);
}

/* Reads of blocks that hold nothing heat no flash: the test would flatter the drive. */
static void warn_blank(struct slot *s)
{
	uint64_t ios = s->after.ios - s->before.ios, blank = s->after.blank - s->before.blank;

	if (s->warned_blank || ios < 16 || blank * 2 < ios)
		return;
	s->warned_blank = true;
	diag_warn(
	    "%s: most reads find blank blocks (trimmed or never written); the drive may answer "
	    "them without its flash, faster and cooler than real data",
	    s->target.name);
}

static void take_load(struct slot *s, double dt_s, struct sample *row)
{
	if (s->load)
		load_take(s->load, &s->after);
	else if (simulated(s))
		load_counters_take(&s->counters, &s->after);
	if (s->ops)
		load_snapshot_sample(&s->before, &s->after, dt_s, row);
	s->sd->bytes = s->after.bytes;
	warn_blank(s);
	if (s->load && !s->load_error) {
		int err = 0;

		if (load_status(s->load, &err) == LOAD_ENDED)
			s->load_error = -err;
	}
}

/* What the block layer counted since the last row; nothing where it does not count. */
static void read_disk(struct slot *s, struct sample *seen)
{
	sample_clear(seen);
	if (s->at_tick && sensor_read(s->at_tick, seen))
		sample_clear(seen);
}

/*
 * What the disk moved beside our own load; for a watch, all of it. The kernel counts a request
 * some time before the load does, so up to two full queues are kept for the next row: they are
 * most likely our own.
 */
static void take_foreign(struct slot *s, const struct sample *seen, double dt_s, struct sample *row)
{
	double slack = 2.0 * s->engine_config.queue_depth * s->engine_config.block_bytes;

	row->util_pct = seen->util_pct;
	if (!s->ops) {
		row->bytes = seen->foreign_bytes;
		row->mb_s = seen->foreign_bytes / dt_s / 1e6;
		row->iops = seen->iops;
		row->lat_avg_us = seen->lat_avg_us;
	} else if (!isnan(seen->foreign_bytes)) {
		s->foreign_due = fmax(-slack, s->foreign_due + seen->foreign_bytes - row->bytes);
		row->foreign_bytes = s->foreign_due > slack ? s->foreign_due : 0;
		s->foreign_due -= row->foreign_bytes;
	}
}

/* The composite temperature, or where there is none the first sensor's; NAN. */
static double row_temp(const struct sample *row)
{
	double temp_c = row->temp_c;

	for (int i = 0; isnan(temp_c) && i < SENSORS_MAX; i++)
		temp_c = row->sensor_c[i];
	return temp_c;
}

/* Keeps the temperature that stops loads in s->over_c, NAN if it is none: one outlier is not. */
static void watch_limit(struct slot *s, double temp_c)
{
	double before = s->hot_before_c;

	if (isnan(temp_c))
		return;
	s->hot_before_c = temp_c;
	s->over_c = temp_c;
	if (isnan(s->stop_c) || temp_c < s->stop_c || isnan(before) || temp_c - before > GLITCH_K)
		s->over_c = (double)NAN;
}

static bool gone(int err)
{
	return err == ENODEV || err == ENXIO || err == ENOLINK || err == ESHUTDOWN;
}

static void stop_hot(struct slot *s, double t_s)
{
	series_event(&s->sd->run.series, EVENT_STOP_TEMP, s->over_c, NULL);
	plan_stop_load(&s->plan, t_s, END_STOP_TEMP);
}

/* The plan moves on, but no load begins above the limit. */
static void go_on(struct slot *s, double temp_c, double t_s)
{
	enum phase before = s->plan.phase;

	slot_rest(s, temp_c, t_s);
	plan_advance(&s->plan, t_s);
	if (s->plan.phase == PHASE_LOAD && before != PHASE_LOAD && !isnan(s->over_c) && s->ops)
		stop_hot(s, t_s);
}

/* What ends the load or the run, beside time. */
static void check_ends(struct slot *s, const struct sample *row, const struct poller_answer *a,
		       double t_s)
{
	struct series *series = &s->sd->run.series;

	watch_limit(s, row_temp(row));
	if (!s->lost && (s->removed || gone(s->load_error) || gone(-a->error))) {
		s->lost = s->sd->lost = true;
		series_event(series, EVENT_LOST, (double)NAN, NULL);
		plan_end(&s->plan, END_LOST);
	} else if (s->load_error) {
		if (s->load_error == ENOSPC && !s->sd->load_error)
			series_event(series, EVENT_SPACE, (double)NAN, NULL);
		plan_stop_load(&s->plan, t_s, END_FAILED);
	}
	s->sd->load_error = s->load_error;
	if (!isnan(s->over_c) && s->op != OP_NONE)
		stop_hot(s, t_s);
	if (s->op != OP_NONE &&
	    ((unsigned)(isnan(row->critical_warning) ? 0 : row->critical_warning) & 0x0c))
		plan_stop_load(&s->plan, t_s, END_FAILED);
	if (s->config->until_steady && s->phase == PHASE_LOAD && series_steady(series))
		plan_end_load(&s->plan, t_s, END_STEADY);
}

static void append(struct slot *s, const struct sample *row)
{
	struct series *series = &s->sd->run.series;

	if (series->n >= SESSION_ROWS_MAX)
		series_drop(series, SESSION_ROWS_MAX / 4);
	series_append(series, row);
}

void slot_note(struct slot *s, enum event_kind kind, double value, const char *text)
{
	if (s->n_pending < sizeof(s->pending) / sizeof(*s->pending))
		s->pending[s->n_pending++] = (struct event){
		    .kind = kind, .value = value, .text = xstrdup(text)};
}

static void append_pending(struct slot *s)
{
	for (size_t i = 0; i < s->n_pending; i++) {
		series_event(&s->sd->run.series, s->pending[i].kind, s->pending[i].value,
			     s->pending[i].text);
		free(s->pending[i].text);
	}
	s->n_pending = 0;
}

/* Pauses are noted with the first row that they touch. */
static void note_pause(struct slot *s)
{
	if (s->paused == s->sd->paused)
		return;
	s->sd->paused = s->paused;
	series_event(&s->sd->run.series, s->paused ? EVENT_PAUSED : EVENT_RESUMED, (double)NAN,
		     NULL);
}

/* What the live detector makes of the row: drops, throttling, the state word. */
static void detect(struct slot *s)
{
	struct online_event found[ONLINE_EVENTS_MAX];
	size_t n = online_row(s->online, &s->sd->run, found);

	for (size_t i = 0; i < n; i++)
		series_event(&s->sd->run.series, found[i].kind, found[i].value, found[i].text);
	if (isnan(s->sd->throttle_s))
		s->sd->throttle_s = online_onset_s(s->online);
}

void slot_tick(struct slot *s, double t_s, double utc_s, const char *stop)
{
	struct poller_answer answer = {0};
	double drained_s = slot_drain_last(s, t_s, stop), dt_s;
	struct sample seen, row;

	t_s += drained_s;
	utc_s += drained_s;
	dt_s = t_s - s->last_s;
	/* Before the load's own count: what comes between the two is not taken for others'. */
	read_disk(s, &seen);
	sample_clear(&row);
	row.time_s = t_s;
	row.utc_s = utc_s;
	row.phase = s->phase;
	row.op = s->op;
	sample_clear(&answer.values);
	if (simulated(s))
		step_simulated(s, t_s, &answer);
	else if (s->poller)
		poller_take(s->poller, &answer);
	take_load(s, dt_s, &row);
	if (answer.fresh)
		sample_merge(&row, &answer.values);
	take_foreign(s, &seen, dt_s, &row);
	append(s, &row);
	s->sd->answer_age_s = s->n_sensors ? answer.age_s : (double)NAN;
	slot_events(s, &row, &answer);
	note_pause(s);
	append_pending(s);
	detect(s);
	check_ends(s, &row, &answer, t_s);
	go_on(s, row_temp(&row), t_s);
	slot_begin_test(s);
	if (stop)
		plan_end(&s->plan, stop);
	if (s->plan.done && !s->sd->done && slot_last_words(s, t_s)) {
		s->sd->done = true;
		series_event(&s->sd->run.series, EVENT_END, (double)NAN, s->plan.reason);
	}
	s->sd->phase_left_s = plan_left_s(&s->plan, t_s);
	slot_switch_load(s, t_s);
	s->sd->phase = s->phase;
	if (s->poller)
		poller_set_slow(s->poller, s->phase == PHASE_BASELINE);
	s->before = s->after;
	s->last_s = t_s;
}

void slot_pause(struct slot *s, bool paused)
{
	if (!s->ops || s->plan.done)
		return;
	s->paused = paused;
	slot_switch_load(s, s->last_s);
}

void slot_suspend(struct slot *s, bool suspended)
{
	if (suspended == s->suspended || (suspended && (!s->ops || s->plan.done || s->paused)))
		return;
	s->suspended = suspended;
	slot_note(s, suspended ? EVENT_PAUSED : EVENT_RESUMED, (double)NAN, NULL);
	slot_pause(s, suspended);
}

int slot_close(struct slot *s)
{
	int rc = 0;

	write_permit_revoke(s->permit);
	online_free(s->online);
	s->online = NULL;
	if (s->engine)
		s->ops->close(s->engine);
	if (s->load && load_stop(s->load, STOP_NS))
		rc = -EBUSY;
	if (s->poller && poller_stop(s->poller, STOP_NS))
		return rc ? rc : -EAGAIN;
	for (size_t i = 0; i < s->n_sensors; i++)
		sensor_close(s->sensors[i]);
	if (s->at_tick)
		sensor_close(s->at_tick);
	if (rc)
		return rc;
	write_permit_free(s->permit);
	if (s->fd >= 0)
		close(s->fd);
	target_fini(&s->target);
	return 0;
}
