/*
 * Who a disk is: model, serial, firmware, transport, capacity, from sysfs without privilege; and
 * where it hangs, when that means that its temperature cannot be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "resolve.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

/* drivers/scsi/.../proc_name of RAID controllers whose drives stand behind their firmware. */
static const char *const raid_drivers[] = {
    "megaraid_sas", "mpi3mr", "mpt3sas", "hpsa", "smartpqi", "aacraid", "3w-9xxx", "arcmsr",
};

static void set_transport(struct target *t, const char *transport)
{
	text_format(t->drive.transport, sizeof(t->drive.transport), "%s", transport);
}

static void set_no_temp(struct target *t, const char *because)
{
	if (!t->no_temp[0])
		text_format(t->no_temp, sizeof(t->no_temp), "no temperature: %s %s", t->disk,
			    because);
}

static void identify_nvme(struct target *t)
{
	struct drive *d = &t->drive;
	const char *c = t->controller;

	sysfs_text(d->model, sizeof(d->model), "/sys/class/nvme/%s/model", c);
	sysfs_text(d->serial, sizeof(d->serial), "/sys/class/nvme/%s/serial", c);
	sysfs_text(d->firmware, sizeof(d->firmware), "/sys/class/nvme/%s/firmware_rev", c);
	sysfs_text(d->transport, sizeof(d->transport), "/sys/class/nvme/%s/transport", c);
	/* The transport attribute came with Linux 4.15; before there was only PCIe. */
	if (!d->transport[0])
		set_transport(t, "pcie");
}

/* Strings in ATA IDENTIFY data have the two bytes of each word swapped (ACS-4, 3.4.9). */
static void ata_string(char *dst, size_t size, const unsigned char *src, size_t n)
{
	char text[64];

	for (size_t i = 0; i + 1 < n && i + 1 < sizeof(text); i += 2) {
		text[i] = (char)src[i + 1];
		text[i + 1] = (char)src[i];
	}
	text_copy_clean(dst, size, text, n);
}

/*
 * VPD page 89h (SAT-4, 12.4.2) holds the IDENTIFY data at byte 60: serial in words 10-19,
 * firmware in 23-26, model in 27-46. The inquiry strings of SCSI cut the model at 16 letters.
 */
static bool identify_ata(struct drive *d, const char *disk)
{
	unsigned char page[572];
	const unsigned char *words = page + 60;
	char path[SYSFS_PATH_MAX];
	ssize_t n;
	int fd;

	if (sysfs_path(path, sizeof(path), "/sys/class/block/%s/device/vpd_pg89", disk))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, page, sizeof(page));
	close(fd);
	if (n < (ssize_t)sizeof(page) || page[1] != 0x89)
		return false;
	ata_string(d->serial, sizeof(d->serial), words + 20, 20);
	ata_string(d->firmware, sizeof(d->firmware), words + 46, 8);
	ata_string(d->model, sizeof(d->model), words + 54, 40);
	return d->model[0] != '\0';
}

/* VPD page 80h: the serial from byte 4, its length in bytes 2 and 3. */
static void scsi_serial(struct drive *d, const char *disk)
{
	unsigned char page[256];
	char path[SYSFS_PATH_MAX];
	ssize_t n;
	size_t length;
	int fd;

	if (sysfs_path(path, sizeof(path), "/sys/class/block/%s/device/vpd_pg80", disk))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, page, sizeof(page));
	close(fd);
	if (n < 4)
		return;
	length = (size_t)page[2] << 8 | page[3];
	if (length > (size_t)n - 4)
		length = (size_t)n - 4;
	text_copy_clean(d->serial, sizeof(d->serial), page + 4, length);
}

/* The nearest directory above a device that has the attribute `name`. */
static bool above(const char *device, const char *name, char *text, size_t size)
{
	char path[SYSFS_PATH_MAX];

	text_format(path, sizeof(path), "%s", device + strlen(sysfs_root()));
	for (char *slash = strrchr(path, '/'); slash && slash > path; slash = strrchr(path, '/')) {
		if (sysfs_text(text, size, "%s/%s", path, name) == 0)
			return true;
		*slash = '\0';
	}
	return false;
}

