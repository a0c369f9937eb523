/*
 * The picture's file: lays out the scene, draws it in memory as the ending of the name asks, and
 * writes it as a whole or not at all.
 */
#include "throttlog/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "sinks/output_file.h"
#include "sinks/picture_private.h"
#include "throttlog/alloc.h"
#include "throttlog/sha256.h"
#include "throttlog/text.h"

#define WIDTH_MIN  320
#define HEIGHT_MIN 200

void picture_defaults(struct picture_options *o)
{
	*o = (struct picture_options){
	    .width = 1600,
	    .height = 900,
	    .scale = 1,
	    .style = STYLE_PANELS,
	    .theme = THEME_LIGHT,
	};
}

void buffer_add(struct buffer *b, const void *data, size_t n)
{
	if (b->n + n > b->cap) {
		b->cap = 2 * (b->n + n) + 4096;
		b->data = xreallocarray(b->data, b->cap, 1);
	}
	memcpy(b->data + b->n, data, n);
	b->n += n;
}

/* Takes over `text`. */
static void fact(struct facts *f, const char *key, char *text)
{
	if (!*text) {
		free(text);
		return;
	}
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 16;
		f->item = xreallocarray(f->item, f->cap, sizeof(*f->item));
	}
	text_format(f->item[f->n].key, sizeof(f->item->key), "%s", key);
	f->item[f->n++].text = text;
}

/* Pictures are posted: only the end of the serial number goes with them, as in the caption. */
static void item_facts(struct facts *f, const struct picture_item *item)
{
	struct run run = *item->run; /* shares the rows */
	struct drive *d = &run.drive;
	size_t n = strlen(d->serial);
	char hex[SHA256_HEX_SIZE];

	if (n > 4)
		text_format(d->serial, sizeof(d->serial), "...%s", item->run->drive.serial + n - 4);
	fact(f, "Drive",
	     xasprintf("%s, firmware %s, serial number %s", d->model, d->firmware, d->serial));
	if (item->log && sha256_file(item->log, hex) == 0)
		fact(f, "Log SHA-256", xstrdup(hex));
	fact(f, "Verdict", verdict_json(&run, item->verdict, false));
}

static void collect_facts(struct facts *f, const struct scene *s, const struct picture_item *items,
			  size_t n)
{
	const struct run *run = items[0].run;

	fact(f, "Title", xstrdup(s->title));
	fact(f, "Software", xstrdup(run->tool[0] ? run->tool : "throttlog " THROTTLOG_VERSION));
	fact(f, "Creation Time", xstrdup(run->start_utc));
	for (size_t i = 0; i < n; i++)
		item_facts(f, &items[i]);
}

static void free_facts(struct facts *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->item[i].text);
	free(f->item);
}

static int draw(const char *path, const struct picture_options *o, const struct scene *s,
		const struct font *font, const struct facts *facts, struct buffer *out)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcasecmp(dot, ".png"))
		return picture_png(s, font, o->scale, facts, out);
	if (dot && !strcasecmp(dot, ".svg")) {
		picture_svg(s, facts, out);
		return 0;
	}
	if (dot && !strcasecmp(dot, ".pdf"))
		return picture_pdf(s, font, facts, out);
	return -EINVAL;
}

static int check_size(const struct picture_options *o)
{
	if (!picture_fits(o))
		return -EFBIG;
	return o->width >= WIDTH_MIN && o->height >= HEIGHT_MIN && o->scale >= 0.1 ? 0 : -EINVAL;
}

int picture_write(const char *path, const struct picture_options *options,
		  const struct picture_item *items, size_t n, bool compare)
{
	struct buffer out = {0};
	struct facts facts = {0};
	struct text_measure measure;
	struct scene scene;
	struct font *font;
	struct stat st;
	int err = n == 0 ? -EINVAL : check_size(options);

	if (err)
		return err;
	/* Before the work; the file is created O_EXCL all the same. */
	if (lstat(path, &st) == 0)
		return -EEXIST;
	err = font_open(&font);
	if (err)
		return err;
	measure = font_measure(font);
	scene_make(&scene, options, items, n, compare, &measure);
	collect_facts(&facts, &scene, items, n);
	err = draw(path, options, &scene, font, &facts, &out);
	if (!err)
		err = output_write(path, out.data, out.n);
	free_facts(&facts);
	scene_fini(&scene);
	free(out.data);
	return err;
}
