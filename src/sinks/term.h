/*
 * The terminal of the live view: curses behind a few calls. Output never blocks: what the
 * terminal does not take now is kept, and no new frame is drawn until it is gone.
 */
#ifndef THROTTLOG_TERM_H
#define THROTTLOG_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "throttlog/canvas.h"

struct screen;

/*
 * Takes the terminal behind stdout. 0, or -ENOTSUP with one line in `why`: not a terminal, a kind
 * of terminal that cannot move its cursor, or we are in the background.
 */
int term_open(struct screen **out, bool ascii, bool no_color, char *why, size_t size);
/* Gives it back as it was. */
void term_close(struct screen *t);
enum charset term_charset(const struct screen *t);
/* Asks for the size; true if it changed since the last call. */
bool term_resized(struct screen *t, int *w, int *h);
/* Descriptor to poll for input; -1 when the terminal is gone. */
int term_fd(const struct screen *t);
/* The next key (enum view_key or a character), VIEW_KEY_NONE if there is none. */
uint32_t term_key(struct screen *t);
/* Shows the canvas; `redraw` sends every cell. False if the last frame is not out yet. */
bool term_show(struct screen *t, const struct canvas *c, bool redraw);
/* Sends on what is kept. */
void term_flush(struct screen *t);
void term_suspend(struct screen *t);
/* After term_suspend() or a stop by a signal. False if another process has the terminal. */
bool term_resume(struct screen *t);

#endif
