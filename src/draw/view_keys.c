/* What a key does to the view. Only 'q', Space, 'm', 's' and Ctrl-Z reach the conductor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"
#include "throttlog/view.h"

#define CTRL(c) ((c)&0x1f)

/* Widths of the time axis in seconds, for zooming. */
static const double windows[] = {30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800};
#define WINDOWS (sizeof(windows) / sizeof(*windows))

void view_init(struct view_state *v, const struct session *s)
{
	memset(v, 0, sizeof(*v));
	v->focus = s->n > 1 ? -1 : 0;
	v->end_s = NAN;
	v->iec = s->iec;
	v->n = s->n;
	v->stats = xreallocarray(NULL, s->n ? s->n : 1, sizeof(*v->stats));
	for (size_t i = 0; i < s->n; i++)
		view_stats_clear(&v->stats[i]);
}

void view_fini(struct view_state *v)
{
	free(v->stats);
	memset(v, 0, sizeof(*v));
}

__attribute__((format(printf, 2, 3))) static void notice(struct view_state *v, const char *format,
							 ...)
{
	va_list args;

	va_start(args, format);
	text_vformat(v->notice, sizeof(v->notice), format, args);
	va_end(args);
}

static double newest_s(const struct session *s)
{
	double newest = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct series *rows = &s->drive[i].run.series;

		if (rows->n)
			newest = fmax(newest, series_time(rows, rows->n - 1));
	}
	return newest;
}

static double oldest_s(const struct session *s)
{
	double oldest = newest_s(s);

	for (size_t i = 0; i < s->n; i++)
		if (s->drive[i].run.series.n)
			oldest = fmin(oldest, series_time(&s->drive[i].run.series, 0));
	return oldest;
}

static bool loading(const struct session *s)
{
	for (size_t i = 0; i < s->n && !s->replay; i++) {
		const struct session_drive *d = &s->drive[i];

		if (d->run.load.op != OP_NONE && !d->done && !d->lost &&
		    d->phase != PHASE_BASELINE && d->phase != PHASE_COOLDOWN)
			return true;
	}
	return false;
}

bool view_pauses(const struct session *s)
{
	bool load = s->replay;

	for (size_t i = 0; i < s->n; i++)
		load = load || s->drive[i].run.load.op != OP_NONE;
	return load;
}

static void zoom(struct view_state *v, const struct session *s, bool in)
{
	double run_s = newest_s(s) - oldest_s(s),
	       now = v->window_s > 0 ? v->window_s : (double)INFINITY;
	double next = 0;

	if (in) {
		for (size_t i = 0; i < WINDOWS; i++)
			if (windows[i] < now && windows[i] < run_s)
				next = windows[i];
		if (next == 0)
			next = v->window_s;
	} else {
		for (size_t i = WINDOWS; i-- > 0;)
			if (windows[i] > now && windows[i] < run_s)
				next = windows[i];
	}
	v->window_s = next;
	if (next == 0) {
		v->end_s = NAN;
		notice(v, "the whole run");
	} else {
		char width[32];

		text_duration(width, sizeof(width), next);
		notice(v, "%s of the run; End: back to now", width);
	}
}

static void scroll_time(struct view_state *v, const struct session *s, double parts)
{
	double newest = newest_s(s), end = isnan(v->end_s) ? newest : v->end_s;

	if (v->window_s <= 0) {
		notice(v, "the whole run is shown; + zooms in");
		return;
	}
	end = fmax(end + parts * v->window_s, oldest_s(s) + v->window_s);
	v->end_s = end >= newest ? (double)NAN : end;
	if (isnan(v->end_s))
		notice(v, "now");
	else
		notice(v, "looking back; End: back to now");
}

/* False if the key has nothing to do with time. */
static bool key_time(struct view_state *v, const struct session *s, uint32_t key)
{
	switch (key) {
	case '+':
	case '=':
	case VIEW_KEY_UP:
		zoom(v, s, true);
		return true;
	case '-':
	case VIEW_KEY_DOWN:
		zoom(v, s, false);
		return true;
	case VIEW_KEY_LEFT:
		scroll_time(v, s, -0.25);
		return true;
	case VIEW_KEY_RIGHT:
		scroll_time(v, s, 0.25);
		return true;
	case VIEW_KEY_PAGE_UP:
		scroll_time(v, s, -1);
		return true;
	case VIEW_KEY_PAGE_DOWN:
		scroll_time(v, s, 1);
		return true;
	case VIEW_KEY_HOME:
		scroll_time(v, s, -1e9);
		return true;
	case VIEW_KEY_END:
		v->end_s = NAN;
		notice(v, "now");
		return true;
	default:
		return false;
	}
}

/* Lists that may be longer than the screen: the help and the table of fields. */
static bool key_list(struct view_state *v, uint32_t key)
{
	int by = key == VIEW_KEY_UP          ? -1
		 : key == VIEW_KEY_DOWN      ? 1
		 : key == VIEW_KEY_PAGE_UP   ? -10
		 : key == VIEW_KEY_PAGE_DOWN ? 10
		 : key == VIEW_KEY_HOME      ? -10000
		 : key == VIEW_KEY_END       ? 10000
					     : 0;

	if (!by || !(v->help || v->panel == PANEL_FIELDS))
		return false;
	v->scroll = v->scroll + by < 0 ? 0 : v->scroll + by;
	return true;
}

