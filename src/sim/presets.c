/*
 * The simulated drives. Published figures come from 3DNews reviews (open bench without airflow,
 * sequential, 128 KiB, QD32) and are marked P; all else is chosen so that they come out of the
 * model. To add a drive, add an entry: thermal numbers first (idle temperature = ambient + idle_w x
 * both resistances), then load_w until the limit is reached at the right second.
 */
#include <math.h>

#include "sim/sim_preset.h"

/* The reviews count in binary units; the model in 10^6 bytes a second. */
#define MIB_S(x) ((x)*1.048576)
#define GIB_S(x) ((x)*1073.741824)
#define GIB(x)   ((uint64_t)((x)*1073741824.0))

#define NO_LIMIT ((double)NAN)
#define NO_TMT   .tmt1_c = NO_LIMIT, .tmt2_c = NO_LIMIT
#define CHIP_SENSOR                              \
	{                                        \
		.present = true, .chip_share = 1 \
	}
/* Renewed each second, half a second behind, in steps of 1 K; it shows a limit as it is reached. */
#define NVME_READING                                                          \
	{                                                                     \
		.lag_s = 0.5, .refresh_s = 1, .noise_k = 0.05, .round_k = 0.3 \
	}
/* An attribute that slower firmware renews every two seconds. */
#define SLOW_READING                                                        \
	{                                                                   \
		.lag_s = 2, .refresh_s = 2, .noise_k = 0.05, .round_k = 0.3 \
	}

/*
 * WCTEMP and CCTEMP are those of the same drives in public SMART reports where a comment does not
 * say otherwise. The XG5 has no host-controlled thermal management, and the SM2260 predates it:
 * their TMT totals stay 0. Firmware names are those of such reports too, or SIM1.
 */
