/* The NVMe/TCP target as a host sees it: connection, Identify, features, I/O, faults on demand. */
#include "cmocka_all.h"

#include <math.h>

#include "rig_client.h"

static struct target_rig target;

static int begin(void **state)
{
	char *options[] = {(char[]){"--unlimited"}, (char[]){"--quirk=pel"}, NULL};

	(void)state;
	target = rig_start(options);
	return 0;
}

static int end(void **state)
{
	(void)state;
	rig_stop(&target);
	return 0;
}

static void connects(void **state)
{
	uint16_t id;
	struct host admin = host_open(&target), queue;

	(void)state;
	/* Not before Connect; no such subsystem; no such controller. */
	assert_int_equal(host_property(&admin, false, PROPERTY_VS, 0), STATUS_SEQUENCE | NO_RETRY);
	assert_int_equal(host_connect(&admin, 0, 5, 0), STATUS_CONNECT_PARAMETER | NO_RETRY);
	assert_int_equal(host_connect(&admin, 1, 5, 0), STATUS_CONNECT_PARAMETER | NO_RETRY);
	assert_int_equal(admin.result, 0x10010); /* in the data, at 16 */
	assert_int_equal(host_connect(&admin, 0, 0xffff, 0), 0);
	id = (uint16_t)admin.result;
	assert_int_equal(host_connect(&admin, 0, 0xffff, 0), STATUS_SEQUENCE | NO_RETRY);

	assert_int_equal(host_property(&admin, false, PROPERTY_CAP, 0), 0);
	assert_int_equal(admin.result & 0xffff, 127);
	assert_int_equal(host_property(&admin, false, PROPERTY_VS, 0), 0);
	assert_int_equal(admin.result, 0x10400);
	assert_int_equal(host_property(&admin, false, 0x44, 0), STATUS_INVALID_FIELD | NO_RETRY);
	/* Not ready: no admin command, no I/O queue. */
	assert_int_equal(host_get(&admin, FEATURE_POWER, 0, 0), STATUS_SEQUENCE | NO_RETRY);
	queue = host_open(&target);
	assert_int_equal(host_connect(&queue, 1, id, 0), STATUS_SEQUENCE);
	assert_int_equal(host_property(&admin, true, PROPERTY_CC, 0x460001), 0);
	assert_int_equal(host_property(&admin, false, PROPERTY_CSTS, 0), 0);
	assert_int_equal(admin.result, 1);
	assert_int_equal(host_connect(&queue, 1, id, 0), 0);
	/* Shutdown completes; a reset ends the I/O queue. */
	assert_int_equal(host_property(&admin, true, PROPERTY_CC, 0x464001), 0);
	assert_int_equal(host_property(&admin, false, PROPERTY_CSTS, 0), 0);
	assert_int_equal(admin.result, 9);
	assert_int_equal(host_property(&admin, true, PROPERTY_CC, 0), 0);
	assert_int_equal(host_property(&admin, false, PROPERTY_CSTS, 0), 0);
	assert_int_equal(admin.result, 0);
	assert_int_equal(host_io(&queue, IO_FLUSH, 0, 1, NULL), -1);
	close(queue.fd);
	close(admin.fd);
}

static void identifies(void **state)
{
	static uint8_t page[4096];
	uint16_t id;
	struct host h = host_admin(&target, &id);

	(void)state;
	assert_int_equal(host_identify(&h, 1, 0, page), 0);
	assert_memory_equal(page + 4, "T1                  ", 20);
	assert_memory_equal(page + 24, "PLAIN RIG DRIVE ", 16);
	assert_int_equal(get16(page + 78), id);
	assert_int_equal(get16(page + 266), 353); /* 80 °C */
	assert_int_equal(get16(page + 268), 363);
	assert_int_equal(page[261] & 0x10, 0x10); /* persistent event log */
	assert_string_equal((char *)page + 768, RIG_NQN);
	assert_int_equal(host_identify(&h, 0, 1, page), 0);
	assert_int_equal(get64(page), (UINT64_C(64) << 30) / 512);
	assert_int_equal(page[130], 9);
	assert_int_equal(host_identify(&h, 2, 0, page), 0);
	assert_int_equal(get64(page), 1);
	assert_int_equal(host_identify(&h, 2, 1, page), 0);
	assert_int_equal(get64(page), 0);
	assert_int_equal(host_identify(&h, 3, 1, page), 0);
	assert_int_equal(page[0], 1);
	assert_int_equal(host_identify(&h, 5, 1, page), 0);
	assert_int_equal(host_identify(&h, 6, 0, page), 0);
	assert_int_equal(host_identify(&h, 0, 2, page), STATUS_INVALID_NAMESPACE | NO_RETRY);
	assert_int_equal(host_identify(&h, 3, 0, page), STATUS_INVALID_NAMESPACE | NO_RETRY);
	assert_int_equal(host_identify(&h, 0x55, 1, page), STATUS_INVALID_FIELD | NO_RETRY);
	close(h.fd);
}

