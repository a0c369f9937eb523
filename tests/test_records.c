/*
 * What a drive records and sends by itself, beside the persistent event log: the words of its
 * events, the OCP SMART log, feature 0Bh, and all of it on a simulated drive.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conductor/poller.h"
#include "sensors/ocp_decode.h"
#include "sensors/sensor_table.h"
#include "sensors/smart.h"
#include "sim_run.h"
#include "throttlog/journal.h"
#include "throttlog/target.h"

static void words_read_back(void **state)
{
	static const struct {
		struct journal_entry e;
		const char *text;
	} cases[] = {
	    {{JOURNAL_SELF_THROTTLING, 2, 312.44}, "self-throttling@312.4s+2K"},
	    {{JOURNAL_TMT1, 0, 0}, "tmt1@0.0s"},
	    {{JOURNAL_STOPPED, 0, NAN}, "throttling-stopped"},
	    {{JOURNAL_WCTEMP, 12, -0.5}, "wctemp@-0.5s+12K"},
	    {{0xf3, 255, NAN}, "0xf3+255K"},
	    {{0x00, 0, 1e9}, "0x00@1000000000.0s"},
	};
	static const char *const bad[] = {
	    "",           "self",         "tmt1@",       "tmt1@s",     "tmt1@1", "tmt1+2",
	    "tmt1+K",     "tmt1@1s+300K", "tmt1@1s+-1K", "0xf",        "0xf33",  "0xzz",
	    "tmt1@1e99s", "tmt1@nans",    "@1s",         "tmt1@1s@2s",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct journal_entry e;
		char text[64], again[64];

		journal_format(&cases[i].e, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
		assert_true(journal_parse(text, &e));
		assert_int_equal(e.code, cases[i].e.code);
		assert_int_equal(e.beyond_k, cases[i].e.beyond_k);
		assert_true(isnan(e.time_s) == isnan(cases[i].e.time_s));
		journal_format(&e, again, sizeof(again));
		assert_string_equal(again, text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct journal_entry e;

		if (journal_parse(bad[i], &e))
			fail_msg("'%s' was taken", bad[i]);
	}
}

/* --- The OCP log. --- */

static void decodes_ocp(void **state)
{
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};
	uint8_t page[512] = {[96] = 17, [97] = 2}, list[1024] = {0};
	struct sample s;

	(void)state;
	assert_false(ocp_is_smart_log(page));
	memcpy(page + 496, guid, 16);
	assert_true(ocp_is_smart_log(page));
	sample_clear(&s);
	ocp_decode(page, &s);
	assert_float_equal(s.ocp_throttle_count, 17, 0);
	assert_float_equal(s.ocp_throttle_status, 2, 0);
	assert_true(isnan(s.temp_c));
	for (int i = 0; i < 16; i++) {
		page[496 + i] ^= 1;
		assert_false(ocp_is_smart_log(page));
		page[496 + i] ^= 1;
	}
	assert_false(ocp_page_listed(list, 0xc0));
	list[4 * 0xc0] = 1;
	assert_true(ocp_page_listed(list, 0xc0));
	list[4 * 0xff + 3] = 0x80;
	assert_false(ocp_page_listed(list, 0xff));
}

static void one_byte_may_wrap(void **state)
{
	(void)state;
	assert_float_equal(ocp_count_delta(3, 5), 2, 0);
	assert_float_equal(ocp_count_delta(5, 5), 0, 0);
	assert_float_equal(ocp_count_delta(255, 255), 0, 0);
	assert_float_equal(ocp_count_delta(254, 1), 3, 0);
	assert_float_equal(ocp_count_delta(100, 0), 0, 0); /* reset, not wrapped */
	assert_float_equal(ocp_count_delta(NAN, 4), 0, 0);
	assert_float_equal(ocp_count_delta(4, NAN), 0, 0);
}

/* --- A drive of ours. --- */

static struct fake {
	int identify_err, get_err, set_err, open_err;
	uint32_t oaes;
	_Atomic uint32_t events; /* the poller's thread writes it */
	uint8_t lpa;
	bool listed, ocp;
	uint8_t count;
	int open, sets, ocp_reads, ocp_ms;
} fake;

