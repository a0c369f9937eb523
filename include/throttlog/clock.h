/* The only place that reads a clock. Everything else is handed its time. */
#ifndef THROTTLOG_CLOCK_H
#define THROTTLOG_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

/* CLOCK_MONOTONIC in ns. */
int64_t clock_now_ns(void);
/* CLOCK_BOOTTIME in ns: runs on in suspend, where CLOCK_MONOTONIC stands still. */
int64_t clock_boot_ns(void);
/* CLOCK_REALTIME in ns since 1970. */
int64_t clock_utc_ns(void);
/* Sleeps until the CLOCK_MONOTONIC time `t_ns`, through interruptions by signals. */
void clock_sleep_until(int64_t t_ns);
/*
 * ISO 8601 in UTC, "2026-11-30T22:17:03Z", with `digits` (0 or 3) digits of a second.
 * `buf` of at least 32 bytes.
 */
void clock_format_utc(int64_t utc_ns, int digits, char *buf, size_t size);
/* Reads what clock_format_utc wrote. Returns 0 and sets *utc_ns, or -EINVAL. */
int clock_parse_utc(const char *s, int64_t *utc_ns);

#endif
