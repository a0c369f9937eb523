/* Files that the program makes: never over an existing one, owned by the user behind sudo. */
#ifndef SINKS_OUTPUT_FILE_H
#define SINKS_OUTPUT_FILE_H

#include <stddef.h>

/* Creates `path` for writing, O_EXCL. Returns a descriptor or -errno. */
int output_create(const char *path);
/* Writes a whole new file, or leaves none behind. Returns 0 or -errno. */
int output_write(const char *path, const void *data, size_t size);

#endif
