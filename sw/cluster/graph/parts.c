// SPDX-License-Identifier: Apache-2.0
#include "parts.h"

#include <stdlib.h>

enum { SCALE = 6, DEGREE = 16 };  // log2 of the vertices of a process, if nobody says otherwise; edges of each

static size_t queue_words(const parts *g) { return 2 + 2 * g->each; }
static uint64_t *list_of(const rounds *b, uint64_t level) { return b->queue + 2 + (level & 1) * b->g->each; }

unsigned parts_scale(const run *r) {
  unsigned more = 0;
  while (1u << more < r->procs) more++;
  return r->scale ? r->scale : SCALE + more;
}

bool parts_make(parts *g, const run *r, const csr_how *how, unsigned wide) {
  if (!edges_kron(&g->list, parts_scale(r), DEGREE, r->seed)) return false;
  g->root = edges_hub(&g->list);
  g->each = (g->list.vertices + r->procs - 1) / r->procs;
  g->wide = wide;
  g->word = calloc(g->each * r->procs * wide, sizeof *g->word);
  g->queue = calloc(queue_words(g) * r->procs, sizeof *g->queue);
  return g->root != NO_VERTEX && g->word && g->queue && csr_build(&g->rows, &g->list, how);
}

void parts_free(parts *g) {
  csr_free(&g->rows);
  edges_free(&g->list);
  free(g->word);
  free(g->queue);
}

void parts_open(const run *r, net *n, net_proc *p, unsigned size) {
  const parts *g = n->own;
  const size_t words = g->each * g->wide;
  node *d = n->node[p->node];
  tell_map(r, n, p, size);
  node_map(d, p->who, NODE_BULK, g->word + p->id * words, words * sizeof *g->word, NODE_PLAIN);
  node_map(d, p->who, NODE_OWN, g->queue + p->id * queue_words(g), queue_words(g) * sizeof *g->queue, NODE_PLAIN);
}

tell *parts_tell(rounds *b, const run *r, net *n, net_proc *p, unsigned size) {
  parts *g = n->own;
  *b = (rounds){.r = r, .g = g};
  b->word = g->word + p->id * g->each * g->wide;
  b->queue = g->queue + p->id * queue_words(g);
  tell *x = tell_open(r, n, p, size, b);
  b->line = tell_line(x, g->each * g->wide * sizeof *g->word);
  return x;
}

void rounds_queue(tell *x, uint64_t level, uint32_t v) {
  rounds *b = x->own;
  list_of(b, level)[b->queue[level & 1]++] = v;
  b->won++;
  x->d.owe += x->d.n->c->step;
}

static uint64_t queue_at(const rounds *b, uint32_t v, uint64_t word) {
  return node_at(v % b->r->procs % NODE_PROCS, NODE_OWN) + 8 * word;
}

void rounds_draw(tell *x, unsigned slot) {
  rounds *b = x->own;
  uint32_t v = b->chain[slot].vertex;
  b->won++;
  tell_chain(x, slot, v % b->r->procs,
             (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = queue_at(b, v, (b->level + 1) & 1), .v = {1, 0}});
}

void rounds_drawn(tell *x, unsigned slot) {
  const rounds *b = x->own;
  uint32_t v = b->chain[slot].vertex;
  uint64_t place = 2 + ((b->level + 1) & 1) * b->g->each + x->d.p->slot[slot].value;
  tell_chain(x, slot, v % b->r->procs,
             (net_frame){.kind = NET_PUT, .at = queue_at(b, v, place), .v = {v, 0}, .bytes = 8});
}

void rounds_row(tell *x, uint32_t v, rounds_arc *arc) {
  const csr *rows = &((const rounds *)x->own)->g->rows;
  const unsigned each = rows->weight ? 8 : 4;  // a weight lies beside its neighbour
  for (uint64_t k = rows->first[v]; k < rows->first[v + 1]; k++) {
    if (k == rows->first[v] || k * each % PLAYER_LINE == 0) x->d.owe += x->d.n->c->mem;
    arc(x, v, k);
  }
}

void rounds_settle(tell *x) {
  if (x->way->kind == TELL_RMA)
    while (x->d.busy) tell_turn(x);
  else
    tell_settle(x);
}

bool rounds_once(tell *x, rounds_arc *arc) {
  rounds *b = x->own;
  uint64_t *count = &b->queue[b->level & 1];
  const uint64_t *list = list_of(b, b->level);
  for (uint64_t i = 0; i < *count; i++) {
    x->d.owe += b->line;
    rounds_row(x, (uint32_t)list[i], arc);
  }
  rounds_settle(x);
  uint64_t won = b->won;
  *count = b->won = 0;
  b->level++;  // who has heard of the vote's end before may begin to make offers
  return tell_sum(x, won);
}
