/* The one file that uses libblkid: is there a file system or a partition table on the device? */
#include <blkid/blkid.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "throttlog/guard.h"
#include "throttlog/text.h"

static int found(blkid_probe probe, char *name, size_t size)
{
	const char *value;

	if (blkid_probe_lookup_value(probe, "TYPE", &value, NULL) == 0)
		text_format(name, size, "%s", value);
	else if (blkid_probe_lookup_value(probe, "PTTYPE", &value, NULL) == 0)
		text_format(name, size, "%s partition table", value);
	else
		text_format(name, size, "unknown");
	text_clean(name);
	return 1;
}

int guard_signature(int fd, char *name, size_t size)
{
	blkid_probe probe = blkid_new_probe();
	int result = -EIO;

	if (!probe)
		return -ENOMEM;
	/*
	 * Not blkid_do_safeprobe(): it answers "ambivalent" where two signatures lie on the device,
	 * and it stops at collisions. One signature of any kind is enough here.
	 */
	errno = 0;
	if (blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
		blkid_probe_enable_partitions(probe, 1);
		result = blkid_do_probe(probe);
		result = result == 0   ? found(probe, name, size)
			 : result == 1 ? 0
				       : (errno ? -errno : -EIO);
	} else if (errno) {
		result = -errno;
	}
	blkid_free_probe(probe);
	return result;
}
