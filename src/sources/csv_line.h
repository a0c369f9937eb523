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
/*
 * A number; with `comma` decimals are written "1,5" and thousands "1.000,5", without it "1.5" and
 * "1,000.5". False if it is none, or may be either.
 */
bool csv_number(const char *cell, bool comma, double *out);

#endif