static int fake_open(struct nvme_dev **out, const char *name)
{
	(void)name;
	if (fake.open_err)
		return fake.open_err;
	*out = (struct nvme_dev *)&fake;
	fake.open++;
	return 0;
}

static int fake_identify(struct nvme_dev *d, void *buf)
{
	uint8_t *id = buf;

	(void)d;
	memset(id, 0, 4096);
	for (int i = 0; i < 4; i++)
		id[92 + i] = (uint8_t)(fake.oaes >> 8 * i);
	id[261] = fake.lpa;
	return fake.identify_err;
}

static int fake_get_log(struct nvme_dev *d, uint8_t page, void *buf, uint32_t bytes)
{
	struct sim_preset p = sim_plain();
	struct sim *sim;

	(void)d;
	memset(buf, 0, bytes);
	if (page == 0) {
		assert_int_equal(bytes, 1024);
		((uint8_t *)buf)[4 * 0xc0] = fake.listed;
		return 0;
	}
	assert_int_equal(page, 0xc0);
	assert_int_equal(bytes, 512);
	fake.ocp_reads++;
	if (fake.ocp_ms)
		clock_sleep_until(clock_now_ns() + fake.ocp_ms * NS_PER_MS);
	if (!fake.ocp)
		return 0;
	sim = sim_custom(&p);
	sim_ocp(sim, buf);
	sim_free(sim);
	((uint8_t *)buf)[96] = fake.count;
	return 0;
}

static int fake_get_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value)
{
	(void)d, (void)cdw11;
	assert_int_equal(feature, 0x0b);
	*value = fake.events;
	return fake.get_err;
}

static int fake_set_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11)
{
	(void)d;
	assert_int_equal(feature, 0x0b);
	if (fake.set_err)
		return fake.set_err;
	fake.events = cdw11;
	fake.sets++;
	return 0;
}

static void fake_close(struct nvme_dev *d)
{
	(void)d;
	fake.open--;
}

static const struct nvme_transport transport = {.open = fake_open,
						.identify = fake_identify,
						.get_log = fake_get_log,
						.get_feature = fake_get_feature,
						.set_feature = fake_set_feature,
						.close = fake_close};

static struct target t;
static char why[700];

static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.oaes = 0x100;
	fake.events = 0x100;
	fake.lpa = 0x20;
	fake.listed = fake.ocp = true;
	memset(&t, 0, sizeof(t));
	strcpy(t.name, "/dev/nvme0n1");
	strcpy(t.controller, "nvme0");
	t.events = true;
	smart_transport = &transport;
	why[0] = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	assert_int_equal(fake.open, 0);
	smart_transport = &nvme_libnvme;
	return 0;
}

static const bool have_nothing[FIELD_COUNT];

static int open_sensor(const struct sensor_ops *ops, struct sensor **s)
{
	int err = ops->open(s, &t, have_nothing, why, sizeof(why));

	if (err == 0)
		(*s)->ops = ops;
	return err;
}

static void ocp_is_read(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	fake.count = 9;
	assert_int_equal(open_sensor(&sensor_ocp, &s), 0);
	assert_true(s->can[FIELD_OCP_COUNT] && s->can[FIELD_OCP_STATUS]);
	sample_clear(&row);
	assert_int_equal(sensor_read(s, &row), 0);
	assert_float_equal(row.ocp_throttle_count, 9, 0);
	sensor_close(s);
}

/* A page that costs much is read seldom; one that only got slow under load goes on. */
static void ocp_may_be_slow(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	fake.ocp_ms = 30;
	assert_int_equal(open_sensor(&sensor_ocp, &s), 0);
	for (int i = 0; i < 3; i++) {
		sample_clear(&row);
		assert_int_equal(sensor_read(s, &row), 0);
		assert_int_equal(isnan(row.ocp_throttle_count) != 0, i > 0);
	}
	sensor_close(s);
	/* Quick once is enough; a machine that never is shows nothing here. */
	fake.ocp_ms = 0;
	assert_int_equal(open_sensor(&sensor_ocp, &s), 0);
	fake.ocp_ms = 30;
	for (int i = 0; i < 3; i++) {
		sample_clear(&row);
		assert_int_equal(sensor_read(s, &row), 0);
		assert_float_equal(row.ocp_throttle_count, 0, 0);
	}
	sensor_close(s);
}

