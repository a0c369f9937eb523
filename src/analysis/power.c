/*
 * T = T_idle + sum over regimes of P_r x H(t), where H is the answer of two first-order nodes to
 * "regime r is on". Time constants and the share of the slow node come from a grid; the rest is
 * linear. All sums of products are taken once, so that a grid point costs only a small solve.
 */
#include "analysis/power.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tuning.h"
#include "throttlog/alloc.h"

#define ROWS_WANTED 900 /* of longer logs every n-th is as good */
#define REGIMES     3   /* load before the regime at hand, that regime, after the drop */

static const double tau_fast_s[] = {2, 4, 8, 16};
static const double tau_slow_s[] = {40, 75, 140, 260, 480};
static const double slow_share[] = {0.3, 0.8, 1.8, 4, 9}; /* slow node's weight / fast node's */

#define N_FAST  ((int)(sizeof(tau_fast_s) / sizeof(*tau_fast_s)))
#define N_SLOW  ((int)(sizeof(tau_slow_s) / sizeof(*tau_slow_s)))
#define N_SHARE ((int)(sizeof(slow_share) / sizeof(*slow_share)))
#define N_TAU   (N_FAST + N_SLOW)
#define COLUMNS (1 + N_TAU * REGIMES) /* the constant first */

struct sums {
	double xx[COLUMNS][COLUMNS], xt[COLUMNS], tt;
	long n;
};

static double tau_of(int i)
{
	return i < N_FAST ? tau_fast_s[i] : tau_slow_s[i - N_FAST];
}

static int column(int tau, int regime)
{
	return 1 + regime * N_TAU + tau;
}

/* Rows come evenly, so that few different intervals come again and again. */
#define STEPS 64

struct steps {
	double dt_s[STEPS]; /* NAN: none yet */
	double share[STEPS][N_TAU];
};

/* How much of the way to its end each node goes within dt_s. */
static const double *step_shares(struct steps *c, double dt_s)
{
	size_t k;
	uint64_t bits;

	memcpy(&bits, &dt_s, sizeof(bits));
	k = (size_t)((bits ^ bits >> 32) * 0x9e3779b97f4a7c15U >> 58);
	if (c->dt_s[k] != dt_s) { /* true for NAN as well */
		c->dt_s[k] = dt_s;
		for (int tau = 0; tau < N_TAU; tau++)
			c->share[k][tau] = -expm1(-dt_s / tau_of(tau));
	}
	return c->share[k];
}

static void steps_begin(struct steps *c)
{
	for (int k = 0; k < STEPS; k++)
		c->dt_s[k] = NAN;
}

/* One row further; a regime that has not been on yet stays at 0. */
static void respond(double *x, int regime, int seen, const double *share)
{
	for (int r = 0; r <= seen; r++) {
		double *f = &x[column(0, r)], on = r == regime;

		for (int tau = 0; tau < N_TAU; tau++)
			f[tau] += (on - f[tau]) * share[tau];
	}
}

struct window {
	const struct run *run;
	const struct temps *temps;
	const struct leg *leg;
	double since_s, at_s, end_s; /* borders of the regimes, log time */
	size_t first, last;          /* rows */
};

/* Rows from two minutes before the load to the next one, four minutes after it at most. */
static void find_rows(struct window *w)
{
	const struct series *s = &w->run->series;
	size_t i = w->leg->first_row;

	while (i > 0 && s->phase[i - 1] == PHASE_BASELINE &&
	       series_time(s, i - 1) > w->leg->start_s - 120)
		i--;
	w->first = i;
	i = w->leg->end_row;
	while (i < s->n && (s->phase[i] == PHASE_COOLDOWN || s->phase[i] == PHASE_PAUSE) &&
	       series_time(s, i) < w->leg->end_s + 240)
		i++;
	w->last = i;
}

static int regime_at(const struct window *w, size_t i)
{
	double t = series_time(&w->run->series, i);

	if (i < w->leg->first_row || i >= w->leg->end_row)
		return -1;
	return t <= w->since_s ? 0 : t <= w->at_s ? 1 : 2;
}

/* What has faded lies far below the last digit of any sum, and costs much as a denormal number. */
static void forget_faded(double *x)
{
	for (int k = 1; k < COLUMNS; k++)
		if (x[k] < 1e-150)
			x[k] = 0;
}

static void add_products(struct sums *sums, const double *x, double t)
{
	for (int a = 0; a < COLUMNS; a++) {
		for (int b = 0; b <= a; b++)
			sums->xx[a][b] += x[a] * x[b];
		sums->xt[a] += x[a] * t;
	}
	sums->tt += t * t;
	sums->n++;
}

