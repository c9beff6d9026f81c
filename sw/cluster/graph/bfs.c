// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a Graph500 Kronecker graph (`tocsin graph bfs`), from the vertex with most edges: in rounds, each vertex of a
// level offers itself to all its neighbours as their parent, and the first who comes is it. Vertex v is at process v % procs. With rma an
// offer is a compare-and-swap of the neighbour's word; who wins draws a place in its home's queue and puts it there.
//
// A round ends by a vote that says that nobody has anything under way, and one that says how many vertices the next level has; with rma the
// second alone.
#include "bfs.h"

#include <stdlib.h>

#include "tell.h"

enum { SCALE = 6, DEGREE = 16 };  // log2 of the vertices of a process, if nobody says otherwise; edges of each

typedef struct graph {
  edge_list list;
  csr rows;
  uint32_t root;
  uint64_t each;    // vertices of a process at most
  uint64_t *word;   // of each vertex, by process: level + 1 and parent; 0: not reached
  uint64_t *queue;  // of each process: how many vertices both its queues have, and these; the device reaches them
} graph;

typedef struct search {
  const run *r;
  graph *g;
  uint64_t *word, *queue;  // of this process
  uint64_t level, won;     // of the vertices that make offers; vertices that got it as their parent
  double line;
  struct {
    enum { ASKS, DRAWS, PUTS } at;
    uint32_t vertex, parent;
  } chain[NET_WINDOW];
} search;

static size_t queue_words(const graph *g) { return 2 + 2 * g->each; }
static uint64_t *list_of(const search *b, uint64_t level) { return b->queue + 2 + (level & 1) * b->g->each; }
static uint64_t value(uint64_t level, uint32_t parent) { return (level + 1) << 32 | parent; }

static bool takes(const run *r, const char **why) {
  *why = r->seed ? tell_refuses(r) : "seed: 1 is that of Graph500";
  return !*why;
}

static unsigned scale_of(const run *r) {
  unsigned more = 0;
  while (1u << more < r->procs) more++;
  return r->scale ? r->scale : SCALE + more;
}

static bool prepare(const run *r, net *n) {
  graph *g = calloc(1, sizeof *g);
  n->own = g;
  if (!g || !edges_kron(&g->list, scale_of(r), DEGREE, r->seed)) return false;
  g->root = edges_hub(&g->list);
  g->each = (g->list.vertices + r->procs - 1) / r->procs;
  g->word = calloc(g->each * r->procs, sizeof *g->word);
  g->queue = calloc(queue_words(g) * r->procs, sizeof *g->queue);
  return g->root != NO_VERTEX && g->word && g->queue && csr_build(&g->rows, &g->list, &(csr_how){0});
}

static void open_part(const run *r, net *n, net_proc *p) {
  const graph *g = n->own;
  node *d = n->node[p->node];
  tell_map(r, n, p);
  node_map(d, p->who, NODE_BULK, g->word + p->id * g->each, g->each * sizeof *g->word, NODE_PLAIN);
  node_map(d, p->who, NODE_OWN, g->queue + p->id * queue_words(g), queue_words(g) * sizeof *g->queue, NODE_PLAIN);
}

// ---- at a vertex's home ---------------------------------------------------------------------------------------------

static void reached(tell *x, uint64_t level, uint32_t v, uint32_t parent) {
  search *b = x->own;
  b->word[v / b->r->procs] = value(level, parent);
  list_of(b, level)[b->queue[level & 1]++] = v;
  b->won++;
  x->d.owe += x->d.n->c->step;
}

static void hear(tell *x, uint64_t offer) {
  search *b = x->own;
  uint32_t v = (uint32_t)(offer >> 32);
  if (v % b->r->procs != x->d.p->id) x->d.s->wrong++;
  x->d.owe += b->line;
  if (!b->word[v / b->r->procs]) reached(x, b->level + 1, v, (uint32_t)offer);
}

// ---- by compare-and-swaps -------------------------------------------------------------------------------------------

static void ask(tell *x, uint32_t v, uint32_t parent) {
  search *b = x->own;
  unsigned slot = tell_free(x), to = v % b->r->procs;
  b->chain[slot].at = ASKS;
  b->chain[slot].vertex = v;
  b->chain[slot].parent = parent;
  tell_chain(x, slot, to,
             (net_frame){.kind = NET_ATOMIC,
                         .op = NODE_CAS,
                         .at = node_at(to % NODE_PROCS, NODE_BULK) + 8 * (v / b->r->procs),
                         .v = {value(b->level + 1, parent), 0}});
  player_ends(&x->d);
}

