/* The engines of the table in engines.c, each defined in its own file. */
#ifndef ENGINES_MEMBERS_H
#define ENGINES_MEMBERS_H

#include "throttlog/engine.h"

extern const struct engine_ops engine_uring, engine_libaio, engine_sim;

#endif
