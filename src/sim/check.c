/* Sanity of a simulated drive's numbers, so that a mistake in a table is told and not simulated. */
#include <math.h>

#include "sim/sim_preset.h"

static const char *check_thermal(const struct sim_thermal *t)
{
	if (!(t->r_chip_k_w > 0 && t->r_case_k_w > 0 && t->c_chip_j_k > 0 && t->c_case_j_k > 0))
		return "thermal resistances and capacities must be above 0";
	/* The model's step is 10 ms; a node must be slower than that by far. */
	if (t->r_chip_k_w * t->c_chip_j_k < 0.2 || t->r_chip_k_w * t->c_case_j_k < 0.2 ||
	    t->r_case_k_w * t->c_case_j_k < 0.2)
		return "a thermal time constant is below 0.2 s";
	if (!isfinite(t->ambient_c) || !(t->idle_w >= 0 && t->idle_w < 100))
		return "ambient temperature or idle power is out of range";
	return NULL;
}

static const char *check_speeds(const struct sim_preset *p)
{
	if (!(p->read.mb_s > 0 && p->write[0].mb_s > 0))
		return "read and first write speed must be above 0";
	if (!(p->read.load_w >= 0))
		return "read power is negative";
	for (int i = 0; i < SIM_WRITE_LEVELS; i++)
		if (!(p->write[i].mb_s >= 0 && p->write[i].load_w >= 0))
			return "a write level is negative";
	if (!(p->noise >= 0 && p->noise < 0.3))
		return "noise must be a share from 0 to 0.3";
	if (!(p->dips.every_s >= 0 && p->dips.length_s >= 0 && p->dips.depth >= 0 &&
	      p->dips.depth <= 1))
		return "dips are out of range";
	return NULL;
}

static const char *check_policy(const struct sim_policy *q)
{
	if (q->kind >= SIM_POLICY_COUNT)
		return "no such throttle policy";
	if (q->kind == SIM_POLICY_NONE)
		return NULL;
	if (!isfinite(q->limit_c) || !(q->release_k >= 0) || !(q->period_s >= 0))
		return "a throttle policy needs a limit, a release and a period";
	if (!(q->level >= 0 && q->level <= 1 && q->level2 >= 0 && q->level2 <= 1))
		return "a throttle level must be a share from 0 to 1";
	if ((q->kind == SIM_POLICY_HOLD || q->kind == SIM_POLICY_GENTLE) &&
	    !(q->gain > 0 && q->settle_s > 0))
		return "a regulating policy needs a gain and a settling time";
	if ((q->kind == SIM_POLICY_STAIRS || q->kind == SIM_POLICY_BAND) && !(q->step > 0))
		return "a graded policy needs a step";
	return NULL;
}

const char *sim_preset_check(const struct sim_preset *p)
{
	const char *wrong = check_thermal(&p->thermal);

	if (!wrong)
		wrong = check_speeds(p);
	if (!wrong)
		wrong = check_policy(&p->throttle);
	if (!wrong && !(p->name && p->help && p->model && p->serial && p->firmware))
		wrong = "a name is missing";
	if (!wrong &&
	    !(p->reading.lag_s >= 0 && p->reading.refresh_s >= 0 && p->reading.noise_k >= 0))
		wrong = "sensor lag, refresh and noise must not be negative";
	return wrong;
}
