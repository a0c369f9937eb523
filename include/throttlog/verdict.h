/*
 * The verdict: what the analysis says about one run, with its reasons. Plain data; JSON, picture,
 * line view and live view show it, none of them adds to it.
 */
#ifndef THROTTLOG_VERDICT_H
#define THROTTLOG_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/run.h"

enum throttle_class {
	CLASS_NONE,
	CLASS_STEP,
	CLASS_HOLD,
	CLASS_OSCILLATING,
	CLASS_GENTLE,
	CLASS_SHUTDOWN,
	CLASS_REPORTED,
	CLASS_UNATTRIBUTED,
	CLASS_COUNT
};

enum certainty { CERTAINTY_UNKNOWN, CERTAINTY_POSSIBLE, CERTAINTY_LIKELY, CERTAINTY_CONFIRMED };

enum cause {
	CAUSE_UNKNOWN,
	CAUSE_THERMAL,
	CAUSE_SLC_CACHE,
	CAUSE_BACKGROUND,
	CAUSE_LINK,
	CAUSE_HOST_CPU,
	CAUSE_RESET,
	CAUSE_STOP,
	CAUSE_COUNT
};

enum tristate { TRI_NULL = -1, TRI_FALSE, TRI_TRUE };

extern const char *const class_names[CLASS_COUNT]; /* as in the JSON */
extern const char *const certainty_names[];
extern const char *const cause_names[CAUSE_COUNT];

/* One reason. weight > 0 speaks for heat, < 0 against it, 0 is context. */
struct evidence {
	const char *rule; /* name in the rule table; static */
	double weight;
	char text[160]; /* a sentence for people */
};

struct evidence_list {
	struct evidence *item; /* owned */
	size_t n;
};

struct drop {
	size_t leg;            /* which of the verdict's legs it belongs to */
	double start_s, end_s; /* the log's time_s; end_s NAN: lasted to the end of the load */
	double bytes;          /* moved by this load before it */
	double from_mb_s, to_mb_s;
	double temp_c; /* at the drop; NAN if not known */
	enum cause cause;
	bool open; /* heat or another cause: the evidence does not decide */
	struct evidence_list evidence;
};

/* A span of the log's time_s in which the drive was throttled. */
struct span {
	double start_s, end_s;
};

/* One load of the log, judged in the light of the others. Members as in struct verdict. */
struct leg_verdict {
	enum op op;
	bool judged; /* long enough */
	enum tristate throttled;
	enum throttle_class klass;
	enum certainty certainty;
	double start_s, end_s; /* time_s */
	double onset_s, onset_time_s, onset_bytes, onset_c, before_mb_s, after_mb_s, loss_pct;
	double time_throttled_s, max_c, peak_mb_s, sustained_mb_s, mean_mb_s, bytes;
};

struct requirement {
	char expr[64];
	enum tristate met; /* TRI_NULL: cannot be judged, counts as not met */
	double value;      /* what was measured, NAN if nothing */
};

/* Numbers NAN where not known. onset_s counts from the start of the load that decided. */
struct verdict {
	enum tristate throttled;
	enum throttle_class klass;
	enum certainty certainty;
	double onset_s, onset_time_s, onset_bytes, onset_c;
	double before_mb_s, after_mb_s, loss_pct;
	double time_throttled_s, recovered_s;
	char text[256]; /* the headline */
	struct evidence_list evidence;

	struct leg_verdict *legs; /* owned; the log's loads in order */
	size_t n_legs, main_leg;  /* the one that decided, which the members here are about */
	struct drop *drops;       /* owned; of all legs */
	size_t n_drops;
	struct span *spans; /* owned; throttled spans of all legs */
	size_t n_spans;

	double load_start_s, load_end_s; /* time_s; NAN without a load */
	double duration_s;
	size_t samples, missed_samples;

	double idle_c, max_c, steady_c, resolution_s;
	char hottest_sensor[16]; /* "composite", "sensor2", "" */
	bool temp_trusted;
	double observed_limit_c; /* where speed and temperature met; NAN */

	double peak_mb_s, sustained_mb_s, mean_mb_s, bytes;

	enum tristate heatsink_needed;
	double heatsink_steady_c, heatsink_interval_c[2], resistance_cut_pct;
	char heatsink_text[160];

	struct requirement *requirements; /* owned */
	size_t n_requirements;
	char **warnings; /* owned */
	size_t n_warnings;
};

/* Pure: the same rows give the same verdict. Fills *out, which verdict_fini() frees. */
void verdict_make(const struct run *run, struct verdict *out);
/* The same, but one of the loads that did `op` decides, if the log has any. */
void verdict_make_of(const struct run *run, enum op op, struct verdict *out);
void verdict_fini(struct verdict *v);

/*
 * Acceptance expressions: "no-throttle", "max_temp<=75", "sustained>=90%",
 * "time_to_throttle>=180s", "loss<=10%". require_check() returns 0, or -EINVAL with one line in
 * `why`.
 */
int require_check(const char *expr, char *why, size_t size);
/* Judges each expression against *v and keeps the results in it. Returns how many are not met. */
size_t require_apply(struct verdict *v, const char *const *exprs, size_t n);

/* The JSON of DESIGN section 3; the caller frees the text. */
char *verdict_json(const struct run *run, const struct verdict *v, bool pretty);

#endif
