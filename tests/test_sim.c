/*
 * The presets of the simulated drives against what was published about the real ones, and what any
 * simulated drive must keep: the same rows for the same calls, true units, sane physics.
 */
#include "cmocka_all.h"

#include <string.h>
#include <time.h>

#include "sim_run.h"

#define BINARY 1.048576 /* the reviews' MB/s in 10^6 bytes */

/* What must come out; NAN or 0 where nothing is claimed. */
struct expected {
	const char *preset;
	enum op op;
	double idle_min_c, idle_max_c;
	int onset_min_s, onset_max_s; /* 0: heat must never show */
	double limit_c;               /* reading at the onset; without onset: never above */
	double loss_min, loss_max;    /* from the level right before the onset to the rest's mean */
	double first_mb_s;            /* cache, or the only level */
	double direct_mb_s;           /* after the cache */
	int cache_end_min_s, cache_end_max_s;
};

static const struct expected table[] = {
    {"xg5", OP_WRITE, 40, 50, 169, 179, 80, 0.01, 0.05, 2000, 900, 2, 3},
    {"xg5", OP_READ, 40, 50, 150, 300, 80, 0.01, 0.05, 2800, 0, 0, 0},
    {"xg5-p", OP_WRITE, 40, 50, 56, 65, 80, 0.22, 0.29, 2100, 990, 2, 3},
    {"xg5-p", OP_READ, 40, 50, 56, 68, 80, 0.22, 0.29, 2900, 0, 0, 0},
    {"bg3", OP_WRITE, 70, 75, 19, 23, 80, 0.42, 0.58, 900, 400, 18, 20},
    {"bg3", OP_READ, 70, 75, 19, 23, 80, 0.42, 0.58, 1400, 0, 0, 0},
    {"mte850", OP_READ, 61, 61, 0, 0, 65, 0, 0, 2.3 * 1024, 0, 0, 0},
    {"mte850", OP_WRITE, 61, 61, 18, 22, 68, 0.6, 0.8, 1.1 * 1024, 0, 0, 0},
    {"sx8000", OP_WRITE, 55, 62, 14, 17, 68, 0.5, 0.85, 1000, 0, 0, 0},
    {"sx8000", OP_READ, 55, 62, 0, 0, 65, 0, 0, 2.2 * 1024, 0, 0, 0},
    {"m8v", OP_WRITE, 30, 45, 0, 0, 65, 0, 0, 500, 340, 15, 19},
    {"m8v", OP_READ, 30, 45, 0, 0, 65, 0, 0, 530, 0, 0, 0},
    {"trion150", OP_WRITE, 30, 45, 0, 0, 65, 0, 0, 270, 115, 11, 13},
    {"trion150", OP_READ, 30, 45, 0, 0, 65, 0, 0, 530, 0, 0, 0},
    {"esd310", OP_WRITE, 30, 45, 200, 400, 70, 0.08, 0.16, 900, 170, 112, 116},
    {"esd310", OP_READ, 30, 45, 0, 0, 69, 0, 0, 950, 0, 0, 0},
};

#define NEAR(value, wanted, share)                                                                 \
	do {                                                                                       \
		double value_ = (value), wanted_ = (wanted);                                       \
		if (!(fabs(value_ - wanted_) <= fabs(wanted_) * (share)))                          \
			fail_msg("%s: %g is not within %g of %g", #value, value_, (double)(share), \
				 wanted_);                                                         \
	} while (0)
#define WITHIN(value, low, high)                                                           \
	do {                                                                               \
		double value_ = (value);                                                   \
		if (!(value_ >= (low) && value_ <= (high)))                                \
			fail_msg("%s: %g is not in %g..%g", #value, value_, (double)(low), \
				 (double)(high));                                          \
	} while (0)

static struct sim_run run_preset(const char *preset, enum op op, uint64_t seed)
{
	struct sim *s = sim_new(preset);

	assert_non_null(s);
	sim_seed(s, seed);
	return sim_run_phases(s, op, 60, 600, 180);
}

