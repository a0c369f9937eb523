/* The token bucket between the wire and the thermal model. */
#include "pace.h"

#include <math.h>

#include "throttlog/clock.h"

/* The presets' full speed: what the bytes in flight allow is the host's affair here. */
#define FULL_BLOCK 131072
#define FULL_DEPTH 32
/* So much may be caught up with after the machine was busy elsewhere. */
#define BURST_S 0.2
/* The bucket fills for the kind of load that was seen last, for so long after its end. */
#define LINGER_NS (300 * NS_PER_MS)
/* Longer than that in one go (the machine slept): the model is not run through all of it. */
#define LONGEST_NS (5 * NS_PER_S)

void pace_open(struct pace *p, struct sim *sim, double time_scale, double speed, int64_t now_ns)
{
	*p = (struct pace){.sim = sim,
			   .time_scale = time_scale,
			   .speed = speed,
			   .start_ns = now_ns,
			   .last_ns = now_ns,
			   .idle_ns = now_ns - LINGER_NS};
	sim_set_ceiling(sim, 0);
}

void pace_close(struct pace *p)
{
	sim_free(p->sim);
}

/* MB of the wire for a MB/s of the model, for a second of the host. */
static double wire_mb_s(const struct pace *p)
{
	return sim_possible_mb_s(p->sim) * p->speed;
}

static double model_bytes(const struct pace *p, double bytes)
{
	return bytes * p->time_scale / p->speed;
}

/* The model moves what went through, as far as it can in `step_ns` of its own. */
static void feed(struct pace *p, int64_t step_ns)
{
	double owed = model_bytes(p, p->owed[p->op]);
	double before = (double)sim_bytes(p->sim);

	if (p->owed[p->op] >= 1)
		sim_set_load(p->sim, p->op, FULL_BLOCK, FULL_DEPTH);
	else
		sim_set_load(p->sim, OP_NONE, 0, 0);
	sim_set_ceiling(p->sim, owed * 1e3 / (double)step_ns);
	sim_advance(p->sim, sim_now_ns(p->sim) + step_ns);
	p->owed[p->op] -= ((double)sim_bytes(p->sim) - before) * p->speed / p->time_scale;
	if (p->owed[p->op] < 0)
		p->owed[p->op] = 0;
}

/* The kind of load that the model sees next: the one with more to move. */
static void choose_op(struct pace *p)
{
	enum op op = p->owed[OP_WRITE] > p->owed[OP_READ] ? OP_WRITE : OP_READ;

	if (p->owed[op] >= 1)
		p->op = op;
}

void pace_tick(struct pace *p, int64_t now_ns)
{
	const int64_t step_ns = 10 * NS_PER_MS; /* the model's own */
	int64_t past_ns = now_ns - p->last_ns;
	double room;

	if (past_ns <= 0)
		return;
	p->last_ns = now_ns;
	if (past_ns > LONGEST_NS) {
		p->start_ns += past_ns - LONGEST_NS;
		past_ns = LONGEST_NS;
	}
	while (sim_now_ns(p->sim) + step_ns <=
	       (int64_t)((double)(now_ns - p->start_ns) * p->time_scale)) {
		choose_op(p);
		feed(p, step_ns);
	}
	if (p->op == OP_NONE)
		return;
	sim_set_load(p->sim, p->op, FULL_BLOCK, FULL_DEPTH);
	room = wire_mb_s(p) * 1e6 * BURST_S;
	p->tokens += wire_mb_s(p) * (double)past_ns / 1e3;
	/* Speed cannot be saved up while nobody asks for it. */
	if (now_ns - p->idle_ns > LINGER_NS)
		room = 0;
	if (p->tokens > room && room > 0)
		p->unused += p->tokens - room;
	p->tokens = fmin(p->tokens, room);
}

bool pace_take(struct pace *p, enum op op, uint64_t bytes, int64_t now_ns)
{
	if (p->op == OP_NONE)
		p->op = op;
	if (!p->unlimited && p->tokens < 0)
		return false;
	p->tokens -= (double)bytes;
	p->owed[op] += (double)bytes;
	p->bytes[op] += bytes;
	p->idle_ns = now_ns;
	return true;
}

int64_t pace_ready_ns(const struct pace *p, int64_t now_ns)
{
	double mb_s = wire_mb_s(p), wait_ns = mb_s > 0 ? -p->tokens * 1e3 / mb_s : 1e9;

	if (p->unlimited)
		return now_ns;
	return now_ns + (int64_t)fmin(fmax(wait_ns, 0.2e6), 50e6);
}

double pace_mb_s(const struct pace *p)
{
	return wire_mb_s(p);
}

double pace_seconds(const struct pace *p, double now, double start)
{
	return start + (now - start) / p->time_scale;
}
