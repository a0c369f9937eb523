/*
 * Other people's logs: separators, decimal marks, units, missing cells, codes. And what cannot be
 * read gets one line.
 */
#include "foreign.h"

static void plain(FILE *f)
{
	fputs("time,speed,temperature\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.0f,%.0f\n", i + 1, speed_at(i), temp_at(i));
}

static void decimal_commas(FILE *f)
{
	char a[40], b[40], c[40];

	fputs("Zeit;Leserate [MB/s];Temperatur [°C]\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%s;%s;%s\n", number(i + 0.5, ',', a), number(speed_at(i), ',', b),
			number(temp_at(i), ',', c));
}

static void commas_and_thousands(FILE *f)
{
	fputs("Zeit;MB/s;Temp\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d;%d.%03d,5;%.0f\n", i, (int)speed_at(i) / 1000,
			(int)speed_at(i) % 1000, temp_at(i));
}

/* A comma between the cells too: quoted. */
static void quoted_commas(FILE *f)
{
	char b[40];

	fputs("\"Zeit\",\"MB/s\",\"Temp, Laufwerk\"\n", f);
	for (int i = 0; i < ROWS; i++) {
		text_format(b, sizeof(b), "%.1f", speed_at(i));
		*strchr(b, '.') = ',';
		fprintf(f, "\"%d,0\",\"%s\",\"%.0f,5\"\n", i, b, temp_at(i));
	}
}

static void quoted_thousands(FILE *f)
{
	fputs("t,\"MB/s\",T\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,\"%d,%03d.25\",%.0f\n", i, (int)speed_at(i) / 1000,
			(int)speed_at(i) % 1000, temp_at(i));
}

static void tabs(FILE *f)
{
	fputs("t\tMB/s\tT\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d\t%.1f\t%.0f\n", i, speed_at(i), temp_at(i));
}

/* As HWiNFO writes: date and time apart, over midnight, another code than ours, a comma more at
 * each end, names twice, and at the end the header again and a line of devices. */
static void hwinfo(FILE *f)
{
	static const char head[] = "Date,Time,\"Drive Temperature [\xb0"
				   "C]\",\"Drive Activity [%]\","
				   "\"Read Rate [MB/s]\",\"Write Rate [MB/s]\","
				   "\"Drive Temperature 2 [\xb0"
				   "C]\",\"Read Total [MB]\",\"Read Total [MB]\",\r\n";
	int day, h, m, s;

	fputs(head, f);
	for (int i = 0; i < ROWS; i++) {
		clock_at(86400 - 100, i, &day, &h, &m, &s);
		fprintf(f, "%d.8.2025,%d:%02d:%02d.%03d,%.0f,99.0,%.3f,0.0%d,%.0f,%d,%d,\r\n",
			13 + day, h, m, s, 500 + i % 7, temp_at(i), speed_at(i), i % 3,
			temp_at(i) - 9, i * 3000, i);
	}
	fputs(head, f);
	fputs(",,\"NVMe: [drive]\",,,,,,,\r\n", f);
}

static void mib_in_header(FILE *f)
{
	fputs("elapsed_ms,read_MiBps,T (°C)\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.2f,%.0f\n", 1000 * i, speed_at(i) / 1.048576, temp_at(i));
}

static void kib_in_header(FILE *f)
{
	fputs("t,Read (KiB/s),T\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.0f,%.0f\n", i, speed_at(i) / 0.001024, temp_at(i));
}

static void bytes_in_header(FILE *f)
{
	fputs("t,B/s,T\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.0f,%.0f\n", i, speed_at(i) * 1e6, temp_at(i));
}

static void gigabytes_and_fahrenheit(FILE *f)
{
	fputs("t [min],rd GB/s,Temp [°F]\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%.4f,%.4f,%.1f\n", i / 60.0, speed_at(i) / 1e3, temp_at(i) * 1.8 + 32);
}

static void megabits(FILE *f)
{
	fputs("t,Mbit/s,K\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.0f,%.0f\n", i, speed_at(i) * 8, temp_at(i) + 273);
}

