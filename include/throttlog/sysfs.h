/*
 * Small reads from /sys and /proc. All paths are given from the real root and can be redirected
 * to a fake tree for tests.
 */
#ifndef THROTTLOG_SYSFS_H
#define THROTTLOG_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#define SYSFS_PATH_MAX 1024

/* Directory that stands for "/" from now on; NULL or "" for the real one. Not copied. */
void sysfs_set_root(const char *root);
const char *sysfs_root(void);

/* Builds a path under the root. Returns 0, or -ENAMETOOLONG. */
int sysfs_path(char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Attributes are read whole, up to size - 1 bytes, the line end dropped and the text cleaned.
 * Each returns 0 or -errno; on an error text is empty and numbers are left alone.
 */
int sysfs_text(char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A signed number; whole ones are exact up to 2^53. */
int sysfs_number(double *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sysfs_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The real path, root included. SYSFS_PATH_MAX is enough for any device. */
int sysfs_real(char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Calls visit() for each entry of a directory in the order of their names, until it returns
 * nonzero. Returns that, 0, or -errno if the directory cannot be read.
 */
int sysfs_each(const char *dir, int (*visit)(const char *entry, void *data), void *data);

#endif
