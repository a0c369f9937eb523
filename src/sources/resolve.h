/* The steps from a name to a drive; private to src/sources. */
#ifndef THROTTLOG_RESOLVE_H
#define THROTTLOG_RESOLVE_H

#include <stddef.h>
#include <sys/stat.h>

#include "throttlog/target.h"

/* How files are looked at; tests put their own here. Never NULL. */
extern int (*resolve_stat)(const char *path, struct stat *st);

/*
 * Follows the block device t->kernel down to its disk and NVMe controller and fills disk,
 * controller, their paths, no_temp and drive. A controller that is already set is kept.
 * Returns 0 or -errno with one line in `why`.
 */
int resolve_block(struct target *t, char *why, size_t size);
/* The kernel's name of a device number; "block" or "char". Returns 0 or -errno. */
int resolve_kernel_name(const char *kind, dev_t dev, char *name, size_t size);
/* The only namespace of the controller t->controller goes to t->kernel. */
int resolve_namespace(struct target *t, char *why, size_t size);

/*
 * The block device below the file system that holds `path`, whose device number is `dev`, goes to
 * t->kernel; "" with a line in t->no_temp where there is none to be found. -ENOTSUP and one line
 * in `why` for file systems in memory.
 */
int resolve_filesystem(struct target *t, const char *path, dev_t dev, char *why, size_t size);

/* Who t->disk is, from sysfs; needs no privilege. Fills t->drive except its limits. */
void identity_read(struct target *t);

/* "sim:NAME". */
int resolve_sim(const char *preset, struct target *t, char *why, size_t size);
/* The preset that is meant by `word`, or NULL. */
const char *resolve_sim_nearest(const char *word);

#endif
