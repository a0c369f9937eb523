/* What the kernel announces about a drive: read, matched to its drive, told once, in the log. */
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conductor/conductor_private.h"
#include "throttlog/log.h"
#include "throttlog/uevent.h"

static struct uevent decode(const char *action, const char *aen, const char *event)
{
	struct uevent_raw raw = {action, "/sys/devices/x", aen, event};
	struct uevent e;

	uevent_decode(&raw, &e);
	return e;
}

static void decodes(void **state)
{
	(void)state;
	assert_int_equal(decode("change", "0x020101", NULL).kind, UEVENT_AEN);
	assert_int_equal(decode("change", "0x020101", NULL).aen, 0x020101);
	assert_int_equal(decode("change", "0", NULL).kind, UEVENT_AEN);
	assert_int_equal(decode("change", "0x1ffffffff", NULL).kind, UEVENT_NONE);
	assert_int_equal(decode("change", "0x0201zz", NULL).kind, UEVENT_NONE);
	assert_int_equal(decode("change", "-1", NULL).kind, UEVENT_NONE);
	assert_int_equal(decode("change", "", NULL).kind, UEVENT_NONE);
	assert_int_equal(decode("change", NULL, "connected").kind, UEVENT_CONNECTED);
	assert_int_equal(decode("change", NULL, "rediscover").kind, UEVENT_NAMED);
	assert_string_equal(decode("change", NULL, "re;di\x1bscover").name, "re;di?scover");
	assert_int_equal(decode("change", NULL, "").kind, UEVENT_NONE);
	/* A change that somebody made up by writing to the uevent file carries neither. */
	assert_int_equal(decode("change", NULL, NULL).kind, UEVENT_NONE);
	assert_int_equal(decode("add", NULL, NULL).kind, UEVENT_ADDED);
	assert_int_equal(decode("remove", NULL, NULL).kind, UEVENT_REMOVED);
	assert_int_equal(decode("bind", NULL, NULL).kind, UEVENT_NONE);
	assert_int_equal(decode(NULL, NULL, NULL).kind, UEVENT_NONE);
}

