/*
 * What the line view and the live view share: the words for how a drive stands and for what
 * happened to it. Pure: everything is read from the session.
 */
#ifndef THROTTLOG_VIEW_H
#define THROTTLOG_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "throttlog/session.h"

/*
 * How the drive stands, one word in capitals: the last state that the online detector put into
 * the series, else what its phase tells. Lives as long as the session.
 */
const char *view_state(const struct session_drive *d);
/* An event in words, "light throttling (TMT1) +2". `ascii` keeps to 7-bit characters. */
void view_event_text(const struct event *e, bool ascii, char *buf, size_t size);
/* Hottest of the drive's extra sensors in row `i`, NAN if it has none; `sensor` counts from 1. */
double view_hottest(const struct series *s, size_t i, int *sensor);
/* "0:12:34"; hours as many as needed. */
void view_clock(double seconds, char *buf, size_t size);
/* Replaces what is not ASCII: "°C" becomes "C", other characters '-' or '?'. */
void view_ascii(char *s);

#endif
