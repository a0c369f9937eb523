/* Draws the whole zoo for people to look at: picture_zoo DIR [WxH [light|dark|print
 * [overlay|bytes]]] */
#include <stdio.h>
#include <stdlib.h>

#include "scene_zoo.h"
#include "throttlog/picture.h"

static void draw(const char *dir, const char *name, const struct picture_options *o,
		 const struct picture_item *items, size_t n, bool compare)
{
	static const char *const endings[] = {"png", "svg", "pdf"};
	char path[512];

	for (int k = 0; k < (n > 1 || !strcmp(name, "swings") || !strcmp(name, "words") ? 3 : 1);
	     k++) {
		int err;

		snprintf(path, sizeof(path), "%s/%s.%s", dir, name, endings[k]);
		err = picture_write(path, o, items, n, compare);
		if (err)
			printf("%s: %d\n", path, err);
	}
}

int main(int argc, char **argv)
{
	struct picture_options o;
	static struct picture_item items[ZOO];
	static struct rows rows[ZOO];
	static struct verdict verdicts[ZOO];
	const char *dir = argc > 1 ? argv[1] : ".";

	picture_defaults(&o);
	if (argc > 2 && sscanf(argv[2], "%dx%d", &o.width, &o.height) != 2)
		return 2;
	if (argc > 3)
		o.theme = *argv[3] == 'd'   ? THEME_DARK
			  : *argv[3] == 'p' ? THEME_PRINT
					    : THEME_LIGHT;
	if (argc > 4 && *argv[4] == 'o')
		o.style = STYLE_OVERLAY;
	o.x_bytes = argc > 4 && *argv[4] == 'b';
	for (size_t i = 0; i < ZOO; i++) {
		zoo[i].make(&rows[i]);
		rows_judge(&rows[i], &verdicts[i]);
		items[i] = (struct picture_item){.run = &rows[i].run, .verdict = &verdicts[i]};
		draw(dir, zoo[i].name, &o, &items[i], 1, false);
	}
	draw(dir, "two-drives", &o, (struct picture_item[]){items[1], items[0]}, 2, false);
	draw(dir, "four-drives", &o, items, 4, false);
	draw(dir, "two-runs", &o, (struct picture_item[]){items[1], items[2]}, 2, true);
	draw(dir, "four-runs", &o, items, 4, true);
	for (size_t i = 0; i < ZOO; i++)
		rows_end(&rows[i], &verdicts[i]);
	return 0;
}
