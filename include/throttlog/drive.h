/* Who a drive is and which limits it states. Plain values; no descriptor. */
#ifndef THROTTLOG_DRIVE_H
#define THROTTLOG_DRIVE_H

#include <stdint.h>

/* °C, NAN where the drive states none. */
struct thermal_limits {
	double wctemp_c, cctemp_c; /* Identify: warning and critical composite temperature */
	double tmt1_c, tmt2_c;     /* feature 10h: host-controlled thermal management */
};

/* Strings are empty where nothing was reported; they are clean text (text_clean). */
struct drive {
	char model[64];
	char serial[64];
	char firmware[32];
	char transport[16];      /* "pcie", "tcp", "sata", "usb", "loop", "file", "sim", ... */
	uint64_t capacity_bytes; /* 0: not known */
	struct thermal_limits limits;
};

/* Empty strings, limits NAN. */
void drive_clear(struct drive *d);

#endif
