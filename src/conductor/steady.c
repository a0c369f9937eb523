/*
 * Steady state, for --until-steady: five windows of 30 s of load whose mean throughput stays
 * within 20 % with a slope of at most 10 % over all of them (the criterion of SNIA's performance
 * test specification), and a temperature that moves by at most 1 K over the last two minutes.
 */
#include <math.h>

#include "slot.h"

#define WINDOWS  5
#define WINDOW_S (STEADY_SHORTEST_S / WINDOWS)
#define TEMP_S   120.0

struct means {
	double sum[WINDOWS];
	size_t n[WINDOWS];
	double temp_lo, temp_hi;
	double covered_s;
};

static void collect(const struct series *s, struct means *m)
{
	double end = series_time(s, s->n - 1);

	m->temp_lo = INFINITY;
	m->temp_hi = -INFINITY;
	for (size_t i = s->n; i-- > 0 && s->phase[i] == PHASE_LOAD;) {
		double age = end - series_time(s, i), temp = series_get(s, FIELD_TEMP, i);
		size_t w = (size_t)(age / WINDOW_S);

		m->covered_s = age;
		if (w >= WINDOWS)
			break;
		if (isfinite(series_get(s, FIELD_MB_S, i))) {
			m->sum[w] += series_get(s, FIELD_MB_S, i);
			m->n[w]++;
		}
		if (age <= TEMP_S && isfinite(temp)) {
			m->temp_lo = fmin(m->temp_lo, temp);
			m->temp_hi = fmax(m->temp_hi, temp);
		}
	}
}

bool series_steady(const struct series *s)
{
	struct means m = {0};
	double lo = INFINITY, hi = -INFINITY, all = 0, slope = 0;

	if (!s->n)
		return false;
	collect(s, &m);
	if (m.covered_s < STEADY_SHORTEST_S)
		return false;
	for (int w = 0; w < WINDOWS; w++) {
		double mean = m.n[w] ? m.sum[w] / (double)m.n[w] : 0;

		lo = fmin(lo, mean);
		hi = fmax(hi, mean);
		all += mean / WINDOWS;
		/* Least squares over window numbers -2..2; time runs the other way. */
		slope -= (w - 2) * mean / 10;
	}
	if (hi - lo > 0.2 * all || fabs(slope) * (WINDOWS - 1) > 0.1 * all)
		return false;
	/* No temperature at all: throughput alone decides. */
	return m.temp_lo > m.temp_hi || m.temp_hi - m.temp_lo <= 1;
}
