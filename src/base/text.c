/* Small text work: locale-proof numbers, cleaning of untrusted text, nearest names. */
#include "throttlog/text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the valid UTF-8 sequence at s, 0 if it is not one. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] < 0x80   ? 1
		   : s[0] < 0xc2 ? 0
		   : s[0] < 0xe0 ? 2
		   : s[0] < 0xf0 ? 3
		   : s[0] < 0xf5 ? 4
				 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates and code points past U+10FFFF. */
	if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)))
		return 0;
	if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
		return 0;
	return n;
}

/* C0, DEL, and C1, whose U+009B starts a terminal's escape sequence as ESC [ does. */
static bool controls(const unsigned char *s, size_t n)
{
	return s[0] < 0x20 || s[0] == 0x7f || (n == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

/* U+202A..202E and U+2066..2069 reorder what follows; U+2028 and U+2029 break lines. */
static bool reorders(const unsigned char *s)
{
	return s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
				(s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

/* Length of the character at s if it may be shown, else 0. */
static size_t shown_length(const unsigned char *s)
{
	size_t n = utf8_length(s);

	return controls(s, n) || (n == 3 && reorders(s)) ? 0 : n;
}

bool text_is_clean(const char *s)
{
	size_t n;

	for (; *s; s += n) {
		n = shown_length((const unsigned char *)s);
		if (n == 0)
			return false;
	}
	return true;
}

void text_clean(char *s)
{
	unsigned char *in = (unsigned char *)s, *out = in, *end;

	while (*in == ' ' || *in == '\t')
		in++;
	while (*in) {
		size_t n = shown_length(in);

		if (n == 0) {
			n = utf8_length(in);
			*out++ = '?';
			in += n ? n : 1;
			continue;
		}
		while (n--)
			*out++ = *in++;
	}
	end = out;
	while (end > (unsigned char *)s && end[-1] == ' ')
		end--;
	*end = '\0';
}

void text_copy_clean(char *dst, size_t size, const void *src, size_t n)
{
	size_t len = strnlen(src, n);

	if (len >= size)
		len = size - 1;
	memcpy(dst, src, len);
	dst[len] = '\0';
	text_clean(dst);
}

static locale_t c_locale;

static void make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t the_c_locale(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_c_locale);
	return c_locale;
}

/*
 * Plain decimals: up to 2^53 and 10^22 are exact in a double, and one division of exact numbers
 * rounds as strtod() does (W. D. Clinger, "How to read floating point numbers accurately").
 */
static bool plain_decimal(const char *s, double *out)
{
	static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
	bool minus = *s == '-';
	uint64_t whole = 0;
	size_t digits = 0, decimals = 0;

	s += minus;
	for (; isdigit((unsigned char)*s); s++, digits++)
		whole = whole * 10 + (uint64_t)(*s - '0');
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++, decimals++)
			whole = whole * 10 + (uint64_t)(*s - '0');
	/* Fifteen digits are less than 2^53. Wider arithmetic would round twice. */
	if (*s || digits == 0 || digits + decimals > 15 ||
	    decimals >= sizeof(powers) / sizeof(*powers) || FLT_EVAL_METHOD != 0)
		return false;
	*out = (double)whole / powers[decimals];
	if (minus)
		*out = -*out;
	return true;
}

bool text_to_double(const char *s, double *out)
{
	char *end;
	double value;

	if (plain_decimal(s, out))
		return true;
	if (!(isdigit((unsigned char)s[0]) || s[0] == '-' || s[0] == '+' || s[0] == '.') ||
	    strpbrk(s, "xXnNpP"))
		return false;
	value = strtod_l(s, &end, the_c_locale());
	if (end == s || *end || !isfinite(value))
		return false;
	*out = value;
	return true;
}

bool text_to_u64(const char *s, uint64_t *out)
{
	char *end;
	unsigned long long value;

	if (!isdigit((unsigned char)s[0]))
		return false;
	errno = 0;
	value = strtoull(s, &end, 10);
	if (errno || *end)
		return false;
	*out = value;
	return true;
}

bool text_to_size(const char *s, uint64_t *bytes)
{
	static const char units[] = "kmgtp";
	char number[32];
	size_t n = strspn(s, "0123456789.");
	const char *unit = s + n;
	double value;
	int shift = 0;

	if (n == 0 || n >= sizeof(number))
		return false;
	memcpy(number, s, n);
	number[n] = '\0';
	if (!text_to_double(number, &value))
		return false;
	if (*unit) {
		const char *at = strchr(units, tolower((unsigned char)*unit));

		if (!at || !*at)
			return false;
		shift = 10 * (int)(at - units + 1);
		unit++;
		if (strcmp(unit, "") != 0 && strcasecmp(unit, "iB") != 0 &&
		    strcasecmp(unit, "B") != 0)
			return false;
	}
	value *= (double)(UINT64_C(1) << shift);
	if (value >= 18e18)
		return false;
	*bytes = (uint64_t)value;
	return true;
}

bool text_to_duration(const char *s, double *seconds)
{
	double total = 0, last_unit = 1e9;

	if (!*s)
		return false;
	while (*s) {
		char number[32];
		size_t n = strspn(s, "0123456789.");
		double value, unit;

		if (n == 0 || n >= sizeof(number))
			return false;
		memcpy(number, s, n);
		number[n] = '\0';
		if (!text_to_double(number, &value))
			return false;
		s += n;
		unit = *s == 'h'          ? 3600
		       : *s == 'm'        ? 60
		       : *s == 's' || !*s ? 1
		       : *s == 'd'        ? 86400
					  : 0;
		if (unit == 0 || unit >= last_unit)
			return false;
		last_unit = unit;
		s += *s ? 1 : 0;
		total += value * unit;
	}
	*seconds = total;
	return true;
}

int text_vformat(char *buf, size_t size, const char *format, va_list args)
{
	locale_t old = uselocale(the_c_locale());
	int n = vsnprintf(buf, size, format, args);

	uselocale(old);
	return n;
}

int text_format(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = text_vformat(buf, size, format, args);
	va_end(args);
	return n;
}

bool text_locale_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!locale)
		return false;
	utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return utf8;
}

void text_size(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
	size_t u = 0;
	double value = (double)bytes;

	while (u + 1 < sizeof(units) / sizeof(*units) && value >= 1024) {
		value /= 1024;
		u++;
	}
	if (value == floor(value))
		text_format(buf, size, "%.0f %s", value, units[u]);
	else
		text_format(buf, size, "%.1f %s", value, units[u]);
}

void text_duration(char *buf, size_t size, double seconds)
{
	long long s;

	if (!isfinite(seconds)) {
		text_format(buf, size, "–");
		return;
	}
	if (seconds < 10 && seconds != floor(seconds)) {
		text_format(buf, size, "%.1f s", seconds);
		return;
	}
	s = llround(seconds);
	if (s < 120)
		text_format(buf, size, "%lld s", s);
	else if (s < 3600 && s % 60 == 0)
		text_format(buf, size, "%lld min", s / 60);
	else if (s < 3600)
		text_format(buf, size, "%lld min %lld s", s / 60, s % 60);
	else
		text_format(buf, size, "%lld h %02lld min", s / 3600, s % 3600 / 60);
}

/* Levenshtein distance of at most 63-byte words, ignoring case. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64], la = strlen(a), lb = strlen(b);

	if (la > 63 || lb > 63)
		return 99;
	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);
			size_t best = diagonal + !same;

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[lb];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t best_distance = strlen(word) / 2;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, names[i]);

		if (d <= best_distance) {
			best_distance = d;
			best = names[i];
		}
	}
	return best;
}
