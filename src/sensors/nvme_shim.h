/*
 * The admin commands to an NVMe controller, as a table so that tests can put a drive of their own
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

#define NVME_LOG_SUPPORTED   0x00 /* which log pages there are */
#define NVME_LOG_SMART       0x02
#define NVME_LOG_PERSISTENT  0x0d /* persistent event log */
#define NVME_LOG_OCP_SMART   0xc0 /* OCP SMART / health information extended */
#define NVME_FEATURE_POWER   0x02 /* power management */
#define NVME_FEATURE_TEMP    0x04 /* temperature threshold */
#define NVME_FEATURE_EVENTS  0x0b /* asynchronous event configuration */
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
	/* As get_log(), from byte `offset` on, with the log page's own action (field LSP). */
	int (*get_log_at)(struct nvme_dev *d, uint8_t page, uint8_t action, uint64_t offset,
			  void *buf, uint32_t bytes);
	/* Not saved: a reset of the controller puts it back. */
	int (*set_feature)(struct nvme_dev *d, uint8_t feature, uint32_t cdw11);
	/* NULL: CLOCK_MONOTONIC. A simulated drive has a clock of its own. */
	int64_t (*now_ns)(const struct nvme_dev *d);
};

/* Status code types and codes without "do not retry", "more" and retry delay. */
#define NVME_STATUS(status)  ((status)&0x7ff)
#define NVME_STATUS_SEQUENCE 0x00c /* command sequence error */
/* The controller cannot be reached now: path errors and commands that a reset aborted. */
#define NVME_STATUS_PATH(status) (((status)&0x700) == 0x300)

extern const struct nvme_transport nvme_libnvme;

struct target;

/*
 * Opens the drive behind `t` by whatever reaches it: `smart_transport` (smart.h), or a simulated
 * drive's own. The controller's node belongs to root; where the namespace's may be read (group
 * disk), admin commands go through that one. -ENOENT: no NVMe drive.
 */
int nvme_open_target(const struct target *t, const struct nvme_transport **via,
		     struct nvme_dev **out);
int64_t nvme_now_ns(const struct nvme_transport *via, const struct nvme_dev *dev);

/* In nvme_sim.c: a simulated drive, which stays the caller's. */
struct sim;
extern const struct nvme_transport nvme_simulated;
struct nvme_dev *nvme_sim_dev(struct sim *sim);

/* A buffer for these commands; never NULL, freed with free(). */
void *nvme_buffer_new(void);

#endif
