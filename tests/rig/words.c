/* The words of the control socket: what is done to the drive, and what is true about it. */
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/clock.h"
#include "throttlog/text.h"

static const char *seconds(const char *word, double *out)
{
	if (!word || !text_to_duration(word, out))
		return "expected a duration";
	return NULL;
}

static const char *word_state(struct rig *r, char *const *argv, char *answer)
{
	struct sample now;
	unsigned controllers = 0;
	const struct ctrl *newest = r->ctrls;

	(void)argv;
	for (const struct ctrl *c = r->ctrls; c; c = c->next)
		controllers++;
	sample_clear(&now);
	sim_smart(r->pace.sim, &now);
	text_format(answer, ANSWER_BYTES,
		    "model_s %.2f\nchip_c %.2f\ntemp_c %.0f\nshare %.3f\nmb_s %.1f\n"
		    "own_stage %d\nhost_stage %d\ntmt1_count %.0f\ntmt2_count %.0f\n"
		    "read_bytes %llu\nwritten_bytes %llu\nreads %llu\nwrites %llu\n"
		    "controllers %u\nresets %llu\nasync_events %#x\nhctm %#x\npel_events %zu\n"
		    "error_log %llu\nlost %d\ngone %d\nunused_bytes %.0f\n",
		    (double)sim_now_ns(r->pace.sim) / NS_PER_S, sim_true_chip_c(r->pace.sim),
		    now.temp_c, sim_true_share(r->pace.sim), pace_mb_s(&r->pace),
		    sim_true_own_stage(r->pace.sim), sim_true_host_stage(r->pace.sim),
		    now.tmt1_count, now.tmt2_count, (unsigned long long)r->pace.bytes[OP_READ],
		    (unsigned long long)r->pace.bytes[OP_WRITE], (unsigned long long)r->reads,
		    (unsigned long long)r->writes, controllers, (unsigned long long)r->resets,
		    newest ? newest->features.async_events : 0, newest ? newest->features.hctm : 0,
		    r->pel.count, (unsigned long long)r->errors, sim_lost(r->pace.sim),
		    r->listener < 0, r->pace.unused);
	return NULL;
}

static const char *word_cooling(struct rig *r, char *const *argv, char *answer)
{
	double r_case;

	(void)answer;
	if (!argv[1] || !text_to_double(argv[1], &r_case) || r_case < 0.2)
		return "expected K/W from case to air";
	sim_set_cooling(r->pace.sim, r_case);
	return NULL;
}

static const char *word_quirk(struct rig *r, char *const *argv, char *answer)
{
	(void)answer;
	return argv[1] ? quirks_set(&r->quirks, argv[1]) : "expected NAME[=VALUE]";
}

static const char *word_cut(struct rig *r, char *const *argv, char *answer)
{
	double s = 0;

	(void)answer;
	if (argv[1] && seconds(argv[1], &s))
		return "expected a duration";
	rig_cut(r);
	r->faults.gone_until_ns = argv[1] ? r->now_ns + (int64_t)(s * (double)NS_PER_S) : INT64_MAX;
	return NULL;
}

static const char *word_back(struct rig *r, char *const *argv, char *answer)
{
	(void)argv;
	(void)answer;
	if (r->faults.gone_until_ns)
		r->faults.gone_until_ns = 1;
	return NULL;
}

static const char *word_drop(struct rig *r, char *const *argv, char *answer)
{
	(void)argv;
	(void)answer;
	for (struct conn *c = r->conns; c; c = c->next)
		c->dead = true;
	return NULL;
}

static const char *word_io_error(struct rig *r, char *const *argv, char *answer)
{
	struct faults *f = &r->faults;

	(void)answer;
	if (argv[1] && strcmp(argv[1], "off") == 0) {
		f->bad_read = f->bad_write = false;
		return NULL;
	}
	if (!argv[1] || !argv[2] || !text_to_u64(argv[1], &f->bad_first) ||
	    !text_to_u64(argv[2], &f->bad_count))
		return "expected FIRST COUNT [read|write] or off";
	f->bad_read = !argv[3] || strcmp(argv[3], "read") == 0;
	f->bad_write = !argv[3] || strcmp(argv[3], "write") == 0;
	return NULL;
}

static const char *word_hang(struct rig *r, char *const *argv, char *answer)
{
	double s;
	const char *wrong = seconds(argv[1], &s);

	(void)answer;
	if (!wrong)
		r->faults.hang_until_ns = r->now_ns + (int64_t)(s * (double)NS_PER_S);
	return wrong;
}

static const char *word_read_only(struct rig *r, char *const *argv, char *answer)
{
	(void)answer;
	if (!argv[1] || (strcmp(argv[1], "on") != 0 && strcmp(argv[1], "off") != 0))
		return "expected on or off";
	r->faults.read_only = strcmp(argv[1], "on") == 0;
	for (struct ctrl *c = r->ctrls; c; c = c->next) {
		event_raise(c, EVENT_NAMESPACE);
		if (r->faults.read_only)
			event_raise(c, EVENT_READ_ONLY);
	}
	return NULL;
}

static const char *word_aer(struct rig *r, char *const *argv, char *answer)
{
	unsigned long result = argv[1] ? strtoul(argv[1], NULL, 0) : 0x020101;

	(void)answer;
	if (result == 0 || result > UINT32_MAX)
		return "expected the result of the completion, as 0x020101";
	for (struct ctrl *c = r->ctrls; c; c = c->next) {
		c->forced_event = (uint32_t)result;
		event_raise(c, EVENT_FORCED);
	}
	return NULL;
}

static const char *word_quit(struct rig *r, char *const *argv, char *answer)
{
	(void)argv;
	(void)answer;
	r->quit = true;
	return NULL;
}

const struct control_word control_words[] = {
    {"state", "", "what is true: the model's temperature, counters, bytes", word_state},
    {"cooling", "K/W", "another heatsink: resistance from case to air", word_cooling},
    {"quirk", "NAME[=VALUE]", "a quirk on, at that value, or =off", word_quirk},
    {"cut", "[TIME]", "the drive is gone, for that time or until back", word_cut},
    {"back", "", "the drive is there again", word_back},
    {"drop", "", "all connections end; new ones are welcome", word_drop},
    {"io-error", "FIRST COUNT [read|write] | off", "I/O on these blocks fails", word_io_error},
    {"hang", "TIME", "I/O is not answered for that time", word_hang},
    {"read-only", "on|off", "the namespace is write protected", word_read_only},
    {"aer", "[RESULT]", "an event request completes; 0x020101, a temperature", word_aer},
    {"quit", "", "the target ends", word_quit},
};

const size_t control_words_count = sizeof(control_words) / sizeof(control_words[0]);
