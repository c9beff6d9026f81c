// SPDX-License-Identifier: Apache-2.0
// PageRank: 17 of 20 parts of a vertex's rank go to those that its edges lead to, as much along each; the rest of it,
// and all of what a vertex without edges has, is shared by all vertices. Edges go both ways if they have no direction;
// duplicates and loops count.
//
// Ranks are whole numbers whose sum is PAGERANK_ONE, always and exactly: what a division leaves over goes to all. Sums
// of whole numbers are the same in any order, so that the result is the same to the last bit on any number of ranks.
#ifndef TOCSIN_SUITE_PAGERANK_H
#define TOCSIN_SUITE_PAGERANK_H

#include "csr.h"

#define PAGERANK_ONE (1ULL << 58)  // 17 times a rank is still a word
enum { PAGERANK_TURNS = 1000 };    // at most
#define PAGERANK_TOLERANCE 1e-9    // the change of all ranks together after which the last turn is

// What a vertex with `out` edges gives along each, and what of its rank is left for all.
uint64_t pagerank_share(uint64_t rank, uint64_t out, uint64_t *left);
// What vertex v gets of all that is left, `pot`.
uint64_t pagerank_common(uint64_t pot, uint32_t vertices, uint32_t v);

// Turns until they change no more than the tolerance, or PAGERANK_TURNS; 0: no memory.
unsigned pagerank_run(const csr *g, double tolerance, uint64_t *rank);

// One turn by doubles from the list of edges: by how much ranks would change in all, *change; and their sum is right.
typedef enum pagerank_verdict { PAGERANK_RIGHT, PAGERANK_SUM, PAGERANK_CHANGE, PAGERANK_NO_MEMORY } pagerank_verdict;
pagerank_verdict pagerank_check(const edge_list *l, double tolerance, const uint64_t *rank, double *change);

uint64_t pagerank_digest(const uint64_t *rank, uint32_t first, uint32_t vertices);
#endif
