/* Protocols: ready sets of options for `run --protocol NAME`. One table; help and manual say it. */
#ifndef EDGE_PROTOCOLS_H
#define EDGE_PROTOCOLS_H

#include <stddef.h>

#define PROTOCOL_SETTINGS 8

struct protocol {
	const char *name;
	struct {
		const char *option, *value; /* value NULL: a flag */
	} set[PROTOCOL_SETTINGS];
	const char *help;
};

extern const struct protocol protocols[];
extern const size_t protocols_count;

/* NULL if there is none of that name (NULL allowed). */
const struct protocol *protocol_by_name(const char *name);
/* Its options as they would be typed, "--baseline 30s --time 3m". */
void protocol_options(const struct protocol *p, char *buf, size_t size);

#endif
