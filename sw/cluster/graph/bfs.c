// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a Graph500 Kronecker graph (`tocsin graph bfs`), from the vertex with most edges: in rounds,
// each vertex of a level offers itself to all its neighbours as their parent, and the first who comes is it. Vertex v
// is at process v % procs. With rma an offer is a compare-and-swap of the neighbour's word; who wins draws a place in
// its home's queue and puts it there.
#include "bfs.h"

#include <stdlib.h>

#include "parts.h"

enum { ASKS, DRAWS, PUTS };

static uint64_t value(uint64_t level, uint32_t parent) { return (level + 1) << 32 | parent; }

static bool takes(const run *r, const char **why) {
  *why = r->seed ? tell_refuses(r, TELL_WORD) : "seed: 1 is that of Graph500";
  return !*why;
}

static bool prepare(const run *r, net *n) {
  parts *g = calloc(1, sizeof *g);
  n->own = g;
  return g && parts_make(g, r, &(csr_how){0}, 1);
}

static void open_part(const run *r, net *n, net_proc *p) { parts_open(r, n, p, TELL_WORD); }

// ---- at a vertex's home ---------------------------------------------------------------------------------------------

static void reached(tell *x, uint64_t level, uint32_t v, uint32_t parent) {
  const rounds *b = x->own;
  b->word[v / b->r->procs] = value(level, parent);
  rounds_queue(x, level, v);
}

static void hear(tell *x, const uint64_t *word) {
  const rounds *b = x->own;
  uint64_t offer = *word;
  uint32_t v = (uint32_t)(offer >> 32);
  if (v % b->r->procs != x->d.p->id) x->d.s->wrong++;
  x->d.owe += b->line;
  if (!b->word[v / b->r->procs]) reached(x, b->level + 1, v, (uint32_t)offer);
}

// ---- by compare-and-swaps -------------------------------------------------------------------------------------------

static void ask(tell *x, uint32_t v, uint32_t parent) {
  rounds *b = x->own;
  unsigned slot = tell_free(x), to = v % b->r->procs;
  b->chain[slot].at = ASKS;
  b->chain[slot].vertex = v;
  tell_chain(
      x, slot, to,
      (net_frame){.kind = NET_ATOMIC, .op = NODE_CAS, .at = parts_at(b, v, 0), .v = {value(b->level + 1, parent), 0}});
  player_ends(&x->d);
}

static void over(tell *x, unsigned slot) {
  rounds *b = x->own;
  uint64_t was = x->d.p->slot[slot].value;
  x->d.owe += b->chain[slot].at == PUTS ? x->d.n->c->step : x->d.n->c->mem;
  if (b->chain[slot].at == ASKS && !was) {
    b->chain[slot].at = DRAWS;
    rounds_draw(x, slot);
  } else if (b->chain[slot].at == DRAWS) {
    b->chain[slot].at = PUTS;
    rounds_drawn(x, slot);
  }
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

static void offer(tell *x, uint32_t parent, uint64_t k) {
  const rounds *b = x->own;
  uint32_t v = b->g->rows.to[k];
  unsigned to = v % b->r->procs;
  x->d.owe += x->d.n->c->step;
  if (x->way->kind == TELL_RMA && to != x->d.p->id)
    ask(x, v, parent);
  else
    tell_words(x, to, &(uint64_t){(uint64_t)v << 32 | parent});
}

static void play(const run *r, net *n, net_proc *p) {
  const parts *g = n->own;
  rounds *b = net_must(calloc(1, sizeof *b));
  tell *x = parts_tell(b, r, n, p, TELL_WORD);
  x->hear = hear;
  x->over = over;
  if (g->root % r->procs == p->id) reached(x, 0, g->root, g->root);
  b->won = 0;
  while (rounds_once(x, offer)) continue;
  tell_close(x);
  free(b);
}

// By the five rules of Graph500, as the suite does it.
static void check(const run *r, net *n, net_proc *p, share *s) {
  const parts *g = n->own;
  const uint32_t vertices = g->list.vertices;
  bfs_verdict v;
  if (p->id) return;
  uint32_t *parent = net_must(malloc(vertices * sizeof *parent)), *level = net_must(malloc(vertices * sizeof *level));
  for (uint32_t i = 0; i < vertices; i++) {
    uint64_t word = *parts_word(g, r, i);
    parent[i] = word ? (uint32_t)word : NO_VERTEX;
    level[i] = word ? (uint32_t)(word >> 32) - 1 : NO_VERTEX;
  }
  s->wrong += !bfs_check(&g->list, g->root, parent, level, &v) || v.broken;
  s->inserts = v.edges;
  s->digest = bfs_digest(level, 0, vertices);
  free(parent);
  free(level);
}

static uint64_t serial(const run *r) {
  parts g = {.wide = 0};
  uint64_t digest = 0;
  if (parts_make(&g, r, &(csr_how){0}, 1)) {
    const uint32_t n = g.list.vertices;
    uint32_t *parent = net_must(malloc(n * sizeof *parent)), *level = net_must(malloc(n * sizeof *level));
    digest = bfs_search(&g.rows, g.root, parent, level) ? bfs_digest(level, 0, n) : 0;
    free(parent);
    free(level);
  }
  parts_free(&g);
  return digest;
}

static const program_does program_of = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_part,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program bfs = {"bfs", &program_of, NULL, "levels most scale seed"};
