/* Two runs of one drive, bare and cooled: what they say about the drop that both have. */
#include "cmocka_all.h"

#include <stdlib.h>

#include "rows.h"
#include "throttlog/pair.h"

struct made {
	struct rows rows;
	struct verdict v;
};

static struct made bare, cooled;
static const struct drop *of_bare, *of_cooled;

/* Writes `seconds` at 1500 MB/s up to `hot_c`, then at 450. */
static void make(struct made *m, enum op op, int seconds, double idle_c, double hot_c)
{
	rows_begin(&m->rows, op);
	rows_idle(&m->rows, idle_c);
	rows_load(&m->rows, seconds, 1500, idle_c, hot_c);
	rows_load(&m->rows, 200, 450, hot_c, hot_c - 5);
	rows_judge(&m->rows, &m->v);
}

static enum cause pair(void)
{
	of_bare = of_cooled = NULL;
	return verdict_pair(&bare.v, &cooled.v, &of_bare, &of_cooled);
}

static int end(void **state)
{
	(void)state;
	rows_end(&bare.rows, &bare.v);
	rows_end(&cooled.rows, &cooled.v);
	return 0;
}

static void the_same_bytes_are_a_cache(void **state)
{
	(void)state;
	make(&bare, OP_WRITE, 60, 40, 66);
	make(&cooled, OP_WRITE, 62, 30, 42);
	assert_int_equal(pair(), CAUSE_SLC_CACHE);
	assert_true(fabs(of_bare->bytes - 90e9) < 2e9 && fabs(of_cooled->bytes - 93e9) < 2e9);
	assert_true(of_bare->temp_c > 64 && of_cooled->temp_c < 44);
}

static void the_same_temperature_is_heat(void **state)
{
	(void)state;
	make(&bare, OP_WRITE, 60, 40, 75);
	make(&cooled, OP_WRITE, 110, 35, 75);
	assert_int_equal(pair(), CAUSE_THERMAL);
	assert_true(of_cooled->bytes > 1.5 * of_bare->bytes);
}

static void both_alike_decide_nothing(void **state)
{
	(void)state;
	make(&bare, OP_WRITE, 60, 40, 75);
	make(&cooled, OP_WRITE, 60, 40, 74);
	assert_int_equal(pair(), CAUSE_UNKNOWN);
}

static void both_unlike_decide_nothing(void **state)
{
	(void)state;
	make(&bare, OP_WRITE, 60, 40, 75);
	make(&cooled, OP_WRITE, 110, 30, 64);
	assert_int_equal(pair(), CAUSE_UNKNOWN);
}

static void reads_have_no_cache(void **state)
{
	(void)state;
	make(&bare, OP_READ, 60, 40, 75);
	make(&cooled, OP_READ, 60, 30, 60);
	assert_int_equal(pair(), CAUSE_UNKNOWN);
}

/* Cool at the same temperature twice: no heat. */
static void cool_drops_are_not_heat(void **state)
{
	(void)state;
	make(&bare, OP_WRITE, 60, 30, 45);
	make(&cooled, OP_WRITE, 110, 30, 45);
	assert_int_equal(pair(), CAUSE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(the_same_bytes_are_a_cache, end),
	    cmocka_unit_test_teardown(the_same_temperature_is_heat, end),
	    cmocka_unit_test_teardown(both_alike_decide_nothing, end),
	    cmocka_unit_test_teardown(both_unlike_decide_nothing, end),
	    cmocka_unit_test_teardown(reads_have_no_cache, end),
	    cmocka_unit_test_teardown(cool_drops_are_not_heat, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