static bool is_raid(const char *device)
{
	const char *host = strstr(device, "/host");
	char driver[32];
	unsigned n;

	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own name */
	if (!host || sscanf(host, "/host%u", &n) != 1 ||
	    sysfs_text(driver, sizeof(driver), "/sys/class/scsi_host/host%u/proc_name", n))
		return false;
	for (size_t i = 0; i < sizeof(raid_drivers) / sizeof(*raid_drivers); i++)
		if (strcmp(driver, raid_drivers[i]) == 0)
			return true;
	return false;
}

static void identify_scsi(struct target *t, const char *device)
{
	struct drive *d = &t->drive;

	if (!identify_ata(d, t->disk)) {
		sysfs_text(d->model, sizeof(d->model), "/sys/class/block/%s/device/model", t->disk);
		sysfs_text(d->firmware, sizeof(d->firmware), "/sys/class/block/%s/device/rev",
			   t->disk);
		scsi_serial(d, t->disk);
	}
	if (strstr(device, "/usb")) {
		set_transport(t, "usb");
		if (!d->serial[0])
			above(device, "serial", d->serial, sizeof(d->serial));
		set_no_temp(t, "is behind a USB bridge, which hides the drive's own log");
	} else if (is_raid(device)) {
		set_transport(t, "raid");
		set_no_temp(t, "is behind a RAID controller, which hides the drive's own log: set "
			       "the controller to HBA or AHCI mode");
	} else if (strstr(device, "/ata")) {
		set_transport(t, "sata");
		set_no_temp(t,
			    "is a SATA drive, whose temperature comes from the kernel's drivetemp: "
			    "modprobe drivetemp");
	} else {
		set_transport(t, "scsi");
		set_no_temp(t, "is a SCSI disk whose temperature the kernel does not give");
	}
}

/* Disks that say little about themselves, by the start of their kernel name. */
static const struct plain_disk {
	const char *prefix, *transport, *because;
} plain_disks[] = {
    {"vd", "virtio", "is a virtual disk"},
    {"xvd", "xen", "is a virtual disk"},
    {"mmcblk", "mmc", "is an SD or eMMC card"},
    {"zram", "ram", "is memory"},
    {"ram", "ram", "is memory"},
    {"pmem", "pmem", "is memory"},
    {"nbd", "nbd", "is on the network"},
    {"rbd", "rbd", "is on the network"},
    {"sr", "optical", "is an optical drive"},
    {"loop", "loop", "has no drive behind it"},
};

static void identify_plain(struct target *t)
{
	struct drive *d = &t->drive;

	for (size_t i = 0; i < sizeof(plain_disks) / sizeof(*plain_disks); i++) {
		if (strncmp(t->disk, plain_disks[i].prefix, strlen(plain_disks[i].prefix)) != 0)
			continue;
		set_transport(t, plain_disks[i].transport);
		set_no_temp(t, plain_disks[i].because);
		break;
	}
	sysfs_text(d->serial, sizeof(d->serial), "/sys/class/block/%s/serial", t->disk);
	if (!d->serial[0])
		sysfs_text(d->serial, sizeof(d->serial), "/sys/class/block/%s/device/serial",
			   t->disk);
	sysfs_text(d->model, sizeof(d->model), "/sys/class/block/%s/device/name", t->disk);
}

static uint64_t size_of(const char *kernel)
{
	double sectors = 0;

	/* The attribute counts 512-byte sectors whatever the block size. */
	sysfs_number(&sectors, "/sys/class/block/%s/size", kernel);
	return sectors > 0 ? (uint64_t)sectors * 512 : 0;
}

void identity_read(struct target *t)
{
	char device[SYSFS_PATH_MAX];

	if (t->controller[0])
		identify_nvme(t);
	else if (t->disk[0] && sysfs_exists("/sys/class/block/%s/device/vendor", t->disk) &&
		 sysfs_real(device, sizeof(device), "/sys/class/block/%s/device", t->disk) == 0 &&
		 strstr(device, "/host"))
		identify_scsi(t, device);
	else
		identify_plain(t);
	/* The drive below is the one that gets warm; --confirm does not go by its serial then. */
	if (t->kind == TARGET_BLOCK && strncmp(t->kernel, "loop", 4) == 0)
		set_transport(t, "loop");
	t->drive.capacity_bytes = size_of(t->disk[0] ? t->disk : t->kernel);
	if (t->kind == TARGET_BLOCK)
		t->size_bytes = size_of(t->kernel);
}
