/* The verdict as text for people. */
#include "throttlog/summary.h"

#include <math.h>

#include "throttlog/text.h"

#define LEGS_SHOWN 12

static void print_speed(FILE *out, const char *label, double mb_s, bool iec)
{
	char text[64];

	if (isnan(mb_s))
		return;
	text_format(text, sizeof(text), "%s %.0f %s", label, iec ? mb_s / 1.048576 : mb_s,
		    iec ? "MiB/s" : "MB/s");
	fputs(text, out);
}

static void print_numbers(FILE *out, const struct verdict *v, bool iec)
{
	const char *gap = "";

	if (isnan(v->peak_mb_s) && isnan(v->max_c))
		return;
	fputs("  ", out);
	if (!isnan(v->peak_mb_s)) {
		print_speed(out, "throughput: peak", v->peak_mb_s, iec);
		print_speed(out, ", sustained", v->sustained_mb_s, iec);
		print_speed(out, ", mean", v->mean_mb_s, iec);
		gap = "\n  ";
	}
	if (!isnan(v->max_c)) {
		fprintf(out, "%stemperature: ", gap);
		if (!isnan(v->idle_c))
			fprintf(out, "idle %.0f °C, ", v->idle_c);
		fprintf(out, "highest %.0f °C", v->max_c);
	}
	fputc('\n', out);
}

static const char *doing(enum op op)
{
	return op == OP_READ ? "reading" : op == OP_WRITE ? "writing" : "load";
}

static const char *outcome(const struct leg_verdict *l)
{
	if (l->throttled == TRI_TRUE)
		return l->klass == CLASS_SHUTDOWN ? "shut down" : "throttled";
	if (l->throttled == TRI_FALSE)
		return "not throttled";
	return l->judged ? "cannot tell" : "too short to judge";
}

/* A line a load, where there are several. */
static void print_legs(FILE *out, const struct verdict *v, bool iec)
{
	for (size_t i = 0; v->n_legs > 1 && i < v->n_legs; i++) {
		if (i == LEGS_SHOWN) {
			fprintf(out, "  and %zu more loads\n", v->n_legs - i);
			return;
		}
		const struct leg_verdict *l = &v->legs[i];
		char text[64] = "", at[40];

		text_duration(at, sizeof(at), round(l->end_s - l->start_s));
		fprintf(out, "  %s %s: %s", doing(l->op), at, outcome(l));
		if (!isnan(l->onset_c))
			text_format(text, sizeof(text), " at %.0f °C", l->onset_c);
		else if (!isnan(l->max_c))
			text_format(text, sizeof(text), ", up to %.0f °C", l->max_c);
		fputs(text, out);
		if (!isnan(l->onset_s)) {
			text_duration(at, sizeof(at), round(l->onset_s));
			fprintf(out, " after %s", at);
		}
		print_speed(out, ", peak", l->peak_mb_s, iec);
		print_speed(out, ", sustained", l->sustained_mb_s, iec);
		fputc('\n', out);
	}
}

static void print_drops(FILE *out, const struct verdict *v, bool iec)
{
	bool many = v->n_legs > 1;

	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];
		char at[40], bytes[40];

		text_duration(at, sizeof(at),
			      d->start_s - (many ? v->legs[d->leg].start_s : v->load_start_s));
		text_format(bytes, sizeof(bytes), "%.1f GB", d->bytes / 1e9);
		fprintf(out, "  drop at %s%s%s, after %s:", at, many ? " of " : "",
			many ? doing(v->legs[d->leg].op) : "", bytes);
		print_speed(out, "", d->from_mb_s, iec);
		print_speed(out, " to", d->to_mb_s, iec);
		fprintf(out, ", cause: %s\n", cause_names[d->cause]);
	}
}

void summary_print(FILE *out, const struct run *run, const struct verdict *v, bool iec)
{
	fprintf(out, "%s%s%s\n", run->drive.model, run->drive.model[0] ? ": " : "", v->text);
	print_numbers(out, v, iec);
	print_legs(out, v, iec);
	print_drops(out, v, iec);
	for (size_t i = 0; i < v->evidence.n; i++) {
		const struct evidence *e = &v->evidence.item[i];
		const char *sign = e->weight > 0 ? "+" : e->weight < 0 ? "-" : " ";

		fprintf(out, "  %s %s\n", sign, e->text);
	}
	if (v->heatsink_text[0])
		fprintf(out, "  heatsink: %s\n", v->heatsink_text);
	for (size_t i = 0; i < v->n_warnings; i++)
		fprintf(out, "  note: %s\n", v->warnings[i]);
	for (size_t i = 0; i < v->n_requirements; i++) {
		const struct requirement *r = &v->requirements[i];

		fprintf(out, "  required %s: %s", r->expr,
			r->met == TRI_TRUE    ? "met"
			: r->met == TRI_FALSE ? "NOT met"
					      : "cannot be judged");
		if (!isnan(r->value)) {
			char value[40];

			text_format(value, sizeof(value), " (%.4g)", r->value);
			fputs(value, out);
		}
		fputc('\n', out);
	}
}
