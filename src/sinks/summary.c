/* The verdict as text for people. */
#include "throttlog/summary.h"

#include <math.h>

#include "throttlog/text.h"

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

static void print_drops(FILE *out, const struct verdict *v, bool iec)
{
	for (size_t i = 0; i < v->n_drops; i++) {
		const struct drop *d = &v->drops[i];
		char at[40], bytes[40];

		text_duration(at, sizeof(at), d->start_s - v->load_start_s);
		text_format(bytes, sizeof(bytes), "%.1f GB", d->bytes / 1e9);
		fprintf(out, "  drop at %s, after %s:", at, bytes);
		print_speed(out, "", d->from_mb_s, iec);
		print_speed(out, " to", d->to_mb_s, iec);
		fprintf(out, ", cause: %s\n", cause_names[d->cause]);
	}
}

void summary_print(FILE *out, const struct run *run, const struct verdict *v, bool iec)
{
	fprintf(out, "%s%s%s\n", run->drive.model, run->drive.model[0] ? ": " : "", v->text);
	print_numbers(out, v, iec);
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
