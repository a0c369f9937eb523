/* Memory that is always there: the allocation functions end the program when memory runs out. */
#ifndef THROTTLOG_ALLOC_H
#define THROTTLOG_ALLOC_H

#include <stddef.h>

/* All return memory that the caller frees with free(). xzalloc's is zeroed. */
void *xmalloc(size_t size);
void *xzalloc(size_t size);
/* Grows `p` (NULL allowed) to `n` items of `size` bytes; an overflowing product ends the program.
 */
void *xreallocarray(void *p, size_t n, size_t size);
/* NULL in, NULL out. */
char *xstrdup(const char *s);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
