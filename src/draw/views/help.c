/* The keys, described once: for the key bar and for the help. Also prompt and notice. */
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

static const struct {
	const char *key, *brief; /* key bar; NULL: not there */
	int priority;
	const char *keys, *help;
} keys[] = {
    {"q", "quit", 9, "q", "stop the load and quit; asks while a load runs"},
    {"Space", "pause", 8, "Space", "pause and resume the load; the log tells when"},
    {"m", "mark", 6, "m", "put a mark with your words into the log: \"fan on\""},
    {"s", "picture", 5, "s", "write the picture now"},
    {"x", "panel", 4, "x 1 2 3", "next panel: plots, throughput against temperature, all values"},
    {NULL, NULL, 0, "Tab", "with several drives: the next drive, or all"},
    {"+ -", "zoom", 3, "+ - Up Down", "a shorter or longer time axis"},
    {NULL, NULL, 0, "Left Right", "back and forth in time; PageUp and PageDown by whole screens"},
    {NULL, NULL, 0, "Home End", "start of the run; back to now"},
    {"u", "units", 1, "u", "MB/s (10^6 bytes) or MiB/s (2^20 bytes)"},
    {"t", "°C/°F", 1, "t", "°C or °F, on the screen only"},
    {"r", "reset", 1, "r", "forget peak, minimum and mean"},
    {NULL, NULL, 0, "Ctrl-L", "draw the screen again"},
    {NULL, NULL, 0, "Ctrl-Z", "suspend: the load pauses, fg resumes it"},
    {"?", "help", 7, "? h F1", "this help; ? or Esc closes it"},
};
#define KEYS (sizeof(keys) / sizeof(*keys))

static const char *const legend[] = {
    "",
    "A solid line is the composite temperature, a dotted one the hottest sensor;",
    "the heavy line between the plots is time in which the drive was throttled.",
    "Counters are shown as their change since the start.",
    "",
    "Letters in the plots:",
};
#define LEGEND (sizeof(legend) / sizeof(*legend))

#define LETTER_W 38 /* columns of a letter and its meaning */

/* The k-th event that has a letter, or EVENT_KIND_COUNT. */
static enum event_kind lettered(size_t k)
{
	enum event_kind kind = 0;

	for (; kind < EVENT_KIND_COUNT; kind++)
		if (event_letter(kind) && *event_kinds[kind].label && k-- == 0)
			break;
	return kind;
}

static void draw_letters(const struct frame *f, struct rect r, int y, size_t first, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		enum event_kind kind = lettered(first + k);
		int x = r.x + 1 + (int)k * LETTER_W;

		if (kind == EVENT_KIND_COUNT)
			return;
		canvas_printf(f->c, x, y, 1, event_tint(kind), ATTR_BOLD, "%c", event_letter(kind));
		canvas_text(f->c, x + 2, y, r.x + r.w - x - 2, TINT_PLAIN, 0,
			    event_kinds[kind].label);
	}
}

void draw_help(const struct frame *f, struct rect r)
{
	size_t across = r.w / LETTER_W > 1 ? (size_t)(r.w / LETTER_W) : 1, letters = 0, lines;
	int line = -f->v->scroll;

	while (lettered(letters) != EVENT_KIND_COUNT)
		letters++;
	lines = KEYS + LEGEND + (letters + across - 1) / across;
	/* Never past the end. */
	if ((int)lines + line < r.h - 1)
		line = (int)lines > r.h - 1 ? r.h - 1 - (int)lines : 0;
	canvas_rule(f->c, r.x, r.y, r.w, (int)lines > r.h - 1 ? "Keys (Up, Down: more)" : "Keys");
	for (size_t i = 0; i < lines; i++, line++) {
		int y = r.y + 1 + line;

		if (line < 0 || y >= r.y + r.h)
			continue;
		if (i >= KEYS + LEGEND) {
			draw_letters(f, r, y, (i - KEYS - LEGEND) * across, across);
		} else if (i >= KEYS) {
			canvas_text(f->c, r.x + 1, y, r.w - 1, TINT_PLAIN, 0, legend[i - KEYS]);
		} else {
			canvas_text(f->c, r.x + 1, y, 12, TINT_KEY, ATTR_BOLD, keys[i].keys);
			canvas_text(f->c, r.x + 14, y, r.w - 14, TINT_PLAIN, 0, keys[i].help);
		}
	}
}

static bool paused(const struct session *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->drive[i].paused)
			return true;
	return false;
}

static void draw_prompt(const struct frame *f, struct rect r)
{
	int used;

	if (f->v->prompt == PROMPT_QUIT) {
		canvas_text(f->c, r.x, r.y, r.w, TINT_PLAIN, ATTR_BOLD,
			    r.w < 50 ? "Stop and quit?  y / n"
				     : "Stop the load and quit?  y: yes   any other key: no");
		return;
	}
	used = canvas_text(f->c, r.x, r.y, r.w, TINT_KEY, ATTR_BOLD, "Mark: ");
	used += canvas_text(f->c, r.x + used, r.y, r.w - used - 1, TINT_PLAIN, 0, f->v->text);
	canvas_put(f->c, r.x + used, r.y, ' ', TINT_PLAIN, ATTR_REVERSE);
	if (r.w - used > 40)
		canvas_text(f->c, r.x + r.w - 27, r.y, 27, TINT_FAINT, 0,
			    "Enter: log it   Esc: forget");
}

void draw_bar(const struct frame *f, struct rect r)
{
	int x = r.x, order[KEYS], n = 0, total = 0;

	if (f->v->prompt != PROMPT_NONE) {
		draw_prompt(f, r);
		return;
	}
	if (*f->v->notice) {
		canvas_text(f->c, r.x, r.y, r.w, TINT_PLAIN, ATTR_BOLD, f->v->notice);
		return;
	}
	for (int priority = 9; priority > 0; priority--)
		for (size_t i = 0; i < KEYS; i++) {
			int w = keys[i].key ? canvas_width(f->c, keys[i].key) +
						  canvas_width(f->c, keys[i].brief) + 3
					    : 0;

			if (!w || keys[i].priority != priority || total + w - 2 > r.w)
				continue;
			total += w;
			order[n++] = (int)i;
		}
	for (size_t i = 0; i < KEYS; i++)
		for (int k = 0; k < n; k++) {
			const char *brief = keys[i].brief;

			if (order[k] != (int)i)
				continue;
			if (strcmp(keys[i].keys, "Space") == 0 && paused(f->s))
				brief = "go on";
			x += canvas_text(f->c, x, r.y, r.x + r.w - x, TINT_KEY, ATTR_BOLD,
					 keys[i].key) +
			     1;
			x += canvas_text(f->c, x, r.y, r.x + r.w - x, TINT_PLAIN, 0, brief) + 2;
		}
}
