// SPDX-License-Identifier: Apache-2.0
// Ranks for tests that have a heap.
#ifndef TOCSIN_IRREGULAR_TEST_HEAP_HERE_H
#define TOCSIN_IRREGULAR_TEST_HEAP_HERE_H

#include "ranks_here.h"
#include "tocsin/irregular/heap.h"

enum { RANK_BYTES = 64 << 10 };

typedef struct global {
  here h;
  irr_heap *heap[HERE_MOST];
} global;

static inline bool global_open(global *g, unsigned n, irr_heap_options o) {
  if (!here_open(&g->h, n, NULL, NULL)) return false;
  if (!o.rank_bytes) o.rank_bytes = RANK_BYTES;
  for (unsigned i = 0; i < n; i++) FINE(irr_heap_open(g->h.net[i], &o, &g->heap[i]));
  return !failed;
}

static inline void global_close(global *g) {
  for (unsigned i = 0; i < g->h.n; i++) irr_heap_close(g->heap[i]);
  here_close(&g->h);
}

#endif
