// SPDX-License-Identifier: Apache-2.0
// Triangles: three vertices of which each two have an edge. Edges have no direction here, loops are dropped and
// duplicates merged.
#ifndef TOCSIN_SUITE_TRIANGLES_H
#define TOCSIN_SUITE_TRIANGLES_H

#include "csr.h"

typedef struct triangles {
  uint64_t count, digest;
} triangles;
// One more; what several ranks have found adds up, whoever found which.
void triangles_see(triangles *t, uint32_t a, uint32_t b, uint32_t c);

// From each edge's end with fewer neighbours. The graph's rows are merged. False: no memory.
bool triangles_count(const csr *g, triangles *t);
// The same by what the rows of each edge's two ends have in common, without another order of vertices
// than their numbers.
void triangles_check(const csr *g, triangles *t);
#endif
