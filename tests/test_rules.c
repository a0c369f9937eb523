/*
 * The evidence rules as a table: complete, and none is dead. Each, switched off alone, changes
 * what is said about some log: is it heat, of which class, from which causes.
 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rules.h"
#include "analysis/tuning.h"
#include "eval/eval.h"
#include "rows.h"
#include "throttlog/alloc.h"

#define DRAWN 1000
#define MADE  20

static struct run *logs[DRAWN + MADE];
static unsigned said[DRAWN + MADE];
static int n_logs;

/* What is said, in one number. */
static unsigned outcome(const struct run *run, const char *without)
{
	struct verdict v;
	unsigned sum;

	verdict_make_without(run, without, &v);
	sum = (unsigned)(v.throttled + 1) + 4 * (unsigned)v.klass;
	for (size_t i = 0; i < v.n_drops; i++)
		sum = sum * 31 + (unsigned)v.drops[i].cause * 2 + v.drops[i].open;
	verdict_fini(&v);
	return sum;
}

static void keep(struct run *run)
{
	logs[n_logs] = run;
	said[n_logs++] = outcome(run, NULL);
}

static struct rows rows;

static void begin(enum op op)
{
	rows_begin(&rows, op);
	rows_idle(&rows, 45);
}

static void end(void)
{
	struct run *run = xreallocarray(NULL, 1, sizeof(*run));

	*run = rows.run;
	keep(run);
}

/* Slow and fast in turn between `hot_c` and 4 K below, longer to cool each time. */
static void cycles(int n, double fast, double slow, double hot_c)
{
	for (int i = 0; i < n; i++) {
		rows_load(&rows, 12 + 2 * i, slow, hot_c, hot_c - 4);
		rows_load(&rows, 24 - 2 * i, fast, hot_c - 4, hot_c);
	}
}

/* A read that shows the limit, then a write with one lasting step there. */
static void read_then_write(void)
{
	begin(OP_READ);
	rows_load(&rows, 60, 3000, 45, 75);
	cycles(5, 3000, 900, 75);
	for (int i = 0; i < 120; i++)
		rows_add(&rows, PHASE_PAUSE, 0, 75 - i / 4.0);
	rows.run.load.op = OP_WRITE;
	rows_load(&rows, 80, 2000, 45, 75);
	rows_load(&rows, 100, 1000, 75, 73);
	end();
}

/* Writing runs up to 84 °C at full speed; then reading has one lasting step at 72. */
static void hotter_before(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 150, 1000, 45, 84);
	for (int i = 0; i < 120; i++)
		rows_add(&rows, PHASE_COOLDOWN, 0, 84 - i / 3.0);
	rows.run.load.op = OP_READ;
	rows_load(&rows, 80, 3000, 45, 72);
	rows_load(&rows, 100, 1500, 72, 70);
	end();
}

/* The same drop after as many bytes, bare and with a fan. */
static void bare_and_cooled(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 60, 1500, 40, 66);
	rows_load(&rows, 200, 450, 66, 60);
	for (int i = 0; i < 120; i++)
		rows_add(&rows, PHASE_PAUSE, 0, 60 - i / 4.0);
	rows_load(&rows, 60, 1500, 30, 42);
	rows_load(&rows, 200, 450, 42, 40);
	end();
}

static void by_the_clock(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 200, 2000, 45, 75);
	for (int i = 0; i < 8; i++) {
		rows_load(&rows, 15, 400, 75, 71);
		rows_load(&rows, 20, 2000, 71, 75);
	}
	end();
}

/* The cache ends two seconds before the limit. */
static void two_steps(void)
{
	begin(OP_WRITE);
	rows.run.drive.limits.wctemp_c = 72;
	rows_load(&rows, 60, 1800, 50, 70);
	rows_load(&rows, 2, 900, 71, 71);
	rows_load(&rows, 200, 450, 71, 68);
	end();
}

