/* SMART decoding on readings of real drives, and the sensor on a drive made of a table. */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sensors/sensor_table.h"
#include "sensors/smart.h"
#include "sensors/smart_decode.h"
#include "throttlog/target.h"

static void put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v & 0xffff);
	put16(p + 2, v >> 16);
}

/* One drive's published reading, in the units of the log page. */
static const struct reading {
	const char *name;
	unsigned warning, composite, sensor[8];
	uint32_t warning_min, critical_min, count1, count2, s1, s2;
	double temp_c, sensor_c[8];
} readings[] = {
    {"Toshiba XG5", 0, 310, {310}, 0, 0, 0, 0, 0, 0, 37, {37, NAN}},
    {"Toshiba BG3, heavy throttler",
     0,
     315,
     {315},
     0,
     0,
     39044,
     34349,
     211565,
     51466,
     42,
     {42, NAN}},
    {"Crucial P1: sensors 1, 2 and 5",
     0,
     316,
     {317, 316, 0, 0, 320},
     0,
     0,
     7,
     0,
     4161,
     0,
     43,
     {44, 43, NAN, NAN, 47}},
    {"Crucial E100: sensor 2 alone", 0, 300, {0, 355}, 0, 0, 0, 0, 0, 0, 27, {NAN, 82}},
    {"MTE850 with an odd threshold", 2, 309, {0}, 81, 0, 0, 0, 0, 0, 36, {NAN}},
    {"SN550, minutes without TMT", 0, 306, {0}, 53, 2, 0, 0, 0, 0, 33, {NAN}},
    {"virtual drive, 0 K", 0, 0, {0}, 0, 0, 0, 0, 0, 0, NAN, {NAN}},
    {"below freezing", 0, 263, {253}, 0, 0, 0, 0, 0, 0, -10, {-20}},
    {"coldest and hottest that count",
     0,
     200,
     {423, 199, 424, 0xffff},
     0,
     0,
     0,
     0,
     0,
     0,
     -73,
     {150, NAN, NAN, NAN}},
    {"saturated counters",
     0x1f,
     350,
     {0},
     UINT32_MAX,
     UINT32_MAX,
     UINT32_MAX,
     UINT32_MAX,
     UINT32_MAX,
     UINT32_MAX,
     77,
     {NAN}},
};

static void fill_page(uint8_t *page, const struct reading *r)
{
	memset(page, 0, 512);
	page[0] = (uint8_t)r->warning;
	page[3] = 100;
	put16(page + 1, r->composite);
	put32(page + 192, r->warning_min);
	put32(page + 196, r->critical_min);
	for (int i = 0; i < 8; i++)
		put16(page + 200 + 2 * i, r->sensor[i]);
	put32(page + 216, r->count1);
	put32(page + 220, r->count2);
	put32(page + 224, r->s1);
	put32(page + 228, r->s2);
}

static void assert_c(double actual, double expected)
{
	if (isnan(expected))
		assert_true(isnan(actual));
	else
		assert_float_equal(actual, expected, 1e-9);
}

static void decodes_log(void **state)
{
	/* One byte off the start of a page: nothing in it may be read as an aligned word. */
	uint8_t memory[513], *page = memory + 1;

	(void)state;
	for (size_t i = 0; i < sizeof(readings) / sizeof(*readings); i++) {
		const struct reading *r = &readings[i];
		struct sample s;

		print_message("# %s\n", r->name);
		fill_page(page, r);
		sample_clear(&s);
		smart_decode_log(page, &s);
		assert_c(s.temp_c, r->temp_c);
		for (int k = 0; k < 8; k++) {
			if (r->sensor[k] == 0)
				assert_true(isnan(s.sensor_c[k]));
			else
				assert_c(s.sensor_c[k], r->sensor_c[k]);
		}
		assert_c(s.critical_warning, r->warning);
		assert_c(s.warning_min, r->warning_min);
		assert_c(s.critical_min, r->critical_min);
		assert_c(s.tmt1_count, r->count1);
		assert_c(s.tmt2_count, r->count2);
		assert_c(s.tmt1_s, r->s1);
		assert_c(s.tmt2_s, r->s2);
		assert_true(isnan(s.mb_s));
	}
}

