/* The table of quirks. */
#include "quirks.h"

#include <math.h>
#include <string.h>

#include "throttlog/text.h"

#define OFF ((double)NAN)

const struct quirk_info quirk_info[QUIRK_COUNT] = {
    [QUIRK_COUNTERS_ZERO] = {"counters-zero", 1, OFF,
			     "minutes, TMT counts and seconds of the SMART log stay 0"},
    [QUIRK_COMPOSITE_0K] = {"composite-0K", 1, OFF, "the composite temperature reads 0 K"},
    [QUIRK_COMPOSITE_FROZEN] = {"composite-frozen", 40, OFF,
				"the composite temperature stays at VALUE °C"},
    [QUIRK_COMPOSITE_SPIKE] = {"composite-spike", 83, OFF,
			       "the next two SMART reads give VALUE °C; then it is off again"},
    [QUIRK_ONLY_SENSOR2] = {"only-sensor2", 1, OFF,
			    "sensor 2 has the chip's temperature, there is no other sensor"},
    [QUIRK_NO_SENSORS] = {"no-sensors", 1, OFF, "the composite temperature alone, no sensor"},
    [QUIRK_NO_LIMITS] = {"no-limits", 1, OFF, "WCTEMP and CCTEMP are 0"},
    [QUIRK_WARNING_BIT] = {"warning-bit", 2, OFF,
			   "critical_warning has these bits, whatever the temperature"},
    [QUIRK_WARNING_MOVES] = {"warning-moves", 1, OFF,
			     "the warning time grows by a minute every VALUE seconds"},
    [QUIRK_REFRESH] = {"refresh", 10, OFF, "temperatures are renewed every VALUE seconds"},
    [QUIRK_SMART_SLOW] = {"smart-slow", 0.5, OFF, "the SMART log takes VALUE seconds"},
    [QUIRK_SMART_FAIL] = {"smart-fail", 6, OFF, "the SMART log ends with status VALUE"},
    [QUIRK_HCTM] = {"hctm", 1, 1, "host-controlled thermal management, 0 °C to 100 °C"},
    [QUIRK_PEL] = {"pel", 1, OFF, "the persistent event log (0Dh) is there"},
    [QUIRK_OCP] = {"ocp", 1, OFF, "the OCP SMART log (C0h) is there"},
    [QUIRK_OAES] = {"oaes", 256, 256,
		    "optional events that Identify offers; off: Linux asks for no event at all"},
};

void quirks_init(struct quirks *q)
{
	for (size_t i = 0; i < QUIRK_COUNT; i++)
		q->value[i] = quirk_info[i].start;
}

const char *quirks_set(struct quirks *q, const char *word)
{
	size_t length = strcspn(word, "=");
	double value;

	for (size_t i = 0; i < QUIRK_COUNT; i++) {
		const char *name = quirk_info[i].name;

		if (strlen(name) != length || strncmp(name, word, length) != 0)
			continue;
		if (word[length] == '\0')
			q->value[i] = quirk_info[i].usual;
		else if (strcmp(word + length + 1, "off") == 0)
			q->value[i] = OFF;
		else if (text_to_double(word + length + 1, &value))
			q->value[i] = value;
		else
			return "a quirk's value is a number or off";
		return NULL;
	}
	return "there is no such quirk";
}

bool quirk_on(const struct quirks *q, enum quirk which)
{
	return !isnan(q->value[which]);
}
