/*
 * The live view without its terminal: how the screen is set (view_state), what a key does to it
 * (view_key) and what is drawn (view_draw). Pure: everything else is read from the session.
 */
#ifndef THROTTLOG_VIEW_H
#define THROTTLOG_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/canvas.h"
#include "throttlog/session.h"

/* Numbers of one drive that need more than the rows in memory. NAN where not known. */
struct view_stats {
	double first[FIELD_COUNT];    /* at the first answer: counters are shown as changes */
	double latest[FIELD_COUNT];   /* the newest value that was reported, ... */
	double latest_s[FIELD_COUNT]; /* ... and when, time_s */
	double peak[FIELD_COUNT];     /* since the start or the last reset, ... */
	double least[FIELD_COUNT];    /* ... throughput: of rows with a load only */
	double sum_mb_s;
	size_t n_mb_s;
	double peak_hottest_c;
	double throttle_s, throttle_c, throttle_mb; /* where throttling was first seen */
	double moved_mb;                            /* by the load */
};

void view_stats_clear(struct view_stats *st);
/* Takes in the newest row and its events. */
void view_stats_row(struct view_stats *st, const struct session_drive *d);
/* Forgets peaks, least and mean values. */
void view_stats_reset(struct view_stats *st);

enum view_panel { PANEL_MAIN, PANEL_CURVE, PANEL_FIELDS, PANEL_COUNT };
enum view_prompt { PROMPT_NONE, PROMPT_QUIT, PROMPT_MARK };

/* Set up by view_init, changed by view_key (and `scroll` by view_draw). */
struct view_state {
	enum view_panel panel;
	bool help;
	int focus;       /* drive that has the screen, -1: all share it */
	double window_s; /* width of the time axis, 0: the whole run */
	double end_s;    /* its right edge, NAN: follows the newest row */
	int scroll;      /* first line shown of a list that is longer than the screen */
	bool iec, fahrenheit;
	enum view_prompt prompt;
	char text[96];            /* typed so far */
	char notice[256];         /* shown in the key bar; the owner clears it after a while */
	struct view_stats *stats; /* one a drive; owned */
	size_t n;
};

void view_init(struct view_state *v, const struct session *s);
void view_fini(struct view_state *v);

/* Keys that are not characters; characters are their code points. */
enum view_key {
	VIEW_KEY_NONE = 0,
	VIEW_KEY_ENTER = '\n',
	VIEW_KEY_ESC = 0x1b,
	VIEW_KEY_LEFT = 0x110000,
	VIEW_KEY_RIGHT,
	VIEW_KEY_UP,
	VIEW_KEY_DOWN,
	VIEW_KEY_PAGE_UP,
	VIEW_KEY_PAGE_DOWN,
	VIEW_KEY_HOME,
	VIEW_KEY_END,
	VIEW_KEY_BACKSPACE,
	VIEW_KEY_BACKTAB,
	VIEW_KEY_F1,
	VIEW_KEY_REDRAW /* Ctrl-L: the screen may be garbled */
};

/* Changes the state, and sets *out to what the conductor has to do (REQUEST_NONE for nothing). */
void view_key(struct view_state *v, const struct session *s, uint32_t key, struct request *out);
/* Is there something that Space stops: a load of ours, or a replay? */
bool view_pauses(const struct session *s);
/* Fills the whole canvas, and keeps the list that it shows from being scrolled past its end. */
void view_draw(struct canvas *c, const struct session *s, struct view_state *v);

/*
 * How the drive stands, one word in capitals: the last state that the online detector put into
 * the series, else what its phase tells. Lives as long as the session.
 */
const char *view_state_word(const struct session_drive *d);
enum tint view_state_tint(const char *word);
/* An event in words, "light throttling (TMT1) +2". `ascii` keeps to 7-bit characters. */
void view_event_text(const struct event *e, bool ascii, char *buf, size_t size);
/* Hottest of the drive's extra sensors in row `i`, NAN if it has none; `sensor` counts from 1. */
double view_hottest(const struct series *s, size_t i, int *sensor);
/* "0:12:34"; hours as many as needed. */
void view_clock(double seconds, char *buf, size_t size);
/* Replaces what is not ASCII: "°C" becomes "C", other characters '-' or '?'. */
void view_ascii(char *s);

#endif
