/* `throttlog list`: drives, temperatures, limits, what can be read and why not. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "throttlog/alloc.h"
#include "throttlog/sensor.h"
#include "throttlog/sim.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

enum column {
	COL_NODE,
	COL_MODEL,
	COL_FIRMWARE,
	COL_CAPACITY,
	COL_LINK,
	COL_TEMP,
	COL_WCTEMP,
	COL_CCTEMP,
	COL_TMT1,
	COL_TMT2,
	COL_READS,
	COL_COUNT
};

static const struct {
	const char *title;
	bool right;
} columns[COL_COUNT] = {
    [COL_NODE] = {"DRIVE", false},        [COL_MODEL] = {"MODEL", false},
    [COL_FIRMWARE] = {"FIRMWARE", false}, [COL_CAPACITY] = {"CAPACITY", true},
    [COL_LINK] = {"LINK", false},         [COL_TEMP] = {"NOW", true},
    [COL_WCTEMP] = {"WCTEMP", true},      [COL_CCTEMP] = {"CCTEMP", true},
    [COL_TMT1] = {"TMT1", true},          [COL_TMT2] = {"TMT2", true},
    [COL_READS] = {"READ BY", false},
};

struct line {
	char cell[COL_COUNT][72];
};

/* What is to be said below the table, each once, with the drives that it is about. */
struct note {
	char *drives, *text;
};

struct table {
	struct line *line;
	size_t n;
	struct note *note;
	size_t n_notes;
	const char *drive; /* whose sensors are being opened */
};

static struct table table; /* sensors_open() hands its lines to a plain function */

static void keep_note(const char *text)
{
	struct note *n = table.note;
	char *drives;

	while (n < table.note + table.n_notes && strcmp(n->text, text) != 0)
		n++;
	if (table.n_notes && n < table.note + table.n_notes) {
		drives = xasprintf("%s, %s", n->drives, table.drive);
		free(n->drives);
		n->drives = drives;
		return;
	}
	table.note = xreallocarray(table.note, table.n_notes + 1, sizeof(*table.note));
	table.note[table.n_notes++] = (struct note){xstrdup(table.drive), xstrdup(text)};
}

