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

/* ",pel,ocp": the records that the drive keeps. False if a word is another. */
static bool read_records(const char *words, bool *pel, bool *ocp)
{
	*pel = *ocp = false;
	while (*words == ',') {
		size_t n = strcspn(++words, ",");

		if (n != 3 || (strncmp(words, "pel", n) != 0 && strncmp(words, "ocp", n) != 0))
			return false;
		*pel |= words[0] == 'p';
		*ocp |= words[0] == 'o';
		words += n;
	}
	return true;
}

int resolve_sim(const char *name, struct target *t, char *why, size_t size)
{
	size_t n = strcspn(name, ",");
	const char *nearest;
	bool pel, ocp;
	char preset[64];

	text_format(preset, sizeof(preset), "%.*s", (int)n, name);
	t->kind = TARGET_SIM;
	if (!read_records(name + n, &pel, &ocp)) {
		text_format(why, size,
			    "a simulated drive is sim:NAME, with ,pel and ,ocp for a drive that "
			    "keeps a persistent event log or an OCP SMART log");
		return -EINVAL;
	}
	t->sim = sim_new(preset);
	if (t->sim) {
		sim_set_records(t->sim, pel, ocp);
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
