/* The simulated drive as the rest of the program sees it: a load engine and a sensor. */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "engines/members.h"
#include "sim/sim_preset.h"
#include "throttlog/clock.h"
#include "throttlog/sensor.h"
#include "throttlog/sim.h"
#include "throttlog/target.h"

extern const struct sensor_ops sensor_sim;

static struct load_counters counters;

static struct engine *open_engine(struct sim *s, enum op op, uint32_t block_bytes, unsigned depth)
{
	struct engine_config c = {
	    .op = op,
	    .block_bytes = block_bytes,
	    .queue_depth = depth,
	    .fd = -1,
	    .align_bytes = 512,
	    .region_bytes = 100 * (uint64_t)block_bytes,
	    .sim = s,
	    .counters = &counters,
	};
	struct engine *e = NULL;
	char why[128] = "";

	memset(&counters, 0, sizeof(counters));
	assert_int_equal(engine_sim.open(&e, &c, why, sizeof(why)), 0);
	return e;
}

static void step_second(struct engine *e, struct sim *s, int64_t slice_ns, struct sample *out)
{
	static struct load_snapshot before, after;
	int64_t end = sim_now_ns(s) + NS_PER_S;

	load_counters_take(&counters, &before);
	for (int64_t t = sim_now_ns(s) + slice_ns; t < end; t += slice_ns)
		assert_int_equal(engine_sim.step(e, t), 0);
	assert_int_equal(engine_sim.step(e, end), 0);
	load_counters_take(&counters, &after);
	load_snapshot_sample(&before, &after, 1, out);
}

static void engine_publishes_what_the_model_moved(void **state)
{
	struct sim *s = sim_new("xg5-p");
	struct engine *e = open_engine(s, OP_READ, 131072, 32);
	const struct engine_ops *chosen = NULL;
	char why[128] = "";
	struct sample row;

	(void)state;
	assert_true(engine_sim.simulated);
	assert_int_equal(engine_sim.probe(), 0);
	assert_int_equal(engine_choose("sim", &chosen, why, sizeof(why)), 0);
	assert_ptr_equal(chosen, &engine_sim);
	for (int i = 0; i < 100; i++)
		step_second(e, s, 50 * NS_PER_MS, &row);
	assert_true(atomic_load(&counters.bytes) == atomic_load(&counters.ios) * 131072);
	assert_true(sim_bytes(s) - atomic_load(&counters.bytes) < 131072);
	assert_true(atomic_load(&counters.errors) == 0);
	/* After a minute heat has taken a quarter. */
	assert_true(row.mb_s > 2100 && row.mb_s < 2500);
	engine_sim.close(e);
	sim_free(s);
}

static void latencies_obey_littles_law(void **state)
{
	static const unsigned depths[] = {1, 4, 32, 256};
	static const uint32_t blocks[] = {4096, 131072, 4194304};

	(void)state;
	for (size_t d = 0; d < 4; d++)
		for (size_t b = 0; b < 3; b++) {
			struct sim *s = sim_new("xg5");
			struct engine *e = open_engine(s, OP_READ, blocks[b], depths[d]);
			struct sample row;
			double in_flight;

			step_second(e, s, 50 * NS_PER_MS, &row);
			step_second(e, s, 50 * NS_PER_MS, &row);
			in_flight = row.iops * row.lat_avg_us / 1e6;
			assert_true(fabs(in_flight - depths[d]) < 0.02 * depths[d] + 0.1);
			assert_true(fabs(row.queue_avg - depths[d]) < 0.01 * depths[d]);
			if (row.iops > 2000) {
				assert_true(row.lat_p99_us > 1.3 * row.lat_avg_us);
				assert_true(row.lat_p99_us < 4 * row.lat_avg_us);
			}
			assert_true(row.lat_max_us >= row.lat_p99_us);
			engine_sim.close(e);
			sim_free(s);
		}
}

static void slices_of_the_engine_move_the_same_bytes(void **state)
{
	uint64_t bytes[3];
	static const int64_t slices_ns[] = {NS_PER_S, 50 * NS_PER_MS, 7 * NS_PER_MS};

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		struct sim *s = sim_new("bg3");
		struct engine *e = open_engine(s, OP_WRITE, 131072, 32);
		struct sample row;

		for (int i = 0; i < 30; i++)
			step_second(e, s, slices_ns[k], &row);
		bytes[k] = atomic_load(&counters.bytes);
		assert_true(bytes[k] == bytes[0]);
		engine_sim.close(e);
		sim_free(s);
	}
}

