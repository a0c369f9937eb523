/* Words around the plots: the verdict as headline, load and evidence, and the caption. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/axis.h"
#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define BETWEEN " \xc2\xb7 "

/* Pieces of a line, joined by `between`. */
struct joined {
	char text[1024];
	const char *between;
};

static void join(struct joined *j, const char *piece)
{
	size_t n = strlen(j->text);

	if (*piece)
		text_format(j->text + n, sizeof(j->text) - n, "%s%s", n ? j->between : "", piece);
}

static void join_load(struct joined *j, const struct run *run)
{
	const struct load_spec *l = &run->load;
	char text[128], block[32], ops[64] = "";

	if (l->op == OP_NONE) {
		join(j, "watched, no load of ours");
		return;
	}
	text_size(block, sizeof(block), l->block_bytes);
	for (unsigned i = 0; i < l->legs.n; i++)
		text_format(ops + strlen(ops), sizeof(ops) - strlen(ops), "%s%s", i ? " then " : "",
			    op_names[l->legs.op[i]]);
	text_format(text, sizeof(text), "%s %s%s%s", l->pattern, *ops ? ops : op_names[l->op],
		    l->block_bytes ? " " : "", l->block_bytes ? block : "");
	text_clean(text);
	join(j, text);
	if (l->queue_depth) {
		text_format(text, sizeof(text), "QD%u", l->queue_depth);
		join(j, text);
	}
	if (strcmp(l->engine, "sim") != 0)
		join(j, l->engine);
}

/* How much a piece of evidence supports what the verdict says; not at all: 0. */
static double support(const struct verdict *v, const struct evidence *e)
{
	if (v->throttled == TRI_NULL)
		return 0;
	return fmax(v->throttled == TRI_TRUE ? e->weight : -e->weight, 0);
}

/* The strongest reasons first, as far as the line has room. */
static void join_evidence(struct scene *s, struct joined *j, const struct verdict *v, double width,
			  struct type type)
{
	static const char *const words[] = {"", "possible: ", "likely: ", "confirmed: "};
	bool used[64] = {false};

	for (int k = 0; k < 3; k++) {
		struct joined longer = *j;
		size_t best = SIZE_MAX;
		double most = 0;
		char text[200];

		for (size_t i = 0; i < v->evidence.n && i < sizeof(used); i++)
			if (!used[i] && support(v, &v->evidence.item[i]) > most) {
				most = support(v, &v->evidence.item[i]);
				best = i;
			}
		if (best == SIZE_MAX)
			return;
		used[best] = true;
		text_format(text, sizeof(text), "%s%s", k ? "" : words[v->certainty],
			    v->evidence.item[best].text);
		longer.between = k ? "; " : j->between;
		join(&longer, text);
		if (k == 0 || text_width(s, longer.text, type) <= width)
			memcpy(j->text, longer.text, sizeof(j->text));
	}
}

static void join_link(struct joined *j, const struct run *run)
{
	const struct series *s = &run->series;
	char text[64];

	for (size_t i = s->n; i-- > 0;) {
		if (isnan(series_get(s, FIELD_LINK_GT_S, i)))
			continue;
		text_format(text, sizeof(text), "PCIe %.1f GT/s x%.0f",
			    series_get(s, FIELD_LINK_GT_S, i), series_get(s, FIELD_LINK_WIDTH, i));
		join(j, text);
		return;
	}
}

static void join_drive(struct joined *j, const struct run *run)
{
	const struct drive *d = &run->drive;
	size_t serial = strlen(d->serial);
	char text[128];

	join(j, d->model);
	if (*d->firmware) {
		text_format(text, sizeof(text), "firmware %s", d->firmware);
		join(j, text);
	}
	if (serial) {
		text_format(text, sizeof(text), "S/N \xe2\x80\xa6%s",
			    d->serial + (serial > 4 ? serial - 4 : 0));
		join(j, text);
	}
}

/* What all items share; with several, each names its drive itself. */
static void caption(const struct scene *s, struct joined *j, const struct picture_item *items,
		    size_t n)
{
	const struct run *run = items[0].run;
	char text[320];

	if (n == 1) {
		join_drive(j, run);
		if (strcmp(run->drive.transport, "pcie") != 0)
			join(j, strcmp(run->drive.transport, "sim") == 0 ? "simulated drive"
									 : run->drive.transport);
		join_link(j, run);
	}
	if (!isnan(run->ambient_c)) {
		text_format(text, sizeof(text), "ambient %s%.0f " DEG_C,
			    run->ambient_c < -0.5 ? MINUS : "", fabs(run->ambient_c));
		join(j, text);
	}
	glyphs_missing(s, items, n, text, sizeof(text));
	join(j, text);
	if (n == 1)
		join(j, run->note);
	if (run->interval_s > 0) {
		text_format(text, sizeof(text), "a row every %g s", run->interval_s);
		join(j, text);
	}
	join(j, run->tool);
	text_format(text, sizeof(text), "%.10s", run->start_utc);
	join(j, text);
}

