/*
 * What the bytes of Identify Controller, SMART log page 02h and the thermal features mean. Pure;
 * NVM Express Base Specification 2.1, figures 207 (log 02h), 312 (Identify), 5.1.25 (features).
 */
#ifndef THROTTLOG_SMART_DECODE_H
#define THROTTLOG_SMART_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "throttlog/drive.h"
#include "throttlog/sample.h"

/* What Identify says beyond what struct drive keeps. */
struct smart_identity {
	bool hctm;               /* host-controlled thermal management can be set */
	double mntmt_c, mxtmt_c; /* its range, NAN if not stated */
	uint32_t version;        /* major << 16 | minor << 8; 0 before 1.2 */
	unsigned power_states;   /* how many there are, 1..32 */
	bool limits_odd;         /* stated limits made no sense and were dropped */
};

/* °C of a value in K; NAN for 0 (not reported) and outside 200..423 K. */
double smart_kelvin_c(unsigned kelvin);
/* °C of what hwmon gives (°C with 273.15 taken off), NAN for 0 °C: its sign for "unknown". */
double smart_hwmon_c(double celsius);

/*
 * Fills model, serial and firmware of *d where they are empty, and its limits. A limit outside
 * 40..125 °C, or WCTEMP above CCTEMP, is no limit.
 */
void smart_decode_identify(const uint8_t id[4096], struct drive *d, struct smart_identity *out);
/* Feature 10h: TMT1 and TMT2, NAN where they are off. */
void smart_decode_hctm(uint32_t value, struct thermal_limits *limits);
/* Feature 04h: the threshold that raises critical_warning bit 1; NAN if none is set. */
double smart_decode_threshold(uint32_t value);

/* Fills the fields of log page 02h. */
void smart_decode_log(const uint8_t page[512], struct sample *out);
/* A page of one and the same byte: the command succeeded, but nothing came. */
bool smart_log_blank(const uint8_t page[512]);
/* The fields that this drive fills, by its first page and its version of the specification. */
void smart_fields(const struct sample *first, const struct smart_identity *id,
		  const struct thermal_limits *limits, bool can[FIELD_COUNT]);

#endif
