// SPDX-License-Identifier: Apache-2.0
// The stream of updates and its tables, by numbers that were computed elsewhere; and that lost updates are counted.
#include <stdlib.h>

#include "check.h"
#include "gups.h"

static void test_starts(void) {
  static const uint64_t at[][2] = {{0, 1},
                                   {1, 2},
                                   {63, 0x8000000000000000},
                                   {64, 7},
                                   {65, 0xe},
                                   {127, 0x8000000000000009},
                                   {128, 0x15},
                                   {1000, 0xb6b6db0000000103},
                                   {1000000, 0xc0de85b06ad60981},
                                   {1000000000, 0xcfe291d18931ec70},
                                   {1ULL << 20, 0x100010111},
                                   {1ULL << 30, 0x100010007},
                                   {1ULL << 40, 0x100000116},
                                   {1317624576693539401, 1}};
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++) EQ(gups_start(at[i][0]), at[i][1]);
  uint64_t ran = 1;
  for (uint64_t n = 0; n <= 2000; n++, ran = gups_next(ran))
    if (gups_start(n) != ran) EQ(gups_start(n), ran);
}

// A table of 2^bits words after four updates a word, done by `ranks` in turn, the last first.
static uint64_t *updated(unsigned bits, unsigned ranks) {
  const uint64_t words = 1ULL << bits, n = 4 * words;
  uint64_t *t = malloc(words * sizeof *t);
  if (!t) exit(2);
  gups_fill(t, 0, words);
  for (unsigned r = ranks; r-- > 0;) gups_update(t, words, n * r / ranks, n * (r + 1) / ranks - n * r / ranks);
  return t;
}

static void sums(unsigned bits, uint64_t xor_is, uint64_t sum_is) {
  uint64_t *t = updated(bits, 1), x = 0, sum = 0;
  for (uint64_t i = 0; i < 1ULL << bits; i++) {
    x ^= t[i];
    sum += t[i];
  }
  EQ(x, xor_is);
  EQ(sum, sum_is);
  free(t);
}

static void test_tables(void) {
  sums(10, 0xffffffffffffffe1, 0xac384cb84247d355);
  sums(20, 0xfffffffe0001ffe1, 0x4fd96c5f17b397e9);
  static const uint64_t first[] = {0x4aeadb0b8169a800, 0x763060edd63e0800, 0x346226b4d3007400, 0x8e62c10c1b70e400};
  uint64_t *t = updated(10, 1);
  for (unsigned i = 0; i < 4; i++) EQ(t[i], first[i]);
  free(t);
}

static void test_parts(void) {
  const uint64_t words = 1 << 10;
  uint64_t *t = updated(10, 1);
  const uint64_t whole = gups_digest(t, 0, words);
  EQ(gups_digest(t, 0, 100) + gups_digest(t + 100, 100, words - 100), whole);
  free(t);
  for (unsigned ranks = 2; ranks <= 128; ranks = 3 * ranks - 1) {
    t = updated(10, ranks);
    EQ(gups_digest(t, 0, words), whole);
    free(t);
  }
}

static void test_errors(void) {
  const uint64_t words = 1 << 10;
  uint64_t *t = updated(10, 7);
  EQ(gups_errors(t, 0, words, words, 4 * words), 0);
  free(t);
  t = updated(10, 7);  // a part of the table, by itself
  EQ(gups_errors(t + 300, 300, 500, words, 4 * words), 0);
  CHECK(gups_errors(t, 0, words, words, 4 * words) > 0);  // it was taken back twice
  free(t);
  t = updated(10, 7);
  t[5] ^= 1;                       // a word that is wrong
  gups_update(t, words, 1000, 1);  // an update that is done twice
  EQ(gups_errors(t, 0, words, words, 4 * words), 2);
  free(t);
  t = updated(10, 1);
  const uint64_t digest = gups_digest(t, 0, words), v = t[3];
  t[3] = t[4];  // the right words in the wrong places
  t[4] = v;
  CHECK(gups_digest(t, 0, words) != digest);
  EQ(gups_errors(t, 0, words, words, 4 * words), 2);
  free(t);
}

int main(void) {
  test_starts();
  test_tables();
  test_parts();
  test_errors();
  return report();
}
