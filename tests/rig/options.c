/* The options of the target, one table. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "control.h"
#include "pdu.h"
#include "rig.h"
#include "spec.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"

static const struct {
	const char *name, *argument, *help;
} table[] = {
    {"drive", "NAME", "preset of src/sim (sim:NAME too), or plain: the default"},
    {"set", "KEY=VALUE,...", "other numbers for that drive"},
    {"quirk", "NAME[=VALUE]", "repeatable"},
    {"port", "N", "on 127.0.0.1; 0, the default: a free one, which is printed"},
    {"nqn", "NAME", "subsystem; nqn.2026-12.org.throttlog:SERIAL unless given"},
    {"serial", "TEXT", "serial number; the preset's unless given"},
    {"size", "SIZE", "of the namespace; 64G unless given"},
    {"keep", "SIZE", "what is written beyond is forgotten; everything is kept unless given"},
    {"lba", "512|4096", "logical block; 512 unless given"},
    {"capsule", "SIZE", "data that goes with an I/O command; 128k unless given, 8k at least"},
    {"time-scale", "N", "seconds of the model a second; 1 unless given"},
    {"speed", "X", "share of the modelled MB/s that goes over the wire; 1 unless given"},
    {"unlimited", NULL, "as fast as it goes; the model is heated by what goes through"},
    {"seed", "N", "of the model's noise"},
    {"control", "PATH", "unix socket to listen on"},
    {"help", NULL, "this text"},
};

#define OPTIONS_COUNT (sizeof(table) / sizeof(table[0]))

static void help(void)
{
	puts("throttlog-rig [OPTION]...: an NVMe/TCP target in front of a simulated drive\n"
	     "throttlog-rig ctl SOCKET WORD...: talks to a running one\n\nOptions:");
	for (size_t i = 0; i < OPTIONS_COUNT; i++)
		printf("  --%-10s %-14s %s\n", table[i].name,
		       table[i].argument ? table[i].argument : "", table[i].help);
	puts("\nKeys of --set (and policy=NAME):");
	for (size_t i = 0; i < spec_keys_count; i++)
		printf("  %-10s %s\n", spec_keys[i].key, spec_keys[i].help);
	puts("\nQuirks:");
	for (size_t i = 0; i < QUIRK_COUNT; i++)
		printf("  %-17s %s\n", quirk_info[i].name, quirk_info[i].help);
	puts("\nWords:");
	control_help();
}

/* NULL, or what is wrong. */
static const char *take(struct rig *r, const char *name, const char *value)
{
	struct options *o = &r->options;

	if (strcmp(name, "drive") == 0)
		o->drive = value;
	else if (strcmp(name, "set") == 0)
		o->set = value;
	else if (strcmp(name, "quirk") == 0)
		return quirks_set(&r->quirks, value);
	else if (strcmp(name, "nqn") == 0)
		o->nqn = value;
	else if (strcmp(name, "serial") == 0)
		o->serial = value;
	else if (strcmp(name, "control") == 0)
		o->control = value;
	else if (strcmp(name, "unlimited") == 0)
		o->unlimited = true;
	else if (strcmp(name, "port") == 0)
		return text_to_u64(value, &o->port) && o->port < 65536 ? NULL : "expected a port";
	else if (strcmp(name, "lba") == 0)
		return text_to_u64(value, &o->lba_bytes) ? NULL : "expected 512 or 4096";
	else if (strcmp(name, "seed") == 0)
		return text_to_u64(value, &o->seed) ? NULL : "expected a number";
	else if (strcmp(name, "size") == 0)
		return text_to_size(value, &o->size) ? NULL : "expected a size";
	else if (strcmp(name, "keep") == 0)
		return text_to_size(value, &o->keep) ? NULL : "expected a size";
	else if (strcmp(name, "capsule") == 0)
		return text_to_size(value, &o->capsule) ? NULL : "expected a size";
	else if (strcmp(name, "time-scale") == 0)
		return text_to_double(value, &o->time_scale) ? NULL : "expected a number";
	else
		return text_to_double(value, &o->speed) ? NULL : "expected a number";
	return NULL;
}

/* What cannot be told from one option alone. */
static const char *complete(struct rig *r)
{
	static char why[256], nqn[224];
	struct options *o = &r->options;
	const char *wrong = spec_drive(o->drive, o->set, &r->preset, why, sizeof(why));

	if (wrong)
		return wrong;
	if (!o->serial)
		o->serial = r->preset.serial;
	if (!o->nqn) {
		text_format(nqn, sizeof(nqn), "nqn.2026-12.org.throttlog:%s", o->serial);
		o->nqn = nqn;
	}
	if (strlen(o->nqn) > 223 || strlen(o->serial) > 20)
		return "nqn or serial is too long";
	if (o->lba_bytes != 512 && o->lba_bytes != 4096)
		return "the logical block is 512 or 4096 bytes";
	if (o->size < 1u << 20 || o->size > UINT64_C(1) << 45 || o->size % 4096)
		return "the size is from 1M to 32T, in steps of 4096 bytes";
	if (o->capsule < PDU_CAPSULE_DATA || o->capsule > PDU_CAPSULE_MAX || o->capsule % 16)
		return "a capsule holds 8k to 128k";
	if (!(o->time_scale >= 0.01 && o->time_scale <= 1000 && o->speed > 0 && o->speed <= 100))
		return "time scale or speed is out of range";
	return NULL;
}

int options_read(struct rig *r, int argc, char **argv)
{
	struct option options[OPTIONS_COUNT + 1] = {0};
	const char *wrong = NULL;
	int which = 0;

	for (size_t i = 0; i < OPTIONS_COUNT; i++)
		options[i] = (struct option){table[i].name, table[i].argument != NULL, NULL, 0};
	r->options = (struct options){.drive = "plain",
				      .size = UINT64_C(64) << 30,
				      .lba_bytes = 512,
				      .capsule = PDU_CAPSULE_MAX,
				      .seed = 1,
				      .time_scale = 1,
				      .speed = 1};
	quirks_init(&r->quirks);
	while (!wrong) {
		int c = getopt_long(argc, argv, "", options, &which);

		if (c == -1)
			break;
		if (c != 0)
			return 2;
		if (strcmp(table[which].name, "help") == 0) {
			help();
			return 0;
		}
		wrong = take(r, table[which].name, optarg);
		if (wrong)
			diag_error("--%s: %s", table[which].name, wrong);
	}
	if (wrong)
		return 2;
	wrong = optind < argc ? "too many words" : complete(r);
	if (wrong)
		diag_error("%s", wrong);
	return wrong ? 2 : -1;
}
