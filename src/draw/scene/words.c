/* Words around the plots: the verdict as headline, load and evidence, and the caption. */
#include <stdlib.h>
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define PARTS_MAX 12

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
	char text[128], block[32];

	if (l->op == OP_NONE) {
		join(j, "no load of ours");
		return;
	}
	text_size(block, sizeof(block), l->block_bytes);
	text_format(text, sizeof(text), "%s %s%s%s", l->pattern, op_names[l->op],
		    l->block_bytes ? " " : "", l->block_bytes ? block : "");
	text_clean(text);
	join(j, text);
	if (l->queue_depth) {
		text_format(text, sizeof(text), "QD%u", l->queue_depth);
		join(j, text);
	}
	join(j, l->engine);
}

/* The strongest reasons first, until the line is full. */
static void join_evidence(struct joined *j, const struct verdict *v, size_t most)
{
	bool used[64] = {false};

	for (size_t k = 0; k < most; k++) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < v->evidence.n && i < sizeof(used); i++)
			if (!used[i] && v->evidence.item[i].weight != 0 &&
			    (best == SIZE_MAX || fabs(v->evidence.item[i].weight) >
						     fabs(v->evidence.item[best].weight)))
				best = i;
		if (best == SIZE_MAX)
			return;
		used[best] = true;
		join(j, v->evidence.item[best].text);
	}
}

static void caption(struct joined *j, const struct run *run)
{
	const struct drive *d = &run->drive;
	size_t serial = strlen(d->serial);
	char text[320];

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
	join(j, d->transport);
	if (run->series.n && !isnan(series_get(&run->series, FIELD_LINK_GT_S, run->series.n - 1))) {
		text_format(text, sizeof(text), "link %.1f GT/s x%.0f",
			    series_get(&run->series, FIELD_LINK_GT_S, run->series.n - 1),
			    series_get(&run->series, FIELD_LINK_WIDTH, run->series.n - 1));
		join(j, text);
	}
	if (!isnan(run->ambient_c)) {
		text_format(text, sizeof(text),
			    "ambient %.0f \xc2\xb0"
			    "C",
			    run->ambient_c);
		join(j, text);
	}
	join(j, run->note);
	if (run->interval_s > 0) {
		text_format(text, sizeof(text), "a row every %g s", run->interval_s);
		join(j, text);
	}
	join(j, run->tool);
	text_format(text, sizeof(text), "%.10s", run->start_utc);
	join(j, text);
}

struct scene_box words_frame(struct scene *s, const struct picture_options *o,
			     const struct picture_item *items, size_t n, struct scene_box box)
{
	static const struct type head = {TYPE_HEAD, true, INK_TEXT};
	static const struct type sub = {TYPE_SUB, false, INK_MUTED};
	static const struct type foot = {TYPE_CAPTION, false, INK_MUTED};
	struct joined j = {"", " \xc2\xb7 "};
	struct joined c = {"", "  |  "};
	double y, bottom = box.y + box.h;

	(void)o;
	y = text_wrap(s, items[0].verdict->text, box, 2, head);
	join_load(&j, items[0].run);
	join_evidence(&j, items[0].verdict, 2);
	y = text_wrap(s, j.text, (struct scene_box){box.x, y - 16, box.w, 0}, 2, sub);
	for (size_t i = 0; i < n && i < 1; i++)
		caption(&c, items[i].run);
	text_wrap(s, c.text, (struct scene_box){box.x, bottom - 2.4 * TYPE_CAPTION, box.w, 0}, 2,
		  foot);
	bottom -= 2.4 * TYPE_CAPTION + 8;
	return (struct scene_box){box.x, y - 6, box.w, bottom - y + 6};
}
