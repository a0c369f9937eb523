/*
 * Cuts a log into its loads and puts each on an even grid. A row's values belong to the interval
 * that ends at its time. Rows closer than a second are taken together; missing rows are skipped.
 */
#include "analysis/leg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/split.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"

double row_dt_s(const struct run *run, size_t i)
{
	const struct series *s = &run->series;
	double dt = i > 0 ? series_time(s, i) - series_time(s, i - 1) : (double)NAN;

	if (isnan(dt))
		dt = !isnan(run->interval_s) ? run->interval_s
		     : s->n > 1              ? series_time(s, 1) - series_time(s, 0)
					     : 1;
	return dt > 0 ? dt : 0;
}

double row_mb_s(const struct run *run, size_t i)
{
	double mb_s = series_get(&run->series, FIELD_MB_S, i);

	if (isnan(mb_s))
		mb_s = series_get(&run->series, FIELD_BYTES, i) / 1e6 / row_dt_s(run, i);
	/* Watching: the load is all foreign. */
	if (isnan(mb_s) && run->load.op == OP_NONE)
		mb_s = series_get(&run->series, FIELD_FOREIGN_BYTES, i) / 1e6 / row_dt_s(run, i);
	return isfinite(mb_s) ? mb_s : (double)NAN;
}

static double row_bytes(const struct run *run, size_t i)
{
	double bytes = series_get(&run->series, FIELD_BYTES, i);

	if (isnan(bytes))
		bytes = row_mb_s(run, i) * 1e6 * row_dt_s(run, i);
	return isnan(bytes) ? 0 : bytes;
}

long leg_bins(const struct leg *l, double seconds)
{
	long n = lround(seconds / l->dt_s);

	return n < 1 ? 1 : n;
}

bool leg_is_long(const struct leg *l)
{
	return l->levels.n > 0 && l->n >= leg_bins(l, tuning.short_s) - leg_bins(l, tuning.skip_s);
}

static double usual_spacing(const struct run *run, size_t first, size_t end)
{
	size_t n = end - first;
	double *dt = xreallocarray(NULL, n, sizeof(*dt)), usual;

	for (size_t i = 0; i < n; i++)
		dt[i] = row_dt_s(run, first + i);
	usual = stat_select(dt, (long)n, (long)n / 2);
	free(dt);
	return usual > 0 ? usual : 1;
}

/* Most logs lack some columns; those of a long one take no memory. */
static void alloc_bins(struct leg *l, const struct series *s, size_t rows)
{
	const struct {
		double **column;
		bool needed;
	} columns[] = {
	    {&l->time_s, true},
	    {&l->mb_s, true},
	    {&l->y, true},
	    {&l->own_c, true},
	    {&l->bytes, true},
	    {&l->queue, s->col[FIELD_QUEUE_AVG]},
	    {&l->foreign, s->col[FIELD_FOREIGN_BYTES]},
	    {&l->util, s->col[FIELD_UTIL]},
	    {&l->link, s->col[FIELD_LINK_GT_S] && s->col[FIELD_LINK_WIDTH]},
	    {&l->cpu, s->col[FIELD_CPU_THROTTLE]},
	};

	for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++)
		if (columns[c].needed)
			*columns[c].column = xreallocarray(NULL, rows ? rows : 1, sizeof(double));
}

static void set_record(struct records *r, long bin, double value)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		r->bin = xreallocarray(r->bin, (size_t)r->cap, sizeof(*r->bin));
		r->value = xreallocarray(r->value, (size_t)r->cap, sizeof(*r->value));
	}
	r->bin[r->n] = bin;
	r->value[r->n++] = value;
}

