/*
 * What the drive reports of its heat: the model's readings, bent by the quirks, in the layout of
 * log page 02h (Base Specification 2.0, 5.16.1.3). Seconds and minutes are those of the host, which
 * knows nothing of the model's time.
 */
#include <math.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/clock.h"

unsigned smart_limit_k(const struct rig *r, double limit_c)
{
	if (isnan(limit_c) || quirk_on(&r->quirks, QUIRK_NO_LIMITS))
		return 0;
	return (unsigned)(limit_c + KELVIN);
}

void smart_refresh(struct rig *r)
{
	const double *quirk = r->quirks.value;
	struct sample now;

	if (quirk_on(&r->quirks, QUIRK_REFRESH) && r->temp_ns &&
	    r->now_ns - r->temp_ns < (int64_t)(quirk[QUIRK_REFRESH] * (double)NS_PER_S))
		return;
	r->temp_ns = r->now_ns;
	sample_clear(&now);
	sim_smart(r->pace.sim, &now);
	r->temp_c = now.temp_c;
	memcpy(r->sensor_c, now.sensor_c, sizeof(r->sensor_c));
	if (quirk_on(&r->quirks, QUIRK_COMPOSITE_FROZEN))
		r->temp_c = quirk[QUIRK_COMPOSITE_FROZEN];
	if (quirk_on(&r->quirks, QUIRK_COMPOSITE_0K))
		r->temp_c = NAN;
	if (quirk_on(&r->quirks, QUIRK_ONLY_SENSOR2) || quirk_on(&r->quirks, QUIRK_NO_SENSORS))
		for (int i = 0; i < SENSORS_MAX; i++)
			r->sensor_c[i] = NAN;
	if (quirk_on(&r->quirks, QUIRK_ONLY_SENSOR2))
		r->sensor_c[1] = floor(sim_true_chip_c(r->pace.sim));
}

static unsigned kelvin(double c)
{
	return isnan(c) ? 0 : (unsigned)(int)(c + KELVIN);
}

/* Over the thresholds of feature 04h, or under the composite's. */
static bool beyond(const struct rig *r, const struct features *f)
{
	unsigned k = kelvin(r->temp_c);

	if (k && ((f->over[0] && k >= f->over[0]) || k <= f->under))
		return true;
	for (int i = 0; i < SENSORS_MAX; i++) {
		k = kelvin(r->sensor_c[i]);
		if (k && k >= f->over[1 + i])
			return true;
	}
	return false;
}

uint8_t smart_warning(const struct rig *r, const struct features *f)
{
	uint8_t warning = beyond(r, f) ? WARN_TEMPERATURE : 0;

	if (quirk_on(&r->quirks, QUIRK_WARNING_BIT))
		warning |= (uint8_t)r->quirks.value[QUIRK_WARNING_BIT];
	if (r->faults.read_only)
		warning |= WARN_READ_ONLY;
	return warning;
}

static uint32_t whole(double x)
{
	return x >= UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

static void put_counters(const struct rig *r, uint8_t *p)
{
	const struct sim_totals *t = &r->totals;
	struct sample now;
	double moved_s = 0;

	if (quirk_on(&r->quirks, QUIRK_COUNTERS_ZERO))
		return;
	sample_clear(&now);
	sim_smart(r->pace.sim, &now);
	if (quirk_on(&r->quirks, QUIRK_WARNING_MOVES))
		moved_s = (double)(r->now_ns - r->start_ns) / NS_PER_S * 60 /
			  r->quirks.value[QUIRK_WARNING_MOVES];
	if (isnan(now.warning_min)) /* no NVMe drive: it counts nothing */
		return;
	put32(p + 192,
	      whole((pace_seconds(&r->pace, now.warning_min * 60, t->warning_s) + moved_s) / 60));
	put32(p + 196, whole(pace_seconds(&r->pace, now.critical_min * 60, t->critical_s) / 60));
	put32(p + 216, whole(now.tmt1_count));
	put32(p + 220, whole(now.tmt2_count));
	put32(p + 224, whole(pace_seconds(&r->pace, now.tmt1_s, t->tmt1_s)));
	put32(p + 228, whole(pace_seconds(&r->pace, now.tmt2_s, t->tmt2_s)));
}

/* A read of the page counts: the spike is over after two. */
static double spiked(struct rig *r, double c)
{
	double *spike = &r->quirks.value[QUIRK_COMPOSITE_SPIKE];

	if (!quirk_on(&r->quirks, QUIRK_COMPOSITE_SPIKE)) {
		r->spikes = 0;
		return c;
	}
	c = *spike;
	if (++r->spikes == 2)
		*spike = NAN;
	return c;
}

void smart_page(struct rig *r, const struct features *f, uint8_t p[512])
{
	memset(p, 0, 512);
	smart_refresh(r);
	p[0] = smart_warning(r, f);
	put16(p + 1, kelvin(spiked(r, r->temp_c)));
	p[3] = 100; /* spare, % */
	p[4] = 10;
	p[5] = 1;
	/* Units of 1000 x 512 bytes, rounded up. */
	put64(p + 32, (r->pace.bytes[OP_READ] + 511999) / 512000);
	put64(p + 48, (r->pace.bytes[OP_WRITE] + 511999) / 512000);
	put64(p + 64, r->reads);
	put64(p + 80, r->writes);
	put64(p + 112, 10);
	put64(p + 128, 100);
	put64(p + 176, r->errors);
	put_counters(r, p);
	for (int i = 0; i < SENSORS_MAX; i++)
		put16(p + 200 + 2 * i, kelvin(r->sensor_c[i]));
}
