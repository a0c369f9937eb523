/* Where requests go at random, and what is written: pure functions of a seed. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "engines/noise.h"
#include "engines/position.h"

#define BS     4096u
#define REGION (UINT64_C(10) * BS + 1024)
#define BLOCKS 11

static void random_covers_the_region(void **state)
{
	enum { N = 1100 };
	unsigned seen[BLOCKS] = {0}, in_order = 0;
	uint64_t last = 0;
	struct position p;

	(void)state;
	assert_int_equal(position_init(&p, REGION, BS, 512, 0), 0);
	position_randomize(&p, 1);
	for (unsigned i = 0; i < N; i++) {
		uint32_t bytes;
		uint64_t offset = position_take(&p, &bytes);

		assert_true(offset % BS == 0 && offset / BS < BLOCKS);
		assert_int_equal(bytes, offset / BS == BLOCKS - 1 ? 1024 : BS);
		seen[offset / BS]++;
		in_order += i && offset == last + BS;
		last = offset;
	}
	/* 100 each are expected, with a deviation of 10. */
	for (unsigned i = 0; i < BLOCKS; i++)
		assert_in_range(seen[i], N / BLOCKS / 2, N / BLOCKS * 2);
	assert_true(in_order < N / 5);
}

static void places_follow_from_the_seed(void **state)
{
	struct position a, b, other;
	unsigned same = 0;

	(void)state;
	assert_int_equal(position_init(&a, REGION, BS, 512, 0), 0);
	b = other = a;
	position_randomize(&a, 1);
	position_randomize(&b, 1);
	position_randomize(&other, 2);
	for (unsigned i = 0; i < 200; i++) {
		uint32_t bytes;
		uint64_t offset = position_take(&a, &bytes);

		assert_int_equal(position_take(&b, &bytes), offset);
		same += position_take(&other, &bytes) == offset;
	}
	assert_true(same < 100);
}

/* A drive's region: bytes beyond the last logical block are left out. */
static void the_region_ends_with_a_logical_block(void **state)
{
	struct position p;
	uint32_t bytes;

	(void)state;
	assert_int_equal(position_init(&p, 2 * BS + 1000, BS, 512, BS), 0);
	assert_int_equal(position_take(&p, &bytes), BS);
	assert_int_equal(position_take(&p, &bytes), 2 * BS);
	assert_int_equal(bytes, 512);
	assert_int_equal(position_take(&p, &bytes), 0);
	assert_int_equal(bytes, BS);
}

#define WORDS (NOISE_BLOCK / 8)

static int compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void stamps_never_repeat(void **state)
{
	enum { SECTORS = 64, ROUNDS = 300 };
	static uint64_t buf[SECTORS * WORDS], first[SECTORS * ROUNDS];
	struct noise noise;
	size_t n = 0;

	(void)state;
	noise_init(&noise, 7);
	noise_fill(&noise, buf, sizeof(buf));
	for (unsigned round = 0; round < ROUNDS; round++) {
		noise_stamp(&noise, buf, sizeof(buf));
		for (unsigned i = 0; i < SECTORS; i++)
			first[n++] = buf[(size_t)i * WORDS];
	}
	qsort(first, n, sizeof(*first), compare_words);
	for (size_t i = 1; i < n; i++)
		assert_true(first[i] != first[i - 1]);
}

static void noise_follows_from_the_seed(void **state)
{
	uint64_t x[WORDS], y[WORDS];
	struct noise a, b;

	(void)state;
	noise_init(&a, 7);
	noise_init(&b, 7);
	noise_fill(&a, x, sizeof(x));
	noise_fill(&b, y, sizeof(y));
	assert_memory_equal(x, y, sizeof(x));
	noise_init(&b, 8);
	noise_fill(&b, y, sizeof(y));
	assert_memory_not_equal(x, y, sizeof(x));
	noise_fill(&a, y, sizeof(y));
	assert_memory_not_equal(x, y, sizeof(x));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_covers_the_region),
	    cmocka_unit_test(places_follow_from_the_seed),
	    cmocka_unit_test(the_region_ends_with_a_logical_block),
	    cmocka_unit_test(stamps_never_repeat),
	    cmocka_unit_test(noise_follows_from_the_seed),
	};

	return cmocka_run_group_tests_name("load_data", tests, NULL, NULL);
}
