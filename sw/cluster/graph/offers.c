// SPDX-License-Identifier: Apache-2.0
// Connected components and shortest paths (`tocsin graph cc`, `sssp`): in rounds, each vertex that has got a lesser
// value offers its neighbours what that means for them, and a home keeps the least. An offer is a word: the vertex and
// its value, a label or a distance, which is a whole number since generated weights are.
//
// With rma an offer is a get of the neighbour's word and compare-and-swaps until it is there or a lesser one is;
// who has put it marks the vertex, and who is the first to do so in a round draws a place in its home's
// queue and puts it there.
#include <math.h>
#include <stdlib.h>

#include "cc.h"
#include "parts.h"
#include "sssp.h"

enum { WIDE = 2, VALUE = 0, MARK = 1 };  // words of a vertex; the mark is 1 + the last round that it was queued for
enum { GETS, SWAPS, MARKS, DRAWS, PUTS };
#define FAR UINT32_MAX

typedef struct offers {
  csr_how how;
  bool rooted;  // it begins at one vertex; else at all
  bool (*right)(const parts *g, const run *r, share *s);
  uint64_t (*serial)(const parts *g);
} offers;

static csr_how how_of(const run *r) {
  csr_how how = ((const offers *)r->rule)->how;
  how.seed = r->seed;
  return how;
}

static bool takes(const run *r, const char **why) {
  *why = r->seed ? tell_refuses(r, TELL_WORD) : "seed: 1 is that of Graph500";
  return !*why;
}

static bool prepare(const run *r, net *n) {
  parts *g = calloc(1, sizeof *g);
  const csr_how how = how_of(r);
  n->own = g;
  return g && parts_make(g, r, &how, WIDE);
}

static void open_part(const run *r, net *n, net_proc *p) { parts_open(r, n, p, TELL_WORD); }

// ---- at a vertex's home ---------------------------------------------------------------------------------------------

static void hear(tell *x, const uint64_t *word) {
  const rounds *b = x->own;
  uint32_t v = (uint32_t)(*word >> 32), value = (uint32_t)*word;
  uint64_t *of = b->word + WIDE * (v / b->r->procs);
  if (v % b->r->procs != x->d.p->id) x->d.s->wrong++;
  x->d.owe += b->line;
  if (value >= of[VALUE]) return;
  of[VALUE] = value;
  if (of[MARK] == b->level + 2) return;
  of[MARK] = b->level + 2;
  rounds_queue(x, b->level + 1, v);
}

// ---- by gets and compare-and-swaps ----------------------------------------------------------------------------------

static void swap(tell *x, unsigned slot, uint64_t was) {
  rounds *b = x->own;
  uint32_t v = b->chain[slot].vertex;
  if (b->chain[slot].value >= was) return;
  b->chain[slot].at = SWAPS;
  b->chain[slot].was = was;
  tell_chain(
      x, slot, v % b->r->procs,
      (net_frame){.kind = NET_ATOMIC, .op = NODE_CAS, .at = parts_at(b, v, VALUE), .v = {b->chain[slot].value, was}});
}

static void mark(tell *x, unsigned slot) {
  rounds *b = x->own;
  uint32_t v = b->chain[slot].vertex;
  b->chain[slot].at = MARKS;
  tell_chain(x, slot, v % b->r->procs,
             (net_frame){.kind = NET_ATOMIC, .op = NODE_SWAP, .at = parts_at(b, v, MARK), .v = {b->level + 2, 0}});
}

static void over(tell *x, unsigned slot) {
  rounds *b = x->own;
  uint64_t was = x->d.p->slot[slot].value;
  x->d.owe += b->chain[slot].at == PUTS ? x->d.n->c->step : x->d.n->c->mem;
  switch (b->chain[slot].at) {
    case GETS: swap(x, slot, was); break;
    case SWAPS:
      if (was == b->chain[slot].was)
        mark(x, slot);
      else
        swap(x, slot, was);
      break;
    case MARKS:
      if (was == b->level + 2) break;
      b->chain[slot].at = DRAWS;
      rounds_draw(x, slot);
      break;
    case DRAWS:
      b->chain[slot].at = PUTS;
      rounds_drawn(x, slot);
      break;
    default: break;
  }
}

static void ask(tell *x, uint32_t v, uint32_t value) {
  rounds *b = x->own;
  unsigned slot = tell_free(x);
  b->chain[slot].at = GETS;
  b->chain[slot].vertex = v;
  b->chain[slot].value = value;
  tell_chain(x, slot, v % b->r->procs, (net_frame){.kind = NET_GET, .at = parts_at(b, v, VALUE), .bytes = 8});
  player_ends(&x->d);
}