/* The last record that was set up to `bin`; NAN if there is none. */
static double record_at(const struct records *r, long bin)
{
	long low = 0, high = r->n;

	while (low < high) {
		long middle = low + (high - low) / 2;

		if (r->bin[middle] <= bin)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? r->value[low - 1] : (double)NAN;
}

double leg_max_c(const struct leg *l, long bin)
{
	return record_at(&l->highest, bin);
}

double leg_min_c(const struct leg *l, long bin)
{
	return record_at(&l->lowest, bin);
}

/* Sums of the rows that make one bin. */
struct bin_sum {
	double begin_s, seconds, mb, queue, queue_s, foreign, foreign_s, util, util_s, temp_c, link,
	    cpu;
	int rows;
};

static void add_row(struct bin_sum *b, const struct run *run, const struct temps *temps, size_t i)
{
	const struct series *s = &run->series;
	double dt = row_dt_s(run, i), queue = series_get(s, FIELD_QUEUE_AVG, i);
	double foreign = series_get(s, FIELD_FOREIGN_BYTES, i), util = series_get(s, FIELD_UTIL, i);
	double link = series_get(s, FIELD_LINK_GT_S, i) * series_get(s, FIELD_LINK_WIDTH, i);

	if (b->rows++ == 0)
		b->begin_s = series_time(s, i) - dt;
	b->seconds += dt;
	b->mb += row_mb_s(run, i) * dt;
	if (!isnan(queue)) {
		b->queue += queue * dt;
		b->queue_s += dt;
	}
	if (!isnan(foreign)) {
		b->foreign += foreign / 1e6;
		b->foreign_s += dt;
	}
	if (!isnan(util)) {
		b->util += util * dt;
		b->util_s += dt;
	}
	if (!isnan(temps->temp_c[i]))
		b->temp_c = temps->temp_c[i];
	if (!isnan(link))
		b->link = link;
	if (!isnan(series_get(s, FIELD_CPU_THROTTLE, i)))
		b->cpu = series_get(s, FIELD_CPU_THROTTLE, i);
}

static void put_bin(struct leg *l, const struct bin_sum *b, double bytes)
{
	long i = l->n++;

	l->time_s[i] = b->begin_s;
	l->mb_s[i] = b->mb / b->seconds;
	l->own_c[i] = b->temp_c;
	l->bytes[i] = bytes;
	if (l->queue)
		l->queue[i] = b->queue_s > 0 ? b->queue / b->queue_s : (double)NAN;
	if (l->foreign)
		l->foreign[i] = b->foreign_s > 0 ? b->foreign / b->foreign_s : (double)NAN;
	if (l->util)
		l->util[i] = b->util_s > 0 ? b->util / b->util_s : (double)NAN;
	if (l->link)
		l->link[i] = b->link;
	if (l->cpu)
		l->cpu[i] = b->cpu;
}

/* Returns the row that begins the first bin. */
static size_t fill_bins(struct leg *l, const struct run *run, const struct temps *temps)
{
	double usual = usual_spacing(run, l->first_row, l->end_row), bytes = 0, bin_bytes = 0;
	double skip_s = l->phase == PHASE_LOAD ? tuning.skip_s : 0; /* tests are short */
	int per_bin = (int)fmax(1, round(tuning.bin_s / usual));
	struct bin_sum b = {.temp_c = NAN, .link = NAN, .cpu = NAN};
	size_t first = l->first_row;

	l->dt_s = usual * per_bin;
	for (size_t i = l->first_row; i < l->end_row; i++) {
		double dt = row_dt_s(run, i);
		bool early = series_time(&run->series, i) - dt < l->start_s + skip_s - 0.01;

		if (i == l->first_row && dt > 3 * usual)
			early = true; /* what came before the load is not part of it */
		/* A torn last row of the load covers too little to say anything. */
		if (early || isnan(row_mb_s(run, i)) || dt <= 0 ||
		    (i + 1 == l->end_row && dt < 0.6 * usual)) {
			bytes += row_bytes(run, i);
			continue;
		}
		if (l->n == 0 && b.rows == 0)
			first = i;
		add_row(&b, run, temps, i);
		bin_bytes += row_bytes(run, i);
		if (b.rows < per_bin)
			continue;
		put_bin(l, &b, bytes);
		bytes += bin_bytes;
		bin_bytes = 0;
		b = (struct bin_sum){.temp_c = b.temp_c, .link = b.link, .cpu = b.cpu};
	}
	return first;
}

/* Unknown readings amid known ones hold the last; a leg with too many has no temperature. */
static void fill_temps(struct leg *l, const struct temps *temps, size_t first)
{
	long unknown = 0;
	double last = NAN;

	for (long i = 0; i < l->n; i++)
		unknown += isnan(l->own_c[i]);
	l->has_temp = temps_usable(temps) && unknown * 5 < l->n;
	for (long i = 0; i < l->n && isnan(last); i++)
		last = l->own_c[i];
	for (long i = 0; i < l->n; i++) {
		if (isnan(l->own_c[i]))
			l->own_c[i] = last;
		last = l->own_c[i];
		if (!(last <= record_at(&l->highest, i)) && !isnan(last))
			set_record(&l->highest, i, last);
		if (!(last >= record_at(&l->lowest, i)) && !isnan(last))
			set_record(&l->lowest, i, last);
	}
	l->temp_c = l->own_c;
	/* A bin a row and none left out: the readings are there already. */
	if (memcmp(l->own_c, temps->temp_c + first, (size_t)l->n * sizeof(double)) == 0) {
		l->temp_c = temps->temp_c + first;
		free(l->own_c);
		l->own_c = NULL;
	}
}

static void fill_speeds(struct leg *l)
{
	double *raw = xreallocarray(NULL, (size_t)l->n + 1, sizeof(*raw));

	memcpy(raw, l->mb_s, (size_t)l->n * sizeof(*raw));
	l->usual_mb_s = stat_select(raw, l->n, (long)(0.9 * (double)l->n));
	if (l->usual_mb_s >= tuning.load_min_mb_s) {
		for (long i = 0; i < l->n; i++)
			raw[i] = log(fmax(l->mb_s[i], tuning.speed_floor * l->usual_mb_s) /
				     l->usual_mb_s);
		levels_smooth(raw, l->n, l->y);
		free(raw);
		raw = NULL;
		l->sigma = levels_sigma(l->y, l->n);
		levels_find(l->y, l->n, l->sigma, leg_bins(l, tuning.min_level_s), leg_bins(l, 4),
			    &l->levels);
	}
	free(raw);
}

static void find_loss(struct leg *l, const struct run *run)
{
	const struct series *s = &run->series;

	l->lost_s = NAN;
	for (size_t e = 0; e < s->n_events; e++)
		if (s->events[e].kind == EVENT_LOST && s->events[e].row >= l->first_row &&
		    s->events[e].row <= l->end_row && isnan(l->lost_s))
			l->lost_s = series_time(s, s->events[e].row);
}

static void read_leg(struct leg *l, const struct run *run, const struct temps *temps)
{
	double dt = row_dt_s(run, l->first_row);

	if (l->op == OP_NONE)
		l->op = run->load.op;
	/* The row before a load may lie far back (idle polls): its interval is not the load's. */
	if (l->first_row > 0 && l->end_row - l->first_row > 2)
		dt = fmin(dt, 1.5 * usual_spacing(run, l->first_row, l->end_row));
	l->start_s = series_time(&run->series, l->first_row) - dt;
	l->end_s = series_time(&run->series, l->end_row - 1);
	alloc_bins(l, &run->series, l->end_row - l->first_row);
	fill_temps(l, temps, fill_bins(l, run, temps));
	if (l->n)
		fill_speeds(l);
	witness_read(l, run);
	find_loss(l, run);
}

size_t legs_read(const struct run *run, const struct temps *temps, struct leg **out)
{
	struct stretch *loads;
	size_t n = split_loads(run, &loads);
	struct leg *legs = xreallocarray(NULL, n ? n : 1, sizeof(*legs));

	for (size_t i = 0; i < n; i++) {
		legs[i] = (struct leg){.first_row = loads[i].first,
				       .end_row = loads[i].end,
				       .op = loads[i].op,
				       .phase = loads[i].phase};
		read_leg(&legs[i], run, temps);
	}
	free(loads);
	*out = legs;
	return n;
}

void legs_free(struct leg *legs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct leg *l = &legs[i];
		double *const columns[] = {
		    l->time_s,  l->mb_s, l->y,    l->own_c, l->bytes,         l->queue,
		    l->foreign, l->util, l->link, l->cpu,   l->highest.value, l->lowest.value};

		for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++)
			free(columns[c]);
		free(l->highest.bin);
		free(l->lowest.bin);
		levels_free(&l->levels);
	}
	free(legs);
}
