/* The table of load engines, and which of them is taken. */
#include "throttlog/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engines/members.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"

const struct engine_ops *const engines[] = {&engine_uring, &engine_libaio, &engine_sim, NULL};

#define NAMES_MAX 8 /* "auto" and those of the table */

_Static_assert(sizeof(engines) / sizeof(engines[0]) <= NAMES_MAX, "room for all names");

/* The start of a small file of /proc as text; "" if it cannot be read. */
static void read_proc(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
}

/* True if a seccomp filter watches this thread: proc_pid_status(5), "Seccomp: 2". */
static bool is_filtered(void)
{
	char status[4096];
	const char *line;

	read_proc("/proc/thread-self/status", status, sizeof(status));
	line = strstr(status, "\nSeccomp:\t");
	return line && line[10] == '2';
}

/* Why the kernel refused an engine, in words. */
static void say_refusal(int err, char *buf, size_t size)
{
	char disabled[16];

	if (err == -EPERM) {
		read_proc("/proc/sys/kernel/io_uring_disabled", disabled, sizeof(disabled));
		if (disabled[0] == '1' || disabled[0] == '2') {
			snprintf(buf, size, "sysctl kernel.io_uring_disabled is %c", disabled[0]);
			return;
		}
	}
	if ((err == -EPERM || err == -ENOSYS || err == -EACCES) && is_filtered())
		snprintf(buf, size, "a seccomp filter forbids it (%s)", DIAG_ERRNO(err));
	else if (err == -ENOSYS)
		snprintf(buf, size, "this kernel has none");
	else if (err == -EOPNOTSUPP)
		snprintf(buf, size, "this kernel's is too old");
	else if (err == -ENOMEM)
		snprintf(buf, size, "too little memory may be locked (ulimit -l)");
	else if (err == -EAGAIN)
		snprintf(buf, size, "sysctl fs.aio-max-nr is used up");
	else
		snprintf(buf, size, "%s", DIAG_ERRNO(err));
}

/* Adds "; io_uring is refused: REASON" to what is in `why`. */
static void add_refusal(const struct engine_ops *ops, int err, char *why, size_t size)
{
	char reason[160];
	size_t used = strlen(why);

	say_refusal(err, reason, sizeof(reason));
	snprintf(why + used, size - used, "%s%s is refused: %s", used ? "; " : "", ops->name,
		 reason);
}

static int choose_first(const struct engine_ops **out, char *why, size_t size)
{
	int first_err = -ENOSYS;
	bool any = false;

	for (size_t i = 0; engines[i]; i++) {
		int err;

		if (engines[i]->simulated)
			continue;
		err = engines[i]->probe();
		if (!err) {
			*out = engines[i];
			return 0;
		}
		if (!any)
			first_err = err;
		any = true;
		add_refusal(engines[i], err, why, size);
	}
	return first_err;
}

static int unknown_name(const char *name, char *why, size_t size)
{
	const char *names[NAMES_MAX] = {"auto"};
	const char *near;
	size_t n = 1;

	for (size_t i = 0; engines[i]; i++)
		names[n++] = engines[i]->name;
	near = text_nearest(name, names, n);
	if (near)
		snprintf(why, size, "no engine '%s'; did you mean '%s'?", name, near);
	else
		snprintf(why, size, "no engine '%s'", name);
	return -EINVAL;
}

int engine_choose(const char *name, const struct engine_ops **out, char *why, size_t size)
{
	why[0] = '\0';
	if (strcmp(name, "auto") == 0)
		return choose_first(out, why, size);
	for (size_t i = 0; engines[i]; i++) {
		int err;

		if (strcmp(name, engines[i]->name) != 0)
			continue;
		err = engines[i]->probe();
		if (err)
			add_refusal(engines[i], err, why, size);
		else
			*out = engines[i];
		return err;
	}
	return unknown_name(name, why, size);
}
