/*
 * Which engine is taken when the kernel refuses one: by a seccomp filter as containers have it,
 * or by the sysctl. Each case in a child, since a filter stays for good.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_permit.h"
#include "throttlog/engine.h"

#define SYSCTL "/proc/sys/kernel/io_uring_disabled"

/* From now on the system calls `a` and `b` (-1: none) fail with `err`. Returns 0 or -errno. */
static int refuse(long a, long b, int err)
{
	const unsigned answer = SECCOMP_RET_ERRNO | (unsigned)err;
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)a, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)b, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, answer),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}

/* What a child found out; its exit status is too narrow for words. */
struct answer {
	int skipped, res;
	char engine[32], why[400];
};

struct request {
	long refused[2]; /* system calls, -1: none */
	int err;
	const char *sysctl; /* what the sysctl's file says, NULL: as it is */
	const char *name;   /* engine asked for */
};

/* Lays a file of ours over the sysctl's, so that the machine's own stays as it is. */
static int fake_sysctl(const char *value)
{
	char path[] = "/tmp/sysctl.XXXXXX";
	int fd = mkstemp(path), err = 0;

	if (fd < 0 || write(fd, value, strlen(value)) < 0 || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(path, SYSCTL, NULL, MS_BIND, NULL))
		err = -errno;
	close(fd);
	unlink(path);
	return err;
}

static void answer_in_child(const struct request *r, struct answer *a)
{
	const struct engine_ops *ops = NULL;

	if (r->sysctl && fake_sysctl(r->sysctl))
		a->skipped = 1;
	else if ((r->refused[0] >= 0 || r->refused[1] >= 0) &&
		 refuse(r->refused[0], r->refused[1], r->err))
		a->skipped = 1;
	else
		a->res = engine_choose(r->name, &ops, a->why, sizeof(a->why));
	if (ops)
		snprintf(a->engine, sizeof(a->engine), "%s", ops->name);
}

static struct answer ask(const struct request *r)
{
	struct answer a = {0};
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	if (!child) {
		answer_in_child(r, &a);
		_exit(write(ends[1], &a, sizeof(a)) != (ssize_t)sizeof(a));
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &a, sizeof(a)), sizeof(a));
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (a.skipped) {
		print_message("# the kernel allows no such filter or mount here\n");
		skip();
	}
	return a;
}

static bool has_uring(void)
{
	const struct engine_ops *ops;
	char why[200];

	return !engine_choose("io_uring", &ops, why, sizeof(why));
}

static void takes_the_first_that_works(void **state)
{
	struct answer a = ask(&(struct request){{-1, -1}, 0, NULL, "auto"});

	(void)state;
	if (!has_uring())
		skip();
	assert_int_equal(a.res, 0);
	assert_string_equal(a.engine, "io_uring");
	assert_string_equal(a.why, "");
}

static void a_filter_leads_to_libaio(void **state)
{
	static const int errors[] = {EPERM, ENOSYS};
	/* Whatever this machine's own setting is, it shall not be what refuses. */
	const char *enabled = !geteuid() && !access(SYSCTL, R_OK) ? "0\n" : NULL;

	(void)state;
	if (!has_uring())
		skip();
	for (int i = 0; i < 2; i++) {
		struct answer a = ask(
		    &(struct request){{SYS_io_uring_setup, -1}, errors[i], enabled, "auto"});

		assert_int_equal(a.res, 0);
		assert_string_equal(a.engine, "libaio");
		assert_non_null(strstr(a.why, "io_uring is refused"));
		assert_non_null(strstr(a.why, "seccomp"));
	}
}

static void the_sysctl_is_named(void **state)
{
	struct answer a;

	(void)state;
	if (access(SYSCTL, R_OK)) {
		print_message("# no %s (Linux before 6.6)\n", SYSCTL);
		skip();
	}
	a = ask(&(struct request){{SYS_io_uring_setup, -1}, EPERM, "2\n", "auto"});
	assert_int_equal(a.res, 0);
	assert_string_equal(a.engine, "libaio");
	assert_non_null(strstr(a.why, "kernel.io_uring_disabled is 2"));
}

/* Who names an engine gets that one or an error, never another. */
static void a_named_engine_is_not_replaced(void **state)
{
	struct answer a = ask(&(struct request){{SYS_io_uring_setup, -1}, EPERM, NULL, "io_uring"});

	(void)state;
	assert_int_equal(a.res, -EPERM);
	assert_string_equal(a.engine, "");
	assert_non_null(strstr(a.why, "io_uring is refused"));
	a = ask(&(struct request){{SYS_io_uring_setup, -1}, EPERM, NULL, "libaio"});
	assert_int_equal(a.res, 0);
	assert_string_equal(a.engine, "libaio");
	assert_string_equal(a.why, "");
}

static void both_refusals_are_told(void **state)
{
	struct answer a = ask(
	    &(struct request){{SYS_io_uring_setup, SYS_io_setup}, ENOSYS, NULL, "auto"});

	(void)state;
	assert_int_equal(a.res, -ENOSYS);
	assert_non_null(strstr(a.why, "io_uring is refused"));
	assert_non_null(strstr(a.why, "libaio is refused"));
}

static void a_wrong_name_gets_the_nearest(void **state)
{
	const struct engine_ops *ops = NULL;
	char why[200];

	(void)state;
	assert_int_equal(engine_choose("iouring", &ops, why, sizeof(why)), -EINVAL);
	assert_non_null(strstr(why, "'io_uring'"));
	assert_int_equal(engine_choose("zzzzzzzzzzzz", &ops, why, sizeof(why)), -EINVAL);
	assert_null(strstr(why, "mean"));
	assert_null(ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_the_first_that_works),
	    cmocka_unit_test(a_filter_leads_to_libaio),
	    cmocka_unit_test(the_sysctl_is_named),
	    cmocka_unit_test(a_named_engine_is_not_replaced),
	    cmocka_unit_test(both_refusals_are_told),
	    cmocka_unit_test(a_wrong_name_gets_the_nearest),
	};

	return cmocka_run_group_tests_name("engine_choose", tests, NULL, NULL);
}
