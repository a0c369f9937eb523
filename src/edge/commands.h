/* The commands of the program; each returns an exit status of DESIGN section 1. */
#ifndef THROTTLOG_COMMANDS_H
#define THROTTLOG_COMMANDS_H

#include <stdbool.h>

/* Drives, temperatures, limits, what can be read and why not; or the simulated drives' names. */
int cmd_list(bool simulated);

#endif
