/*
 * A bounded mailbox between two threads: fixed-size items, copied in and out. When it is full the
 * writer is told so and nothing blocks; a reader can wait, or poll the descriptor.
 */
#ifndef THROTTLOG_QUEUE_H
#define THROTTLOG_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* Never NULL. Owned by the caller, freed with queue_free() when no thread uses it any more. */
struct queue *queue_new(size_t item_size, size_t capacity);
void queue_free(struct queue *q);
/* Copies *item in. Returns false when full or closed (counted in queue_dropped()). */
bool queue_push(struct queue *q, const void *item);
/* Copies the oldest item out. Returns false when empty. */
bool queue_pop(struct queue *q, void *item);
/* Like queue_pop, waits up to `timeout_ns` (-1: for ever) for an item or for queue_close(). */
bool queue_wait(struct queue *q, void *item, int64_t timeout_ns);
/* Wakes all waiters; later pushes fail, what is inside can still be popped. */
void queue_close(struct queue *q);
bool queue_closed(struct queue *q);
uint64_t queue_dropped(struct queue *q);

#endif
