/* The bytes of the OCP SMART log, page C0h, and of the list of log pages, page 00h. */
#include "ocp_decode.h"

#include <string.h>

#define AT_COUNT  96 /* thermal throttling event count */
#define AT_STATUS 97 /* current throttling status */
#define AT_GUID   496

/* AFD514C97C6F4F9CA4F2BFEA2810AFC5h, as its bytes lie in the page. */
static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
				 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

bool ocp_is_smart_log(const uint8_t page[OCP_LOG_BYTES])
{
	return memcmp(page + AT_GUID, guid, sizeof(guid)) == 0;
}

void ocp_decode(const uint8_t page[OCP_LOG_BYTES], struct sample *out)
{
	out->ocp_throttle_count = page[AT_COUNT];
	out->ocp_throttle_status = page[AT_STATUS];
}

bool ocp_page_listed(const uint8_t supported[1024], uint8_t lid)
{
	return supported[(size_t)4 * lid] & 1;
}
