/*
 * The live view: keeps the running numbers, decides when a frame is worth drawing, and passes
 * keys on. Drawing is in draw/views, the terminal in term.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term.h"
#include "throttlog/alloc.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/sink.h"
#include "throttlog/view.h"

#define FRAME_NS   (250 * NS_PER_MS) /* at most four frames a second: slow lines */
#define NOTICE_NS  (6 * NS_PER_S)
#define STOPPED_NS (3 * NS_PER_S / 2) /* without a tick: the process was stopped */

struct view {
	struct sink sink;
	struct screen *term;
	struct canvas canvas;
	struct view_state state;
	bool dirty, redraw, suspended;
	int64_t drawn_ns, notice_ns, tick_ns;
	double shown_s;   /* elapsed time on the screen */
	unsigned notices; /* of the session, that were shown */
};

static int view_open(struct sink **out, const struct session *s, const struct sink_options *o,
		     char *why, size_t size)
{
	struct view *v = xzalloc(sizeof(*v));
	int err = term_open(&v->term, o->ascii, o->no_color, why, size);

	if (err) {
		free(v);
		return err;
	}
	v->sink.ops = &sink_view;
	diag_hold();
	view_init(&v->state, s);
	v->canvas.charset = term_charset(v->term);
	v->dirty = true;
	v->shown_s = -1;
	*out = &v->sink;
	return 0;
}

static void draw(struct view *v, const struct session *s)
{
	int w, h;

	term_resized(v->term, &w, &h);
	if (w != v->canvas.w || h != v->canvas.h) {
		canvas_resize(&v->canvas, w, h);
		/* Terminals differ in what they keep where: some wrap lines anew. */
		v->redraw = true;
	}
	view_draw(&v->canvas, s, &v->state);
	if (!term_show(v->term, &v->canvas, v->redraw))
		return;
	v->dirty = v->redraw = false;
	v->drawn_ns = clock_now_ns();
	v->shown_s = floor(s->elapsed_s);
}

static int view_row(struct sink *k, const struct session *s, size_t i)
{
	struct view *v = (struct view *)k;

	view_stats_row(&v->state.stats[i], &s->drive[i]);
	v->dirty = true;
	return 0;
}

static int view_fd(struct sink *k)
{
	return term_fd(((struct view *)k)->term);
}

static void view_input(struct sink *k, const struct session *s, struct request *out)
{
	struct view *v = (struct view *)k;
	uint32_t key;

	out->kind = REQUEST_NONE;
	while (out->kind == REQUEST_NONE && (key = term_key(v->term)) != VIEW_KEY_NONE) {
		view_key(&v->state, s, key, out);
		v->redraw = v->redraw || key == VIEW_KEY_REDRAW;
		v->dirty = true;
		v->notice_ns = clock_now_ns();
	}
	/* Nobody watches any more: a load that goes on unseen is the worst that can happen. */
	if (term_fd(v->term) < 0)
		out->kind = REQUEST_QUIT;
	else if (v->dirty)
		draw(v, s);
	/* What was asked for will show. */
	v->dirty = v->dirty || out->kind != REQUEST_NONE;
}

static void take_notice(struct view *v, const struct session *s, int64_t now_ns)
{
	if (v->notices != s->notices) {
		v->notices = s->notices;
		snprintf(v->state.notice, sizeof(v->state.notice), "%s", s->notice);
		v->notice_ns = now_ns;
		v->dirty = true;
	} else if (v->state.notice[0] && now_ns - v->notice_ns > NOTICE_NS) {
		v->state.notice[0] = '\0';
		v->dirty = true;
	}
}

static void view_tick(struct sink *k, const struct session *s)
{
	struct view *v = (struct view *)k;
	int64_t now_ns = clock_now_ns();
	bool stopped = v->tick_ns && now_ns - v->tick_ns > STOPPED_NS;
	int w, h;

	v->tick_ns = now_ns;
	if (v->suspended || stopped) {
		v->suspended = !term_resume(v->term);
		v->redraw = true;
		if (v->suspended)
			return;
	}
	take_notice(v, s, now_ns);
	/* Once a second in any case: the age of a reading grows without a row. */
	if (term_resized(v->term, &w, &h) || floor(s->elapsed_s) != v->shown_s ||
	    now_ns - v->drawn_ns >= NS_PER_S)
		v->dirty = true;
	if ((v->dirty || v->redraw) && now_ns - v->drawn_ns >= FRAME_NS)
		draw(v, s);
	else
		term_flush(v->term);
}

static void view_suspend(struct sink *k)
{
	struct view *v = (struct view *)k;

	if (!v->suspended)
		term_suspend(v->term);
	v->suspended = true;
}

static int view_close(struct sink *k, const struct session *s)
{
	struct view *v = (struct view *)k;

	(void)s;
	term_close(v->term);
	diag_release();
	view_fini(&v->state);
	canvas_fini(&v->canvas);
	free(v);
	return 0;
}

const struct sink_ops sink_view = {
    .name = "view",
    .help = "live view on the terminal",
    .screen = true,
    .open = view_open,
    .row = view_row,
    .fd = view_fd,
    .input = view_input,
    .tick = view_tick,
    .suspend = view_suspend,
    .close = view_close,
};
