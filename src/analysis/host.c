/* Drops that come from outside the drive: other I/O, a host too slow, the PCIe link, a reset. */
#include <math.h>

#include "analysis/judge.h"
#include "analysis/stats.h"
#include "analysis/tuning.h"

/* Mean of the known values, NAN if there are none. */
static double known_mean(const double *a, long from, long to)
{
	double sum = 0;
	long n = 0;

	for (long i = from; a && i < to; i++)
		if (!isnan(a[i])) {
			sum += a[i];
			n++;
		}
	return n ? sum / (double)n : (double)NAN;
}

static bool was_reset(const struct run *run, double from_s, double to_s)
{
	const struct series *s = &run->series;

	for (size_t e = 0; e < s->n_events; e++) {
		double t = series_time(s, s->events[e].row);

		if (s->events[e].kind == EVENT_RESET && t >= from_s && t <= to_s)
			return true;
	}
	return false;
}

static bool link_fell(const struct leg *l, long before, long from, long to, double *was, double *is)
{
	*was = leg_value(l->link, before);
	*is = known_mean(l->link, from, to);
	return *is<0.95 * *was && * was> 0;
}

/*
 * A program that a drive slows down keeps it as busy as before; one that asks for less does not.
 * Only where the load is not ours: of our own the queue says more.
 */
static bool asked_less(const struct leg *l, long before, long d, long end, double *was, double *is)
{
	*was = known_mean(l->util, before, d > before ? d - 1 : d);
	*is = known_mean(l->util, d, end);
	return *is < tuning.busy_share * *was;
}

enum cause host_cause(const struct run *run, const struct leg *leg, const struct finding *f,
		      struct evidence_list *evidence)
{
	long d = f->bin, end = d + leg_bins(leg, 30), back = leg_bins(leg, 3),
	     ago = leg_bins(leg, 30);
	double ref_mb_s = exp(f->ref) * leg->usual_mb_s, foreign, queue, was, is;
	double depth = run->load.queue_depth ? (double)run->load.queue_depth : 32;

	end = end < f->end_bin ? end : f->end_bin;
	if (was_reset(run, leg->time_s[d] - 5, leg->time_s[d] + 10)) {
		evidence_add(evidence, "reset", -9, "the controller was reset");
		return CAUSE_RESET;
	}
	if (!isnan(leg->lost_s) && f->lasting && stat_max(leg->mb_s, d, leg->n) < 0.1 * ref_mb_s) {
		evidence_add(evidence, "lost", -9, "the drive answered no more");
		return CAUSE_STOP;
	}
	foreign = known_mean(leg->foreign, d, end);
	if (run->load.op != OP_NONE && foreign > tuning.foreign_share * ref_mb_s) {
		evidence_add(evidence, "foreign", -9, "others moved %.0f MB/s on the drive",
			     foreign);
		return CAUSE_BACKGROUND;
	}
	if (link_fell(leg, d > back ? d - back : 0, d, end, &was, &is)) {
		evidence_add(evidence, "link", -9,
			     "the PCIe link fell from %.0f to %.0f GT/s x lanes", was, is);
		return CAUSE_LINK;
	}
	if (run->load.op == OP_NONE && asked_less(leg, d > ago ? d - ago : 0, d, end, &was, &is)) {
		evidence_add(evidence, "host", -9,
			     "the drive was busy %.0f %% of the time, not %.0f %% as before: less "
			     "was asked of it",
			     is, was);
		return CAUSE_BACKGROUND;
	}
	if (run->load.op == OP_NONE && known_mean(leg->mb_s, d, end) < tuning.load_min_mb_s &&
	    !(known_mean(leg->util, d, end) >= 100 * tuning.easy_share)) {
		evidence_add(evidence, "host", -9, "nothing was asked of the drive");
		return CAUSE_BACKGROUND;
	}
	queue = known_mean(leg->queue, d, end);
	if (queue < tuning.queue_share * depth) {
		bool cpu = end > d && leg_value(leg->cpu, end - 1) >
					  leg_value(leg->cpu, d > back ? d - back : 0);

		evidence_add(evidence, cpu ? "host-cpu" : "host", -9,
			     "only %.0f of %.0f requests in flight: the host was the limit%s",
			     queue, depth, cpu ? ", its CPU throttled" : "");
		return cpu ? CAUSE_HOST_CPU : CAUSE_BACKGROUND;
	}
	return CAUSE_UNKNOWN;
}
