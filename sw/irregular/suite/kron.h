// SPDX-License-Identifier: Apache-2.0
// The edges of Graph500's Kronecker graphs, bit by bit those of its reference generator: 2^scale vertices, `degree`
// times as many edges, which are undirected, with loops and duplicates. Edge i is drawn from numbers of its own, i *
// 2^64 steps into the stream, so that each rank makes its part of the list and nothing else.
#ifndef TOCSIN_SUITE_KRON_H
#define TOCSIN_SUITE_KRON_H

#include <stdint.h>

#include "edges.h"

enum {
  KRON_WORDS = 5,
  KRON_SCALE = 26,
  KRON_DEGREE = 16
};  // the largest scale; edges a vertex, if nobody says otherwise

// The generator of numbers: x(n) = 107374182 x(n-1) + 104480 x(n-5) mod 2^31-1.
typedef struct kron_state {
  uint32_t x[KRON_WORDS];  // the newest first
} kron_state;
void kron_seed(uint64_t seed1, uint64_t seed2, kron_state *s);
uint32_t kron_next(kron_state *s);

typedef struct kron_matrix {
  uint32_t m[KRON_WORDS][KRON_WORDS];
} kron_matrix;
typedef struct kron {
  unsigned scale;
  kron_state begin;
  kron_matrix edge;      // from one edge's numbers to the next one's
  uint64_t scramble[2];  // which vertex is called what
} kron;
// Graph500's own graphs have seeds 2 and 3. Scale is 1 to KRON_SCALE.
void kron_open(kron *k, unsigned scale, uint64_t seed1, uint64_t seed2);
// Edges first, first+1, ... of the list.
void kron_edges(const kron *k, uint64_t first, uint64_t n, edge *e);
#endif