static void take_sums(const struct window *w, struct sums *sums)
{
	const struct series *s = &w->run->series;
	double x[COLUMNS] = {1};
	double base = NAN;
	size_t every = 1 + (w->last - w->first) / ROWS_WANTED, seen = 0;
	struct steps steps;
	int last_regime = -1;

	memset(sums, 0, sizeof(*sums));
	steps_begin(&steps);
	for (size_t i = w->first; i < w->last; i++) {
		double dt = fmin(row_dt_s(w->run, i), 60), c = series_get(s, w->temps->source, i);
		int regime = regime_at(w, i);

		last_regime = regime > last_regime ? regime : last_regime;
		if (i % 64 == 0)
			forget_faded(x);
		respond(x, regime, last_regime, step_shares(&steps, dt));
		/* Regimes after `end` are unknown: what comes then tells nothing. */
		if (regime == 2 && series_time(s, i) > w->end_s)
			break;
		/* Own readings only; temps knows which are glitches. */
		if (isnan(c) || fabs(c - w->temps->temp_c[i]) > 0.5 || seen++ % every)
			continue;
		if (isnan(base))
			base = c;
		add_products(sums, x, c - base);
	}
	for (int a = 0; a < COLUMNS; a++)
		for (int b = a + 1; b < COLUMNS; b++)
			sums->xx[a][b] = sums->xx[b][a];
}

/* Solves a positive definite system in place by Gauss; false if it is singular. */
static bool solve(double a[4][5], int n)
{
	for (int k = 0; k < n; k++) {
		if (fabs(a[k][k]) < 1e-9)
			return false;
		for (int r = 0; r < n; r++) {
			double f = r == k ? 0 : a[r][k] / a[k][k];

			for (int c = k; c <= n && f != 0; c++)
				a[r][c] -= f * a[k][c];
		}
	}
	for (int k = 0; k < n; k++)
		a[k][n] /= a[k][k];
	return true;
}

struct point {
	double sse, before, after;
};

/* The least squares at one grid point. */
static bool fit_point(const struct sums *s, int fast, int slow, double share, bool early,
		      struct point *out)
{
	int of[4][2], n = 0;
	double weight[2] = {1, share}, a[4][5], b[4];

	of[n][0] = of[n][1] = 0;
	n++;
	for (int r = early ? 0 : 1; r < REGIMES; r++, n++) {
		of[n][0] = column(fast, r);
		of[n][1] = column(N_FAST + slow, r);
	}
	for (int i = 0; i < n; i++) {
		double wi[2] = {i ? weight[0] : 1, i ? weight[1] : 0};

		for (int j = 0; j < n; j++) {
			double wj[2] = {j ? weight[0] : 1, j ? weight[1] : 0};

			a[i][j] = 0;
			for (int p = 0; p < 2; p++)
				for (int q = 0; q < 2; q++)
					a[i][j] += wi[p] * wj[q] * s->xx[of[i][p]][of[j][q]];
		}
		b[i] = a[i][n] = wi[0] * s->xt[of[i][0]] + wi[1] * s->xt[of[i][1]];
	}
	if (!solve(a, n))
		return false;
	out->sse = s->tt;
	for (int i = 0; i < n; i++)
		out->sse -= a[i][n] * b[i];
	out->before = a[n - 2][n];
	out->after = a[n - 1][n];
	return out->before > 0;
}

static void search(const struct sums *s, bool early, struct power_ratio *out)
{
	static const int all = N_FAST * N_SLOW * N_SHARE;
	struct point p[N_FAST * N_SLOW * N_SHARE];
	double best = INFINITY, limit, n_eff = fmax(6, (double)s->n / 15);

	for (int i = 0; i < all; i++) {
		if (!fit_point(s, i % N_FAST, i / N_FAST % N_SLOW, slow_share[i / N_FAST / N_SLOW],
			       early, &p[i]))
			p[i].sse = INFINITY;
		if (p[i].sse < best) {
			best = p[i].sse;
			out->best = p[i].after / p[i].before;
		}
	}
	/* Rounding to 1 K is part of the noise: 1/12 K^2 a reading at least. */
	best = fmax(best, (double)s->n / 12);
	limit = best * (1 + 4 / n_eff);
	out->low = out->high = out->best;
	for (int i = 0; i < all; i++)
		if (p[i].sse <= limit) {
			out->low = fmin(out->low, p[i].after / p[i].before);
			out->high = fmax(out->high, p[i].after / p[i].before);
		}
	out->residual_k = sqrt(best / (double)s->n);
}

bool power_find(const struct run *run, const struct temps *temps, const struct leg *leg, long at,
		long end, long since, struct power_ratio *out)
{
	struct window w = {.run = run, .temps = temps, .leg = leg};
	struct sums *sums;
	bool early = since > leg_bins(leg, 5);

	if (at - (early ? since : 0) < leg_bins(leg, 8) || end - at < leg_bins(leg, 25) ||
	    at >= leg->n)
		return false;
	w.since_s = early ? leg->time_s[since] : (double)-INFINITY;
	w.at_s = leg->time_s[at];
	w.end_s = end < leg->n ? leg->time_s[end] : (double)INFINITY;
	find_rows(&w);
	sums = xreallocarray(NULL, 1, sizeof(*sums));
	take_sums(&w, sums);
	if (sums->n >= 30)
		search(sums, early, out);
	end = sums->n;
	free(sums);
	return end >= 30 && isfinite(out->best);
}
