/*
 * One row: what was seen at one tick of one drive. The table `fields` describes each value once;
 * log, JSON, live view, picture and manual walk it.
 */
#ifndef THROTTLOG_SAMPLE_H
#define THROTTLOG_SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SENSORS_MAX 8

enum phase {
	PHASE_BASELINE,
	PHASE_LOAD,
	PHASE_PROBE,
	PHASE_RESTART,
	PHASE_PAUSE,
	PHASE_COOLDOWN,
	PHASE_COUNT
};

enum op { OP_NONE, OP_READ, OP_WRITE, OP_COUNT };

#define LEGS_MAX 4

/* What the loads of a run do, in order. None: a watch. */
struct op_list {
	enum op op[LEGS_MAX];
	unsigned n;
};

/* Absent values are NAN, never 0. Temperatures in °C, signed. */
struct sample {
	double time_s; /* since the start of the run, end of the interval that the row covers */
	double utc_s;  /* seconds since 1970 */
	enum phase phase;
	enum op op;
	double bytes; /* moved by our load in this row's interval */
	double mb_s;  /* 10^6 bytes a second */
	double iops;
	double lat_avg_us, lat_p99_us, lat_max_us;
	double temp_c; /* composite temperature */
	double sensor_c[SENSORS_MAX];
	double critical_warning;                       /* bit mask, SMART log byte 0 */
	double warning_min, critical_min;              /* minutes, lifetime totals */
	double tmt1_count, tmt1_s, tmt2_count, tmt2_s; /* lifetime totals */
	double power_state;
	double link_gt_s, link_width;
	double host_c;              /* hottest CPU sensor */
	double cpu_throttle_count;  /* sum over CPUs, since boot */
	double poll_ms;             /* how long the drive took to answer */
	double queue_avg;           /* mean number of our requests in flight */
	double foreign_bytes;       /* moved on the drive by others in this interval */
	double ocp_throttle_count;  /* OCP log C0h; one byte, wraps or stays at 255 */
	double ocp_throttle_status; /* 0: not throttled, else the level */
	double util_pct;            /* share of the interval with a request in flight */
};

enum field {
	FIELD_TIME,
	FIELD_UTC,
	FIELD_PHASE,
	FIELD_OP,
	FIELD_BYTES,
	FIELD_MB_S,
	FIELD_IOPS,
	FIELD_LAT_AVG,
	FIELD_LAT_P99,
	FIELD_LAT_MAX,
	FIELD_TEMP,
	FIELD_SENSOR1, /* FIELD_SENSOR1 + i is sensor i + 1 */
	FIELD_SENSOR8 = FIELD_SENSOR1 + SENSORS_MAX - 1,
	FIELD_CRITICAL_WARNING,
	FIELD_WARNING_MIN,
	FIELD_CRITICAL_MIN,
	FIELD_TMT1_COUNT,
	FIELD_TMT1_S,
	FIELD_TMT2_COUNT,
	FIELD_TMT2_S,
	FIELD_POWER_STATE,
	FIELD_LINK_GT_S,
	FIELD_LINK_WIDTH,
	FIELD_HOST_C,
	FIELD_CPU_THROTTLE,
	FIELD_POLL_MS,
	FIELD_QUEUE_AVG,
	FIELD_FOREIGN_BYTES,
	FIELD_OCP_COUNT,
	FIELD_OCP_STATUS,
	FIELD_UTIL,
	FIELD_EVENTS,
	FIELD_COUNT
};

enum field_kind {
	KIND_TIME,    /* seconds, double */
	KIND_UTC,     /* seconds since 1970, written as ISO 8601 */
	KIND_PHASE,   /* enum phase */
	KIND_OP,      /* enum op */
	KIND_GAUGE,   /* double, a level */
	KIND_COUNTER, /* double, a total that only grows */
	KIND_EVENTS   /* words, kept in the series */
};

struct field_info {
	const char *name; /* column of the log */
	const char *label;
	const char *unit; /* "" where there is none */
	enum field_kind kind;
	int decimals;     /* as written to the log */
	bool always;      /* a column of every log, whatever the drive can tell */
	size_t offset;    /* into struct sample */
	const char *help; /* one sentence, for the manual */
};

extern const struct field_info fields[FIELD_COUNT];

static inline bool field_is_number(enum field f)
{
	return fields[f].kind != KIND_PHASE && fields[f].kind != KIND_OP &&
	       fields[f].kind != KIND_EVENTS;
}

/* The value of a gauge, counter, time or UTC field; NAN if absent. */
static inline double sample_get(const struct sample *s, enum field f)
{
	double v = (double)NAN;

	if (field_is_number(f))
		memcpy(&v, (const char *)s + fields[f].offset, sizeof(v));
	return v;
}

static inline void sample_set(struct sample *s, enum field f, double value)
{
	if (field_is_number(f))
		memcpy((char *)s + fields[f].offset, &value, sizeof(value));
}

/* All values absent, phase load, op none. */
void sample_clear(struct sample *s);
/* Takes over every value that `from` has; time, phase and op stay. */
void sample_merge(struct sample *s, const struct sample *from);
/*
 * How far FIELD_OCP_COUNT, one byte of the drive's, went on from `before` to `now`: it may wrap.
 * 0 if it did not, was reset, or one of them is not known.
 */
double ocp_count_delta(double before, double now);
/* The field whose log column is `name`, or -1. */
int field_by_name(const char *name);

extern const char *const phase_names[PHASE_COUNT];
extern const char *const op_names[OP_COUNT]; /* "", "read", "write" */
/* -1 if the name is not known. */
int phase_by_name(const char *name);
int op_by_name(const char *name);
/* "read,write". False if a name is not known or there are too many; the list is then empty. */
bool op_list_parse(const char *s, struct op_list *out);
/* "read,write"; `between` is what stands between two. */
void op_list_format(const struct op_list *list, char between, char *buf, size_t size);
bool op_list_has(const struct op_list *list, enum op op);

#endif
