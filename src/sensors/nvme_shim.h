/*
 * Four admin commands to an NVMe controller, as a table so that tests can put a drive of their own
 * behind it. The real one, nvme_shim.c, is the only file that uses libnvme.
 *
 * Results: 0, an NVMe status > 0 (status code type and code, "do not retry" bit 0x4000), or -errno.
 * No command carries a timeout: the kernel resets a controller whose admin command runs out.
 */
#ifndef THROTTLOG_NVME_SHIM_H
#define THROTTLOG_NVME_SHIM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Every buffer is this large and page-aligned on the heap, whatever the length of the page: some
 * drives write 4 KiB when asked for 512 bytes.
 */
#define NVME_BUFFER_BYTES 4096

#define NVME_LOG_SMART       0x02
#define NVME_FEATURE_POWER   0x02 /* power management */
#define NVME_FEATURE_TEMP    0x04 /* temperature threshold */
#define NVME_FEATURE_HCTM    0x10 /* host-controlled thermal management */
#define NVME_SMART_LOG_BYTES 512

struct nvme_dev;

struct nvme_transport {
	/* `name` is a node in /dev: the controller, or a namespace of it. */
	int (*open)(struct nvme_dev **out, const char *name);
	/* Identify Controller, 4096 bytes. */
	int (*identify)(struct nvme_dev *d, void *buf);
	/* `bytes` of a log page for NSID FFFFFFFFh, a multiple of 4, at most NVME_BUFFER_BYTES. */
	int (*get_log)(struct nvme_dev *d, uint8_t page, void *buf, uint32_t bytes);
	/* The current value of a feature. */
	int (*get_feature)(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value);
	void (*close)(struct nvme_dev *d);
};

extern const struct nvme_transport nvme_libnvme;

/* A buffer for these commands; never NULL, freed with free(). */
void *nvme_buffer_new(void);

#endif