const struct sim_preset sim_presets[] = {
    {
	.name = "xg5",
	.help = "Toshiba XG5 1 TB: 80 °C after almost 3 min of writing, loss hardly visible",
	.model = "KXG5AZNV1T02 NVMe TOSHIBA 1024GB",
	.serial = "SIM0001XG5",
	.firmware = "AADA4102",
	.capacity_bytes = UINT64_C(1024209543168),
	.nvme = true,
	.link_gt_s = 8,
	.link_width = 4,
	.idle_power_state = 3,
	.poll_ms = 0.4,
	.limits = {.wctemp_c = 78, .cctemp_c = 82, NO_TMT},
	/* Idle 45 °C is chosen: the review is silent. */
	.thermal = {.ambient_c = 25,
		    .idle_w = 1.54,
		    .r_chip_k_w = 3,
		    .r_case_k_w = 10,
		    .c_chip_j_k = 2.5,
		    .c_case_j_k = 10},
	/* Chosen: reading warms it a little less and ends in the same gentle way. */
	.read = {MIB_S(2800), 3.27, 0},
	.write = {{MIB_S(2000), 3.7, GIB(3)}, /* P: 3 GB; its speed is chosen */
		  {MIB_S(900), 3.44, 0}},     /* P: 900 */
	.refill_mb_s = 300,
	.refill_after_s = 2,
	.noise = 0.008,
	/* P: 80 °C, loss practically invisible. The controller clocks down, NAND sets the pace. */
	.throttle = {.kind = SIM_POLICY_GENTLE,
		     .limit_c = 80,
		     .release_k = 4,
		     .level = 0.97,
		     .gain = 0.1,
		     .settle_s = 12},
	.reading = NVME_READING,
	.composite = CHIP_SENSOR,
	.sensor = {CHIP_SENSOR},
	.totals = {.warning_s = 14 * 60 + 31},
    },
    {
	.name = "xg5-p",
	.help = "Toshiba XG5-P 2 TB: 80 °C after about 1 min, then a quarter slower",
	.model = "KXG5APNV2T04 NVMe TOSHIBA 2048GB",
	.serial = "SIM0002XG5P",
	.firmware = "SIM1",
	.capacity_bytes = UINT64_C(2048408248320),
	.nvme = true,
	.link_gt_s = 8,
	.link_width = 4,
	.idle_power_state = 3,
	.poll_ms = 0.4,
	.limits = {.wctemp_c = 78, .cctemp_c = 82, NO_TMT}, /* the XG5's */
	/* Idle 45 °C is chosen. The hotter controller sits on the same board as the XG5's. */
	.thermal = {.ambient_c = 25,
		    .idle_w = 1.54,
		    .r_chip_k_w = 6,
		    .r_case_k_w = 7,
		    .c_chip_j_k = 2.2,
		    .c_case_j_k = 5},
	/* The review does not limit "80 °C after a minute" to writing: the same when reading. */
	.read = {MIB_S(2900), 3.7, 0},
	.write = {{MIB_S(2100), 3.9, GIB(3)},
		  {MIB_S(990), 3.74, 0}}, /* P: 10 % above the XG5's direct writes */
	.refill_mb_s = 300,
	.refill_after_s = 2,
	.noise = 0.008,
	/*
	 * P: 80 °C, a loss of a quarter. Chosen: a first cut, full speed again as soon as it is a
	 * little cooler, and in the end a speed that is regulated to hold the limit.
	 */
	.throttle = {.kind = SIM_POLICY_HOLD,
		     .limit_c = 80,
		     .release_k = 0.6,
		     .level = 0.75,
		     .gain = 0.05,
		     .settle_s = 15},
	.reading = NVME_READING,
	.composite = CHIP_SENSOR,
	.sensor = {CHIP_SENSOR},
	.totals = {.warning_s = 52 * 60 + 12, .critical_s = 90},
    },
    {
	.name = "bg3",
	.help = "Toshiba BG3 512 GB: cache ends at 18 s, 80 °C at 20 s, then half and unstable",
	.model = "KBG3AZMS512G NVMe TOSHIBA 512GB",
	.serial = "SIM0003BG3",
	.firmware = "ADHA0102",
	.capacity_bytes = UINT64_C(512110190592),
	.nvme = true,
	.link_gt_s = 8,
	.link_width = 2,
	.idle_power_state = 0, /* its idle temperature says that it does not sleep */
	.poll_ms = 0.8,
	/*
	 * Host-controlled thresholds of 75 and 79 °C were seen in a laptop. The reviewed drive ran
	 * at 70 to 75 °C idle and throttled at 80, so none were set on the bench: the totals below
	 * are from an earlier host and stand still.
	 */
	.limits = {.wctemp_c = 82, .cctemp_c = 85, NO_TMT},
	/* P: idle 70 to 75 °C. Controller and NAND share one small package of little mass. */
	.thermal = {.ambient_c = 25,
		    .idle_w = 2.2,
		    .r_chip_k_w = 11,
		    .r_case_k_w = 10.4,
		    .c_chip_j_k = 0.9,
		    .c_case_j_k = 10},
	.read = {MIB_S(1400), 0.8, 0},
	.write = {{MIB_S(900), 0.8, GIB(16)}, /* P: 16 GB at 900 */
		  {MIB_S(400), 0.8, 0}},      /* P: 400 */
	.refill_mb_s = 100,
	.refill_after_s = 5,
	.noise = 0.012,
	/* P: 80 °C, speed halves and becomes unstable. */
	.throttle = {.kind = SIM_POLICY_UNSTABLE,
		     .limit_c = 80,
		     .release_k = 5,
		     .level = 0.5,
		     .spread = 0.12},
	.reading = NVME_READING,
	.composite = CHIP_SENSOR,
	.sensor = {CHIP_SENSOR},
	.totals = {.warning_s = 3 * 60,
		   .tmt1_count = 212,
		   .tmt1_s = 1834,
		   .tmt2_count = 187,
		   .tmt2_s = 402},
    },
    {
	.name = "mte850",
	.help = "Transcend MTE850 512 GB: reading stays below 65 °C, writing reaches 68 °C in 20 s",
	.model = "TS512GMTE850",
	.serial = "SIM0004MTE850",
	.firmware = "C2.3.13",
	.capacity_bytes = UINT64_C(512110190592),
	.nvme = true,
	.link_gt_s = 8,
	.link_width = 4,
	.idle_power_state = 0,
	.poll_ms = 1.1,
	/* WCTEMP lies below what reading reaches: an alarm that is no throttling. */
	.limits = {.wctemp_c = 62, .cctemp_c = 72, NO_TMT},
	.thermal = {.ambient_c = 25,
		    .idle_w = 3.03,
		    .r_chip_k_w = 4,
		    .r_case_k_w = 8,
		    .c_chip_j_k = 2.5,
		    .c_case_j_k = 12},    /* P: idle 61 °C */
	.read = {GIB_S(2.3), 0.2, 0},     /* P: 2.3 GB/s, 2 to 3 K, never over 65 °C */
	.write = {{GIB_S(1.1), 1.73, 0}}, /* P: 1.1 GB/s */
	.noise = 0.012,
	/*
	 * P: 68 °C in about 20 s, then a lot at once. Chosen: it tries full speed again when 2 K
	 * cooler, until its board is too warm for that.
	 */
	.throttle = {.kind = SIM_POLICY_STEP, .limit_c = 68, .release_k = 1.8, .level = 0.3},
	.reading = NVME_READING,
	.composite = CHIP_SENSOR,
	.totals = {.warning_s = 81 * 60 + 20},
    },
    {
	.name = "sx8000",
	.help = "ADATA XPG SX8000 512 GB: overheats in 15 s of writing, then fast and slow in turn",
	.model = "ADATA ASX8000NP-512GM-C",
	.serial = "SIM0005SX8000",
	.firmware = "SIM1",
	.capacity_bytes = UINT64_C(512110190592),
	.nvme = true,
	.link_gt_s = 8,
	.link_width = 4,
	.idle_power_state = 0,
	.poll_ms = 1.1,
	.limits = {.wctemp_c = 70, .cctemp_c = 80, NO_TMT}, /* of another SM2260 drive */
	.thermal = {.ambient_c = 25,
		    .idle_w = 2.43,
		    .r_chip_k_w = 6,
		    .r_case_k_w = 8,
		    .c_chip_j_k = 1.6,
		    .c_case_j_k = 12}, /* idle 59 °C is chosen */
	/* Chosen: as the other SM2260 drive, reading warms it by a few K and never throttles. */
	.read = {GIB_S(2.2), 0.3, 0},
	.write = {{MIB_S(1000), 1.82, 0}}, /* chosen */
	.noise = 0.015,
	/* P: 15 s. The limit is the other SM2260's; on and off is chosen. */
	.throttle = {.kind = SIM_POLICY_OSCILLATING, .limit_c = 68, .release_k = 4, .level = 0.12},
	.reading = NVME_READING,
	.composite = CHIP_SENSOR,
	.totals = {.warning_s = 7 * 60 + 3},
    },
    {
	.name = "m8v",
	.help = "Plextor M8V 512 GB, SATA: 340 MB/s after a static cache, a drop that is not heat",
	.model = "PLEXTOR M8V 512GB",
	.serial = "SIM0006M8V",
	.firmware = "SIM1",
	.capacity_bytes = UINT64_C(512110190592),
	.poll_ms = 2,
	.limits = {NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT},
	.thermal = {.ambient_c = 25,
		    .idle_w = 0.6,
		    .r_chip_k_w = 5,
		    .r_case_k_w = 15,
		    .c_chip_j_k = 2.5,
		    .c_case_j_k = 14}, /* idle 37 °C is chosen */
	.read = {MIB_S(530), 0.7, 0},
	.write = {{MIB_S(500), 0.9, GIB(8)}, /* chosen */
		  {MIB_S(340), 1.0, 0}},     /* P: about 340 */
	.refill_mb_s = 120,
	.refill_after_s = 5,
	.noise = 0.01,
	.reading = SLOW_READING,
	.composite = CHIP_SENSOR,
    },
    {
	.name = "trion150",
	.help = "OCZ Trion 150 240 GB, SATA: 3 GB of cache at 270 MB/s, then lower; not heat",
	.model = "OCZ-TRION150",
	.serial = "SIM0007TRION150",
	.firmware = "SIM1",
	.capacity_bytes = UINT64_C(240057409536),
	.poll_ms = 2,
	.limits = {NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT},
	.thermal = {.ambient_c = 25,
		    .idle_w = 0.5,
		    .r_chip_k_w = 4,
		    .r_case_k_w = 14,
		    .c_chip_j_k = 4,
		    .c_case_j_k = 20}, /* idle 34 °C is chosen */
	.read = {MIB_S(530), 0.6, 0},
	.write = {{MIB_S(270), 0.8, GIB(3)}, /* P: 3 GB at 270 */
		  {MIB_S(115), 0.8, 0}},     /* P: lower; how much is chosen */
	.refill_mb_s = 80,
	.refill_after_s = 5,
	.noise = 0.02,
	.reading = SLOW_READING,
	.composite = CHIP_SENSOR,
    },
    {
	.name = "esd310",
	.help = "Transcend ESD310 512 GB, USB: 100 GB of cache, 170 MB/s, small heat step, 100",
	.model = "Transcend ESD310",
	.serial = "SIM0008ESD310",
	.firmware = "SIM1",
	.capacity_bytes = UINT64_C(512110190592),
	.poll_ms = 5,
	.limits = {NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT},
	.thermal = {.ambient_c = 25,
		    .idle_w = 0.83,
		    .r_chip_k_w = 6,
		    .r_case_k_w = 12,
		    .c_chip_j_k = 3,
		    .c_case_j_k = 8}, /* idle 40 °C is chosen */
	.read = {MIB_S(950), 1.3, 0}, /* chosen */
	/*
	 * P: 900 into about 100 GB, 170 direct, then about 100. The last is taken to be the cache's
	 * content that is moved to make room: it comes after a number of bytes.
	 */
	.write = {{MIB_S(900), 1.55, GIB(100)}, {MIB_S(170), 1.91, GIB(50)}, {MIB_S(100), 1.4, 0}},
	.refill_mb_s = 150,
	.refill_after_s = 10,
	.noise = 0.012,
	/* P: one small step, the controller got slightly too hot. Where and how much is chosen. */
	.throttle = {.kind = SIM_POLICY_STEP, .limit_c = 70, .release_k = 2, .level = 0.88},
	.reading = SLOW_READING,
	.composite = CHIP_SENSOR,
    },
};

const size_t sim_presets_count = sizeof(sim_presets) / sizeof(sim_presets[0]);
