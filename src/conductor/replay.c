/* `watch --replay`: a finished run, row by row from its log, in the views of a live one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conductor_private.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/conductor.h"
#include "throttlog/diag.h"
#include "throttlog/log.h"
#include "throttlog/summary.h"
#include "throttlog/verdict.h"

#define PAUSE_NS (100 * NS_PER_MS)

static void print_note(const char *line)
{
	diag_note("%s", line);
}

/* When the throttling began that was found at `t_s`. */
static double onset_at(const struct verdict *v, double t_s)
{
	for (size_t i = 0; i < v->n_legs; i++)
		if (t_s >= v->legs[i].start_s && t_s <= v->legs[i].end_s)
			return v->legs[i].onset_time_s;
	return (double)NAN;
}

/* The row `i` of the log becomes the newest of the session; *event is the next of its events. */
static void show_row(struct conductor *c, const struct run *log, size_t i, size_t *event)
{
	struct session_drive *d = &c->session.drive[0];
	struct series *s = &d->run.series;
	struct sample row;

	series_row(&log->series, i, &row);
	if (s->n >= SESSION_ROWS_MAX)
		series_drop(s, SESSION_ROWS_MAX / 4);
	series_append(s, &row);
	for (; *event < log->series.n_events && log->series.events[*event].row == i; ++*event) {
		const struct event *e = &log->series.events[*event];

		series_event(s, e->kind, e->value, e->text);
		if (e->kind == EVENT_THROTTLE && isnan(d->throttle_s))
			d->throttle_s = onset_at(c->replay_verdict, row.time_s);
	}
	d->phase = row.phase;
	d->bytes += isnan(row.bytes) ? 0 : (uint64_t)row.bytes;
	d->done = i + 1 == log->series.n;
	d->answer_age_s = isnan(row.temp_c) ? d->answer_age_s : 0;
	c->session.elapsed_s = row.time_s;
	for (size_t k = 0; k < c->n_sinks; k++)
		c->sinks[k]->ops->row(c->sinks[k], &c->session, 0);
	if (c->view)
		c->view->ops->tick(c->view, &c->session);
}

static void play(struct conductor *c, const struct run *log)
{
	double speed = c->config->speed, first = series_time(&log->series, 0);
	int64_t start_ns = clock_now_ns();
	size_t event = 0;

	for (size_t i = 0; i < log->series.n && !c->signal && !c->quit; i++) {
		double at_s = isinf(speed) ? 0 : (series_time(&log->series, i) - first) / speed;

		int64_t late_ns;

		conductor_wait(c, start_ns + llround(at_s * 1e9));
		/* Stopped and continued: the replay goes on where it was. */
		late_ns = clock_now_ns() - start_ns - llround(at_s * 1e9);
		if (late_ns > NS_PER_S)
			start_ns += late_ns;
		while (c->session.drive[0].paused && !c->signal && !c->quit) {
			conductor_wait(c, clock_now_ns() + PAUSE_NS);
			start_ns += PAUSE_NS;
		}
		if (!c->signal && !c->quit)
			show_row(c, log, i, &event);
	}
	/* The whole run stays on the screen until the user has seen enough. */
	while (c->view && !c->signal && !c->quit)
		conductor_wait(c, clock_now_ns() + NS_PER_S);
}

static void describe(struct session_drive *d, const struct run *log, const char *path)
{
	run_clear(&d->run);
	d->run.drive = log->drive;
	d->run.load = log->load;
	d->run.interval_s = log->interval_s;
	memcpy(d->run.start_utc, log->start_utc, sizeof(log->start_utc));
	snprintf(d->label, sizeof(d->label), "%.79s",
		 log->drive.model[0] ? log->drive.model : path);
	for (int f = 0; f < FIELD_COUNT; f++)
		d->can[f] = log->series.col[f] != NULL;
	d->phase_left_s = d->answer_age_s = d->throttle_s = (double)NAN;
}

int conductor_replay(const struct config *config)
{
	const char *path = config->targets.word[0];
	struct conductor *c = xzalloc(sizeof(*c));
	struct verdict verdict;
	struct run log;
	char why[600];
	int status = STATUS_DONE;

	if (config->targets.n > 1 || log_read(path, NULL, &log, why, sizeof(why), print_note)) {
		diag_error("%s", config->targets.n > 1 ? "--replay takes one log" : why);
		free(c);
		return config->targets.n > 1 ? STATUS_USAGE : STATUS_FAILED;
	}
	c->config = config;
	c->session.replay = true;
	c->uevent_fd = -1;
	c->session.n = 1;
	c->session.iec = config->iec;
	c->session.simulated = true;
	c->session.drive = xzalloc(sizeof(*c->session.drive));
	verdict_make(&log, &verdict);
	c->replay_verdict = &verdict;
	describe(&c->session.drive[0], &log, path);
	if (conductor_block_signals(c)) {
		diag_error("cannot watch for signals");
		status = STATUS_FAILED;
	} else {
		conductor_open_sinks(c, true);
		play(c, &log);
		conductor_close_sinks(c);
		summary_print(stdout, &log, &verdict, config->iec);
		status = c->signal ? STATUS_SIGNAL + c->signal : STATUS_DONE;
		close(c->signal_fd);
	}
	run_fini(&c->session.drive[0].run);
	run_fini(&log);
	verdict_fini(&verdict);
	free(c->session.drive);
	free(c);
	return status;
}