/* Through "all", the first, the second ... drive. */
static void focus(struct view_state *v, const struct session *s, int step)
{
	int places = (int)s->n + 1;

	if (s->n < 2)
		return;
	v->focus = (v->focus + 1 + step + places) % places - 1;
	v->scroll = 0;
	if (v->focus < 0)
		notice(v, "all drives");
	else
		notice(v, "drive %d: %s", v->focus + 1, s->drive[v->focus].label);
}

static void show_panel(struct view_state *v, enum view_panel panel)
{
	v->panel = panel;
	v->help = false;
	v->scroll = 0;
}

static bool key_display(struct view_state *v, const struct session *s, uint32_t key)
{
	switch (key) {
	case 'x':
		show_panel(v, (v->panel + 1) % PANEL_COUNT);
		return true;
	case '1':
	case '2':
	case '3':
		show_panel(v, (enum view_panel)(key - '1'));
		return true;
	case '\t':
		focus(v, s, 1);
		return true;
	case VIEW_KEY_BACKTAB:
		focus(v, s, -1);
		return true;
	case 'u':
		v->iec = !v->iec;
		notice(v,
		       v->iec ? "MiB/s: 1048576 bytes a second" : "MB/s: 1000000 bytes a second");
		return true;
	case 't':
		v->fahrenheit = !v->fahrenheit;
		notice(v, v->fahrenheit ? "°F here; files keep °C" : "°C");
		return true;
	case 'r':
		for (size_t i = 0; i < v->n; i++)
			view_stats_reset(&v->stats[i]);
		notice(v, "peaks forgotten");
		return true;
	case 'h':
	case '?':
	case VIEW_KEY_F1:
		v->help = !v->help;
		v->scroll = 0;
		return true;
	case VIEW_KEY_ESC:
		v->help = false;
		return true;
	default:
		return false;
	}
}

static void key_request(struct view_state *v, const struct session *s, uint32_t key,
			struct request *out)
{
	switch (key) {
	case 'q':
		if (loading(s))
			v->prompt = PROMPT_QUIT;
		else
			out->kind = REQUEST_QUIT;
		break;
	case ' ':
		if (view_pauses(s))
			out->kind = REQUEST_PAUSE;
		else
			notice(v, "no load of ours to pause");
		break;
	case 'm':
		if (s->replay) {
			notice(v, "no marks in a replay: the log stays as it is");
			break;
		}
		v->prompt = PROMPT_MARK;
		v->text[0] = '\0';
		break;
	case 's':
		if (s->replay) {
			notice(v, "the picture of a log: throttlog report LOG -o PREFIX");
			break;
		}
		out->kind = REQUEST_PICTURE;
		notice(v, "picture asked for");
		break;
	case CTRL('z'):
		out->kind = REQUEST_SUSPEND;
		break;
	default:
		break;
	}
}

static void append(struct view_state *v, uint32_t ch)
{
	char utf8[5] = "";
	size_t n = strlen(v->text);

	canvas_encode(ch, utf8);
	if (n + strlen(utf8) < sizeof(v->text))
		memcpy(v->text + n, utf8, strlen(utf8) + 1);
}

static void key_mark(struct view_state *v, uint32_t key, struct request *out)
{
	size_t n = strlen(v->text);

	switch (key) {
	case VIEW_KEY_ESC:
		v->prompt = PROMPT_NONE;
		break;
	case VIEW_KEY_ENTER:
	case '\r':
		v->prompt = PROMPT_NONE;
		text_clean(v->text);
		out->kind = REQUEST_MARK;
		snprintf(out->text, sizeof(out->text), "%s", *v->text ? v->text : "mark");
		notice(v, "mark: %s", out->text);
		break;
	case VIEW_KEY_BACKSPACE:
	case 0x7f:
	case CTRL('h'):
		while (n && (v->text[n - 1] & 0xc0) == 0x80)
			n--;
		v->text[n ? n - 1 : 0] = '\0';
		break;
	case CTRL('u'):
		v->text[0] = '\0';
		break;
	default:
		if (key >= ' ' && key < VIEW_KEY_LEFT && !(key >= 0x7f && key < 0xa0))
			append(v, key);
		break;
	}
}

void view_key(struct view_state *v, const struct session *s, uint32_t key, struct request *out)
{
	out->kind = REQUEST_NONE;
	out->text[0] = '\0';
	if (key == VIEW_KEY_NONE || key == VIEW_KEY_REDRAW)
		return;
	v->notice[0] = '\0';
	if (v->prompt == PROMPT_MARK) {
		key_mark(v, key, out);
	} else if (v->prompt == PROMPT_QUIT) {
		v->prompt = PROMPT_NONE;
		if (key == 'y' || key == 'Y')
			out->kind = REQUEST_QUIT;
		else
			notice(v, "going on");
	} else if (!key_list(v, key) && !key_time(v, s, key) && !key_display(v, s, key)) {
		key_request(v, s, key, out);
	}
}
