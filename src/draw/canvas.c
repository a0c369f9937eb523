/* The canvas: cells, clipped text, and a dump for tests. */
#include "throttlog/canvas.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"
#include "throttlog/view.h"

#define TEXT_MAX 1024

/* Speed has the terminal's own colour where there are only 8: none of them suits both grounds. */
const struct tint_colour tints[TINT_COUNT] = {
    [TINT_PLAIN] = {'.', -1, -1}, [TINT_FAINT] = {'f', -1, 244}, [TINT_SPEED] = {'s', -1, 33},
    [TINT_TEMP] = {'t', 1, 166},  [TINT_SENSOR] = {'h', 5, 133}, [TINT_LIMIT] = {'l', 5, 133},
    [TINT_GOOD] = {'g', 2, 28},   [TINT_WARN] = {'w', 5, 130},   [TINT_BAD] = {'b', 1, 160},
    [TINT_KEY] = {'k', -1, -1},
};

void canvas_clear(struct canvas *c)
{
	for (int i = 0; i < c->w * c->h; i++)
		c->cell[i] = (struct cell){.ch = ' '};
}

void canvas_resize(struct canvas *c, int w, int h)
{
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	if (w != c->w || h != c->h)
		c->cell = xreallocarray(c->cell, (size_t)w * (size_t)h, sizeof(*c->cell));
	c->w = w;
	c->h = h;
	canvas_clear(c);
}

void canvas_fini(struct canvas *c)
{
	free(c->cell);
	memset(c, 0, sizeof(*c));
}

struct cell *canvas_at(const struct canvas *c, int x, int y)
{
	return x >= 0 && y >= 0 && x < c->w && y < c->h ? &c->cell[y * c->w + x] : NULL;
}

void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum tint tint, int attr)
{
	struct cell *cell = canvas_at(c, x, y);

	if (cell)
		*cell = (struct cell){ch, (uint8_t)tint, (uint8_t)attr};
}

/* Decodes one character of valid UTF-8 (all text passed text_clean); junk becomes U+FFFD. */
static const char *decode(const char *s, uint32_t *ch)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned more = p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;

	*ch = p[0];
	if (p[0] < 0x80)
		return s + 1;
	*ch = p[0] < 0xc0 ? 0xfffd : p[0] & (0x3fu >> more);
	for (unsigned i = 1; i <= more && *ch != 0xfffd; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			*ch = 0xfffd;
			return s + 1;
		}
		*ch = *ch << 6 | (p[i] & 0x3f);
	}
	return s + 1 + (p[0] < 0xc0 ? 0 : more);
}

struct span32 {
	uint32_t first, last;
};

static bool in_spans(uint32_t ch, const struct span32 *spans, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ch >= spans[i].first && ch <= spans[i].last)
			return true;
	return false;
}

/*
 * Columns of a character, after Unicode's East Asian Width and the combining blocks. wcwidth()
 * would depend on the locale of the process, and a view must not.
 */
static int char_width(uint32_t ch)
{
	static const struct span32 none[] = {
	    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},
	    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2060, 0x2064},
	    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
	};
	static const struct span32 wide[] = {
	    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
	    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
	    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
	};

	if (ch < 0x300)
		return 1;
	if (in_spans(ch, none, sizeof(none) / sizeof(*none)))
		return 0;
	return in_spans(ch, wide, sizeof(wide) / sizeof(*wide)) ? 2 : 1;
}

static int text_columns(const char *text)
{
	int n = 0;
	uint32_t ch;

	while (*text) {
		text = decode(text, &ch);
		n += char_width(ch);
	}
	return n;
}

static const char *reduced(const struct canvas *c, const char *text, char *buf)
{
	if (c->charset != CHARSET_ASCII)
		return text;
	text_format(buf, TEXT_MAX, "%s", text);
	view_ascii(buf);
	return buf;
}

int canvas_width(const struct canvas *c, const char *text)
{
	char buf[TEXT_MAX];

	return text_columns(reduced(c, text, buf));
}

int canvas_text(struct canvas *c, int x, int y, int max, enum tint tint, int attr, const char *text)
{
	char buf[TEXT_MAX];
	int used = 0;
	bool cut;

	text = reduced(c, text, buf);
	cut = text_columns(text) > max;
	while (*text && used < max) {
		uint32_t ch;
		int w;

		text = decode(text, &ch);
		w = char_width(ch);
		if (w == 0)
			continue;
		if (cut && used + w > max - 1) {
			canvas_put(c, x + used, y, c->charset == CHARSET_ASCII ? '~' : 0x2026, tint,
				   attr);
			return used + 1;
		}
		canvas_put(c, x + used, y, ch, tint, attr);
		if (w == 2)
			canvas_put(c, x + used + 1, y, 0, tint, attr);
		used += w;
	}
	return used;
}

int canvas_printf(struct canvas *c, int x, int y, int max, enum tint tint, int attr,
		  const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	text_vformat(text, sizeof(text), format, args);
	va_end(args);
	return canvas_text(c, x, y, max, tint, attr, text);
}

void canvas_rule(struct canvas *c, int x, int y, int w, const char *title)
{
	for (int i = 0; i < w; i++)
		canvas_put(c, x + i, y, c->charset == CHARSET_ASCII ? '-' : 0x2500, TINT_FAINT, 0);
	if (title && w > 4) {
		int n = canvas_text(c, x + 2, y, w - 3, TINT_PLAIN, ATTR_BOLD, title);

		canvas_put(c, x + 1, y, ' ', TINT_PLAIN, 0);
		canvas_put(c, x + 2 + n, y, ' ', TINT_PLAIN, 0);
	}
}

char *canvas_encode(uint32_t ch, char *out)
{
	if (ch < 0x80) {
		*out++ = (char)ch;
	} else if (ch < 0x800) {
		*out++ = (char)(0xc0 | ch >> 6);
		*out++ = (char)(0x80 | (ch & 0x3f));
	} else {
		if (ch < 0x10000) {
			*out++ = (char)(0xe0 | ch >> 12);
		} else {
			*out++ = (char)(0xf0 | ch >> 18);
			*out++ = (char)(0x80 | (ch >> 12 & 0x3f));
		}
		*out++ = (char)(0x80 | (ch >> 6 & 0x3f));
		*out++ = (char)(0x80 | (ch & 0x3f));
	}
	return out;
}

/* Tints as letters; upper case is bold or reversed. */
static char tint_letter(const struct cell *cell)
{
	int letter = (unsigned char)tints[cell->tint].letter;

	if (letter == '.' && !cell->attr && cell->ch == ' ')
		letter = ' ';
	else if (letter == '.' && cell->attr)
		letter = 'P';
	else if (cell->attr)
		letter = toupper(letter);
	return (char)letter;
}

char *canvas_dump(const struct canvas *c)
{
	char *text = xmalloc((size_t)c->h * ((size_t)c->w * 5 + 2) + 16), *out = text;

	for (int layer = 0; layer < 2; layer++) {
		for (int y = 0; y < c->h; y++) {
			char *start = out;

			for (int x = 0; x < c->w; x++) {
				const struct cell *cell = &c->cell[y * c->w + x];

				if (layer)
					*out++ = tint_letter(cell);
				else if (cell->ch)
					out = canvas_encode(cell->ch, out);
			}
			while (out > start && out[-1] == ' ')
				out--;
			*out++ = '\n';
		}
		if (!layer)
			out = stpcpy(out, CANVAS_DUMP_TINTS);
	}
	*out = '\0';
	return text;
}
