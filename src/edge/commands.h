/* The commands of the program; each returns an exit status of the manual. */
#ifndef THROTTLOG_COMMANDS_H
#define THROTTLOG_COMMANDS_H

#include <stdbool.h>

#include "throttlog/config.h"

/* Drives, temperatures, limits, what can be read and why not; or the simulated drives' names. */
int cmd_list(bool simulated);
/* Verdict, JSON and picture of logs. */
int cmd_report(const struct config *c);

#endif
