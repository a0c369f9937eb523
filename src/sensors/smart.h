/* The SMART sensor's seam for tests. */
#ifndef THROTTLOG_SMART_H
#define THROTTLOG_SMART_H

#include "nvme_shim.h"

/* What opens and asks drives; &nvme_libnvme unless a test puts its own here. */
extern const struct nvme_transport *smart_transport;

#endif
