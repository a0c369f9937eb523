/*
 * Drives the live view without a conductor, with the made-up run of view_fixture.h:
 *   view_driver live DRIVES SPEED [--ascii] [--no-color]   on this terminal, for tmux tests
 *   view_driver bench WIDTH HEIGHT TERM                    in a pty: bytes and CPU time a frame
 *   view_driver keys                                       in a pty: ms from a key to its screen
 *   view_driver stall                                      in a pty that nobody reads
 * What the view asked for is printed at the end, one line each.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinks/term.h"
#include "throttlog/clock.h"
#include "throttlog/sink.h"
#include "throttlog/view.h"
#include "view_fixture.h"

#define KEYS 50 /* pressed by `keys` */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = sig;
}

struct live {
	struct fixture *f;
	struct sink *k;
	bool paused;
	char *asked[64];
	size_t n;
};

static void obey(struct live *l, const struct request *r)
{
	static const char *const names[] = {
	    [REQUEST_NONE] = "",     [REQUEST_QUIT] = "quit",       [REQUEST_PAUSE] = "pause",
	    [REQUEST_MARK] = "mark", [REQUEST_PICTURE] = "picture", [REQUEST_SUSPEND] = "suspend",
	};
	struct session *s = &l->f->session;

	if (r->kind == REQUEST_NONE)
		return;
	if (l->n < 64)
		l->asked[l->n++] = xasprintf("asked: %s %s", names[r->kind], r->text);
	if (r->kind == REQUEST_QUIT)
		stop = 1;
	if (r->kind == REQUEST_PAUSE) {
		l->paused = !l->paused;
		for (size_t i = 0; i < s->n; i++) {
			s->drive[i].paused = l->paused;
			series_event(&s->drive[i].run.series,
				     l->paused ? EVENT_PAUSED : EVENT_RESUMED, NAN, NULL);
		}
	}
	if (r->kind == REQUEST_MARK)
		series_event(&s->drive[0].run.series, EVENT_MARK, NAN, r->text);
	if (r->kind == REQUEST_PICTURE) {
		strcpy(s->notice, "picture written: run.png");
		s->notices++;
	}
	if (r->kind == REQUEST_SUSPEND) {
		sink_view.suspend(l->k);
		raise(SIGSTOP);
	}
}

static int live(int argc, char **argv)
{
	struct sink_options options = {0};
	struct live l = {.f = fixture_new((size_t)atoi(argv[2]))};
	double speed = atof(argv[3]);
	int64_t next_ns = clock_now_ns();
	struct session *s = &l.f->session;
	char why[200];
	int err;

	for (int i = 4; i < argc; i++) {
		options.ascii = options.ascii || strcmp(argv[i], "--ascii") == 0;
		options.no_color = options.no_color || strcmp(argv[i], "--no-color") == 0;
	}
	signal(SIGHUP, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	err = sink_view.open(&l.k, s, &options, why, sizeof(why));
	if (err) {
		printf("no view: %s\n", why);
		fixture_free(l.f);
		return err == -ENOTSUP ? 3 : 1;
	}
	while (!stop) {
		struct pollfd p = {.fd = sink_view.fd(l.k), .events = POLLIN};
		struct request r = {0};

		if (poll(&p, 1, 50) > 0) {
			do {
				sink_view.input(l.k, s, &r);
				obey(&l, &r);
			} while (r.kind != REQUEST_NONE && !stop);
		}
		while (clock_now_ns() >= next_ns && !l.paused) {
			if (fixture_step(l.f))
				for (size_t i = 0; i < s->n; i++)
					sink_view.row(l.k, s, i);
			else
				for (size_t i = 0; i < s->n; i++)
					s->drive[i].done = true;
			next_ns += (int64_t)(1e9 / speed);
		}
		if (l.paused)
			next_ns = clock_now_ns();
		sink_view.tick(l.k, s);
	}
	sink_view.close(l.k, s);
	for (size_t i = 0; i < l.n; i++) {
		puts(l.asked[i]);
		free(l.asked[i]);
	}
	puts("view closed");
	fixture_free(l.f);
	return 0;
}

/* The child's side: every row is a frame. */
static void bench_frames(void)
{
	struct fixture *f = fixture_new(1);
	struct canvas c = {0};
	struct view_state v;
	struct screen *t;
	char why[200];
	int w, h;

	if (term_open(&t, false, false, why, sizeof(why)) != 0) {
		printf("no view: %s\n", why);
		_exit(1);
	}
	view_init(&v, &f->session);
	c.charset = term_charset(t);
	term_resized(t, &w, &h);
	canvas_resize(&c, w, h);
	while (fixture_step(f)) {
		view_stats_row(&v.stats[0], &f->session.drive[0]);
		view_draw(&c, &f->session, &v);
		while (!term_show(t, &c, false))
			usleep(200);
	}
	term_close(t);
	canvas_fini(&c);
	view_fini(&v);
	fixture_free(f);
	_exit(0);
}

static int bench(char **argv)
{
	struct winsize size = {.ws_col = (unsigned short)atoi(argv[2]),
			       .ws_row = (unsigned short)atoi(argv[3])};
	struct rusage usage;
	size_t bytes = 0;
	double cpu_s;
	int fd, status;
	pid_t child;

	setenv("TERM", argv[4], 1);
	unsetenv("NO_COLOR");
	child = forkpty(&fd, NULL, NULL, &size);
	if (child < 0)
		return 1;
	if (child == 0)
		bench_frames();
	for (;;) {
		char buf[4096];
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n <= 0)
			break;
		bytes += (size_t)n;
	}
	if (wait4(child, &status, 0, &usage) != child || status != 0)
		return 1;
	cpu_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	printf("%sx%s %s: %d frames, %.0f bytes a frame, %.3f ms CPU a frame (%.3f %% of a core "
	       "at 1 Hz)\n",
	       argv[2], argv[3], argv[4], FIXTURE_ROWS, (double)bytes / FIXTURE_ROWS,
	       cpu_s * 1e3 / FIXTURE_ROWS, cpu_s * 100 / FIXTURE_ROWS);
	return (double)bytes / FIXTURE_ROWS < 3000 ? 0 : 1;
}

