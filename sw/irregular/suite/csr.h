// SPDX-License-Identifier: Apache-2.0
// A graph as rows of neighbours (compressed sparse rows): those of v are to[first[v]] ... to[first[v + 1] - 1].
#ifndef TOCSIN_SUITE_CSR_H
#define TOCSIN_SUITE_CSR_H

#include "edges.h"

typedef struct csr {
  uint32_t vertices;
  uint64_t arcs;  // an edge without direction is two, a loop is one
  uint64_t *first;
  uint32_t *to;
  double *weight;  // of each arc, or NULL
} csr;

typedef struct csr_how {
  bool one_way;  // edges of a directed list go from a to b only; else each goes both ways
  bool loops;    // are kept
  bool merge;    // rows are sorted and have each neighbour once; not together with weights
  bool weights;
  uint64_t seed;  // of generated weights
} csr_how;

bool csr_build(csr *g, const edge_list *l, const csr_how *how);  // false: no memory, and nothing to free
void csr_free(csr *g);

// Whether v has the neighbour `to`, of a graph built with `merge`: by halves of v's row. `others`, which may be NULL,
// grows by the numbers of the row that it was compared with and that are not it.
bool csr_has(const csr *g, uint32_t v, uint32_t to, unsigned *others);
#endif
