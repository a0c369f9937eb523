/* Which drive it is: a preset of src/sim or the plain one of here, and changes to its numbers. */
#ifndef RIG_SPEC_H
#define RIG_SPEC_H

#include <stddef.h>

#include "sim/sim_preset.h"

/* One number of a drive that can be given as KEY=VALUE. */
struct spec_key {
	const char *key;
	size_t offset; /* of a double in struct sim_preset */
	double times;  /* from the unit of the key; 0: bytes, kept as uint64_t */
	const char *help;
};

extern const struct spec_key spec_keys[];
extern const size_t spec_keys_count;

/*
 * The drive called `name`, "sim:" before it or not, changed by `set` ("KEY=VALUE,KEY=VALUE"; NULL:
 * nothing). Returns NULL, or what is wrong, written to `why`.
 */
const char *spec_drive(const char *name, const char *set, struct sim_preset *out, char *why,
		       size_t size);

#endif
