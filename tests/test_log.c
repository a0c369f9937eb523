/* The log: what is written reads back the same; what is no log is refused with one line. */
#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/log.h"

static char path[] = "/tmp/throttlog-test-XXXXXX";
static unsigned notes;

static void count_note(const char *line)
{
	assert_non_null(strstr(line, path));
	notes++;
}

static void put(const void *data, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	fclose(f);
}

static int read_text(const char *text, const char *columns, struct run *run, char *why)
{
	struct log_read_options o = {.columns = columns};

	put(text, strlen(text));
	notes = 0;
	return log_read(path, &o, run, why, 400, count_note);
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	return fd < 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static void rows_round_trip(void **state)
{
	bool can[FIELD_COUNT] = {[FIELD_TEMP] = true, [FIELD_SENSOR1 + 1] = true};
	struct event events[2] = {
	    {.kind = EVENT_TMT1, .value = 2},
	    {.kind = EVENT_MARK, .value = (double)NAN, .text = (char[]){"fan; on"}}};
	struct run out, in;
	struct sample row;
	char line[1000], why[400], *head;
	FILE *f = fopen(path, "w");

	(void)state;
	run_clear(&out);
	out.schema = LOG_SCHEMA;
	strcpy(out.drive.model, "Drive: with colon");
	out.drive.limits.wctemp_c = 78;
	head = log_format_head(&out, can);
	fputs(head, f);
	free(head);
	for (int i = 1; i <= 3; i++) {
		sample_clear(&row);
		row.time_s = i;
		row.utc_s = 1767225600.25 + i;
		row.phase = i == 1 ? PHASE_BASELINE : PHASE_LOAD;
		row.op = i == 1 ? OP_NONE : OP_WRITE;
		row.bytes = 1e9 * i;
		row.mb_s = 1000.125 * i;
		row.temp_c = i == 2 ? (double)NAN : -10 + i;
		log_format_row(&row, events, i == 3 ? 2 : 0, can, line, sizeof(line));
		fputs(line, f);
	}
	fclose(f);
	notes = 0;
	assert_int_equal(log_read(path, NULL, &in, why, sizeof(why), count_note), 0);
	assert_int_equal(notes, 0);
	assert_string_equal(in.drive.model, out.drive.model);
	assert_int_equal(in.series.n, 3);
	assert_true(series_get(&in.series, FIELD_TEMP, 0) == -9);
	assert_true(isnan(series_get(&in.series, FIELD_TEMP, 1)));
	assert_true(series_get(&in.series, FIELD_MB_S, 2) == 3000.375);
	assert_true(fabs(series_get(&in.series, FIELD_UTC, 2) - 1767225603.25) < 1e-3);
	assert_int_equal(in.series.phase[0], PHASE_BASELINE);
	assert_int_equal(in.series.op[2], OP_WRITE);
	assert_int_equal(in.series.n_events, 2);
	assert_int_equal(in.series.events[0].kind, EVENT_TMT1);
	assert_string_equal(in.series.events[1].text, "fan  on");
	run_fini(&in);
}

static void a_torn_row_is_ignored(void **state)
{
	struct run run;
	char why[400];

	(void)state;
	assert_int_equal(read_text("time_s,mb_s\n1,5\n2,6\n3,7", NULL, &run, why), 0);
	assert_int_equal(run.series.n, 2);
	assert_int_equal(notes, 1);
	run_fini(&run);
	assert_int_equal(read_text("time_s,mb_s\n1,5\n2\n2,x\n3,7\n", NULL, &run, why), 0);
	assert_int_equal(run.series.n, 3);
	assert_true(isnan(series_get(&run.series, FIELD_MB_S, 1)));
	assert_int_equal(notes, 2);
	run_fini(&run);
}

static void bytes_and_speed_complete_each_other(void **state)
{
	struct run run;
	char why[400];

	(void)state;
	assert_int_equal(read_text("time_s,bytes\n1,5000000\n3,6000000\n", NULL, &run, why), 0);
	assert_true(series_get(&run.series, FIELD_MB_S, 1) == 3);
	run_fini(&run);
	assert_int_equal(read_text("time_s,mb_s,new_column\n1,5,a\n2,6,b\n", NULL, &run, why), 0);
	assert_true(series_get(&run.series, FIELD_BYTES, 1) == 6e6);
	run_fini(&run);
}

static void what_is_no_log_is_refused(void **state)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
	    {"", "empty"},
	    {"# schema: 1\n", "no header"},
	    {"time_s,mb_s\n", "no rows"},
	    {"time_s,mb_s\nx,2\ny,3\n", "none of 2 rows can be read: line 2: 'x' is no time"},
	    {"#\ntime_s,mb_s\n1\n", "line 3 has 1 columns, the header has 2"},
	    {"time_s,mb_s\n,2\n", "line 2 has no time"},
	    {"# schema: 2\ntime_s,mb_s\n1,2\n", "newer version"},
	    {"a,b,c\n1,2,3\n", "--columns"},
	    {"time_s,poll_ms\n1,2\n", "mb_s, bytes or temp_c"},
	    {"time_s,mb_s,mb_s\n1,2,3\n", "twice"},
	};
	struct run run;
	char why[400], *many;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_not_equal(read_text(cases[i].text, NULL, &run, why), 0);
		assert_non_null(strstr(why, cases[i].word));
		assert_non_null(strstr(why, path));
		assert_null(strchr(why, '\n'));
	}
	put("time_s,mb_s\n1,\0\n", 16);
	assert_int_not_equal(log_read(path, NULL, &run, why, sizeof(why), NULL), 0);
	assert_non_null(strstr(why, "not text"));
	many = malloc(2000001);
	for (int i = 0; i < 2000000; i += 2)
		memcpy(many + i, "a,", 2);
	many[2000000] = '\0';
	assert_int_not_equal(read_text(many, NULL, &run, why), 0);
	free(many);
	assert_int_not_equal(log_read("/nonexistent.csv", NULL, &run, why, sizeof(why), NULL), 0);
	assert_int_not_equal(log_read("/tmp", NULL, &run, why, sizeof(why), NULL), 0);
}