/* A page that is not listed is not asked for: that would leave an entry in the drive's error log.
 */
static void ocp_is_not_probed(void **state)
{
	struct sensor *s;

	(void)state;
	fake.lpa = 0x1f;
	assert_int_equal(open_sensor(&sensor_ocp, &s), -ENOENT);
	fake.lpa = 0x20;
	fake.listed = false;
	assert_int_equal(open_sensor(&sensor_ocp, &s), -ENOENT);
	fake.open_err = -EACCES;
	assert_int_equal(open_sensor(&sensor_ocp, &s), -ENOENT);
	assert_int_equal(fake.ocp_reads, 0);
	/* Another vendor's page of that number. */
	fake.open_err = 0;
	fake.listed = true;
	fake.ocp = false;
	assert_int_equal(open_sensor(&sensor_ocp, &s), -ENOENT);
	assert_string_equal(why, "");
}

static void events_are_put_back(void **state)
{
	struct journal j = {0};
	struct sensor *s;

	(void)state;
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	assert_int_equal(fake.sets, 0); /* opening changes nothing */
	sensor_aen.begin(s);
	assert_int_equal(fake.events, 0x102);
	sensor_aen.finish(s, &j);
	assert_int_equal(fake.events, 0x100);
	assert_int_equal(fake.sets, 2);
	sensor_close(s);
	assert_int_equal(fake.sets, 2);
	/* Closed in the middle. */
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	sensor_aen.begin(s);
	sensor_close(s);
	assert_int_equal(fake.events, 0x100);
	assert_int_equal(fake.sets, 4);
}

/* The kernel writes the feature anew at a reset; the user's own bits are not ours. */
static void events_are_not_made_stale(void **state)
{
	struct journal j = {0};
	struct sensor *s;

	(void)state;
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	sensor_aen.begin(s);
	fake.events = 0x900;
	sensor_aen.renew(s);
	assert_int_equal(fake.events, 0x902);
	sensor_aen.finish(s, &j);
	assert_int_equal(fake.events, 0x900);
	sensor_close(s);
	/* A reset that nobody saw: there is nothing to put back. */
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	sensor_aen.begin(s);
	fake.events = 0x300;
	fake.sets = 0;
	sensor_aen.finish(s, &j);
	assert_int_equal(fake.events, 0x300);
	assert_int_equal(fake.sets, 0);
	sensor_close(s);
	/* It was on before. */
	fake.events = 0x102;
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	sensor_aen.begin(s);
	sensor_aen.finish(s, &j);
	sensor_close(s);
	assert_int_equal(fake.events, 0x102);
	assert_int_equal(fake.sets, 0);
}

static void events_say_why_not(void **state)
{
	struct sensor *s;

	(void)state;
	t.events = false;
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOENT);
	assert_string_equal(why, "");
	t.events = true;
	fake.open_err = -EACCES;
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOTSUP);
	assert_non_null(strstr(why, "CAP_SYS_ADMIN"));
	fake.open_err = 0;
	fake.get_err = -EACCES;
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOTSUP);
	assert_non_null(strstr(why, "CAP_SYS_ADMIN"));
	fake.get_err = 0x4002;
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOTSUP);
	assert_non_null(strstr(why, "refuses feature 0Bh"));
	fake.get_err = 0;
	fake.oaes = 0;
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOTSUP);
	assert_non_null(strstr(why, "OAES"));
	t.controller[0] = '\0';
	assert_int_equal(open_sensor(&sensor_aen, &s), -ENOTSUP);
	assert_non_null(strstr(why, "/dev/nvme0n1 is not"));
	assert_int_equal(fake.sets, 0);
}

