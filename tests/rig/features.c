/*
 * Get and Set Features (Base Specification 2.0, 5.15 and 5.27). One table; values live in struct
 * features and go back to their defaults with each reset and each new connection.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"

enum select { SELECT_CURRENT, SELECT_DEFAULT, SELECT_SAVED, SELECT_SUPPORTED };

#define CHANGEABLE   0x4 /* of what SELECT_SUPPORTED answers */
#define NO_THRESHOLD 0xffff
#define QUEUES_MAX   8

struct feature {
	uint8_t id;
	size_t offset; /* in struct features; plain values are only kept */
	uint16_t (*get)(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
			struct command *cmd);
	uint16_t (*set)(struct ctrl *ctrl, uint32_t dw11, struct command *cmd);
};

static unsigned hctm_default(const struct rig *r)
{
	const struct thermal_limits *l = &r->preset.limits;
	unsigned tmt1 = isnan(l->tmt1_c) ? 0 : (unsigned)(l->tmt1_c + KELVIN);
	unsigned tmt2 = isnan(l->tmt2_c) ? 0 : (unsigned)(l->tmt2_c + KELVIN);

	return tmt1 << 16 | tmt2;
}

static void defaults(const struct ctrl *ctrl, struct features *f)
{
	const struct rig *r = ctrl->rig;

	memset(f, 0, sizeof(*f));
	f->arbitration = 7;
	f->write_cache = 1;
	f->queues = (QUEUES_MAX - 1) << 16 | (QUEUES_MAX - 1);
	f->over[0] = smart_limit_k(r, r->preset.limits.wctemp_c);
	for (int i = 1; i < TEMP_SELECTIONS; i++)
		f->over[i] = NO_THRESHOLD;
	f->hctm = hctm_default(r);
	f->timestamp_ns = r->now_ns;
}

static double celsius(unsigned kelvin)
{
	return kelvin ? (double)kelvin - KELVIN : (double)NAN;
}

static void apply_hctm(struct ctrl *ctrl)
{
	uint32_t v = ctrl->features.hctm;

	sim_set_tmt(ctrl->rig->pace.sim, celsius(v >> 16), celsius(v & 0xffff));
}

void features_reset(struct ctrl *ctrl)
{
	defaults(ctrl, &ctrl->features);
	apply_hctm(ctrl);
}

static uint16_t get_temperature(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
				struct command *cmd)
{
	unsigned which = dw11 >> 16 & 0xf, kind = dw11 >> 20 & 3;

	(void)ctrl;
	if (which >= TEMP_SELECTIONS || kind > 1)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	cmd->result = kind ? (which ? 0 : f->under) : f->over[which];
	return STATUS_OK;
}

static uint16_t set_temperature(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	struct features *f = &ctrl->features;
	unsigned which = dw11 >> 16 & 0xf, kind = dw11 >> 20 & 3, k = dw11 & 0xffff;

	(void)cmd;
	if ((which >= TEMP_SELECTIONS && which != 0xf) || kind > 1)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (kind == 1) {
		if (which == 0 || which == 0xf)
			f->under = k;
		return STATUS_OK;
	}
	for (unsigned i = 0; i < TEMP_SELECTIONS; i++)
		if (which == 0xf || which == i)
			f->over[i] = k;
	return STATUS_OK;
}

/* The model has a state of its own without load; the host's otherwise. */
static uint16_t get_power(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
			  struct command *cmd)
{
	struct sample now;

	(void)dw11;
	sample_clear(&now);
	sim_smart(ctrl->rig->pace.sim, &now);
	cmd->result = f->power;
	if (now.power_state > (f->power & 0x1f))
		cmd->result = (unsigned)now.power_state;
	return STATUS_OK;
}

static uint16_t set_power(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	(void)cmd;
	if ((dw11 & 0x1f) >= POWER_STATES)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	ctrl->features.power = dw11 & 0xff;
	return STATUS_OK;
}

/* As many as are offered at most, whatever is asked for. */
static uint16_t set_queues(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	unsigned sq = dw11 & 0xffff, cq = dw11 >> 16;

	if (sq == 0xffff || cq == 0xffff)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	sq = sq < QUEUES_MAX ? sq : QUEUES_MAX - 1;
	cq = cq < QUEUES_MAX ? cq : QUEUES_MAX - 1;
	cmd->result = ctrl->features.queues = cq << 16 | sq;
	return STATUS_OK;
}

/* A condition that holds already is an event for whoever begins to listen. */
static uint16_t set_events(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	uint32_t began = dw11 & ~ctrl->features.async_events;
	uint8_t warning = smart_warning(ctrl->rig, &ctrl->features);

	(void)cmd;
	ctrl->features.async_events = dw11;
	if (began & warning & WARN_TEMPERATURE)
		event_raise(ctrl, EVENT_TEMPERATURE);
	if (began & warning & WARN_READ_ONLY)
		event_raise(ctrl, EVENT_READ_ONLY);
	return STATUS_OK;
}

