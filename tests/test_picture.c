/* The picture's file: valid, complete, the same each time, and never half there. */
#include "cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "png_decode.h"
#include "scene_zoo.h"
#include "throttlog/picture.h"
#include "throttlog/scene.h"

static struct rows swings, calm;
static struct verdict verdicts[2];
static struct picture_item items[2];
static char dir[64];

static int set_up(void **state)
{
	(void)state;
	zoo_hold(&swings);
	zoo_calm(&calm);
	rows_judge(&swings, &verdicts[0]);
	rows_judge(&calm, &verdicts[1]);
	items[0] = (struct picture_item){.run = &swings.run, .verdict = &verdicts[0]};
	items[1] = (struct picture_item){.run = &calm.run, .verdict = &verdicts[1]};
	strcpy(dir, "/tmp/test_picture.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	rows_end(&swings, &verdicts[0]);
	rows_end(&calm, &verdicts[1]);
	return rmdir(dir);
}

static struct bytes read_all(const char *path)
{
	struct bytes b = {NULL, 0};
	FILE *f = fopen(path, "rb");
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	b.n = (size_t)st.st_size;
	b.data = malloc(b.n + 1);
	assert_non_null(b.data);
	assert_int_equal(fread(b.data, 1, b.n, f), b.n);
	b.data[b.n] = '\0';
	fclose(f);
	return b;
}

/* Draws, reads and removes the file. */
static struct bytes drawn(const char *name, const struct picture_options *o, size_t n, bool compare)
{
	struct bytes b;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(picture_write(path, o, items, n, compare), 0);
	b = read_all(path);
	assert_int_equal(unlink(path), 0);
	return b;
}

static bool has(const struct bytes *b, const char *word)
{
	return memmem(b->data, b->n, word, strlen(word)) != NULL;
}

static const char *new_log(char *path, size_t size, const char *name, const char *text)
{
	FILE *f;

	snprintf(path, size, "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

/* Each of several logs: drive, hash and verdict, one after the other. */
static void all_logs_have_their_facts(void **state)
{
	struct picture_options o;
	struct bytes b;
	struct decoded d;
	char log[2][128];
	png_text *text;
	int n, hashes = 0, verdicts_seen = 0;

	(void)state;
	picture_defaults(&o);
	items[0].log = new_log(log[0], sizeof(log[0]), "one.csv", "abc");
	items[1].log = new_log(log[1], sizeof(log[1]), "two.csv", "");
	for (int compare = 0; compare < 2; compare++) {
		b = drawn("facts.png", &o, 2, compare);
		decode(&d, &b);
		hashes = verdicts_seen = 0;
		png_get_text(d.png, d.info, &text, &n);
		for (int i = 0; i < n; i++) {
			if (strcmp(text[i].key, "Log SHA-256") == 0)
				assert_memory_equal(text[i].text,
						    hashes++ ? "e3b0c442" : "ba7816bf", 8);
			verdicts_seen += strcmp(text[i].key, "Verdict") == 0;
		}
		assert_int_equal(hashes, 2);
		assert_int_equal(verdicts_seen, 2);
		forget(&d);
		free(b.data);
	}
	for (int i = 0; i < 2; i++) {
		unlink(log[i]);
		items[i].log = NULL;
	}
}

static void the_png_is_valid_and_has_its_facts(void **state)
{
	struct picture_options o;
	struct bytes b;
	struct decoded d;
	png_uint_32 x, y;
	char log[128], hash[65];
	int unit, intent;

	(void)state;
	picture_defaults(&o);
	items[0].log = new_log(log, sizeof(log), "log.csv", "abc");
	b = drawn("facts.png", &o, 1, false);
	unlink(log);
	items[0].log = NULL;
	decode(&d, &b);
	assert_int_equal(d.width, 1600);
	assert_int_equal(d.height, 900);
	assert_string_equal(text_of(&d, "Title"), verdicts[0].text);
	assert_string_equal(text_of(&d, "Software"), "throttlog 0.1.0");
	assert_string_equal(text_of(&d, "Creation Time"), "2026-11-30T22:17:03Z");
	assert_non_null(strstr(text_of(&d, "Drive"), "Hold SSD 512GB"));
	/* A picture is posted: only the end of the serial number goes with it. */
	assert_non_null(strstr(text_of(&d, "Drive"), "...456X"));
	assert_null(strstr(text_of(&d, "Drive"), "S5H7"));
	assert_null(strstr(text_of(&d, "Verdict"), "S5H7"));
	assert_non_null(strstr(text_of(&d, "Verdict"), "\"throttled\""));
	assert_memory_equal(text_of(&d, "Verdict"), "{", 1);
	strcpy(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_string_equal(text_of(&d, "Log SHA-256"), hash);
	assert_int_not_equal(png_get_pHYs(d.png, d.info, &x, &y, &unit), 0);
	assert_true(x == 3780 && y == 3780 && unit == PNG_RESOLUTION_METER);
	assert_int_not_equal(png_get_sRGB(d.png, d.info, &intent), 0);
	forget(&d);
	free(b.data);
}

static void the_inks_are_in_it(void **state)
{
	struct picture_options o;

	(void)state;
	picture_defaults(&o);
	for (int t = THEME_LIGHT; t <= THEME_PRINT; t++) {
		const struct palette *p = &palettes[t];
		struct bytes b;
		struct decoded d;
		struct rgb corner;

		o.theme = (enum picture_theme)t;
		b = drawn("inks.png", &o, 1, false);
		decode(&d, &b);
		corner = pixel(&d, 0, 0);
		assert_memory_equal(&corner, &p->ink[INK_PAPER], sizeof(corner));
		assert_true(count(&d, p->ink[INK_PAPER]) > 500000);
		assert_true(count(&d, p->ink[INK_SHADE]) > 200000);
		assert_true(count(&d, p->ink[INK_SPEED]) > 500);
		assert_true(count(&d, p->ink[INK_TEMP]) > 500);
		assert_true(count(&d, p->ink[INK_HEAT]) > 500);
		forget(&d);
		free(b.data);
	}
}

static void scale_gives_the_same_picture_in_more_px(void **state)
{
	struct picture_options o;
	struct bytes b;
	struct decoded one, two;
	size_t shade_one;
	png_uint_32 x, y;
	int unit;

	(void)state;
	picture_defaults(&o);
	o.width = 1280;
	o.height = 720;
	b = drawn("one.png", &o, 1, false);
	decode(&one, &b);
	shade_one = count(&one, palettes[0].ink[INK_SHADE]);
	forget(&one);
	free(b.data);
	o.scale = 2;
	b = drawn("two.png", &o, 1, false);
	decode(&two, &b);
	assert_int_equal(two.width, 2560);
	assert_int_equal(two.height, 1440);
	assert_int_not_equal(png_get_pHYs(two.png, two.info, &x, &y, &unit), 0);
	assert_int_equal(x, 7559);
	assert_true(fabs((double)count(&two, palettes[0].ink[INK_SHADE]) / (double)shade_one - 4) <
		    0.2);
	forget(&two);
	free(b.data);
}

static void the_same_input_gives_the_same_bytes(void **state)
{
	static const char *const names[] = {"same.png", "same.svg", "same.pdf"};
	struct picture_options o;

	(void)state;
	picture_defaults(&o);
	for (size_t i = 0; i < 3; i++)
		for (size_t n = 1; n <= 2; n++) {
			struct bytes a = drawn(names[i], &o, n, n > 1);
			struct bytes b = drawn(names[i], &o, n, n > 1);

			assert_int_equal(a.n, b.n);
			assert_memory_equal(a.data, b.data, a.n);
			free(a.data);
			free(b.data);
		}
}

static void svg_keeps_its_words_as_text(void **state)
{
	struct picture_options o;
	struct bytes b;

	(void)state;
	picture_defaults(&o);
	strcpy(swings.run.note, "a < b & \"c\"");
	b = drawn("words.svg", &o, 1, false);
	strcpy(swings.run.note, "open bench, no airflow");
	assert_true(has(&b, ">throttles at 78 \xc2\xb0"));
	assert_true(has(&b, "a &lt; b &amp; \"c\""));
	assert_false(has(&b, "S5H7NS0"));
	assert_true(has(&b, "viewBox=\"0 0 1600 900\""));
	assert_true(has(&b, "</svg>\n"));
	assert_false(has(&b, "nan") || has(&b, "inf\""));
	free(b.data);
}

static void pdf_is_dated_by_the_run(void **state)
{
	struct picture_options o;
	struct bytes b;

	(void)state;
	picture_defaults(&o);
	b = drawn("run.pdf", &o, 1, false);
	assert_memory_equal(b.data, "%PDF-", 5);
	assert_true(has(&b, "/CreationDate (20261130221703"));
	assert_true(has(&b, "%%EOF"));
	free(b.data);
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void an_existing_file_is_never_overwritten(void **state)
{
	struct picture_options o;
	struct bytes b;
	char path[128], target[128];
	FILE *f;

	(void)state;
	picture_defaults(&o);
	snprintf(path, sizeof(path), "%s/mine.png", dir);
	snprintf(target, sizeof(target), "%s/target", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("mine", f);
	fclose(f);
	assert_int_equal(picture_write(path, &o, items, 1, false), -EEXIST);
	b = read_all(path);
	assert_string_equal((char *)b.data, "mine");
	free(b.data);
	unlink(path);
	/* Nor is a link followed, even one that leads nowhere yet. */
	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(picture_write(path, &o, items, 1, false), -EEXIST);
	assert_false(exists(target));
	unlink(path);
}

static void errors_leave_nothing_behind(void **state)
{
	struct picture_options o;
	char path[128];

	(void)state;
	picture_defaults(&o);
	snprintf(path, sizeof(path), "%s/no/such.png", dir);
	assert_int_equal(picture_write(path, &o, items, 1, false), -ENOENT);
	snprintf(path, sizeof(path), "%s/what.gif", dir);
	assert_int_equal(picture_write(path, &o, items, 1, false), -EINVAL);
	assert_false(exists(path));
	snprintf(path, sizeof(path), "%s/none.png", dir);
	assert_int_equal(picture_write(path, &o, items, 0, false), -EINVAL);
	assert_false(exists(path));
	o.scale = 1000;
	assert_int_equal(picture_write(path, &o, items, 1, false), -EFBIG);
	assert_false(exists(path));
}

static void an_unwritable_directory_is_an_error(void **state)
{
	struct picture_options o;
	char path[128];
	int err;

	(void)state;
	if (geteuid() == 0) {
		/* Root may write anywhere but here. */
		picture_defaults(&o);
		err = picture_write("/proc/throttlog.png", &o, items, 1, false);
		assert_true(err == -ENOENT || err == -EACCES || err == -EPERM);
		return;
	}
	picture_defaults(&o);
	snprintf(path, sizeof(path), "%s/closed.png", dir);
	chmod(dir, 0500);
	err = picture_write(path, &o, items, 1, false);
	chmod(dir, 0700);
	assert_int_equal(err, -EACCES);
	assert_false(exists(path));
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
	struct picture_options o;
	char mount_point[128], path[160];
	int err;
	bool left;

	(void)state;
	picture_defaults(&o);
	snprintf(mount_point, sizeof(mount_point), "%s/full", dir);
	snprintf(path, sizeof(path), "%s/a.png", mount_point);
	assert_int_equal(mkdir(mount_point, 0700), 0);
	if (mount("none", mount_point, "tmpfs", 0, "size=16k")) {
		rmdir(mount_point);
		skip();
	}
	err = picture_write(path, &o, items, 1, false);
	left = exists(path);
	umount(mount_point);
	rmdir(mount_point);
	assert_int_equal(err, -ENOSPC);
	assert_false(left);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_png_is_valid_and_has_its_facts),
	    cmocka_unit_test(all_logs_have_their_facts),
	    cmocka_unit_test(the_inks_are_in_it),
	    cmocka_unit_test(scale_gives_the_same_picture_in_more_px),
	    cmocka_unit_test(the_same_input_gives_the_same_bytes),
	    cmocka_unit_test(svg_keeps_its_words_as_text),
	    cmocka_unit_test(pdf_is_dated_by_the_run),
	    cmocka_unit_test(an_existing_file_is_never_overwritten),
	    cmocka_unit_test(errors_leave_nothing_behind),
	    cmocka_unit_test(an_unwritable_directory_is_an_error),
	    cmocka_unit_test(a_full_disk_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
