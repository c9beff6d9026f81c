// SPDX-License-Identifier: Apache-2.0
// Shortest paths from one vertex, along edges that weigh 0 or more, in their direction if they have one;
// duplicates are kept, loops are not. Distances are doubles, sums from the root on: the bits of such numbers are
// ordered as they are, so that the least of several ways can be kept with one comparison of words, and it is the same
// one in whichever order they come.
#ifndef TOCSIN_SUITE_SSSP_H
#define TOCSIN_SUITE_SSSP_H

#include "csr.h"

// Dijkstra's algorithm. What cannot be reached is at INFINITY.
bool sssp_search(const csr *g, uint32_t root, double *distance);  // false: no memory

// The rules of Graph500 for distances, from the list of edges: SSSP_ROOT, the root is at 0; SSSP_EDGE, no edge is a
// shorter way; SSSP_WAY, each distance is that of some way from the root.
typedef enum sssp_verdict { SSSP_RIGHT, SSSP_ROOT, SSSP_EDGE, SSSP_WAY, SSSP_NO_MEMORY } sssp_verdict;
extern const char *const sssp_said[];
sssp_verdict sssp_check(const edge_list *l, uint64_t seed, uint32_t root, const double *distance, edge *where);

uint32_t sssp_reached(const double *distance, uint32_t vertices, double *furthest);
uint64_t sssp_digest(const double *distance, uint32_t first, uint32_t vertices);
#endif
