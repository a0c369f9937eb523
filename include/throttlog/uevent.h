/*
 * What the kernel announces about NVMe controllers: asynchronous events of the drive, resets,
 * removal. Needs no privilege. Where announcements come from is a table, so that tests can send
 * their own; the real one, uevent_udev.c, is the only file that uses libudev.
 */
#ifndef THROTTLOG_UEVENT_H
#define THROTTLOG_UEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/sysfs.h"

/* One announcement as it came. Strings are NULL where it has none; valid until the next one. */
struct uevent_raw {
	const char *action; /* "add", "remove", "change" */
	const char *device; /* real path in sysfs: "/sys/devices/..." */
	const char *aen;    /* NVME_AEN: "0x020101" */
	const char *event;  /* NVME_EVENT: "connected" */
};

struct uevent_source {
	/* 0 or -errno. At most one is open at a time. */
	int (*open)(void);
	int (*fd)(void); /* to poll for input */
	/* False: nothing more has come. */
	bool (*next)(struct uevent_raw *out);
	void (*close)(void);
};

extern const struct uevent_source uevent_udev;
/* &uevent_udev unless a test puts its own here. */
extern const struct uevent_source *uevent_source;

enum uevent_kind {
	UEVENT_NONE,      /* nothing that matters here */
	UEVENT_AEN,       /* the drive completed an asynchronous event request */
	UEVENT_CONNECTED, /* the controller works again, after a reset or a lost connection */
	UEVENT_NAMED,     /* another NVME_EVENT */
	UEVENT_REMOVED,
	UEVENT_ADDED
};

struct uevent {
	enum uevent_kind kind;
	uint32_t aen;  /* UEVENT_AEN: completion dword 0 */
	char name[64]; /* UEVENT_NAMED */
};

/* Never fails: what cannot be read is UEVENT_NONE. */
void uevent_decode(const struct uevent_raw *raw, struct uevent *out);
/*
 * "0x020101 temperature threshold": completion dword 0 of an asynchronous event request, with the
 * words of the NVMe base specification where it is known there.
 */
void uevent_aen_text(uint32_t aen, char *buf, size_t size);

#endif
