/* Other people's logs: dates and times as written in several countries. */
#include "foreign.h"

/* Dates as written in several countries; the day changes in the middle of the run. */
static void dated(FILE *f, const char *format, int month, int mday)
{
	int day, h, m, s;

	fputs("When,MB/s,T\n", f);
	for (int i = 0; i < ROWS; i++) {
		char date[40];
		int a = month, b;

		clock_at(86400 - 150, i, &day, &h, &m, &s);
		b = mday + day;
		if (strcmp(format, "d/m/y") == 0)
			text_format(date, sizeof(date), "%02d/%02d/2025 %02d:%02d:%02d", b, a, h, m,
				    s);
		else if (strcmp(format, "m/d/y ampm") == 0)
			text_format(date, sizeof(date), "%d/%d/2025 %d:%02d:%02d %s", a, b,
				    h % 12 ? h % 12 : 12, m, s, h < 12 ? "AM" : "PM");
		else if (strcmp(format, "d.m.yy") == 0)
			text_format(date, sizeof(date), "%d.%d.25 %d:%02d:%02d", b, a, h, m, s);
		else if (strcmp(format, "d-m-y") == 0)
			text_format(date, sizeof(date), "%d-%d-2025 %d:%02d:%02d", b, a, h, m, s);
		else
			text_format(date, sizeof(date), "2025-%02d-%02dT%02d:%02d:%02dZ", a, b, h,
				    m, s);
		fprintf(f, "%s,%.0f,%.0f\n", date, speed_at(i), temp_at(i));
	}
}

static void day_first(FILE *f)
{
	dated(f, "d/m/y", 8, 24);
}

/* 2/1 to 3/1: in the other order it would be a month later. */
static void day_first_early_in_the_month(FILE *f)
{
	dated(f, "d/m/y", 1, 2);
}

/* 12/8 to 13/8: in the other order the first is in December, the second in no month. */
static void day_first_across_the_twelfth(FILE *f)
{
	dated(f, "d/m/y", 8, 12);
}

static void month_first_half_days(FILE *f)
{
	dated(f, "m/d/y ampm", 8, 13);
}

static void month_first_early(FILE *f)
{
	dated(f, "m/d/y ampm", 1, 2);
}

static void short_years(FILE *f)
{
	dated(f, "d.m.yy", 8, 13);
}

static void dashes(FILE *f)
{
	dated(f, "d-m-y", 8, 9);
}

static void iso(FILE *f)
{
	dated(f, "iso", 8, 30);
}

static void time_of_day_over_midnight(FILE *f)
{
	int day, h, m, s;

	fputs("t,MB/s,T\n", f);
	for (int i = 0; i < ROWS; i++) {
		clock_at(86400 - 60, i, &day, &h, &m, &s);
		fprintf(f, "%d:%02d:%02d %s,%.0f,%.0f\n", h % 12 ? h % 12 : 12, m, s,
			h < 12 ? "a.m." : "p.m.", speed_at(i), temp_at(i));
	}
}

static struct way ways[] = {
    {"24/08/2025", day_first, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"02/01/2025, day first", day_first_early_in_the_month, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"12/08/2025, then 13/08/2025", day_first_across_the_twelfth, "time=When,mb_s=MB/s,temp_c=T",
     NULL},
    {"8/13/2025 11:57:30 PM", month_first_half_days, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"1/2/2025, month first", month_first_early, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"13.8.25", short_years, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"9-8-2025", dashes, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"2025-08-30T23:57:30Z", iso, "time=When,mb_s=MB/s,temp_c=T", NULL},
    {"11:59:00 p.m., over midnight", time_of_day_over_midnight, "time=t,mb_s=MB/s,temp_c=T", NULL},
};

int main(void)
{
	struct CMUnitTest tests[COUNT(ways)];

	foreign_tests(ways, COUNT(ways), tests);
	return cmocka_run_group_tests(tests, setup, teardown);
}
