/* Speed and width of the drive's PCIe link, from sysfs. A slower link is not a throttling drive. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sensor_table.h"
#include "throttlog/alloc.h"
#include "throttlog/sysfs.h"
#include "throttlog/target.h"
#include "throttlog/text.h"

struct link {
	struct sensor base;
	char dir[SYSFS_PATH_MAX]; /* of the PCI device, below the root */
};

/* "8.0 GT/s PCIe", on old kernels "8 GT/s"; "Unknown" while the device is gone. */
static double read_speed(const struct link *l)
{
	char text[64];
	double gt_s;

	if (sysfs_text(text, sizeof(text), "%s/current_link_speed", l->dir))
		return NAN;
	text[strcspn(text, " ")] = '\0';
	return text_to_double(text, &gt_s) && gt_s > 0 ? gt_s : (double)NAN;
}

/* 0 and 63 stand for "not known" in the kernel. */
static double read_width(const struct link *l)
{
	double lanes;

	if (sysfs_number(&lanes, "%s/current_link_width", l->dir) || lanes < 1 || lanes > 32)
		return NAN;
	return lanes;
}

static int link_read(struct sensor *base, struct sample *out)
{
	const struct link *l = (const struct link *)base;

	out->link_gt_s = read_speed(l);
	out->link_width = read_width(l);
	return isnan(out->link_gt_s) && isnan(out->link_width) ? -ENODEV : 0;
}

static void link_close(struct sensor *base)
{
	free(base);
}

static int link_open(struct sensor **out, struct target *t, const bool have[FIELD_COUNT], char *why,
		     size_t size)
{
	struct link *l;

	(void)have;
	why[0] = '\0';
	(void)size;
	if (!t->pci_sysfs[0])
		return -ENOENT;
	l = xzalloc(sizeof(*l));
	text_format(l->dir, sizeof(l->dir), "%s", t->pci_sysfs + strlen(sysfs_root()));
	l->base.can[FIELD_LINK_GT_S] = !isnan(read_speed(l));
	l->base.can[FIELD_LINK_WIDTH] = !isnan(read_width(l));
	if (!l->base.can[FIELD_LINK_GT_S] && !l->base.can[FIELD_LINK_WIDTH]) {
		free(l);
		return -ENOENT;
	}
	*out = &l->base;
	return 0;
}

/* A read of the link status register wakes a device that sleeps, so it counts as a question. */
const struct sensor_ops sensor_link = {
    .name = "link",
    .help = "PCIe speed and width between drive and host",
    .asks_drive = true,
    .open = link_open,
    .read = link_read,
    .close = link_close,
};