static void compare(const struct expected *e, uint64_t seed)
{
	struct sim_run r = run_preset(e->preset, e->op, seed);
	int onset = sim_run_onset(&r), cache_end = 0;
	double max_c = 0;

	print_message("# %s %s: onset %d s\n", e->preset, op_names[e->op], onset);
	WITHIN(r.row[0].smart.temp_c, e->idle_min_c, e->idle_max_c);
	for (int i = 1; i <= r.load; i++)
		max_c = fmax(max_c, r.row[i].smart.temp_c);
	if (e->direct_mb_s > 0) {
		cache_end = sim_run_below(&r, 0.5 * (e->first_mb_s + e->direct_mb_s) * BINARY);
		WITHIN(cache_end, e->cache_end_min_s, e->cache_end_max_s);
		NEAR(sim_run_mean(&r, cache_end, cache_end + 1), e->direct_mb_s * BINARY, 0.06);
	}
	NEAR(r.row[1].mb_s, e->first_mb_s * BINARY, 0.06);
	if (!e->onset_max_s) {
		assert_int_equal(onset, 0);
		assert_true(max_c <= e->limit_c);
	} else {
		int end = strcmp(e->preset, "esd310") ? 600 : onset + 60; /* then the next level */
		int from = onset - 30 > cache_end ? onset - 30 : cache_end;
		double before = sim_run_mean(&r, from, onset - 1);

		WITHIN(onset, e->onset_min_s, e->onset_max_s);
		WITHIN(r.row[onset - 1].smart.temp_c, e->limit_c - 1, e->limit_c);
		WITHIN(fmax(r.row[onset - 1].smart.temp_c, r.row[onset].smart.temp_c), e->limit_c,
		       e->limit_c);
		assert_true(max_c <= e->limit_c + 1);
		WITHIN(1 - sim_run_mean(&r, onset, end) / before, e->loss_min, e->loss_max);
	}
	sim_run_free(&r);
}

static void presets_do_what_was_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			compare(&table[i], seed);
}

static void every_preset_is_in_the_table(void **state)
{
	const char *const *names = sim_names();
	size_t n = 0;

	(void)state;
	for (; names[n]; n++) {
		int found = 0;

		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
			found += strcmp(table[i].preset, names[n]) == 0;
		assert_int_equal(found, 2);
		assert_non_null(sim_help(names[n]));
		assert_null(sim_preset_check(&sim_presets[n]));
	}
	assert_int_equal(n, sim_presets_count);
	assert_null(sim_new("no-such-drive"));
	assert_null(sim_help("no-such-drive"));
}

static void xg5_stays_parked_at_its_limit(void **state)
{
	struct sim_run r = run_preset("xg5", OP_WRITE, 1);

	(void)state;
	for (int i = 180; i <= 600; i++)
		assert_true(r.row[i].smart.temp_c == 80);
	sim_run_free(&r);
}

static void xg5p_writes_a_tenth_faster_than_xg5(void **state)
{
	struct sim_run a = run_preset("xg5", OP_WRITE, 1), b = run_preset("xg5-p", OP_WRITE, 1);

	(void)state;
	NEAR(sim_run_mean(&b, 5, 50) / sim_run_mean(&a, 5, 50), 1.1, 0.02);
	sim_run_free(&a);
	sim_run_free(&b);
}

static double roughness(const struct sim_run *r, int from, int to)
{
	double mean = sim_run_mean(r, from, to), sum = 0;

	for (int i = from + 1; i <= to; i++)
		sum += (r->row[i].mb_s - mean) * (r->row[i].mb_s - mean);
	return sqrt(sum / (to - from)) / mean;
}

static void bg3_shows_both_drops_and_becomes_unstable(void **state)
{
	struct sim_run w = run_preset("bg3", OP_WRITE, 1), r = run_preset("bg3", OP_READ, 1);

	(void)state;
	NEAR(w.row[15].mb_s, 900 * BINARY, 0.06);
	NEAR(w.row[20].mb_s, 400 * BINARY, 0.06);
	NEAR(sim_run_mean(&w, 21, 60), 200 * BINARY, 0.3);
	assert_true(roughness(&r, 21, 600) > 5 * roughness(&r, 1, 20));
	/* WCTEMP is 82: the minutes stand still, and so do an earlier host's totals. */
	assert_true(r.row[600].smart.warning_min == r.row[0].smart.warning_min);
	assert_true(r.row[600].smart.tmt1_count == r.row[0].smart.tmt1_count);
	assert_true(r.row[0].smart.tmt1_count > 0);
	sim_run_free(&w);
	sim_run_free(&r);
}