/* Identify data: WCTEMP, CCTEMP, whether HCTM can be set, its range. Readings of real drives. */
static void fill_identify(uint8_t *id, unsigned wctemp, unsigned cctemp, bool hctma)
{
	memset(id, 0, 4096);
	memcpy(id + 4, "SERIAL-1            ", 20);
	memcpy(id + 24, "KXG50ZNV1T02 NVMe TOSHIBA 1024GB        ", 40);
	memcpy(id + 64, "AADA4102", 8);
	put32(id + 80, 0x010300);
	id[263] = 4;
	put16(id + 266, wctemp);
	put16(id + 268, cctemp);
	put16(id + 322, hctma);
	put16(id + 324, 348);
	put16(id + 326, 355);
}

static void decodes_limits(void **state)
{
	static const struct {
		unsigned wctemp, cctemp;
		double wctemp_c, cctemp_c;
		bool odd;
	} cases[] = {
	    {351, 355, 78, 82, false},   /* XG5 */
	    {335, 345, 62, 72, false},   /* MTE850 */
	    {358, 358, 85, 85, false},   /* 970 EVO: both the same */
	    {383, 388, 110, 115, false}, /* MTE220S */
	    {354, 0, 81, NAN, false},    /* PM981 */
	    {0, 0, NAN, NAN, false},     /* before NVMe 1.2 */
	    {0xffff, 355, NAN, 82, true}, {300, 320, NAN, 47, true}, {360, 350, NAN, NAN, true},
	};
	uint8_t *id = calloc(1, 4096);

	(void)state;
	assert_non_null(id);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct smart_identity more;
		struct drive d;

		drive_clear(&d);
		fill_identify(id, cases[i].wctemp, cases[i].cctemp, true);
		smart_decode_identify(id, &d, &more);
		assert_c(d.limits.wctemp_c, cases[i].wctemp_c);
		assert_c(d.limits.cctemp_c, cases[i].cctemp_c);
		assert_true(isnan(d.limits.tmt1_c));
		assert_int_equal(more.limits_odd, cases[i].odd);
		assert_true(more.hctm);
		assert_int_equal(more.power_states, 5);
		assert_int_equal(more.version, 0x010300);
		assert_c(more.mntmt_c, 75);
		assert_string_equal(d.model, "KXG50ZNV1T02 NVMe TOSHIBA 1024GB");
		assert_string_equal(d.serial, "SERIAL-1");
		assert_string_equal(d.firmware, "AADA4102");
	}
	free(id);
}

static void identify_is_a_fallback(void **state)
{
	uint8_t *id = calloc(1, 4096);
	struct smart_identity more;
	struct drive d;

	(void)state;
	assert_non_null(id);
	drive_clear(&d);
	strcpy(d.model, "from sysfs");
	fill_identify(id, 351, 355, false);
	memcpy(id + 64, "\x1b[2J\xff\0\0\0", 8);
	smart_decode_identify(id, &d, &more);
	assert_string_equal(d.model, "from sysfs");
	assert_string_equal(d.serial, "SERIAL-1");
	assert_string_equal(d.firmware, "?[2J?");
	assert_false(more.hctm);
	free(id);
}

static void decodes_features(void **state)
{
	struct thermal_limits l;

	(void)state;
	smart_decode_hctm(0x015c0160, &l); /* BG3: 75 and 79 °C */
	assert_c(l.tmt1_c, 75);
	assert_c(l.tmt2_c, 79);
	smart_decode_hctm(0x00000160, &l);
	assert_true(isnan(l.tmt1_c));
	assert_c(l.tmt2_c, 79);
	smart_decode_hctm(0, &l);
	assert_true(isnan(l.tmt1_c) && isnan(l.tmt2_c));
	assert_c(smart_decode_threshold(0x0157), 70);
	assert_true(isnan(smart_decode_threshold(0xffff)));
	assert_true(isnan(smart_decode_threshold(0)));
}

static void hwmon_agrees_with_smart(void **state)
{
	(void)state;
	/* The kernel's 49.85 is 323 K, as the log page's 50. */
	assert_c(smart_hwmon_c(49.85), 50);
	assert_c(smart_hwmon_c(-10.15), -10);
	assert_true(isnan(smart_hwmon_c(0)));
	assert_true(isnan(smart_hwmon_c(-273.15)));
	assert_true(isnan(smart_hwmon_c(65261.85)));
	assert_true(isnan(smart_hwmon_c(NAN)));
	for (int k = 200; k <= 423; k++)
		assert_c(smart_hwmon_c((k * 1000 - 273150) / 1000.0), smart_kelvin_c((unsigned)k));
}

/* --- The sensor, on a drive of ours. --- */