static void a_long_line_is_called_long(void **state)
{
	size_t n = (1 << 20) + 100;
	char *text = malloc(n);
	struct run run;
	char why[400];

	(void)state;
	assert_non_null(text);
	memset(text, ',', n);
	text[n - 1] = '\n';
	put(text, n);
	free(text);
	assert_int_not_equal(log_read(path, NULL, &run, why, sizeof(why), NULL), 0);
	assert_non_null(strstr(why, "line 1 is longer than"));
}

static void what_no_drive_reports_is_missing(void **state)
{
	struct run run;
	char why[400];

	(void)state;
	assert_int_equal(
	    read_text("time_s,mb_s\n1,5\n2,1e308\n3,-1e300\n4e300,7\n4,8\n", NULL, &run, why), 0);
	assert_int_equal(run.series.n, 4);
	assert_true(isnan(series_get(&run.series, FIELD_MB_S, 1)));
	assert_true(isnan(series_get(&run.series, FIELD_MB_S, 2)));
	assert_true(series_time(&run.series, 3) == 4);
	run_fini(&run);
}

static void reads_other_programs(void **state)
{
	struct run run;
	char why[400];

	(void)state;
	/* HWiNFO: date and time apart, local forms. */
	assert_int_equal(read_text("Date,Time,Drive [°C],Read Rate [MB/s],Write Rate [MB/s]\n"
				   "13.8.2025,23:59:58.500,39,1.5,2\n14.8.2025,0:00:00.500,40,,3\n",
				   "time=Date+Time,temp_c=Drive [°C],"
				   "mb_s=Read Rate [MB/s]+Write Rate [MB/s]",
				   &run, why),
			 0);
	assert_int_equal(run.series.n, 2);
	assert_true(series_time(&run.series, 1) == 2);
	assert_true(series_get(&run.series, FIELD_MB_S, 0) == 3.5);
	assert_true(series_get(&run.series, FIELD_MB_S, 1) == 3);
	assert_true(series_get(&run.series, FIELD_TEMP, 1) == 40);
	run_fini(&run);
	/* Decimal commas, semicolons, binary units, midnight. */
	assert_int_equal(read_text("Zeit;MiB/s;Temp\n23:59:59,5;100,5;40,5\n0:00:00,5;100;41\n",
				   "time=Zeit,mb_s=MiB/s,temp_c=Temp", &run, why),
			 0);
	assert_true(fabs(series_get(&run.series, FIELD_MB_S, 0) - 105.381888) < 1e-9);
	assert_true(series_get(&run.series, FIELD_TEMP, 0) == 40.5);
	assert_true(series_time(&run.series, 1) == 1);
	run_fini(&run);
	/* fio's bandwidth log: no header, milliseconds, KiB/s. */
	assert_int_equal(read_text("1000, 1048576, 0, 0, 0\n2000, 524288, 0, 0, 0\n",
				   "time=1:ms,mb_s=2:KiB/s", &run, why),
			 0);
	assert_int_equal(run.series.n, 2);
	assert_true(fabs(series_time(&run.series, 1) - 1) < 1e-9);
	assert_true(fabs(series_get(&run.series, FIELD_MB_S, 0) - 1073.741824) < 1e-6);
	run_fini(&run);
	assert_int_not_equal(read_text("a,b\n1,2\n", "time=a,mb_s=bb", &run, why), 0);
	assert_non_null(strstr(why, "did you mean 'b'"));
	assert_int_not_equal(read_text("a,b\n1,2\n", "mb_s=b", &run, why), 0);
	assert_int_not_equal(read_text("a,b\n1,2\n", "speed=b", &run, why), 0);
}

static void quoted_cells_lose_their_quotes(void **state)
{
	struct run run;
	char why[400];

	(void)state;
	assert_int_equal(read_text("\"time_s\",\"mb_s\",\"the \"\"name\"\", so\"\r\n"
				   "\"1\",\"5\",\"a,b\"\r\n2,\"6\",\"\"\r\n",
				   NULL, &run, why),
			 0);
	assert_int_equal(run.series.n, 2);
	assert_true(series_get(&run.series, FIELD_MB_S, 1) == 6);
	run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_round_trip),
	    cmocka_unit_test(a_torn_row_is_ignored),
	    cmocka_unit_test(bytes_and_speed_complete_each_other),
	    cmocka_unit_test(what_is_no_log_is_refused),
	    cmocka_unit_test(a_long_line_is_called_long),
	    cmocka_unit_test(what_no_drive_reports_is_missing),
	    cmocka_unit_test(reads_other_programs),
	    cmocka_unit_test(quoted_cells_lose_their_quotes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
