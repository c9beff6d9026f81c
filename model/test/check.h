// SPDX-License-Identifier: Apache-2.0
// What all unit tests share: checks that count and say where, and a last line.
#ifndef TOCSIN_TEST_CHECK_H
#define TOCSIN_TEST_CHECK_H

#include <inttypes.h>
#include <stdio.h>

static unsigned passed, failed;

#define CHECK(x)                                             \
  do {                                                       \
    if (x) {                                                 \
      passed++;                                              \
    } else {                                                 \
      failed++;                                              \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #x); \
    }                                                        \
  } while (0)

#define EQ(got, want)                                                                                \
  do {                                                                                               \
    uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                                       \
    if (got_ == want_) {                                                                             \
      passed++;                                                                                      \
    } else {                                                                                         \
      failed++;                                                                                      \
      printf("%s:%d: %s got %" PRIx64 " want %" PRIx64 "\n", __FILE__, __LINE__, #got, got_, want_); \
    }                                                                                                \
  } while (0)

static inline int report(void) {
  printf("%u passed, %u failed\n", passed, failed);
  return failed ? 1 : 0;
}

#endif
