/* Which cell of a CSV row feeds which field, for our own logs and by the user's --columns. */
#ifndef SOURCES_COLUMNS_H
#define SOURCES_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/sample.h"

#define COLUMNS_MAX 48

struct column {
	enum field field;
	size_t cell;
	double scale, offset; /* from the cell's unit to the field's */
};

struct columns {
	struct column column[COLUMNS_MAX];
	size_t n;
	size_t cells;       /* cells that a row has */
	bool comma;         /* decimals are written with a comma */
	bool header_is_row; /* the file has no header line: its first line is data */
	char separator;
};

/* Our own header line. Returns 0, or -EINVAL with one line in `why` that does not name the file. */
int columns_native(char **cells, size_t n, struct columns *out, char *why, size_t size);
/*
 * By `spec`: "time=Time,mb_s=Read Rate [MB/s],temp_c=Drive". Several columns joined by '+' are
 * added (read and write), or put together (date and time). A number is a column's place, from 1.
 * A unit may follow: "mb_s=2:KiB/s", "time=1:ms"; otherwise the header's own unit counts.
 */
int columns_by_spec(const char *spec, char **cells, size_t n, struct columns *out, char *why,
		    size_t size);

#endif
