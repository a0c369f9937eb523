/* What the kernel announces while a session runs, handed to the drives that it is about. */
#include <string.h>

#include "conductor_private.h"
#include "throttlog/diag.h"
#include "throttlog/uevent.h"

void conductor_watch_kernel(struct conductor *c)
{
	bool wanted = false;
	int err;

	c->uevent_fd = -1;
	for (size_t i = 0; i < c->n_open; i++)
		wanted |= c->slots[i].target.controller_sysfs[0] != '\0';
	if (!wanted)
		return;
	err = uevent_source->open();
	if (err)
		diag_note("cannot hear what the kernel announces (%s): events and resets of a "
			  "drive are not seen at once",
			  DIAG_ERRNO(err));
	else
		c->uevent_fd = uevent_source->fd();
}

void conductor_hear_kernel(struct conductor *c)
{
	struct uevent_raw raw;

	while (c->uevent_fd >= 0 && uevent_source->next(&raw)) {
		struct uevent event;

		uevent_decode(&raw, &event);
		if (event.kind == UEVENT_NONE || !raw.device)
			continue;
		for (size_t i = 0; i < c->n_open; i++)
			if (strcmp(c->slots[i].target.controller_sysfs, raw.device) == 0)
				slot_announced(&c->slots[i], &event);
	}
}

void conductor_unwatch_kernel(struct conductor *c)
{
	if (c->uevent_fd >= 0)
		uevent_source->close();
	c->uevent_fd = -1;
}
