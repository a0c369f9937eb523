/* What no host should send: the target ends that connection with a reason, and lives on. */
#include "cmocka_all.h"

#include "rig_client.h"

#define ROUNDS 60

static struct target_rig target;
static uint64_t dice = 1;

static unsigned roll(unsigned sides)
{
	dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(dice >> 33) % sides;
}

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

/* It still works for others. */
static void assert_alive(void)
{
	static uint8_t page[4096];
	uint16_t id;
	struct host h = host_admin(&target, &id);

	assert_int_equal(host_identify(&h, 1, 0, page), 0);
	close(h.fd);
}

/* The reason in the TermReq that must come, and then the end. */
static unsigned term_of(int fd, uint32_t *field)
{
	uint8_t head[PDU_DATA_HEAD], rest[256];

	assert_true(host_read(fd, head, sizeof(head)));
	assert_int_equal(head[0], PDU_C2H_TERM);
	*field = get32(head + 10);
	assert_true(get32(head + 4) <= PDU_DATA_HEAD + 128);
	while (recv(fd, rest, sizeof(rest), 0) > 0)
		;
	close(fd);
	return get16(head + 8);
}

static void headers(void **state)
{
	static const struct {
		bool open;
		uint8_t head[PDU_COMMON];
		unsigned fatal, field;
	} table[] = {
	    {false, {PDU_COMMAND, 0, 72, 0, 72, 0, 0, 0}, FATAL_SEQUENCE, 0},
	    {true, {PDU_ICREQ, 0, 128, 0, 128, 0, 0, 0}, FATAL_SEQUENCE, 0},
	    {true, {PDU_R2T, 0, 24, 0, 24, 0, 0, 0}, FATAL_FIELD, 0},
	    {true, {0x55, 0, 24, 0, 24, 0, 0, 0}, FATAL_FIELD, 0},
	    {true, {PDU_COMMAND, 1, 72, 0, 72, 0, 0, 0}, FATAL_FIELD, 1},
	    {true, {PDU_COMMAND, 0, 71, 0, 72, 0, 0, 0}, FATAL_FIELD, 2},
	    {true, {PDU_COMMAND, 0, 72, 0, 71, 0, 0, 0}, FATAL_FIELD, 4},
	    {true, {PDU_COMMAND, 0, 72, 0, 255, 255, 255, 255}, FATAL_FIELD, 4},
	    {true, {PDU_COMMAND, 0, 72, 71, 100, 0, 0, 0}, FATAL_FIELD, 3},
	    {true, {PDU_COMMAND, 0, 72, 101, 100, 0, 0, 0}, FATAL_FIELD, 3},
	    {true, {PDU_H2C_DATA, 0, 24, 24, 0, 0, 32, 0}, FATAL_FIELD, 4},
	    {true, {PDU_H2C_DATA, 0, 0, 24, 24, 0, 0, 0}, FATAL_FIELD, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int fd = table[i].open ? host_open(&target).fd : host_dial(&target);
		uint32_t field;

		host_write(fd, table[i].head, PDU_COMMON);
		assert_int_equal(term_of(fd, &field), table[i].fatal);
		if (table[i].fatal == FATAL_FIELD)
			assert_int_equal(field, table[i].field);
	}
	assert_alive();
}

static void icreq_of_another_version(void **state)
{
	uint8_t ic[PDU_IC_BYTES];
	int fd = host_dial(&target);
	uint32_t field;

	(void)state;
	pdu_head(ic, PDU_ICREQ, PDU_IC_BYTES, 0, PDU_IC_BYTES);
	ic[8] = 1;
	host_write(fd, ic, sizeof(ic));
	assert_int_equal(term_of(fd, &field), FATAL_PARAMETER);
	assert_int_equal(field, 8);
}

/* A write of 64 KiB whose R2T is answered wrongly: tag, command, offset, length. */
static void data_that_was_not_asked_for(void **state)
{
	static const struct {
		unsigned at, value, fatal;
	} table[] = {{10, 77, FATAL_FIELD},
		     {10, 0xffff, FATAL_FIELD},
		     {8, 99, FATAL_FIELD},
		     {12, 4096, FATAL_RANGE},
		     {16, 8192, FATAL_FIELD}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint8_t sqe[64] = {IO_WRITE}, r2t[PDU_DATA_HEAD], head[PDU_DATA_HEAD];
		uint16_t id;
		struct host admin = host_admin(&target, &id), q = host_queue(&target, id);
		uint32_t field;

		put32(sqe + 4, 1);
		put32(sqe + 48, 127);
		host_submit(&q, sqe, 5, NULL, 65536, false);
		assert_true(host_read(q.fd, r2t, sizeof(r2t)));
		assert_int_equal(r2t[0], PDU_R2T);
		pdu_head(head, PDU_H2C_DATA, PDU_DATA_HEAD, PDU_DATA_HEAD, PDU_DATA_HEAD + 4096);
		memcpy(head + 8, r2t + 8, 4);
		put32(head + 16, 4096);
		put16(head + table[i].at, table[i].value);
		host_write(q.fd, head, sizeof(head));
		assert_int_equal(term_of(q.fd, &field), table[i].fatal);
		close(admin.fd);
	}
	assert_alive();
}

/* Descriptors and lengths that do not fit the command: a status, and the connection stays. */
static void data_of_the_wrong_length(void **state)
{
	static uint8_t data[8192], page[4096];
	uint8_t sqe[64] = {IO_WRITE};
	uint16_t id;
	struct host admin = host_admin(&target, &id), q = host_queue(&target, id);

	(void)state;
	put32(sqe + 4, 1);
	put32(sqe + 48, 7);
	assert_int_equal(host_command(&q, sqe, data, NULL, 512), STATUS_SGL_LENGTH | NO_RETRY);
	assert_int_equal(host_command(&q, sqe, data, NULL, 8192), STATUS_SGL_LENGTH | NO_RETRY);
	assert_int_equal(host_command(&q, sqe, NULL, NULL, 0), STATUS_SGL_LENGTH | NO_RETRY);
	sqe[0] = IO_DSM;
	sqe[40] = 255;
	assert_int_equal(host_command(&q, sqe, data, NULL, 16), STATUS_SGL_LENGTH | NO_RETRY);
	/* Less is taken than there is: cut, as Get Log Page does. */
	assert_int_equal(host_identify(&admin, 1, 0, page), 0);
	assert_int_equal(host_io(&q, IO_WRITE, 0, 16, data), 0);
	close(q.fd);
	close(admin.fd);
}

/* A command that is well formed and full of noise, or a PDU that is noise altogether. */
static void send_noise(int fd)
{
	uint8_t pdu[PDU_COMMAND_HEAD + 256];
	size_t data = roll(3) ? 0 : roll(256), n = PDU_COMMAND_HEAD + data;

	for (size_t i = 0; i < sizeof(pdu); i++)
		pdu[i] = (uint8_t)roll(256);
	if (roll(8)) {
		static const uint8_t opcodes[] = {0, 1, 2, 5, 6, 8, 9, 10, 12, 24, 0x7f};

		pdu_head(pdu, PDU_COMMAND, PDU_COMMON, data ? PDU_COMMAND_HEAD : 0, n);
		pdu[2] = PDU_COMMAND_HEAD;
		pdu[8] = opcodes[roll(sizeof(opcodes))];
		if (roll(2))
			memset(pdu + 12, 0, 4);
		pdu[12] = (uint8_t)roll(5);
		if (roll(2))
			memset(pdu + 24, 0, 16);
		put32(pdu + 40, roll(2) ? (uint32_t)data : roll(70000));
		pdu[47] = roll(2) ? 0x01 : 0x5a;
		pdu[48] = (uint8_t)roll(32);
		if (roll(2))
			memset(pdu + 50, 0, 20);
	} else {
		n = 1 + roll(sizeof(pdu));
	}
	host_write(fd, pdu, n);
}

/* Any order of any commands: it neither falls over nor stops serving others. */
static void noise(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint16_t id;
		struct host admin = host_admin(&target, &id);
		struct host h = roll(2) ? host_queue(&target, id) : host_open(&target);
		static uint8_t drain[4096];

		for (unsigned n = roll(20); n; n--) {
			send_noise(roll(2) ? h.fd : admin.fd);
			while (recv(h.fd, drain, sizeof(drain), MSG_DONTWAIT) > 0)
				;
		}
		close(h.fd);
		close(admin.fd);
		if (i % 20 == 0)
			assert_alive();
	}
	assert_alive();
	assert_int_equal(rig_state(&target, "gone "), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(headers),
	    cmocka_unit_test(icreq_of_another_version),
	    cmocka_unit_test(data_that_was_not_asked_for),
	    cmocka_unit_test(data_of_the_wrong_length),
	    cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests_name("rig_bad", tests, begin, end);
}
