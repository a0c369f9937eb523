/* What the option table is made of: a row, and the readers of its values. */
#ifndef EDGE_OPTION_VALUES_H
#define EDGE_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>

struct option_row;
typedef bool parse_fn(const struct option_row *o, const char *arg, void *at);

struct option_row {
	const char *name;
	char letter;     /* 0: none */
	const char *arg; /* NULL: a flag */
	unsigned in;
	parse_fn *parse;
	size_t offset;
	double min, max;    /* of numbers, in the unit that is stored */
	const char *expect; /* what a right value looks like */
	const char *help;
};

/* Each reads `arg` into *at and returns false if it is not what the row expects. */
bool parse_flag(const struct option_row *o, const char *arg, void *at);
bool parse_word(const struct option_row *o, const char *arg, void *at);
bool parse_list(const struct option_row *o, const char *arg, void *at);
bool parse_duration(const struct option_row *o, const char *arg, void *at);
bool parse_number(const struct option_row *o, const char *arg, void *at);
bool parse_size(const struct option_row *o, const char *arg, void *at);
bool parse_uint(const struct option_row *o, const char *arg, void *at);
bool parse_u64(const struct option_row *o, const char *arg, void *at);
bool parse_ops(const struct option_row *o, const char *arg, void *at);
bool parse_protocol(const struct option_row *o, const char *arg, void *at);
bool parse_pattern(const struct option_row *o, const char *arg, void *at);
bool parse_engine(const struct option_row *o, const char *arg, void *at);
bool parse_stop_temp(const struct option_row *o, const char *arg, void *at);
bool parse_speed(const struct option_row *o, const char *arg, void *at);
bool parse_units(const struct option_row *o, const char *arg, void *at);
bool parse_px(const struct option_row *o, const char *arg, void *at);
bool parse_choice(const struct option_row *o, const char *arg, void *at);
bool parse_auto(const struct option_row *o, const char *arg, void *at);
bool parse_x(const struct option_row *o, const char *arg, void *at);

#endif