static void keeps_data(void **state)
{
	static uint8_t out[65536], in[65536];
	uint8_t dsm[64] = {IO_DSM}, ranges[4096] = {0};
	uint16_t id;
	struct host admin = host_admin(&target, &id), q = host_queue(&target, id);

	(void)state;
	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)(i * 7 + i / 256);
	memset(in, 0xff, sizeof(in));
	assert_int_equal(host_io(&q, IO_READ, 1000, 128, in), 0);
	for (size_t i = 0; i < sizeof(in); i++)
		assert_int_equal(in[i], 0);
	/* Asked for by R2T; across pieces of the store; in the capsule. */
	assert_int_equal(host_io(&q, IO_WRITE, 450, 128, out), 0);
	assert_int_equal(host_io(&q, IO_READ, 450, 128, in), 0);
	assert_memory_equal(in, out, sizeof(in));
	assert_int_equal(host_io(&q, IO_WRITE, 100000, 8, out + 99), 0);
	assert_int_equal(host_io(&q, IO_READ, 99999, 16, in), 0);
	assert_int_equal(in[511], 0);
	assert_memory_equal(in + 512, out + 99, 4096);
	assert_int_equal(host_io(&q, IO_FLUSH, 0, 1, NULL), 0);
	assert_int_equal(host_io(&q, IO_WRITE_ZEROES, 451, 30, NULL), 0);
	put32(ranges + 4, 2);
	put64(ranges + 8, 100001);
	put32(dsm + 4, 1);
	put32(dsm + 44, 4);
	assert_int_equal(host_command(&q, dsm, ranges, NULL, sizeof(ranges)), 0);
	assert_int_equal(host_io(&q, IO_READ, 450, 128, in), 0);
	assert_memory_equal(in, out, 512);
	assert_int_equal(in[512] | in[31 * 512 - 1], 0);
	assert_memory_equal(in + 31 * 512, out + 31 * 512, sizeof(in) - 31 * 512);
	assert_int_equal(host_io(&q, IO_READ, 100000, 8, in), 0);
	assert_int_equal(in[512] | in[1535], 0);
	assert_memory_equal(in + 1536, out + 99 + 1536, 4096 - 1536);
	close(q.fd);
	close(admin.fd);
}

static void refuses_io(void **state)
{
	static uint8_t data[65536];
	uint64_t last = (UINT64_C(64) << 30) / 512 - 1;
	uint16_t id;
	struct host admin = host_admin(&target, &id), q = host_queue(&target, id);
	static uint8_t page[4096];

	(void)state;
	assert_int_equal(host_io(&q, IO_READ, last, 1, data), 0);
	assert_int_equal(host_io(&q, IO_READ, last, 2, data), STATUS_LBA_RANGE | NO_RETRY);
	assert_int_equal(host_io(&q, IO_WRITE, UINT64_MAX, 128, data), STATUS_LBA_RANGE | NO_RETRY);
	assert_int_equal(host_io(&q, IO_WRITE_ZEROES, last, 9, data), STATUS_LBA_RANGE | NO_RETRY);
	assert_int_equal(host_io(&q, 0x05, 0, 1, data), STATUS_INVALID_OPCODE | NO_RETRY);
	rig_do(&target, "io-error 100 4");
	assert_int_equal(host_io(&q, IO_READ, 96, 4, data), 0);
	assert_int_equal(host_io(&q, IO_READ, 103, 4, data), STATUS_READ_ERROR | NO_RETRY);
	assert_int_equal(host_io(&q, IO_WRITE, 90, 128, data), STATUS_WRITE_FAULT | NO_RETRY);
	assert_int_equal(host_log(&admin, LOG_ERRORS, 0, 0, page, 64), 0);
	assert_int_equal(get16(page + 12) >> 1, STATUS_WRITE_FAULT | NO_RETRY);
	assert_int_equal(get64(page + 16), 90);
	rig_do(&target, "io-error off");
	assert_int_equal(host_io(&q, IO_READ, 103, 4, data), 0);
	rig_do(&target, "read-only on");
	assert_int_equal(host_io(&q, IO_WRITE, 0, 8, data), STATUS_WRITE_PROTECTED | NO_RETRY);
	assert_int_equal(host_identify(&admin, 0, 1, page), 0);
	assert_int_equal(page[99], 1);
	assert_int_equal(host_log(&admin, LOG_SMART, 0, 0, page, 512), 0);
	assert_int_equal(page[0], WARN_READ_ONLY);
	rig_do(&target, "read-only off");
	assert_int_equal(host_io(&q, IO_WRITE, 0, 8, data), 0);
	close(q.fd);
	close(admin.fd);
}

