/*
 * Bytes for a terminal that may be slow or dead: taken from a memory file that curses writes to,
 * sent without ever blocking.
 */
#ifndef THROTTLOG_TTY_OUT_H
#define THROTTLOG_TTY_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tty_out {
	int tty;     /* our own, non-blocking description of the terminal */
	int memory;  /* memory file */
	bool shared; /* the description is not ours alone and may block */
	bool gone;   /* the terminal does not take bytes any more */
	char *kept;
	size_t n, at, cap;
};

/* Opens the terminal behind `fd`. 0 or -errno. */
int tty_out_open(struct tty_out *o, int fd);
void tty_out_close(struct tty_out *o);
/* Takes over what is in the memory file, and sends what goes. True if nothing is left. */
bool tty_out_pump(struct tty_out *o);
/* The same, waiting up to `timeout_ms` for the terminal to take it. */
void tty_out_drain(struct tty_out *o, int timeout_ms);

#endif
