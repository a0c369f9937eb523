/* The option table and its walkers. */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/engine.h"
#include "throttlog/text.h"
#include "throttlog/verdict.h"

#define IN(c)   (1U << COMMAND_##c)
#define LOADING IN(RUN)
#define SAMPLE  (IN(RUN) | IN(WATCH))
#define DRAWING (IN(RUN) | IN(WATCH) | IN(REPORT) | IN(COMPARE))
#define JUDGING (IN(RUN) | IN(WATCH) | IN(REPORT))

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

static bool in_range(const struct option_row *o, double v)
{
	return v >= o->min && v <= o->max;
}

static bool parse_flag(const struct option_row *o, const char *arg, void *at)
{
	(void)o, (void)arg;
	*(bool *)at = true;
	return true;
}

static bool parse_word(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(const char **)at = arg;
	return *arg != '\0';
}

static bool parse_list(const struct option_row *o, const char *arg, void *at)
{
	struct word_list *list = at;

	(void)o;
	list->word = xreallocarray(list->word, list->n + 1, sizeof(*list->word));
	list->word[list->n++] = arg;
	return *arg != '\0';
}

static bool parse_duration(const struct option_row *o, const char *arg, void *at)
{
	double v;

	if (!text_to_duration(arg, &v) || !in_range(o, v))
		return false;
	*(double *)at = v;
	return true;
}

static bool parse_number(const struct option_row *o, const char *arg, void *at)
{
	double v;

	if (!text_to_double(arg, &v) || !in_range(o, v))
		return false;
	*(double *)at = v;
	return true;
}

static bool parse_size(const struct option_row *o, const char *arg, void *at)
{
	uint64_t v;

	if (!text_to_size(arg, &v) || !in_range(o, (double)v))
		return false;
	*(uint64_t *)at = v;
	return true;
}

static bool parse_uint(const struct option_row *o, const char *arg, void *at)
{
	uint64_t v;

	if (!text_to_u64(arg, &v) || !in_range(o, (double)v))
		return false;
	*(unsigned *)at = (unsigned)v;
	return true;
}

static bool parse_u64(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	return text_to_u64(arg, at);
}

static bool parse_op(const struct option_row *o, const char *arg, void *at)
{
	int op = *arg ? op_by_name(arg) : -1;

	(void)o;
	*(enum op *)at = op < 0 ? OP_NONE : (enum op)op;
	return op > 0;
}

static bool parse_pattern(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "random") == 0;
	return *(bool *)at || strcmp(arg, "sequential") == 0;
}

static bool parse_engine(const struct option_row *o, const char *arg, void *at)
{
	bool known = strcmp(arg, "auto") == 0;

	(void)o;
	for (size_t i = 0; engines[i]; i++)
		known |= !engines[i]->simulated && strcmp(arg, engines[i]->name) == 0;
	*(const char **)at = arg;
	return known;
}

static bool parse_stop_temp(const struct option_row *o, const char *arg, void *at)
{
	if (strcmp(arg, "off") == 0) {
		*(double *)at = INFINITY;
		return true;
	}
	return parse_number(o, arg, at);
}

static bool parse_speed(const struct option_row *o, const char *arg, void *at)
{
	if (strcmp(arg, "max") == 0) {
		*(double *)at = INFINITY;
		return true;
	}
	return parse_number(o, arg, at);
}

static bool parse_units(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "iec") == 0;
	return *(bool *)at || strcmp(arg, "si") == 0;
}

static bool parse_px(const struct option_row *o, const char *arg, void *at)
{
	struct picture_options *p = at;
	char number[2][8];
	const char *x = strchr(arg, 'x');
	uint64_t w, h;

	(void)o;
	if (!x || x == arg || x - arg > 6 || strlen(x + 1) > 6)
		return false;
	text_format(number[0], 8, "%.*s", (int)(x - arg), arg);
	text_format(number[1], 8, "%s", x + 1);
	if (!text_to_u64(number[0], &w) || !text_to_u64(number[1], &h) || w < 400 || h < 250 ||
	    w > 10000 || h > 10000)
		return false;
	p->width = (int)w;
	p->height = (int)h;
	return true;
}

/* The place of `arg` among the words "a|b|c" of the row's `arg`. */
static bool parse_choice(const struct option_row *o, const char *arg, void *at)
{
	const char *s = o->arg;
	size_t n = strlen(arg);

	for (int i = 0; s; i++) {
		const char *bar = strchr(s, '|');
		size_t len = bar ? (size_t)(bar - s) : strlen(s);

		if (len == n && strncmp(s, arg, n) == 0) {
			*(int *)at = i;
			return true;
		}
		s = bar ? bar + 1 : NULL;
	}
	return false;
}

