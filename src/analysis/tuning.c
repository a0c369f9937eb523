/* The table of constants, as a struct and as rows. */
#include "analysis/tuning.h"

#define VALUE(name, value, help) .name = (value),
#define ROW(name, value, help)   {#name, value, help},

const struct tuning tuning = {TUNING(VALUE)};

const struct tuning_row tuning_rows[] = {TUNING(ROW)};
const int tuning_rows_count = (int)(sizeof(tuning_rows) / sizeof(*tuning_rows));
