// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: round robin over n sources, as cm_rr_arb and the blocks around it promise it. Who has been served
// comes last from then on; who is next and has to wait stays next.
#ifndef TOCSIN_TURNS_H
#define TOCSIN_TURNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct turns {
  unsigned n, first;  // first: who is asked first
} turns;

// The source that is next among those that ask (a bit each), or -1.
static int turn_of(const turns *r, uint64_t asks) {
  for (unsigned i = 0; i < r->n; i++) {
    unsigned who = (r->first + i) % r->n;
    if (asks >> who & 1) return (int)who;
  }
  return -1;
}

// A cycle in which `who` was next has passed, and it was served or not.
static void turn_passed(turns *r, int who, bool served) {
  if (who >= 0) r->first = served ? ((unsigned)who + 1) % r->n : (unsigned)who;
}

#endif
