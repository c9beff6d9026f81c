// SPDX-License-Identifier: Apache-2.0
// What a replay has played, in words: what there was none of is left out.
#ifndef TOCSIN_COSIM_PLAYED_H
#define TOCSIN_COSIM_PLAYED_H

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

typedef struct played_count {
  const char *what;  // of one
  uint64_t n;
} played_count;

// "291 waits, 1 check"
static inline void played_print(FILE *out, const played_count *count, size_t n) {
  const char *before = "";
  for (size_t i = 0; i < n; i++) {
    if (!count[i].n) continue;
    fprintf(out, "%s%" PRIu64 " %s%s", before, count[i].n, count[i].what, count[i].n == 1 ? "" : "s");
    before = ", ";
  }
}
#endif