/* A reading in three, "N/A" and "-" at times. */
static void holes(FILE *f)
{
	fputs("t,MB/s,T\n", f);
	for (int i = 0; i < ROWS; i++) {
		fprintf(f, "%d,", i);
		if (i % 41 == 7)
			fputs("N/A,", f);
		else
			fprintf(f, "%.0f,", speed_at(i));
		if (i % 3 == 0)
			fprintf(f, "%.0f\n", temp_at(i));
		else
			fputs(i % 50 == 31 ? "-\n" : "\n", f);
	}
}

/* fio --read_bw_log --log_avg_msec=1000, and a temperature that somebody put beside it. */
static void fio_log(FILE *f)
{
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d, %.0f, 0, 0, 0, %.0f\n", 1000 * (i + 1) + i % 3,
			speed_at(i) / 0.001024, temp_at(i));
}

static void marked_and_dos(FILE *f)
{
	fputs("\xef\xbb\xbft,MB/s,T\r\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.0f,%.0f\r\n", i, speed_at(i), temp_at(i));
}

static void other_letters(FILE *f)
{
	fputs("Zeit;Übertragungsrate (MB/s);Température du disque;温度\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d;%.0f;%.0f;%.0f\n", i, speed_at(i), temp_at(i), temp_at(i));
}

static void no_newline_at_the_end(FILE *f)
{
	plain(f);
	fputs("281,3000,75", f);
}

static struct way ways[] = {
    {"plain", plain, "time=time,mb_s=speed,temp_c=temperature", NULL},
    {"decimal commas between semicolons", decimal_commas,
     "time=Zeit,mb_s=Leserate [MB/s],temp_c=Temperatur [°C]", NULL},
    {"decimal commas, dots between thousands", commas_and_thousands,
     "time=Zeit,mb_s=MB/s,temp_c=Temp", NULL},
    {"quoted decimal commas between commas", quoted_commas, "time=Zeit,mb_s=MB/s,temp_c=3", NULL},
    {"quoted commas between thousands", quoted_thousands, "time=t,mb_s=MB/s,temp_c=T", NULL},
    {"tabs", tabs, "time=t,mb_s=MB/s,temp_c=T", NULL},
    {"HWiNFO", hwinfo,
     "time=Date+Time,mb_s=Read Rate [MB/s]+Write Rate [MB/s],temp_c=Drive Temperature [°C]",
     "2 rows could not be read"},
    {"MiB/s and ms by the header", mib_in_header, "time=elapsed_ms,mb_s=read_MiBps,temp_c=T (°C)",
     NULL},
    {"KiB/s by the header", kib_in_header, "time=t,mb_s=Read (KiB/s),temp_c=T", NULL},
    {"B/s by the header", bytes_in_header, "time=t,mb_s=B/s,temp_c=T", NULL},
    {"minutes, GB/s and °F by the header", gigabytes_and_fahrenheit,
     "time=t [min],mb_s=rd GB/s,temp_c=Temp [°F]", NULL},
    {"Mbit/s by the header, K by name", megabits, "time=t,mb_s=Mbit/s,temp_c=K:K", NULL},
    {"missing cells", holes, "time=t,mb_s=MB/s,temp_c=T", "values could not be read"},
    {"fio, by place", fio_log, "time=1:ms,mb_s=2:KiB/s,temp_c=6", NULL},
    {"byte order mark and CR LF", marked_and_dos, "time=t,mb_s=MB/s,temp_c=T", NULL},
    {"headers in other letters", other_letters,
     "time=zeit,mb_s=Übertragungsrate (MB/s),temp_c=温度", NULL},
    {"no newline at the end", no_newline_at_the_end, "time=time,mb_s=speed,temp_c=temperature",
     NULL},
};

static void put(const char *text, size_t n)
{
	FILE *f = begin();

	assert_int_equal(fwrite(text, 1, n, f), n);
	fclose(f);
}

