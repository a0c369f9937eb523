/* The NVMe/TCP target's heat: SMART log and quirks, events, persistent event log, OCP, pacing. */
#include "cmocka_all.h"

#include <math.h>

#include "rig_client.h"

static struct target_rig target;
static struct host admin;
static uint16_t cntlid;

/* Fifty seconds a second, 20 MB/s: hot after a quarter of a second. */
static int begin(void **state)
{
	char *options[] = {(char[]){"--drive=plain"},
			   (char[]){"--time-scale=50"},
			   (char[]){"--speed=0.02"},
			   (char[]){"--quirk=pel"},
			   (char[]){"--quirk=ocp"},
			   (char[]){"--set=noise=0"},
			   NULL};

	(void)state;
	target = rig_start(options);
	admin = host_admin(&target, &cntlid);
	return 0;
}

static int end(void **state)
{
	(void)state;
	close(admin.fd);
	rig_stop(&target);
	return 0;
}

static void read_mb(int mb)
{
	static uint8_t data[1 << 20];
	struct host q = host_queue(&target, cntlid);

	for (int i = 0; i < mb; i++)
		assert_int_equal(host_io(&q, IO_READ, (uint64_t)i * 2048, 2048, data), 0);
	close(q.fd);
}

static int smart_c(uint8_t page[512])
{
	assert_int_equal(host_log(&admin, LOG_SMART, 0, 0, page, 512), 0);
	return get16(page + 1) - KELVIN;
}

static void event_request(void)
{
	uint8_t sqe[64] = {ADMIN_ASYNC_EVENT};

	admin.event = 0;
	host_submit(&admin, sqe, EVENT_CID, NULL, 0, false);
}

/* Commands that do nothing, until the event has come. */
static uint32_t wait_event(int tries)
{
	while (tries-- && !admin.event) {
		usleep(20000);
		assert_int_equal(host_get(&admin, FEATURE_POWER, 0, 0), 0);
	}
	return admin.event;
}

static void heats_and_throttles(void **state)
{
	uint8_t page[512];
	double from_s, share;

	(void)state;
	assert_true(abs(smart_c(page) - 35) <= 1);
	assert_int_equal(get16(page + 200), get16(page + 1)); /* sensor 1, and no other */
	assert_int_equal(get16(page + 202), 0);
	from_s = rig_state(&target, "model_s ");
	read_mb(16);
	/* At 20 MB/s and 50 s a second of the model; less once it is hot, or on a busy machine. */
	share = 16 * 1.048576 / (20.0 / 50 * (rig_state(&target, "model_s ") - from_s));
	assert_true(share > 0.2 && share < 1.3);
	assert_true(smart_c(page) >= 66);
	assert_true(get64(page + 32) >= 16000 / 512);
	assert_int_equal(get32(page + 216), 0); /* no TMT is set */
}

static void logs_excursions(void **state)
{
	static uint8_t page[4096];
	uint64_t total;
	bool began = false;

	(void)state;
	assert_int_equal(host_log(&admin, 0x0d, 0, 0, page, 512), STATUS_SEQUENCE | NO_RETRY);
	assert_int_equal(host_log(&admin, 0x0d, 1, 0, page, 512), 0);
	assert_int_equal(host_log(&admin, 0x0d, 1, 0, page, 512), STATUS_SEQUENCE | NO_RETRY);
	total = get64(page + 8);
	assert_true(get32(page + 4) >= 1 && total == 512 + 26 * get32(page + 4));
	assert_int_equal(page[481], 0x20);
	assert_memory_equal(page + 56, "T1 ", 3);
	assert_int_equal(host_log(&admin, 0x0d, 0, 512, page, 3584), 0);
	for (uint64_t at = 0; at + 26 <= total - 512 && at + 26 <= 3584; at += 26) {
		assert_int_equal(page[at], 0x0d);
		assert_int_equal(page[at + 2], 21);
		assert_int_equal(get16(page + at + 22), 2);
		began = began || page[at + 25] == 5;
	}
	assert_true(began);
	assert_int_equal(host_log(&admin, 0x0d, 0, total + 512, page, 512),
			 STATUS_INVALID_FIELD | NO_RETRY);
	assert_int_equal(host_log(&admin, 0x0d, 2, 0, page, 512), 0);
	assert_int_equal(host_log(&admin, 0x0d, 0, 0, page, 512), STATUS_SEQUENCE | NO_RETRY);
	assert_int_equal(host_log(&admin, 0x0d, 5, 0, page, 512), STATUS_INVALID_FIELD | NO_RETRY);
}

