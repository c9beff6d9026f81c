// SPDX-License-Identifier: Apache-2.0
#include "sssp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mix.h"

// ---- Dijkstra's algorithm, with a heap of ways; those that were overtaken are passed over ---------------------------

typedef struct way {
  double distance;
  uint32_t to;
} way;
typedef struct heap {
  way *w;
  size_t n, room;
} heap;

static bool push(heap *h, way w) {
  if (h->n == h->room) {
    const size_t room = h->room ? 2 * h->room : 1024;
    way *more = realloc(h->w, room * sizeof *more);
    if (!more) return false;
    h->w = more;
    h->room = room;
  }
  size_t i = h->n++;
  for (; i && h->w[(i - 1) / 2].distance > w.distance; i = (i - 1) / 2) h->w[i] = h->w[(i - 1) / 2];
  h->w[i] = w;
  return true;
}

static way pop(heap *h) {
  const way top = h->w[0], last = h->w[--h->n];
  size_t i = 0;
  for (size_t k = 1; k < h->n; i = k, k = 2 * k + 1) {
    if (k + 1 < h->n && h->w[k + 1].distance < h->w[k].distance) k++;
    if (!(h->w[k].distance < last.distance)) break;
    h->w[i] = h->w[k];
  }
  h->w[i] = last;
  return top;
}

bool sssp_search(const csr *g, uint32_t root, double *distance) {
  heap h = {0};
  for (uint32_t v = 0; v < g->vertices; v++) distance[v] = INFINITY;
  distance[root] = 0;
  bool good = push(&h, (way){0, root});
  while (good && h.n) {
    const way w = pop(&h);
    if (w.distance > distance[w.to]) continue;
    for (uint64_t k = g->first[w.to]; good && k < g->first[w.to + 1]; k++) {
      const way on = {w.distance + g->weight[k], g->to[k]};
      if (!(on.distance < distance[on.to])) continue;
      distance[on.to] = on.distance;
      good = push(&h, on);
    }
  }
  free(h.w);
  return good;
}

// ---- what came of it ------------------------------------------------------------------------------------------------

const char *const sssp_said[] = {"right", "the root is not at 0", "an edge is a shorter way",
                                 "no way from the root is as long as the vertex is far", "no memory"};

// Along edges that are part of a shortest way, from the root; whoever is reached has one.
static sssp_verdict ways(const csr *g, uint32_t root, const double *distance, edge *where) {
  uint32_t *left = malloc(((size_t)g->vertices + 1) * sizeof *left), n = 0;
  uint8_t *has = calloc((size_t)g->vertices + 1, 1);
  sssp_verdict verdict = left && has ? SSSP_RIGHT : SSSP_NO_MEMORY;
  if (!verdict) {
    left[n++] = root;
    has[root] = 1;
  }
  while (n) {
    const uint32_t v = left[--n];
    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
      const uint32_t to = g->to[k];
      if (has[to] || distance[v] + g->weight[k] != distance[to]) continue;
      has[to] = 1;
      left[n++] = to;
    }
  }
  for (uint32_t v = 0; v < g->vertices && !verdict; v++) {
    if (has[v] || distance[v] == INFINITY) continue;
    *where = (edge){v, v};
    verdict = SSSP_WAY;
  }
  free(left);
  free(has);
  return verdict;
}

sssp_verdict sssp_check(const edge_list *l, uint64_t seed, uint32_t root, const double *distance, edge *where) {
  *where = (edge){root, root};
  if (distance[root] != 0) return SSSP_ROOT;
  for (uint64_t i = 0; i < l->count; i++) {
    const double w = edges_weight(l, i, seed);
    *where = l->edge[i];
    if (!(distance[where->b] <= distance[where->a] + w)) return SSSP_EDGE;
    if (!l->directed && !(distance[where->a] <= distance[where->b] + w)) return SSSP_EDGE;
  }
  csr g;
  if (!csr_build(&g, l, &(csr_how){.one_way = true, .weights = true, .seed = seed})) return SSSP_NO_MEMORY;
  const sssp_verdict verdict = ways(&g, root, distance, where);
  csr_free(&g);
  return verdict;
}

uint32_t sssp_reached(const double *distance, uint32_t vertices, double *furthest) {
  uint32_t n = 0;
  *furthest = 0;
  for (uint32_t v = 0; v < vertices; v++) {
    if (distance[v] == INFINITY) continue;
    n++;
    if (distance[v] > *furthest) *furthest = distance[v];
  }
  return n;
}

uint64_t sssp_digest(const double *distance, uint32_t first, uint32_t vertices) {
  uint64_t sum = 0, bits;
  for (uint32_t v = 0; v < vertices; v++) {
    if (distance[v] == INFINITY) continue;
    memcpy(&bits, &distance[v], sizeof bits);
    sum += app_mix(bits ^ app_mix(first + v));
  }
  return sum;
}
