/* Small text work: numbers that no locale changes, cleaning of untrusted text, nearest names. */
#ifndef THROTTLOG_TEXT_H
#define THROTTLOG_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes `s` safe for a terminal, a CSV cell and a picture, in place: each control character,
 * C1 code and byte that is not UTF-8 becomes one '?', outer blanks go. Text from a drive passes
 * through here.
 */
void text_clean(char *s);
/* Whether text_clean() would leave all of `s` but outer blanks. */
bool text_is_clean(const char *s);
/* Copies `n` bytes that need not end in NUL (Identify strings) and cleans them. */
void text_copy_clean(char *dst, size_t size, const void *src, size_t n);

/*
 * Reads a decimal number with '.' whatever the locale. The whole string must be consumed;
 * returns false otherwise. "nan" and "inf" are not numbers.
 */
bool text_to_double(const char *s, double *out);
bool text_to_u64(const char *s, uint64_t *out);
/* "128k", "4M", "32G" (powers of 1024; also "4MiB"), plain bytes without a suffix. */
bool text_to_size(const char *s, uint64_t *bytes);
/* "90", "90s", "5m", "1h30m", "0.5s"; seconds. */
bool text_to_duration(const char *s, double *seconds);

/* printf without a locale's decimal comma; returns the length as snprintf does. */
int text_format(char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int text_vformat(char *buf, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
/* Does the locale of the environment (LC_ALL, LC_CTYPE, LANG) have UTF-8? */
bool text_locale_utf8(void);
/* "128 KiB", "32 GiB": the largest unit that divides evenly, else one digit. */
void text_size(char *buf, size_t size, uint64_t bytes);
/* "75 s", "2 min 32 s", "1 h 05 min". */
void text_duration(char *buf, size_t size, double seconds);

/*
 * The name in names[0..n) nearest to `word` by edit distance, or NULL if none is near enough to
 * be what was meant.
 */
const char *text_nearest(const char *word, const char *const *names, size_t n);

#endif
