/* The field table, and access to a sample's values through it. */
#include "throttlog/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct sample, member)
#define SENSOR(n)                                           \
	[FIELD_SENSOR1 + (n)-1] = {"sensor" #n "_c",        \
				   "sensor " #n,            \
				   "°C",                    \
				   KIND_GAUGE,              \
				   0,                       \
				   false,                   \
				   AT(sensor_c[(n)-1]),     \
				   "Temperature sensor " #n \
				   " of the drive; where it sits is up to the maker."}

const struct field_info fields[FIELD_COUNT] = {
    [FIELD_TIME] = {"time_s", "time", "s", KIND_TIME, 3, true, AT(time_s),
		    "Seconds since the start of the run, at the end of the row's interval."},
    [FIELD_UTC] = {"utc", "UTC", "", KIND_UTC, 3, true, AT(utc_s), "Wall clock, for people."},
    [FIELD_PHASE] = {"phase", "phase", "", KIND_PHASE, 0, true, AT(phase),
		     "baseline, load, probe, restart, pause or cooldown."},
    [FIELD_OP] = {"op", "load", "", KIND_OP, 0, true, AT(op),
		  "What the load did: read, write, or empty for none."},
    [FIELD_BYTES] = {"bytes", "bytes", "B", KIND_GAUGE, 0, true, AT(bytes),
		     "Bytes that the load moved in this row's interval."},
    [FIELD_MB_S] = {"mb_s", "throughput", "MB/s", KIND_GAUGE, 3, true, AT(mb_s),
		    "Throughput in 10^6 bytes a second."},
    [FIELD_IOPS] = {"iops", "requests", "1/s", KIND_GAUGE, 1, true, AT(iops),
		    "Requests completed a second."},
    [FIELD_LAT_AVG] = {"lat_avg_us", "latency", "µs", KIND_GAUGE, 1, true, AT(lat_avg_us),
		       "Mean latency of the requests that completed."},
    [FIELD_LAT_P99] = {"lat_p99_us", "latency p99", "µs", KIND_GAUGE, 1, true, AT(lat_p99_us),
		       "99th percentile of the latency."},
    [FIELD_LAT_MAX] = {"lat_max_us", "latency max", "µs", KIND_GAUGE, 1, true, AT(lat_max_us),
		       "Longest latency."},
    [FIELD_TEMP] = {"temp_c", "composite", "°C", KIND_GAUGE, 0, false, AT(temp_c),
		    "Composite temperature as the drive reports it."},
    SENSOR(1),
    SENSOR(2),
    SENSOR(3),
    SENSOR(4),
    SENSOR(5),
    SENSOR(6),
    SENSOR(7),
    SENSOR(8),
    [FIELD_CRITICAL_WARNING] = {"critical_warning", "critical warning", "", KIND_GAUGE, 0, false,
				AT(critical_warning),
				"SMART critical warning bits; 2 is a temperature threshold."},
    [FIELD_WARNING_MIN] = {"warning_min", "time at or above WCTEMP", "min", KIND_COUNTER, 0, false,
			   AT(warning_min), "Lifetime minutes at or above WCTEMP."},
    [FIELD_CRITICAL_MIN] = {"critical_min", "time at or above CCTEMP", "min", KIND_COUNTER, 0,
			    false, AT(critical_min), "Lifetime minutes at or above CCTEMP."},
    [FIELD_TMT1_COUNT] = {"tmt1_count", "TMT1 transitions", "", KIND_COUNTER, 0, false,
			  AT(tmt1_count), "Lifetime transitions to light throttling."},
    [FIELD_TMT1_S] = {"tmt1_s", "TMT1 time", "s", KIND_COUNTER, 0, false, AT(tmt1_s),
		      "Lifetime seconds of light throttling."},
    [FIELD_TMT2_COUNT] = {"tmt2_count", "TMT2 transitions", "", KIND_COUNTER, 0, false,
			  AT(tmt2_count), "Lifetime transitions to heavy throttling."},
    [FIELD_TMT2_S] = {"tmt2_s", "TMT2 time", "s", KIND_COUNTER, 0, false, AT(tmt2_s),
		      "Lifetime seconds of heavy throttling."},
    [FIELD_POWER_STATE] = {"power_state", "power state", "", KIND_GAUGE, 0, false, AT(power_state),
			   "NVMe power state, feature 02h."},
    [FIELD_LINK_GT_S] = {"link_gt_s", "PCIe speed", "GT/s", KIND_GAUGE, 1, false, AT(link_gt_s),
			 "Current PCIe link speed."},
    [FIELD_LINK_WIDTH] = {"link_width", "PCIe lanes", "", KIND_GAUGE, 0, false, AT(link_width),
			  "Current PCIe link width."},
    [FIELD_HOST_C] = {"host_c", "host CPU", "°C", KIND_GAUGE, 1, false, AT(host_c),
		      "Hottest CPU sensor of the host."},
    [FIELD_CPU_THROTTLE] = {"cpu_throttle_count", "CPU throttle events", "", KIND_COUNTER, 0, false,
			    AT(cpu_throttle_count),
			    "Thermal throttle events of the host's CPUs since boot."},
    [FIELD_POLL_MS] = {"poll_ms", "poll time", "ms", KIND_GAUGE, 2, false, AT(poll_ms),
		       "How long the drive took to answer the poll."},
    [FIELD_QUEUE_AVG] = {"queue_avg", "queue", "", KIND_GAUGE, 2, true, AT(queue_avg),
			 "Mean number of the load's requests in flight."},
    [FIELD_FOREIGN_BYTES] = {"foreign_bytes", "foreign bytes", "B", KIND_GAUGE, 0, false,
			     AT(foreign_bytes),
			     "Bytes that others moved on the drive in this interval."},
    [FIELD_OCP_COUNT] = {"ocp_throttle_count", "OCP throttle events", "", KIND_COUNTER, 0, false,
			 AT(ocp_throttle_count),
			 "Thermal throttling events by the OCP SMART log, one byte."},
    [FIELD_OCP_STATUS] =
	{"ocp_throttle_status", "OCP throttle status", "", KIND_GAUGE, 0, false,
	 AT(ocp_throttle_status),
	 "Thermal throttling now by the OCP SMART log: 0 is none, else the level."},
    [FIELD_UTIL] = {"util_pct", "busy", "%", KIND_GAUGE, 1, false, AT(util_pct),
		    "Share of this interval in which the drive had a request to do."},
    [FIELD_EVENTS] = {"events", "events", "", KIND_EVENTS, 0, true, 0,
		      "Events of this row, separated by ';'."},
};

