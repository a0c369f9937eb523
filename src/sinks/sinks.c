/* The table of sinks. */
#include "throttlog/sink.h"

const struct sink_ops *const sinks[] = {&sink_csv, &sink_view, &sink_line, NULL};
