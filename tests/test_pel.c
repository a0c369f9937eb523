/*
 * The persistent event log: decoded from bytes, however wrong they are; read in a context that is
 * released on every path; and what of it is new.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sensors/pel_decode.h"
#include "sensors/sensor_table.h"
#include "sensors/smart.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/target.h"

static void put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* A log under construction, in a block of exactly its size, so that ASan sees a byte too far. */
struct log {
	uint8_t *p;
	size_t n;
	uint32_t events;
};

static void log_begin(struct log *l, uint64_t now_ms, unsigned generation)
{
	l->n = PEL_HEADER_BYTES;
	l->events = 0;
	l->p = xzalloc(l->n);
	l->p[0] = 0x0d;
	put(l->p + 18, 492, 2);
	put(l->p + 20, now_ms, 8);
	put(l->p + 372, generation, 2);
	l->p[481] = 0x20;
	put(l->p + 8, l->n, 8);
}

/* One event with `vendor` bytes before its data. */
static void log_event(struct log *l, uint8_t type, uint64_t time_ms, size_t vendor,
		      const uint8_t *data, size_t n)
{
	uint8_t *e;

	l->p = xreallocarray(l->p, l->n + 24 + vendor + n, 1);
	e = l->p + l->n;
	memset(e, 0xee, 24 + vendor + n);
	e[0] = type;
	e[1] = 1;
	e[2] = 21;
	put(e + 6, time_ms, 8);
	put(e + 20, vendor, 2);
	put(e + 22, vendor + n, 2);
	if (n)
		memcpy(e + 24 + vendor, data, n);
	l->n += 24 + vendor + n;
	put(l->p + 4, ++l->events, 4);
	put(l->p + 8, l->n, 8);
}

static void log_thermal(struct log *l, uint64_t time_ms, uint8_t code, uint8_t beyond_k)
{
	log_event(l, 0x0d, time_ms, 0, (const uint8_t[]){beyond_k, code}, 2);
}

static void log_end(struct log *l)
{
	free(l->p);
	l->p = NULL;
}

static void decodes(void **state)
{
	static const uint8_t snapshot[512];
	struct pel_log log;
	struct log l;

	(void)state;
	log_begin(&l, 1000000, 7);
	log_thermal(&l, 900000, JOURNAL_SELF_THROTTLING, 2);
	log_event(&l, 0x01, 850000, 0, snapshot, sizeof(snapshot)); /* SMART snapshot */
	log_event(&l, 0xde, 840000, 4, NULL, 0);                    /* vendor specific, no data */
	log_event(&l, 0x44, 830000, 0, NULL, 0);                    /* not known, no length */
	/* The length counts the vendor's bytes, the data comes after them. */
	log_event(&l, 0x0d, 800000, 6, (const uint8_t[]){1, JOURNAL_WCTEMP}, 2);
	log_event(&l, 0x0d, 790000, 0, (const uint8_t[]){3, 0xf7, 9, 9}, 4); /* longer than known */
	log_event(&l, 0x0d, 780000, 0, (const uint8_t[]){3}, 1);             /* too short */
	assert_true(pel_decode(l.p, l.n, &log));
	assert_false(log.cut);
	assert_int_equal(log.header.events, 7);
	assert_int_equal(log.header.generation, 7);
	assert_int_equal(log.header.now_ms, 1000000);
	assert_true(log.header.records_thermal);
	assert_int_equal(log.n, 3);
	/* Sorted by time, whatever the order in the log. */
	assert_int_equal(log.item[0].code, 0xf7);
	assert_int_equal(log.item[1].code, JOURNAL_WCTEMP);
	assert_int_equal(log.item[1].beyond_k, 1);
	assert_int_equal(log.item[2].code, JOURNAL_SELF_THROTTLING);
	assert_int_equal(log.item[2].time_ms, 900000);
	pel_log_fini(&log);
	log_end(&l);
}

/* A header that is longer than 512 bytes, and flags above the 48 bits of the clock. */
static void respects_header_length(void **state)
{
	struct pel_log log;
	struct log l;

	(void)state;
	log_begin(&l, 1000000, 1);
	put(l.p + 20, UINT64_C(0x0003000000000000) + 1000000, 8);
	put(l.p + 18, 492 + 26, 2);
	log_thermal(&l, 1, JOURNAL_TMT1, 0); /* inside the longer header: no event */
	log_thermal(&l, UINT64_C(0x0002000000000000) + 900000, JOURNAL_TMT2, 0);
	put(l.p + 4, 1, 4);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_int_equal(log.header.now_ms, 1000000);
	assert_int_equal(log.n, 1);
	assert_int_equal(log.item[0].code, JOURNAL_TMT2);
	assert_int_equal(log.item[0].time_ms, 900000);
	pel_log_fini(&log);
	log_end(&l);
}