static void over(tell *x, unsigned slot) {
  search *b = x->own;
  uint64_t was = x->d.p->slot[slot].value, next = (b->level + 1) & 1;
  uint32_t v = b->chain[slot].vertex;
  unsigned to = v % b->r->procs;
  uint64_t queue = node_at(to % NODE_PROCS, NODE_OWN);
  x->d.owe += b->chain[slot].at == PUTS ? x->d.n->c->step : x->d.n->c->mem;
  if (b->chain[slot].at == ASKS && !was) {
    b->chain[slot].at = DRAWS;
    b->won++;
    tell_chain(x, slot, to, (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = queue + 8 * next, .v = {1, 0}});
  } else if (b->chain[slot].at == DRAWS) {
    b->chain[slot].at = PUTS;
    tell_chain(x, slot, to,
               (net_frame){.kind = NET_PUT, .at = queue + 8 * (2 + next * b->g->each + was), .v = {v, 0}, .bytes = 8});
  }
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

static void offer(tell *x, uint32_t v, uint32_t parent) {
  const search *b = x->own;
  unsigned to = v % b->r->procs;
  x->d.owe += x->d.n->c->step;
  if (x->way->kind == TELL_RMA && to != x->d.p->id)
    ask(x, v, parent);
  else
    tell_word(x, to, (uint64_t)v << 32 | parent);
}

// A row is read once, from memory.
static void offer_to_all(tell *x, uint32_t v) {
  const csr *rows = &((const search *)x->own)->g->rows;
  for (uint64_t k = rows->first[v]; k < rows->first[v + 1]; k++) {
    if (k == rows->first[v] || k * sizeof *rows->to % PLAYER_LINE == 0) x->d.owe += x->d.n->c->mem;
    offer(x, rows->to[k], v);
  }
}

// True: there is another one.
static bool one_round(tell *x) {
  search *b = x->own;
  uint64_t *count = &b->queue[b->level & 1];
  const uint64_t *list = list_of(b, b->level);
  for (uint64_t i = 0; i < *count; i++) {
    x->d.owe += b->line;
    offer_to_all(x, (uint32_t)list[i]);
  }
  if (x->way->kind == TELL_RMA)
    while (x->d.busy) tell_turn(x);
  else
    tell_settle(x);
  uint64_t won = b->won;
  *count = b->won = 0;
  b->level++;  // who has heard of the vote's end before may begin to make offers
  return tell_sum(x, won);
}

static void play(const run *r, net *n, net_proc *p) {
  graph *g = n->own;
  search *b = net_must(calloc(1, sizeof *b));
  b->r = r;
  b->g = g;
  b->word = g->word + p->id * g->each;
  b->queue = g->queue + p->id * queue_words(g);
  tell *x = tell_open(r, n, p, b);
  b->line = tell_line(x, g->each * sizeof *g->word);
  x->hear = hear;
  x->over = over;
  if (g->root % r->procs == p->id) reached(x, 0, g->root, g->root);
  b->won = 0;
  while (one_round(x)) continue;
  tell_close(x);
  free(b);
}

// By the five rules of Graph500, as the suite does it.
static void check(const run *r, net *n, net_proc *p, share *s) {
  const graph *g = n->own;
  const uint32_t vertices = g->list.vertices;
  bfs_verdict v;
  if (p->id) return;
  uint32_t *parent = net_must(malloc(vertices * sizeof *parent)), *level = net_must(malloc(vertices * sizeof *level));
  for (uint32_t i = 0; i < vertices; i++) {
    uint64_t word = g->word[i % r->procs * g->each + i / r->procs];
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
  edge_list l;
  csr rows;
  if (!edges_kron(&l, scale_of(r), DEGREE, r->seed) || !csr_build(&rows, &l, &(csr_how){0})) return 0;
  uint32_t *parent = net_must(malloc(l.vertices * sizeof *parent)),
           *level = net_must(malloc(l.vertices * sizeof *level));
  uint64_t digest = bfs_search(&rows, edges_hub(&l), parent, level) ? bfs_digest(level, 0, l.vertices) : 0;
  free(parent);
  free(level);
  csr_free(&rows);
  edges_free(&l);
  return digest;
}

static const program_does program_of = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_part,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program bfs = {"bfs", &program_of, NULL};