static bool parse_auto(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "auto") == 0;
	return *(bool *)at || strcmp(arg, "off") == 0;
}

static bool parse_x(const struct option_row *o, const char *arg, void *at)
{
	(void)o;
	*(bool *)at = strcmp(arg, "bytes") == 0;
	return *(bool *)at || strcmp(arg, "time") == 0;
}

#define AT(member) offsetof(struct config, member)
#define DAY        86400.0

static const struct option_row rows[] = {
    {"op", 0, "read|write", LOADING, parse_op, AT(op), 0, 0, "read or write",
     "What the load does; read by default. Write destroys data on a block device."},
    {"pattern", 0, "sequential|random", LOADING, parse_pattern, AT(random), 0, 0,
     "sequential or random", "Order of the requests; sequential by default."},
    {"bs", 0, "SIZE", LOADING, parse_size, AT(block_bytes), 512, 64 << 20, "512 to 64M, like 128k",
     "Request size; 128k by default."},
    {"qd", 0, "N", LOADING, parse_uint, AT(queue_depth), 1, 1024, "1 to 1024",
     "Requests in flight; 32 by default."},
    {"engine", 0, "auto|io_uring|libaio", LOADING, parse_engine, AT(engine), 0, 0,
     "auto, io_uring or libaio",
     "Load engine; auto takes libaio where the kernel refuses io_uring."},
    {"region", 0, "SIZE", LOADING, parse_size, AT(region_bytes), 512, 9e18, "a size like 32G",
     "Load the first SIZE bytes only, again and again; the whole device by default. For a new file "
     "its size: 32 GiB or half of the free space, whichever is less."},
    {"baseline", 0, "TIME", LOADING, parse_duration, AT(baseline_s), 0, 30 * DAY,
     "a duration like 90, 90s, 5m or 1h30m",
     "Idle time before the load; 60s by default. The drive is asked each 30 s only, since asking "
     "can heat an idle drive."},
    {"time", 't', "TIME", SAMPLE, parse_duration, AT(time_s), 0.1, 365 * DAY,
     "a duration like 90, 90s, 5m or 1h30m", "Load time; 600s by default. A watch has no end."},
    {"cooldown", 0, "TIME", LOADING, parse_duration, AT(cooldown_s), 0, 30 * DAY,
     "a duration like 90, 90s, 5m or 1h30m", "Idle time after the load; 180s by default."},
    {"until-steady", 0, NULL, LOADING, parse_flag, AT(until_steady), 0, 0, "",
     "End the load as soon as throughput and temperature have settled."},
    {"cause-test", 0, "auto|off", LOADING, parse_auto, AT(cause_test), 0, 0, "auto or off",
     "After a load with a lasting drop of open cause: read for a moment, let the drive cool and "
     "load it again, to tell heat from a full write cache. Auto by default."},
    {"interval", 'i', "TIME", SAMPLE, parse_duration, AT(interval_s), 0.1, 60, "0.1s to 60s",
     "Time between two rows; 1s by default. SMART is never read faster than each 0.5 s."},
    {"stop-temp", 0, "C|off", LOADING, parse_stop_temp, AT(stop_temp_c), -50, 150,
     "a temperature in °C, or off",
     "Stop the load at this composite temperature; the drive's CCTEMP by default."},
    {"destructive", 0, NULL, LOADING, parse_flag, AT(destructive), 0, 0, "",
     "Allow a write load to destroy the data on a block device."},
    {"confirm", 0, "SERIAL", LOADING, parse_word, AT(confirm), 0, 0, "a serial number",
     "The serial of the drive that may be written, instead of typing it."},
    {"output", 'o', "PREFIX", DRAWING, parse_word, AT(prefix), 0, 0, "a file name prefix",
     "Write PREFIX.csv, PREFIX.json and PREFIX.png; MODEL-OP-TIME by default. With several drives "
     "PREFIX-1.csv and so on, and one picture."},
    {"picture", 0, "FILE", DRAWING, parse_list, AT(pictures), 0, 0, "a name in .png, .svg or .pdf",
     "Picture by this name, may be given again; .png, .svg or .pdf by its ending."},
    {"no-tui", 0, NULL, SAMPLE, parse_flag, AT(no_tui), 0, 0, "",
     "One line a second instead of the live view, as when the output is no terminal."},
    {"ascii", 0, NULL, SAMPLE, parse_flag, AT(ascii), 0, 0, "", "ASCII characters only."},
    {"no-color", 0, NULL, SAMPLE, parse_flag, AT(no_color), 0, 0, "",
     "No colours; the variable NO_COLOR does the same."},
    {"units", 0, "si|iec", DRAWING, parse_units, AT(iec), 0, 0, "si or iec",
     "MB/s = 10^6 bytes/s (si, the default) or MiB/s = 2^20. Logs keep bytes."},
    {"ambient", 0, "C", SAMPLE, parse_number, AT(ambient_c), -60, 100, "a temperature in °C",
     "Ambient temperature, kept in log, JSON and picture."},
    {"note", 0, "TEXT", SAMPLE, parse_word, AT(note), 0, 0, "a text",
     "A note (cooling, slot), kept in log, JSON and picture."},
    {"require", 0, "EXPR", JUDGING, parse_list, AT(require), 0, 0, "an expression",
     "Acceptance: no-throttle, max_temp<=75, sustained>=90%, time_to_throttle>=180s, loss<=10%. "
     "May be given again; exit status 3 if one is not met."},
    {"replay", 0, NULL, IN(WATCH), parse_flag, AT(replay), 0, 0, "",
     "The target is a log: show that run again, at --speed."},
    {"speed", 0, "N|max", SAMPLE, parse_speed, AT(speed), 0.01, 1e9, "a factor, or max",
     "Simulated drives and replays: so many times faster than real time."},
    {"seed", 0, "N", SAMPLE, parse_u64, AT(seed), 0, 0, "a whole number",
     "Simulated drives: noise seed, the same seed gives the same log. Also of the data written."},
    {"json", 0, NULL, IN(REPORT), parse_flag, AT(json), 0, 0, "", "Print the verdict as JSON."},
    {"columns", 0, "MAP", IN(REPORT) | IN(COMPARE), parse_word, AT(columns), 0, 0,
     "time=COLUMN,mb_s=COLUMN,temp_c=COLUMN",
     "Read another program's CSV: time=Time,mb_s=Read Rate [MB/s],temp_c=Drive. Several columns "
     "are joined by '+', a number is a column's place, a unit may follow: mb_s=2:KiB/s."},
    {"size", 0, "WxH", DRAWING, parse_px, AT(picture), 0, 0,
     "400x250 to 10000x10000, like 1600x900", "Size of the picture; 1600x900 by default."},
    {"scale", 0, "N", DRAWING, parse_number, AT(picture.scale), 0.5, 4, "0.5 to 4",
     "Pixels per unit of size; 2 for high-density screens."},
    {"style", 0, "panels|overlay", DRAWING, parse_choice, AT(picture.style), 0, 0,
     "panels or overlay", "Stacked panels, or both curves in one panel with two axes."},
    {"theme", 0, "light|dark|print", DRAWING, parse_choice, AT(picture.theme), 0, 0,
     "light, dark or print", "Colours of the picture."},
    {"x", 0, "time|bytes", DRAWING, parse_x, AT(picture.x_bytes), 0, 0, "time or bytes",
     "Horizontal axis of the picture."},
    {"sim", 0, NULL, IN(LIST), parse_flag, AT(sim), 0, 0, "", "Name the simulated drives."},
    {"quiet", 'q', NULL, SAMPLE | IN(REPORT) | IN(COMPARE), parse_flag, AT(quiet), 0, 0, "",
     "No remarks, only errors and results."},
};
#define ROWS (sizeof(rows) / sizeof(*rows))

