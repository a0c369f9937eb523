/* The option table and its walkers. */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "option_values.h"
#include "protocols.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"
#include "throttlog/verdict.h"

#define IN(c)   (1U << COMMAND_##c)
#define LOADING IN(RUN)
#define SAMPLE  (IN(RUN) | IN(WATCH))
#define DRAWING (IN(RUN) | IN(WATCH) | IN(REPORT) | IN(COMPARE))
#define JUDGING (IN(RUN) | IN(WATCH) | IN(REPORT))

#define AT(member) offsetof(struct config, member)
#define DAY        86400.0

static const struct option_row rows[] = {
    {"protocol", 0, "NAME", LOADING, parse_protocol, AT(protocol), 0, 0, "quick, review or soak",
     "A ready set of the other options, see below; an option that is given too wins over it."},
    {"op", 0, "read|write[,...]", LOADING, parse_ops, AT(legs), 0, 0,
     "read, write, or up to four of them like read,write",
     "What the load does; read by default. read,write is two loads in one log with a rest between "
     "them. Write destroys data on a block device."},
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
     "a duration like 90, 90s, 5m or 1h30m",
     "Time of each load; 600s by default. A watch has no end."},
    {"rest", 0, "TIME", LOADING, parse_duration, AT(rest_s), 0, 30 * DAY,
     "a duration like 90, 90s, 5m or 1h30m",
     "Longest cool-down between two loads; 600s by default. It ends as soon as the drive is within "
     "1 K of its idle temperature, or gets no cooler for two minutes."},
    {"cooldown", 0, "TIME", LOADING, parse_duration, AT(cooldown_s), 0, 30 * DAY,
     "a duration like 90, 90s, 5m or 1h30m", "Idle time after the last load; 180s by default."},
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
    {"events", 0, NULL, SAMPLE, parse_flag, AT(events), 0, 0, "",
     "Let the drive send an event when a temperature crosses its threshold (feature 0Bh), for the "
     "run only. Off by default, since it changes a setting of the drive."},
    {"destructive", 0, NULL, LOADING, parse_flag, AT(destructive), 0, 0, "",
     "Allow a write load to destroy the data on a block device."},
    {"confirm", 0, "SERIAL", LOADING, parse_word, AT(confirm), 0, 0, "a serial number",
     "The serial of the drive that may be written, instead of typing it."},
    {"output", 'o', "PREFIX", DRAWING, parse_word, AT(prefix), 0, 0, "a file name prefix",
     "Write PREFIX.csv, PREFIX.json and PREFIX.png; MODEL-OP-TIME by default. A report or "
     "comparison "
     "writes PREFIX.json and PREFIX.png, and no file without -o or --picture. With several drives "
     "or logs PREFIX-1.csv and so on, and one picture."},
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
     "400x250 to 10000x10000, like 1600x900",
     "Size of the picture; by default 1600x900, and higher with more than two drives."},
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
	if (command == COMMAND_RUN)
		c->legs = (struct op_list){.op = {OP_READ}, .n = 1};
	c->block_bytes = 128 << 10;
	c->queue_depth = 32;
	c->engine = "auto";
	c->baseline_s = 60;
	c->time_s = command == COMMAND_RUN ? 600 : INFINITY;
	c->rest_s = 600;
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

		if (!dot || (strcasecmp(dot, ".png") != 0 && strcasecmp(dot, ".svg") != 0 &&
			     strcasecmp(dot, ".pdf") != 0)) {
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

static void set(const char *name, const char *arg, struct config *c)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			rows[i].parse(&rows[i], arg, (char *)c + rows[i].offset);
}

/* The options of a protocol become the defaults of what is read after it. */
static void apply_protocol(const char *name, struct config *c)
{
	const struct protocol *p = protocol_by_name(name);

	for (size_t i = 0; p && i < PROTOCOL_SETTINGS && p->set[i].option; i++)
		set(p->set[i].option, p->set[i].value, c);
	c->may_skip_write = p && op_list_has(&c->legs, OP_WRITE);
}

/* The last --protocol of the line, wherever it stands; NULL if there is none. */
static const char *find_protocol(int argc, char **argv, const struct option *longs,
				 const char *shorts)
{
	/* getopt sorts what it is given: operands to the end. */
	char **copy = xreallocarray(NULL, (size_t)argc + 1, sizeof(*copy));
	const char *name = NULL;
	int value;

	memcpy(copy, argv, ((size_t)argc + 1) * sizeof(*copy));
	optind = 1;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread yet */
	while ((value = getopt_long(argc, copy, shorts, longs, NULL)) != -1)
		if (value >= 1000 && rows[value - 1000].parse == parse_protocol)
			name = optarg;
	free(copy);
	return name;
}

int options_parse(enum command command, int argc, char **argv, struct config *c)
{
	struct option longs[ROWS + 2];
	char shorts[3 * ROWS];
	int value;

	getopt_lists(command, longs, shorts);
	opterr = 0;
	apply_protocol(find_protocol(argc, argv, longs, shorts), c);
	optind = 0; /* from the start again: 0 is the GNU way */
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
		c->may_skip_write &= o->parse != parse_ops;
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

static void protocols_help(FILE *out)
{
	fputs("\nProtocols:\n", out);
	for (size_t i = 0; i < protocols_count; i++) {
		char text[256];

		protocol_options(&protocols[i], text, sizeof(text));
		fprintf(out, "  %-24s", protocols[i].name);
		print_wrapped(out, text, 26);
		fprintf(out, "%26s", "");
		print_wrapped(out, protocols[i].help, 26);
	}
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
	if (command == COMMAND_RUN)
		protocols_help(out);
}