/* The poller calls begin first, renew when asked, finish last, all in its own thread. */
static void poller_keeps_the_order(void **state)
{
	struct journal j = {0};
	struct poller *p;
	struct sensor *s;

	(void)state;
	assert_int_equal(open_sensor(&sensor_aen, &s), 0);
	p = poller_start(&s, 1, clock_now_ns(), 0.05, 0.01);
	for (int i = 0; i < 200 && fake.events != 0x102; i++)
		clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
	assert_int_equal(fake.events, 0x102);
	fake.events = 0x100;
	poller_renew(p);
	for (int i = 0; i < 200 && fake.events != 0x102; i++)
		clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
	assert_int_equal(fake.events, 0x102);
	assert_true(poller_finish(p, 5 * NS_PER_S, &j));
	assert_int_equal(fake.events, 0x100);
	assert_true(poller_finish(p, 0, &j));
	assert_int_equal(poller_stop(p, NS_PER_S), 0);
	assert_int_equal(fake.sets, 3);
	sensor_close(s);
}

/* --- A simulated drive: the same code over its pages. --- */

static void simulated_drive_records(void **state)
{
	struct sim_preset p = sim_plain();
	struct sensor *pel, *ocp, *aen;
	struct journal j = {0};
	struct sample row;
	unsigned began = 0, stopped = 0;

	(void)state;
	p.throttle = (struct sim_policy){
	    .kind = SIM_POLICY_STEP, .limit_c = 70, .release_k = 4, .level = 0.3};
	p.limits.wctemp_c = 65;
	p.pel = p.ocp = true;
	t.kind = TARGET_SIM;
	t.controller[0] = '\0';
	t.sim = sim_custom(&p);
	assert_non_null(t.sim);
	sim_advance(t.sim, 5 * NS_PER_S);
	assert_int_equal(open_sensor(&sensor_pel, &pel), 0);
	assert_int_equal(open_sensor(&sensor_ocp, &ocp), 0);
	assert_int_equal(open_sensor(&sensor_aen, &aen), 0);
	sensor_pel.begin(pel);
	sim_set_load(t.sim, OP_READ, 131072, 32);
	sim_advance(t.sim, 300 * NS_PER_S);
	sim_set_load(t.sim, OP_NONE, 0, 0);
	sim_advance(t.sim, 400 * NS_PER_S);
	sensor_pel.finish(pel, &j);
	for (size_t i = 0; i < j.n; i++) {
		double at_s = (double)j.read_ns / 1e9 - j.item[i].time_s;

		began += j.item[i].code == JOURNAL_SELF_THROTTLING;
		stopped += j.item[i].code == JOURNAL_STOPPED;
		assert_true(at_s > 5 && at_s < 400);
		if (i)
			assert_true(j.item[i].time_s <= j.item[i - 1].time_s);
	}
	/* WCTEMP on the way up, then in and out of throttling. */
	assert_int_equal(j.item[0].code, JOURNAL_WCTEMP);
	assert_true(began >= 1 && began >= stopped && began <= stopped + 1);
	sample_clear(&row);
	assert_int_equal(sensor_read(ocp, &row), 0);
	assert_true(row.ocp_throttle_count >= began);
	assert_float_equal(row.ocp_throttle_status, 0, 0);
	sensor_close(pel);
	sensor_close(ocp);
	sensor_close(aen);
	/* Without records nothing of it is there. */
	sim_set_records(t.sim, false, false);
	assert_int_equal(open_sensor(&sensor_pel, &pel), -ENOENT);
	assert_int_equal(open_sensor(&sensor_ocp, &ocp), -ENOENT);
	sim_free(t.sim);
	t.sim = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_read_back),
	    cmocka_unit_test(decodes_ocp),
	    cmocka_unit_test(one_byte_may_wrap),
	    cmocka_unit_test_setup_teardown(ocp_is_read, setup, teardown),
	    cmocka_unit_test_setup_teardown(ocp_may_be_slow, setup, teardown),
	    cmocka_unit_test_setup_teardown(ocp_is_not_probed, setup, teardown),
	    cmocka_unit_test_setup_teardown(events_are_put_back, setup, teardown),
	    cmocka_unit_test_setup_teardown(events_are_not_made_stale, setup, teardown),
	    cmocka_unit_test_setup_teardown(events_say_why_not, setup, teardown),
	    cmocka_unit_test_setup_teardown(poller_keeps_the_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(simulated_drive_records, setup, teardown),
	};

	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
