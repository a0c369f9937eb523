/* A bounded mailbox between two threads. */
#include "throttlog/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	size_t item_size, capacity, head, n;
	uint64_t dropped;
	bool closed;
	unsigned char *items;
};

struct queue *queue_new(size_t item_size, size_t capacity)
{
	struct queue *q = xzalloc(sizeof(*q));
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->filled, &attr);
	pthread_condattr_destroy(&attr);
	q->item_size = item_size;
	q->capacity = capacity;
	q->items = xreallocarray(NULL, capacity, item_size);
	return q;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	pthread_cond_destroy(&q->filled);
	pthread_mutex_destroy(&q->lock);
	free(q->items);
	free(q);
}

bool queue_push(struct queue *q, const void *item)
{
	bool ok;

	pthread_mutex_lock(&q->lock);
	ok = !q->closed && q->n < q->capacity;
	if (ok) {
		size_t at = (q->head + q->n++) % q->capacity;

		memcpy(q->items + at * q->item_size, item, q->item_size);
		pthread_cond_signal(&q->filled);
	} else {
		q->dropped++;
	}
	pthread_mutex_unlock(&q->lock);
	return ok;
}

/* Needs the lock. */
static bool take(struct queue *q, void *item)
{
	if (!q->n)
		return false;
	memcpy(item, q->items + q->head * q->item_size, q->item_size);
	q->head = (q->head + 1) % q->capacity;
	q->n--;
	return true;
}

bool queue_pop(struct queue *q, void *item)
{
	bool ok;

	pthread_mutex_lock(&q->lock);
	ok = take(q, item);
	pthread_mutex_unlock(&q->lock);
	return ok;
}

bool queue_wait(struct queue *q, void *item, int64_t timeout_ns)
{
	int64_t until = clock_now_ns() + timeout_ns;
	struct timespec ts = {.tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S};
	bool ok;

	pthread_mutex_lock(&q->lock);
	while (!q->n && !q->closed) {
		if (timeout_ns < 0)
			pthread_cond_wait(&q->filled, &q->lock);
		else if (pthread_cond_timedwait(&q->filled, &q->lock, &ts))
			break;
	}
	ok = take(q, item);
	pthread_mutex_unlock(&q->lock);
	return ok;
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

bool queue_closed(struct queue *q)
{
	bool closed;

	pthread_mutex_lock(&q->lock);
	closed = q->closed;
	pthread_mutex_unlock(&q->lock);
	return closed;
}

uint64_t queue_dropped(struct queue *q)
{
	uint64_t dropped;

	pthread_mutex_lock(&q->lock);
	dropped = q->dropped;
	pthread_mutex_unlock(&q->lock);
	return dropped;
}
