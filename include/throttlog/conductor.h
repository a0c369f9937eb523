/* Runs a session from the first check to the last file. */
#ifndef THROTTLOG_CONDUCTOR_H
#define THROTTLOG_CONDUCTOR_H

#include "throttlog/config.h"

/* Loads (or, with OP_NONE, watches) all targets of `c`; prints what it has to say. Exit status. */
int conductor_run(const struct config *c);
/* Shows a finished run from its log, c->targets' only word, at c->speed. Exit status. */
int conductor_replay(const struct config *c);

#endif
