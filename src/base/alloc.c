/* Allocation that ends the program when memory runs out. */
#include "throttlog/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/diag.h"

static void *check(void *p)
{
	if (!p)
		diag_fatal("out of memory");
	return p;
}

void *xmalloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *xzalloc(size_t size)
{
	return check(calloc(1, size ? size : 1));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		diag_fatal("out of memory");
	return check(realloc(p, n && size ? n * size : 1));
}

char *xstrdup(const char *s)
{
	return s ? check(strdup(s)) : NULL;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return check(text);
}