static void has_other_logs(void **state)
{
	static uint8_t page[4096];

	(void)state;
	assert_int_equal(host_log(&admin, 0xc0, 0, 0, page, 512), 0);
	assert_int_equal(page[496], 0xc5);
	assert_int_equal(page[511], 0xaf);
	assert_true(page[96] >= 1);
	assert_int_equal(host_log(&admin, 0x03, 0, 0, page, 512), 0);
	assert_memory_equal(page + 8, "RIG1    ", 8);
	assert_int_equal(host_log(&admin, 0x05, 0, 0, page, 4096), 0);
	assert_int_equal(get32(page + 4 * ADMIN_IDENTIFY), 1);
	assert_int_equal(host_log(&admin, 0x01, 0, 0, page, 64), 0);
	assert_int_equal(host_log(&admin, 0x7e, 0, 0, page, 64), STATUS_INVALID_LOG | NO_RETRY);
	assert_int_equal(host_log(&admin, 0x02, 0, 2, page, 64), STATUS_INVALID_FIELD | NO_RETRY);
	rig_do(&target, "quirk ocp=off");
	assert_int_equal(host_log(&admin, 0xc0, 0, 0, page, 512), STATUS_INVALID_LOG | NO_RETRY);
}

static void tmt_moves_the_model(void **state)
{
	uint8_t page[512];
	uint32_t before;

	(void)state;
	smart_c(page);
	before = get32(page + 216);
	assert_int_equal(host_set(&admin, FEATURE_HCTM, (273u + 50) << 16 | (273 + 90)), 0);
	read_mb(10);
	smart_c(page);
	assert_true(get32(page + 216) > before);
	assert_int_equal(get32(page + 220), 0);
	assert_int_equal(host_set(&admin, FEATURE_HCTM, 0), 0);
}

static void events_come_once(void **state)
{
	uint8_t page[512];

	(void)state;
	/* Not enabled, so nothing; then the threshold below what it has. */
	event_request();
	assert_int_equal(host_set(&admin, FEATURE_TEMPERATURE, 273 + 20), 0);
	assert_int_equal(wait_event(5), 0);
	assert_int_equal(smart_c(page) > 20 ? page[0] : 2, 2);
	assert_int_equal(host_set(&admin, FEATURE_ASYNC_EVENTS, 2), 0);
	assert_int_equal(wait_event(100), 0x020101);
	/* The next crossing is masked until the log was read. */
	event_request();
	assert_int_equal(host_set(&admin, FEATURE_TEMPERATURE, 273 + 120), 0);
	assert_int_equal(wait_event(5), 0);
	assert_int_equal(host_set(&admin, FEATURE_TEMPERATURE, 273 + 20), 0);
	assert_int_equal(wait_event(5), 0);
	smart_c(page);
	assert_int_equal(wait_event(100), 0x020101);
	event_request();
	rig_do(&target, "aer 0x010101");
	assert_int_equal(wait_event(100), 0x010101);
	assert_int_equal(host_set(&admin, FEATURE_TEMPERATURE, 273 + 80), 0);
}

static void has_quirks(void **state)
{
	uint8_t page[512];
	double now_s;

	(void)state;
	rig_do(&target, "quirk composite-0K");
	usleep(100000);
	assert_int_equal(smart_c(page), -KELVIN);
	rig_do(&target, "quirk composite-0K=off");
	rig_do(&target, "quirk composite-frozen=-5");
	usleep(100000);
	assert_int_equal(smart_c(page), -5);
	rig_do(&target, "quirk composite-frozen=off");
	usleep(100000);
	rig_do(&target, "quirk composite-spike");
	assert_int_equal(smart_c(page), 83);
	assert_int_equal(smart_c(page), 83);
	assert_true(smart_c(page) < 83);
	rig_do(&target, "quirk only-sensor2");
	usleep(100000);
	smart_c(page);
	assert_int_equal(get16(page + 200), 0);
	assert_true(get16(page + 202) > KELVIN);
	rig_do(&target, "quirk warning-bit");
	smart_c(page);
	assert_int_equal(page[0], WARN_TEMPERATURE);
	rig_do(&target, "quirk warning-bit=off");
	rig_do(&target, "quirk smart-fail=6");
	assert_int_equal(host_log(&admin, LOG_SMART, 0, 0, page, 512), STATUS_INTERNAL);
	rig_do(&target, "quirk smart-fail=off");
	rig_do(&target, "quirk smart-slow=0.4");
	now_s = rig_state(&target, "model_s ");
	smart_c(page);
	assert_true(rig_state(&target, "model_s ") - now_s >= 20);
	rig_do(&target, "quirk smart-slow=off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(heats_and_throttles), cmocka_unit_test(logs_excursions),
	    cmocka_unit_test(has_other_logs),      cmocka_unit_test(tmt_moves_the_model),
	    cmocka_unit_test(events_come_once),    cmocka_unit_test(has_quirks),
	};

	return cmocka_run_group_tests_name("rig_heat", tests, begin, end);
}
