// SPDX-License-Identifier: Apache-2.0
// A list of edges, as a file or a generator gives it.
#ifndef TOCSIN_SUITE_EDGES_H
#define TOCSIN_SUITE_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#define NO_VERTEX UINT32_MAX
enum { EDGES_VERTICES = 1 << 28 };  // more than this machine's memory is likely to hold the graph of

typedef struct edge {
  uint32_t a, b;
} edge;

typedef struct edge_list {
  uint32_t vertices;
  uint64_t count, room;
  edge *edge;
  double *weight;  // of each edge, if the file gives them; else NULL, and they are generated
  bool weighed;    // weights are kept
  bool directed;   // from a to b only
} edge_list;

bool edges_add(edge_list *l, edge e, double weight);  // false: no memory
void edges_free(edge_list *l);

// The list of a whole Kronecker graph; false: no memory. `seed` 1 gives Graph500's own.
bool edges_kron(edge_list *l, unsigned scale, unsigned degree, uint64_t seed);

// What edge i weighs: as the file says, or 1 to 255 by its ends, the same in both directions.
double edges_weight(const edge_list *l, uint64_t i, uint64_t seed);

// A vertex with the most edges that are no loops, the least of them; NO_VERTEX: no memory. Duplicates count.
uint32_t edges_hub(const edge_list *l);
#endif