static struct fake {
	int open_err, node_err, log_err, identify_err, feature_err;
	bool blank;      /* the command succeeds and nothing comes */
	bool overrun;    /* writes 4 KiB, whatever was asked for */
	unsigned blanks; /* that many blank pages first */
	const struct reading *reading;
	unsigned wctemp, cctemp, threshold;
	bool hctma;
	uint32_t hctm;
	int open, logs, features;
	char name[32];
} fake;

static int fake_open(struct nvme_dev **out, const char *name)
{
	bool controller = strcmp(name, "nvme0") == 0;

	if (controller ? fake.open_err : fake.node_err)
		return controller ? fake.open_err : fake.node_err;
	strcpy(fake.name, name);
	*out = (struct nvme_dev *)&fake;
	fake.open++;
	return 0;
}

static int fake_identify(struct nvme_dev *d, void *buf)
{
	(void)d;
	if (fake.identify_err)
		return fake.identify_err;
	fill_identify(buf, fake.wctemp, fake.cctemp, fake.hctma);
	return 0;
}

static int fake_get_log(struct nvme_dev *d, uint8_t page, void *buf, uint32_t bytes)
{
	(void)d;
	assert_int_equal(page, NVME_LOG_SMART);
	assert_int_equal(bytes, 512);
	assert_int_equal((uintptr_t)buf % 4096, 0);
	fake.logs++;
	if (fake.log_err)
		return fake.log_err;
	if (fake.blank)
		return 0;
	if (fake.blanks) {
		fake.blanks--;
		memset(buf, 0, 512);
		return 0;
	}
	if (fake.overrun)
		memset(buf, 0xee, 4096);
	fill_page(buf, fake.reading);
	return 0;
}

static int fake_get_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value)
{
	(void)d;
	fake.features++;
	assert_int_equal(cdw11, 0);
	if (fake.feature_err)
		return fake.feature_err;
	*value = feature == NVME_FEATURE_HCTM   ? fake.hctm
		 : feature == NVME_FEATURE_TEMP ? fake.threshold
						: 0x23; /* power state 3, workload hint 1 */
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
						.close = fake_close};

static struct target t;
static char why[700];

static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.reading = &readings[1];
	fake.wctemp = 355;
	fake.cctemp = 358;
	fake.threshold = 355;
	fake.hctma = true;
	fake.hctm = 0x015c0160;
	memset(&t, 0, sizeof(t));
	drive_clear(&t.drive);
	strcpy(t.controller, "nvme0");
	strcpy(t.disk, "nvme0n1");
	smart_transport = &transport;
	why[0] = '\0';
	return 0;
}

static const bool have_nothing[FIELD_COUNT];

static int open_smart(struct sensor **s)
{
	return sensor_smart.open(s, &t, have_nothing, why, sizeof(why));
}

static void sensor_reads(void **state)
{
	struct sensor *s;
	struct sample row;
	int features;

	(void)state;
	assert_int_equal(open_smart(&s), 0);
	assert_string_equal(why, "");
	assert_string_equal(fake.name, "nvme0");
	assert_c(t.drive.limits.wctemp_c, 82);
	assert_c(t.drive.limits.cctemp_c, 85);
	assert_c(t.drive.limits.tmt1_c, 75);
	assert_c(t.drive.limits.tmt2_c, 79);
	assert_true(s->can[FIELD_TEMP] && s->can[FIELD_SENSOR1] && s->can[FIELD_TMT1_COUNT]);
	assert_true(s->can[FIELD_WARNING_MIN] && s->can[FIELD_POWER_STATE]);
	assert_false(s->can[FIELD_SENSOR1 + 1] || s->can[FIELD_MB_S]);
	features = fake.features;
	sample_clear(&row);
	assert_int_equal(sensor_smart.read(s, &row), 0);
	assert_c(row.temp_c, 42);
	assert_c(row.tmt1_s, 211565);
	assert_c(row.power_state, 3);
	assert_true(row.poll_ms >= 0);
	/* Limits are asked once, at open: a read is one log page and one power state. */
	assert_int_equal(fake.features - features, 1);
	sensor_smart.close(s);
	assert_int_equal(fake.open, 0);
}

static void sensor_survives_overrun(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	fake.overrun = true;
	assert_int_equal(open_smart(&s), 0);
	sample_clear(&row);
	assert_int_equal(sensor_smart.read(s, &row), 0);
	assert_c(row.temp_c, 42);
	sensor_smart.close(s);
}

