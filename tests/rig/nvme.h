/*
 * Numbers of the NVM Express Base, NVM Command Set and TCP Transport specifications (2.0) that the
 * rig answers with, and access to little-endian fields.
 */
#ifndef RIG_NVME_H
#define RIG_NVME_H

#include <stdint.h>

enum nvme_admin {
	ADMIN_GET_LOG = 0x02,
	ADMIN_IDENTIFY = 0x06,
	ADMIN_ABORT = 0x08,
	ADMIN_SET_FEATURES = 0x09,
	ADMIN_GET_FEATURES = 0x0a,
	ADMIN_ASYNC_EVENT = 0x0c,
	ADMIN_KEEP_ALIVE = 0x18,
};

enum nvme_io {
	IO_FLUSH = 0x00,
	IO_WRITE = 0x01,
	IO_READ = 0x02,
	IO_WRITE_ZEROES = 0x08,
	IO_DSM = 0x09,
};

#define FABRICS 0x7f /* opcode; which command it is stands in byte 4 */
enum nvme_fabrics {
	FABRICS_PROPERTY_SET = 0x00,
	FABRICS_CONNECT = 0x01,
	FABRICS_PROPERTY_GET = 0x04,
	FABRICS_DISCONNECT = 0x08,
};

enum nvme_property {
	PROPERTY_CAP = 0x00, /* the only one of 8 bytes */
	PROPERTY_VS = 0x08,
	PROPERTY_CC = 0x14,
	PROPERTY_CSTS = 0x1c,
	PROPERTY_NSSR = 0x20,
};

enum nvme_log {
	LOG_SUPPORTED = 0x00,
	LOG_ERRORS = 0x01,
	LOG_SMART = 0x02,
	LOG_FIRMWARE = 0x03,
	LOG_CHANGED_NAMESPACES = 0x04,
	LOG_EFFECTS = 0x05,
	LOG_PERSISTENT_EVENTS = 0x0d,
	LOG_OCP_SMART = 0xc0,
};

/* Status code type << 8 | status code. STATUS_NO_RETRY is the DNR bit above them. */
enum nvme_status {
	STATUS_OK = 0x000,
	STATUS_INVALID_OPCODE = 0x001,
	STATUS_INVALID_FIELD = 0x002,
	STATUS_DATA_TRANSFER = 0x004,
	STATUS_INTERNAL = 0x006,
	STATUS_ABORTED = 0x007,
	STATUS_INVALID_NAMESPACE = 0x00b,
	STATUS_SEQUENCE = 0x00c,
	STATUS_SGL_LENGTH = 0x00f,
	STATUS_SGL_TYPE = 0x011,
	STATUS_SGL_OFFSET = 0x016,
	STATUS_WRITE_PROTECTED = 0x020,
	STATUS_LBA_RANGE = 0x080,
	STATUS_INVALID_QUEUE = 0x101,
	STATUS_TOO_MANY_EVENTS = 0x105,
	STATUS_INVALID_LOG = 0x109,
	STATUS_NOT_SAVEABLE = 0x10d,
	STATUS_NOT_CHANGEABLE = 0x10e,
	STATUS_CONNECT_FORMAT = 0x180,
	STATUS_CONNECT_PARAMETER = 0x182,
	STATUS_WRITE_FAULT = 0x280,
	STATUS_READ_ERROR = 0x281,
	STATUS_NO_RETRY = 0x4000,
};

enum nvme_feature {
	FEATURE_ARBITRATION = 0x01,
	FEATURE_POWER = 0x02,
	FEATURE_TEMPERATURE = 0x04,
	FEATURE_ERROR_RECOVERY = 0x05,
	FEATURE_WRITE_CACHE = 0x06,
	FEATURE_QUEUES = 0x07,
	FEATURE_ASYNC_EVENTS = 0x0b,
	FEATURE_TIMESTAMP = 0x0e,
	FEATURE_KEEP_ALIVE = 0x0f,
	FEATURE_HCTM = 0x10,
};

#define NSID_ALL         0xffffffffu
#define KELVIN           273 /* °C = K - 273, as the tool and nvme-cli count */
#define WARN_SPARE       0x01
#define WARN_TEMPERATURE 0x02
#define WARN_READ_ONLY   0x08

static inline uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t get32(const uint8_t *p)
{
	return get16(p) | (uint32_t)get16(p + 2) << 16;
}

static inline uint64_t get64(const uint8_t *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static inline void put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static inline void put32(uint8_t *p, uint32_t v)
{
	put16(p, v & 0xffff);
	put16(p + 2, v >> 16);
}

static inline void put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

#endif
