/*
 * Lifetime totals of simulated drives in the units of the NVMe SMART log: minutes at and above
 * WCTEMP and CCTEMP, transitions and seconds of host-controlled throttling.
 */
#include "cmocka_all.h"

#include "sim_run.h"

static void minutes_are_minutes(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	int warm = 0, hot = 0;

	(void)state;
	p.limits.wctemp_c = 60;
	p.limits.cctemp_c = 80;
	p.totals = (struct sim_totals){.warning_s = 5 * 60, .critical_s = 2 * 60};
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 600, 0);
	assert_true(r.row[0].smart.warning_min == 5 && r.row[0].smart.critical_min == 2);
	for (int i = 1; i <= 600; i++) {
		double c = r.row[i].smart.temp_c;

		warm += c >= 60 && c < 80;
		hot += c >= 80;
		assert_true(r.row[i].smart.critical_warning == (c >= 60 ? 2 : 0));
	}
	assert_true(warm > 20 && hot > 300);
	assert_true(fabs(r.row[600].smart.warning_min - (5 + warm / 60)) <= 1);
	assert_true(fabs(r.row[600].smart.critical_min - (2 + hot / 60)) <= 1);
	sim_run_free(&r);
}

static void tmt_counts_transitions_and_seconds(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim_run r;
	int light = 0, heavy = 0, entries = 0;

	(void)state;
	p.limits.tmt1_c = 60;
	p.limits.tmt2_c = 66;
	p.totals = (struct sim_totals){
	    .tmt1_count = 40, .tmt1_s = 900, .tmt2_count = 7, .tmt2_s = 80};
	r = sim_run_phases(sim_custom(&p), OP_READ, 5, 600, 0);
	assert_true(r.row[0].smart.tmt1_count == 40 && r.row[0].smart.tmt2_s == 80);
	for (int i = 1; i <= 600; i++) {
		light += r.row[i].share < 1 && r.row[i].share > 0.5;
		heavy += r.row[i].share < 0.5;
		entries += r.row[i].share < 0.5 && r.row[i - 1].share > 0.5;
	}
	assert_true(entries > 1 && light > 10 && heavy > 10);
	assert_true(r.row[600].smart.tmt2_count == 7 + entries);
	assert_true(fabs(r.row[600].smart.tmt1_s - (900 + light)) <= 2);
	assert_true(fabs(r.row[600].smart.tmt2_s - (80 + heavy)) <= 2);
	sim_run_free(&r);
}

static void the_host_may_set_and_clear_tmt(void **state)
{
	struct sim_preset p = sim_plain();
	struct sim *s = sim_custom(&p);
	struct drive d;
	struct sample a, b;

	(void)state;
	sim_set_load(s, OP_READ, 131072, 32);
	sim_advance(s, 30 * NS_PER_S);
	sim_set_tmt(s, NAN, 50); /* heavy only */
	sim_drive(s, &d);
	assert_true(isnan(d.limits.tmt1_c) && d.limits.tmt2_c == 50);
	sim_advance(s, 32 * NS_PER_S);
	assert_true(sim_true_share(s) < 0.5);
	sample_clear(&a);
	sim_smart(s, &a);
	assert_true(a.tmt2_count == 1 && a.tmt1_count == 0 && a.tmt1_s == 0);
	sim_set_tmt(s, NAN, NAN);
	sim_advance(s, 60 * NS_PER_S);
	assert_true(sim_true_share(s) == 1);
	sample_clear(&b);
	sim_smart(s, &b);
	assert_true(b.tmt2_count == 1 && b.tmt2_s == a.tmt2_s);
	sim_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(minutes_are_minutes),
	    cmocka_unit_test(tmt_counts_transitions_and_seconds),
	    cmocka_unit_test(the_host_may_set_and_clear_tmt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
