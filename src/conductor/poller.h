/*
 * The poller thread of one drive: reads its sensors at fixed times and leaves the answer for the
 * conductor. A drive that does not answer holds up this thread alone.
 */
#ifndef CONDUCTOR_POLLER_H
#define CONDUCTOR_POLLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/sensor.h"

struct poller;

struct poller_answer {
	bool fresh; /* `values` came since the last take */
	struct sample values;
	double age_s; /* since the drive last answered, or since the start */
	int error;    /* of the latest answer: 0, -errno, or an NVMe status > 0 */
};

/*
 * Polls each `interval_s` from `start_ns` (CLOCK_MONOTONIC) on, `lead_s` before the row that the
 * answer is for. The sensors stay the caller's and are used by the thread alone until
 * poller_stop() returned 0. Never NULL.
 */
struct poller *poller_start(struct sensor *const *sensors, size_t n, int64_t start_ns,
			    double interval_s, double lead_s);
/* The controller was reset: the sensors put their settings back in force. */
void poller_renew(struct poller *p);
/* While slow, sensors that cost the drive a command are read each 30 s only. */
void poller_set_slow(struct poller *p, bool slow);
void poller_take(struct poller *p, struct poller_answer *out);
/*
 * Ends the polling and waits up to `timeout_ns` for what the sensors have to say at the end of a
 * run. True: *out has it. May be asked again; poller_stop() is still to be called.
 */
bool poller_finish(struct poller *p, int64_t timeout_ns, struct journal *out);
/*
 * Waits up to `timeout_ns`. Returns 0 and frees all, or -EBUSY if the drive still does not answer:
 * thread and sensors are then left behind on purpose.
 */
int poller_stop(struct poller *p, int64_t timeout_ns);

#define POLL_SLOW_S 30.0

#endif
