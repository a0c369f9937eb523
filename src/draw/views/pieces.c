/* Text that gives way, units and numbers as the views write them. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "draw/views/views.h"
#include "throttlog/text.h"

void piece_add(struct pieces *p, int priority, enum tint tint, int attr, const char *format, ...)
{
	struct piece *item = &p->item[p->n];
	va_list args;

	if (p->n == PIECES_MAX)
		return;
	va_start(args, format);
	text_vformat(item->text, sizeof(item->text), format, args);
	va_end(args);
	if (!item->text[0])
		return;
	item->priority = priority;
	item->tint = tint;
	item->attr = attr;
	p->n++;
}

/* Index of the least important piece that is still in, or n. */
static size_t least(const struct pieces *p, const bool out[PIECES_MAX])
{
	size_t worst = p->n;

	for (size_t i = 0; i < p->n; i++)
		if (!out[i] && (worst == p->n || p->item[i].priority <= p->item[worst].priority))
			worst = i;
	return worst;
}

int pieces_draw(struct canvas *c, int x, int y, int w, const struct pieces *p, int gap)
{
	bool out[PIECES_MAX] = {false};
	int total = -gap, used = 0;
	size_t left = p->n;

	for (size_t i = 0; i < p->n; i++)
		total += canvas_width(c, p->item[i].text) + gap;
	while (total > w && left > 1) {
		size_t worst = least(p, out);

		out[worst] = true;
		total -= canvas_width(c, p->item[worst].text) + gap;
		left--;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (out[i])
			continue;
		used += used ? gap : 0;
		used += canvas_text(c, x + used, y, w - used, p->item[i].tint, p->item[i].attr,
				    p->item[i].text);
	}
	return used;
}

uint32_t pick(const struct canvas *c, uint32_t unicode, char ascii)
{
	return c->charset == CHARSET_ASCII ? (uint32_t)ascii : unicode;
}

double show_speed(const struct frame *f, double mb_s)
{
	return f->v->iec ? mb_s * 1e6 / 1048576 : mb_s;
}

const char *speed_unit(const struct frame *f)
{
	return f->v->iec ? "MiB/s" : "MB/s";
}

double show_temp(const struct frame *f, double c)
{
	return f->v->fahrenheit ? c * 1.8 + 32 : c;
}

double show_degrees(const struct frame *f, double kelvin)
{
	return f->v->fahrenheit ? kelvin * 1.8 : kelvin;
}

const char *temp_unit(const struct frame *f)
{
	return f->v->fahrenheit ? "°F" : "°C";
}

void number_text(char *buf, size_t size, double value, int decimals)
{
	if (isnan(value))
		text_format(buf, size, "–");
	else
		text_format(buf, size, "%.*f", decimals, value);
}

void latency_text(char *buf, size_t size, double us)
{
	if (isnan(us))
		text_format(buf, size, "–");
	else if (us < 1000)
		text_format(buf, size, "%.0f µs", us);
	else if (us < 1e5)
		text_format(buf, size, "%.1f ms", us / 1e3);
	else if (us < 1e6)
		text_format(buf, size, "%.0f ms", us / 1e3);
	else
		text_format(buf, size, "%.1f s", us / 1e6);
}

void amount_text(char *buf, size_t size, double mb)
{
	if (isnan(mb))
		text_format(buf, size, "–");
	else if (mb < 1e4)
		text_format(buf, size, "%.0f MB", mb);
	else if (mb < 1e5)
		text_format(buf, size, "%.1f GB", mb / 1e3);
	else if (mb < 1e7)
		text_format(buf, size, "%.0f GB", mb / 1e3);
	else
		text_format(buf, size, "%.1f TB", mb / 1e6);
}

bool reports_heat(const struct session_drive *d)
{
	for (enum field k = FIELD_SENSOR1; k <= FIELD_SENSOR8; k++)
		if (d->can[k])
			return true;
	return d->can[FIELD_TEMP];
}

size_t limits_of(const struct frame *f, size_t i, struct limit out[LIMITS_MAX])
{
	const struct thermal_limits *l = &f->s->drive[i].run.drive.limits;
	const struct limit all[LIMITS_MAX] = {{"WCTEMP", l->wctemp_c},
					      {"CCTEMP", l->cctemp_c},
					      {"TMT1", l->tmt1_c},
					      {"TMT2", l->tmt2_c},
					      {"limit", f->v->stats[i].throttle_c}};
	size_t n = 0;

	memset(out, 0, LIMITS_MAX * sizeof(*out));
	for (size_t k = 0; k < LIMITS_MAX; k++) {
		size_t at = n;
		bool known = isnan(all[k].c);

		/* The limit that was seen is news only where the drive states none. */
		for (size_t j = 0; k == LIMITS_MAX - 1 && j < n; j++)
			known = known || fabs(out[j].c - all[k].c) < 1;
		if (known)
			continue;
		for (; at > 0 && out[at - 1].c > all[k].c; at--)
			out[at] = out[at - 1];
		out[at] = all[k];
		n++;
	}
	return n;
}

bool distance_text(const struct frame *f, size_t i, char *buf, size_t size)
{
	double now = f->v->stats[i].latest[FIELD_TEMP];
	struct limit limits[LIMITS_MAX], at;
	size_t n = limits_of(f, i, limits), next = 0;

	buf[0] = '\0';
	if (!n || isnan(now))
		return false;
	while (next < n && limits[next].c <= now)
		next++;
	at = limits[next ? next - 1 : 0];
	if (at.c == now)
		text_format(buf, size, "at %s %.0f", at.name, show_temp(f, at.c));
	else
		text_format(buf, size, "%.0f %s %s %s %.0f", fabs(show_degrees(f, at.c - now)),
			    temp_unit(f), next ? "over" : "below", at.name, show_temp(f, at.c));
	return next > 0;
}
