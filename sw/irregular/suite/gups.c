// SPDX-License-Identifier: Apache-2.0
#include "gups.h"

#include "mix.h"

// The product of two polynomials over GF(2), modulo that of the stream.
static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  for (; b; b >>= 1, a = gups_next(a))
    if (b & 1) sum ^= a;
  return sum;
}

// A step multiplies by x: n of them by x^n.
uint64_t gups_start(uint64_t n) {
  uint64_t result = 1, power = 2;
  for (; n; n >>= 1, power = times(power, power))
    if (n & 1) result = times(result, power);
  return result;
}

void gups_fill(uint64_t *table, uint64_t first, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) table[i] = first + i;
}

void gups_update(uint64_t *table, uint64_t words, uint64_t first, uint64_t n) {
  uint64_t ran = gups_start(first);
  while (n-- > 0) {
    ran = gups_next(ran);
    table[ran & (words - 1)] ^= ran;
  }
}

uint64_t gups_errors(uint64_t *table, uint64_t first, uint64_t n, uint64_t words, uint64_t updates) {
  uint64_t ran = 1, errors = 0;
  while (updates-- > 0) {
    ran = gups_next(ran);
    const uint64_t at = (ran & (words - 1)) - first;
    if (at < n) table[at] ^= ran;
  }
  for (uint64_t i = 0; i < n; i++) errors += table[i] != first + i;
  return errors;
}

uint64_t gups_digest(const uint64_t *table, uint64_t first, uint64_t words) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < words; i++) sum += app_mix(table[i] ^ app_mix(first + i));
  return sum;
}
