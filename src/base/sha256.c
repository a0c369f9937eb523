/*
 * SHA-256 as in FIPS 180-4. The constants are the first 32 bits of the fractional parts of the
 * square roots (state) and cube roots (rounds) of the first primes.
 */
#include "throttlog/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/text.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_begin(struct sha256 *s)
{
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memset(s, 0, sizeof(*s));
	memcpy(s->state, start, sizeof(start));
}

static uint32_t rotate(uint32_t v, int n)
{
	return v >> n | v << (32 - n);
}

static void expand(uint32_t w[64], const uint8_t *block)
{
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

/* One round; the callers turn the names instead of moving the values. */
static inline void turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
			uint32_t g, uint32_t *h, uint32_t word)
{
	uint32_t one = *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g))) +
		       word;

	*d += one;
	*h = one + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));
}

static void mix(uint32_t state[8], const uint8_t *block)
{
	const uint32_t *k = round_constants;
	uint32_t w[64];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	expand(w, block);
	for (size_t i = 0; i < 64; i += 8) {
		turn(a, b, c, &d, e, f, g, &h, k[i] + w[i]);
		turn(h, a, b, &c, d, e, f, &g, k[i + 1] + w[i + 1]);
		turn(g, h, a, &b, c, d, e, &f, k[i + 2] + w[i + 2]);
		turn(f, g, h, &a, b, c, d, &e, k[i + 3] + w[i + 3]);
		turn(e, f, g, &h, a, b, c, &d, k[i + 4] + w[i + 4]);
		turn(d, e, f, &g, h, a, b, &c, k[i + 5] + w[i + 5]);
		turn(c, d, e, &f, g, h, a, &b, k[i + 6] + w[i + 6]);
		turn(b, c, d, &e, f, g, h, &a, k[i + 7] + w[i + 7]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void sha256_add(struct sha256 *s, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n > 0) {
		size_t used = s->total % 64, part = 64 - used < n ? 64 - used : n;

		memcpy(s->block + used, p, part);
		s->total += part;
		p += part;
		n -= part;
		if (s->total % 64 == 0)
			mix(s->state, s->block);
	}
}

void sha256_end(struct sha256 *s, char hex[SHA256_HEX_SIZE])
{
	static const uint8_t padding[64] = {0x80};
	uint64_t bits = s->total * 8;
	uint8_t length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_add(s, padding, 1 + (64 + 55 - s->total % 64) % 64);
	sha256_add(s, length, sizeof(length));
	for (size_t i = 0; i < 8; i++)
		text_format(hex + 8 * i, 9, "%08x", s->state[i]);
}

int sha256_file(const char *path, char hex[SHA256_HEX_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct sha256 s;
	char part[4096];
	ssize_t n;
	int err;

	if (fd < 0)
		return -errno;
	sha256_begin(&s);
	while ((n = read(fd, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			sha256_add(&s, part, (size_t)n);
	err = n < 0 ? -errno : 0;
	close(fd);
	sha256_end(&s, hex);
	return err;
}
