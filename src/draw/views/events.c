/* Events: their letters in the plots, and the list with times. */
#include <stdlib.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

#define DRIVES_MAX 64 /* whose events the list can merge */
#define COLUMN_W   60 /* of the list, on wide screens */

static const struct {
	char letter;
	enum tint tint;
} looks[EVENT_KIND_COUNT] = {
    [EVENT_TMT1] = {'1', TINT_BAD},       [EVENT_TMT2] = {'2', TINT_BAD},
    [EVENT_WARN_ON] = {'W', TINT_BAD},    [EVENT_WARN_OFF] = {'w', TINT_PLAIN},
    [EVENT_MARK] = {'m', TINT_GOOD},      [EVENT_POLL_LATE] = {'l', TINT_WARN},
    [EVENT_LINK] = {'K', TINT_WARN},      [EVENT_RESET] = {'R', TINT_BAD},
    [EVENT_LOST] = {'X', TINT_BAD},       [EVENT_BACK] = {'b', TINT_PLAIN},
    [EVENT_IO_ERROR] = {'E', TINT_BAD},   [EVENT_FAILING] = {'F', TINT_BAD},
    [EVENT_STOP_TEMP] = {'S', TINT_BAD},  [EVENT_PAUSED] = {'P', TINT_PLAIN},
    [EVENT_RESUMED] = {'p', TINT_PLAIN},  [EVENT_DROP] = {'D', TINT_WARN},
    [EVENT_THROTTLE] = {'T', TINT_BAD},   [EVENT_STATE] = {0, TINT_PLAIN},
    [EVENT_SUSPENDED] = {'z', TINT_WARN}, [EVENT_GAP] = {'g', TINT_WARN},
    [EVENT_SPACE] = {'N', TINT_WARN},     [EVENT_AEN] = {'A', TINT_WARN},
    [EVENT_LOG_LOST] = {'!', TINT_BAD},   [EVENT_UEVENT] = {'u', TINT_PLAIN},
    [EVENT_PEL] = {'L', TINT_WARN},       [EVENT_PEL_MORE] = {'+', TINT_PLAIN},
    [EVENT_OCP] = {'O', TINT_BAD},        [EVENT_END] = {'e', TINT_PLAIN},
    [EVENT_OTHER] = {'?', TINT_PLAIN},
};

char event_letter(enum event_kind kind)
{
	return looks[kind].letter;
}

enum tint event_tint(enum event_kind kind)
{
	return looks[kind].tint;
}

static bool shown(const struct frame *f, size_t i)
{
	return f->v->focus < 0 || f->v->focus == (int)i;
}

static int columns_of(int w)
{
	return w > COLUMN_W ? w / COLUMN_W : 1;
}

int events_rows(const struct frame *f, int w)
{
	size_t n = 0;

	for (size_t i = 0; i < f->s->n; i++)
		n += shown(f, i) ? f->s->drive[i].run.series.n_events : 0;
	return ((int)n + columns_of(w) - 1) / columns_of(w) + 1;
}

static void draw_event(const struct frame *f, size_t i, const struct event *e, struct rect r, int y)
{
	double time_s = series_time(&f->s->drive[i].run.series, e->row);
	enum tint tint = event_tint(e->kind);
	char text[256], clock[32];
	int x = r.x;

	view_clock(time_s, clock, sizeof(clock));
	x += canvas_printf(f->c, x, y, r.w, TINT_PLAIN, 0, "%8s ", clock);
	if (f->s->n > 1)
		x += canvas_printf(f->c, x, y, r.x + r.w - x, TINT_PLAIN, 0, "%zu ", i + 1);
	x += canvas_printf(f->c, x, y, r.x + r.w - x, tint, tint == TINT_PLAIN ? 0 : ATTR_BOLD,
			   "%c ", looks[e->kind].letter ? looks[e->kind].letter : ' ');
	view_event_text(e, false, text, sizeof(text));
	canvas_text(f->c, x, y, r.x + r.w - x, TINT_PLAIN, 0, text);
}

/* The newest first, down and then into the next column: each step takes the latest event that is
 * left over all drives. */
void draw_events(const struct frame *f, struct rect r)
{
	size_t left[DRIVES_MAX] = {0};
	int rows = r.h - 1, columns = columns_of(r.w);

	if (r.h < 1)
		return;
	canvas_rule(f->c, r.x, r.y, r.w, "Events");
	for (size_t i = 0; i < f->s->n && i < DRIVES_MAX; i++)
		left[i] = shown(f, i) ? f->s->drive[i].run.series.n_events : 0;
	for (int n = 0; n < rows * columns; n++) {
		struct rect column = {r.x + n / rows * (r.w / columns), r.y,
				      r.w / columns - (columns > 1), r.h};
		const struct event *latest = NULL;
		size_t of = 0;
		double latest_s = -1;

		for (size_t i = 0; i < f->s->n && i < DRIVES_MAX; i++) {
			const struct series *s = &f->s->drive[i].run.series;
			const struct event *e = left[i] ? &s->events[left[i] - 1] : NULL;

			if (e && series_time(s, e->row) > latest_s) {
				latest = e;
				latest_s = series_time(s, e->row);
				of = i;
			}
		}
		if (!latest) {
			if (n == 0)
				canvas_text(f->c, r.x + 1, r.y + 1, r.w - 1, TINT_FAINT, 0,
					    "nothing yet");
			return;
		}
		draw_event(f, of, latest, column, r.y + 1 + n % rows);
		left[of]--;
	}
}