/* Reads until the terminal has been quiet for `quiet_ms`. */
static void read_all(int fd, int quiet_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char buf[4096];

	while (poll(&p, 1, quiet_ms) > 0 && read(fd, buf, sizeof(buf)) > 0)
		;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Frames come once a second: what follows a key within that time is its answer. */
static int keys(void)
{
	struct winsize size = {.ws_col = 120, .ws_row = 40};
	char mode[] = "live", one[] = "1", *args[] = {mode, mode, one, one};
	double ms[KEYS];
	int fd;
	pid_t child = forkpty(&fd, NULL, NULL, &size);

	if (child < 0)
		return 1;
	if (child == 0)
		_exit(live(4, args));
	read_all(fd, 500);
	for (int k = 0; k < KEYS; k++) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int64_t start_ns = clock_now_ns();

		if (write(fd, k % 2 ? "u" : "x", 1) != 1 || poll(&p, 1, 5000) != 1)
			return 1;
		ms[k] = (double)(clock_now_ns() - start_ns) / 1e6;
		read_all(fd, 100);
	}
	kill(child, SIGTERM);
	read_all(fd, 1000);
	waitpid(child, NULL, 0);
	qsort(ms, KEYS, sizeof(*ms), by_size);
	printf("120x40 keys: answered after %.1f ms, 9 of 10 within %.1f ms, all within %.1f ms\n",
	       ms[KEYS / 2], ms[KEYS * 9 / 10], ms[KEYS - 1]);
	return ms[KEYS * 9 / 10] < 100 ? 0 : 1;
}

/* The child's side: whole frames for a terminal that takes none. */
static void stalled_frames(void)
{
	struct sink_options options = {0};
	struct fixture *f = fixture_new(1);
	struct sink *k;
	char why[200];

	if (sink_view.open(&k, &f->session, &options, why, sizeof(why)) != 0)
		_exit(1);
	for (int i = 0; i < 100 && fixture_step(f); i++) {
		struct request r;

		sink_view.row(k, &f->session, 0);
		sink_view.input(k, &f->session, &r);
		sink_view.tick(k, &f->session);
		usleep(10000);
	}
	sink_view.close(k, &f->session);
	_exit(0);
}

/* 0 if the view ends although its terminal stalls. */
static int stall(void)
{
	struct winsize size = {.ws_col = 200, .ws_row = 60};
	int fd, status;
	pid_t child = forkpty(&fd, NULL, NULL, &size);

	if (child < 0)
		return 1;
	if (child == 0)
		stalled_frames();
	for (int i = 0; i < 300; i++) {
		if (write(fd, "x", 1) < 0) /* each key asks for a frame */
			break;
		if (waitpid(child, &status, WNOHANG) == child)
			return status != 0;
		usleep(100000);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && strcmp(argv[1], "live") == 0)
		return live(argc, argv);
	if (argc == 5 && strcmp(argv[1], "bench") == 0)
		return bench(argv);
	if (argc == 2 && strcmp(argv[1], "keys") == 0)
		return keys();
	if (argc == 2 && strcmp(argv[1], "stall") == 0)
		return stall();
	fprintf(stderr, "usage: view_driver live DRIVES SPEED | bench WIDTH HEIGHT TERM | "
			"keys | stall\n");
	return 2;
}
