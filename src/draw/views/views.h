/* What the views share: the frame they draw, units, and text that gives way when room is short. */
#ifndef THROTTLOG_VIEWS_H
#define THROTTLOG_VIEWS_H

#include <stdint.h>

#include "throttlog/canvas.h"
#include "throttlog/view.h"

struct frame {
	struct canvas *c;
	const struct session *s;
	const struct view_state *v;
};

/* Pieces of one line; those of low priority are left out where the line is too long. */
struct piece {
	char text[80];
	int priority;
	enum tint tint;
	int attr;
};

#define PIECES_MAX 20

struct pieces {
	struct piece item[PIECES_MAX];
	size_t n;
};

void piece_add(struct pieces *p, int priority, enum tint tint, int attr, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Draws them with `gap` blanks between. Returns the columns used. */
int pieces_draw(struct canvas *c, int x, int y, int w, const struct pieces *p, int gap);

/* `unicode`, or `ascii` where the terminal has no more. */
uint32_t pick(const struct canvas *c, uint32_t unicode, char ascii);

double show_speed(const struct frame *f, double mb_s);
const char *speed_unit(const struct frame *f);
double show_temp(const struct frame *f, double c);
double show_degrees(const struct frame *f, double kelvin); /* a difference */
const char *temp_unit(const struct frame *f);
/* "–" where nothing is known. */
void number_text(char *buf, size_t size, double value, int decimals);
/* Four digits or so with a unit that fits: "3.1 ms". */
void latency_text(char *buf, size_t size, double us);
/* Decimal multiples: "254 GB". */
void amount_text(char *buf, size_t size, double mb);

/* Has the drive any temperature of its own? */
bool reports_heat(const struct session_drive *d);

struct limit {
	const char *name;
	double c;
};

#define LIMITS_MAX 5

/* The limits that the drive has and the one that was seen, by rising temperature. */
size_t limits_of(const struct frame *f, size_t i, struct limit out[LIMITS_MAX]);
/* "3 °C below TMT1 80", or "2 °C over WCTEMP 78"; true if it is over. */
bool distance_text(const struct frame *f, size_t i, char *buf, size_t size);

struct time_axis {
	double from_s, to_s;
};

struct time_axis time_axis_of(const struct frame *f);
/* A step of 1, 2 or 5 times a power of ten that makes at most `n` parts of `range`. */
double nice_step(double range, int n);
/* Multiples of `step` from `low` to `high`. */
struct ticks {
	double first, step;
	int n;
};

struct ticks ticks_of(double low, double high, double step);
double tick_at(const struct ticks *t, int k);
/* The row of `s` at or before `t_s`; s->n if there is none. */
size_t row_at(const struct series *s, double t_s);

/* Each fills its rectangle; `i` is the drive. */
void draw_title(const struct frame *f, size_t i, struct rect r);
/* One line each, most important first: speed, temperature, counters. Returns lines used. */
int draw_lines(const struct frame *f, size_t i, struct rect r);
/* The same and more as a column of names and values. Returns lines used. */
int draw_column(const struct frame *f, size_t i, struct rect r);
/* Throughput above temperature on one time axis; side by side if `beside`. */
void draw_plots(const struct frame *f, size_t i, struct rect r, bool beside);
void draw_curve(const struct frame *f, size_t i, struct rect r);
/* Every value of the field table that the drive can tell. Returns lines needed. */
int draw_fields(const struct frame *f, size_t i, struct rect r);
/* In how many columns on so wide a screen. */
int fields_columns(int w);
void draw_events(const struct frame *f, struct rect r);
/* Returns lines needed. */
int draw_help(const struct frame *f, struct rect r);
/* Key bar, prompt or notice. */
void draw_bar(const struct frame *f, struct rect r);

/* The letter of an event in the plots and the list; 0 if it has none. */
char event_letter(enum event_kind kind);
enum tint event_tint(enum event_kind kind);
/* Rows that the list of all events takes, with its rule. */
int events_rows(const struct frame *f, int w);

#endif
