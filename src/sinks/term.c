/*
 * curses for the live view. curses writes to a memory file and tty_out sends it on, because a
 * stalled ssh line would otherwise stop the thread that writes the log.
 */
#include "term.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"
#include "throttlog/view.h"
#include "tty_out.h"
#include "tty_rescue.h"

#define DRAIN_MS 500 /* at the end, for a slow line */
#define ESC_MS   50  /* between Esc and the rest of a key's sequence */

struct screen {
	struct tty_out out;
	FILE *in_file, *out_file;
	SCREEN *screen;
	WINDOW *keys; /* a pad: reading from it draws nothing */
	enum charset charset;
	bool colour, suspended;
	int w, h;
	struct termios before, during;
	locale_t locale, old_locale;
};

static struct screen *the_term; /* for diag's hook, which has no argument */

/* A string of the terminal's description; NULL if it has none. */
static const char *capability(const char *name)
{
	const char *s = tigetstr(name);

	return (intptr_t)s == -1 ? NULL : s;
}

static void arm_rescue(const struct screen *t)
{
	static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
	char leave[128] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *s = capability(names[i]);
		size_t n = strlen(leave);

		if (s && n + strlen(s) < sizeof(leave))
			memcpy(leave + n, s, strlen(s) + 1);
	}
	tty_rescue_arm(t->out.tty, &t->before, leave);
}

static void restore_on_fatal(void)
{
	if (the_term && !the_term->suspended)
		term_suspend(the_term);
}

/* Terminals whose fonts or character sets have less than the locale promises. */
static enum charset choose_charset(bool ascii)
{
	static const struct {
		const char *prefix;
		enum charset charset;
	} known[] = {
	    {"linux", CHARSET_BLOCK}, {"fbcon", CHARSET_BLOCK}, {"vt", CHARSET_ASCII},
	    {"ansi", CHARSET_ASCII},  {"cons", CHARSET_ASCII},  {"sun", CHARSET_ASCII},
	    {"wyse", CHARSET_ASCII},
	};
	const char *name = termname();

	if (ascii || !text_locale_utf8())
		return CHARSET_ASCII;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0)
			return known[i].charset;
	return CHARSET_BRAILLE;
}

static int colour_of(int tint)
{
	return COLORS >= 256 ? tints[tint].x256 : tints[tint].ansi;
}

static void set_colours(struct screen *t, bool no_color)
{
	const char *wish = secure_getenv("NO_COLOR");

	if (no_color || (wish && *wish) || !has_colors() || start_color() != OK ||
	    use_default_colors() != OK)
		return;
	t->colour = true;
	for (int k = 0; k < TINT_COUNT; k++)
		init_pair((short)(k + 1), (short)colour_of(k), -1);
}

static attr_t attributes(const struct screen *t, const struct cell *cell, short *pair)
{
	attr_t attr = A_NORMAL;
	bool coloured = t->colour && colour_of(cell->tint) >= 0;

	*pair = (short)(coloured ? cell->tint + 1 : 0);
	if (cell->attr & ATTR_BOLD)
		attr |= A_BOLD;
	if (cell->attr & ATTR_REVERSE)
		attr |= A_REVERSE;
	if (cell->tint == TINT_FAINT && !coloured)
		attr |= A_DIM;
	return attr;
}

/* Can this kind of terminal be drawn on? Nothing is sent to find out. */
static bool usable(int fd, char *why, size_t size)
{
	int err;
	bool moves;

	if (setupterm(NULL, fd, &err) != OK) {
		text_format(why, size, "the kind of terminal (TERM) is not known");
		return false;
	}
	moves = capability("cup");
	del_curterm(cur_term);
	if (moves)
		return true;
	text_format(why, size, "this kind of terminal (TERM) cannot move its cursor");
	return false;
}

static bool in_background(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group >= 0 && group != getpgrp();
}

/* newterm() brings handlers for these; the conductor has its own way with signals. */
static SCREEN *start_curses(FILE *out, FILE *in)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction old[sizeof(signals) / sizeof(*signals)];
	SCREEN *screen;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], NULL, &old[i]);
	screen = newterm(NULL, out, in);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &old[i], NULL);
	return screen;
}

static void set_modes(struct screen *t)
{
	cbreak();
	noecho();
	nonl();
	typeahead(-1);
	set_escdelay(ESC_MS);
	curs_set(0);
	t->keys = newpad(1, 1);
	keypad(t->keys, TRUE);
	nodelay(t->keys, TRUE);
	/* Ctrl-Z is a key: the load has to be paused first. Ctrl-C stays a signal. */
	tcgetattr(t->out.tty, &t->during);
	t->during.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(t->out.tty, TCSANOW, &t->during);
}

static void free_all(struct screen *t)
{
	if (t->out_file)
		fclose(t->out_file);
	if (t->in_file)
		fclose(t->in_file);
	if (t->locale) {
		uselocale(t->old_locale);
		freelocale(t->locale);
	}
	tty_out_close(&t->out);
	free(t);
}

