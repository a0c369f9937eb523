/* Entry: picks the command and its options. */
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "throttlog/conductor.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"

static int run_list(const struct config *c)
{
	return cmd_list(c->sim);
}

static int run_watch(const struct config *c)
{
	return c->replay ? conductor_replay(c) : conductor_run(c);
}

const struct command_info commands[COMMAND_COUNT] = {
    [COMMAND_LIST] = {"list", "", "Drives, temperatures, limits, and what can be read.", run_list},
    [COMMAND_RUN] = {"run", "TARGET...",
		     "Loads drives, polls them, and says whether they throttle. TARGET is a block "
		     "device,\nan NVMe controller, a file, a directory, or a simulated drive "
		     "(sim:NAME).",
		     conductor_run},
    [COMMAND_WATCH] = {"watch", "TARGET...",
		       "As run, without a load of its own; or a log again (--replay).", run_watch},
    [COMMAND_REPORT] = {"report", "LOG...", "Verdict, JSON and picture from logs.", cmd_report},
    [COMMAND_COMPARE] = {"compare", "LOG LOG...",
			 "Runs laid over each other, with a table of differences.", cmd_report},
};

static void usage(FILE *out)
{
	fputs("usage: throttlog COMMAND [OPTION...] [TARGET...]\n"
	      "Finds out when an M.2 drive throttles from heat.\n\n",
	      out);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  throttlog %-7s %-10s %.*s\n", commands[i].name,
			commands[i].operands, (int)strcspn(commands[i].help, "\n."),
			commands[i].help);
	fputs("\n'throttlog COMMAND --help' names the options, throttlog(1) explains them.\n", out);
}

static int unknown_command(const char *word)
{
	const char *names[COMMAND_COUNT], *near;

	for (size_t i = 0; i < COMMAND_COUNT; i++)
		names[i] = commands[i].name;
	near = text_nearest(word, names, COMMAND_COUNT);
	diag_error("unknown command '%s'%s%s%s; see 'throttlog --help'", word,
		   near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	/* Columns of long logs grow in place and go back to the kernel when they are freed. */
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread yet */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	/* Character classes only: numbers keep their '.'. */
	/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
	setlocale(LC_CTYPE, "");
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		puts("throttlog " THROTTLOG_VERSION);
		return STATUS_DONE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		usage(stdout);
		return STATUS_DONE;
	}
	if (!*word) {
		usage(stderr);
		return STATUS_USAGE;
	}
	for (enum command i = 0; i < COMMAND_COUNT; i++) {
		struct config c;
		int status;

		if (strcmp(commands[i].name, word) != 0)
			continue;
		config_defaults(&c, i);
		status = options_parse(i, argc - 1, argv + 1, &c);
		if (status == STATUS_DONE)
			status = commands[i].run(&c);
		config_fini(&c);
		return status < 0 ? STATUS_DONE : status;
	}
	return unknown_command(word);
}
