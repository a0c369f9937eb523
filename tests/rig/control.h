/*
 * The control socket: a line is a command, its answer some lines "KEY VALUE" and a last one, "ok"
 * or "error: REASON". And the client that sends one command.
 */
#ifndef RIG_CONTROL_H
#define RIG_CONTROL_H

#include <poll.h>
#include <stddef.h>

struct rig;
struct control;

#define CONTROL_CLIENTS 8

/* -errno. */
int control_open(struct control **out, const char *path);
void control_close(struct control *c);
/* What to wait for; how many were put there, at most CONTROL_CLIENTS + 1. */
size_t control_polls(const struct control *c, struct pollfd *polls);
/* Something may have come. */
void control_serve(struct control *c, struct rig *r);

/* Sends the words as one line and prints what comes: 0, or 1 after "error". */
int control_send(const char *path, char *const *words);
/* Prints what can be said. */
void control_help(void);

#endif
