/* The table of protocols. */
#include "protocols.h"

#include <stdio.h>
#include <string.h>

const struct protocol protocols[] = {
    /* A drive that throttles at once does so within two or three minutes of reading. */
    {"quick",
     {{"baseline", "30s"}, {"time", "3m"}, {"cooldown", "1m"}, {"cause-test", "off"}},
     "A short check of less than five minutes."},
    /*
     * Reads come first: no write cache blurs them, and the limit that they show helps to judge the
     * writes. Five minutes bring most drives to rest; three of cooling show whether it was heat.
     */
    {"review",
     {{"op", "read,write"},
      {"baseline", "60s"},
      {"time", "5m"},
      {"rest", "10m"},
      {"cooldown", "3m"}},
     "Reads, cools down, writes, all in one log. Where writing is not allowed (a block device "
     "without --destructive, a file that exists) it only reads and says so."},
    /* The last few percent of heating take as long as all the others. */
    {"soak",
     {{"baseline", "60s"}, {"time", "1h"}, {"until-steady", NULL}, {"cooldown", "5m"}},
     "A long load, until throughput and temperature have settled or an hour is over."},
};
const size_t protocols_count = sizeof(protocols) / sizeof(*protocols);

const struct protocol *protocol_by_name(const char *name)
{
	for (size_t i = 0; name && i < protocols_count; i++)
		if (strcmp(protocols[i].name, name) == 0)
			return &protocols[i];
	return NULL;
}

void protocol_options(const struct protocol *p, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < PROTOCOL_SETTINGS && p->set[i].option && used < size; i++) {
		snprintf(buf + used, size - used, "%s--%s%s%s", i ? " " : "", p->set[i].option,
			 p->set[i].value ? " " : "", p->set[i].value ? p->set[i].value : "");
		used = strlen(buf);
	}
}
