/* The published examples of SHA-256, and every length around a block against another slicing. */
#include "cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "throttlog/sha256.h"

static void digest(const char *text, size_t times, size_t slice, char hex[SHA256_HEX_SIZE])
{
	size_t n = strlen(text);
	struct sha256 s;

	sha256_begin(&s);
	for (size_t k = 0; k < times; k++)
		for (size_t i = 0; i < n; i += slice)
			sha256_add(&s, text + i, n - i < slice ? n - i : slice);
	sha256_end(&s, hex);
}

static void test_examples(void **state)
{
	static const struct {
		const char *text, *hex;
		size_t times;
	} examples[] = {
	    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 1},
	    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 1},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", 1},
	    {"a", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", 1000000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		char hex[SHA256_HEX_SIZE];

		digest(examples[i].text, examples[i].times, 64, hex);
		assert_string_equal(hex, examples[i].hex);
	}
}

static void test_slices(void **state)
{
	char text[200], whole[SHA256_HEX_SIZE], sliced[SHA256_HEX_SIZE], last[SHA256_HEX_SIZE] = "";

	(void)state;
	for (size_t n = 1; n < sizeof(text); n++) {
		memset(text, 'x', n);
		text[n] = '\0';
		digest(text, 1, n, whole);
		digest(text, 1, 7, sliced);
		assert_string_equal(whole, sliced);
		assert_string_not_equal(whole, last);
		memcpy(last, whole, sizeof(last));
	}
}

static void test_file(void **state)
{
	char hex[SHA256_HEX_SIZE];

	(void)state;
	assert_int_equal(sha256_file("/dev/null", hex), 0);
	assert_int_equal(strncmp(hex, "e3b0c442", 8), 0);
	assert_int_equal(sha256_file("/nonexistent/log", hex), -ENOENT);
	assert_int_equal(sha256_file("/", hex), -EISDIR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_examples),
	    cmocka_unit_test(test_slices),
	    cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
