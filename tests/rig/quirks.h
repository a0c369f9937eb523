/*
 * Odd things that real drives do, by name: one table, set on the command line or while the target
 * runs. A value is a number whose meaning the table gives; off is NAN.
 */
#ifndef RIG_QUIRKS_H
#define RIG_QUIRKS_H

#include <stdbool.h>
#include <stddef.h>

enum quirk {
	QUIRK_COUNTERS_ZERO,
	QUIRK_COMPOSITE_0K,
	QUIRK_COMPOSITE_FROZEN,
	QUIRK_COMPOSITE_SPIKE,
	QUIRK_ONLY_SENSOR2,
	QUIRK_NO_SENSORS,
	QUIRK_NO_LIMITS,
	QUIRK_WARNING_BIT,
	QUIRK_WARNING_MOVES,
	QUIRK_REFRESH,
	QUIRK_SMART_SLOW,
	QUIRK_SMART_FAIL,
	QUIRK_HCTM,
	QUIRK_PEL,
	QUIRK_OCP,
	QUIRK_OAES,
	QUIRK_COUNT
};

struct quirk_info {
	const char *name;
	double usual; /* the value of NAME alone */
	double start; /* before anything is set; NAN: off */
	const char *help;
};

extern const struct quirk_info quirk_info[QUIRK_COUNT];

struct quirks {
	double value[QUIRK_COUNT];
};

void quirks_init(struct quirks *q);
/* NAME, NAME=VALUE or NAME=off. NULL, or what is wrong with `word`. */
const char *quirks_set(struct quirks *q, const char *word);
bool quirk_on(const struct quirks *q, enum quirk which);

#endif
