// SPDX-License-Identifier: Apache-2.0
// Parts of a graph, one a rank, and what programs on them keep.
#ifndef TOCSIN_SUITE_DIST_GRAPH_H
#define TOCSIN_SUITE_DIST_GRAPH_H

#include "dist.h"
#include "triangles.h"

typedef struct dist_part {
  dist *d;
  unsigned rank;
  csr rows;                // of this rank's vertices
  uint64_t *value, *next;  // of each of them; what it is depends on the program
  uint32_t *parent;
  uint32_t *queue[2], queued[2];  // those to be looked at in this round, and in the next
  uint8_t *waits;                 // it is in the next round's queue
  uint32_t level;
  triangles found;
} dist_part;

typedef struct dist_graph {
  dist d;
  dist_part *part;
  uint32_t vertices;
} dist_graph;

// The graph as `how` wants it, spread over the ranks; each gets the delegates of its vertices by `run`.
// dist_graph_close in any case.
bool dist_graph_open(dist_graph *g, const suite_job *job, const csr_how *how, irr_function_run *run, suite_result *r);
suite_end dist_graph_close(dist_graph *g, suite_result *r);

// To the home of vertex v: args begin with v's number there.
void dist_graph_send(dist_part *p, uint32_t v, void *args, uint32_t bytes);
// What has been sent so has come: `bytes` of it to args, whose vertex is one of the part's, or why not.
irr_status dist_graph_take(const dist_part *p, const irr_arrival *a, void *args, uint32_t bytes);
// Vertex `here` of the part is looked at in the next round.
void dist_graph_queue(dist_part *p, uint32_t here);
// Rounds until no part has anything to look at; look is called for each vertex in the queue.
void dist_graph_rounds(dist_graph *g, void (*look)(dist_part *p, uint32_t here));
// Where ranks are processes, value and parent of all vertices come to all, so that each can check them.
bool dist_graph_gather(dist_graph *g);
// value of all vertices by their own numbers; NULL, and the run has ended: no memory. free() it.
uint64_t *dist_graph_values(dist_graph *g);
// Checks what dist_graph_values gave (labels; bits of distances), and frees it.
void dist_check_cc(dist_graph *g, const suite_job *job, uint64_t *value, suite_result *r);
void dist_check_sssp(dist_graph *g, const suite_job *job, uint64_t *value, suite_result *r);
#endif
