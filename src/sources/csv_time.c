/* The times that loggers write: seconds, times of day, dates in the order of many countries. */
#include "csv_time.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "csv_line.h"

/* Seconds of a day from "h:mm[:ss[.fff]] [AM|PM|a.m.]"; false if it is none. */
static bool time_of_day(const char *s, double *out)
{
	int h, m, used = 0;
	double sec = 0;
	char half;

	if (sscanf(s, "%2d:%2d%n", &h, &m, &used) != 2 || h < 0 || h > 24 || m < 0 || m > 59)
		return false;
	s += used;
	if (*s == ':') {
		size_t n = strspn(s + 1, "0123456789.,");
		char number[24];

		if (n == 0 || n >= sizeof(number))
			return false;
		memcpy(number, s + 1, n);
		number[n] = '\0';
		if (!csv_number(number, true, &sec))
			return false;
		s += 1 + n;
	}
	s += strspn(s, " ");
	half = (char)tolower((unsigned char)*s);
	if ((half == 'a' || half == 'p') &&
	    tolower((unsigned char)s[1 + strspn(s + 1, ". ")]) == 'm')
		h = h % 12 + (half == 'p' ? 12 : 0);
	*out = h * 3600.0 + m * 60.0 + sec;
	return true;
}

static double days_of(int year, int month, int day)
{
	struct tm tm = {
	    .tm_year = year + (year < 100 ? 2000 : 0) - 1900, .tm_mon = month - 1, .tm_mday = day};

	if (month < 1 || month > 12 || day < 1 || day > 31)
		return NAN;
	return (double)(timegm(&tm) / 86400);
}

/* Days since 1970; NAN where a date cannot be read so. */
struct date {
	double month_first, day_first;
};

/* "2025-08-13", "13.8.2025", "13-8-25", "8/13/2025", "13/8/2025"; *used is its length, 0: none. */
static struct date date(const char *s, int *used)
{
	struct date d = {NAN, NAN};
	int a, b, c;
	bool slash;

	*used = 0;
	if (!isdigit((unsigned char)*s) || sscanf(s, "%4d%1[-./]%2d%1[-./]%4d%n", &a, (char[2]){0},
						  &b, (char[2]){0}, &c, used) != 5)
		return d;
	slash = s[strspn(s, "0123456789")] == '/';
	if (a > 31) {
		d.month_first = d.day_first = days_of(a, b, c);
	} else {
		d.day_first = days_of(c, b, a);
		d.month_first = slash ? days_of(c, a, b) : (double)NAN;
	}
	if (isnan(d.month_first) && isnan(d.day_first))
		*used = 0;
	return d;
}

/*
 * "8/9/2025" is a day in August or in September. It makes no difference until the date changes:
 * then it went on by the fewer days, or only one order is possible.
 */
static void find_order(struct csv_clock *c, struct date d)
{
	double months = d.month_first - c->month_first, days = d.day_first - c->day_first;

	if (c->order != CSV_ORDER_OPEN || (months == 0 && days == 0))
		return;
	if (isnan(d.month_first) || (days >= 0 && (months < 0 || days < months)))
		c->order = CSV_DAY_FIRST;
	else if (isnan(d.day_first) || (months >= 0 && (days < 0 || months < days)))
		c->order = CSV_MONTH_FIRST;
	/* What was read before in the other order stays, and the rest goes on from it. */
	if (c->order == CSV_DAY_FIRST && !isnan(c->month_first) && !isnan(c->day_first))
		c->shift_days = c->month_first - c->day_first;
}

static double day_number(struct csv_clock *c, struct date d)
{
	find_order(c, d);
	c->month_first = d.month_first;
	c->day_first = d.day_first;
	if (c->order == CSV_DAY_FIRST || isnan(d.month_first))
		return d.day_first + c->shift_days;
	return d.month_first;
}

void csv_clock_init(struct csv_clock *c)
{
	*c = (struct csv_clock){.last = NAN, .month_first = NAN, .day_first = NAN};
}

bool csv_clock_read(struct csv_clock *c, const char *cell, bool comma, double *seconds)
{
	double day_s;
	int used;
	struct date d;

	if (csv_number(cell, comma, seconds))
		return true;
	d = date(cell, &used);
	if (used) {
		if (!time_of_day(cell + used + strspn(cell + used, " T,"), &day_s))
			return false;
		*seconds = day_number(c, d) * 86400 + day_s;
		return true;
	}
	if (!time_of_day(cell, &day_s))
		return false;
	if (day_s + c->midnight < c->last - 43200)
		c->midnight += 86400;
	*seconds = c->last = day_s + c->midnight;
	return true;
}
