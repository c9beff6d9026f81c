// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, and Graph500's validation of what one has found. Edges have no direction here; loops and
// duplicates do not matter. Which parent a vertex gets may depend on who comes first; its level does not.
#ifndef TOCSIN_SUITE_BFS_H
#define TOCSIN_SUITE_BFS_H

#include "csr.h"

// parent[root] = root; what is not reached has no parent and no level (NO_VERTEX).
bool bfs_search(const csr *g, uint32_t root, uint32_t *parent, uint32_t *level);  // false: no memory

// The five rules, and which vertex or edge broke each first.
enum { BFS_RULES = 5 };
extern const char *const bfs_rule[BFS_RULES];  // in words, rule 1 first
typedef struct bfs_verdict {
  unsigned broken;          // bit r - 1: rule r
  edge where[BFS_RULES];    // an edge of the list, or a vertex and its parent
  uint64_t edges;           // of the list that lie in the tree's component: what rates are counted by
  uint32_t reached, depth;  // vertices; the greatest level
} bfs_verdict;
bool bfs_check(const edge_list *l, uint32_t root, const uint32_t *parent, const uint32_t *level,
               bfs_verdict *v);  // false: no memory

// Of vertices `first` ...: the parts of several ranks add up.
uint64_t bfs_digest(const uint32_t *level, uint32_t first, uint32_t vertices);
#endif
