/* Texts that are put at a place of their own: never over another one, never out of their panel. */
#include <string.h>

#include "draw/scene/build.h"
#include "throttlog/alloc.h"
#include "throttlog/text.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define MARGIN   2.0 /* px between texts */

double text_width(const struct scene *s, const char *text, struct type type)
{
	return s->measure->width(s->measure->ctx, text, type.size, type.bold);
}

struct scene_box text_box(double x, double y, double width, double size)
{
	return (struct scene_box){x, y - TEXT_ASCENT * size, width,
				  (TEXT_ASCENT + TEXT_DESCENT) * size};
}

static bool meet(struct scene_box a, struct scene_box b)
{
	return a.x < b.x + b.w + MARGIN && b.x < a.x + a.w + MARGIN &&
	       a.y < b.y + b.h + MARGIN / 2 && b.y < a.y + a.h + MARGIN / 2;
}

static bool inside(struct scene_box a, struct scene_box b)
{
	return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;
}

bool text_free(const struct scene *s, struct scene_box box)
{
	if (!inside(box, (struct scene_box){0, 0, s->width, s->height}))
		return false;
	if (s->current >= 0 && !inside(box, s->panel[s->current]))
		return false;
	for (size_t i = 0; i < s->n_texts; i++)
		if (meet(s->text[i].box, box))
			return false;
	return true;
}

void text_add(struct scene *s, const char *text, double x, double y, struct type type,
	      enum ink halo)
{
	char *clean;

	if (s->n_texts == s->cap_texts) {
		s->cap_texts = s->cap_texts ? 2 * s->cap_texts : 32;
		s->text = xreallocarray(s->text, s->cap_texts, sizeof(*s->text));
	}
	clean = xstrdup(text);
	if (!text_is_clean(clean))
		text_clean(clean);
	s->text[s->n_texts++] = (struct scene_text){
	    .text = clean,
	    .x = x,
	    .y = y,
	    .size = type.size,
	    .bold = type.bold,
	    .halo = halo,
	    .ink = type.ink,
	    .box = text_box(x, y, text_width(s, text, type), type.size),
	    .panel = s->current,
	};
}

bool text_put(struct scene *s, const char *text, double x, double y, enum align align,
	      struct type type)
{
	double width = text_width(s, text, type);

	if (!*text)
		return true;
	x -= align == ALIGN_RIGHT ? width : align == ALIGN_CENTER ? width / 2 : 0;
	if (!text_free(s, text_box(x, y, width, type.size)))
		return false;
	text_add(s, text, x, y, type, INK_COUNT);
	return true;
}

/* The longest start of `text` that fits into `width` with an ellipsis, whole characters only. */
static void cut(const struct scene *s, const char *text, double width, struct type type, char *line,
		size_t size)
{
	size_t n = strnlen(text, size - sizeof(ELLIPSIS));
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		/* Whole characters; this may be `low` again. */
		while (middle > low && ((unsigned char)text[middle] & 0xc0) == 0x80)
			middle--;
		if (middle == low) {
			middle = low + (high - low + 1) / 2;
			while (middle < high && ((unsigned char)text[middle] & 0xc0) == 0x80)
				middle++;
		}
		memcpy(line, text, middle);
		memcpy(line + middle, ELLIPSIS, sizeof(ELLIPSIS));
		if (text_width(s, line, type) <= width)
			low = middle;
		else
			high = middle - 1;
	}
	while (low > 0 && ((unsigned char)text[low] & 0xc0) == 0x80)
		low--;
	while (low > 0 && strchr(" ,;:", text[low - 1]))
		low--;
	memcpy(line, text, low);
	if (low)
		memcpy(line + low, ELLIPSIS, sizeof(ELLIPSIS));
	else
		line[0] = '\0';
}

bool text_put_cut(struct scene *s, const char *text, double x, double y, double width,
		  struct type type)
{
	char line[1024];

	if (text_width(s, text, type) <= width)
		return text_put(s, text, x, y, ALIGN_LEFT, type);
	cut(s, text, width, type, line, sizeof(line));
	return *line && text_put(s, line, x, y, ALIGN_LEFT, type);
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
	double y = in.y;

	while (*text && lines > 0) {
		size_t n = fitting(s, text, in.w, type);
		char line[1024];

		if (lines == 1 || n == 0 || n >= sizeof(line)) {
			text_put_cut(s, text, in.x, y + TEXT_ASCENT * type.size, in.w, type);
			return y + LINE * type.size;
		}
		memcpy(line, text, n);
		line[n] = '\0';
		text_put(s, line, in.x, y + TEXT_ASCENT * type.size, ALIGN_LEFT, type);
		text += n + (text[n] == ' ');
		y += LINE * type.size;
		lines--;
	}
	return y;
}
