// SPDX-License-Identifier: Apache-2.0
#include "sha1.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 16, ROUNDS = 80 };

static uint32_t left(uint32_t v, unsigned by) { return v << by | v >> (32 - by); }

static uint32_t load(const uint8_t *b) {
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

static void store(uint8_t *b, uint32_t v) {
  b[0] = (uint8_t)(v >> 24);
  b[1] = (uint8_t)(v >> 16);
  b[2] = (uint8_t)(v >> 8);
  b[3] = (uint8_t)v;
}

// What rounds make of three words: 20 rounds choose by the first, 40 take parity, 20 what two of three say.
typedef uint32_t mixer(uint32_t x, uint32_t y, uint32_t z);
static inline uint32_t choice(uint32_t x, uint32_t y, uint32_t z) { return z ^ (x & (y ^ z)); }
static inline uint32_t parity(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }
static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z) { return (x & y) | (z & (x | y)); }

static inline void turn(mixer *f, uint32_t a, uint32_t *b, uint32_t c, uint32_t d, uint32_t *e, uint32_t w) {
  *e += left(a, 5) + f(*b, c, d) + w;
  *b = left(*b, 30);
}

// Five rounds, after which each word is in its own place again.
static inline void five(mixer *f, uint32_t v[5], uint32_t constant, const uint32_t *w) {
  turn(f, v[0], &v[1], v[2], v[3], &v[4], w[0] + constant);
  turn(f, v[4], &v[0], v[1], v[2], &v[3], w[1] + constant);
  turn(f, v[3], &v[4], v[0], v[1], &v[2], w[2] + constant);
  turn(f, v[2], &v[3], v[4], v[0], &v[1], w[3] + constant);
  turn(f, v[1], &v[2], v[3], v[4], &v[0], w[4] + constant);
}

static void block(uint32_t state[5], const uint8_t *bytes) {
  uint32_t w[ROUNDS], v[5];
  unsigned i = 0;
  for (; i < WORDS; i++) w[i] = load(bytes + 4 * i);
  for (; i < ROUNDS; i++) w[i] = left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  memcpy(v, state, sizeof v);
  for (i = 0; i < 20; i += 5) five(choice, v, 0x5a827999, w + i);
  for (; i < 40; i += 5) five(parity, v, 0x6ed9eba1, w + i);
  for (; i < 60; i += 5) five(majority, v, 0x8f1bbcdc, w + i);
  for (; i < ROUNDS; i += 5) five(parity, v, 0xca62c1d6, w + i);
  for (i = 0; i < 5; i++) state[i] += v[i];
}

void sha1(const uint8_t *bytes, size_t n, uint8_t digest[SHA1_BYTES]) {
  uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const uint64_t bits = 8 * (uint64_t)n;
  for (; n >= BLOCK; bytes += BLOCK, n -= BLOCK) block(state, bytes);
  uint8_t last[2 * BLOCK] = {0};
  if (n) memcpy(last, bytes, n);
  last[n] = 0x80;
  const bool two = n + 1 + 8 > BLOCK;  // the length has no room left in this block
  store(last + (two ? 2 : 1) * BLOCK - 8, (uint32_t)(bits >> 32));
  store(last + (two ? 2 : 1) * BLOCK - 4, (uint32_t)bits);
  block(state, last);
  if (two) block(state, last + BLOCK);
  for (unsigned i = 0; i < 5; i++) store(digest + 4 * i, state[i]);
}
