/*
 * throttlog-rig: an NVMe over TCP target on the loopback in front of a simulated drive. One
 * thread, one poll; `throttlog-rig ctl SOCKET WORD...` talks to a running one.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "ctrl.h"
#include "options.h"
#include "rig.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"

#define CONNECTIONS_MAX 64
/* The model is looked at so often when nothing else happens: events are in time, hosts are heard.
 */
#define WATCH_NS (100 * NS_PER_MS)

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

int rig_listen(struct rig *r)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)r->options.port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)&at, &size)) {
		err = -errno;
		close(fd);
		return err;
	}
	r->options.port = ntohs(at.sin_port);
	r->listener = fd;
	return 0;
}

void rig_cut(struct rig *r)
{
	if (r->listener >= 0)
		close(r->listener);
	r->listener = -1;
	for (struct conn *c = r->conns; c; c = c->next)
		c->dead = true;
}

static void accept_all(struct rig *r)
{
	int fd, on = 1, room = 4 << 20, count = 0;

	for (struct conn *c = r->conns; c; c = c->next)
		count++;
	while ((fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		struct conn *c;

		if (++count > CONNECTIONS_MAX) {
			close(fd);
			continue;
		}
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		/* Whole answers fit: an emulated machine is slow at waking up for their rest. */
		if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
			setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
		c = conn_new(r, fd);
		c->next = r->conns;
		r->conns = c;
	}
}

/* Connections that ended in this turn, and what hangs on them. */
static void bury(struct rig *r)
{
	struct conn **at = &r->conns;

	for (struct conn *c = r->conns; c; c = c->next)
		if (c->dead)
			ctrl_leave(c);
	while (*at) {
		struct conn *c = *at;

		if (!c->dead) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		conn_free(c);
	}
}

/* Answers that were held back. When the next one is due. */
static int64_t late_answers(struct rig *r)
{
	int64_t next_ns = INT64_MAX;
	bool any = false;

	for (struct conn *c = r->late ? r->conns : NULL; c; c = c->next)
		for (size_t i = 0; i < QUEUE_ENTRIES && !c->dead; i++) {
			struct command *cmd = &c->command[i];

			if (cmd->state != COMMAND_LATER)
				continue;
			any = true;
			if (cmd->due_ns <= r->now_ns)
				command_done(cmd, cmd->status);
			else if (cmd->due_ns < next_ns)
				next_ns = cmd->due_ns;
		}
	r->late = any;
	return next_ns;
}

/* One turn of everything that time brings. Returns when the next one has something to do. */
static int64_t turn(struct rig *r)
{
	int64_t next_ns = r->now_ns + WATCH_NS, io_ns, late_ns;

	pace_tick(&r->pace, r->now_ns);
	if (r->now_ns - r->watched_ns >= WATCH_NS / 2) {
		r->watched_ns = r->now_ns;
		events_watch(r);
		for (struct ctrl *c = r->ctrls; c; c = c->next)
			ctrl_tick(c);
	}
	if (sim_lost(r->pace.sim) && !r->faults.gone_until_ns) {
		rig_cut(r);
		r->faults.gone_until_ns = INT64_MAX;
	}
	if (r->faults.gone_until_ns && r->faults.gone_until_ns <= r->now_ns &&
	    !sim_lost(r->pace.sim) && rig_listen(r) == 0)
		r->faults.gone_until_ns = 0;
	io_ns = io_tick(r);
	late_ns = late_answers(r);
	for (struct conn *c = r->conns; c; c = c->next)
		if (!c->dead)
			conn_flush(c);
	bury(r);
	next_ns = io_ns < next_ns ? io_ns : next_ns;
	return late_ns < next_ns ? late_ns : next_ns;
}

static void wait_and_serve(struct rig *r, int64_t until_ns)
{
	struct pollfd polls[1 + CONNECTIONS_MAX + CONTROL_CLIENTS + 1];
	int64_t wait_ns = until_ns - clock_now_ns();
	struct timespec wait = {.tv_nsec = 0};
	size_t control = 1, n;

	polls[0] = (struct pollfd){.fd = r->listener, .events = POLLIN};
	n = 1 + control_polls(r->control, polls + 1);
	control = n;
	for (struct conn *c = r->conns; c; c = c->next)
		polls[n++] = (struct pollfd){.fd = c->fd,
					     .events = (short)(POLLIN | (c->out ? POLLOUT : 0))};
	if (wait_ns > 0)
		wait.tv_nsec = (long)wait_ns; /* below WATCH_NS */
	if (ppoll(polls, n, &wait, NULL) <= 0)
		n = 0;
	r->now_ns = clock_now_ns();
	if (n == 0)
		return;
	n = control;
	for (struct conn *c = r->conns; c; c = c->next)
		if (polls[n++].revents & (POLLIN | POLLERR | POLLHUP))
			conn_readable(c);
	for (size_t i = 1; i < control; i++)
		if (polls[i].revents) {
			control_serve(r->control, r);
			break;
		}
	if (polls[0].revents & POLLIN && r->listener >= 0)
		accept_all(r);
}

static void serve(struct rig *r)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* A target waits for some tenths of a millisecond; the usual slack is a tenth more. */
	prctl(PR_SET_TIMERSLACK, 1000UL);
	while (!r->quit && !stop) {
		r->now_ns = clock_now_ns();
		wait_and_serve(r, turn(r));
	}
	for (struct conn *c = r->conns; c; c = c->next)
		conn_flush(c);
	rig_cut(r);
	bury(r);
}

static int start(struct rig *r)
{
	struct options *o = &r->options;
	struct sim *sim = sim_custom(&r->preset);
	int err;

	sim_seed(sim, o->seed);
	r->now_ns = r->start_ns = clock_now_ns();
	r->totals = r->preset.totals;
	pace_open(&r->pace, sim, o->time_scale, o->speed, r->now_ns);
	r->pace.unlimited = o->unlimited;
	err = store_open(&r->store, o->size, o->keep);
	if (err) {
		diag_error("no room for %llu bytes: %s", (unsigned long long)o->size,
			   DIAG_ERRNO(err));
		return err;
	}
	err = rig_listen(r);
	if (err) {
		diag_error("cannot listen on port %llu: %s", (unsigned long long)o->port,
			   DIAG_ERRNO(err));
		return err;
	}
	if (o->control)
		err = control_open(&r->control, o->control);
	if (err)
		diag_error("cannot make %s: %s", o->control, DIAG_ERRNO(err));
	return err;
}

int main(int argc, char **argv)
{
	static struct rig rig = {.listener = -1};
	int status;

	if (argc > 3 && strcmp(argv[1], "ctl") == 0)
		return control_send(argv[2], argv + 3);
	status = options_read(&rig, argc, argv);
	if (status >= 0)
		return status;
	status = 1;
	if (start(&rig) == 0) {
		printf("port %llu\n", (unsigned long long)rig.options.port);
		fflush(stdout);
		serve(&rig);
		status = 0;
	}
	control_close(rig.control);
	pace_close(&rig.pace);
	store_close(&rig.store);
	if (rig.listener >= 0)
		close(rig.listener);
	return status;
}