const char *const phase_names[PHASE_COUNT] = {
    [PHASE_BASELINE] = "baseline", [PHASE_LOAD] = "load",   [PHASE_PROBE] = "probe",
    [PHASE_RESTART] = "restart",   [PHASE_PAUSE] = "pause", [PHASE_COOLDOWN] = "cooldown",
};

const char *const op_names[OP_COUNT] = {[OP_NONE] = "", [OP_READ] = "read", [OP_WRITE] = "write"};

void sample_clear(struct sample *s)
{
	s->phase = PHASE_LOAD;
	s->op = OP_NONE;
	for (enum field f = 0; f < FIELD_COUNT; f++)
		sample_set(s, f, NAN);
}

void sample_merge(struct sample *s, const struct sample *from)
{
	for (enum field f = FIELD_BYTES; f < FIELD_COUNT; f++) {
		double value = sample_get(from, f);

		if (!isnan(value))
			sample_set(s, f, value);
	}
}

double ocp_count_delta(double before, double now)
{
	if (now > before)
		return now - before;
	/* From near the end to near the start; a count that was reset may come from anywhere. */
	return before >= 192 && now < 64 ? now + 256 - before : 0;
}

int field_by_name(const char *name)
{
	for (int f = 0; f < FIELD_COUNT; f++)
		if (strcmp(fields[f].name, name) == 0)
			return f;
	return -1;
}

static int by_name(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

int phase_by_name(const char *name)
{
	return by_name(phase_names, PHASE_COUNT, name);
}

int op_by_name(const char *name)
{
	return by_name(op_names, OP_COUNT, name);
}

bool op_list_parse(const char *s, struct op_list *out)
{
	memset(out, 0, sizeof(*out));
	for (;;) {
		size_t len = strcspn(s, ",");
		int op = OP_NONE;

		for (int i = OP_READ; i < OP_COUNT; i++)
			if (strlen(op_names[i]) == len && strncmp(s, op_names[i], len) == 0)
				op = i;
		if (op == OP_NONE || out->n >= LEGS_MAX) {
			out->n = 0;
			return false;
		}
		out->op[out->n++] = (enum op)op;
		if (!s[len])
			return true;
		s += len + 1;
	}
}

void op_list_format(const struct op_list *list, char between, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < list->n && used < size; i++) {
		if (i)
			snprintf(buf + used, size - used, "%c", between);
		used = strlen(buf);
		snprintf(buf + used, size - used, "%s", op_names[list->op[i]]);
		used = strlen(buf);
	}
}

bool op_list_has(const struct op_list *list, enum op op)
{
	for (unsigned i = 0; i < list->n; i++)
		if (list->op[i] == op)
			return true;
	return false;
}
