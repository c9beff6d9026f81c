// SPDX-License-Identifier: Apache-2.0
#include "csr.h"

#include <stdlib.h>

typedef struct arcs {  // of one edge
  edge arc[2];
  unsigned n;
} arcs;

static arcs arcs_of(const edge_list *l, edge e, const csr_how *how) {
  arcs a = {.arc = {e, {e.b, e.a}}};
  if (e.a == e.b)
    a.n = how->loops;
  else
    a.n = l->directed && how->one_way ? 1 : 2;
  return a;
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void merge(csr *g) {
  uint64_t kept = 0, from = 0;
  for (uint32_t v = 0; v < g->vertices; v++) {
    const uint64_t to = g->first[v + 1], begin = kept;
    qsort(g->to + from, to - from, sizeof *g->to, by_number);
    for (; from < to; from++)
      if (kept == begin || g->to[kept - 1] != g->to[from]) g->to[kept++] = g->to[from];
    g->first[v + 1] = kept;
  }
  g->arcs = kept;
}

bool csr_build(csr *g, const edge_list *l, const csr_how *how) {
  *g = (csr){.vertices = l->vertices, .first = calloc((size_t)l->vertices + 2, sizeof *g->first)};
  if (!g->first) return false;
  uint64_t *next =
      g->first + 1;  // of v: how many stand before its row, and, as they are put there, where its next one goes
  for (uint64_t i = 0; i < l->count; i++) {
    const arcs a = arcs_of(l, l->edge[i], how);
    for (unsigned k = 0; k < a.n; k++) next[a.arc[k].a + 1]++;
    g->arcs += a.n;
  }
  for (uint32_t v = 0; v < l->vertices; v++) next[v + 1] += next[v];
  g->to = malloc((g->arcs + 1) * sizeof *g->to);
  if (how->weights) g->weight = malloc((g->arcs + 1) * sizeof *g->weight);
  if (!g->to || (how->weights && !g->weight)) {
    csr_free(g);
    return false;
  }
  for (uint64_t i = 0; i < l->count; i++) {
    const arcs a = arcs_of(l, l->edge[i], how);
    for (unsigned k = 0; k < a.n; k++) {
      const uint64_t at = next[a.arc[k].a]++;
      g->to[at] = a.arc[k].b;
      if (g->weight) g->weight[at] = edges_weight(l, i, how->seed);
    }
  }
  if (how->merge) merge(g);
  return true;
}

bool csr_has(const csr *g, uint32_t v, uint32_t to, unsigned *others) {
  uint64_t low = g->first[v], high = g->first[v + 1];
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (g->to[middle] == to) return true;
    if (others) ++*others;
    if (g->to[middle] > to)
      high = middle;
    else
      low = middle + 1;
  }
  return false;
}

void csr_free(csr *g) {
  free(g->first);
  free(g->to);
  free(g->weight);
  *g = (csr){0};
}
