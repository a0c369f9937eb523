/*
 * The event loop of a session: ticks on absolute deadlines, signals, the view's input. Real drives
 * work in threads of their own; simulated ones are moved from here, at any speed.
 */
#include "throttlog/conductor.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "conductor_private.h"
#include "outputs.h"
#include "slot.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/sink.h"

/* Simulated drives live on a fixed day, so that the same seed gives the same log. */
#define SIM_EPOCH_NS (INT64_C(1767225600) * NS_PER_S) /* 2026-01-01T00:00:00Z */
#define VIEW_NS      (100 * NS_PER_MS)
#define GAP_S        1.0 /* less is a busy machine */
#define SLEPT_NS     (1 * NS_PER_S)

/* Two loads on one device would each be blamed for what the other takes. */
static int check_twice(const struct conductor *c, size_t newest)
{
	const struct target *t = &c->slots[newest].target;

	for (size_t i = 0; i < newest; i++) {
		const struct target *other = &c->slots[i].target;

		if (t->kind != TARGET_BLOCK || other->kind != TARGET_BLOCK)
			continue;
		if (t->dev == other->dev) {
			diag_error("%s and %s are one device: name it once", other->name, t->name);
			return STATUS_USAGE;
		}
		if (*t->disk && strcmp(t->disk, other->disk) == 0)
			diag_warn("%s and %s lie on one drive (%s) and share its speed and heat",
				  other->name, t->name, t->disk);
	}
	return STATUS_DONE;
}

static int open_slots(struct conductor *c)
{
	size_t simulated = 0;

	for (size_t i = 0; i < c->session.n; i++)
		simulated += strncmp(c->config->targets.word[i], "sim:", 4) == 0;
	if (simulated && simulated < c->session.n) {
		diag_error("simulated and real drives cannot run together: their clocks differ");
		return STATUS_USAGE;
	}
	c->session.simulated = simulated > 0;
	if (!simulated && c->config->speed != 1) {
		diag_error("--speed is for simulated drives only (sim:NAME)");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < c->session.n; i++) {
		int status;

		c->n_open = i + 1;
		status = slot_open(&c->slots[i], c->config, c->config->targets.word[i],
				   &c->session.drive[i]);
		if (!status)
			status = check_twice(c, i);
		if (status)
			return status;
	}
	return STATUS_DONE;
}

/* A screen that is not to be had here gives way to the next one. */
static bool wants_screen(const struct conductor *c, const struct sink_ops *ops, bool have_screen)
{
	bool terminal = !c->config->no_tui && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);

	return !have_screen && (!ops->input || terminal);
}

int conductor_open_sinks(struct conductor *c, bool screen_only)
{
	struct sink_options o = {.ascii = c->config->ascii, .no_color = c->config->no_color};
	bool have_screen = false;

	for (size_t i = 0; sinks[i]; i++) {
		const struct sink_ops *ops = sinks[i];
		struct sink **next = &c->sinks[c->n_sinks];
		char why[400] = "";

		if (ops->screen ? !wants_screen(c, ops, have_screen) : screen_only)
			continue;
		if (ops->open(next, &c->session, &o, why, sizeof(why))) {
			if (ops->screen) {
				diag_note("%s", why);
				continue;
			}
			diag_error("%s", why);
			return STATUS_FAILED;
		}
		c->n_sinks++;
		have_screen |= ops->screen;
		if (ops->input)
			c->view = *next;
	}
	return STATUS_DONE;
}

int conductor_block_signals(struct conductor *c)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGQUIT);
	/* nohup means what it says; a blocked signal would reach us although it is ignored. */
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* A reader that went away and a file that may not grow are seen by the write that fails. */
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
	c->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signal_fd < 0 ? -errno : 0;
}

