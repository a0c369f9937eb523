/* The verdict as JSON. The keys are a contract: they are only ever added to. */
#include <math.h>
#include <stdio.h>

#include "analysis/tuning.h"
#include "throttlog/json.h"
#include "throttlog/verdict.h"

static void add_text(struct json *j, const char *key, const char *text)
{
	json_add_string(j, key, text[0] ? text : NULL);
}

/* 0 stands for "not known" in the load's integers. */
static void add_count(struct json *j, const char *key, double value)
{
	json_add_number(j, key, value > 0 ? value : (double)NAN, 0);
}

static void add_tristate(struct json *j, const char *key, enum tristate t)
{
	if (t == TRI_NULL)
		json_add_null(j, key);
	else
		json_add_bool(j, key, t == TRI_TRUE);
}

static void add_evidence(struct json *j, const struct evidence_list *list)
{
	struct json *array = json_add_array(j, "evidence");

	for (size_t i = 0; i < list->n; i++) {
		struct json *e = json_add_object(array, NULL);

		json_add_string(e, "rule", list->item[i].rule);
		json_add_number(e, "weight", list->item[i].weight, 2);
		json_add_string(e, "text", list->item[i].text);
	}
}

static void add_run(struct json *root, const struct run *run, const struct verdict *v)
{
	struct json *j = json_add_object(root, "drive"), *limits;
	char op[64];

	add_text(j, "model", run->drive.model);
	add_text(j, "serial", run->drive.serial);
	add_text(j, "firmware", run->drive.firmware);
	add_text(j, "transport", run->drive.transport);
	limits = json_add_object(j, "limits_c");
	json_add_number(limits, "wctemp", run->drive.limits.wctemp_c, 1);
	json_add_number(limits, "cctemp", run->drive.limits.cctemp_c, 1);
	json_add_number(limits, "tmt1", run->drive.limits.tmt1_c, 1);
	json_add_number(limits, "tmt2", run->drive.limits.tmt2_c, 1);

	j = json_add_object(root, "load");
	if (run->load.legs.n > 1)
		op_list_format(&run->load.legs, ',', op, sizeof(op));
	else
		snprintf(op, sizeof(op), "%s", op_names[run->load.op]);
	add_text(j, "op", op);
	add_text(j, "pattern", run->load.pattern);
	add_count(j, "block_bytes", run->load.block_bytes);
	add_count(j, "queue_depth", run->load.queue_depth);
	add_text(j, "engine", run->load.engine);
	add_count(j, "region_bytes", (double)run->load.region_bytes);

	j = json_add_object(root, "run");
	add_text(j, "start_utc", run->start_utc);
	json_add_number(j, "duration_s", v->duration_s, 3);
	json_add_string(j, "end_reason", run_end_reason(run));
	json_add_number(j, "samples", (double)v->samples, 0);
	json_add_number(j, "missed_samples", (double)v->missed_samples, 0);
}

static void add_numbers(struct json *root, const struct verdict *v)
{
	struct json *j = json_add_object(root, "temperature");

	json_add_number(j, "idle_c", v->idle_c, 1);
	json_add_number(j, "max_c", v->max_c, 1);
	json_add_number(j, "steady_c", v->steady_c, 1);
	add_text(j, "hottest_sensor", v->hottest_sensor);
	json_add_bool(j, "trusted", v->temp_trusted);
	json_add_number(j, "resolution_s", v->resolution_s, 2);

	j = json_add_object(root, "throughput");
	json_add_number(j, "peak_mb_s", v->peak_mb_s, 1);
	json_add_number(j, "sustained_mb_s", v->sustained_mb_s, 1);
	json_add_number(j, "mean_mb_s", v->mean_mb_s, 1);
	json_add_number(j, "bytes", v->bytes, 0);
}

static void add_verdict(struct json *root, const struct verdict *v)
{
	struct json *j = json_add_object(root, "verdict");

	add_tristate(j, "throttled", v->throttled);
	json_add_string(j, "class", class_names[v->klass]);
	json_add_string(j, "certainty", certainty_names[v->certainty]);
	json_add_number(j, "onset_s", v->onset_s, 1);
	json_add_number(j, "onset_time_s", v->onset_time_s, 1);
	json_add_number(j, "onset_bytes", v->onset_bytes, 0);
	json_add_number(j, "onset_c", v->onset_c, 1);
	json_add_number(j, "before_mb_s", v->before_mb_s, 1);
	json_add_number(j, "after_mb_s", v->after_mb_s, 1);
	json_add_number(j, "loss_pct", v->loss_pct, 1);
	json_add_number(j, "time_throttled_s", v->time_throttled_s, 1);
	json_add_number(j, "recovered_s", v->recovered_s, 1);
	json_add_string(j, "text", v->text);
	add_evidence(j, &v->evidence);
}

