/* The limits that a drive states and the one that was observed: lines, and words at their ends. */
#include "draw/scene/plot.h"
#include "throttlog/text.h"

#define NEAR_C                                                                            \
	12.0 /* limits further above the curve would press it flat; the numbers name them \
	      */
#define LINE_PX       17.0
#define OVERLAY_TICKS 40.0 /* tick labels of the second axis */

size_t limits_near(const struct plot *p, struct limit out[LIMITS_MAX])
{
	const struct thermal_limits *l = &p->run->drive.limits;
	const struct limit all[LIMITS_MAX] = {
	    {"CCTEMP", l->cctemp_c, INK_LIMIT, DASH_MIXED},
	    {"WCTEMP", l->wctemp_c, INK_LIMIT, DASH_LONG},
	    {"TMT2", l->tmt2_c, INK_LIMIT, DASH_DOT},
	    {"TMT1", l->tmt1_c, INK_LIMIT, DASH_SHORT},
	    {"observed", p->v->observed_limit_c, INK_HEAT, DASH_NONE},
	};
	size_t n = 0;

	if (!p->has_temp || p->shared)
		return 0;
	for (size_t i = 0; i < LIMITS_MAX; i++)
		if (all[i].c >= p->temp_min - 2 && all[i].c <= p->temp_max + NEAR_C)
			out[n++] = all[i];
	/* From the top down. */
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && out[k].c > out[k - 1].c; k--) {
			struct limit swap = out[k];

			out[k] = out[k - 1];
			out[k - 1] = swap;
		}
	return n;
}

static void words(const struct limit *l, char *buf, size_t size)
{
	text_format(buf, size, "%s %s%.0f " DEG_C, l->name, l->c < -0.5 ? MINUS : "", fabs(l->c));
}

static struct type type_of(const struct limit *l)
{
	return (struct type){TYPE_TICK, l->ink == INK_HEAT, l->ink};
}

double limits_width(const struct plot *p)
{
	struct limit limits[LIMITS_MAX];
	size_t n = limits_near(p, limits);
	double width = 0;
	char label[64];

	for (size_t i = 0; i < n; i++) {
		words(&limits[i], label, sizeof(label));
		width = fmax(width, text_width(p->s, label, type_of(&limits[i])));
	}
	return width;
}

void limits_lines(struct plot *p)
{
	struct scene_box b = p->temp_box;
	struct limit limits[LIMITS_MAX];
	size_t n = limits_near(p, limits);

	for (size_t i = 0; i < n; i++) {
		double y = axis_px(&p->temp, limits[i].c);

		mark_line(p->s, limits[i].ink, 1.3, limits[i].dash, b.x, y, b.x + b.w, y);
		busy_line(p->s, b.x, y, b.x + b.w, y);
	}
}

/* Parts places that are too near to each other, evenly, within top..foot. */
static void spread(double *y, size_t n, double top, double foot)
{
	for (int round = 0; round < 60; round++)
		for (size_t i = 0; i < n; i++) {
			double close;

			y[i] = fmin(fmax(y[i], top), foot);
			if (i + 1 == n)
				break;
			close = LINE_PX - (y[i + 1] - y[i]);
			if (close > 0) {
				y[i] -= close / 2;
				y[i + 1] += close / 2;
			}
		}
}

/* Right of the panel, each led to by a short line. */
static void beside(struct plot *p, const struct limit *limits, size_t n)
{
	struct scene_box b = p->temp_box;
	double y[LIMITS_MAX], x = b.x + b.w + (p->overlay ? OVERLAY_TICKS : 0);
	char label[64];

	for (size_t i = 0; i < n; i++)
		y[i] = axis_px(&p->temp, limits[i].c);
	spread(y, n, b.y, b.y + b.h);
	for (size_t i = 0; i < n; i++) {
		words(&limits[i], label, sizeof(label));
		mark_begin(p->s, SCENE_LINE, limits[i].ink, 1);
		mark_point(p->s, x + 1, axis_px(&p->temp, limits[i].c));
		mark_point(p->s, x + 4, axis_px(&p->temp, limits[i].c));
		mark_point(p->s, x + 10, y[i]);
		text_put(p->s, label, x + 13, y[i] + 0.36 * TYPE_TICK, ALIGN_LEFT,
			 type_of(&limits[i]));
	}
}

/* Over their lines, moved left until free of other words. */
static void within(struct plot *p, const struct limit *limits, size_t n)
{
	struct scene_box b = p->temp_box;
	char label[64];

	if (b.h < LINE_PX * (double)(n + 1))
		return;
	p->s->current = p->temp_panel;
	for (size_t i = 0; i < n; i++) {
		struct type type = type_of(&limits[i]);
		double y = axis_px(&p->temp, limits[i].c) - 5, width;

		words(&limits[i], label, sizeof(label));
		width = text_width(p->s, label, type);
		for (int k = 0; b.w - 6 - width - 16 * k > 0; k++) {
			double x = b.x + b.w - 6 - width - 16 * k;

			if (!text_free(p->s, text_box(x, y, width, type.size)))
				continue;
			text_add(p->s, label, x, y, type, mark_behind(p->s, x, y));
			break;
		}
	}
	p->s->current = -1;
}

void limits_words(struct plot *p)
{
	struct limit limits[LIMITS_MAX];
	size_t n = limits_near(p, limits);

	if (p->gutter > 0 && p->temp_box.h >= LINE_PX * (double)n)
		beside(p, limits, n);
	else
		within(p, limits, n);
}
