/* Files that the program makes: new ones only, the user's own under sudo, whole or not at all. */
#ifndef SINKS_OUTPUT_FILE_H
#define SINKS_OUTPUT_FILE_H

#include <stddef.h>

/*
 * A new file that begins with `head` from the moment it has a name: not even kill -9 leaves less.
 * Returns a descriptor to go on writing with, or -errno (-EEXIST: it is there already).
 */
int output_create(const char *path, const void *head, size_t size);
/* A new file with exactly these bytes, or none at all. Returns 0 or -errno. */
int output_write(const char *path, const void *data, size_t size);

#endif