static void counted_without_temperature(void)
{
	begin(OP_WRITE);
	rows.next.tmt1_count = 1;
	rows_load(&rows, 60, 1800, NAN, NAN);
	rows.next.tmt1_count = 2;
	rows_load(&rows, 60, 900, NAN, NAN);
	end();
}

static void recorded_by_the_drive(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 60, 1800, NAN, NAN);
	rows_load(&rows, 60, 900, NAN, NAN);
	series_event(&rows.run.series, EVENT_PEL, NAN, "self-throttling@120.4s+1K");
	end();
	begin(OP_WRITE);
	rows.next.ocp_throttle_status = 0;
	rows_load(&rows, 60, 1800, NAN, NAN);
	rows.next.ocp_throttle_status = 1;
	rows_load(&rows, 60, 900, NAN, NAN);
	end();
}

/* Dips that begin only after minutes at the same temperature. */
static void long_there_already(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 60, 2000, 45, 74.6);
	rows_load(&rows, 240, 2000, 75, 75);
	cycles(4, 2000, 500, 75);
	end();
}

static void slow_though_cold(void)
{
	begin(OP_READ);
	rows_load(&rows, 60, 3000, 45, 75);
	rows_load(&rows, 40, 1500, 75, 60);
	rows_load(&rows, 150, 1500, 60, 58);
	end();
}

/* A third less speed, and the temperature goes on as if nothing had happened. */
static void heats_as_before(void)
{
	begin(OP_READ);
	rows_load(&rows, 100, 3000, 45, 75);
	rows_load(&rows, 9, 2000, 75, 77.7);
	rows_load(&rows, 120, 2000, 78, 78);
	end();
}

/* Stood a minute where it is cut; hotter then, and cut again. */
static void cut_and_cut_again(void)
{
	begin(OP_READ);
	rows_load(&rows, 60, 3000, 45, 72);
	rows_load(&rows, 60, 3000, 72, 72);
	rows_load(&rows, 45, 2200, 72, 77.5);
	rows_load(&rows, 30, 900, 77, 76);
	rows_load(&rows, 90, 900, 76, 66);
	end();
}

static void near_the_end_of_a_read(void)
{
	begin(OP_READ);
	rows.run.drive.limits.wctemp_c = 76;
	rows_load(&rows, 60, 3000, 45, 75);
	rows_load(&rows, 40, 1500, 75, 73);
	end();
}

/* Twice at the same temperature beyond WCTEMP, and the load ends. */
static void beyond_the_warning(void)
{
	begin(OP_WRITE);
	rows.run.drive.limits.wctemp_c = 70;
	rows_load(&rows, 60, 2000, 45, 75);
	rows_load(&rows, 12, 500, 75, 71);
	rows_load(&rows, 14, 2000, 71, 75);
	rows_load(&rows, 14, 500, 75, 71);
	rows_load(&rows, 8, 2000, 71, 73);
	end();
}

/* Once more at the same temperature, but twice at others. */
static void at_other_temperatures(void)
{
	begin(OP_READ);
	rows.run.drive.limits.wctemp_c = 70;
	rows_load(&rows, 60, 2000, 45, 75);
	for (int i = 0; i < 4; i++) {
		double c = i == 2 ? 75 : 71;

		rows_load(&rows, 12 + i, 500, i ? c : 75, 68);
		rows_load(&rows, 20 - i, 2000, 68, i == 1 ? 75 : 71);
	}
	end();
}

/* One dip, and full speed at the same temperature ever after. */
static void full_speed_afterwards(void)
{
	begin(OP_READ);
	rows.run.drive.limits.wctemp_c = 76;
	rows_load(&rows, 60, 2000, 45, 75);
	rows_load(&rows, 12, 800, 75, 74.6);
	rows_load(&rows, 150, 2000, 75, 75);
	end();
}

