// SPDX-License-Identifier: Apache-2.0
#include "edges.h"

#include <stdlib.h>

#include "kron.h"
#include "mix.h"

bool edges_add(edge_list *l, edge e, double weight) {
  if (l->count == l->room) {
    const uint64_t room = l->room ? 2 * l->room : 1024;
    edge *more = realloc(l->edge, room * sizeof *more);
    if (more) l->edge = more;
    double *weights = l->weighed ? realloc(l->weight, room * sizeof *weights) : NULL;
    if (weights) l->weight = weights;
    if (!more || (l->weighed && !weights)) return false;
    l->room = room;
  }
  l->edge[l->count] = e;
  if (l->weighed) l->weight[l->count] = weight;
  l->count++;
  return true;
}

void edges_free(edge_list *l) {
  free(l->edge);
  free(l->weight);
  *l = (edge_list){0};
}

bool edges_kron(edge_list *l, unsigned scale, unsigned degree, uint64_t seed) {
  kron k;
  const uint64_t n = (uint64_t)degree << scale;
  *l = (edge_list){.vertices = 1U << scale, .edge = malloc(n * sizeof *l->edge)};
  if (!l->edge) return false;
  l->count = l->room = n;
  kron_open(&k, scale, 1 + seed, 2 + seed);
  kron_edges(&k, 0, n, l->edge);
  return true;
}

double edges_weight(const edge_list *l, uint64_t i, uint64_t seed) {
  if (l->weight) return l->weight[i];
  const edge e = l->edge[i];
  const uint64_t low = e.a < e.b ? e.a : e.b, high = e.a < e.b ? e.b : e.a;
  return 1 + (double)(app_mix((high << 32 | low) ^ app_mix(seed)) % 255);
}

uint32_t edges_hub(const edge_list *l) {
  uint64_t *degree = calloc((size_t)l->vertices + 1, sizeof *degree);
  uint32_t hub = 0;
  if (!degree) return NO_VERTEX;
  for (uint64_t i = 0; i < l->count; i++) {
    if (l->edge[i].a == l->edge[i].b) continue;
    degree[l->edge[i].a]++;
    degree[l->edge[i].b]++;
  }
  for (uint32_t v = 1; v < l->vertices; v++)
    if (degree[v] > degree[hub]) hub = v;
  free(degree);
  return hub;
}
