/*
 * The log: one CSV a drive, a row a tick. Rows go to a thread that writes them and flushes them
 * to the disk every few seconds, so that a slow disk never delays a row; simulated drives, whose
 * rows may come thousands a second, are written at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/log.h"
#include "throttlog/queue.h"
#include "throttlog/sink.h"

#define ROW_BYTES   2048
#define QUEUED_ROWS 256
#define SYNC_NS     (5 * NS_PER_S)

struct csv_file {
	const char *path; /* the session's */
	int fd;
	bool failed;              /* said once */
	atomic_ullong lost, told; /* rows; the log itself tells of those that are lost */
};

struct csv {
	struct sink sink;
	struct csv_file *file;
	size_t n;
	struct queue *queue; /* NULL: no thread */
	pthread_t thread;
};

struct csv_row {
	size_t file, length;
	unsigned long long tells; /* rows lost up to this one */
	char text[ROW_BYTES];
};

static void lose(struct csv_file *f, int err)
{
	atomic_fetch_add(&f->lost, 1);
	if (f->failed)
		return;
	f->failed = true;
	diag_error("cannot write %s: %s; rows are lost, the run goes on", f->path, DIAG_ERRNO(err));
}

/* The whole row or nothing of it. */
static void write_row(struct csv_file *f, const struct csv_row *row)
{
	const char *text = row->text;
	size_t done = 0, length = row->length;

	while (done < length) {
		ssize_t n = write(f->fd, text + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int err = n < 0 ? errno : EIO;
			off_t end = lseek(f->fd, 0, SEEK_CUR) - (off_t)done;

			if (done && ftruncate(f->fd, end) == 0)
				lseek(f->fd, end, SEEK_SET);
			lose(f, err);
			return;
		}
		done += (size_t)n;
	}
	atomic_store(&f->told, row->tells);
}

static void sync_all(struct csv *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (fdatasync(c->file[i].fd) && errno != EINVAL && errno != EROFS)
			lose(&c->file[i], errno);
}

static void *write_rows(void *arg)
{
	struct csv *c = arg;
	int64_t next_ns = clock_now_ns() + SYNC_NS;
	struct csv_row row;

	for (;;) {
		bool got = queue_wait(c->queue, &row, NS_PER_S);

		if (got)
			write_row(&c->file[row.file], &row);
		else if (queue_closed(c->queue))
			return NULL;
		if (clock_now_ns() >= next_ns) {
			sync_all(c);
			next_ns = clock_now_ns() + SYNC_NS;
		}
	}
}

static int start_writer(struct csv *c)
{
	sigset_t all, old;
	int err;

	c->queue = queue_new(sizeof(struct csv_row), QUEUED_ROWS);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&c->thread, NULL, write_rows, c);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

static void csv_free(struct csv *c)
{
	for (size_t i = 0; i < c->n; i++)
		close(c->file[i].fd);
	queue_free(c->queue);
	free(c->file);
	free(c);
}

static int csv_open(struct sink **out, const struct session *s, const struct sink_options *o,
		    char *why, size_t size)
{
	struct csv *c = xzalloc(sizeof(*c));
	int err = 0;

	(void)o;
	c->sink.ops = &sink_csv;
	c->file = xzalloc(s->n * sizeof(*c->file));
	for (size_t i = 0; i < s->n && !err; i++) {
		struct csv_file *f = &c->file[c->n];
		char *head;

		f->path = s->drive[i].csv;
		head = log_format_head(&s->drive[i].run, s->drive[i].can);
		f->fd = output_create(f->path, head, strlen(head));
		free(head);
		if (f->fd < 0) {
			err = f->fd;
			snprintf(why, size, "cannot create %.200s: %s", f->path, DIAG_ERRNO(err));
			break;
		}
		c->n++;
	}
	if (!err && !s->simulated)
		err = start_writer(c);
	if (err) {
		csv_free(c);
		return err;
	}
	*out = &c->sink;
	return 0;
}

/* The last row as text: with its events, and with the rows that were lost before it. */
static void format_row(const struct series *s, const bool *can, unsigned long long lost,
		       struct csv_row *row)
{
	struct sample sample;
	struct event *events;
	size_t first = s->n_events, n;

	while (first > 0 && s->events[first - 1].row == s->n - 1)
		first--;
	n = s->n_events - first;
	events = xreallocarray(NULL, n + 1, sizeof(*events));
	if (n)
		memcpy(events, s->events + first, n * sizeof(*events));
	if (lost)
		events[n++] = (struct event){.kind = EVENT_LOG_LOST, .value = (double)lost};
	series_row(s, s->n - 1, &sample);
	row->length = log_format_row(&sample, events, n, can, row->text, sizeof(row->text));
	free(events);
}

static int csv_row(struct sink *k, const struct session *s, size_t i)
{
	struct csv *c = (struct csv *)k;
	const struct series *series = &s->drive[i].run.series;
	struct csv_row row = {.file = i, .tells = atomic_load(&c->file[i].lost)};

	format_row(series, s->drive[i].can, row.tells - atomic_load(&c->file[i].told), &row);
	if (!c->queue)
		write_row(&c->file[i], &row);
	else if (!queue_push(c->queue, &row))
		lose(&c->file[i], ETIMEDOUT);
	return atomic_load(&c->file[i].lost) ? -EIO : 0;
}

static int csv_close(struct sink *k, const struct session *s)
{
	struct csv *c = (struct csv *)k;
	int rc = 0;

	(void)s;
	if (c->queue) {
		queue_close(c->queue);
		pthread_join(c->thread, NULL);
	}
	sync_all(c);
	for (size_t i = 0; i < c->n; i++) {
		unsigned long long lost = atomic_load(&c->file[i].lost);

		if (!lost)
			continue;
		diag_error("%s: %llu rows were lost", c->file[i].path, lost);
		rc = -EIO;
	}
	csv_free(c);
	return rc;
}

const struct sink_ops sink_csv = {
    .name = "csv",
    .help = "the log, a row a tick",
    .open = csv_open,
    .row = csv_row,
    .close = csv_close,
};