/* Letters, not bytes: every byte but the continuations of UTF-8. */
static int width_of(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void cell(struct line *l, enum column c, const char *text)
{
	text_format(l->cell[c], sizeof(l->cell[c]), "%s", text[0] ? text : "-");
}

static void cell_c(struct line *l, enum column c, double celsius)
{
	if (isnan(celsius))
		cell(l, c, "");
	else
		text_format(l->cell[c], sizeof(l->cell[c]), "%.0f °C", celsius);
}

/* As drives are sold: powers of 1000. */
static void cell_capacity(struct line *l, uint64_t bytes)
{
	double gb = (double)bytes / 1e9;

	if (bytes == 0)
		cell(l, COL_CAPACITY, "");
	else if (gb >= 10000)
		text_format(l->cell[COL_CAPACITY], sizeof(l->cell[0]), "%.1f TB", gb / 1000);
	else if (gb >= 1)
		text_format(l->cell[COL_CAPACITY], sizeof(l->cell[0]), "%.0f GB", gb);
	else
		text_format(l->cell[COL_CAPACITY], sizeof(l->cell[0]), "%.0f MB", gb * 1000);
}

static void cell_link(struct line *l, const struct drive *d, const struct sample *s)
{
	if (isnan(s->link_gt_s) || isnan(s->link_width))
		cell(l, COL_LINK, d->transport);
	else
		text_format(l->cell[COL_LINK], sizeof(l->cell[0]), "%s %.1f GT/s x%.0f",
			    d->transport, s->link_gt_s, s->link_width);
}

static void cells_drive(struct line *l, const struct drive *d, const struct sample *s)
{
	cell(l, COL_MODEL, d->model);
	cell(l, COL_FIRMWARE, d->firmware);
	cell_capacity(l, d->capacity_bytes);
	cell_link(l, d, s);
	cell_c(l, COL_TEMP, s->temp_c);
	cell_c(l, COL_WCTEMP, d->limits.wctemp_c);
	cell_c(l, COL_CCTEMP, d->limits.cctemp_c);
	cell_c(l, COL_TMT1, d->limits.tmt1_c);
	cell_c(l, COL_TMT2, d->limits.tmt2_c);
}

/* Opens what applies, reads it once, and names the sources of the drive's own values. */
static void read_sensors(struct line *l, struct target *t, struct sample *s)
{
	struct sensor *list[SENSORS_OPEN_MAX];
	size_t n = sensors_open(t, list, SENSORS_OPEN_MAX, keep_note), at = 0;
	char reads[72] = "";

	for (size_t i = 0; i < n; i++) {
		const struct sensor_ops *ops = list[i]->ops;

		ops->read(list[i], s);
		/* Some are read around a run only. */
		if ((ops->asks_drive || ops->finish) && at < sizeof(reads))
			at += (size_t)text_format(reads + at, sizeof(reads) - at, "%s%s",
						  at ? ", " : "", ops->name);
		sensor_close(list[i]);
	}
	cell(l, COL_READS, reads[0] ? reads : "nothing");
}

static struct line *new_line(const char *node)
{
	struct line *l;

	table.line = xreallocarray(table.line, table.n + 1, sizeof(*table.line));
	l = &table.line[table.n++];
	memset(l, 0, sizeof(*l));
	cell(l, COL_NODE, node);
	return l;
}

static int add_drive(const char *kernel, void *data)
{
	struct target *t;
	struct sample s;
	struct line *l;
	char node[80], why[700];

	(void)data;
	/* Whole disks that a person calls a drive; the paths of a multipath drive are hidden. */
	if ((strncmp(kernel, "nvme", 4) != 0 && strncmp(kernel, "sd", 2) != 0) ||
	    sysfs_exists("/sys/class/block/%s/partition", kernel) ||
	    !sysfs_exists("/sys/class/block/%s/dev", kernel))
		return 0;
	text_format(node, sizeof(node), "/dev/%s", kernel);
	l = new_line(node);
	sample_clear(&s);
	t = xzalloc(sizeof(*t));
	table.drive = kernel;
	if (target_resolve(node, t, why, sizeof(why)) == 0)
		read_sensors(l, t, &s);
	else
		keep_note(why);
	cells_drive(l, &t->drive, &s);
	target_fini(t);
	free(t);
	return 0;
}

static void print_line(const struct line *l, const int *width)
{
	for (int c = 0; c < COL_COUNT; c++) {
		int pad = width[c] - width_of(l->cell[c]);

		if (columns[c].right)
			printf("%*s%s", pad, "", l->cell[c]);
		else
			printf("%s%*s", l->cell[c], c + 1 < COL_COUNT ? pad : 0, "");
		fputs(c + 1 < COL_COUNT ? "  " : "\n", stdout);
	}
}

static void print_table(void)
{
	int width[COL_COUNT];
	struct line title = {.cell = {""}};

	for (int c = 0; c < COL_COUNT; c++) {
		cell(&title, (enum column)c, columns[c].title);
		width[c] = width_of(columns[c].title);
		for (size_t i = 0; i < table.n; i++) {
			int w = width_of(table.line[i].cell[c]);

			width[c] = w > width[c] ? w : width[c];
		}
	}
	print_line(&title, width);
	for (size_t i = 0; i < table.n; i++)
		print_line(&table.line[i], width);
	for (size_t i = 0; i < table.n_notes; i++)
		printf("%s: %s\n", table.note[i].drives, table.note[i].text);
}

/* PCI class 0104xx: a controller in RAID mode, behind which the firmware hides NVMe drives. */
static int find_raid(const char *device, void *data)
{
	char class[16];

	(void)data;
	if (sysfs_text(class, sizeof(class), "/sys/bus/pci/devices/%s/class", device) ||
	    strncmp(class, "0x0104", 6) != 0)
		return 0;
	printf("The RAID controller %s may hide drives: set it to AHCI or HBA mode in the firmware "
	       "setup.\n",
	       device);
	return 1;
}

static int list_drives(void)
{
	memset(&table, 0, sizeof(table));
	sysfs_each("/sys/class/block", add_drive, NULL);
	if (table.n)
		print_table();
	else
		puts("No NVMe, SATA or USB drive found.");
	sysfs_each("/sys/bus/pci/devices", find_raid, NULL);
	for (size_t i = 0; i < table.n_notes; i++) {
		free(table.note[i].drives);
		free(table.note[i].text);
	}
	free(table.note);
	free(table.line);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}

static int list_simulated(void)
{
	const char *const *names = sim_names();

	for (size_t i = 0; names[i]; i++)
		printf("sim:%-10s  %s\n", names[i], sim_help(names[i]));
	puts("With ,pel or ,ocp behind its name a drive keeps a persistent event log, an OCP log.");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}

int cmd_list(bool simulated)
{
	return simulated ? list_simulated() : list_drives();
}