static void survives_lies(void **state)
{
	struct pel_log log;
	struct log l;

	(void)state;
	/* The stated length is beyond what came, and more events are stated than there are. */
	log_begin(&l, 1000, 1);
	log_thermal(&l, 500, JOURNAL_TMT1, 0);
	put(l.p + 8, UINT64_MAX, 8);
	put(l.p + 4, UINT32_MAX, 4);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut);
	assert_int_equal(log.n, 1);
	pel_log_fini(&log);
	/* Cut anywhere: never more than there is. */
	put(l.p + 8, l.n, 8);
	put(l.p + 4, 1, 4);
	for (size_t n = 0; n < l.n; n++) {
		uint8_t *part = xzalloc(n ? n : 1);

		memcpy(part, l.p, n);
		assert_int_equal(pel_decode(part, n, &log), n >= PEL_HEADER_BYTES);
		assert_int_equal(log.n, 0);
		assert_true(n < PEL_HEADER_BYTES || log.cut);
		pel_log_fini(&log);
		free(part);
	}
	/* An event that says that it goes on behind the end; one whose vendor's part is longer than
	 * itself; a header shorter than its own fields. */
	put(l.p + PEL_HEADER_BYTES + 22, 0xffff, 2);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut && log.n == 0);
	put(l.p + PEL_HEADER_BYTES + 22, 2, 2);
	put(l.p + PEL_HEADER_BYTES + 20, 3, 2);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut && log.n == 0);
	put(l.p + PEL_HEADER_BYTES + 20, 0, 2);
	l.p[PEL_HEADER_BYTES + 2] = 0;
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut && log.n == 0);
	l.p[PEL_HEADER_BYTES + 2] = 0xff;
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut && log.n == 0);
	/* A header that begins its events behind the end, a length below the header's, a wrong
	 * page. */
	l.p[PEL_HEADER_BYTES + 2] = 21;
	put(l.p + 18, 0xffff, 2);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_true(log.cut && log.n == 0);
	put(l.p + 18, 0, 2);
	assert_true(pel_decode(l.p, l.n, &log));
	assert_int_equal(log.n, 1);
	pel_log_fini(&log);
	put(l.p + 8, 511, 8);
	assert_false(pel_decode(l.p, l.n, &log));
	put(l.p + 8, l.n, 8);
	l.p[0] = 0x02;
	assert_false(pel_decode(l.p, l.n, &log));
	log_end(&l);
}

/* Random bytes over a good log, a fixed seed: it ends, and stays inside. */
static void survives_noise(void **state)
{
	uint32_t x = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct pel_log log;
		struct log l;

		log_begin(&l, 100000, 1);
		for (int i = 0; i < 20; i++)
			log_thermal(&l, (uint64_t)i * 1000, (uint8_t)(i % 6), (uint8_t)i);
		for (int i = 0; i < 1 + round % 40; i++) {
			x = x * 1664525U + 1013904223U;
			/* The header's lengths, or anywhere. */
			l.p[x % 3 ? (x >> 8) % l.n : 4 + (x >> 8) % 16] = (uint8_t)(x >> 24);
		}
		if (pel_decode(l.p, l.n, &log))
			assert_true(log.n <= (l.n - PEL_HEADER_BYTES) / 26);
		pel_log_fini(&log);
		log_end(&l);
	}
}

/* --- What is new. --- */

static struct pel_log reading(uint64_t now_ms, double at_s, size_t n,
			      const struct pel_excursion *items)
{
	struct pel_log log = {.n = n, .read_ns = (int64_t)(at_s * 1e9)};

	log.header.now_ms = now_ms;
	log.item = xreallocarray(NULL, n + 1, sizeof(*log.item));
	if (n)
		memcpy(log.item, items, n * sizeof(*items));
	return log;
}

static void news(uint64_t drive_ms, double ours_s, bool cut, size_t n_before, size_t n_after,
		 const struct pel_excursion *items, struct journal *out)
{
	struct pel_log before = reading(1000000, 100, n_before, items);
	struct pel_log after = reading(1000000 + drive_ms, 100 + ours_s, n_after, items);

	before.cut = cut;
	memset(out, 0, sizeof(*out));
	pel_news(&before, &after, out);
	pel_log_fini(&before);
	pel_log_fini(&after);
}

