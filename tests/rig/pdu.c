/* PDU headers of NVMe/TCP: what a host may send when, and what the controller sends. */
#include "pdu.h"

#include <string.h>

#include "nvme.h"

/* What a host may send: the header's length, and the largest PDU. */
static const struct {
	uint8_t type, hlen;
	uint32_t max;
} known[] = {
    {PDU_ICREQ, PDU_IC_BYTES, PDU_IC_BYTES},
    {PDU_H2C_TERM, PDU_DATA_HEAD, PDU_DATA_HEAD + 128},
    /* Up to 256 bytes of padding before the data. */
    {PDU_COMMAND, PDU_COMMAND_HEAD, PDU_COMMAND_HEAD + PDU_CAPSULE_MAX + 256},
    {PDU_H2C_DATA, PDU_DATA_HEAD, PDU_DATA_HEAD + PDU_MAX_H2C + 256},
};

enum { FIELD_TYPE = 0, FIELD_FLAGS = 1, FIELD_HLEN = 2, FIELD_PDO = 3, FIELD_PLEN = 4 };
#define FLAG_DIGESTS 0x03

void pdu_read(const uint8_t head[PDU_COMMON], struct pdu *out)
{
	out->type = head[0];
	out->flags = head[1];
	out->hlen = head[2];
	out->pdo = head[3];
	out->plen = get32(head + 4);
}

enum pdu_fatal pdu_check(const struct pdu *p, bool open, uint32_t *field)
{
	size_t i = 0;

	while (i < sizeof(known) / sizeof(known[0]) && known[i].type != p->type)
		i++;
	*field = FIELD_TYPE;
	if (i == sizeof(known) / sizeof(known[0]))
		return FATAL_FIELD;
	if (open != (p->type != PDU_ICREQ))
		return FATAL_SEQUENCE;
	*field = FIELD_FLAGS;
	if (p->flags & FLAG_DIGESTS)
		return FATAL_FIELD;
	*field = FIELD_HLEN;
	if (p->hlen != known[i].hlen)
		return FATAL_FIELD;
	*field = FIELD_PLEN;
	if (p->plen < p->hlen || p->plen > known[i].max)
		return FATAL_FIELD;
	*field = FIELD_PDO;
	if (p->type == PDU_COMMAND || p->type == PDU_H2C_DATA)
		if (p->plen > p->hlen && (p->pdo < p->hlen || p->pdo > p->plen))
			return FATAL_FIELD;
	return FATAL_NONE;
}

enum pdu_fatal pdu_check_icreq(const uint8_t *pdu, uint32_t *field)
{
	*field = 8; /* PFV: the format's version */
	return get16(pdu + 8) == 0 ? FATAL_NONE : FATAL_PARAMETER;
}

static void head(uint8_t *out, enum pdu_type type, uint8_t hlen, uint32_t plen)
{
	memset(out, 0, hlen);
	out[0] = (uint8_t)type;
	out[2] = hlen;
	put32(out + 4, plen);
}

void pdu_make_icresp(uint8_t out[PDU_IC_BYTES])
{
	head(out, PDU_ICRESP, PDU_IC_BYTES, PDU_IC_BYTES);
	put32(out + 12, PDU_MAX_H2C);
}

void pdu_make_response(uint8_t out[PDU_DATA_HEAD], const uint8_t cqe[16])
{
	head(out, PDU_RESPONSE, PDU_DATA_HEAD, PDU_DATA_HEAD);
	memcpy(out + PDU_COMMON, cqe, 16);
}

void pdu_make_data(uint8_t out[PDU_DATA_HEAD], uint16_t cid, uint32_t offset, uint32_t bytes)
{
	head(out, PDU_C2H_DATA, PDU_DATA_HEAD, PDU_DATA_HEAD + bytes);
	out[1] = PDU_FLAG_LAST;
	out[3] = PDU_DATA_HEAD;
	put16(out + 8, cid);
	put32(out + 12, offset);
	put32(out + 16, bytes);
}

void pdu_make_r2t(uint8_t out[PDU_DATA_HEAD], uint16_t cid, uint16_t tag, uint32_t offset,
		  uint32_t bytes)
{
	head(out, PDU_R2T, PDU_DATA_HEAD, PDU_DATA_HEAD);
	put16(out + 8, cid);
	put16(out + 10, tag);
	put32(out + 12, offset);
	put32(out + 16, bytes);
}

void pdu_make_term(uint8_t out[PDU_DATA_HEAD], enum pdu_fatal fatal, uint32_t field, size_t n)
{
	head(out, PDU_C2H_TERM, PDU_DATA_HEAD, (uint32_t)(PDU_DATA_HEAD + n));
	put16(out + 8, fatal);
	put32(out + 10, field);
}
