/*
 * What a simulated drive reports: temperatures behind lag, refresh and rounding, lifetime totals in
 * the units of the NVMe SMART log (page 02h): minutes for WCTEMP and CCTEMP, seconds for TMT1/TMT2.
 */
#include <math.h>

#include "sim/sim_state.h"

#define WARNING_TEMPERATURE 2   /* critical warning bit 1 */
#define IDLE_STATE_STEPS    100 /* the idle power state comes after a second without load */

static double report_c(struct sim *s, const struct sim_sensor *sensor)
{
	double c = sensor->chip_share * s->chip_seen_c + (1 - sensor->chip_share) * s->case_seen_c +
		   sensor->offset_k;

	return floor(c + s->preset.reading.round_k +
		     s->preset.reading.noise_k * sim_random_gauss(s));
}

void sim_smart_refresh(struct sim *s)
{
	const struct sim_preset *p = &s->preset;

	if (p->composite.present)
		s->composite_c = report_c(s, &p->composite);
	for (int i = 0; i < SENSORS_MAX; i++)
		if (p->sensor[i].present)
			s->sensor_c[i] = report_c(s, &p->sensor[i]);
}

/* Warning time counts from WCTEMP to below CCTEMP, critical time from there on
 * (NVMe 1.3, 5.14.1.2). */
static void step_totals(struct sim *s)
{
	const struct thermal_limits *limit = &s->preset.limits;

	if (s->composite_c >= limit->cctemp_c)
		s->totals.critical_s += SIM_STEP_S;
	else if (s->composite_c >= limit->wctemp_c)
		s->totals.warning_s += SIM_STEP_S;
	if (s->host.stage == 1)
		s->totals.tmt1_s += SIM_STEP_S;
	else if (s->host.stage == 2)
		s->totals.tmt2_s += SIM_STEP_S;
}

void sim_smart_step(struct sim *s)
{
	const struct sim_reading *r = &s->preset.reading;
	double follow = SIM_STEP_S / (SIM_STEP_S + r->lag_s);
	uint64_t refresh = (uint64_t)(r->refresh_s / SIM_STEP_S + 0.5);

	s->chip_seen_c += (s->chip_c - s->chip_seen_c) * follow;
	s->case_seen_c += (s->case_c - s->case_seen_c) * follow;
	if (refresh <= 1 || s->steps % refresh == 0)
		sim_smart_refresh(s);
	step_totals(s);
}

void sim_smart(const struct sim *s, struct sample *out)
{
	const struct sim_preset *p = &s->preset;

	if (s->lost)
		return;
	out->temp_c = s->composite_c;
	for (int i = 0; i < SENSORS_MAX; i++)
		if (p->sensor[i].present)
			out->sensor_c[i] = s->sensor_c[i];
	out->poll_ms = p->poll_ms;
	if (p->link_gt_s > 0) {
		out->link_gt_s = p->link_gt_s;
		out->link_width = p->link_width;
	}
	if (!p->nvme)
		return;
	out->critical_warning = s->composite_c >= p->limits.wctemp_c ? WARNING_TEMPERATURE : 0;
	out->warning_min = floor(s->totals.warning_s / 60);
	out->critical_min = floor(s->totals.critical_s / 60);
	out->tmt1_count = s->totals.tmt1_count;
	out->tmt1_s = floor(s->totals.tmt1_s);
	out->tmt2_count = s->totals.tmt2_count;
	out->tmt2_s = floor(s->totals.tmt2_s);
	out->power_state = s->idle_steps >= IDLE_STATE_STEPS ? p->idle_power_state : 0;
}

void sim_fields(const struct sim *s, bool can[FIELD_COUNT])
{
	struct sample all;
	struct sim awake = *s;

	/* What sim_smart() leaves absent, it cannot fill. */
	awake.lost = false;
	sample_clear(&all);
	sim_smart(&awake, &all);
	for (enum field f = 0; f < FIELD_COUNT; f++)
		can[f] = !isnan(sample_get(&all, f));
}
