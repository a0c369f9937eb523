/* Restores the terminal in a crash; the handler makes async-signal-safe calls only. */
#include "tty_rescue.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static struct {
	atomic_int fd; /* -1: nothing to restore */
	struct termios before;
	char leave[128];
	size_t n;
} rescue = {.fd = -1};

/* What ends a program, but for those that the conductor waits for and SIGKILL. */
static const int crash_signals[] = {
    SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT,   SIGSYS,  SIGTRAP, SIGQUIT,
    SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF, SIGPWR,  SIGIO,
};
#define CRASH_SIGNALS (sizeof(crash_signals) / sizeof(*crash_signals))

static void on_crash(int sig)
{
	int fd = atomic_exchange(&rescue.fd, -1);

	if (fd >= 0) {
		ssize_t ignored = write(fd, rescue.leave, rescue.n);

		(void)ignored;
		tcsetattr(fd, TCSANOW, &rescue.before);
	}
	/* SA_RESETHAND: the second time it kills. */
	raise(sig);
}

void tty_rescue_arm(int fd, const struct termios *before, const char *leave)
{
	struct sigaction old, action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};

	atomic_store(&rescue.fd, -1);
	rescue.before = *before;
	rescue.n = strnlen(leave, sizeof(rescue.leave));
	memcpy(rescue.leave, leave, rescue.n);
	atomic_store(&rescue.fd, fd);
	/* Sanitizers have handlers of their own. */
	for (size_t i = 0; i < CRASH_SIGNALS; i++)
		if (sigaction(crash_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(crash_signals[i], &action, NULL);
}

void tty_rescue_disarm(void)
{
	struct sigaction old, action = {.sa_handler = SIG_DFL};

	atomic_store(&rescue.fd, -1);
	for (size_t i = 0; i < CRASH_SIGNALS; i++)
		if (sigaction(crash_signals[i], NULL, &old) == 0 && old.sa_handler == on_crash)
			sigaction(crash_signals[i], &action, NULL);
}