int term_open(struct screen **out, bool ascii, bool no_color, char *why, size_t size)
{
	struct screen *t;

	if (!isatty(STDOUT_FILENO)) {
		text_format(why, size, "the standard output is not a terminal");
		return -ENOTSUP;
	}
	if (in_background(STDOUT_FILENO)) {
		text_format(why, size, "running in the background");
		return -ENOTSUP;
	}
	if (!usable(STDOUT_FILENO, why, size))
		return -ENOTSUP;
	t = xzalloc(sizeof(*t));
	if (tty_out_open(&t->out, STDOUT_FILENO) != 0 || tcgetattr(t->out.tty, &t->before) != 0) {
		text_format(why, size, "cannot open the terminal: %s", DIAG_ERRNO(errno));
		free(t);
		return -ENOTSUP;
	}
	/* For this thread alone, and for characters alone: no number may change. */
	t->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	t->old_locale = t->locale ? uselocale(t->locale) : (locale_t)0;
	t->in_file = fdopen(fcntl(t->out.tty, F_DUPFD_CLOEXEC, 3), "r");
	t->out_file = fdopen(fcntl(t->out.tty, F_DUPFD_CLOEXEC, 3), "w");
	t->screen = t->in_file && t->out_file ? start_curses(t->out_file, t->in_file) : NULL;
	if (!t->screen) {
		text_format(why, size, "curses cannot use this terminal");
		tcsetattr(t->out.tty, TCSANOW, &t->before);
		free_all(t);
		return -ENOTSUP;
	}
	t->charset = choose_charset(ascii);
	set_colours(t, no_color);
	set_modes(t);
	/* From here on curses writes into memory; modes are set through out.tty. */
	dup2(t->out.memory, fileno(t->out_file));
	arm_rescue(t);
	the_term = t;
	diag_on_fatal(restore_on_fatal);
	*out = t;
	return 0;
}

void term_close(struct screen *t)
{
	if (!t->suspended)
		term_suspend(t);
	diag_on_fatal(NULL);
	the_term = NULL;
	delwin(t->keys);
	delscreen(t->screen);
	free_all(t);
}

enum charset term_charset(const struct screen *t)
{
	return t->charset;
}

bool term_resized(struct screen *t, int *w, int *h)
{
	struct winsize size = {0};

	if (ioctl(t->out.tty, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row) {
		size.ws_col = t->w ? (unsigned short)t->w : 80;
		size.ws_row = t->h ? (unsigned short)t->h : 24;
	}
	*w = size.ws_col;
	*h = size.ws_row;
	if (*w == t->w && *h == t->h)
		return false;
	t->w = *w;
	t->h = *h;
	resize_term(t->h, t->w);
	return true;
}

int term_fd(const struct screen *t)
{
	return t->out.gone ? -1 : t->out.tty;
}

static uint32_t special_key(wint_t code)
{
	static const struct {
		int curses;
		enum view_key key;
	} keys[] = {
	    {KEY_LEFT, VIEW_KEY_LEFT},     {KEY_RIGHT, VIEW_KEY_RIGHT},
	    {KEY_UP, VIEW_KEY_UP},         {KEY_DOWN, VIEW_KEY_DOWN},
	    {KEY_PPAGE, VIEW_KEY_PAGE_UP}, {KEY_NPAGE, VIEW_KEY_PAGE_DOWN},
	    {KEY_HOME, VIEW_KEY_HOME},     {KEY_END, VIEW_KEY_END},
	    {KEY_BTAB, VIEW_KEY_BACKTAB},  {KEY_BACKSPACE, VIEW_KEY_BACKSPACE},
	    {KEY_F(1), VIEW_KEY_F1},       {KEY_ENTER, VIEW_KEY_ENTER},
	    {KEY_FIND, VIEW_KEY_HOME},     {KEY_SELECT, VIEW_KEY_END},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if ((wint_t)keys[i].curses == code)
			return keys[i].key;
	return VIEW_KEY_NONE;
}

uint32_t term_key(struct screen *t)
{
	struct pollfd p = {.fd = t->out.tty, .events = POLLIN};
	wint_t code;
	int kind = ERR;

	/* A terminal that was closed is readable for ever. */
	if (poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))
		t->out.gone = true;
	while (!t->out.gone && (kind = wget_wch(t->keys, &code)) != ERR) {
		uint32_t key = kind == KEY_CODE_YES ? special_key(code) : (uint32_t)code;

		if (kind == OK && key == ('l' & 0x1f))
			return VIEW_KEY_REDRAW;
		if (key != VIEW_KEY_NONE)
			return key;
	}
	return VIEW_KEY_NONE;
}

bool term_show(struct screen *t, const struct canvas *c, bool redraw)
{
	if (t->out.gone || t->suspended || !tty_out_pump(&t->out))
		return false;
	erase();
	for (int y = 0; y < c->h && y < LINES; y++)
		for (int x = 0; x < c->w && x < COLS; x++) {
			const struct cell *cell = &c->cell[y * c->w + x];
			wchar_t text[2] = {(wchar_t)cell->ch, 0};
			cchar_t ch;
			short pair;
			attr_t attr = attributes(t, cell, &pair);

			/* 0 is the right half of a wide character; plain blanks are there. */
			if (cell->ch == 0 || (cell->ch == ' ' && attr == A_NORMAL))
				continue;
			setcchar(&ch, text, attr, pair, NULL);
			mvadd_wch(y, x, &ch);
		}
	if (redraw)
		clearok(curscr, TRUE);
	refresh();
	tty_out_pump(&t->out);
	return true;
}

void term_flush(struct screen *t)
{
	tty_out_pump(&t->out);
}

void term_suspend(struct screen *t)
{
	endwin();
	tty_out_drain(&t->out, DRAIN_MS);
	tcsetattr(t->out.tty, TCSANOW, &t->before);
	tty_rescue_disarm();
	t->suspended = true;
}

bool term_resume(struct screen *t)
{
	if (in_background(t->out.tty))
		return false;
	tcsetattr(t->out.tty, TCSANOW, &t->during);
	if (!t->suspended)
		endwin(); /* stopped by a signal: curses does not know */
	t->suspended = false;
	arm_rescue(t);
	clearok(curscr, TRUE);
	return true;
}
