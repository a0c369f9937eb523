/*
 * The one file that uses libudev: a monitor of what the kernel announces about NVMe controllers.
 * It listens to the kernel and not to udevd, which need not run in a small system.
 */
#include <errno.h>
#include <libudev.h>

#include "throttlog/uevent.h"

static struct udev *context;
static struct udev_monitor *monitor;
static struct udev_device *latest; /* whose strings were handed out */

static void udev_close(void)
{
	latest = udev_device_unref(latest);
	monitor = udev_monitor_unref(monitor);
	context = udev_unref(context);
}

static int udev_open(void)
{
	int err = -ENOMEM;

	context = udev_new();
	if (context)
		monitor = udev_monitor_new_from_netlink(context, "kernel");
	if (monitor)
		err = udev_monitor_filter_add_match_subsystem_devtype(monitor, "nvme", NULL);
	if (err >= 0)
		err = udev_monitor_enable_receiving(monitor);
	if (err < 0)
		udev_close();
	return err < 0 ? err : 0;
}

static int udev_fd(void)
{
	return udev_monitor_get_fd(monitor);
}

static bool udev_next(struct uevent_raw *out)
{
	latest = udev_device_unref(latest);
	latest = udev_monitor_receive_device(monitor);
	if (!latest)
		return false;
	out->action = udev_device_get_action(latest);
	out->device = udev_device_get_syspath(latest);
	out->aen = udev_device_get_property_value(latest, "NVME_AEN");
	out->event = udev_device_get_property_value(latest, "NVME_EVENT");
	return true;
}

const struct uevent_source uevent_udev = {
    .open = udev_open,
    .fd = udev_fd,
    .next = udev_next,
    .close = udev_close,
};
