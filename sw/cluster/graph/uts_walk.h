// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search (`tocsin graph uts`) by simulated processes: what of it is the same whether work
// is asked for or taken.
//
// That all is over is found as Dijkstra and Scholten do it: who has got nodes while it was at rest says so to who gave
// them, when it is at rest again and all that it gave away is accounted for. Process 0, which begins with the root,
// thus knows when nothing is left.
#ifndef TOCSIN_CLUSTER_UTS_WALK_H
#define TOCSIN_CLUSTER_UTS_WALK_H

#include "tell.h"
#include "uts.h"

enum {
  WALK_TURN = 8,    // nodes until it looks what has come
  WALK_KEPT = 4,    // are not given away
  WALK_GIVEN = 10,  // are, at most, at once; one if each is waited for
  WALK_SHELF = 64   // nodes that lie where others take them (rma)
};
#define WALK_NOBODY UINT32_MAX

// What a process has where others reach it, rma.
typedef struct walk_shelf {
  uint64_t lock;       // 0, or 1 + who has it; with `low` in one put
  uint64_t low, high;  // node[low] ... node[high - 1]
  uint64_t owed, stop;
  uts_node node[WALK_SHELF];
} walk_shelf;

typedef struct walk_own {
  uts_tree tree;
  const uts_known *known;  // NULL: its size is not published
  uts_count *count;        // of each process
  walk_shelf *shelf;
  uts_node *landing;  // of each process WALK_SHELF nodes
} walk_own;

typedef struct walker {
  const run *r;
  walk_own *o;
  uts_node *left;
  size_t n, room, low;  // left[low] ... left[n - 1]
  uint64_t chance;
  uint32_t parent;  // who is told when all that came from it is done
  unsigned at_once, asked, came, owed, askers, *asker;
  bool waits, acknowledges, stop;
} walker;

static inline size_t walk_left(const walker *w) { return w->n - w->low; }
void walk_room(walker *w, size_t more);
void walk_some(tell *x, walker *w);
unsigned walk_victim(const tell *x, walker *w);
// How many nodes who has so many gives away.
unsigned walk_share(const walker *w);

void walk_by_asking(tell *x, walker *w);
void walk_by_taking(tell *x, walker *w);  // uts_take.c
void walk_hear(tell *x, const uint64_t *word);
#endif
