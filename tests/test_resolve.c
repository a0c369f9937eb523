/* From names to drives, on fake trees of /sys and on this machine's files. */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sources/resolve.h"
#include "throttlog/sim.h"
#include "throttlog/sysfs.h"
#include "throttlog/text.h"

static char root[64], why[512];
static struct target t;
static int (*machine_stat)(const char *, struct stat *);

/* Nodes that exist only here. */
static const struct fake_node {
	const char *path;
	mode_t mode;
	unsigned major, minor; /* of the node; of the file system for files */
} nodes[] = {
    {"/dev/nvme0", S_IFCHR, 240, 0},   {"/dev/nvme1", S_IFCHR, 240, 1},
    {"/dev/nvme2", S_IFCHR, 240, 2},   {"/dev/nvme3", S_IFCHR, 240, 3},
    {"/dev/ng1n1", S_IFCHR, 241, 1},   {"/dev/null", S_IFCHR, 1, 3},
    {"/dev/nvme1n1", S_IFBLK, 259, 0}, {"/dev/nvme1n1p1", S_IFBLK, 259, 1},
    {"/dev/nvme0n1", S_IFBLK, 259, 2}, {"/dev/dm-0", S_IFBLK, 253, 0},
    {"/dev/md0", S_IFBLK, 9, 0},       {"/dev/sda", S_IFBLK, 8, 0},
    {"/dev/sdb", S_IFBLK, 8, 16},      {"/dev/sdc", S_IFBLK, 8, 32},
    {"/dev/vda", S_IFBLK, 254, 0},     {"/dev/loop0", S_IFBLK, 7, 0},
    {"/dev/loop1", S_IFBLK, 7, 1},     {"/dev/gone", S_IFBLK, 99, 9},
    {"/img/backing", S_IFREG, 259, 1}, {"/run/pipe", S_IFIFO, 259, 1},
    {"/mnt/data", S_IFDIR, 253, 0},    {"/mnt", S_IFDIR, 259, 1},
    {"/mnt/nfs", S_IFDIR, 0, 77},      {"/mnt/file", S_IFREG, 259, 1},
};

static int fake_stat(const char *path, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		const struct fake_node *n = &nodes[i];

		if (strcmp(path, n->path) != 0)
			continue;
		st->st_mode = n->mode;
		st->st_size = 4096;
		if (S_ISBLK(n->mode) || S_ISCHR(n->mode))
			st->st_rdev = makedev(n->major, n->minor);
		else
			st->st_dev = makedev(n->major, n->minor);
		return 0;
	}
	return -ENOENT;
}

