/* The command line. */
#ifndef RIG_OPTIONS_H
#define RIG_OPTIONS_H

struct rig;

/* Fills r->options, r->preset and r->quirks. -1, or the status to end with. */
int options_read(struct rig *r, int argc, char **argv);

#endif
