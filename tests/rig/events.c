/*
 * Asynchronous events, and the watch that makes them: crossings of temperature thresholds and
 * the beginning and end of throttling. Base Specification 2.0, 5.2.
 */
#include <math.h>
#include <string.h>

#include "ctrl.h"
#include "nvme.h"
#include "rig.h"
#include "throttlog/clock.h"

/*
 * What a completion says (type, information << 8, log page << 16), the bit of feature 0Bh that lets
 * it out, and the page whose reading lets the next one out.
 */
static const struct {
	uint32_t result, enable;
	uint8_t log;
} table[EVENT_COUNT] = {
    [EVENT_TEMPERATURE] = {0x020101, WARN_TEMPERATURE, LOG_SMART},
    [EVENT_READ_ONLY] = {0x020001, WARN_READ_ONLY, LOG_SMART},
    [EVENT_NAMESPACE] = {0x040002, 1u << 8, LOG_CHANGED_NAMESPACES},
    [EVENT_FORCED] = {0, 0, 0},
};

void event_raise(struct ctrl *ctrl, enum event event)
{
	if (table[event].enable && !(ctrl->features.async_events & table[event].enable))
		return;
	if (event == EVENT_NAMESPACE)
		ctrl->namespace_changed = true;
	ctrl->event_due[event] = true;
	events_send(ctrl);
}

void event_read(struct ctrl *ctrl, uint8_t log, bool keep)
{
	for (size_t i = 0; i < EVENT_COUNT; i++)
		if (table[i].log == log && !keep)
			ctrl->event_masked[i] = false;
}

static struct command *request(const struct ctrl *ctrl)
{
	for (size_t i = 0; i < QUEUE_ENTRIES; i++)
		if (ctrl->admin->command[i].state == COMMAND_EVENT)
			return &ctrl->admin->command[i];
	return NULL;
}

void events_send(struct ctrl *ctrl)
{
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		struct command *cmd;

		if (!ctrl->event_due[i] || ctrl->event_masked[i])
			continue;
		cmd = request(ctrl);
		if (!cmd)
			return;
		cmd->result = i == EVENT_FORCED ? ctrl->forced_event : table[i].result;
		ctrl->event_due[i] = false;
		ctrl->event_masked[i] = i != EVENT_FORCED;
		command_done(cmd, STATUS_OK);
	}
}

static void record(struct rig *r, double limit_c, enum pel_threshold threshold)
{
	double over_k = fabs(r->temp_c - limit_c);
	uint64_t ms = r->ctrls ? ctrl_timestamp_ms(r->ctrls)
			       : (uint64_t)((r->now_ns - r->start_ns) / NS_PER_MS);

	pel_add(&r->pel, ms, over_k < 255 ? (uint8_t)over_k : 0, threshold);
}

static void watch_limits(struct rig *r)
{
	const struct thermal_limits *l = &r->preset.limits;
	bool warm = r->temp_c >= l->wctemp_c, critical = r->temp_c >= l->cctemp_c;

	if (warm && !r->was_warm)
		record(r, l->wctemp_c, PEL_WARNING);
	if (critical && !r->was_critical)
		record(r, l->cctemp_c, PEL_CRITICAL);
	if (!warm && r->was_warm)
		record(r, l->wctemp_c, PEL_NORMAL);
	r->was_warm = warm;
	r->was_critical = critical;
}

static void watch_throttle(struct rig *r)
{
	const struct thermal_limits *l = &r->preset.limits;
	uint32_t hctm = r->ctrls ? r->ctrls->features.hctm : 0;
	int own = sim_true_own_stage(r->pace.sim), host = sim_true_host_stage(r->pace.sim);

	if (own > r->own_stage)
		record(r, r->preset.throttle.limit_c, PEL_OWN);
	if (host >= 1 && r->host_stage < 1)
		record(r, (double)(hctm >> 16) - KELVIN, PEL_TMT1);
	if (host >= 2 && r->host_stage < 2)
		record(r, (double)(hctm & 0xffff) - KELVIN, PEL_TMT2);
	if (own > r->own_stage || host > r->host_stage)
		r->throttle_events++;
	if (own + host == 0 && r->own_stage + r->host_stage > 0)
		record(r, l->wctemp_c, PEL_STOPPED);
	r->own_stage = own;
	r->host_stage = host;
}

void events_watch(struct rig *r)
{
	smart_refresh(r);
	watch_limits(r);
	watch_throttle(r);
	for (struct ctrl *c = r->ctrls; c; c = c->next) {
		bool hot = smart_warning(r, &c->features) & WARN_TEMPERATURE;

		if (hot && !c->hot)
			event_raise(c, EVENT_TEMPERATURE);
		c->hot = hot;
	}
}
