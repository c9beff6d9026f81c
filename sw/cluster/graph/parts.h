// SPDX-License-Identifier: Apache-2.0
// A Graph500 Kronecker graph between simulated processes: vertex v is at process v % procs. What programs on it have in
// common: the graph, words of each vertex that others reach, queues of vertices that are next, and rounds.
//
// A round ends by a vote that says that nobody has anything under way, and one that says how many vertices the next
// round has; with rma the second alone.
#ifndef TOCSIN_CLUSTER_PARTS_H
#define TOCSIN_CLUSTER_PARTS_H

#include "csr.h"
#include "tell.h"

typedef struct parts {
  edge_list list;
  csr rows;
  uint32_t root;    // a vertex with most edges
  uint64_t each;    // vertices of a process at most
  unsigned wide;    // words of a vertex
  uint64_t *word;   // of each vertex, by process
  uint64_t *queue;  // of each process: how many vertices both its queues have, and these; the device reaches them
} parts;

// One process's share of it, in rounds.
typedef struct rounds {
  const run *r;
  parts *g;
  uint64_t *word, *queue;  // of this process
  uint64_t level, won;     // vertices that are in the next round by it
  double line;             // what one of its words costs
  struct {
    unsigned at;
    uint32_t vertex;
    uint64_t value, was;
  } chain[NET_WINDOW];
} rounds;

unsigned parts_scale(const run *r);
bool parts_make(parts *g, const run *r, const csr_how *how, unsigned wide);
void parts_free(parts *g);
// Maps delegates of `size` bytes, words and queues.
void parts_open(const run *r, net *n, net_proc *p, unsigned size);
tell *parts_tell(rounds *b, const run *r, net *n, net_proc *p, unsigned size);

static inline uint64_t parts_at(const rounds *b, uint32_t v, unsigned word) {
  unsigned to = v % b->r->procs;
  return node_at(to % NODE_PROCS, NODE_BULK) + 8 * (v / b->r->procs * b->g->wide + word);
}
static inline uint64_t *parts_word(const parts *g, const run *r, uint32_t v) {
  return g->word + (v % r->procs * g->each + v / r->procs) * g->wide;
}

// Its k-th arc, k of all arcs of the graph. A row is read once, from memory.
typedef void rounds_arc(tell *x, uint32_t v, uint64_t k);
void rounds_row(tell *x, uint32_t v, rounds_arc *arc);
// By its home: v is in the round `level`.
void rounds_queue(tell *x, uint64_t level, uint32_t v);
// By the chain of a slot, of its vertex, in the next round: rounds_draw, and with the answer rounds_drawn.
void rounds_draw(tell *x, unsigned slot);
void rounds_drawn(tell *x, unsigned slot);
// All that this process has said is done, and all others'.
void rounds_settle(tell *x);
bool rounds_once(tell *x, rounds_arc *arc);  // true: there is another one
#endif