static void mte850_alarms_without_throttling(void **state)
{
	struct sim_run r = run_preset("mte850", OP_READ, 1);

	(void)state;
	assert_true(r.row[0].smart.critical_warning == 0);
	assert_true(r.row[300].smart.critical_warning == 2);
	WITHIN(r.row[600].smart.temp_c - r.row[0].smart.temp_c, 2, 3);
	WITHIN(r.row[600].smart.warning_min - r.row[0].smart.warning_min, 8, 10);
	sim_run_free(&r);
}

static int count_falls(const struct sim_run *r, int from, int to)
{
	int falls = 0;

	for (int i = from + 1; i <= to; i++)
		falls += r->row[i - 1].share == 1 && r->row[i].share < 1;
	return falls;
}

static void first_tries_to_go_on_end_low(void **state)
{
	static const char *const names[] = {"mte850", "xg5-p"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct sim_run r = run_preset(names[i], OP_WRITE, 1);

		WITHIN(count_falls(&r, 1, 150), 2, 6);
		assert_int_equal(count_falls(&r, 150, 600), 0);
		assert_true(r.row[600].share < 0.8);
		sim_run_free(&r);
	}
}

static void sx8000_writes_in_turns(void **state)
{
	struct sim_run r = run_preset("sx8000", OP_WRITE, 1);

	(void)state;
	WITHIN(count_falls(&r, 1, 600), 8, 60);
	sim_run_free(&r);
}

static void esd310_has_one_step_of_heat_and_two_of_bytes(void **state)
{
	struct sim_run r = run_preset("esd310", OP_WRITE, 1);
	int onset = sim_run_onset(&r);

	(void)state;
	NEAR(sim_run_mean(&r, onset - 60, onset - 1), 170 * BINARY, 0.05);
	NEAR(sim_run_mean(&r, 520, 600), 100 * BINARY, 0.05);
	assert_true(r.row[600].share == 1);
	assert_true(isnan(r.row[600].smart.warning_min) && isnan(r.row[600].smart.tmt1_count));
	sim_run_free(&r);
}

static int same_rows(const struct sim_run *a, const struct sim_run *b)
{
	int n = a->base + a->load + a->cool + 1, same = 0;

	for (int i = 0; i < n; i++)
		same += memcmp(&a->all[i], &b->all[i], sizeof(a->all[i])) == 0;
	return same == n;
}

static void the_seed_decides_the_rows(void **state)
{
	const char *const *names = sim_names();

	(void)state;
	for (size_t i = 0; names[i]; i++) {
		struct sim_run a = run_preset(names[i], OP_WRITE, 7);
		struct sim_run b = run_preset(names[i], OP_WRITE, 7);
		struct sim_run c = run_preset(names[i], OP_WRITE, 8);

		assert_true(same_rows(&a, &b));
		assert_false(same_rows(&a, &c));
		sim_run_free(&a);
		sim_run_free(&b);
		sim_run_free(&c);
	}
}

static void slices_do_not_matter(void **state)
{
	/* Odd, tiny and large steps, all meeting at whole seconds. */
	static const int64_t slices_ns[] = {1, 3333333, 10000000, 49999999, 250000001, NS_PER_S};
	uint64_t bytes[6];
	struct sample smart[6];

	(void)state;
	for (size_t k = 0; k < 6; k++) {
		struct sim *s = sim_new("bg3");

		sim_set_load(s, OP_WRITE, 131072, 32);
		for (int64_t t = NS_PER_S; t <= 40 * NS_PER_S; t += NS_PER_S) {
			int64_t from = t - (k ? NS_PER_S : 20000);

			for (int64_t u = from; u < t; u += slices_ns[k])
				sim_advance(s, u);
			sim_advance(s, t);
			sim_advance(s, t - 5); /* never back */
			assert_true(sim_now_ns(s) == t);
		}
		bytes[k] = sim_bytes(s);
		sample_clear(&smart[k]);
		sim_smart(s, &smart[k]);
		assert_true(bytes[k] == bytes[0]);
		assert_memory_equal(&smart[k], &smart[0], sizeof(smart[0]));
		sim_free(s);
	}
}

