/* SHA-256 (FIPS 180-4), to name a log in its picture. */
#ifndef THROTTLOG_SHA256_H
#define THROTTLOG_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t total; /* bytes so far */
	uint8_t block[64];
};

#define SHA256_HEX_SIZE 65

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t n);
void sha256_end(struct sha256 *s, char hex[SHA256_HEX_SIZE]);
/* The digest of a whole file. Returns 0 or -errno. */
int sha256_file(const char *path, char hex[SHA256_HEX_SIZE]);

#endif
