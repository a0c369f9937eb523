/*
 * The live detector. Its answers come from verdict_make() on a window of the rows so far, which is
 * looked at in place: a struct run whose columns begin two hours back.
 */
#include "throttlog/online.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/leg.h"
#include "analysis/marker.h"
#include "analysis/tuning.h"
#include "throttlog/alloc.h"
#include "throttlog/verdict.h"

#define WINDOW_ROWS   7200
#define ASK_S         10
#define SUSPECT_S     15 /* after the marker's alarm ... */
#define SUSPECT_ASK_S 3  /* ... it asks more often */

enum answer { ANSWER_NONE, ANSWER_OPEN, ANSWER_COLD, ANSWER_HEAT, ANSWER_HOLD };

struct online {
	struct marker marker;
	double load_start_s;
	double marked_s;      /* the marker's last alarm that is not told of yet */
	double newest_drop_s; /* by the last answer */
	double asked_s;       /* log time of the last question, NAN */
	enum answer answer;
	int agreed;                   /* so many answers in a row were the same */
	bool dropped;                 /* a drop whose cause is open */
	bool told;                    /* EVENT_THROTTLE was given for this load */
	bool counted;                 /* the drive recorded throttling in this load */
	double limit_c, onset_s;      /* by the last answer */
	double counters;              /* sum of the TMT counters at the last row, NAN */
	double ocp_count, ocp_status; /* of the OCP log, as last read, NAN */
	enum phase phase;
	bool begun;
	const char *state;
};

struct online *online_new(void)
{
	struct online *o = xzalloc(sizeof(*o));

	o->asked_s = o->limit_c = o->counters = o->ocp_count = o->ocp_status = NAN;
	o->state = "";
	return o;
}

void online_free(struct online *o)
{
	free(o);
}

const char *online_state(const struct online *o)
{
	return o->state;
}

static void begin_load(struct online *o)
{
	marker_reset(&o->marker);
	o->asked_s = NAN;
	o->marked_s = -INFINITY;
	o->answer = ANSWER_NONE;
	o->agreed = 0;
	o->dropped = o->told = o->counted = false;
}

/* The counters add up so rarely that one sum tells whether any moved. */
static bool counter_moved(struct online *o, const struct series *s)
{
	double sum = 0, before = o->counters;
	size_t last = s->n - 1;

	for (enum field f = FIELD_TMT1_COUNT; f <= FIELD_TMT2_S; f++)
		if (s->col[f])
			sum += s->col[f][last];
	if (isnan(sum) || !(s->col[FIELD_TMT1_COUNT] || s->col[FIELD_TMT2_COUNT]))
		return false;
	o->counters = sum;
	return sum > before;
}

/* The OCP log counts one more, or says that the drive throttles now. */
static bool ocp_moved(struct online *o, const struct series *s)
{
	double count = series_get(s, FIELD_OCP_COUNT, s->n - 1);
	double status = series_get(s, FIELD_OCP_STATUS, s->n - 1);
	bool moved = ocp_count_delta(o->ocp_count, count) > 0 || (o->ocp_status == 0 && status > 0);

	if (!isnan(count))
		o->ocp_count = count;
	if (!isnan(status))
		o->ocp_status = status;
	return moved;
}

/* Rows from `first` on, in place. The events are copied for their row numbers; caller frees. */
static void make_window(const struct run *run, size_t first, struct run *out)
{
	const struct series *s = &run->series;
	struct series *w = &out->series;

	*out = *run;
	w->n = s->n - first;
	for (int f = 0; f < FIELD_COUNT; f++)
		w->col[f] = s->col[f] ? s->col[f] + first : NULL;
	w->phase = s->phase + first;
	w->op = s->op + first;
	w->events = xreallocarray(NULL, s->n_events + 1, sizeof(*w->events));
	w->n_events = 0;
	for (size_t i = 0; i < s->n_events; i++)
		if (s->events[i].row >= first) {
			w->events[w->n_events] = s->events[i];
			w->events[w->n_events++].row -= first;
		}
}

static bool is_low_now(const struct verdict *v)
{
	double ago_s = v->klass == CLASS_OSCILLATING ? 60 : 3;

	return v->n_spans && v->spans[v->n_spans - 1].end_s >= v->load_end_s - ago_s;
}

static enum answer ask(struct online *o, const struct run *run)
{
	size_t n = run->series.n, first = n > WINDOW_ROWS ? n - WINDOW_ROWS : 0;
	enum answer answer = ANSWER_COLD;
	struct run window;
	struct verdict v;

	make_window(run, first, &window);
	build_live(&window, &v);
	if (v.throttled == TRI_TRUE && (is_low_now(&v) || v.klass == CLASS_REPORTED))
		answer = v.klass == CLASS_GENTLE || v.klass == CLASS_REPORTED ? ANSWER_HOLD
									      : ANSWER_HEAT;
	else if (v.klass == CLASS_UNATTRIBUTED)
		answer = ANSWER_OPEN;
	o->limit_c = v.observed_limit_c;
	o->onset_s = v.throttled == TRI_TRUE ? v.onset_time_s : (double)NAN;
	o->newest_drop_s = v.n_drops && v.drops[v.n_drops - 1].leg == v.main_leg
			       ? v.drops[v.n_drops - 1].start_s
			       : (double)-INFINITY;
	verdict_fini(&v);
	free(window.series.events);
	return answer;
}