static void readings_are_whole_degrees_and_never_wild(void **state)
{
	const char *const *names = sim_names();

	(void)state;
	for (size_t i = 0; names[i]; i++)
		for (int op = OP_READ; op <= OP_WRITE; op++) {
			struct sim_run r = run_preset(names[i], (enum op)op, 3);
			struct sim *s = sim_new(names[i]);
			bool can[FIELD_COUNT];

			sim_fields(s, can);
			assert_true(can[FIELD_TEMP]);
			for (int k = 0; k <= 840; k++) {
				const struct sample *m = &r.all[k].smart;

				for (int f = 0; f < FIELD_COUNT; f++)
					assert_int_equal(can[f],
							 !isnan(sample_get(m, (enum field)f)));
				assert_true(m->temp_c == floor(m->temp_c));
				WITHIN(m->temp_c - r.all[k].chip_c, -3, 3);
				WITHIN(m->temp_c, 20, 90);
				assert_true(isfinite(r.all[k].mb_s) && r.all[k].mb_s >= 0);
			}
			/* Warm after the load, cooling, back towards idle. */
			assert_true(r.row[780].smart.temp_c <= r.row[610].smart.temp_c);
			assert_true(r.row[780].smart.temp_c >= r.row[0].smart.temp_c);
			sim_free(s);
			sim_run_free(&r);
		}
}

static void drives_say_who_they_are(void **state)
{
	struct drive d;
	struct sim *s = sim_new("xg5");

	(void)state;
	sim_drive(s, &d);
	assert_non_null(strstr(d.model, "KXG5AZNV1T02"));
	assert_non_null(strstr(d.serial, "SIM0001"));
	assert_string_equal(d.transport, "sim");
	assert_true(d.limits.wctemp_c == 78 && d.limits.cctemp_c == 82);
	assert_true(isnan(d.limits.tmt1_c) && isnan(d.limits.tmt2_c));
	assert_true(d.capacity_bytes == sim_capacity(s) && d.capacity_bytes > 1000000000000u);
	sim_free(s);
	s = sim_new("m8v");
	sim_drive(s, &d);
	assert_true(isnan(d.limits.wctemp_c));
	sim_free(s);
}

static void a_long_run_is_quick(void **state)
{
	clock_t start = clock(), took;
	struct sim_run r = run_preset("xg5-p", OP_WRITE, 1);

	(void)state;
	took = clock() - start;
	/* Far below what it does, for sanitizers. */
	assert_true(r.base + r.load + r.cool > 200.0 * (double)took / CLOCKS_PER_SEC);
	sim_run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(presets_do_what_was_published),
	    cmocka_unit_test(every_preset_is_in_the_table),
	    cmocka_unit_test(xg5_stays_parked_at_its_limit),
	    cmocka_unit_test(xg5p_writes_a_tenth_faster_than_xg5),
	    cmocka_unit_test(bg3_shows_both_drops_and_becomes_unstable),
	    cmocka_unit_test(mte850_alarms_without_throttling),
	    cmocka_unit_test(first_tries_to_go_on_end_low),
	    cmocka_unit_test(sx8000_writes_in_turns),
	    cmocka_unit_test(esd310_has_one_step_of_heat_and_two_of_bytes),
	    cmocka_unit_test(the_seed_decides_the_rows),
	    cmocka_unit_test(slices_do_not_matter),
	    cmocka_unit_test(readings_are_whole_degrees_and_never_wild),
	    cmocka_unit_test(drives_say_who_they_are),
	    cmocka_unit_test(a_long_run_is_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
