/* The files of a session: their names before it, verdict, JSON and picture after it. */
#ifndef CONDUCTOR_OUTPUTS_H
#define CONDUCTOR_OUTPUTS_H

#include "throttlog/config.h"
#include "throttlog/session.h"

/*
 * Names the files of all drives in the session. Prints and returns a status if one is there
 * already or cannot be made.
 */
int outputs_name(struct session *s, const struct config *c);
/*
 * Reads the logs back, so that the verdict is the one that `report` gives; writes JSON and
 * pictures, prints the verdict. Returns a status.
 */
int outputs_finish(struct session *s, const struct config *c);
/* Pictures of the logs so far into `path`; for a view's wish. Returns 0 or -errno. */
int outputs_picture(const struct session *s, const struct config *c, const char *path);

#endif
