/*
 * The reference is the median of the last thirty speeds that were not low. What a speed lacks of
 * it, in sigma and less an allowance, is added up; single dips are cut by a median of three and by
 * a cap.
 */
#include "analysis/marker.h"

#include <math.h>
#include <string.h>

#include "analysis/stats.h"

#define ALLOWED_SIGMAS 1.5
#define CAP_SIGMAS     12
#define ALARM_SIGMAS   14
#define MIN_REF        5

void marker_reset(struct marker *m)
{
	memset(m, 0, sizeof(*m));
}

static void learn(struct marker *m, double mb_s)
{
	m->ref[m->next_ref] = mb_s;
	m->next_ref = (m->next_ref + 1) % MARKER_REF;
	m->n_ref += m->n_ref < MARKER_REF;
}

/* The reference, and the noise from its differences. */
static double reference(const struct marker *m, double *sigma)
{
	double scratch[MARKER_REF], diff[MARKER_REF], ref;
	int first = m->n_ref < MARKER_REF ? 0 : m->next_ref;

	ref = stat_median(m->ref, m->n_ref, scratch);
	for (int i = 1; i < m->n_ref; i++)
		diff[i - 1] = fabs(m->ref[(first + i) % MARKER_REF] -
				   m->ref[(first + i - 1) % MARKER_REF]);
	*sigma = fmax(0.008 * ref, 1.5 * stat_median(diff, m->n_ref - 1, scratch) * 1.0484);
	return ref;
}

bool marker_push(struct marker *m, double mb_s)
{
	double middle, ref, sigma, mean;

	m->last[2] = m->last[1];
	m->last[1] = m->last[0];
	m->last[0] = mb_s;
	if (++m->rows < 4)
		return false;
	middle = fmax(fmin(m->last[0], m->last[1]), fmin(fmax(m->last[0], m->last[1]), m->last[2]));
	if (m->n_ref < MIN_REF) {
		learn(m, middle);
		return false;
	}
	ref = reference(m, &sigma);
	m->sum += fmin(CAP_SIGMAS, (ref - middle) / sigma) - ALLOWED_SIGMAS;
	mean = (m->last[0] + m->last[1] + m->last[2]) / 3;
	if (m->sum <= 0 || (++m->rows_low > 20 && mean >= 0.97 * ref)) {
		m->sum = 0;
		m->rows_low = 0;
		learn(m, middle);
		return false;
	}
	m->sum = fmin(m->sum, 40);
	if (m->sum <= ALARM_SIGMAS || m->rows_low < 2 || mean >= ref - fmax(0.03 * ref, 3 * sigma))
		return false;
	marker_reset(m);
	return true;
}
