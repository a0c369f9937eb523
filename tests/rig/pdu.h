/*
 * The PDUs of the NVMe/TCP transport (TCP Transport Specification 1.0, section 3.6): their sizes,
 * what may be wrong with a header, and those that a controller sends. Pure; no socket.
 */
#ifndef RIG_PDU_H
#define RIG_PDU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pdu_type {
	PDU_ICREQ = 0x00,
	PDU_ICRESP = 0x01,
	PDU_H2C_TERM = 0x02,
	PDU_C2H_TERM = 0x03,
	PDU_COMMAND = 0x04,
	PDU_RESPONSE = 0x05,
	PDU_H2C_DATA = 0x06,
	PDU_C2H_DATA = 0x07,
	PDU_R2T = 0x09,
};

#define PDU_COMMON       8   /* bytes that every header begins with */
#define PDU_IC_BYTES     128 /* ICReq, ICResp */
#define PDU_COMMAND_HEAD 72
#define PDU_DATA_HEAD    24 /* H2CData, C2HData, R2T, CapsuleResp, TermReq */
#define PDU_HEAD_MAX     128
#define PDU_FLAG_LAST    0x04
/* In-capsule data of an admin command; that of an I/O command at most; data of one H2CData PDU. */
#define PDU_CAPSULE_DATA 8192
#define PDU_CAPSULE_MAX  131072
#define PDU_MAX_H2C      (1u << 20)

/* Fatal error status of a TermReq. */
enum pdu_fatal {
	FATAL_NONE = 0,
	FATAL_FIELD = 1,    /* a header field is wrong; says its offset */
	FATAL_SEQUENCE = 2, /* not now */
	FATAL_RANGE = 4,    /* data outside of what was asked for */
	FATAL_LIMIT = 5,    /* more data than allowed at once */
	FATAL_PARAMETER = 6,
};

struct pdu {
	uint8_t type, flags, hlen, pdo;
	uint32_t plen;
};

void pdu_read(const uint8_t head[PDU_COMMON], struct pdu *out);
/*
 * FATAL_NONE, or what is wrong with the common header; *field is then its offset. `open` says
 * whether ICReq was answered before.
 */
enum pdu_fatal pdu_check(const struct pdu *p, bool open, uint32_t *field);
/* Same for the 128 bytes of ICReq. */
enum pdu_fatal pdu_check_icreq(const uint8_t *pdu, uint32_t *field);

/* No digests, whatever the host asked for: then none are used (section 3.6.2.3). */
void pdu_make_icresp(uint8_t out[PDU_IC_BYTES]);
void pdu_make_response(uint8_t out[PDU_DATA_HEAD], const uint8_t cqe[16]);
void pdu_make_data(uint8_t out[PDU_DATA_HEAD], uint16_t cid, uint32_t offset, uint32_t bytes);
void pdu_make_r2t(uint8_t out[PDU_DATA_HEAD], uint16_t cid, uint16_t tag, uint32_t offset,
		  uint32_t bytes);
/* The header of the PDU that ends the connection; the offending header follows it, `n` bytes. */
void pdu_make_term(uint8_t out[PDU_DATA_HEAD], enum pdu_fatal fatal, uint32_t field, size_t n);

#endif