static uint16_t get_keep_alive(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
			       struct command *cmd)
{
	(void)f;
	(void)dw11;
	cmd->result = ctrl->kato_ms;
	return STATUS_OK;
}

static uint16_t set_keep_alive(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	ctrl->kato_ms = (dw11 + 99) / 100 * 100;
	cmd->result = ctrl->kato_ms;
	return STATUS_OK;
}

static uint16_t get_timestamp(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
			      struct command *cmd)
{
	uint8_t *p = admin_answer(cmd, 8);

	(void)dw11;
	put64(p, ctrl_timestamp_ms(ctrl) & 0xffffffffffff);
	p[6] = (uint8_t)(f->timestamp_origin << 1);
	return STATUS_OK;
}

static uint16_t set_timestamp(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	(void)dw11;
	if (!cmd->data || cmd->received < 8)
		return STATUS_SGL_LENGTH | STATUS_NO_RETRY;
	ctrl->features.timestamp_ms = get64(cmd->data) & 0xffffffffffff;
	ctrl->features.timestamp_ns = ctrl->rig->now_ns;
	ctrl->features.timestamp_origin = 1; /* by the host */
	return STATUS_OK;
}

static uint16_t get_hctm(const struct ctrl *ctrl, const struct features *f, uint32_t dw11,
			 struct command *cmd)
{
	(void)dw11;
	if (!quirk_on(&ctrl->rig->quirks, QUIRK_HCTM))
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	cmd->result = f->hctm;
	return STATUS_OK;
}

static uint16_t set_hctm(struct ctrl *ctrl, uint32_t dw11, struct command *cmd)
{
	unsigned tmt1 = dw11 >> 16, tmt2 = dw11 & 0xffff;

	(void)cmd;
	if (!quirk_on(&ctrl->rig->quirks, QUIRK_HCTM))
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if ((tmt1 && (tmt1 < KELVIN || tmt1 > KELVIN + 100)) ||
	    (tmt2 && (tmt2 < KELVIN || tmt2 > KELVIN + 100)) || (tmt1 && tmt2 && tmt1 >= tmt2))
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	ctrl->features.hctm = dw11;
	apply_hctm(ctrl);
	return STATUS_OK;
}

#define PLAIN(member) offsetof(struct features, member), NULL, NULL
static const struct feature table[] = {
    {FEATURE_ARBITRATION, PLAIN(arbitration)},
    {FEATURE_POWER, 0, get_power, set_power},
    {FEATURE_TEMPERATURE, 0, get_temperature, set_temperature},
    {FEATURE_ERROR_RECOVERY, PLAIN(error_recovery)},
    {FEATURE_WRITE_CACHE, PLAIN(write_cache)},
    {FEATURE_QUEUES, offsetof(struct features, queues), NULL, set_queues},
    {FEATURE_ASYNC_EVENTS, offsetof(struct features, async_events), NULL, set_events},
    {FEATURE_TIMESTAMP, 0, get_timestamp, set_timestamp},
    {FEATURE_KEEP_ALIVE, 0, get_keep_alive, set_keep_alive},
    {FEATURE_HCTM, 0, get_hctm, set_hctm},
};

static const struct feature *find(uint8_t id)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].id == id)
			return &table[i];
	return NULL;
}

uint16_t feature_get(struct command *cmd)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	const struct feature *feature = find(cmd->sqe[40]);
	enum select select = get32(cmd->sqe + 40) >> 8 & 7;
	struct features f = ctrl->features;
	uint32_t value;

	if (!feature || select > SELECT_SUPPORTED)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (select == SELECT_SUPPORTED) {
		cmd->result = CHANGEABLE;
		return STATUS_OK;
	}
	/* Nothing can be saved: then the saved value is the default. */
	if (select != SELECT_CURRENT)
		defaults(ctrl, &f);
	if (feature->get)
		return feature->get(ctrl, &f, get32(cmd->sqe + 44), cmd);
	memcpy(&value, (const uint8_t *)&f + feature->offset, sizeof(value));
	cmd->result = value;
	return STATUS_OK;
}

uint16_t feature_set(struct command *cmd)
{
	struct ctrl *ctrl = cmd->conn->ctrl;
	const struct feature *feature = find(cmd->sqe[40]);
	uint32_t value = get32(cmd->sqe + 44);

	if (!feature)
		return STATUS_INVALID_FIELD | STATUS_NO_RETRY;
	if (get32(cmd->sqe + 40) >> 31)
		return STATUS_NOT_SAVEABLE | STATUS_NO_RETRY;
	if (feature->set)
		return feature->set(ctrl, value, cmd);
	memcpy((uint8_t *)&ctrl->features + feature->offset, &value, sizeof(value));
	return STATUS_OK;
}
