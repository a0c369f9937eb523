/* The option table: parsing, ranges, help and the manual's list come from one place. */
#ifndef EDGE_OPTIONS_H
#define EDGE_OPTIONS_H

#include <stdio.h>

#include "throttlog/config.h"

enum command {
	COMMAND_LIST,
	COMMAND_RUN,
	COMMAND_WATCH,
	COMMAND_REPORT,
	COMMAND_COMPARE,
	COMMAND_COUNT
};

struct command_info {
	const char *name, *operands, *help;
	int (*run)(const struct config *c); /* NULL only for commands that main handles itself */
};

extern const struct command_info commands[COMMAND_COUNT];

void config_defaults(struct config *c, enum command command);
void config_fini(struct config *c);
/*
 * Parses what follows the command's name. Returns STATUS_DONE, or STATUS_USAGE after one line
 * that names the option, the value and what would be right.
 */
int options_parse(enum command command, int argc, char **argv, struct config *c);
void options_help(FILE *out, enum command command);

#endif