static void put(const char *path, const void *data, size_t n)
{
	char full[512];
	int fd;

	text_format(full, sizeof(full), "%s%s", root, path);
	for (char *s = full + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(full, 0700);
		*s = '/';
	}
	if (!data) {
		mkdir(full, 0700);
		return;
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

static void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

/* Paths from the root of the tree on both sides. */
static void put_link(const char *path, const char *to)
{
	char full[512], target[512];

	put(path, NULL, 0);
	text_format(full, sizeof(full), "%s%s", root, path);
	text_format(target, sizeof(target), "%s%s", root, to);
	rmdir(full);
	assert_int_equal(symlink(target, full), 0);
}

/* A block device: its directory, its links, its number, its size in sectors. */
static void put_block(const char *name, const char *dir, const char *dev, const char *sectors)
{
	char path[256];

	text_format(path, sizeof(path), "%s/dev", dir);
	put_text(path, dev);
	text_format(path, sizeof(path), "%s/size", dir);
	put_text(path, sectors);
	text_format(path, sizeof(path), "%s/slaves", dir);
	put(path, NULL, 0);
	text_format(path, sizeof(path), "/sys/class/block/%s", name);
	put_link(path, dir);
	text_format(path, sizeof(path), "/sys/dev/block/%s", dev);
	put_link(path, dir);
}

static void put_controller(const char *name, const char *dir, const char *dev)
{
	char path[256];

	static const char *const attributes[][2] = {{"model", "Fast  Drive 9\n"},
						    {"serial", "  S1\x1bX \n"},
						    {"firmware_rev", "FW1\n"},
						    {"transport", "pcie\n"},
						    {"state", "live\n"}};

	for (size_t i = 0; i < 5; i++) {
		text_format(path, sizeof(path), "%s/%s", dir, attributes[i][0]);
		put_text(path, attributes[i][1]);
	}
	text_format(path, sizeof(path), "/sys/class/nvme/%s", name);
	put_link(path, dir);
	text_format(path, sizeof(path), "/sys/dev/char/%s", dev);
	put_link(path, dir);
}

#define PCI1   "/sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0"
#define NVME1  PCI1 "/nvme/nvme1"
#define PCI0   "/sys/devices/pci0000:00/0000:00:1c.0/0000:02:00.0"
#define NVME0  PCI0 "/nvme/nvme0"
#define SUBSYS "/sys/devices/virtual/nvme-subsystem/nvme-subsys0"

/* nvme1: one plain namespace with a partition, dm on it. nvme0 and nvme2: one multipath drive. */
static void tree_nvme(void)
{
	put_controller("nvme1", NVME1, "240:1");
	put_link(NVME1 "/device", PCI1);
	put_block("nvme1n1", NVME1 "/nvme1n1", "259:0", "1000000");
	put_link(NVME1 "/nvme1n1/device", NVME1);
	put_block("nvme1n1p1", NVME1 "/nvme1n1/nvme1n1p1", "259:1", "5000");
	put_text(NVME1 "/nvme1n1/nvme1n1p1/partition", "1\n");
	put(NVME1 "/ng1n1", NULL, 0);
	put_link("/sys/dev/char/241:1", NVME1 "/ng1n1");
	put_block("dm-0", "/sys/devices/virtual/block/dm-0", "253:0", "4000");
	put_link("/sys/devices/virtual/block/dm-0/slaves/nvme1n1p1", NVME1 "/nvme1n1/nvme1n1p1");

	put_controller("nvme0", NVME0, "240:0");
	put_text(NVME0 "/state", "connecting\n");
	put_controller("nvme2", "/sys/devices/fabrics/nvme2", "240:2");
	put_text("/sys/devices/fabrics/nvme2/transport", "tcp\n");
	put(NVME0 "/nvme0c0n1", NULL, 0);
	put(NVME0 "/hwmon3", NULL, 0);
	put("/sys/devices/fabrics/nvme2/nvme0c2n1", NULL, 0);
	put_block("nvme0n1", SUBSYS "/nvme0n1", "259:2", "2000000");
	put_link(SUBSYS "/nvme0n1/device", SUBSYS);
	put_link(SUBSYS "/nvme0", NVME0);
	put_link(SUBSYS "/nvme2", "/sys/devices/fabrics/nvme2");
	put(SUBSYS "/power", NULL, 0);

	put_controller("nvme3", "/sys/devices/empty/nvme3", "240:3");
	put("/sys/dev/char/1:3", NULL, 0);
}

#define ATA1 "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0"
#define USB2                                                                       \
	"/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host1/target1:0:0/" \
	"1:0:0:0"
#define RAID3 "/sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0/host2/target2:2:0/2:2:0:0"

static void put_swapped(unsigned char *at, const char *text, size_t n)
{
	memset(at, ' ', n);
	for (size_t i = 0; text[i]; i++)
		at[i ^ 1] = (unsigned char)text[i];
}

static void tree_others(void)
{
	unsigned char page[572] = {0, 0x89, 2, 0x38};

	put_block("sda", ATA1 "/block/sda", "8:0", "1000");
	put_link(ATA1 "/block/sda/device", ATA1);
	put_text(ATA1 "/vendor", "ATA     \n");
	put_text(ATA1 "/model", "PLEXTOR PX-512M8\n");
	put_swapped(page + 60 + 20, "P02801100000", 20);
	put_swapped(page + 60 + 46, "1.02", 8);
	put_swapped(page + 60 + 54, "PLEXTOR PX-512M8VC +", 40);
	put(ATA1 "/vpd_pg89", page, sizeof(page));

	put_block("sdb", USB2 "/block/sdb", "8:16", "1000");
	put_link(USB2 "/block/sdb/device", USB2);
	put_text(USB2 "/vendor", "Transcend\n");
	put_text(USB2 "/model", "ESD310          \n");
	put_text("/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/serial", "USB42\n");

	put_block("sdc", RAID3 "/block/sdc", "8:32", "1000");
	put_link(RAID3 "/block/sdc/device", RAID3);
	put_text(RAID3 "/vendor", "AVAGO\n");
	put(RAID3 "/vpd_pg80",
	    "\0\x80\0\x04"
	    "R777tail",
	    12);
	put_text("/sys/class/scsi_host/host2/proc_name", "megaraid_sas\n");

	put_block("vda", "/sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda", "254:0", "99");
	put_block("md0", "/sys/devices/virtual/block/md0", "9:0", "1000");
	put_link("/sys/devices/virtual/block/md0/slaves/nvme1n1", NVME1 "/nvme1n1");
	put_link("/sys/devices/virtual/block/md0/slaves/sda", ATA1 "/block/sda");
	put_block("loop0", "/sys/devices/virtual/block/loop0", "7:0", "640");
	put_text("/sys/devices/virtual/block/loop0/loop/backing_file", "/img/backing\n");
	put_block("loop1", "/sys/devices/virtual/block/loop1", "7:1", "0");
}

static int resolve(const char *name)
{
	int err = target_resolve(name, &t, why, sizeof(why));

	if (err)
		assert_true(why[0]);
	assert_null(strchr(why, '\n'));
	return err;
}

static void plain_namespace(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/nvme1n1"), 0);
	assert_int_equal(t.kind, TARGET_BLOCK);
	assert_string_equal(t.kernel, "nvme1n1");
	assert_string_equal(t.disk, "nvme1n1");
	assert_string_equal(t.controller, "nvme1");
	assert_string_equal(t.controller_sysfs + strlen(root), NVME1);
	assert_string_equal(t.pci_sysfs + strlen(root), PCI1);
	assert_true(t.dev == makedev(259, 0));
	assert_string_equal(t.drive.model, "Fast  Drive 9");
	assert_string_equal(t.drive.serial, "S1?X");
	assert_string_equal(t.drive.firmware, "FW1");
	assert_string_equal(t.drive.transport, "pcie");
	assert_true(t.drive.capacity_bytes == UINT64_C(512000000));
	assert_true(isnan(t.drive.limits.wctemp_c));
	assert_string_equal(t.no_temp, "");
}

static void controller_and_generic_node(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/nvme1"), 0);
	assert_string_equal(t.node, "/dev/nvme1n1");
	assert_string_equal(t.controller, "nvme1");
	assert_true(t.dev == makedev(259, 0));
	assert_int_equal(resolve("/dev/ng1n1"), 0);
	assert_string_equal(t.kernel, "nvme1n1");
	assert_int_equal(resolve("/dev/nvme3"), -ENXIO);
	assert_non_null(strstr(why, "namespace"));
}

static void partition_and_dm(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/nvme1n1p1"), 0);
	assert_string_equal(t.kernel, "nvme1n1p1");
	assert_string_equal(t.disk, "nvme1n1");
	assert_string_equal(t.controller, "nvme1");
	assert_true(t.drive.capacity_bytes == UINT64_C(512000000));
	assert_true(t.size_bytes == UINT64_C(5000 * 512));
	assert_int_equal(resolve("/dev/dm-0"), 0);
	assert_string_equal(t.kernel, "dm-0");
	assert_string_equal(t.disk, "nvme1n1");
	assert_string_equal(t.drive.serial, "S1?X");
}

static void multipath(void **state)
{
	(void)state;
	/* The live path is taken, unless another was named. */
	assert_int_equal(resolve("/dev/nvme0n1"), 0);
	assert_string_equal(t.controller, "nvme2");
	assert_string_equal(t.drive.transport, "tcp");
	assert_string_equal(t.pci_sysfs, "");
	assert_int_equal(resolve("/dev/nvme0"), 0);
	assert_string_equal(t.kernel, "nvme0n1");
	assert_string_equal(t.controller, "nvme0");
	assert_int_equal(resolve("/dev/nvme2"), 0);
	assert_string_equal(t.kernel, "nvme0n1");
	assert_string_equal(t.controller, "nvme2");
}

static void sata_usb_raid_virtual(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/sda"), 0);
	assert_string_equal(t.drive.model, "PLEXTOR PX-512M8VC +");
	assert_string_equal(t.drive.serial, "P02801100000");
	assert_string_equal(t.drive.firmware, "1.02");
	assert_string_equal(t.drive.transport, "sata");
	assert_non_null(strstr(t.no_temp, "drivetemp"));
	assert_int_equal(resolve("/dev/sdb"), 0);
	assert_string_equal(t.drive.transport, "usb");
	assert_string_equal(t.drive.serial, "USB42");
	assert_non_null(strstr(t.no_temp, "USB bridge"));
	assert_int_equal(resolve("/dev/sdc"), 0);
	assert_string_equal(t.drive.transport, "raid");
	assert_string_equal(t.drive.serial, "R777");
	assert_non_null(strstr(t.no_temp, "RAID"));
	assert_int_equal(resolve("/dev/vda"), 0);
	assert_string_equal(t.drive.transport, "virtio");
	assert_true(t.no_temp[0]);
}

static void several_drives(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/md0"), 0);
	assert_string_equal(t.disk, "");
	assert_string_equal(t.controller, "");
	assert_non_null(strstr(t.no_temp, "nvme1n1, sda"));
	assert_true(t.drive.capacity_bytes == UINT64_C(512000));
}

static void loop_devices(void **state)
{
	(void)state;
	assert_int_equal(resolve("/dev/loop0"), 0);
	assert_string_equal(t.kernel, "loop0");
	assert_string_equal(t.disk, "nvme1n1");
	assert_string_equal(t.controller, "nvme1");
	/* Its heat is that of the drive below. */
	assert_string_equal(t.drive.transport, "loop");
	assert_string_equal(t.drive.serial, "S1?X");
	assert_true(t.drive.capacity_bytes == UINT64_C(512000000));
	assert_true(t.size_bytes == UINT64_C(640 * 512));
	assert_int_equal(resolve("/dev/loop1"), -ENXIO);
	assert_non_null(strstr(why, "losetup"));
}

static void files(void **state)
{
	(void)state;
	assert_int_equal(resolve("/mnt/data"), 0);
	assert_int_equal(t.kind, TARGET_FILE);
	assert_true(t.directory);
	assert_string_equal(t.controller, "nvme1");
	assert_string_equal(t.drive.transport, "pcie");
	assert_int_equal(resolve("/mnt/file"), 0);
	assert_true(t.exists);
	assert_true(t.size_bytes == 4096);
	assert_int_equal(resolve("/mnt/new"), 0);
	assert_int_equal(t.kind, TARGET_FILE);
	assert_false(t.exists);
	assert_false(t.directory);
	assert_string_equal(t.disk, "nvme1n1");
	assert_int_equal(resolve("/mnt/nfs"), 0);
	assert_string_equal(t.kernel, "");
	assert_true(t.no_temp[0]);
	assert_int_equal(resolve("/nowhere/new"), -ENOENT);
	assert_int_equal(resolve("/mnt/file/new"), -ENOTDIR);
}

static void refusals(void **state)
{
	static const struct {
		const char *name;
		int err;
		const char *says;
	} cases[] = {
	    {"/dev/null", -EINVAL, "not a drive"},       {"/run/pipe", -EINVAL, "a pipe"},
	    {"/dev/nvme9n1", -ENOENT, "no such device"}, {"", -EINVAL, "empty"},
	    {"nvme1n1", -ENOENT, "/dev/nvme1n1?"},       {"/dev/gone", -ENXIO, "gone"},
	    {"sim:xg5p", -EINVAL, "sim:xg5-p?"},         {"sim:", -EINVAL, "list --sim"},
	    {"sim:xg5,smart", -EINVAL, ",pel and ,ocp"}, {"sim:xg5,", -EINVAL, ",pel and ,ocp"},
	    {"sim:xg5p,pel", -EINVAL, "sim:xg5-p?"},     {"xg5", -ENOENT, "sim:xg5?"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(resolve(cases[i].name), cases[i].err);
		if (!strstr(why, cases[i].says))
			fail_msg("%s: %s", cases[i].name, why);
	}
}

static void simulated(void **state)
{
	(void)state;
	assert_int_equal(resolve("sim:xg5,ocp,pel"), 0);
	assert_true(sim_has_pel(t.sim) && sim_has_ocp(t.sim));
	target_fini(&t);
	assert_int_equal(resolve("sim:xg5"), 0);
	assert_int_equal(t.kind, TARGET_SIM);
	assert_non_null(t.sim);
	assert_true(t.drive.model[0]);
	target_fini(&t);
	assert_null(t.sim);
}

/* On this machine: what lies in memory has no drive, and /proc is never one. */
static void memory_is_no_drive(void **state)
{
	struct statfs fs;

	(void)state;
	sysfs_set_root(NULL);
	resolve_stat = machine_stat;
	assert_int_equal(resolve("/proc"), -ENOTSUP);
	assert_non_null(strstr(why, "memory"));
	if (statfs("/dev/shm", &fs) == 0 && fs.f_type == TMPFS_MAGIC) {
		assert_int_equal(resolve("/dev/shm"), -ENOTSUP);
		assert_int_equal(resolve("/dev/shm/throttlog-new-file"), -ENOTSUP);
		assert_non_null(strstr(why, "tmpfs"));
	}
	assert_int_equal(resolve("/dev/null"), -EINVAL);
	sysfs_set_root(root);
	resolve_stat = fake_stat;
}

static int setup(void **state)
{
	(void)state;
	machine_stat = resolve_stat;
	strcpy(root, "/tmp/throttlog-resolve-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	tree_nvme();
	tree_others();
	sysfs_set_root(root);
	resolve_stat = fake_stat;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int teardown(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_namespace),
	    cmocka_unit_test(controller_and_generic_node),
	    cmocka_unit_test(partition_and_dm),
	    cmocka_unit_test(multipath),
	    cmocka_unit_test(sata_usb_raid_virtual),
	    cmocka_unit_test(several_drives),
	    cmocka_unit_test(loop_devices),
	    cmocka_unit_test(files),
	    cmocka_unit_test(refusals),
	    cmocka_unit_test(simulated),
	    cmocka_unit_test(memory_is_no_drive),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
