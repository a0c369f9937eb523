/*
 * Every constant of the analysis in one table: name, value, what it is. RULES_VERSION goes into
 * the JSON; it changes with any value, rule or weight.
 */
#ifndef ANALYSIS_TUNING_H
#define ANALYSIS_TUNING_H

#define RULES_VERSION "5"

/* clang-format off */
#define TUNING(X) \
	X(skip_s, 2, "start of a load that is not judged, s") \
	X(short_s, 20, "loads below this are not judged, s") \
	X(bin_s, 1, "rows closer than this are taken together, s") \
	X(min_level_s, 3, "shortest level, s") \
	X(block_bins, 1024, "levels are sought in blocks of so many bins: bounds the time") \
	X(penalty, 14, "a change point must gain this x sigma^2 x ln n") \
	X(sigma_floor, 0.006, "smallest relative noise") \
	X(speed_floor, 0.03, "speeds below this share of the usual are taken as this share") \
	X(first_level_s, 12, "the reference speed starts within this, s") \
	X(drop_min, 0.03, "smallest drop, relative") \
	X(drop_sigmas, 5, "smallest drop, in sigma / sqrt(length)") \
	X(peak_s, 6, "a lagging sensor may still peak so long after the drop, s") \
	X(counter_s, 8, "a counter belongs to a drop so near, s") \
	X(entry_early_s, 3, "... an entry of the drive's event log to one that is seen so early, s") \
	X(passed_k, 3, "another load that was this much hotter passed the temperature, K") \
	X(passed_s, 10, "... if it was that hot for so long, s") \
	X(hysteresis_k, 8, "no firmware throttles further below its limit, K") \
	X(same_k, 1.5, "drops within this are at the same temperature, K") \
	X(near_below_k, 3, "a stated limit is near up to this below, K") \
	X(near_above_k, 2, "... and up to this above, K") \
	X(stair_gap_s, 45, "longest pause inside a staircase, s") \
	X(horizon_s, 7200, "how far after a drop evidence is sought, s") \
	X(accept, 3.5, "score from which a drop is heat") \
	X(lesson, 4, "score from which the limit of a read is taken for that of other loads") \
	X(likely, 5, "score from which that is likely, not only possible") \
	X(open, -1, "score, without what only fits a cache too, from which heat is possible") \
	X(open_min, 0.05, "smaller losses are not left open, relative") \
	X(sure, 6, "score from which a drop without response needs no test") \
	X(probe_s, 8, "length of a read probe, s") \
	X(probe_full, 0.93, "hot reads at this share of cool ones are not throttled") \
	X(probe_slow, 0.85, "... below this share they are") \
	X(read_depth, 0.15, "a cut of reads is sought of this depth at least, ln") \
	X(cool_max_s, 180, "longest cooling before a restart, s") \
	X(restart_max_s, 300, "longest restart, s") \
	X(restart_k, 8, "a restart that is slow so far below the drop is not held by heat, K") \
	X(restart_same_k, 1, "a restart's cut is at the same temperature within, K") \
	X(last_s, 10, "what is seen only in the last seconds is not seen to last, s") \
	X(cache_min, 0.2, "a write cache that ends costs at least this, relative") \
	X(cache_sure, -4, "score up to which an end of the cache is beyond doubt") \
	X(ramp_gain, 15, "a ramp must fit by this better than steps, n x ln of the errors") \
	X(wander, 2.2, "a speed that spreads by this over longer times was not even, in sigma") \
	X(cool_c, 55, "no drive is known to throttle below, C") \
	X(easy_share, 0.5, "a watched drive that was busy less than this was hardly tested")   \
	X(busy_pct, 95, "a watched drive this busy did all it could")   \
	X(busy_share, 0.9, "a watched drive this much less busy than before was asked for less")   \
	X(queue_share, 0.875, "the host is the limit below this share of the queue depth") \
	X(foreign_share, 0.05, "others disturb above this share of the reference speed") \
	X(cycle_low, 0.85, "a cycle goes below this share of the reference ...") \
	X(cycle_high, 0.93, "... and above this share again") \
	X(cycles_min, 3, "so many cycles make it oscillating") \
	X(gentle_loss, 0.05, "below this the loss is gentle") \
	X(visible_loss, 0.01, "below this no loss is visible") \
	X(events_max, 400, "drops of one load that are examined") \
	X(carry_factor, 3, "a reading is carried on for this x the usual spacing") \
	X(glitch_k, 15, "a jump of 1 or 2 readings by more than this is a glitch, K") \
	X(temp_min_c, -40, "readings below are none") \
	X(temp_max_c, 150, "readings above are none") \
	X(load_min_mb_s, 5, "a drive that moves less is idle, MB/s") \
	X(hot_start_c, 70, "a load that is this hot from its start may have been throttled before, C") \
	X(belied_k, 10, "so far below a limit that was counted as reached a reading is wrong, K") \
	X(same_bytes, 0.1, "two loads fell after as many bytes if they differ by less, relative") \
	X(other_bytes, 1.2, "... or not as many if they differ by this factor") \
	X(apart_k, 5, "... and at another temperature if it differs by more, K") \
	X(hotter_sensor_k, 5, "a sensor hotter by this may fit better than the composite, K") \
	X(rest_s, 20, "a watched drive that rests so long ends a load, s") \
	X(rise_min, 0.2, "a watched load that speeds up by this has only now begun, ln") \
	X(rise_s, 5, "... if it lasts so long, s") \
	X(idle_rise_k, 4, "a rise while idle that is worth a warning, K") \
	X(frozen_s, 120, "a reading that never moves in so much load is frozen, s") \
	X(one_step_k, 1.6, "one step of a degree looks like a rise of up to this, K") \
	X(steady_k_min, 0.5, "slope below which a temperature is steady, K/min")

struct tuning {
#define TUNING_MEMBER(name, value, help) double name;
	TUNING(TUNING_MEMBER)
#undef TUNING_MEMBER
};
/* clang-format on */

extern const struct tuning tuning;

/* The same as rows, for printing. */
struct tuning_row {
	const char *name;
	double value;
	const char *help;
};
extern const struct tuning_row tuning_rows[];
extern const int tuning_rows_count;

#endif
