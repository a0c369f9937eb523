/*
 * The bytes of the OCP SMART / health information extended log, page C0h. Pure; OCP datacenter NVMe
 * SSD specification, requirements SMART-1 and following. The page is a vendor's, so its GUID has
 * to be looked at before anything else.
 */
#ifndef THROTTLOG_OCP_DECODE_H
#define THROTTLOG_OCP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "throttlog/sample.h"

#define OCP_LOG_BYTES 512

bool ocp_is_smart_log(const uint8_t page[OCP_LOG_BYTES]);
/* Fills the OCP fields. */
void ocp_decode(const uint8_t page[OCP_LOG_BYTES], struct sample *out);
/* Log page 00h: is page `lid` supported? */
bool ocp_page_listed(const uint8_t supported[1024], uint8_t lid);

#endif