/* Dips when cooler, then a cut and the same again and again: by that alone it is still open. */
static void dips_before_cuts(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 40, 2000, 45, 66);
	rows_load(&rows, 6, 900, 66, 66);
	rows_load(&rows, 60, 2000, 66, 75);
	for (int i = 0; i < 4; i++) {
		rows_load(&rows, 10 + 3 * i, 900, 75, 71);
		rows_load(&rows, 24 - 2 * i, 2000, 71, 75);
	}
	end();
}

static void held_at_a_stated_limit(void)
{
	begin(OP_WRITE);
	rows.run.drive.limits.wctemp_c = 78;
	rows_load(&rows, 60, 1000, 50, 80);
	rows_load(&rows, 400, 750, 80, 80);
	end();
}

/* Few steps far apart, each as it gets hotter. */
static void in_a_band(void)
{
	static const int seconds[] = {20, 55, 25, 58, 22, 150};

	begin(OP_WRITE);
	rows_load(&rows, 120, 2000, 40, 70);
	for (int i = 0; i < 6; i++)
		rows_load(&rows, seconds[i], 1800 - 180 * i, 70 + 2 * i,
			  71.5 + (i < 5 ? 2 * i : 8));
	end();
}

static void slower_as_it_warms(void)
{
	begin(OP_WRITE);
	rows_load(&rows, 120, 2000, 40, 70);
	for (int i = 0; i < 90; i++)
		rows_load(&rows, 1, 2000 - 10 * i, 70 + i / 13.0, 70 + i / 13.0);
	end();
}

static void (*const made[])(void) = {
    read_then_write,
    hotter_before,
    bare_and_cooled,
    by_the_clock,
    two_steps,
    counted_without_temperature,
    recorded_by_the_drive,
    long_there_already,
    slow_though_cold,
    heats_as_before,
    near_the_end_of_a_read,
    cut_and_cut_again,
    beyond_the_warning,
    held_at_a_stated_limit,
    dips_before_cuts,
    in_a_band,
    slower_as_it_warms,
    at_other_temperatures,
    full_speed_afterwards,
};

static int setup(void **state)
{
	struct dice dice = {4711};
	struct spec spec;
	static struct synth synth;

	(void)state;
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		made[i]();
	for (int i = 0; i < DRAWN; i++) {
		struct run *run = xreallocarray(NULL, 1, sizeof(*run));

		if (i % 2)
			spec_thermal(&dice, &spec);
		else
			spec_decoy(&dice, NULL, &spec);
		eval_log(&spec, dice.state, i % 4 < 3 ? MODE_PASSIVE : MODE_BARE, &synth, run);
		/* Half of the logs as they would be in watch mode. */
		if (i % 10 == 9) {
			run->load.op = OP_NONE;
			memset(run->series.op, OP_NONE, run->series.n);
		}
		keep(run);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < n_logs; i++) {
		run_fini(logs[i]);
		free(logs[i]);
	}
	return 0;
}

static void no_rule_is_dead(void **state)
{
	int dead = 0;

	(void)state;
	for (int r = 0; r < rules_count; r++) {
		int i = 0;

		while (i < n_logs && outcome(logs[i], rules[r].name) == said[i])
			i++;
		if (i < n_logs)
			continue;
		print_message("rule %s changes nothing\n", rules[r].name);
		dead++;
	}
	assert_int_equal(dead, 0);
}

static void rules_are_complete(void **state)
{
	(void)state;
	for (int r = 0; r < rules_count; r++) {
		assert_true(strlen(rules[r].name) > 0 && strlen(rules[r].text) > 0);
		assert_true(rules[r].weight != 0);
		assert_non_null(rules[r].test);
		for (int k = 0; k < r; k++)
			assert_string_not_equal(rules[k].name, rules[r].name);
	}
}

static void constants_are_described(void **state)
{
	(void)state;
	assert_true(tuning_rows_count > 30);
	for (int i = 0; i < tuning_rows_count; i++)
		assert_true(strlen(tuning_rows[i].name) > 0 && strlen(tuning_rows[i].help) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_rule_is_dead),
	    cmocka_unit_test(rules_are_complete),
	    cmocka_unit_test(constants_are_described),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