static void pauses_and_other_loads_work(void **state)
{
	struct sim *s = sim_new("mte850");
	struct engine *e = open_engine(s, OP_WRITE, 131072, 32);
	struct sample row;
	uint64_t bytes;

	(void)state;
	step_second(e, s, 100 * NS_PER_MS, &row);
	assert_true(row.mb_s > 1000 && row.mb_s < 1400);
	assert_int_equal(engine_sim.set_op(e, OP_READ), 0);
	step_second(e, s, 100 * NS_PER_MS, &row);
	assert_true(row.mb_s > 2200);
	assert_int_equal(engine_sim.set_op(e, OP_NONE), -EINVAL);

	assert_int_equal(engine_sim.drain(e, 0), 0);
	bytes = sim_bytes(s);
	sim_advance(s, sim_now_ns(s) + 10 * NS_PER_S);
	assert_true(sim_bytes(s) == bytes);
	step_second(e, s, 100 * NS_PER_MS, &row);
	assert_true(row.mb_s > 2200 && row.lat_max_us < 1e6); /* the pause is nobody's latency */
	assert_true(engine_sim.position(e) % 131072 == 0);
	assert_true(engine_sim.position(e) < 100 * 131072);
	assert_int_equal(engine_sim.step(e, 0), 0); /* past times change nothing */
	engine_sim.close(e);
	bytes = sim_bytes(s);
	sim_advance(s, sim_now_ns(s) + NS_PER_S);
	assert_true(sim_bytes(s) == bytes);
	sim_free(s);
}

static void open_needs_a_drive(void **state)
{
	struct engine_config c = {.op = OP_READ, .block_bytes = 4096, .queue_depth = 1};
	struct engine *e = NULL;
	char why[128] = "";

	(void)state;
	assert_int_equal(engine_sim.open(&e, &c, why, sizeof(why)), -EINVAL);
	assert_true(why[0] != '\0');
}

static struct sim *sim_that_dies(void)
{
	struct sim_preset p = sim_presets[0];

	p.throttle = (struct sim_policy){
	    .kind = SIM_POLICY_SHUTDOWN, .limit_c = 60, .release_k = 1};
	return sim_custom(&p);
}

static void sensor_reads_until_the_drive_is_gone(void **state)
{
	bool have[FIELD_COUNT] = {false};
	static struct target t;
	struct engine *e;
	struct sensor *k = NULL;
	struct sample row;
	char why[128] = "";
	int err = 0;

	(void)state;
	t.kind = TARGET_SIM;
	t.sim = sim_that_dies();
	e = open_engine(t.sim, OP_READ, 131072, 32);
	assert_int_equal(sensor_sim.open(&k, &t, have, why, sizeof(why)), 0);
	assert_ptr_equal(k->ops, &sensor_sim);
	assert_true(k->can[FIELD_TEMP] && k->can[FIELD_WARNING_MIN] && k->can[FIELD_LINK_WIDTH]);
	assert_false(k->can[FIELD_MB_S] || k->can[FIELD_HOST_C]);
	assert_true(t.drive.limits.wctemp_c == 78);
	sample_clear(&row);
	row.mb_s = 12;
	assert_int_equal(sensor_sim.read(k, &row), 0);
	assert_true(row.temp_c == 45 && row.mb_s == 12 && isnan(row.host_c));

	for (int i = 1; i <= 100 && !err; i++)
		err = engine_sim.step(e, i * NS_PER_S);
	assert_int_equal(err, -ENODEV);
	assert_true(atomic_load(&counters.errors) == 1);
	assert_int_equal(sensor_sim.read(k, &row), -ENODEV);
	sensor_sim.close(k);
	assert_int_equal(sensor_sim.open(&k, &t, have, why, sizeof(why)), -ENODEV);
	engine_sim.close(e);
	sim_free(t.sim);

	t.kind = TARGET_BLOCK;
	t.sim = NULL;
	assert_int_equal(sensor_sim.open(&k, &t, have, why, sizeof(why)), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(engine_publishes_what_the_model_moved),
	    cmocka_unit_test(latencies_obey_littles_law),
	    cmocka_unit_test(slices_of_the_engine_move_the_same_bytes),
	    cmocka_unit_test(pauses_and_other_loads_work),
	    cmocka_unit_test(open_needs_a_drive),
	    cmocka_unit_test(sensor_reads_until_the_drive_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
