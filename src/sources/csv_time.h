/* Times in other people's logs. */
#ifndef SOURCES_CSV_TIME_H
#define SOURCES_CSV_TIME_H

#include <stdbool.h>

/* What earlier rows said about how a log writes its times. */
struct csv_clock {
	double last, midnight;         /* times of day without a date */
	double month_first, day_first; /* the last date, read in both orders; days, NAN */
	double shift_days;
	enum { CSV_ORDER_OPEN, CSV_MONTH_FIRST, CSV_DAY_FIRST } order;
};

void csv_clock_init(struct csv_clock *c);
/*
 * A time of day or a date with one: "13:58:50.898", "13.8.2025 13:58:50", "2025-08-13T13:58:50Z",
 * "8/13/2025 1:58:50 PM", or a plain number of seconds. Seconds since some fixed day; rows in
 * their order. `comma`: decimals may be written with one. False if it is none of these.
 */
bool csv_clock_read(struct csv_clock *c, const char *cell, bool comma, double *seconds);

#endif