static void names_events(void **state)
{
	static const struct {
		uint32_t aen;
		const char *text;
	} cases[] = {
	    {0x020001, "0x020001 reliability degraded"},
	    {0x020101, "0x020101 temperature threshold"},
	    {0x020201, "0x020201 spare below threshold"},
	    {0x027f01, "0x027f01 health status"},
	    {0x010300, "0x010300 persistent internal error"},
	    {0xff0007, "0xff0007 vendor"},
	    {0xffffff05, "0xffffff05 reserved"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[64];

		uevent_aen_text(cases[i].aen, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

/* --- A session of two drives, and a source of our own. --- */

static struct {
	int open_err, pipe[2];
	const struct uevent_raw *script;
	size_t n, next;
	bool open;
} fake;

static int fake_open(void)
{
	if (fake.open_err)
		return fake.open_err;
	fake.open = true;
	return 0;
}

static int fake_fd(void)
{
	return fake.pipe[0];
}

static bool fake_next(struct uevent_raw *out)
{
	char c;

	if (fake.next == fake.n)
		return false;
	if (read(fake.pipe[0], &c, 1) != 1)
		return false;
	*out = fake.script[fake.next++];
	return true;
}

static void fake_close(void)
{
	fake.open = false;
}

static const struct uevent_source source = {fake_open, fake_fd, fake_next, fake_close};

static struct config config;
static struct conductor *c;

static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	if (pipe(fake.pipe))
		return -1;
	uevent_source = &source;
	config = (struct config){.interval_s = 1, .stop_temp_c = INFINITY};
	c = calloc(1, sizeof(*c));
	c->config = &config;
	c->signal_fd = -1;
	c->session.n = c->n_open = 2;
	c->session.drive = calloc(2, sizeof(*c->session.drive));
	c->slots = calloc(2, sizeof(*c->slots));
	for (int i = 0; i < 2; i++) {
		struct slot *s = &c->slots[i];

		s->config = &config;
		s->sd = &c->session.drive[i];
		run_clear(&s->sd->run);
		s->sd->throttle_s = (double)NAN;
		s->fd = -1;
		s->online = online_new();
		s->hot_before_c = s->stop_c = (double)NAN;
		s->asked_s = s->aen_s = s->reset_s = -INFINITY;
		s->plan.time_s = INFINITY;
		plan_start(&s->plan);
		s->phase = s->plan.phase;
		snprintf(s->target.controller_sysfs, sizeof(s->target.controller_sysfs),
			 "/sys/devices/pci0000:00/0000:00:0%d.0/nvme/nvme%d", 3 - i, i);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		run_fini(&c->session.drive[i].run);
		assert_int_equal(slot_close(&c->slots[i]), 0);
	}
	free(c->session.drive);
	free(c->slots);
	free(c);
	close(fake.pipe[0]);
	close(fake.pipe[1]);
	uevent_source = &uevent_udev;
	return 0;
}

#define NVME0 "/sys/devices/pci0000:00/0000:00:03.0/nvme/nvme0"
#define NVME1 "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme1"

/* Lets `n` announcements come in and makes the row that ends at t_s. */
static void hear(const struct uevent_raw *script, size_t n, double t_s)
{
	fake.script = script;
	fake.n = n;
	fake.next = 0;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(write(fake.pipe[1], "x", 1), 1);
	/* One wait of the loop: the descriptor wakes it, whatever the time. */
	conductor_wait(c, 0);
	for (int i = 0; i < 2; i++)
		if (!c->session.drive[i].done)
			slot_tick(&c->slots[i], t_s, t_s, NULL);
}

/* The events of a drive's last row, as in its log. */
static const char *said(int drive)
{
	static char row[1536];
	const struct series *s = &c->session.drive[drive].run.series;
	bool can[FIELD_COUNT] = {false};
	struct sample sample;
	size_t first = s->n_events, n;

	while (first > 0 && s->events[first - 1].row == s->n - 1)
		first--;
	series_row(s, s->n - 1, &sample);
	n = log_format_row(&sample, s->events + first, s->n_events - first, can, row, sizeof(row));
	row[n - 1] = '\0';
	return strrchr(row, ',') + 1;
}

static void reaches_its_drive(void **state)
{
	static const struct uevent_raw script[] = {
	    {"change", NVME1, "0x020101", NULL},
	    {"change", "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme11", "0x020001", NULL},
	    {"change", NVME0, NULL, "rediscover"},
	    {"change", NULL, "0x020001", NULL},
	};

	(void)state;
	conductor_watch_kernel(c);
	assert_int_equal(c->uevent_fd, fake.pipe[0]);
	hear(script, 4, 1);
	assert_string_equal(said(0), "uevent=rediscover;state=LOAD");
	assert_string_equal(said(1), "aen=0x020101 temperature threshold;state=LOAD");
	hear(NULL, 0, 2);
	assert_string_equal(said(1), "");
	conductor_unwatch_kernel(c);
	assert_false(fake.open);
}

/* Each poll that clears the event lets the drive send it again while its cause lasts. */
static void a_lasting_cause_is_told_once(void **state)
{
	static const struct uevent_raw hot = {"change", NVME0, "0x020101", NULL};
	static const struct uevent_raw other = {"change", NVME0, "0x020201", NULL};
	int told = 0;

	(void)state;
	conductor_watch_kernel(c);
	for (int i = 1; i <= 20; i++) {
		hear(&hot, 1, i);
		told += strstr(said(0), "aen=0x020101") != NULL;
	}
	assert_int_equal(told, 1);
	hear(&other, 1, 21);
	assert_string_equal(said(0), "aen=0x020201 spare below threshold");
	for (int i = 22; i < 40; i++)
		hear(NULL, 0, i);
	hear(&hot, 1, 40);
	assert_string_equal(said(0), "aen=0x020101 temperature threshold");
	conductor_unwatch_kernel(c);
}

static void a_reset_is_told_once(void **state)
{
	static const struct uevent_raw connected = {"change", NVME0, NULL, "connected"};
	struct slot *s = &c->slots[0];
	struct poller_answer answer = {.error = -EINTR};
	struct sample row;

	(void)state;
	sample_clear(&row);
	conductor_watch_kernel(c);
	/* The kernel alone. */
	hear(&connected, 1, 1);
	assert_non_null(strstr(said(0), "reset"));
	hear(&connected, 1, 10);
	assert_string_equal(said(0), "reset");
	/* A poll fails first, the announcement comes when it is over. */
	hear(NULL, 0, 20);
	slot_events(s, &row, &answer);
	assert_string_equal(said(0), "reset");
	hear(&connected, 1, 21);
	assert_string_equal(said(0), "");
	/* The announcement comes first, and a poll that the reset cancelled after it. */
	hear(NULL, 0, 30);
	hear(&connected, 1, 31);
	assert_string_equal(said(0), "reset");
	hear(NULL, 0, 32);
	slot_events(s, &row, &answer);
	assert_string_equal(said(0), "");
	conductor_unwatch_kernel(c);
}

static void a_removed_drive_is_lost(void **state)
{
	static const struct uevent_raw gone[] = {
	    {"remove", NVME0, NULL, NULL},
	    {"change", NVME0, "0x020101", NULL},
	};

	(void)state;
	conductor_watch_kernel(c);
	hear(gone, 1, 1);
	assert_true(c->session.drive[0].lost && c->session.drive[0].done);
	assert_non_null(strstr(said(0), "lost"));
	assert_non_null(strstr(said(0), "end=lost"));
	assert_false(c->session.drive[1].lost || c->session.drive[1].done);
	/* Nothing more is kept for it. */
	hear(gone + 1, 1, 2);
	assert_int_equal(c->slots[0].n_pending, 0);
	conductor_unwatch_kernel(c);
}

static void goes_on_without(void **state)
{
	(void)state;
	fake.open_err = -EPERM;
	conductor_watch_kernel(c);
	assert_int_equal(c->uevent_fd, -1);
	slot_tick(&c->slots[0], 1, 1, NULL);
	conductor_unwatch_kernel(c);
	/* No NVMe drive: nothing to listen for. */
	fake.open_err = 0;
	for (int i = 0; i < 2; i++)
		c->slots[i].target.controller_sysfs[0] = '\0';
	conductor_watch_kernel(c);
	assert_int_equal(c->uevent_fd, -1);
	assert_false(fake.open);
}

/* The real one can be opened by anybody and has a descriptor; nothing need ever come. */
static void udev_opens(void **state)
{
	int err = uevent_udev.open();

	(void)state;
	if (err) {
		print_message("# no netlink here: %d\n", err);
		skip();
	}
	assert_true(uevent_udev.fd() >= 0);
	uevent_udev.close();
	assert_int_equal(uevent_udev.open(), 0);
	uevent_udev.close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(decodes),
	    cmocka_unit_test(names_events),
	    cmocka_unit_test_setup_teardown(reaches_its_drive, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_lasting_cause_is_told_once, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_reset_is_told_once, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_removed_drive_is_lost, setup, teardown),
	    cmocka_unit_test_setup_teardown(goes_on_without, setup, teardown),
	    cmocka_unit_test(udev_opens),
	};

	return cmocka_run_group_tests_name("uevent", tests, NULL, NULL);
}
