// SPDX-License-Identifier: Apache-2.0
#include "kron.h"

#include <string.h>

enum { A = 5700, B = 1900, WHOLE = 10000 };  // the initiator: A, B, B and what is left, of WHOLE
static const uint32_t prime = 0x7fffffff, near = 107374182, far = 104480;

void kron_seed(uint64_t seed1, uint64_t seed2, kron_state *s) {
  const uint32_t low = 0x3fffffff;
  s->x[0] = (uint32_t)(seed1 & low) + 1;
  s->x[1] = (uint32_t)(seed1 >> 30 & low) + 1;
  s->x[2] = (uint32_t)(seed2 & low) + 1;
  s->x[3] = (uint32_t)(seed2 >> 30 & low) + 1;
  s->x[4] = (uint32_t)(seed2 >> 60 << 4) + (uint32_t)(seed1 >> 60) + 1;
}

uint32_t kron_next(kron_state *s) {
  uint32_t v = (uint32_t)(((uint64_t)near * s->x[0] + (uint64_t)far * s->x[KRON_WORDS - 1]) % prime);
  memmove(s->x + 1, s->x, (KRON_WORDS - 1) * sizeof *s->x);
  return s->x[0] = v;
}

// ---- many steps at once: a step is a matrix, n of them its n-th power -----------------------------------------------

static uint32_t dot(const uint32_t *row, const uint32_t *column, size_t stride) {
  uint64_t sum = 0;
  for (size_t i = 0; i < KRON_WORDS; i++) sum = (sum + (uint64_t)row[i] * column[i * stride]) % prime;
  return (uint32_t)sum;
}

static kron_state moved(const kron_matrix *by, const kron_state *s) {
  kron_state to;
  for (unsigned i = 0; i < KRON_WORDS; i++) to.x[i] = dot(by->m[i], s->x, 1);
  return to;
}

static kron_matrix product(const kron_matrix *a, const kron_matrix *b) {
  kron_matrix p;
  for (unsigned i = 0; i < KRON_WORDS; i++)
    for (unsigned j = 0; j < KRON_WORDS; j++) p.m[i][j] = dot(a->m[i], &b->m[0][j], KRON_WORDS);
  return p;
}

static kron_state after(kron_state s, kron_matrix step, uint64_t n) {
  for (; n; n >>= 1) {
    if (n & 1) s = moved(&step, &s);
    step = product(&step, &step);
  }
  return s;
}

static kron_matrix squared(kron_matrix m, unsigned times) {
  while (times-- > 0) m = product(&m, &m);
  return m;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

static uint64_t reversed(uint64_t v) {
  v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
  v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
  v = (v >> 8 & 0x00ff00ff00ff00ff) | (v & 0x00ff00ff00ff00ff) << 8;
  v = (v >> 16 & 0x0000ffff0000ffff) | (v & 0x0000ffff0000ffff) << 16;
  return v >> 32 | v << 32;
}

static uint32_t scrambled(const kron *k, uint64_t v) {
  v += k->scramble[0] + k->scramble[1];
  v = reversed(v * (k->scramble[0] | 0x4519840211493211)) >> (64 - k->scale);
  return (uint32_t)(reversed(v * (k->scramble[1] | 0x3050852102c843a5)) >> (64 - k->scale));
}

static uint64_t wide(kron_state *s) {
  const uint64_t high = kron_next(s);
  return high * 0xffffffff + kron_next(s);
}

void kron_open(kron *k, unsigned scale, uint64_t seed1, uint64_t seed2) {
  const kron_matrix step = {{{near, 0, 0, 0, far}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}}};
  k->scale = scale;
  kron_seed(seed1, seed2, &k->begin);
  k->edge = squared(step, 64);
  // The scramble's numbers lie where no edge's do: 50 * 2^128 + 7 * 2^64 steps into the stream.
  kron_state s = after(after(k->begin, k->edge, 7), squared(k->edge, 64), 50);
  k->scramble[0] = wide(&s);
  k->scramble[1] = wide(&s);
}

// One of the four quarters of the adjacency matrix: 2 * row + column.
static unsigned quarter(kron_state *s) {
  uint32_t v;
  do v = kron_next(s);
  while (v < prime % WHOLE);  // so that each remainder is as likely
  v %= WHOLE;
  return v < B ? 1 : v < 2 * B ? 2 : v < 2 * B + A ? 0 : 3;
}

static edge drawn(const kron *k, kron_state s) {
  uint64_t row = 0, column = 0;
  for (uint64_t half = 1ULL << k->scale >> 1; half; half >>= 1) {
    unsigned q = quarter(&s);
    if (row == column && q == 2) q = 1;  // undirected: what is below the diagonal is turned over
    row += q & 2 ? half : 0;
    column += q & 1 ? half : 0;
  }
  return (edge){scrambled(k, row), scrambled(k, column)};
}

void kron_edges(const kron *k, uint64_t first, uint64_t n, edge *e) {
  kron_state s = after(k->begin, k->edge, first);
  for (uint64_t i = 0; i < n; i++) {
    e[i] = drawn(k, s);
    s = moved(&k->edge, &s);
  }
}
