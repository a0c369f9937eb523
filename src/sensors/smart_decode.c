/* The bytes of Identify Controller, SMART log page 02h and the thermal features. */
#include "smart_decode.h"

#include <math.h>
#include <string.h>

#include "throttlog/text.h"

#define KELVIN_MIN 200
#define KELVIN_MAX 423
/* Limits of real drives lie between 55 and 110 °C. */
#define LIMIT_MIN_C 40
#define LIMIT_MAX_C 125
#define VERSION_1_2 0x010200u
#define VERSION_1_3 0x010300u

/* Little-endian and unaligned. */
static unsigned le16(const uint8_t *p)
{
	return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static uint32_t le32(const uint8_t *p)
{
	return (uint32_t)le16(p) | (uint32_t)le16(p + 2) << 16;
}

double smart_kelvin_c(unsigned kelvin)
{
	if (kelvin < KELVIN_MIN || kelvin > KELVIN_MAX)
		return NAN;
	return (double)kelvin - 273;
}

double smart_hwmon_c(double celsius)
{
	double kelvin = round(celsius + 273.15);

	if (!isfinite(celsius) || celsius == 0 || kelvin < KELVIN_MIN || kelvin > KELVIN_MAX)
		return NAN;
	return smart_kelvin_c((unsigned)kelvin);
}

static double limit_c(unsigned kelvin, bool *odd)
{
	double c = smart_kelvin_c(kelvin);

	if (kelvin != 0 && !(c >= LIMIT_MIN_C && c <= LIMIT_MAX_C)) {
		*odd = true;
		return NAN;
	}
	return c;
}

static void fill(char *dst, size_t size, const uint8_t *src, size_t n)
{
	if (!dst[0])
		text_copy_clean(dst, size, src, n);
}

void smart_decode_identify(const uint8_t id[4096], struct drive *d, struct smart_identity *out)
{
	struct thermal_limits *limits = &d->limits;

	memset(out, 0, sizeof(*out));
	fill(d->serial, sizeof(d->serial), id + 4, 20);
	fill(d->model, sizeof(d->model), id + 24, 40);
	fill(d->firmware, sizeof(d->firmware), id + 64, 8);
	limits->wctemp_c = limit_c(le16(id + 266), &out->limits_odd);
	limits->cctemp_c = limit_c(le16(id + 268), &out->limits_odd);
	if (limits->wctemp_c > limits->cctemp_c) {
		out->limits_odd = true;
		limits->wctemp_c = limits->cctemp_c = NAN;
	}
	out->version = le32(id + 80);
	out->power_states = id[263] % 32 + 1U; /* 0's based */
	out->hctm = le16(id + 322) & 1;
	out->mntmt_c = smart_kelvin_c(le16(id + 324));
	out->mxtmt_c = smart_kelvin_c(le16(id + 326));
}

void smart_decode_hctm(uint32_t value, struct thermal_limits *limits)
{
	limits->tmt1_c = smart_kelvin_c(value >> 16);
	limits->tmt2_c = smart_kelvin_c(value & 0xffff);
}

double smart_decode_threshold(uint32_t value)
{
	return smart_kelvin_c(value & 0xffff);
}

void smart_decode_log(const uint8_t page[512], struct sample *out)
{
	out->critical_warning = page[0];
	out->temp_c = smart_kelvin_c(le16(page + 1));
	out->warning_min = le32(page + 192);
	out->critical_min = le32(page + 196);
	for (size_t i = 0; i < SENSORS_MAX; i++)
		out->sensor_c[i] = smart_kelvin_c(le16(page + 200 + 2 * i));
	out->tmt1_count = le32(page + 216);
	out->tmt2_count = le32(page + 220);
	out->tmt1_s = le32(page + 224);
	out->tmt2_s = le32(page + 228);
}

bool smart_log_blank(const uint8_t page[512])
{
	for (int i = 1; i < 512; i++)
		if (page[i] != page[0])
			return false;
	return true;
}

void smart_fields(const struct sample *first, const struct smart_identity *id,
		  const struct thermal_limits *limits, bool can[FIELD_COUNT])
{
	bool tmt = id->version >= VERSION_1_3 || first->tmt1_count > 0 || first->tmt2_count > 0 ||
		   first->tmt1_s > 0 || first->tmt2_s > 0;

	can[FIELD_CRITICAL_WARNING] = true;
	can[FIELD_TEMP] = !isnan(first->temp_c);
	for (enum field f = FIELD_SENSOR1; f <= FIELD_SENSOR8; f++)
		can[f] = !isnan(sample_get(first, f));
	/* Without the limits the drive has to report 0 minutes, which says nothing. */
	can[FIELD_WARNING_MIN] = first->warning_min > 0 ||
				 (id->version >= VERSION_1_2 && !isnan(limits->wctemp_c) &&
				  !isnan(limits->cctemp_c));
	can[FIELD_CRITICAL_MIN] = first->critical_min > 0 ||
				  (id->version >= VERSION_1_2 && !isnan(limits->cctemp_c));
	can[FIELD_TMT1_COUNT] = can[FIELD_TMT1_S] = tmt;
	can[FIELD_TMT2_COUNT] = can[FIELD_TMT2_S] = tmt;
}
