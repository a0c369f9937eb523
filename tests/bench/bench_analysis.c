/*
 * How long the analysis takes: logs of 10^4, 10^5 and 10^6 rows, perfectly quiet, with noise, and
 * with a 40 s duty cycle throughout, by heat and not. CPU time and peak memory beyond the rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "throttlog/verdict.h"

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double peak_mib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

enum shape {
	SHAPE_QUIET,
	SHAPE_NOISE,
	SHAPE_DUTY_HEAT,
	SHAPE_DUTY_OTHER,
	SHAPE_WANDER,
	SHAPE_COUNT
};

static const char *const names[SHAPE_COUNT] = {"quiet", "noise", "duty, heat", "duty, other",
					       "wandering"};

static uint32_t state = 1;

static double noise(void)
{
	state = state * 1664525U + 1013904223U;
	return (double)(state >> 8) / 8388608.0 - 1;
}

static double level = 1;

static void add(struct run *run, enum shape shape, long i, long n)
{
	bool low = i % 40 >= 20 && i > 200;
	double mb_s = 2000, temp_c = 40 + 30 * (1 - exp(-(double)i / 60));
	struct sample row;

	if (shape == SHAPE_NOISE)
		mb_s *= 1 + 0.02 * noise();
	if (shape == SHAPE_DUTY_HEAT || shape == SHAPE_DUTY_OTHER)
		mb_s *= (low ? 0.4 : 1) * (1 + 0.01 * noise());
	if (shape == SHAPE_DUTY_HEAT)
		temp_c += low ? -3.0 * (double)(i % 20) / 20
			      : (i > 200 ? -3 + 3.0 * (double)(i % 20) / 20 : 0);
	if (shape == SHAPE_DUTY_OTHER)
		temp_c += 20 * (double)i / (double)n;
	if (shape == SHAPE_WANDER) {
		if (i % 7 == 0)
			level = fmax(0.2, fmin(1, level + 0.1 * noise()));
		mb_s *= level;
	}
	sample_clear(&row);
	row.time_s = (double)i + 1;
	row.op = OP_WRITE;
	row.mb_s = mb_s;
	row.bytes = mb_s * 1e6;
	row.temp_c = round(temp_c);
	row.queue_avg = 32;
	series_append(&run->series, &row);
}

static void bench(enum shape shape, long n)
{
	static struct run run;
	static struct verdict v;
	double before, memory;

	run_clear(&run);
	run.load.op = OP_WRITE;
	run.load.queue_depth = 32;
	run.interval_s = 1;
	for (long i = 0; i < n; i++)
		add(&run, shape, i, n);
	memory = peak_mib();
	before = cpu_s();
	verdict_make(&run, &v);
	printf("%-12s %8ld rows  %8.1f ms  +%.0f MiB  %s, %zu drops\n", names[shape], n,
	       1e3 * (cpu_s() - before), peak_mib() - memory, class_names[v.klass], v.n_drops);
	verdict_fini(&v);
	run_fini(&run);
}

int main(void)
{
	for (enum shape s = 0; s < SHAPE_COUNT; s++)
		for (long n = 10000; n <= 1000000; n *= 10)
			bench(s, n);
	return 0;
}
