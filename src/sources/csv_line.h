/* Lines and cells of CSV files, ours and other people's. */
#ifndef SOURCES_CSV_LINE_H
#define SOURCES_CSV_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* More columns than this are taken for a file that is no log. */
#define CSV_CELLS_MAX 2048

/*
 * Splits `line` in place at `separator`; quoted cells lose their quotes, outer blanks go. Returns
 * the number of cells, or CSV_CELLS_MAX + 1 if there are more. cells[] has CSV_CELLS_MAX places.
 */
size_t csv_split(char *line, char separator, char **cells);
/* The separator that a header line uses: ',', ';' or a tab. */
char csv_separator(const char *line);
/* A number, with ',' for '.' where `comma` says that decimals are written so. */
bool csv_number(const char *cell, bool comma, double *out);
/*
 * A time of day or a date with one: "13:58:50.898", "13.8.2025 13:58:50", "2025-08-13T13:58:50Z",
 * "8/13/2025 1:58:50 PM", or a plain number of seconds. Seconds since some fixed day.
 * *daily is set where there was no date, so that midnight has to be minded.
 */
bool csv_time(const char *cell, bool comma, double *seconds, bool *daily);

#endif
