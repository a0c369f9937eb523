/* Clocks, and their times as text. */
#include "throttlog/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec ts = {0};

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_boot_ns(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

int64_t clock_utc_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

void clock_sleep_until(int64_t t_ns)
{
	struct timespec ts = {.tv_sec = t_ns / NS_PER_S, .tv_nsec = t_ns % NS_PER_S};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

void clock_format_utc(int64_t utc_ns, int digits, char *buf, size_t size)
{
	time_t seconds = (time_t)(utc_ns / NS_PER_S);
	int64_t rest = utc_ns % NS_PER_S;
	struct tm tm;

	if (rest < 0) {
		rest += NS_PER_S;
		seconds--;
	}
	gmtime_r(&seconds, &tm);
	if (digits > 0)
		snprintf(buf, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900,
			 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
			 (int)(rest / NS_PER_MS));
	else
		snprintf(buf, size, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
			 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Reads exactly `n` digits; -1 if there are not as many. */
static int digits(const char **s, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++, (*s)++) {
		if (**s < '0' || **s > '9')
			return -1;
		value = value * 10 + (**s - '0');
	}
	return value;
}

static int separator(const char **s, char c)
{
	if (**s != c)
		return -1;
	(*s)++;
	return 0;
}

int clock_parse_utc(const char *s, int64_t *utc_ns)
{
	struct tm tm = {0};
	int year, bad = 0;
	int64_t ns = 0;

	year = digits(&s, 4);
	bad |= separator(&s, '-');
	tm.tm_mon = digits(&s, 2) - 1;
	bad |= separator(&s, '-');
	tm.tm_mday = digits(&s, 2);
	if (*s != 'T' && *s != ' ')
		return -EINVAL;
	s++;
	tm.tm_hour = digits(&s, 2);
	bad |= separator(&s, ':');
	tm.tm_min = digits(&s, 2);
	bad |= separator(&s, ':');
	tm.tm_sec = digits(&s, 2);
	if (bad || year < 1900 || tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 ||
	    tm.tm_mday > 31 || tm.tm_hour < 0 || tm.tm_hour > 23 || tm.tm_min < 0 ||
	    tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60)
		return -EINVAL;
	if (*s == '.') {
		int64_t unit = NS_PER_S / 10;

		for (s++; *s >= '0' && *s <= '9'; s++, unit /= 10)
			ns += (*s - '0') * unit;
	}
	if (*s == 'Z')
		s++;
	if (*s)
		return -EINVAL;
	tm.tm_year = year - 1900;
	*utc_ns = (int64_t)timegm(&tm) * NS_PER_S + ns;
	return 0;
}