static void bad_input_gets_one_line(void **state)
{
#define TEXT(s) s, sizeof(s) - 1
	static const struct {
		const char *text;
		size_t n;
		const char *columns, *says;
	} cases[] = {
	    {TEXT("a,b\n1,2\n"), "time=a,mb_s=bb", "no column 'bb'; did you mean 'b'?"},
	    {TEXT("a,b\n1,2\n"), "time=a,mb_s=3", "no column '3'"},
	    {TEXT("a,b\n1,2\n"), "mb_s=b", "must name a time"},
	    {TEXT("a,b\n1,2\n"), "speed=b", "not 'speed=b'"},
	    {TEXT("a,b\n1,2\n"), "", "--columns takes FIELD=COLUMN"},
	    {TEXT("a,b\n1,2\n"), "time=a,mb_s=b:parsec", "no column 'b:parsec'"},
	    {TEXT("a,b\n1,2\n"), "time=a,events=b", "--columns takes FIELD=COLUMN"},
	    {TEXT("t,Rate,Rate\n1,2,3\n"), "time=t,mb_s=Rate",
	     "2 columns are called 'Rate'; name the one you mean by its place: 2, 3"},
	    {TEXT("t,b\nyesterday,2\nnow,3\n"), "time=t,mb_s=b", "'yesterday' is no time"},
	    {TEXT("t,b\n"), "time=t,mb_s=b", "no rows"},
	    {TEXT("\xff\xfet\0,\0b\0\n\0"), "time=t,mb_s=b", "UTF-16"},
	    /* What nvme-cli 2.3 and 2.11 print: neither is a log. */
	    {TEXT("{\n  \"critical_warning\" : 2,\n  \"temperature\" : 313\n}\n"), NULL, "JSON"},
	    {TEXT("{\n  \"critical_warning\":{\n    \"value\":2,\n    \"temp_threshold\":1\n }}\n"),
	     NULL, "JSON"},
	    {TEXT("[{\"a\": 1}]\n"), "time=a", "JSON"},
	    {TEXT("Date,Time,Drive\n1,2,3\n"), NULL, "--columns time=...,mb_s=...,temp_c=..."},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct log_read_options o = {.columns = cases[i].columns};
		struct run run;
		char why[400] = "";

		put(cases[i].text, cases[i].n);
		if (log_read(path, &o, &run, why, sizeof(why), NULL) == 0)
			fail_msg("%zu: read", i);
		if (!strstr(why, cases[i].says) || !strstr(why, path) || strchr(why, '\n'))
			fail_msg("%zu: '%s'", i, why);
	}
}

/* "1,234" may be a thousand or one: a value is missing rather than wrong. */
static void what_may_be_either_is_missing(void **state)
{
	static const char text[] =
	    "t,v\n1,\"1,234\"\n2,\"1,5\"\n3,\"1,234,567\"\n4,\"1,234.5\"\n5,1e3\n";
	static const double right[] = {NAN, 1.5, 1234567, 1234.5, 1000};
	struct log_read_options o = {.columns = "time=t,mb_s=v"};
	struct run run;
	char why[400];

	(void)state;
	put(text, sizeof(text) - 1);
	noted[0] = '\0';
	assert_int_equal(log_read(path, &o, &run, why, sizeof(why), note), 0);
	assert_non_null(strstr(noted, "1 value"));
	for (size_t i = 0; i < COUNT(right); i++) {
		double is = series_get(&run.series, FIELD_MB_S, i);

		if (isnan(right[i]) ? !isnan(is) : is != right[i])
			fail_msg("row %zu: %f", i, is);
	}
	run_fini(&run);
}

/* A name that stands twice is named by its place. */
static void columns_by_place(void **state)
{
	static const char text[] = "t,Rate,Rate\n1,2,3\n2,4,5\n";
	struct log_read_options o = {.columns = "time=t,mb_s=3"};
	struct run run;
	char why[400];

	(void)state;
	put(text, sizeof(text) - 1);
	assert_int_equal(log_read(path, &o, &run, why, sizeof(why), NULL), 0);
	assert_true(series_get(&run.series, FIELD_MB_S, 1) == 5);
	run_fini(&run);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(ways) + 3] = {
	    cmocka_unit_test(bad_input_gets_one_line),
	    cmocka_unit_test(what_may_be_either_is_missing),
	    cmocka_unit_test(columns_by_place),
	};

	foreign_tests(ways, COUNT(ways), tests + 3);
	return cmocka_run_group_tests(tests, setup, teardown);
}
