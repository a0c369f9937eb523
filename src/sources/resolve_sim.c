/* Simulated drives as targets. */
#include <errno.h>
#include <string.h>

#include "resolve.h"
#include "throttlog/sim.h"
#include "throttlog/text.h"

const char *resolve_sim_nearest(const char *word)
{
	const char *const *names = sim_names();
	size_t n = 0;

	while (names[n])
		n++;
	return text_nearest(word, names, n);
}

int resolve_sim(const char *preset, struct target *t, char *why, size_t size)
{
	const char *nearest;

	t->kind = TARGET_SIM;
	t->sim = sim_new(preset);
	if (t->sim) {
		sim_drive(t->sim, &t->drive);
		t->size_bytes = sim_capacity(t->sim);
		return 0;
	}
	nearest = resolve_sim_nearest(preset);
	if (nearest)
		text_format(why, size, "there is no simulated drive '%s'; did you mean sim:%s?",
			    preset, nearest);
	else
		text_format(why, size,
			    "there is no simulated drive '%s': throttlog list --sim names them",
			    preset);
	return -EINVAL;
}
