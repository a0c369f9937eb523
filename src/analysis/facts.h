/*
 * What is to be seen around one drop of speed: the facts that the evidence rules weigh. Times in
 * seconds, temperatures in °C or K, speeds as ln of a ratio (0.1 is about 10 %).
 */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include <stdbool.h>

#include "analysis/leg.h"
#include "analysis/power.h"

/* What the finder of drops knows when it meets one. */
struct drop_at {
	const struct leg *leg;
	long level;     /* the first low level */
	long bin;       /* where it begins */
	long end_bin;   /* recovery; leg->n if it lasted */
	bool lasting;   /* no recovery before the end of the load */
	bool second;    /* the second of two steps within a few seconds */
	double ref;     /* y of the reference speed */
	double least;   /* smallest depth that counts here */
	long ref_since; /* bin from which the reference speed holds */
};

/* An earlier passing dip of the same leg. */
struct dip {
	double temp_c, depth;
};

/* What the other loads of the same log show about the drive's limit. */
struct others {
	double limit_c;              /* where one was cut by heat; NAN */
	double passed_c;             /* one was this hot for a while and was not cut; NAN */
	enum op limit_op, passed_op; /* what that load did */
	double fell_bytes, fell_c;   /* after what one fell for good, and how hot; NAN */
	enum op fell_op;
};

/* A log with one load. */
#define OTHERS_NONE \
	((struct others){.limit_c = NAN, .passed_c = NAN, .fell_bytes = NAN, .fell_c = NAN})

struct facts {
	const struct leg *leg;
	enum op op;

	double seconds; /* how long it lasted; NAN if lasting */
	double left_s;  /* of the load after it */
	double depth;   /* over the first 10 s */
	double step;    /* of the first low level */
	double fall;    /* all of it, over two minutes */

	double bytes;            /* moved by the load before it */
	double temp_c;           /* where it happened, with a lagging sensor's peak */
	double rise_k;           /* above the coolest reading of the load */
	double slope_k_s;        /* over 30 s before */
	double after_k_s;        /* over 20 s from 4 s after */
	double at_s;             /* how long the reading had been there before */
	double above_k;          /* highest reading afterwards, minus the one at the last step */
	double cold_s;           /* still slow though far cooler */
	double exceed_s;         /* full speed later, hotter */
	double full_hot_s;       /* full speed at this temperature, between two drops */
	double full_hot_all;     /* the same, all of it */
	double held_s;           /* stood at it within 1 K from 10 s after on; 0: did not */
	double r2_temp, r2_time; /* how well each explains the speed afterwards */
	double ramp_s;           /* let down evenly over so long; 0: it was not */
	double wander;           /* spread of the speed before over longer times; 1: noise, NAN */
	double cache_c;          /* where the write cache had ended before, NAN */

	double power_low, power_high; /* heat after / before */
	double speed_ratio;           /* speed after / before, over the same time */
	struct others others;         /* what other loads of the log show */
	const char *near;             /* name of a stated limit near by, or NULL */
	double near_c;
	double warning_c; /* WCTEMP, NAN */

	int same_drops, other_drops; /* later ones, by temperature */
	int cooler_dips;             /* similar ones earlier */
	int changes;                 /* of level before, up or down, when far cooler */
	int hot_rises;               /* the level rose again though it was no cooler */
	int clock_cycles;            /* of the same length each, before and after; 0: not regular */
	double clock_s;
	int stairs, band_steps; /* further steps down: at one temperature, while warming */
	int responses;          /* rules passed that show the drive reacting to a limit */

	bool lasting;
	bool watched;                /* the load is not ours, and may have asked for less */
	bool second;                 /* of two steps within seconds */
	bool counter;                /* the drive itself recorded throttling here ... */
	bool witness[WITNESS_COUNT]; /* ... and where */
	bool record;
	bool cut_more;  /* it got hotter and the speed was cut further */
	bool flat;      /* temperature held for a minute from 8 s after */
	bool steered;   /* speed let down gradually while the temperature stood still */
	bool follows;   /* ... while it rose on, and the speed follows it */
	bool sliding;   /* the speed had been falling all along */
	bool has_power; /* the power_ members are known */
};

struct facts_context {
	const struct run *run;
	const struct temps *temps;
	const struct thermal_limits *limits;
	struct others others;
	double cache_c; /* where the write cache ended before, NAN */
	const struct dip *dips;
	long n_dips;
};

void facts_find(const struct drop_at *at, const struct facts_context *context, struct facts *out);

#endif
