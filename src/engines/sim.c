/*
 * The load engine of simulated drives: moves the drive's own clock on and publishes what the model
 * moved, with latencies that obey Little's law (requests in flight = rate x mean latency).
 */
#include <errno.h>
#include <stdlib.h>

#include "engines/members.h"
#include "throttlog/alloc.h"
#include "throttlog/sim.h"
#include "throttlog/text.h"

/*
 * Spread of the latencies about their mean: so many requests of a thousand take so many times the
 * mean. Chosen to look like a drive under QD32: a narrow middle and a long, thin tail.
 */
static const struct {
	uint64_t of_1000;
	double times;
} spread[] = {{500, 0.86}, {380, 1.0}, {100, 1.4}, {19, 2.2}, {1, 8.0}};

#define SPREAD_COUNT (sizeof(spread) / sizeof(spread[0]))

struct engine {
	struct engine_config config;
	uint64_t base_bytes; /* the drive's total up to which all is published */
	uint64_t ios;        /* published since open() */
	double waited_ns;    /* in flight x time that no completed request accounts for yet */
};

static int sim_probe(void)
{
	return 0;
}

static int sim_open(struct engine **out, const struct engine_config *config, char *why, size_t size)
{
	struct engine *e;

	if (!config->sim || !config->block_bytes || !config->queue_depth ||
	    config->region_bytes < config->block_bytes) {
		text_format(why, size, "the simulated engine needs a simulated drive and a load");
		return -EINVAL;
	}
	e = xzalloc(sizeof(*e));
	e->config = *config;
	e->base_bytes = sim_bytes(config->sim);
	*out = e;
	text_format(why, size, "%s", "");
	return 0;
}

/* How many of the requests [from, to) belong to one class of the spread. */
static uint64_t class_count(size_t class, uint64_t from, uint64_t to)
{
	return to * spread[class].of_1000 / 1000 - from * spread[class].of_1000 / 1000;
}

static void publish(struct engine *e, uint64_t n)
{
	uint64_t count[SPREAD_COUNT], to = e->ios + n;
	double shares = 0, unit_ns;

	count[0] = n;
	for (size_t i = 1; i < SPREAD_COUNT; i++) {
		count[i] = class_count(i, e->ios, to);
		if (count[i] > count[0]) /* rounding, when there are only a few */
			count[i] = count[0];
		count[0] -= count[i];
	}
	for (size_t i = 0; i < SPREAD_COUNT; i++)
		shares += (double)count[i] * spread[i].times;
	unit_ns = e->waited_ns / shares;
	for (size_t i = 0; i < SPREAD_COUNT; i++)
		if (count[i])
			load_counters_done_many(e->config.counters, count[i],
						count[i] * e->config.block_bytes,
						(int64_t)(unit_ns * spread[i].times));
	e->ios = to;
	e->base_bytes += n * e->config.block_bytes;
	e->waited_ns = 0;
}

static int sim_step_load(struct engine *e, int64_t until_ns)
{
	const struct engine_config *c = &e->config;
	int64_t from_ns = sim_now_ns(c->sim);
	uint64_t n;

	if (until_ns <= from_ns)
		return 0;
	sim_set_load(c->sim, c->op, c->block_bytes, c->queue_depth);
	sim_advance(c->sim, until_ns);
	e->waited_ns += (double)(until_ns - from_ns) * c->queue_depth;
	load_counters_busy(c->counters, c->queue_depth, until_ns - from_ns);
	n = (sim_bytes(c->sim) - e->base_bytes) / c->block_bytes;
	if (n)
		publish(e, n);
	if (sim_lost(c->sim)) {
		load_counters_failed(c->counters, ENODEV);
		return -ENODEV;
	}
	return 0;
}

static int sim_set_op(struct engine *e, enum op op)
{
	if (op == OP_NONE)
		return -EINVAL;
	e->config.op = op;
	return 0;
}

/* Nothing hangs; the load ends here and time that passes from now on is idle. */
static int sim_drain(struct engine *e, int64_t timeout_ns)
{
	(void)timeout_ns;
	sim_set_load(e->config.sim, OP_NONE, 0, 0);
	return 0;
}

static void sim_close(struct engine *e)
{
	if (!e)
		return;
	sim_set_load(e->config.sim, OP_NONE, 0, 0);
	free(e);
}

static uint64_t sim_position(const struct engine *e)
{
	uint64_t blocks = e->config.region_bytes / e->config.block_bytes;
	uint64_t first = e->config.start_bytes / e->config.block_bytes;

	return (first + e->ios) % blocks * e->config.block_bytes;
}

const struct engine_ops engine_sim = {
    .name = "sim",
    .help = "the load of simulated drives, in their own time",
    .simulated = true,
    .probe = sim_probe,
    .open = sim_open,
    .step = sim_step_load,
    .set_op = sim_set_op,
    .drain = sim_drain,
    .close = sim_close,
    .position = sim_position,
};
