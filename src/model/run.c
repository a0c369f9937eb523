/* The preamble table, and its values as text. */
#include "throttlog/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "throttlog/text.h"

#define KEY(kind, name, member, help)                                                             \
	{                                                                                         \
		name, kind, offsetof(struct run, member), sizeof(((struct run *)0)->member), help \
	}

const struct run_key run_keys[] = {
    KEY(KEY_NUMBER, "schema", schema, "Version of this format."),
    KEY(KEY_TEXT, "tool", tool, "What wrote the log."),
    KEY(KEY_TEXT, "drive_model", drive.model, "Model."),
    KEY(KEY_TEXT, "drive_serial", drive.serial, "Serial number."),
    KEY(KEY_TEXT, "drive_firmware", drive.firmware, "Firmware revision."),
    KEY(KEY_TEXT, "transport", drive.transport, "How the drive is connected."),
    KEY(KEY_U64, "capacity_bytes", drive.capacity_bytes, "Capacity in bytes."),
    KEY(KEY_NUMBER, "wctemp_c", drive.limits.wctemp_c, "Warning composite temperature, °C."),
    KEY(KEY_NUMBER, "cctemp_c", drive.limits.cctemp_c, "Critical composite temperature, °C."),
    KEY(KEY_NUMBER, "tmt1_c", drive.limits.tmt1_c, "Host-set light throttling point, °C."),
    KEY(KEY_NUMBER, "tmt2_c", drive.limits.tmt2_c, "Host-set heavy throttling point, °C."),
    KEY(KEY_OP, "op", load.op, "read or write; read,write where one load follows the other."),
    KEY(KEY_TEXT, "pattern", load.pattern, "sequential or random."),
    KEY(KEY_U32, "block_bytes", load.block_bytes, "Request size in bytes."),
    KEY(KEY_UINT, "queue_depth", load.queue_depth, "Requests in flight."),
    KEY(KEY_TEXT, "engine", load.engine, "Load engine."),
    KEY(KEY_U64, "region_bytes", load.region_bytes, "Bytes after which the load wraps."),
    KEY(KEY_NUMBER, "interval_s", interval_s, "Seconds between rows."),
    KEY(KEY_TEXT, "start_utc", start_utc, "Start of the run."),
    KEY(KEY_TEXT, "host", host, "Host name."),
    KEY(KEY_TEXT, "kernel", kernel, "Kernel release."),
    KEY(KEY_NUMBER, "ambient_c", ambient_c, "Ambient temperature as given, °C."),
    KEY(KEY_TEXT, "note", note, "The user's note."),
    KEY(KEY_TEXT, "phases", phases,
	"Planned seconds of baseline/load/cooldown, or baseline/load/rest/load/cooldown."),
};
const size_t run_keys_count = sizeof(run_keys) / sizeof(*run_keys);

void run_clear(struct run *r)
{
	memset(r, 0, sizeof(*r));
	drive_clear(&r->drive);
	r->schema = r->interval_s = r->ambient_c = NAN;
}

void run_fini(struct run *r)
{
	series_fini(&r->series);
}

static const void *at(const struct run *r, const struct run_key *key)
{
	return (const char *)r + key->offset;
}

/* Shortest decimal form that reads back as the same temperature or time. */
static void format_number(double value, char *buf, size_t size)
{
	if (isnan(value))
		buf[0] = '\0';
	else
		text_format(buf, size, "%.6g", value);
}

static void format_unsigned(uint64_t value, char *buf, size_t size)
{
	if (value)
		snprintf(buf, size, "%llu", (unsigned long long)value);
	else
		buf[0] = '\0';
}

void run_key_format(const struct run *r, const struct run_key *key, char *buf, size_t size)
{
	const void *p = at(r, key);
	uint64_t u64;
	uint32_t u32;
	double number;

	switch (key->kind) {
	case KEY_TEXT:
		snprintf(buf, size, "%s", (const char *)p);
		break;
	case KEY_NUMBER:
		memcpy(&number, p, sizeof(number));
		format_number(number, buf, size);
		break;
	case KEY_U64:
		memcpy(&u64, p, sizeof(u64));
		format_unsigned(u64, buf, size);
		break;
	case KEY_U32:
	case KEY_UINT:
		memcpy(&u32, p, sizeof(u32));
		format_unsigned(u32, buf, size);
		break;
	case KEY_OP:
		if (r->load.legs.n > 1)
			op_list_format(&r->load.legs, ',', buf, size);
		else
			snprintf(buf, size, "%s", op_names[r->load.op]);
		break;
	}
}

bool run_key_parse(struct run *r, const struct run_key *key, const char *value)
{
	void *p = (char *)r + key->offset;
	uint64_t u64;
	uint32_t u32;
	double number;

	if (!*value)
		return true;
	switch (key->kind) {
	case KEY_TEXT:
		text_copy_clean(p, key->size, value, strlen(value));
		return true;
	case KEY_NUMBER:
		if (!text_to_double(value, &number))
			return false;
		memcpy(p, &number, sizeof(number));
		return true;
	case KEY_U64:
		if (!text_to_u64(value, &u64))
			return false;
		memcpy(p, &u64, sizeof(u64));
		return true;
	case KEY_U32:
	case KEY_UINT:
		if (!text_to_u64(value, &u64) || u64 > UINT32_MAX)
			return false;
		u32 = (uint32_t)u64;
		memcpy(p, &u32, sizeof(u32));
		return true;
	case KEY_OP:
		if (!op_list_parse(value, &r->load.legs))
			return false;
		r->load.op = r->load.legs.op[0];
		return true;
	}
	return false;
}

const char *run_end_reason(const struct run *r)
{
	for (size_t i = r->series.n_events; i-- > 0;)
		if (r->series.events[i].kind == EVENT_END && r->series.events[i].text)
			return r->series.events[i].text;
	return "unknown";
}

const char *run_phase_word(const struct run *r, size_t i)
{
	if (r->load.legs.n > 1 && r->series.phase[i] == PHASE_LOAD && r->series.op[i] != OP_NONE)
		return op_names[r->series.op[i]];
	return phase_names[r->series.phase[i]];
}
