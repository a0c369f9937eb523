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
    ("A solid line is the composite temperature, a dotted one the hottest sensor; the heavy line "
     "between the plots is time in which the drive was throttled."),
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

/* The help as one long page, of which the screen shows a part. */
struct page {
	const struct frame *f;
	struct rect r;
	int line; /* the next one, counted from the first that is shown */
};

/* The row of the page's next line; -1 if it is not on the screen. */
static int next_row(struct page *p)
{
	int line = p->line++;

	return line >= 0 && line < p->r.h ? p->r.y + line : -1;
}

/* Bytes of `text` that go on a line of `w` columns: whole words, if the first one fits. */
static size_t words_that_fit(const struct canvas *c, const char *text, int w)
{
	char part[160];
	size_t best = 0, n = strlen(text);

	for (size_t k = 1; k <= n && k < sizeof(part); k++) {
		if (text[k] != ' ' && text[k])
			continue;
		memcpy(part, text, k);
		part[k] = '\0';
		if (best && canvas_width(c, part) > w)
			break;
		best = k;
	}
	return best ? best : n;
}

static void paragraph(struct page *p, const char *head, int indent, const char *text)
{
	struct canvas *c = p->f->c;

	do {
		int y = next_row(p);
		size_t n = words_that_fit(c, text, p->r.w - indent - 1);

		if (y >= 0) {
			canvas_text(c, p->r.x + 1, y, indent - 1, TINT_KEY, ATTR_BOLD, head);
			canvas_printf(c, p->r.x + indent + 1, y, p->r.w - indent - 1, TINT_PLAIN, 0,
				      "%.*s", (int)n, text);
		}
		head = "";
		text += n + (text[n] == ' ');
	} while (*text);
}

static void letters(struct page *p)
{
	int across = p->r.w / LETTER_W > 1 ? p->r.w / LETTER_W : 1, x = 0, y = -1;

	for (size_t k = 0; lettered(k) != EVENT_KIND_COUNT; k++, x += LETTER_W) {
		enum event_kind kind = lettered(k);

		if (k % (size_t)across == 0) {
			y = next_row(p);
			x = p->r.x + 1;
		}
		if (y < 0)
			continue;
		canvas_printf(p->f->c, x, y, 1, event_tint(kind), ATTR_BOLD, "%c",
			      event_letter(kind));
		canvas_text(p->f->c, x + 2, y, p->r.x + p->r.w - x - 2, TINT_PLAIN, 0,
			    event_kinds[kind].label);
	}
}

int draw_help(const struct frame *f, struct rect r)
{
	struct page p = {f, {r.x, r.y + 1, r.w, r.h - 1}, -f->v->scroll};
	int lines;

	for (size_t i = 0; i < KEYS; i++)
		paragraph(&p, keys[i].keys, 13, keys[i].help);
	for (size_t i = 0; i < LEGEND; i++)
		paragraph(&p, "", 0, legend[i]);
	letters(&p);
	lines = p.line + f->v->scroll;
	canvas_rule(f->c, r.x, r.y, r.w, lines > r.h - 1 ? "Keys (Up, Down: more)" : "Keys");
	return lines + 1;
}

static bool is_pause(size_t i)
{
	return strcmp(keys[i].keys, "Space") == 0;
}

/* Has the key something to do in this session? */
static bool is_offered(const struct session *s, size_t i)
{
	bool writes = strcmp(keys[i].keys, "m") == 0 || strcmp(keys[i].keys, "s") == 0;

	return !(is_pause(i) && !view_pauses(s)) && !(writes && s->replay);
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
	const char *text = f->v->text;
	int used;

	if (f->v->prompt == PROMPT_QUIT) {
		canvas_text(f->c, r.x, r.y, r.w, TINT_PLAIN, ATTR_BOLD,
			    r.w < 50 ? "Stop and quit?  y / n"
				     : "Stop the load and quit?  y: yes   any other key: no");
		return;
	}
	used = canvas_text(f->c, r.x, r.y, r.w, TINT_KEY, ATTR_BOLD, "Mark: ");
	/* The end is where one types. */
	while (*text && canvas_width(f->c, text) > r.w - used - 1)
		do
			text++;
		while (((unsigned char)*text & 0xc0) == 0x80);
	used += canvas_text(f->c, r.x + used, r.y, r.w - used - 1, TINT_PLAIN, 0, text);
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

			if (!w || keys[i].priority != priority || total + w - 2 > r.w ||
			    !is_offered(f->s, i))
				continue;
			total += w;
			order[n++] = (int)i;
		}
	for (size_t i = 0; i < KEYS; i++)
		for (int k = 0; k < n; k++) {
			const char *brief = keys[i].brief;

			if (order[k] != (int)i)
				continue;
			if (is_pause(i) && paused(f->s))
				brief = "go on";
			x += canvas_text(f->c, x, r.y, r.x + r.w - x, TINT_KEY, ATTR_BOLD,
					 keys[i].key) +
			     1;
			x += canvas_text(f->c, x, r.y, r.x + r.w - x, TINT_PLAIN, 0, brief) + 2;
		}
}
