/* Making permits: for the guard's own files only. */
#ifndef THROTTLOG_GUARD_PERMIT_H
#define THROTTLOG_GUARD_PERMIT_H

#include "throttlog/permit.h"

/* Allows writing through `fd` until revoked. Never NULL; freed with write_permit_free(). */
struct write_permit *permit_new(int fd);

#endif
