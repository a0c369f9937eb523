/* Which way leads to a target's drive: libnvme, a simulated drive's own, or a test's. */
#include <errno.h>

#include "smart.h"
#include "throttlog/clock.h"
#include "throttlog/target.h"

const struct nvme_transport *smart_transport = &nvme_libnvme;

int nvme_open_target(const struct target *t, const struct nvme_transport **via,
		     struct nvme_dev **out)
{
	int err;

	if (t->kind == TARGET_SIM && t->sim) {
		*via = &nvme_simulated;
		*out = nvme_sim_dev(t->sim);
		return 0;
	}
	if (!t->controller[0])
		return -ENOENT;
	*via = smart_transport;
	err = smart_transport->open(out, t->controller);
	if (err == -EACCES && t->disk[0] && smart_transport->open(out, t->disk) == 0)
		return 0;
	return err;
}

int64_t nvme_now_ns(const struct nvme_transport *via, const struct nvme_dev *dev)
{
	return via->now_ns ? via->now_ns(dev) : clock_now_ns();
}
