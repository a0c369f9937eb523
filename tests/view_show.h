/* The made-up run as the live view sees it: state, keys, screens as text. */
#ifndef VIEW_SHOW_H
#define VIEW_SHOW_H

#include "throttlog/view.h"
#include "view_fixture.h"

struct show {
	struct fixture *f;
	struct view_state v;
};

/* `rows` rows of `n` drives, as the view would have seen them. */
static inline struct show show_start(size_t n, int rows)
{
	struct show s = {.f = fixture_new(n)};

	view_init(&s.v, &s.f->session);
	for (int r = 0; r < rows && fixture_step(s.f); r++)
		for (size_t i = 0; i < n; i++)
			view_stats_row(&s.v.stats[i], &s.f->session.drive[i]);
	return s;
}

static inline void show_end(struct show *s)
{
	view_fini(&s->v);
	fixture_free(s->f);
}

static inline enum request_kind press(struct show *s, uint32_t key)
{
	struct request r;

	view_key(&s->v, &s->f->session, key, &r);
	return r.kind;
}

static inline void type(struct show *s, const char *keys)
{
	for (; *keys; keys++)
		press(s, (unsigned char)*keys);
}

/* The caller frees it. */
static inline char *screen(struct show *s, int w, int h, enum charset charset)
{
	struct canvas c = {.charset = charset};
	char *dump;

	canvas_resize(&c, w, h);
	view_draw(&c, &s->f->session, &s->v);
	dump = canvas_dump(&c);
	canvas_fini(&c);
	return dump;
}

#endif