/* "A at 78 °C after 2:32, B ..." in place of the full stop. */
static void add_onsets(const struct picture_item *items, size_t n, char *buf, size_t size)
{
	const char *between = ": ";

	for (size_t i = 0; i < n; i++) {
		const struct verdict *v = items[i].verdict;
		size_t end = strlen(buf);
		char clock[32];

		if (v->throttled != TRI_TRUE || isnan(v->onset_c) || isnan(v->onset_s))
			continue;
		clock_text(v->onset_s, clock, sizeof(clock));
		end -= end > 0 && buf[end - 1] == '.';
		text_format(buf + end, size - end, "%s%c at %.0f " DEG_C " after %s.", between,
			    (int)('A' + i), v->onset_c, clock);
		between = ", ";
	}
}

static void headline(const struct picture_item *items, size_t n, bool compare, char *buf,
		     size_t size)
{
	size_t throttled = 0, unknown = 0;

	for (size_t i = 0; i < n; i++) {
		throttled += items[i].verdict->throttled == TRI_TRUE;
		unknown += items[i].verdict->throttled == TRI_NULL;
	}
	if (n == 1)
		text_format(buf, size, "%s", items[0].verdict->text);
	else if (throttled == 0 && unknown < n)
		text_format(buf, size, "None of %zu %s throttled from heat%s.", n,
			    compare ? "runs" : "drives",
			    unknown ? ", as far as their logs tell" : "");
	else if (unknown == n)
		text_format(buf, size, "No log tells whether heat slowed its %s.",
			    compare ? "run" : "drive");
	else
		text_format(buf, size, "%zu of %zu %s throttled from heat.", throttled, n,
			    compare ? "runs" : "drives");
	if (compare && throttled > 0 && n <= 4)
		add_onsets(items, n, buf, size);
}

static bool same_load(const struct load_spec *a, const struct load_spec *b)
{
	return a->op == b->op && memcmp(&a->legs, &b->legs, sizeof(a->legs)) == 0 &&
	       a->block_bytes == b->block_bytes && a->queue_depth == b->queue_depth &&
	       strcmp(a->pattern, b->pattern) == 0 && strcmp(a->engine, b->engine) == 0;
}

static bool alike(const struct picture_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!same_load(&items[i].run->load, &items[0].run->load))
			return false;
	return true;
}

void words_drive(struct scene *s, const struct picture_item *items, size_t n, size_t i,
		 double width, struct type type, char *buf, size_t size)
{
	struct joined j = {"", BETWEEN};

	join_drive(&j, items[i].run);
	join(&j, items[i].run->note);
	if (!alike(items, n))
		join_load(&j, items[i].run);
	join_evidence(s, &j, items[i].verdict, width, type);
	text_format(buf, size, "%s", j.text);
}

/* The largest size, up to 1 and down to 0.8 of it, at which one line is enough. */
static double fit(const struct scene *s, const char *text, double width, struct type type)
{
	double share = width / fmax(text_width(s, text, type), 1);

	return type.size * (share >= 1 ? 1 : share >= 0.8 ? share * 0.999 : 1);
}

struct scene_box words_frame(struct scene *s, const struct picture_item *items, size_t n,
			     bool compare, struct scene_box box)
{
	struct type head = {fmin(fmax(s->width / 60, 17), 26), true, INK_TEXT};
	struct type sub = {fmin(fmax(s->width / 95, TYPE_CAPTION), 16.5), false, INK_MUTED};
	static const struct type foot = {TYPE_CAPTION, false, INK_MUTED};
	struct joined j = {"", BETWEEN}, c = {"", "  |  "};
	bool low = s->height < 420;
	char title[512];
	double y, bottom = box.y + box.h;
	int lines;

	headline(items, n, compare, title, sizeof(title));
	s->title = xstrdup(title);
	head.size = fit(s, title, box.w, head);
	y = text_wrap(s, title, box, 2, head) + 2;
	if (alike(items, n))
		join_load(&j, items[0].run);
	if (n == 1)
		join_evidence(s, &j, items[0].verdict, box.w, sub);
	if (s->height >= 320)
		y = text_wrap(s, j.text, (struct scene_box){box.x, y, box.w, 0}, low ? 1 : 2, sub);
	/* A doubt about the data goes with the picture wherever it is posted. */
	if (n == 1 && items[0].verdict->n_warnings && !low) {
		sub.ink = INK_OTHER;
		text_format(title, sizeof(title), "Note: %s", items[0].verdict->warnings[0]);
		y = text_wrap(s, title, (struct scene_box){box.x, y, box.w, 0}, 1, sub);
	}
	caption(s, &c, items, n);
	lines = !low && text_width(s, c.text, foot) > box.w ? 2 : 1;
	bottom -= lines * LINE * foot.size;
	text_wrap(s, c.text, (struct scene_box){box.x, bottom, box.w, 0}, lines, foot);
	return (struct scene_box){box.x, y + 4, box.w, bottom - 4 - y - 4};
}
