/* The log's text: preamble, header line and rows, written from the field and key tables. */
#include "throttlog/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/text.h"

static bool has_column(const bool can[FIELD_COUNT], enum field f)
{
	return fields[f].always || can[f];
}

char *log_format_head(const struct run *run, const bool can[FIELD_COUNT])
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return xstrdup("");
	for (size_t i = 0; i < run_keys_count; i++) {
		char value[512];

		run_key_format(run, &run_keys[i], value, sizeof(value));
		fprintf(out, "# %s:%s%s\n", run_keys[i].name, *value ? " " : "", value);
	}
	for (enum field f = 0; f < FIELD_COUNT; f++)
		if (has_column(can, f))
			fprintf(out, "%s%s", f ? "," : "", fields[f].name);
	fputc('\n', out);
	fclose(out);
	return text;
}

static void format_cell(const struct sample *row, enum field f, char *cell, size_t size)
{
	double value = sample_get(row, f);

	cell[0] = '\0';
	if (fields[f].kind == KIND_PHASE)
		snprintf(cell, size, "%s", phase_names[row->phase]);
	else if (fields[f].kind == KIND_OP)
		snprintf(cell, size, "%s", op_names[row->op]);
	else if (isnan(value))
		return;
	else if (fields[f].kind == KIND_UTC)
		clock_format_utc(llround(value * 1e3) * NS_PER_MS, 3, cell, size);
	else
		text_format(cell, size, "%.*f", fields[f].decimals, value);
}

size_t log_format_row(const struct sample *row, const struct event *events, size_t n_events,
		      const bool can[FIELD_COUNT], char *buf, size_t size)
{
	size_t n = 0;

	for (enum field f = 0; f < FIELD_EVENTS; f++) {
		char cell[64];
		size_t len;

		if (!has_column(can, f))
			continue;
		format_cell(row, f, cell, sizeof(cell));
		len = strlen(cell);
		if (n + len + 4 > size)
			break;
		memcpy(buf + n, cell, len);
		n += len;
		buf[n++] = ',';
	}
	for (size_t i = 0; i < n_events; i++) {
		char word[320];
		size_t len;

		event_format(&events[i], word, sizeof(word));
		len = strlen(word);
		if (n + len + 4 > size)
			break;
		if (i)
			buf[n++] = ';';
		memcpy(buf + n, word, len);
		n += len;
	}
	buf[n++] = '\n';
	buf[n] = '\0';
	return n;
}