void config_defaults(struct config *c, enum command command)
{
	memset(c, 0, sizeof(*c));
	c->op = command == COMMAND_RUN ? OP_READ : OP_NONE;
	c->block_bytes = 128 << 10;
	c->queue_depth = 32;
	c->engine = "auto";
	c->baseline_s = 60;
	c->time_s = command == COMMAND_RUN ? 600 : INFINITY;
	c->cooldown_s = 180;
	c->interval_s = 1;
	c->cause_test = true;
	c->compare = command == COMMAND_COMPARE;
	c->stop_temp_c = c->ambient_c = (double)NAN;
	c->speed = 1;
	c->seed = 1;
	picture_defaults(&c->picture);
}

void config_fini(struct config *c)
{
	free(c->targets.word);
	free(c->pictures.word);
	free(c->require.word);
}

/* getopt's list for one command; val is the row's number + 1000. */
static void getopt_lists(enum command command, struct option *longs, char *shorts)
{
	size_t n = 0;

	*shorts++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		if (!(rows[i].in & 1U << command))
			continue;
		longs[n++] = (struct option){rows[i].name,
					     rows[i].arg ? required_argument : no_argument, NULL,
					     1000 + (int)i};
		if (rows[i].letter) {
			*shorts++ = rows[i].letter;
			if (rows[i].arg)
				*shorts++ = ':';
		}
	}
	longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
	longs[n] = (struct option){0};
	strcpy(shorts, "h");
}

