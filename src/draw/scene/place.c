/*
 * Texts are placed so that none covers another: a text that finds no room is not drawn. Labels in
 * the plots look for the place where they hide the least data.
 */
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define MARGIN   2.0 /* px between texts */

double text_width(const struct scene *s, const char *text, struct type type)
{
	return s->measure->width(s->measure->ctx, text, type.size, type.bold);
}

static struct scene_box text_box(double x, double y, double width, double size)
{
	return (struct scene_box){x, y - TEXT_ASCENT * size, width,
				  (TEXT_ASCENT + TEXT_DESCENT) * size};
}

static bool meet(struct scene_box a, struct scene_box b)
{
	return a.x < b.x + b.w + MARGIN && b.x < a.x + a.w + MARGIN &&
	       a.y < b.y + b.h + MARGIN / 2 && b.y < a.y + a.h + MARGIN / 2;
}

static bool is_free(const struct scene *s, struct scene_box box)
{
	if (box.x < 0 || box.y < 0 || box.x + box.w > s->width || box.y + box.h > s->height)
		return false;
	for (size_t i = 0; i < s->n_texts; i++)
		if (meet(s->text[i].box, box))
			return false;
	return true;
}

static void add(struct scene *s, const char *text, double x, double y, struct type type,
		struct scene_box box, bool halo)
{
	if (s->n_texts == s->cap_texts) {
		s->cap_texts = s->cap_texts ? 2 * s->cap_texts : 32;
		s->text = xreallocarray(s->text, s->cap_texts, sizeof(*s->text));
	}
	s->text[s->n_texts++] = (struct scene_text){
	    .text = xstrdup(text),
	    .x = x,
	    .y = y,
	    .size = type.size,
	    .bold = type.bold,
	    .halo = halo,
	    .ink = type.ink,
	    .box = box,
	    .panel = s->current,
	};
}

bool text_put(struct scene *s, const char *text, double x, double y, enum align align,
	      struct type type)
{
	double width = text_width(s, text, type);
	struct scene_box box;

	if (!*text)
		return true;
	x -= align == ALIGN_RIGHT ? width : align == ALIGN_CENTER ? width / 2 : 0;
	box = text_box(x, y, width, type.size);
	if (!is_free(s, box))
		return false;
	add(s, text, x, y, type, box, false);
	return true;
}

/* Shortens `text` to `n` bytes, back to the start of a character, and adds an ellipsis. */
static void cut(char *text, size_t n)
{
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	while (n > 0 && text[n - 1] == ' ')
		n--;
	strcpy(text + n, ELLIPSIS); /* callers leave room */
}

bool text_put_cut(struct scene *s, const char *text, double x, double y, double width,
		  struct type type)
{
	size_t n = strlen(text);
	char line[1024];

	if (n >= sizeof(line) - sizeof(ELLIPSIS))
		n = sizeof(line) - sizeof(ELLIPSIS) - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	while (n > 0 && text_width(s, line, type) > width) {
		n--;
		memcpy(line, text, n + 1);
		cut(line, n);
	}
	return n > 0 && text_put(s, line, x, y, ALIGN_LEFT, type);
}

/* Bytes of `text` that fit into `width`, up to a blank; all of it if it fits. */
static size_t fitting(const struct scene *s, const char *text, double width, struct type type)
{
	size_t best = 0, n = strlen(text);
	char line[1024];

	for (size_t i = 1; i <= n && i < sizeof(line); i++) {
		if (text[i] != ' ' && text[i] != '\0')
			continue;
		memcpy(line, text, i);
		line[i] = '\0';
		if (text_width(s, line, type) > width)
			break;
		best = i;
	}
	return best;
}

double text_wrap(struct scene *s, const char *text, struct scene_box in, int lines,
		 struct type type)
{
	double y = in.y + TEXT_ASCENT * type.size;

	while (*text && lines > 0) {
		size_t n = fitting(s, text, in.w, type);
		char line[1024];

		if (lines == 1 || n == 0 || n >= sizeof(line)) {
			text_put_cut(s, text, in.x, y, in.w, type);
			return y + 1.3 * type.size;
		}
		memcpy(line, text, n);
		line[n] = '\0';
		text_put(s, line, in.x, y, ALIGN_LEFT, type);
		text += n + (text[n] == ' ');
		y += 1.3 * type.size;
		lines--;
	}
	return y;
}

struct label {
	const char *const *line;
	const struct type *type;
	int n;
	double w, h;
};

static double label_cost(const struct scene *s, const struct label *l, struct scene_box box,
			 double x, double y)
{
	double side = box.x > x ? box.x - x : x - box.x - l->w;
	double away = fabs(box.y + box.h / 2 - y);

	return 400 * busy_share(s, box) + fmax(side - 8, 0) + 0.35 * away + (box.x < x ? 4 : 0);
}

bool text_place(struct scene *s, const char *const lines[2], const struct type type[2],
		struct scene_box in, double x, double y)
{
	struct label l = {.line = lines, .type = type};
	struct scene_box best = {0};
	double best_cost = INFINITY;

	for (l.n = 0; l.n < 2 && lines[l.n]; l.n++) {
		l.w = fmax(l.w, text_width(s, lines[l.n], type[l.n]));
		l.h += 1.2 * type[l.n].size;
	}
	for (double py = in.y + 2; py + l.h <= in.y + in.h - 2; py += 4)
		for (double side = 0; side < 12; side++) {
			double off = 8 + 24 * floor(side / 2);
			double px = fmod(side, 2) > 0 ? x - off - l.w : x + off;
			struct scene_box box = {px, py, l.w, l.h};
			double cost;

			if (px < in.x + 2 || px + l.w > in.x + in.w - 2)
				continue;
			cost = label_cost(s, &l, box, x, y);
			if (cost < best_cost && is_free(s, box)) {
				best_cost = cost;
				best = box;
			}
		}
	if (isinf(best_cost))
		return false;
	y = best.y;
	for (int k = 0; k < l.n; k++) {
		double size = type[k].size, width = text_width(s, lines[k], type[k]);

		y += 1.2 * size;
		x = best.x;
		add(s, lines[k], x, y - (TEXT_DESCENT + 0.05) * size, type[k],
		    text_box(x, y - (TEXT_DESCENT + 0.05) * size, width, size), true);
	}
	return true;
}
