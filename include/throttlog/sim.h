/*
 * Simulated drives: one thermal model (controller and case nodes), SLC cache and throttle
 * policies, behind the same engine and sensor interfaces as real ones. The drive's own clock
 * moves only when sim_advance() is called, so a run goes as fast as the machine allows and the
 * same seed gives the same rows, however the calls slice the time. One thread at a time uses a
 * drive.
 */
#ifndef THROTTLOG_SIM_H
#define THROTTLOG_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/drive.h"
#include "throttlog/sample.h"

struct sim;

/* NULL if there is no preset of that name (without "sim:"). */
struct sim *sim_new(const char *preset);
void sim_free(struct sim *s);
/* Noise seed, before the first step. */
void sim_seed(struct sim *s, uint64_t seed);

/* Names end with NULL. */
const char *const *sim_names(void);
/* One line for `throttlog list --sim`. */
const char *sim_help(const char *preset);
void sim_drive(const struct sim *s, struct drive *out);
uint64_t sim_capacity(const struct sim *s);

/* What the load asks of the drive from now on: OP_NONE is idle. */
void sim_set_load(struct sim *s, enum op op, uint32_t block_bytes, unsigned queue_depth);
/* Moves the drive's clock to `t_ns` (never back). */
void sim_advance(struct sim *s, int64_t t_ns);
int64_t sim_now_ns(const struct sim *s);
/* Totals since sim_new(). */
uint64_t sim_bytes(const struct sim *s);
/* The drive has shut itself down from heat and answers nothing any more. */
bool sim_lost(const struct sim *s);
/* What SMART and the host would report now; fields that the drive cannot fill are left alone. */
void sim_smart(const struct sim *s, struct sample *out);
/*
 * What the drive keeps of its own: a persistent event log (NVMe log page 0Dh), an OCP SMART log
 * (page C0h). Off unless a preset or this switches them on, before the first step.
 */
void sim_set_records(struct sim *s, bool pel, bool ocp);
bool sim_has_pel(const struct sim *s);
bool sim_has_ocp(const struct sim *s);
/* The pages' bytes as of now. sim_pel() allocates *out, for the caller, and returns its length. */
size_t sim_pel(const struct sim *s, uint8_t **out);
void sim_ocp(const struct sim *s, uint8_t page[512]);

/* Which fields sim_smart() can fill for this drive. */
void sim_fields(const struct sim *s, bool can[FIELD_COUNT]);

#endif