static void add_legs(struct json *root, const struct verdict *v)
{
	struct json *array = json_add_array(root, "legs");

	for (size_t i = 0; i < v->n_legs; i++) {
		const struct leg_verdict *l = &v->legs[i];
		struct json *j = json_add_object(array, NULL);

		add_text(j, "op", op_names[l->op]);
		json_add_number(j, "start_s", l->start_s, 1);
		json_add_number(j, "end_s", l->end_s, 1);
		json_add_bool(j, "judged", l->judged);
		json_add_bool(j, "decides", i == v->main_leg);
		add_tristate(j, "throttled", l->throttled);
		json_add_string(j, "class", class_names[l->klass]);
		json_add_string(j, "certainty", certainty_names[l->certainty]);
		json_add_number(j, "onset_s", l->onset_s, 1);
		json_add_number(j, "onset_time_s", l->onset_time_s, 1);
		json_add_number(j, "onset_bytes", l->onset_bytes, 0);
		json_add_number(j, "onset_c", l->onset_c, 1);
		json_add_number(j, "before_mb_s", l->before_mb_s, 1);
		json_add_number(j, "after_mb_s", l->after_mb_s, 1);
		json_add_number(j, "loss_pct", l->loss_pct, 1);
		json_add_number(j, "time_throttled_s", l->time_throttled_s, 1);
		json_add_number(j, "max_c", l->max_c, 1);
		json_add_number(j, "peak_mb_s", l->peak_mb_s, 1);
		json_add_number(j, "sustained_mb_s", l->sustained_mb_s, 1);
		json_add_number(j, "mean_mb_s", l->mean_mb_s, 1);
		json_add_number(j, "bytes", l->bytes, 0);
	}
}

static void add_drops(struct json *root, const struct verdict *v)
{
	struct json *array = json_add_array(root, "drops");

	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];
		struct json *j = json_add_object(array, NULL);

		json_add_number(j, "leg", (double)d->leg, 0);
		json_add_number(j, "start_s", d->start_s, 1);
		json_add_number(j, "end_s", d->end_s, 1);
		json_add_number(j, "bytes", d->bytes, 0);
		json_add_number(j, "from_mb_s", d->from_mb_s, 1);
		json_add_number(j, "to_mb_s", d->to_mb_s, 1);
		json_add_string(j, "cause", cause_names[d->cause]);
		add_evidence(j, &d->evidence);
	}
}

static void add_heatsink(struct json *root, const struct verdict *v)
{
	struct json *j = json_add_object(root, "heatsink"), *interval;

	add_tristate(j, "needed", v->heatsink_needed);
	json_add_number(j, "steady_unthrottled_c", v->heatsink_steady_c, 1);
	interval = json_add_array(j, "interval_c");
	json_add_number(interval, NULL, v->heatsink_interval_c[0], 1);
	json_add_number(interval, NULL, v->heatsink_interval_c[1], 1);
	json_add_number(j, "resistance_cut_pct", v->resistance_cut_pct, 0);
	add_text(j, "text", v->heatsink_text);
}

static void add_lists(struct json *root, const struct verdict *v)
{
	struct json *array = json_add_array(root, "requirements");

	for (size_t i = 0; i < v->n_requirements; i++) {
		struct json *j = json_add_object(array, NULL);

		json_add_string(j, "expr", v->requirements[i].expr);
		add_tristate(j, "met", v->requirements[i].met);
		json_add_number(j, "value", v->requirements[i].value, 1);
	}
	array = json_add_array(root, "warnings");
	for (size_t i = 0; i < v->n_warnings; i++)
		json_add_string(array, NULL, v->warnings[i]);
}

char *verdict_json(const struct run *run, const struct verdict *v, bool pretty)
{
	struct json *root = json_new_object(), *tool;
	char *text;

	json_add_number(root, "schema", LOG_SCHEMA, 0);
	tool = json_add_object(root, "tool");
	json_add_string(tool, "name", "throttlog");
	json_add_string(tool, "version", THROTTLOG_VERSION);
	json_add_string(tool, "rules_version", RULES_VERSION);
	add_run(root, run, v);
	add_numbers(root, v);
	add_verdict(root, v);
	add_legs(root, v);
	add_drops(root, v);
	add_heatsink(root, v);
	add_lists(root, v);
	text = json_text(root, pretty);
	json_free(root);
	return text;
}
