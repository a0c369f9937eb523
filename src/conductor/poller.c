/* The poller thread. The lock is held to copy a sample, never while a sensor is read. */
#include "poller.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"

struct poller {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct sensor *sensors[SENSORS_OPEN_MAX];
	size_t n;
	int64_t start_ns, interval_ns, lead_ns;
	bool started, slow, stop, exited, fresh, renew;
	struct journal journal; /* complete once exited */
	struct sample values;
	int64_t answered_ns;
	int error;
};

static void begin(const struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->sensors[i]->ops->begin)
			p->sensors[i]->ops->begin(p->sensors[i]);
}

static void renew(const struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->sensors[i]->ops->renew)
			p->sensors[i]->ops->renew(p->sensors[i]);
}

static void finish(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->sensors[i]->ops->finish)
			p->sensors[i]->ops->finish(p->sensors[i], &p->journal);
}

/* Reads all that is due. Returns the first error of a sensor that asks the drive. */
static int read_sensors(const struct poller *p, bool ask, struct sample *out)
{
	int64_t before = clock_now_ns();
	int first = 0;
	bool asked = false;

	sample_clear(out);
	for (size_t i = 0; i < p->n; i++) {
		bool asks = p->sensors[i]->ops->asks_drive;
		int rc;

		if (asks && !ask)
			continue;
		rc = sensor_read(p->sensors[i], out);
		asked |= asks;
		if (asks && !first)
			first = rc;
	}
	if (asked && isnan(out->poll_ms))
		out->poll_ms = (double)(clock_now_ns() - before) / 1e6;
	return first;
}

/* Sleeps until `t_ns` or the stop; needs the lock. */
static void sleep_until(struct poller *p, int64_t t_ns)
{
	struct timespec ts = {.tv_sec = t_ns / NS_PER_S, .tv_nsec = t_ns % NS_PER_S};

	while (!p->stop && clock_now_ns() < t_ns)
		pthread_cond_timedwait(&p->wake, &p->lock, &ts);
}

/* The next poll time: missed ones are left out, not made up for. */
static int64_t next_time(const struct poller *p)
{
	int64_t past = clock_now_ns() - p->start_ns + p->lead_ns;

	if (past < 0)
		past = 0;
	return p->start_ns + (past / p->interval_ns + 1) * p->interval_ns - p->lead_ns;
}

static void *poll_drive(void *arg)
{
	struct poller *p = arg;
	int64_t asked_ns = INT64_MIN / 2;

	begin(p);
	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		bool renewing = p->renew;
		int64_t now = clock_now_ns();
		bool ask = !p->slow ||
			   now - asked_ns >= (int64_t)(POLL_SLOW_S * 1e9) - p->interval_ns / 2;
		struct sample values;
		int error;

		p->renew = false;
		pthread_mutex_unlock(&p->lock);
		if (renewing)
			renew(p);
		error = read_sensors(p, ask, &values);
		pthread_mutex_lock(&p->lock);
		if (ask)
			asked_ns = now;
		if (p->fresh)
			sample_merge(&p->values, &values);
		else
			p->values = values;
		p->fresh = true;
		p->error = error;
		p->answered_ns = clock_now_ns();
		if (!p->stop)
			sleep_until(p, next_time(p));
	}
	pthread_mutex_unlock(&p->lock);
	finish(p);
	pthread_mutex_lock(&p->lock);
	p->exited = true;
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct poller *poller_start(struct sensor *const *list, size_t n, int64_t start_ns,
			    double interval_s, double lead_s)
{
	struct poller *p = xzalloc(sizeof(*p));
	pthread_condattr_t attr;
	sigset_t all, old;

	for (size_t i = 0; i < n; i++)
		p->sensors[p->n++] = list[i];
	p->start_ns = start_ns;
	p->interval_ns = (int64_t)(interval_s * 1e9);
	p->lead_ns = (int64_t)(lead_s * 1e9);
	p->answered_ns = start_ns;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	p->started = pthread_create(&p->thread, NULL, poll_drive, p) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return p;
}

void poller_renew(struct poller *p)
{
	pthread_mutex_lock(&p->lock);
	p->renew = true;
	pthread_mutex_unlock(&p->lock);
}

void poller_set_slow(struct poller *p, bool slow)
{
	pthread_mutex_lock(&p->lock);
	p->slow = slow;
	pthread_mutex_unlock(&p->lock);
}

void poller_take(struct poller *p, struct poller_answer *out)
{
	pthread_mutex_lock(&p->lock);
	out->fresh = p->fresh;
	out->values = p->values;
	out->age_s = (double)(clock_now_ns() - p->answered_ns) / 1e9;
	out->error = p->error;
	p->fresh = false;
	pthread_mutex_unlock(&p->lock);
}

bool poller_finish(struct poller *p, int64_t timeout_ns, struct journal *out)
{
	int64_t until = clock_now_ns() + timeout_ns;
	struct timespec ts = {.tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S};
	bool exited;

	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->wake);
	while (p->started && !p->exited && clock_now_ns() < until)
		pthread_cond_timedwait(&p->wake, &p->lock, &ts);
	exited = p->exited || !p->started;
	if (exited)
		*out = p->journal;
	pthread_mutex_unlock(&p->lock);
	return exited;
}

int poller_stop(struct poller *p, int64_t timeout_ns)
{
	struct journal unused;

	if (!poller_finish(p, timeout_ns, &unused)) {
		pthread_detach(p->thread);
		return -EBUSY;
	}
	if (p->started)
		pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
	return 0;
}
