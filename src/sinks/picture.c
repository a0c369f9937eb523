/* The picture's options; drawing is not there yet, and says so. */
#include "throttlog/picture.h"

#include <errno.h>
#include <string.h>

void picture_defaults(struct picture_options *o)
{
	memset(o, 0, sizeof(*o));
	o->width = 1600;
	o->height = 900;
	o->scale = 1;
}

int picture_write(const char *path, const struct picture_options *options,
		  const struct picture_item *items, size_t n, bool compare)
{
	(void)path, (void)options, (void)items, (void)n, (void)compare;
	return -ENOTSUP;
}
