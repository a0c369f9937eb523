/*
 * A grid of character cells that views draw on: pure, clipped at its edges, without a terminal.
 * One file (sinks/term.c) puts it on a screen; tests compare it cell by cell.
 */
#ifndef THROTTLOG_CANVAS_H
#define THROTTLOG_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the terminal can show. Braille needs a font that many consoles do not have. */
enum charset { CHARSET_ASCII, CHARSET_BLOCK, CHARSET_BRAILLE };

/* Meanings, not colours; `tints` holds the colours. No meaning is told by tint alone. */
enum tint {
	TINT_PLAIN,
	TINT_FAINT, /* rules, axes, labels */
	TINT_SPEED,
	TINT_TEMP,
	TINT_SENSOR, /* the drive's hottest extra sensor */
	TINT_LIMIT,
	TINT_GOOD,
	TINT_WARN,
	TINT_BAD,
	TINT_KEY,
	TINT_COUNT
};

enum { ATTR_BOLD = 1, ATTR_REVERSE = 2 };

/* Colour numbers that keep a contrast on black and on white; -1 is the terminal's own. */
struct tint_colour {
	char letter; /* in dumps */
	int ansi;    /* 8 colours */
	int x256;
};

extern const struct tint_colour tints[TINT_COUNT];

/* A Unicode character of one column; 0 is the right half of a wide one to its left. */
struct cell {
	uint32_t ch;
	uint8_t tint, attr;
};

struct canvas {
	int w, h;
	enum charset charset;
	struct cell *cell; /* w x h, rows from the top; owned */
};

struct rect {
	int x, y, w, h;
};

/* A zeroed struct canvas is an empty one; resizing clears it. Sizes below 1 count as 1. */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_fini(struct canvas *c);
void canvas_clear(struct canvas *c);
/* NULL outside. */
struct cell *canvas_at(const struct canvas *c, int x, int y);
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum tint tint, int attr);
/*
 * Draws UTF-8 text, cut with an ellipsis at `max` columns. Returns the columns used. On an ASCII
 * canvas the text is reduced as view_ascii() does.
 */
int canvas_text(struct canvas *c, int x, int y, int max, enum tint tint, int attr,
		const char *text);
int canvas_printf(struct canvas *c, int x, int y, int max, enum tint tint, int attr,
		  const char *format, ...) __attribute__((format(printf, 7, 8)));
/* Columns that `text` takes on this canvas. */
int canvas_width(const struct canvas *c, const char *text);
/* A horizontal rule with a title in it: "── Events ─────". */
void canvas_rule(struct canvas *c, int x, int y, int w, const char *title);
/* Writes `ch` as UTF-8, at most 4 bytes without a NUL; returns the end. */
char *canvas_encode(uint32_t ch, char *out);
/* Between the two parts of a dump. */
#define CANVAS_DUMP_TINTS "== tints\n"
/* Text lines without trailing blanks, then the tints of the same cells; the caller frees it. */
char *canvas_dump(const struct canvas *c);

#endif