static void has_features(void **state)
{
	uint32_t tmt = (273u + 40) << 16 | (273 + 60);
	uint16_t id;
	struct host h = host_admin(&target, &id);

	(void)state;
	assert_int_equal(host_get(&h, FEATURE_HCTM, 0, 0), 0);
	assert_int_equal(h.result, 0);
	assert_int_equal(host_set(&h, FEATURE_HCTM, tmt), 0);
	assert_int_equal(host_get(&h, FEATURE_HCTM, 0, 0), 0);
	assert_int_equal(h.result, tmt);
	assert_int_equal(host_get(&h, FEATURE_HCTM, 1, 0), 0);
	assert_int_equal(h.result, 0);
	/* TMT1 above TMT2, out of range; what cannot be saved; what is not there. */
	assert_int_equal(host_set(&h, FEATURE_HCTM, tmt << 16 | tmt >> 16),
			 STATUS_INVALID_FIELD | NO_RETRY);
	assert_int_equal(host_set(&h, FEATURE_HCTM, 500), STATUS_INVALID_FIELD | NO_RETRY);
	assert_int_equal(host_set(&h, 0x77, 0), STATUS_INVALID_FIELD | NO_RETRY);
	assert_int_equal(host_get(&h, FEATURE_TEMPERATURE, 0, 0), 0);
	assert_int_equal(h.result, 353);
	assert_int_equal(host_get(&h, FEATURE_TEMPERATURE, 0, 1 << 16), 0);
	assert_int_equal(h.result, 0xffff);
	assert_int_equal(host_set(&h, FEATURE_POWER, 2), 0);
	assert_int_equal(host_set(&h, FEATURE_POWER, 9), STATUS_INVALID_FIELD | NO_RETRY);
	assert_int_equal(host_set(&h, FEATURE_QUEUES, 0x1ff01ff), 0);
	assert_int_equal(h.result, 0x70007);
	/* A reset puts everything back. */
	assert_int_equal(host_property(&h, true, PROPERTY_CC, 0), 0);
	assert_int_equal(host_property(&h, true, PROPERTY_CC, 0x460001), 0);
	assert_int_equal(host_get(&h, FEATURE_HCTM, 0, 0), 0);
	assert_int_equal(h.result, 0);
	close(h.fd);
}

static void ends_without_keep_alive(void **state)
{
	struct host h = host_open(&target);
	uint8_t sqe[64] = {ADMIN_KEEP_ALIVE};

	(void)state;
	assert_int_equal(host_connect(&h, 0, 0xffff, 400), 0);
	assert_int_equal(host_property(&h, true, PROPERTY_CC, 0x460001), 0);
	for (int i = 0; i < 6; i++) {
		usleep(100000);
		assert_int_equal(host_command(&h, sqe, NULL, NULL, 0), 0);
	}
	assert_int_equal(host_get(&h, FEATURE_KEEP_ALIVE, 0, 0), 0);
	assert_int_equal(h.result, 400);
	assert_false(host_read(h.fd, sqe, 1));
	close(h.fd);
}

static void comes_and_goes(void **state)
{
	uint16_t id;
	struct host h = host_admin(&target, &id);
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)target.port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)state;
	rig_do(&target, "cut");
	assert_false(host_read(h.fd, &id, 1));
	close(h.fd);
	assert_true(connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0);
	close(fd);
	rig_do(&target, "back");
	while (rig_state(&target, "gone ") > 0)
		usleep(10000);
	h = host_admin(&target, &id);
	close(h.fd);
}

static void stops_hanging(void **state)
{
	static uint8_t data[4096];
	uint16_t id;
	struct host admin = host_admin(&target, &id), q = host_queue(&target, id);
	double before;

	(void)state;
	rig_do(&target, "hang 0.5");
	before = rig_state(&target, "model_s ");
	assert_int_equal(host_io(&q, IO_READ, 0, 8, data), 0);
	assert_true(rig_state(&target, "model_s ") - before > 0.3);
	close(q.fd);
	close(admin.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(connects),       cmocka_unit_test(identifies),
	    cmocka_unit_test(keeps_data),     cmocka_unit_test(refuses_io),
	    cmocka_unit_test(has_features),   cmocka_unit_test(ends_without_keep_alive),
	    cmocka_unit_test(comes_and_goes), cmocka_unit_test(stops_hanging),
	};

	return cmocka_run_group_tests_name("rig", tests, begin, end);
}
