// SPDX-License-Identifier: Apache-2.0
#include "pagerank.h"

#include <math.h>
#include <stdlib.h>

#include "mix.h"

enum { PARTS = 20, GIVEN = 17 };

uint64_t pagerank_share(uint64_t rank, uint64_t out, uint64_t *left) {
  const uint64_t share = out ? rank * GIVEN / PARTS / out : 0;
  *left = rank - share * out;
  return share;
}

uint64_t pagerank_common(uint64_t pot, uint32_t vertices, uint32_t v) { return pot / vertices + (v < pot % vertices); }

static void turn(const csr *g, const uint64_t *rank, uint64_t *next) {
  uint64_t pot = 0, left;
  for (uint32_t v = 0; v < g->vertices; v++) next[v] = 0;
  for (uint32_t v = 0; v < g->vertices; v++) {
    const uint64_t share = pagerank_share(rank[v], g->first[v + 1] - g->first[v], &left);
    pot += left;
    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) next[g->to[k]] += share;
  }
  for (uint32_t v = 0; v < g->vertices; v++) next[v] += pagerank_common(pot, g->vertices, v);
}

unsigned pagerank_run(const csr *g, double tolerance, uint64_t *rank) {
  uint64_t *next = malloc(((size_t)g->vertices + 1) * sizeof *next), change;
  unsigned turns = 0;
  if (!next) return 0;
  for (uint32_t v = 0; v < g->vertices; v++) rank[v] = pagerank_common(PAGERANK_ONE, g->vertices, v);
  do {
    turn(g, rank, next);
    change = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
      change += next[v] > rank[v] ? next[v] - rank[v] : rank[v] - next[v];
      rank[v] = next[v];
    }
  } while (++turns < PAGERANK_TURNS && (double)change > tolerance * (double)PAGERANK_ONE);
  free(next);
  return turns;
}

// ---- the check ------------------------------------------------------------------------------------------------------

typedef struct checked {
  uint32_t *out;
  double *rank, *next;
} checked;

static double changed(const edge_list *l, const checked *c) {
  const double given = 0.85, n = l->vertices;
  double common = 0, sum = 0;
  for (uint32_t v = 0; v < l->vertices; v++) common += c->out[v] ? (1 - given) * c->rank[v] : c->rank[v];
  for (uint32_t v = 0; v < l->vertices; v++) c->next[v] = common / n;
  for (uint64_t i = 0; i < l->count; i++) {
    const edge e = l->edge[i];
    c->next[e.b] += given * c->rank[e.a] / c->out[e.a];
    if (!l->directed && e.a != e.b) c->next[e.a] += given * c->rank[e.b] / c->out[e.b];
  }
  for (uint32_t v = 0; v < l->vertices; v++) sum += fabs(c->next[v] - c->rank[v]);
  return sum;
}

pagerank_verdict pagerank_check(const edge_list *l, double tolerance, const uint64_t *rank, double *change) {
  const size_t n = (size_t)l->vertices + 1;
  uint64_t sum = 0;
  *change = 0;
  for (uint32_t v = 0; v < l->vertices; v++) {
    if (rank[v] > PAGERANK_ONE - sum) return PAGERANK_SUM;
    sum += rank[v];
  }
  if (sum != PAGERANK_ONE) return PAGERANK_SUM;
  checked c = {calloc(n, sizeof *c.out), malloc(n * sizeof *c.rank), malloc(n * sizeof *c.next)};
  pagerank_verdict verdict = PAGERANK_NO_MEMORY;
  if (c.out && c.rank && c.next) {
    for (uint32_t v = 0; v < l->vertices; v++) c.rank[v] = (double)rank[v] / (double)PAGERANK_ONE;
    for (uint64_t i = 0; i < l->count; i++) {
      c.out[l->edge[i].a]++;
      if (!l->directed && l->edge[i].a != l->edge[i].b) c.out[l->edge[i].b]++;
    }
    *change = changed(l, &c);
    // A turn makes a change smaller; divisions lose less than one unit an edge, and doubles are rounded.
    const double rounding = 4 * ((double)l->count + (double)l->vertices) / (double)PAGERANK_ONE + 1e-14;
    verdict = *change <= tolerance + rounding ? PAGERANK_RIGHT : PAGERANK_CHANGE;
  }
  free(c.out);
  free(c.rank);
  free(c.next);
  return verdict;
}

uint64_t pagerank_digest(const uint64_t *rank, uint32_t first, uint32_t vertices) {
  uint64_t sum = 0;
  for (uint32_t v = 0; v < vertices; v++) sum += app_mix(rank[v] ^ app_mix(first + v));
  return sum;
}