// ---- rounds ---------------------------------------------------------------------------------------------------------

static void offer(tell *x, uint32_t from, uint64_t k) {
  const rounds *b = x->own;
  const csr *rows = &b->g->rows;
  uint32_t v = rows->to[k], to = v % b->r->procs;
  uint32_t value = (uint32_t)b->word[WIDE * (from / b->r->procs) + VALUE];
  if (rows->weight) value += (uint32_t)rows->weight[k];
  x->d.owe += x->d.n->c->step;
  if (x->way->kind == TELL_RMA && to != x->d.p->id)
    ask(x, v, value);
  else
    tell_words(x, to, &(uint64_t){(uint64_t)v << 32 | value});
}

static void start(tell *x, uint32_t v, uint32_t value) {
  const rounds *b = x->own;
  uint64_t *of = b->word + WIDE * (v / b->r->procs);
  of[VALUE] = value;
  of[MARK] = 1;
  rounds_queue(x, 0, v);
}

static void play(const run *r, net *n, net_proc *p) {
  const offers *rule = r->rule;
  rounds *b = net_must(calloc(1, sizeof *b));
  tell *x = parts_tell(b, r, n, p, TELL_WORD);
  x->hear = hear;
  x->over = over;
  for (uint32_t v = p->id; v < b->g->list.vertices; v += r->procs) {
    b->word[WIDE * (v / r->procs) + VALUE] = FAR;
    if (!rule->rooted || v == b->g->root) start(x, v, rule->rooted ? 0 : v);
  }
  b->won = 0;
  tell_sum(x, 0);  // all words are what they begin with
  while (rounds_once(x, offer)) continue;
  tell_close(x);
  free(b);
}

// ---- what came of it ------------------------------------------------------------------------------------------------

static void check(const run *r, net *n, net_proc *p, share *s) {
  const parts *g = n->own;
  if (p->id) return;
  s->inserts = g->list.count;
  s->wrong += !((const offers *)r->rule)->right(g, r, s);
}

static uint64_t serial(const run *r) {
  parts g = {.wide = 0};
  const csr_how how = how_of(r);
  uint64_t digest = parts_make(&g, r, &how, WIDE) ? ((const offers *)r->rule)->serial(&g) : 0;
  parts_free(&g);
  return digest;
}

static bool right_labels(const parts *g, const run *r, share *s) {
  const uint32_t n = g->list.vertices;
  uint32_t *label = net_must(malloc(n * sizeof *label));
  edge where;
  for (uint32_t v = 0; v < n; v++) label[v] = (uint32_t)parts_word(g, r, v)[VALUE];
  const bool right = cc_check(&g->list, label, &where) == CC_RIGHT;
  s->digest = cc_digest(label, 0, n);
  free(label);
  return right;
}

static uint64_t serial_labels(const parts *g) {
  uint32_t *label = net_must(malloc(g->list.vertices * sizeof *label));
  uint64_t digest = cc_label(&g->rows, label) ? cc_digest(label, 0, g->list.vertices) : 0;
  free(label);
  return digest;
}

static bool right_ways(const parts *g, const run *r, share *s) {
  const uint32_t n = g->list.vertices;
  double *distance = net_must(malloc(n * sizeof *distance));
  edge where;
  for (uint32_t v = 0; v < n; v++) {
    const uint64_t value = parts_word(g, r, v)[VALUE];
    distance[v] = value == FAR ? INFINITY : (double)value;
  }
  const bool right = sssp_check(&g->list, r->seed, g->root, distance, &where) == SSSP_RIGHT;
  s->digest = sssp_digest(distance, 0, n);
  free(distance);
  return right;
}

static uint64_t serial_ways(const parts *g) {
  double *distance = net_must(malloc(g->list.vertices * sizeof *distance));
  uint64_t digest = sssp_search(&g->rows, g->root, distance) ? sssp_digest(distance, 0, g->list.vertices) : 0;
  free(distance);
  return digest;
}

static const program_does as_program = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_part,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
static const offers labels = {.right = right_labels, .serial = serial_labels};
static const offers ways = {
    .how = {.one_way = true, .weights = true}, .rooted = true, .right = right_ways, .serial = serial_ways};
const program cc = {"cc", &as_program, &labels, "levels most scale seed"};
const program sssp = {"sssp", &as_program, &ways, "levels most scale seed"};