/* K a minute over the last minute; NAN if not known. */
static double warming(const struct series *s)
{
	size_t last = s->n - 1, i = last;
	double now = series_get(s, FIELD_TEMP, last);

	while (i > 0 && series_time(s, last) - series_time(s, i) < 60)
		i--;
	return (now - series_get(s, FIELD_TEMP, i)) /
	       fmax(1, series_time(s, last) - series_time(s, i)) * 60;
}

static const char *state_of(const struct online *o, const struct run *run)
{
	static const char *const phases[PHASE_COUNT] = {
	    [PHASE_BASELINE] = "BASELINE",  [PHASE_PROBE] = "PROBING",
	    [PHASE_RESTART] = "RESTARTING", [PHASE_PAUSE] = "PAUSED",
	    [PHASE_COOLDOWN] = "COOLING",
	};
	bool sure = o->agreed >= 2 || o->counted;
	double rate;

	if (o->phase != PHASE_LOAD)
		return phases[o->phase];
	if (o->answer == ANSWER_HEAT)
		return sure ? "THROTTLED" : "HEAT?";
	if (o->answer == ANSWER_HOLD && sure)
		return "HOLDING";
	if (o->dropped)
		return "SLOWED";
	rate = warming(&run->series);
	if (isnan(rate))
		return strcmp(o->state, "HEATING") == 0 || strcmp(o->state, "STEADY") == 0
			   ? o->state
			   : "LOAD";
	/* Whole degrees: less than two a minute is rest once it has been seen to rest. */
	return rate >= (strcmp(o->state, "STEADY") == 0 ? 2 : 1) ? "HEATING" : "STEADY";
}

static void take_answer(struct online *o, enum answer answer)
{
	o->agreed = answer == o->answer ? o->agreed + 1 : 1;
	o->answer = answer;
	/* Twice not heat: the drop is explained. */
	if (o->agreed >= 2 && answer == ANSWER_COLD)
		o->dropped = false;
}

/* True if it is time to ask again. */
static bool is_due(const struct online *o, const struct run *run, double now_s, bool marked,
		   bool moved)
{
	double row_s = row_dt_s(run, run->series.n - 1), since_s = now_s - o->asked_s;

	if (marked || (moved && !o->told))
		return true;
	/* Once the start of the load is out of sight there is nothing to compare with. */
	if (o->told && now_s - o->load_start_s > WINDOW_ROWS * row_s)
		return false;
	return since_s >= (now_s - o->marked_s <= SUSPECT_S ? SUSPECT_ASK_S : ASK_S) - 1e-6;
}

static size_t load_row(struct online *o, const struct run *run, bool moved,
		       struct online_event *out)
{
	double now_s = series_time(&run->series, run->series.n - 1);
	double mb_s = row_mb_s(run, run->series.n - 1);
	bool known = o->told && (o->answer == ANSWER_HEAT || o->answer == ANSWER_HOLD);
	bool marked = !isnan(mb_s) && marker_push(&o->marker, mb_s) && !known;
	size_t n = 0;

	if (isnan(o->asked_s))
		o->asked_s = o->load_start_s = now_s;
	if (marked)
		o->marked_s = now_s;
	o->counted = o->counted || moved;
	if (is_due(o, run, now_s, marked, moved)) {
		o->asked_s = now_s;
		take_answer(o, ask(o, run));
		/* Noise marks a drop now and then: the analysis must see it too. */
		if (now_s - o->marked_s <= SUSPECT_S && o->newest_drop_s >= o->marked_s - 40) {
			out[n++] = (struct online_event){EVENT_DROP, NAN, NULL};
			o->dropped = true;
			o->agreed = 1;
			o->marked_s = -INFINITY;
		}
	}
	if ((o->answer == ANSWER_HEAT || o->answer == ANSWER_HOLD) &&
	    (o->agreed >= 2 || o->counted) && !o->told) {
		o->told = true;
		o->dropped = false;
		out[n++] = (struct online_event){EVENT_THROTTLE, o->limit_c, NULL};
	}
	return n;
}

double online_onset_s(const struct online *o)
{
	return o->told ? o->onset_s : (double)NAN;
}

size_t online_row(struct online *o, const struct run *run,
		  struct online_event out[ONLINE_EVENTS_MAX])
{
	const struct series *s = &run->series;
	const char *state;
	enum phase phase;
	bool moved;
	size_t n = 0;

	if (!s->n)
		return 0;
	phase = (enum phase)s->phase[s->n - 1];
	moved = counter_moved(o, s);
	moved |= ocp_moved(o, s);
	if (phase == PHASE_LOAD && (!o->begun || o->phase != PHASE_LOAD))
		begin_load(o);
	o->begun = true;
	o->phase = phase;
	if (phase == PHASE_LOAD)
		n = load_row(o, run, moved, out);
	state = state_of(o, run);
	if (strcmp(state, o->state) != 0) {
		o->state = state;
		out[n++] = (struct online_event){EVENT_STATE, NAN, state};
	}
	return n;
}
