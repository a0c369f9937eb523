/* Drives by name and by KEY=VALUE. */
#include "spec.h"

#include <math.h>
#include <string.h>

#include "throttlog/text.h"

#define PLACE(member) offsetof(struct sim_preset, member)
#define GB            1e9

const struct spec_key spec_keys[] = {
    {"ambient_c", PLACE(thermal.ambient_c), 1, "air, °C"},
    {"idle_w", PLACE(thermal.idle_w), 1, "power without load, W"},
    {"r_chip", PLACE(thermal.r_chip_k_w), 1, "chip to case, K/W"},
    {"r_case", PLACE(thermal.r_case_k_w), 1, "case to air, K/W"},
    {"c_chip", PLACE(thermal.c_chip_j_k), 1, "chip, J/K"},
    {"c_case", PLACE(thermal.c_case_j_k), 1, "case, J/K"},
    {"read", PLACE(read.mb_s), 1, "reading, MB/s"},
    {"read_w", PLACE(read.load_w), 1, "power of reading beyond idle, W"},
    {"write", PLACE(write[0].mb_s), 1, "writing, MB/s"},
    {"write_w", PLACE(write[0].load_w), 1, "power of writing beyond idle, W"},
    {"cache_gb", PLACE(write[0].bytes), 0, "bytes that go in at that speed, 10^9; 0: all"},
    {"direct", PLACE(write[1].mb_s), 1, "writing after the cache, MB/s"},
    {"direct_w", PLACE(write[1].load_w), 1, "its power, W"},
    {"noise", PLACE(noise), 1, "of the speed, share"},
    {"limit_c", PLACE(throttle.limit_c), 1, "the drive's own throttling begins, °C"},
    {"release_k", PLACE(throttle.release_k), 1, "ends that far below, K"},
    {"level", PLACE(throttle.level), 1, "speed then, share"},
    {"wctemp_c", PLACE(limits.wctemp_c), 1, "WCTEMP, °C; nan: none"},
    {"cctemp_c", PLACE(limits.cctemp_c), 1, "CCTEMP, °C; nan: none"},
    {"tmt1_c", PLACE(limits.tmt1_c), 1, "TMT1 at start, °C; nan: off"},
    {"tmt2_c", PLACE(limits.tmt2_c), 1, "TMT2 at start, °C; nan: off"},
};

const size_t spec_keys_count = sizeof(spec_keys) / sizeof(spec_keys[0]);

static const char *const policies[SIM_POLICY_COUNT] = {
    [SIM_POLICY_NONE] = "none",
    [SIM_POLICY_GENTLE] = "gentle",
    [SIM_POLICY_HOLD] = "hold",
    [SIM_POLICY_STEP] = "step",
    [SIM_POLICY_OSCILLATING] = "oscillating",
    [SIM_POLICY_UNSTABLE] = "unstable",
    [SIM_POLICY_STAIRS] = "stairs",
    [SIM_POLICY_BAND] = "band",
    [SIM_POLICY_SHUTDOWN] = "shutdown",
};

/*
 * Quick enough to be watched in real time: idle 35 °C, 70 °C after some 10 s of load and then half
 * the speed; 90 °C in the end were it not for that.
 */
static const struct sim_preset plain = {
    .name = "plain",
    .help = "quick to heat, for tests in real time",
    .model = "PLAIN RIG DRIVE",
    .serial = "RIG0000",
    .firmware = "RIG1",
    .capacity_bytes = UINT64_C(256000000000),
    .nvme = true,
    .idle_power_state = 3,
    .limits = {.wctemp_c = 80, .cctemp_c = 90, .tmt1_c = (double)NAN, .tmt2_c = (double)NAN},
    .thermal = {.ambient_c = 25,
		.idle_w = 1,
		.r_chip_k_w = 4,
		.r_case_k_w = 6,
		.c_chip_j_k = 0.8,
		.c_case_j_k = 1.2},
    .read = {1000, 5.5, 0},
    .write = {{1000, 5.5, 0}},
    .refill_mb_s = 300,
    .refill_after_s = 1,
    .noise = 0.005,
    .throttle = {.kind = SIM_POLICY_STEP,
		 .limit_c = 70,
		 .release_k = 4,
		 .level = 0.5,
		 .gain = 0.05,
		 .settle_s = 5,
		 .step = 0.1},
    .reading = {.lag_s = 0.2, .round_k = 0.3},
    .composite = {.present = true, .chip_share = 1},
    .sensor = {{.present = true, .chip_share = 1}},
};

static const char *set_policy(struct sim_preset *p, const char *value)
{
	for (size_t i = 0; i < SIM_POLICY_COUNT; i++)
		if (strcmp(policies[i], value) == 0) {
			p->throttle.kind = (enum sim_policy_kind)i;
			return NULL;
		}
	return "there is no such policy";
}

static const char *set_number(struct sim_preset *p, const struct spec_key *k, const char *value)
{
	double x = (double)NAN;
	uint64_t bytes;

	if (strcmp(value, "nan") != 0 && !text_to_double(value, &x))
		return "not a number";
	x *= k->times > 0 ? k->times : GB;
	bytes = x > 0 ? (uint64_t)x : 0;
	if (k->times > 0)
		memcpy((uint8_t *)p + k->offset, &x, sizeof(x));
	else
		memcpy((uint8_t *)p + k->offset, &bytes, sizeof(bytes));
	return NULL;
}

static const char *set_one(struct sim_preset *p, char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return "expected KEY=VALUE";
	*value++ = '\0';
	if (strcmp(word, "policy") == 0)
		return set_policy(p, value);
	for (size_t i = 0; i < spec_keys_count; i++)
		if (strcmp(spec_keys[i].key, word) == 0)
			return set_number(p, &spec_keys[i], value);
	return "there is no such key";
}

const char *spec_drive(const char *name, const char *set, struct sim_preset *out, char *why,
		       size_t size)
{
	char words[1024], *rest = words, *word;
	const char *wrong = NULL;

	if (strncmp(name, "sim:", 4) == 0)
		name += 4;
	*out = plain;
	if (strcmp(name, plain.name) != 0) {
		size_t i = 0;

		while (i < sim_presets_count && strcmp(sim_presets[i].name, name) != 0)
			i++;
		if (i == sim_presets_count) {
			text_format(why, size, "there is no drive '%s'", name);
			return why;
		}
		*out = sim_presets[i];
	}
	text_format(words, sizeof(words), "%s", set ? set : "");
	while (!wrong && (word = strsep(&rest, ",")))
		if (*word) {
			wrong = set_one(out, word);
			if (wrong)
				text_format(why, size, "%s: %s", word, wrong);
		}
	if (wrong)
		return why;
	wrong = sim_preset_check(out);
	if (wrong)
		text_format(why, size, "%s", wrong);
	return wrong ? why : NULL;
}