static void sensor_says_what_is_denied(void **state)
{
	struct sensor *s;

	(void)state;
	fake.open_err = fake.node_err = -EACCES;
	assert_int_equal(open_smart(&s), -EACCES);
	assert_non_null(strstr(why, "setcap cap_sys_admin,cap_dac_read_search+ep /"));
	/* A member of group disk can open the namespace, and lacks only the capability. */
	fake.node_err = 0;
	fake.log_err = -EACCES;
	assert_int_equal(open_smart(&s), -EACCES);
	assert_string_equal(fake.name, "nvme0n1");
	assert_non_null(strstr(why, "setcap cap_sys_admin+ep /"));
	assert_non_null(strstr(why, "throttle counters"));
	assert_int_equal(fake.open, 0);
}

static void sensor_reports_errors(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	fake.log_err = 0x4002;
	assert_int_equal(open_smart(&s), 0x4002);
	assert_non_null(strstr(why, "0x4002"));
	fake.log_err = 0x370;
	assert_int_equal(open_smart(&s), 0x370);
	assert_non_null(strstr(why, "reset"));
	fake.log_err = 0;
	fake.blank = true;
	assert_int_equal(open_smart(&s), -ENODATA);
	assert_int_equal(fake.open, 0);
	fake.blank = false;
	/* One blank page at the start is forgiven, later ones make a gap. */
	fake.blanks = 1;
	assert_int_equal(open_smart(&s), 0);
	fake.blanks = 1;
	sample_clear(&row);
	assert_int_equal(sensor_smart.read(s, &row), -ENODATA);
	assert_true(isnan(row.temp_c) && isnan(row.tmt1_count) && isnan(row.poll_ms));
	fake.log_err = -EINTR;
	fake.logs = 0;
	assert_int_equal(sensor_smart.read(s, &row), -EINTR);
	assert_int_equal(fake.logs, 1); /* no second try within a read */
	/* Gone: the handle is given back, and reopening needs the same drive in sysfs. */
	fake.log_err = -ENODEV;
	assert_int_equal(sensor_smart.read(s, &row), -ENODEV);
	assert_int_equal(fake.open, 0);
	fake.log_err = 0;
	assert_int_equal(sensor_smart.read(s, &row), -ENODEV);
	sensor_smart.close(s);
}

static void sensor_without_features(void **state)
{
	struct sensor *s;
	struct sample row;

	(void)state;
	fake.feature_err = 0x4002;
	fake.identify_err = 0x4002;
	fake.reading = &readings[0];
	assert_int_equal(open_smart(&s), 0);
	assert_true(isnan(t.drive.limits.wctemp_c) && isnan(t.drive.limits.tmt1_c));
	assert_true(s->can[FIELD_TEMP]);
	/* No limits and an unknown version: zeros mean nothing. */
	assert_false(s->can[FIELD_WARNING_MIN] || s->can[FIELD_TMT1_COUNT] ||
		     s->can[FIELD_POWER_STATE]);
	sample_clear(&row);
	assert_int_equal(sensor_smart.read(s, &row), 0);
	assert_true(isnan(row.power_state));
	sensor_smart.close(s);
}

static void sensor_notes_oddities(void **state)
{
	struct sensor *s;

	(void)state;
	fake.threshold = 330;
	assert_int_equal(open_smart(&s), 0);
	assert_non_null(strstr(why, "57 °C"));
	sensor_smart.close(s);
	fake.threshold = 355;
	fake.cctemp = 340;
	assert_int_equal(open_smart(&s), 0);
	assert_non_null(strstr(why, "ignored"));
	sensor_smart.close(s);
	fake.reading = &readings[6];
	assert_int_equal(open_smart(&s), 0);
	assert_non_null(strstr(why, "0 K"));
	assert_false(s->can[FIELD_TEMP]);
	sensor_smart.close(s);
}

static void sensor_is_for_nvme(void **state)
{
	struct sensor *s;

	(void)state;
	t.controller[0] = '\0';
	assert_int_equal(open_smart(&s), -ENOENT);
	assert_int_equal(fake.open, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(decodes_log),
	    cmocka_unit_test(decodes_limits),
	    cmocka_unit_test(identify_is_a_fallback),
	    cmocka_unit_test(decodes_features),
	    cmocka_unit_test(hwmon_agrees_with_smart),
	    cmocka_unit_test_setup(sensor_reads, setup),
	    cmocka_unit_test_setup(sensor_survives_overrun, setup),
	    cmocka_unit_test_setup(sensor_says_what_is_denied, setup),
	    cmocka_unit_test_setup(sensor_reports_errors, setup),
	    cmocka_unit_test_setup(sensor_without_features, setup),
	    cmocka_unit_test_setup(sensor_notes_oddities, setup),
	    cmocka_unit_test_setup(sensor_is_for_nvme, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
