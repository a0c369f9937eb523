/*
 * Sensors: each reads some fields of a sample for one drive. One table (sensors.c) lists them.
 *
 *     n = sensors_open(&target, list, SENSORS_OPEN_MAX, notes);
 *     sensor_read(list[i], &sample);    poller thread, once a tick
 *     sensor_close(list[i]);
 *
 * A sensor is used by one thread at a time. read() may block as long as the drive does.
 */
#ifndef THROTTLOG_SENSOR_H
#define THROTTLOG_SENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/journal.h"
#include "throttlog/sample.h"

#define SENSORS_OPEN_MAX 12

struct target;

/* First member of each sensor's own struct. */
struct sensor {
	const struct sensor_ops *ops;
	bool can[FIELD_COUNT]; /* the fields it can fill; fixed by open() */
};

struct sensor_ops {
	const char *name;
	const char *help;
	bool asks_drive; /* a read costs the drive a command: polled slowly while idle */
	/*
	 * 0 and *out, or -errno: -ENOENT where it does not apply (silent), others with one line in
	 * `why` that says what is lost and how to get it. With 0, `why` may hold a line that is
	 * worth knowing about this drive. May fill in target->drive (limits).
	 * `have` marks the fields that earlier sensors in the table can fill already.
	 */
	int (*open)(struct sensor **out, struct target *target, const bool have[FIELD_COUNT],
		    char *why, size_t size);
	/* Fills its fields, leaves others alone. 0, -errno, or an NVMe status > 0. */
	int (*read)(struct sensor *s, struct sample *out);
	void (*close)(struct sensor *s);
	/*
	 * Around a run, each may be NULL and is called by the thread that reads: before the first
	 * read; after a reset of the controller, which puts the drive's settings back to its
	 * defaults; after the last read. begin() may change settings, finish() puts them back and
	 * adds what the drive recorded. A sensor that is closed without finish() puts them back
	 * too.
	 */
	void (*begin)(struct sensor *s);
	void (*renew)(struct sensor *s);
	void (*finish)(struct sensor *s, struct journal *out);
};

/* In order of trust; ends with NULL. */
extern const struct sensor_ops *const sensors[];

/*
 * Opens all that apply to `target`, at most `max`. Each line in words about one that failed goes
 * to note(). Returns how many there are.
 */
size_t sensors_open(struct target *target, struct sensor **list, size_t max,
		    void (*note)(const char *line));
/* As ops->read. */
int sensor_read(struct sensor *s, struct sample *out);
void sensor_close(struct sensor *s);

#endif
