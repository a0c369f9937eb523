/* A drive of which nothing is known yet. */
#include "throttlog/drive.h"

#include <math.h>
#include <string.h>

void drive_clear(struct drive *d)
{
	memset(d, 0, sizeof(*d));
	d->limits = (struct thermal_limits){NAN, NAN, NAN, NAN};
}
