/*
 * A simulated drive from outside: made from a preset or from numbers of one's own, its clock moved
 * on in whole steps of the model.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"
#include "throttlog/alloc.h"

/*
 * The presets' speeds hold for 32 requests of 128 KiB. With fewer bytes in flight the speed follows
 * a saturation curve; half of the full speed comes at HALF_BYTES, and IOPS_MAX is the controller's.
 */
#define FULL_BYTES (32 * 131072.0)
#define HALF_BYTES 262144.0
#define IOPS_MAX   300000.0

/* What a drive does at host-set TMT1 and TMT2 beyond counting: shares of full speed, chosen. */
#define TMT1_LEVEL    0.7
#define TMT2_LEVEL    0.35
#define TMT_RELEASE_K 2

static const struct sim_preset *find(const char *name)
{
	for (size_t i = 0; i < sim_presets_count; i++)
		if (strcmp(sim_presets[i].name, name) == 0)
			return &sim_presets[i];
	return NULL;
}

struct sim *sim_new(const char *preset)
{
	const struct sim_preset *p = find(preset);

	return p ? sim_custom(p) : NULL;
}

/* Starts warm: idle for ever before. */
static void warm(struct sim *s)
{
	const struct sim_thermal *t = &s->preset.thermal;

	s->case_c = t->ambient_c + t->idle_w * t->r_case_k_w;
	s->chip_c = s->case_c + t->idle_w * t->r_chip_k_w;
	s->case_seen_c = s->case_c;
	s->chip_seen_c = s->chip_c;
	s->composite_c = NAN;
	for (int i = 0; i < SENSORS_MAX; i++)
		s->sensor_c[i] = NAN;
}

struct sim *sim_custom(const struct sim_preset *p)
{
	struct sim *s;

	if (sim_preset_check(p))
		return NULL;
	s = xzalloc(sizeof(*s));
	s->preset = *p;
	s->ceiling_mb_s = NAN;
	s->idle_steps = UINT32_MAX; /* in its idle power state */
	s->totals = p->totals;
	warm(s);
	sim_throttle_init(&s->own, &p->throttle);
	sim_set_tmt(s, p->limits.tmt1_c, p->limits.tmt2_c);
	sim_seed(s, 1);
	return s;
}

void sim_free(struct sim *s)
{
	free(s);
}

void sim_seed(struct sim *s, uint64_t seed)
{
	s->rng = seed * UINT64_C(0xd1342543de82ef95) + 1;
	sim_smart_refresh(s);
}

static pthread_once_t names_once = PTHREAD_ONCE_INIT;
static const char **names;

static void names_make(void)
{
	names = xreallocarray(NULL, sim_presets_count + 1, sizeof(*names));
	for (size_t i = 0; i < sim_presets_count; i++)
		names[i] = sim_presets[i].name;
	names[sim_presets_count] = NULL;
}

const char *const *sim_names(void)
{
	pthread_once(&names_once, names_make);
	return names;
}

const char *sim_help(const char *preset)
{
	const struct sim_preset *p = find(preset);

	return p ? p->help : NULL;
}

static void copy(char *dst, size_t size, const char *src)
{
	size_t n = strnlen(src, size - 1);

	memcpy(dst, src, n);
	dst[n] = '\0';
}

void sim_drive(const struct sim *s, struct drive *out)
{
	drive_clear(out);
	copy(out->model, sizeof(out->model), s->preset.model);
	copy(out->serial, sizeof(out->serial), s->preset.serial);
	copy(out->firmware, sizeof(out->firmware), s->preset.firmware);
	copy(out->transport, sizeof(out->transport), "sim");
	out->capacity_bytes = s->preset.capacity_bytes;
	out->limits = s->preset.limits;
}

uint64_t sim_capacity(const struct sim *s)
{
	return s->preset.capacity_bytes;
}

void sim_set_load(struct sim *s, enum op op, uint32_t block_bytes, unsigned queue_depth)
{
	const struct sim_level *first = op == OP_READ ? &s->preset.read : &s->preset.write[0];
	double in_flight = (double)block_bytes * queue_depth;
	double full = FULL_BYTES / (FULL_BYTES + HALF_BYTES);
	double share = in_flight / (in_flight + HALF_BYTES) / full;

	s->op = in_flight > 0 ? op : OP_NONE;
	s->parallel_mb_s = fmin(first->mb_s * fmin(1, share), IOPS_MAX * block_bytes / 1e6);
}

void sim_advance(struct sim *s, int64_t t_ns)
{
	while ((int64_t)(s->steps + 1) * SIM_STEP_NS <= t_ns)
		sim_step(s);
	if (t_ns > s->now_ns)
		s->now_ns = t_ns;
}

int64_t sim_now_ns(const struct sim *s)
{
	return s->now_ns;
}

uint64_t sim_bytes(const struct sim *s)
{
	return (uint64_t)s->bytes;
}

bool sim_lost(const struct sim *s)
{
	return s->lost;
}

void sim_set_cooling(struct sim *s, double r_case_k_w)
{
	s->preset.thermal.r_case_k_w = r_case_k_w;
}

void sim_set_tmt(struct sim *s, double tmt1_c, double tmt2_c)
{
	struct sim_policy policy = {.kind = SIM_POLICY_NONE};

	s->preset.limits.tmt1_c = tmt1_c;
	s->preset.limits.tmt2_c = tmt2_c;
	if (!isnan(tmt1_c) || !isnan(tmt2_c))
		policy = (struct sim_policy){
		    .kind = SIM_POLICY_STEP,
		    .limit_c = isnan(tmt1_c) ? (double)INFINITY : tmt1_c,
		    .level = TMT1_LEVEL,
		    .limit2_c = tmt2_c,
		    .level2 = isnan(tmt2_c) ? 0 : TMT2_LEVEL,
		    .release_k = TMT_RELEASE_K,
		};
	sim_throttle_init(&s->host, &policy);
}

void sim_set_ceiling(struct sim *s, double mb_s)
{
	s->ceiling_mb_s = mb_s;
}

double sim_true_share(const struct sim *s)
{
	return s->lost ? 0 : fmin(s->own.speed, s->host.speed);
}

double sim_true_chip_c(const struct sim *s)
{
	return s->chip_c;
}

int sim_true_own_stage(const struct sim *s)
{
	return s->own.stage;
}

int sim_true_host_stage(const struct sim *s)
{
	return s->host.stage;
}
