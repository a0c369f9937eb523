/* The title line: which drive, how it is loaded, how far the run is, how the drive stands. */
#include <math.h>
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

static void add_identity(const struct frame *f, size_t i, struct pieces *p)
{
	const struct session_drive *d = &f->s->drive[i];
	const struct view_stats *st = &f->v->stats[i];
	double speed = st->latest[FIELD_LINK_GT_S], width = st->latest[FIELD_LINK_WIDTH];

	if (f->s->n > 1)
		piece_add(p, 9, TINT_PLAIN, ATTR_BOLD, "%zu %.70s", i + 1, d->label);
	else
		piece_add(p, 9, TINT_PLAIN, ATTR_BOLD, "%.79s", d->label);
	piece_add(p, 3, TINT_PLAIN, 0, "%s", d->run.drive.firmware);
	piece_add(p, 2, TINT_PLAIN, 0, "%s", d->run.drive.serial);
	if (!isnan(speed) && !isnan(width))
		piece_add(p, 4, TINT_PLAIN, 0, "%.3g GT/s ×%.0f", speed, width);
	else
		piece_add(p, 1, TINT_PLAIN, 0, "%s", d->run.drive.transport);
}

static void add_load(const struct session_drive *d, struct pieces *p)
{
	const struct load_spec *load = &d->run.load;
	char block[32];

	if (load->op == OP_NONE) {
		piece_add(p, 5, TINT_PLAIN, 0, "no load of ours");
		return;
	}
	text_size(block, sizeof(block), load->block_bytes);
	if (load->block_bytes && load->queue_depth)
		piece_add(p, 2, TINT_PLAIN, 0, "%s %s QD%u",
			  strcmp(load->pattern, "random") == 0 ? "random" : "", block,
			  load->queue_depth);
}

/* What the load does now: a run may read first and write then. */
static enum op current_op(const struct session_drive *d)
{
	const struct series *s = &d->run.series;

	return s->n && s->op[s->n - 1] != OP_NONE ? (enum op)s->op[s->n - 1] : d->run.load.op;
}

static void add_phase(const struct frame *f, const struct session_drive *d, struct pieces *p)
{
	char clock[32];

	piece_add(p, 6, TINT_PLAIN, 0, "%s%s%s",
		  d->phase == PHASE_LOAD ? op_names[current_op(d)] : phase_names[d->phase],
		  d->phase == PHASE_LOAD && d->run.load.op == OP_NONE ? "watch" : "",
		  d->phase == PHASE_LOAD && d->run.load.op != OP_NONE ? " load" : "");
	view_clock(f->s->elapsed_s, clock, sizeof(clock));
	piece_add(p, 7, TINT_PLAIN, 0, "%s", clock);
	if (!isnan(d->phase_left_s) && !d->done) {
		view_clock(d->phase_left_s, clock, sizeof(clock));
		piece_add(p, 5, TINT_PLAIN, 0, "%s left", clock);
	}
}

void draw_title(const struct frame *f, size_t i, struct rect r)
{
	const struct session_drive *d = &f->s->drive[i];
	const char *word = view_state_word(d);
	struct pieces who = {0}, how = {0};
	char state[40], clock[32];
	int used, width;

	text_format(state, sizeof(state), " %s ", word);
	width = canvas_width(f->c, state);
	if (width > r.w)
		width = r.w;
	canvas_text(f->c, r.x + r.w - width, r.y, width, view_state_tint(word),
		    ATTR_REVERSE | ATTR_BOLD, state);
	r.w -= width + 1;
	if (r.w < 4)
		return;
	add_phase(f, d, &how);
	add_load(d, &how);
	add_identity(f, i, &who);
	/* The drive's name may take two thirds; phase and times come first in the rest. */
	if (r.w < 45) {
		view_clock(f->s->elapsed_s, clock, sizeof(clock));
		width = canvas_width(f->c, clock);
		if (r.w >= 20) {
			r.w -= width + 1;
			canvas_text(f->c, r.x + r.w + 1, r.y, width, TINT_PLAIN, 0, clock);
		}
		pieces_draw(f->c, r.x, r.y, r.w, &who, 1);
		return;
	}
	width = r.w;
	for (size_t k = 0; k < 3 && k < how.n; k++)
		width -= canvas_width(f->c, how.item[k].text) + 2;
	used = pieces_draw(f->c, r.x, r.y, width, &who, 2);
	pieces_draw(f->c, r.x + used + 3, r.y, r.w - used - 3, &how, 2);
}
