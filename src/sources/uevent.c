/*
 * What an announcement of the kernel's NVMe driver means (drivers/nvme/host/core.c: nvme_aen_uevent
 * and nvme_change_uevent), and the words for asynchronous events.
 */
#include "throttlog/uevent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/text.h"

const struct uevent_source *uevent_source = &uevent_udev;

/* NVMe base specification 2.1, figures 151 to 156: type in bits 2:0, information in 15:8. */
static const struct {
	unsigned type, info;
	const char *text;
} words[] = {
    {0, 0, "write to an invalid doorbell"}, {0, 1, "invalid doorbell value"},
    {0, 2, "diagnostic failure"},           {0, 3, "persistent internal error"},
    {0, 4, "transient internal error"},     {0, 5, "firmware image load error"},
    {1, 0, "reliability degraded"},         {1, 1, "temperature threshold"},
    {1, 2, "spare below threshold"},        {2, 0, "namespace changed"},
    {2, 1, "firmware activation starting"}, {2, 2, "telemetry log changed"},
    {2, 3, "namespace access changed"},     {6, 0, "reservation log page"},
    {6, 1, "sanitize completed"},
};

static const char *const types[8] = {
    [0] = "error status",    [1] = "health status", [2] = "notice",
    [6] = "I/O command set", [7] = "vendor",
};

void uevent_aen_text(uint32_t aen, char *buf, size_t size)
{
	unsigned type = aen & 0x7, info = aen >> 8 & 0xff;
	const char *text = types[type] ? types[type] : "reserved";

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].type == type && words[i].info == info)
			text = words[i].text;
	text_format(buf, size, "0x%06x %s", (unsigned)aen, text);
}

/* "0x020101"; the kernel writes "0" without 0x. */
static bool read_aen(const char *s, uint32_t *out)
{
	unsigned long long value;
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	value = strtoull(s, &end, 16);
	if (errno || *end || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

void uevent_decode(const struct uevent_raw *raw, struct uevent *out)
{
	const char *action = raw->action ? raw->action : "";

	memset(out, 0, sizeof(*out));
	if (strcmp(action, "remove") == 0) {
		out->kind = UEVENT_REMOVED;
	} else if (strcmp(action, "add") == 0) {
		out->kind = UEVENT_ADDED;
	} else if (strcmp(action, "change") != 0) {
		return;
	} else if (raw->aen) {
		if (read_aen(raw->aen, &out->aen))
			out->kind = UEVENT_AEN;
	} else if (raw->event && strcmp(raw->event, "connected") == 0) {
		out->kind = UEVENT_CONNECTED;
	} else if (raw->event && *raw->event) {
		out->kind = UEVENT_NAMED;
		text_copy_clean(out->name, sizeof(out->name), raw->event, strlen(raw->event));
	}
}
