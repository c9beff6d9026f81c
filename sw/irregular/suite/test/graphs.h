// SPDX-License-Identifier: Apache-2.0
// Graphs for the tests, small ones by hand and by chance.
#ifndef TOCSIN_SUITE_TEST_GRAPHS_H
#define TOCSIN_SUITE_TEST_GRAPHS_H

#include <stdlib.h>

#include "check.h"
#include "csr.h"
#include "mix.h"

static uint64_t chance = 1;
static inline uint32_t below(uint32_t n) { return (uint32_t)((chance = app_mix(chance)) % n); }

static inline edge_list graph_of(uint32_t vertices, const edge *e, unsigned n) {
  edge_list l = {.vertices = vertices};
  for (unsigned i = 0; i < n; i++)
    if (!edges_add(&l, e[i], 0)) exit(2);
  return l;
}
#define GRAPH(vertices, ...) \
  graph_of(vertices, (const edge[]){__VA_ARGS__}, sizeof((const edge[]){__VA_ARGS__}) / sizeof(edge))

// Up to 12 vertices with more or fewer edges, loops and duplicates among them.
static inline edge_list graph_by_chance(void) {
  edge_list l = {.vertices = 1 + below(12), .directed = below(2)};
  for (uint32_t n = below(2 * l.vertices); n > 0; n--)
    if (!edges_add(&l, (edge){below(l.vertices), below(l.vertices)}, 0)) exit(2);
  return l;
}

// Is there an edge between them, in either direction?
static inline bool joined(const edge_list *l, uint32_t a, uint32_t b) {
  for (uint64_t i = 0; i < l->count; i++)
    if ((l->edge[i].a == a && l->edge[i].b == b) || (l->edge[i].a == b && l->edge[i].b == a)) return true;
  return false;
}
#endif
