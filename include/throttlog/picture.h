/* The picture: throughput against time and temperature with the throttle point marked. */
#ifndef THROTTLOG_PICTURE_H
#define THROTTLOG_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/run.h"
#include "throttlog/verdict.h"

enum picture_style { STYLE_PANELS, STYLE_OVERLAY };
enum picture_theme { THEME_LIGHT, THEME_DARK, THEME_PRINT };

struct picture_options {
	int width, height; /* px at scale 1 */
	bool exact;        /* so high and no higher, however many rows there are */
	double scale;
	enum picture_style style;
	enum picture_theme theme;
	bool x_bytes; /* bytes moved instead of time as the axis */
	bool iec;     /* MiB/s instead of MB/s */
};

/* 1600 x 900 at scale 1, panels, light, time, MB/s. */
void picture_defaults(struct picture_options *o);

/* cairo's images end there. */
#define PICTURE_SIDE_MAX 32767
/* Whether the size in pixels is within that. */
bool picture_fits(const struct picture_options *o);
/* The height at which `n` drives, or runs of a comparison, have the room they need. */
int picture_height(const struct picture_options *o, size_t n, bool compare);

/* One drive or one run of a comparison. */
struct picture_item {
	const struct run *run;
	const struct verdict *verdict;
	const char *log; /* path; its SHA-256 goes into the file's facts; may be NULL */
};

/*
 * Writes `path`; its ending (.png, .svg, .pdf) chooses the format. `compare` lays all items over
 * each other, otherwise each gets a row. An existing file is never overwritten. Nothing is left
 * behind on an error. Returns 0 or -errno.
 */
int picture_write(const char *path, const struct picture_options *options,
		  const struct picture_item *items, size_t n, bool compare);

#endif
