/*
 * Colours of the picture. Contrast and colour-vision checks are in tests/test_palette.c; blue
 * and vermilion stay apart for every common colour-vision deficiency.
 */
#include <math.h>

#include "throttlog/scene.h"

#define RGB(hex)                                                      \
	{                                                             \
		((hex) >> 16) & 0xff, ((hex) >> 8) & 0xff, (hex)&0xff \
	}

const struct palette palettes[] = {
    [THEME_LIGHT] = {.ink = {[INK_PAPER] = RGB(0xffffff),
			     [INK_TEXT] = RGB(0x1a1a1a),
			     [INK_MUTED] = RGB(0x545454),
			     [INK_GRID] = RGB(0xe4e4e4),
			     [INK_AXIS] = RGB(0x707070),
			     [INK_PHASE] = RGB(0xf4f5f7),
			     [INK_SHADE] = RGB(0xfdeadf),
			     [INK_SPEED] = RGB(0x004a78),
			     [INK_DOTS] = RGB(0x2e75a5),
			     [INK_TEMP] = RGB(0xb84300),
			     [INK_BAR] = RGB(0x508bb6),
			     [INK_SENSOR] = RGB(0x806500),
			     [INK_LIMIT] = RGB(0x303030),
			     [INK_HEAT] = RGB(0xa03a00),
			     [INK_OTHER] = RGB(0x5c5c5c),
			     [INK_RUN1] = RGB(0x1c1030),
			     [INK_RUN2] = RGB(0xb25900),
			     [INK_RUN3] = RGB(0x007f99),
			     [INK_RUN4] = RGB(0xaa00ff)},
		     .ramp = {RGB(0x3d86c6), RGB(0x8446a0), RGB(0x4a0a1e)}},
    [THEME_DARK] = {.ink = {[INK_PAPER] = RGB(0x14171c),
			    [INK_TEXT] = RGB(0xf0f0f0),
			    [INK_MUTED] = RGB(0xb4b8bf),
			    [INK_GRID] = RGB(0x2c313a),
			    [INK_AXIS] = RGB(0x8a9099),
			    [INK_PHASE] = RGB(0x1b1f26),
			    [INK_SHADE] = RGB(0x3a2318),
			    [INK_SPEED] = RGB(0x8ed2ff),
			    [INK_DOTS] = RGB(0x4a9bd1),
			    [INK_TEMP] = RGB(0xff8a3c),
			    [INK_BAR] = RGB(0x3a80ad),
			    [INK_SENSOR] = RGB(0xd8bd4a),
			    [INK_LIMIT] = RGB(0xd8d8d8),
			    [INK_HEAT] = RGB(0xffa066),
			    [INK_OTHER] = RGB(0xb8b8b8),
			    [INK_RUN1] = RGB(0x35e8ff),
			    [INK_RUN2] = RGB(0xffff4c),
			    [INK_RUN3] = RGB(0xff4c6a),
			    [INK_RUN4] = RGB(0xca44e5)},
		    .ramp = {RGB(0x4a7ab8), RGB(0xd890a8), RGB(0xfff0b0)}},
    [THEME_PRINT] = {.ink = {[INK_PAPER] = RGB(0xffffff),
			     [INK_TEXT] = RGB(0x000000),
			     [INK_MUTED] = RGB(0x404040),
			     [INK_GRID] = RGB(0xdcdcdc),
			     [INK_AXIS] = RGB(0x404040),
			     [INK_PHASE] = RGB(0xf6f6f6),
			     [INK_SHADE] = RGB(0xe9e9e9),
			     [INK_SPEED] = RGB(0x000000),
			     [INK_DOTS] = RGB(0x5c5c5c),
			     [INK_TEMP] = RGB(0x000000),
			     [INK_BAR] = RGB(0x808080),
			     [INK_SENSOR] = RGB(0x606060),
			     [INK_LIMIT] = RGB(0x303030),
			     [INK_HEAT] = RGB(0x000000),
			     [INK_OTHER] = RGB(0x505050),
			     [INK_RUN1] = RGB(0x000000),
			     [INK_RUN2] = RGB(0x6a6a6a),
			     [INK_RUN3] = RGB(0x404040),
			     [INK_RUN4] = RGB(0x757575)},
		     .ramp = {RGB(0x8c8c8c), RGB(0x505050), RGB(0x000000)}},
};

static uint8_t mix(uint8_t a, uint8_t b, double t)
{
	return (uint8_t)lround(a + (b - a) * t);
}

struct rgb palette_ramp(const struct palette *p, double t)
{
	int k = t < 0.5 ? 0 : 1;
	double part = fmin(fmax(t * 2 - k, 0), 1);
	struct rgb a = p->ramp[k], b = p->ramp[k + 1];

	return (struct rgb){mix(a.r, b.r, part), mix(a.g, b.g, part), mix(a.b, b.b, part)};
}