static void finds_what_is_new(void **state)
{
	static const struct pel_excursion items[] = {
	    {500000, JOURNAL_WCTEMP, 0},
	    {500000, JOURNAL_WCTEMP, 0}, /* twice the same is two */
	    {1060000, JOURNAL_SELF_THROTTLING, 3},
	    {1090000, JOURNAL_STOPPED, 0},
	};
	struct journal j;

	(void)state;
	news(600000, 600, false, 2, 4, items, &j);
	assert_int_equal(j.n, 2);
	assert_int_equal(j.item[0].code, JOURNAL_SELF_THROTTLING);
	assert_int_equal(j.item[0].beyond_k, 3);
	assert_float_equal(j.item[0].time_s, 540, 1e-6); /* before the reading */
	assert_float_equal(j.item[1].time_s, 510, 1e-6);
	assert_true(j.read_ns == (int64_t)700e9);
	/* Nothing. */
	news(600000, 600, false, 4, 4, items, &j);
	assert_int_equal(j.n + j.more, 0);
	/* An old event that only this reading has, because the other was cut, is not new. */
	news(600000, 600, true, 1, 4, items, &j);
	assert_int_equal(j.n, 2);
	/* The drive's clock was set or went back: no times, and from cut logs nothing at all. */
	news(6000000, 600, false, 2, 4, items, &j);
	assert_int_equal(j.n, 2);
	assert_true(isnan(j.item[0].time_s));
	news(6000000, 600, true, 2, 4, items, &j);
	assert_int_equal(j.n, 0);
}

static void keeps_the_first(void **state)
{
	struct pel_excursion items[100];
	struct journal j;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		items[i] = (struct pel_excursion){1000000 + 1000 * i, JOURNAL_TMT1, 0};
	news(600000, 600, false, 0, 100, items, &j);
	assert_int_equal(j.n, JOURNAL_MAX);
	assert_int_equal(j.more, 100 - JOURNAL_MAX);
	assert_float_equal(j.item[0].time_s, 600, 1e-6);
}

/* --- Reading, on a drive of ours. --- */

static struct fake {
	int open_err, identify_err, establish_err, read_err, read_err_at, release_err;
	uint8_t lpa;
	bool lose_context, lie;
	struct log log;
	bool context;
	int open, established, released, reads;
	uint64_t beyond; /* highest byte that was asked for */
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
	(void)d;
	memset(buf, 0, 4096);
	((uint8_t *)buf)[261] = fake.lpa;
	return fake.identify_err;
}

static int fake_log_at(struct nvme_dev *d, uint8_t page, uint8_t action, uint64_t offset, void *buf,
		       uint32_t bytes)
{
	(void)d;
	assert_int_equal(page, 0x0d);
	assert_int_equal((uintptr_t)buf % 4096, 0);
	assert_true(bytes > 0 && bytes % 4 == 0 && bytes <= NVME_BUFFER_BYTES && offset % 4 == 0);
	memset(buf, 0, bytes);
	if (action == 1) {
		if (fake.establish_err)
			return fake.establish_err;
		assert_false(fake.context);
		fake.context = true;
		fake.established++;
	} else if (action == 2) {
		fake.released++;
		fake.context = false;
		return fake.release_err;
	} else {
		assert_int_equal(action, 0);
		assert_true(fake.context);
		if (fake.read_err && ++fake.reads > fake.read_err_at)
			return fake.read_err;
	}
	if (fake.lose_context && action == 0 && offset == 0)
		put(fake.log.p + 372, 99, 2);
	if (offset < fake.log.n)
		memcpy(buf, fake.log.p + offset,
		       fake.log.n - offset < bytes ? (size_t)(fake.log.n - offset) : bytes);
	if (fake.lie && offset == 0)
		put((uint8_t *)buf + 8, UINT64_C(1) << 60, 8);
	if (offset + bytes > fake.beyond)
		fake.beyond = offset + bytes;
	return 0;
}

static void fake_close(struct nvme_dev *d)
{
	(void)d;
	fake.open--;
}

static const struct nvme_transport transport = {
    .open = fake_open, .identify = fake_identify, .close = fake_close, .get_log_at = fake_log_at};

static struct target t;

static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.lpa = 0x1e;
	log_begin(&fake.log, 1000000, 5);
	log_thermal(&fake.log, 500000, JOURNAL_WCTEMP, 0);
	memset(&t, 0, sizeof(t));
	strcpy(t.controller, "nvme0");
	smart_transport = &transport;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	log_end(&fake.log);
	assert_int_equal(fake.open, 0);
	assert_false(fake.context);
	assert_int_equal(fake.established, fake.released);
	smart_transport = &nvme_libnvme;
	return 0;
}

static int open_pel(struct sensor **s)
{
	static const bool have[FIELD_COUNT];
	char why[300] = "";

	return sensor_pel.open(s, &t, have, why, sizeof(why));
}