static const struct option_row *row_of(int value)
{
	if (value >= 1000)
		return &rows[value - 1000];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter == value)
			return &rows[i];
	return NULL;
}

static int bad_option(enum command command, const char *word)
{
	const char *names[ROWS];
	const char *bare = word + strspn(word, "-"), *near;
	char name[64];
	size_t n = 0;

	text_format(name, sizeof(name), "%.*s", (int)strcspn(bare, "="), bare);
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].in & 1U << command)
			names[n++] = rows[i].name;
	near = text_nearest(name, names, n);
	diag_error("unknown option '%s'%s%s%s; see 'throttlog %s --help'", word,
		   near ? ": did you mean --" : "", near ? near : "", near ? "?" : "",
		   commands[command].name);
	return STATUS_USAGE;
}

static int check_config(enum command command, const struct config *c)
{
	char why[300];

	for (size_t i = 0; i < c->require.n; i++)
		if (require_check(c->require.word[i], why, sizeof(why))) {
			diag_error("%s", why);
			return STATUS_USAGE;
		}
	for (size_t i = 0; i < c->pictures.n; i++) {
		const char *dot = strrchr(c->pictures.word[i], '.');

		if (!dot || (strcmp(dot, ".png") != 0 && strcmp(dot, ".svg") != 0 &&
			     strcmp(dot, ".pdf") != 0)) {
			diag_error("--picture %s: the name must end in .png, .svg or .pdf",
				   c->pictures.word[i]);
			return STATUS_USAGE;
		}
	}
	if (command == COMMAND_COMPARE && c->targets.n == 1) {
		diag_error("compare needs two logs or more");
		return STATUS_USAGE;
	}
	if (command == COMMAND_LIST ? c->targets.n > 0 : c->targets.n == 0) {
		diag_error(command == COMMAND_LIST ? "'list' takes no target"
						   : "%s needs %s; see "
						     "'throttlog %s --help'",
			   commands[command].name, commands[command].operands,
			   commands[command].name);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

int options_parse(enum command command, int argc, char **argv, struct config *c)
{
	struct option longs[ROWS + 2];
	char shorts[3 * ROWS];
	int value;

	getopt_lists(command, longs, shorts);
	opterr = 0;
	optind = 1;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread yet */
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *o = row_of(value);

		if (value == 'h') {
			options_help(stdout, command);
			return -1;
		}
		if (value == ':') {
			diag_error("option '%s' needs a value", argv[optind - 1]);
			return STATUS_USAGE;
		}
		if (!o)
			return bad_option(command, argv[optind - 1]);
		if (!o->parse(o, optarg, (char *)c + o->offset)) {
			diag_error("--%s %s: expected %s", o->name, optarg, o->expect);
			return STATUS_USAGE;
		}
	}
	for (; optind < argc; optind++)
		parse_list(NULL, argv[optind], &c->targets);
	diag_set_quiet(c->quiet);
	return check_config(command, c);
}

/* Words of `text` from column 26 on, 80 columns wide. */
static void print_wrapped(FILE *out, const char *text, size_t column)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		if (column + n > 79) {
			fprintf(out, "\n%26s", "");
			column = 26;
		}
		fprintf(out, "%.*s%s", (int)n, text, text[n] ? " " : "");
		column += n + 1;
		text += n + (text[n] == ' ');
	}
	fputc('\n', out);
}

void options_help(FILE *out, enum command command)
{
	fprintf(out, "usage: throttlog %s [OPTION...] %s\n%s\n\n", commands[command].name,
		commands[command].operands, commands[command].help);
	for (size_t i = 0; i < ROWS; i++) {
		char head[64];
		int n;

		if (!(rows[i].in & 1U << command))
			continue;
		n = text_format(head, sizeof(head), "  %s%c%s--%s%s%s", rows[i].letter ? "-" : "  ",
				rows[i].letter ? rows[i].letter : ' ', rows[i].letter ? ", " : " ",
				rows[i].name, rows[i].arg ? " " : "",
				rows[i].arg ? rows[i].arg : "");
		if (n > 24)
			fprintf(out, "%s\n%26s", head, "");
		else
			fprintf(out, "%-26s", head);
		print_wrapped(out, rows[i].help, 26);
	}
}
