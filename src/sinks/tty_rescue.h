/* Leaves the terminal usable when the program crashes while it has the whole screen. */
#ifndef THROTTLOG_TTY_RESCUE_H
#define THROTTLOG_TTY_RESCUE_H

#include <termios.h>

/*
 * From now on a crash writes `leave` (copied; at most 127 bytes) to `fd` and sets the modes
 * `before`. Handlers that others have set for these signals stay.
 */
void tty_rescue_arm(int fd, const struct termios *before, const char *leave);
void tty_rescue_disarm(void);

#endif