static void read_signals(struct conductor *c)
{
	struct signalfd_siginfo info;

	while (read(c->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo == SIGTSTP)
			conductor_suspend(c);
		else if (info.ssi_signo != SIGWINCH)
			c->signal = (int)info.ssi_signo;
}

/* Waits for the CLOCK_MONOTONIC time `until_ns`, or for a reason to stop. */
void conductor_wait(struct conductor *c, int64_t until_ns)
{
	do {
		struct pollfd fds[3] = {
		    {.fd = c->signal_fd, .events = POLLIN},
		    {.fd = c->view ? c->view->ops->fd(c->view) : -1, .events = POLLIN},
		    {.fd = c->uevent_fd, .events = POLLIN}};
		int64_t left = until_ns - clock_now_ns();
		struct timespec ts;

		if (left < 0)
			left = 0;
		if (c->view && left > VIEW_NS)
			left = VIEW_NS;
		ts = (struct timespec){.tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S};
		ppoll(fds, 3, &ts, NULL);
		if (fds[0].revents)
			read_signals(c);
		if (fds[1].revents)
			conductor_requests(c);
		if (fds[2].revents)
			conductor_hear_kernel(c);
		conductor_check_picture(c);
		if (c->view)
			c->view->ops->tick(c->view, &c->session);
	} while (!c->signal && !c->quit && clock_now_ns() < until_ns);
}

static const char *stop_reason(const struct conductor *c)
{
	return c->signal ? END_SIGNAL : c->quit ? END_QUIT : NULL;
}

/* How long the machine slept since the last call; 0 if it did not. */
static double slept_s(struct conductor *c)
{
	int64_t ahead_ns = clock_boot_ns() - clock_now_ns(), slept = ahead_ns - c->boot_ahead_ns;

	c->boot_ahead_ns = ahead_ns;
	return slept > SLEPT_NS ? (double)slept / 1e9 : 0;
}

/* One row of every drive that still runs. Returns how many go on. */
static size_t tick(struct conductor *c, double t_s)
{
	int64_t utc_ns = c->session.simulated ? SIM_EPOCH_NS + llround(t_s * 1e9) : clock_utc_ns();
	double slept = c->session.simulated ? 0 : slept_s(c);
	size_t running = 0;

	c->session.elapsed_s = t_s;
	for (size_t i = 0; i < c->session.n; i++) {
		struct session_drive *d = &c->session.drive[i];

		if (d->done)
			continue;
		if (slept > 0)
			slot_note(&c->slots[i], EVENT_SUSPENDED, slept, NULL);
		slot_tick(&c->slots[i], t_s, (double)utc_ns / 1e9, stop_reason(c));
		for (size_t k = 0; k < c->n_sinks; k++)
			if (c->sinks[k]->ops->row(c->sinks[k], &c->session, i) &&
			    !c->sinks[k]->ops->screen)
				d->log_lost = true;
		running += !d->done;
	}
	if (c->view)
		c->view->ops->tick(c->view, &c->session);
	return running;
}

/*
 * The number of the row that ends at `t_s`. Rows that were missed while this process was stopped
 * or got no CPU are not made up for: the next row tells.
 */
static int64_t after_gap(struct conductor *c, int64_t due, double t_s)
{
	double interval = c->config->interval_s, gap_s = t_s - c->session.elapsed_s;
	int64_t k = (int64_t)(t_s / interval + 0.01);

	if (k > due && gap_s - interval >= GAP_S)
		for (size_t i = 0; i < c->session.n; i++)
			slot_note(&c->slots[i], EVENT_GAP, gap_s, NULL);
	return k;
}

static void loop(struct conductor *c)
{
	double interval = c->config->interval_s, speed = c->config->speed;
	size_t running = c->session.n;
	int64_t start_ns = clock_now_ns();

	c->boot_ahead_ns = clock_boot_ns() - start_ns;
	for (size_t i = 0; i < c->session.n; i++)
		slot_start(&c->slots[i], start_ns);
	for (int64_t k = 1; running; k++) {
		double t_s = (double)k * interval;
		double wait_s = isinf(speed) ? 0 : t_s / speed;

		conductor_wait(c, start_ns + llround(wait_s * 1e9));
		if (!c->session.simulated) {
			t_s = (double)(clock_now_ns() - start_ns) / 1e9;
			/* A stop in the middle of an interval: a row of what there is. */
			if (stop_reason(c) && t_s - c->session.elapsed_s < 1e-3)
				t_s = c->session.elapsed_s + 1e-3;
			k = after_gap(c, k, t_s);
		}
		running = tick(c, t_s);
	}
}

int conductor_close_sinks(struct conductor *c)
{
	int rc = 0;

	while (c->n_sinks) {
		struct sink *k = c->sinks[--c->n_sinks];
		bool log = !k->ops->screen;

		if (k->ops->close(k, &c->session) && log)
			rc = STATUS_FAILED;
	}
	c->view = NULL;
	return rc;
}

static int ended_status(const struct conductor *c)
{
	int status = STATUS_DONE;
	bool lost = false;

	for (size_t i = 0; i < c->session.n; i++) {
		const struct slot *s = &c->slots[i];

		if (s->lost) {
			diag_error("%s: the drive was lost after %.0f s; its log is whole up to "
				   "there (the kernel's reason: dmesg)",
				   s->target.name, s->last_s);
			lost = true;
		} else if (s->plan.reason && strcmp(s->plan.reason, END_FAILED) == 0) {
			diag_error("%s: the load failed: %s", s->target.name,
				   s->load_error
				       ? DIAG_ERRNO(s->load_error)
				       : "the drive reports itself degraded or read-only");
			status = STATUS_FAILED;
		}
		if (!status && s->plan.reason && strcmp(s->plan.reason, END_STOP_TEMP) == 0)
			status = STATUS_STOP_TEMP;
	}
	return lost ? STATUS_LOST : status;
}

static int run_session(struct conductor *c)
{
	char start[32];
	int status = STATUS_DONE, ended, finish;

	clock_format_utc(c->session.simulated ? SIM_EPOCH_NS : clock_utc_ns(), 0, start,
			 sizeof(start));
	for (size_t i = 0; i < c->session.n; i++)
		memcpy(c->session.drive[i].run.start_utc, start, sizeof(start));
	if (conductor_block_signals(c)) {
		diag_error("cannot watch for signals");
		return STATUS_FAILED;
	}
	status = conductor_open_sinks(c, false);
	if (status) {
		conductor_close_sinks(c);
		return status;
	}
	conductor_watch_kernel(c);
	loop(c);
	conductor_unwatch_kernel(c);
	for (size_t i = 0; i < c->session.n; i++)
		if (c->slots[i].load)
			load_pause(c->slots[i].load, true);
	conductor_wait_picture(c);
	status = conductor_close_sinks(c);
	ended = ended_status(c);
	finish = outputs_finish(&c->session, c->config);
	if (c->signal)
		return STATUS_SIGNAL + c->signal;
	if (ended)
		return ended;
	return status ? status : finish;
}

int conductor_run(const struct config *config)
{
	struct conductor *c = xzalloc(sizeof(*c));
	bool busy = false, late = false;
	int status;

	c->config = config;
	c->signal_fd = c->uevent_fd = -1;
	c->session.n = config->targets.n;
	c->session.iec = config->iec;
	c->session.drive = xzalloc(c->session.n * sizeof(*c->session.drive));
	c->slots = xzalloc(c->session.n * sizeof(*c->slots));
	status = open_slots(c);
	if (!status)
		status = outputs_name(&c->session, config);
	if (!status) {
		conductor_announce(c);
		status = run_session(c);
	}
	for (size_t i = 0; i < c->n_open; i++) {
		int rc = slot_close(&c->slots[i]);

		busy |= rc == -EBUSY;
		late |= rc == -EAGAIN;
	}
	fflush(stdout);
	/* A thread that hangs in the kernel still uses what we would free. */
	if (busy) {
		diag_warn("the drive does not answer; leaving its requests behind");
		_exit(status ? status : STATUS_LOST);
	}
	if (late) {
		diag_warn("the drive has not answered the last poll; leaving it behind");
		_exit(status);
	}
	for (size_t i = 0; i < c->session.n; i++)
		run_fini(&c->session.drive[i].run);
	if (c->signal_fd >= 0)
		close(c->signal_fd);
	free(c->session.drive);
	free(c->slots);
	free(c);
	return status;
}