/* A run in which the drive throttles: three chunks of log and one event more. */
static void reads_before_and_after(void **state)
{
	static const uint8_t blob[4096];
	struct journal j = {0};
	struct sensor *s;

	(void)state;
	for (int i = 0; i < 2; i++)
		log_event(&fake.log, 0xde, 1000, 0, blob, sizeof(blob));
	assert_int_equal(open_pel(&s), 0);
	sensor_pel.begin(s);
	assert_int_equal(fake.established, 1);
	assert_false(fake.context);
	assert_in_range(fake.beyond, fake.log.n, fake.log.n + 3);
	log_thermal(&fake.log, 1000400, JOURNAL_SELF_THROTTLING, 1);
	put(fake.log.p + 20, 1000500, 8);
	sensor_pel.finish(s, &j);
	assert_int_equal(fake.established, 2);
	assert_int_equal(j.n, 1);
	assert_int_equal(j.item[0].code, JOURNAL_SELF_THROTTLING);
	assert_float_equal(j.item[0].time_s, 0.1, 1e-6);
	assert_true(j.read_ns <= clock_now_ns());
	sensor_pel.close(s);
}

static void not_without_support(void **state)
{
	struct sensor *s;

	(void)state;
	fake.lpa = 0x0f;
	assert_int_equal(open_pel(&s), -ENOENT);
	fake.lpa = 0xff;
	fake.identify_err = 0x4002;
	assert_int_equal(open_pel(&s), -ENOENT);
	fake.open_err = -EACCES;
	assert_int_equal(open_pel(&s), -ENOENT);
	t.controller[0] = '\0';
	assert_int_equal(open_pel(&s), -ENOENT);
}

static void run_once(struct journal *j)
{
	struct sensor *s;

	memset(j, 0, sizeof(*j));
	assert_int_equal(open_pel(&s), 0);
	sensor_pel.begin(s);
	log_thermal(&fake.log, 1000400, JOURNAL_SELF_THROTTLING, 1);
	sensor_pel.finish(s, j);
	sensor_pel.close(s);
}

/* Another program reads it: its context is neither taken nor released. */
static void leaves_others_alone(void **state)
{
	struct journal j;

	(void)state;
	fake.establish_err = 0x400c;
	run_once(&j);
	assert_int_equal(j.n, 0);
	assert_int_equal(fake.released, 0);
}

static void releases_on_every_path(void **state)
{
	static const uint8_t blob[4096];
	struct journal j;

	(void)state;
	for (int i = 0; i < 3; i++)
		log_event(&fake.log, 0xde, 1000, 0, blob, sizeof(blob));
	fake.read_err = -EINTR;
	for (fake.read_err_at = 0; fake.read_err_at < 5; fake.read_err_at++) {
		fake.reads = 0;
		run_once(&j);
		assert_int_equal(j.n, 0);
		assert_int_equal(fake.released, fake.established);
	}
	fake.read_err = 0;
	/* The context is lost on the way. */
	fake.lose_context = true;
	run_once(&j);
	assert_int_equal(j.n, 0);
	fake.lose_context = false;
	/* No log at all. */
	fake.log.p[0] = 0;
	run_once(&j);
	assert_int_equal(j.n, 0);
	fake.log.p[0] = 0x0d;
	fake.release_err = 0x4002;
	run_once(&j);
	assert_int_equal(j.n, 1);
	assert_true(fake.established > 5);
}

/* A length without end is read so far and no further. */
static void bounds_a_huge_log(void **state)
{
	struct journal j;

	(void)state;
	fake.lie = true;
	run_once(&j);
	assert_in_range(fake.beyond, 4096, 8 << 20);
	/* Its age tells that it is new, although both readings are cut. */
	assert_int_equal(j.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(decodes),
	    cmocka_unit_test(respects_header_length),
	    cmocka_unit_test(survives_lies),
	    cmocka_unit_test(survives_noise),
	    cmocka_unit_test(finds_what_is_new),
	    cmocka_unit_test(keeps_the_first),
	    cmocka_unit_test_setup_teardown(reads_before_and_after, setup, teardown),
	    cmocka_unit_test_setup_teardown(not_without_support, setup, teardown),
	    cmocka_unit_test_setup_teardown(leaves_others_alone, setup, teardown),
	    cmocka_unit_test_setup_teardown(releases_on_every_path, setup, teardown),
	    cmocka_unit_test_setup_teardown(bounds_a_huge_log, setup, teardown),
	};

	return cmocka_run_group_tests_name("pel", tests, NULL, NULL);
}
