// SPDX-License-Identifier: Apache-2.0
// PageRank (`tocsin graph pagerank`): in turns, each vertex gives a share of its rank along each of its edges; a
// delegate adds it to its neighbour's next rank, with rma a fetch-and-add does. What is left for all is summed over all
// processes, and so is the change. The last turn is that which changes no more than `tolerance`.
#include "pagerank.h"

#include <stdlib.h>

#include "parts.h"

enum { SIZE = 16, INDEX = 0, SHARE = 1 };

typedef struct ranks {
  rounds b;  // first: what a rounds_arc finds
  uint64_t *rank, share;
} ranks;

typedef struct ranked {
  parts g;  // first: what parts_open finds
  uint64_t *rank;
  unsigned turns;
} ranked;

static const csr_how how = {.one_way = true, .loops = true};

static bool takes(const run *r, const char **why) {
  *why = r->seed ? tell_refuses(r, SIZE) : "seed: 1 is that of Graph500";
  return !*why;
}

static bool prepare(const run *r, net *n) {
  ranked *o = calloc(1, sizeof *o);
  n->own = o;
  if (!o || !parts_make(&o->g, r, &how, 1)) return false;
  o->rank = calloc(o->g.each * r->procs, sizeof *o->rank);
  return o->rank;
}

static void open_part(const run *r, net *n, net_proc *p) { parts_open(r, n, p, SIZE); }

static void hear(tell *x, const uint64_t *word) {
  const ranks *k = x->own;
  if (word[INDEX] >= k->b.g->each) {
    x->d.s->wrong++;
    return;
  }
  x->d.owe += k->b.line;
  k->b.word[word[INDEX]] += word[SHARE];
}

static void over(tell *x, unsigned slot) {
  (void)slot;
  x->d.owe += x->d.n->c->step;
}

static void give(tell *x, uint32_t from, uint64_t k) {
  const ranks *o = x->own;
  const rounds *b = &o->b;
  uint32_t v = b->g->rows.to[k], to = v % b->r->procs;
  (void)from;
  x->d.owe += x->d.n->c->step;
  if (x->way->kind != TELL_RMA || to == x->d.p->id) {
    tell_words(x, to, (const uint64_t[]){v / b->r->procs, o->share});
    return;
  }
  unsigned slot = tell_free(x);
  tell_chain(x, slot, to, (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = parts_at(b, v, 0), .v = {o->share, 0}});
  player_ends(&x->d);
}

static uint64_t give_all(tell *x) {
  ranks *o = x->own;
  const csr *rows = &o->b.g->rows;
  uint64_t pot = 0, left;
  for (uint32_t v = x->d.p->id; v < rows->vertices; v += o->b.r->procs) {
    o->share = pagerank_share(o->rank[v / o->b.r->procs], rows->first[v + 1] - rows->first[v], &left);
    pot += left;
    x->d.owe += o->b.line + x->d.n->c->step;  // its rank, a division
    rounds_row(x, v, give);
  }
  return pot;
}

static uint64_t take_all(tell *x, uint64_t pot) {
  ranks *o = x->own;
  uint64_t change = 0;
  const uint32_t vertices = o->b.g->rows.vertices;
  for (uint32_t v = x->d.p->id; v < vertices; v += o->b.r->procs) {
    uint64_t *next = &o->b.word[v / o->b.r->procs], *rank = &o->rank[v / o->b.r->procs];
    const uint64_t is = *next + pagerank_common(pot, vertices, v);
    change += is > *rank ? is - *rank : *rank - is;
    *rank = is;
    *next = 0;
    x->d.owe += 2 * o->b.line;
  }
  return change;
}

static void play(const run *r, net *n, net_proc *p) {
  ranked *of = n->own;
  ranks *o = net_must(calloc(1, sizeof *o));
  tell *x = parts_tell(&o->b, r, n, p, SIZE);
  o->rank = of->rank + p->id * of->g.each;
  x->hear = hear;
  x->over = over;
  for (uint32_t v = p->id; v < of->g.list.vertices; v += r->procs)
    o->rank[v / r->procs] = pagerank_common(PAGERANK_ONE, of->g.list.vertices, v);
  unsigned turns = 0;
  uint64_t change;
  do {
    uint64_t pot = give_all(x);
    rounds_settle(x);
    pot = tell_sum(x, pot);
    change = tell_sum(x, take_all(x, pot));
  } while (++turns < PAGERANK_TURNS && (double)change > r->tolerance * (double)PAGERANK_ONE);
  if (!p->id) of->turns = turns;
  tell_close(x);
  free(o);
}

static void check(const run *r, net *n, net_proc *p, share *s) {
  const ranked *o = n->own;
  const uint32_t vertices = o->g.list.vertices;
  double change;
  if (p->id) return;
  uint64_t *rank = net_must(malloc(vertices * sizeof *rank));
  for (uint32_t v = 0; v < vertices; v++) rank[v] = o->rank[v % r->procs * o->g.each + v / r->procs];
  s->wrong += pagerank_check(&o->g.list, r->tolerance, rank, &change) != PAGERANK_RIGHT;
  s->digest = pagerank_digest(rank, 0, vertices);
  s->inserts = o->g.list.count * o->turns;
  free(rank);
}

static uint64_t serial(const run *r) {
  parts g = {.wide = 0};
  uint64_t digest = 0;
  if (parts_make(&g, r, &how, 1)) {
    uint64_t *rank = net_must(malloc(g.list.vertices * sizeof *rank));
    if (pagerank_run(&g.rows, r->tolerance, rank)) digest = pagerank_digest(rank, 0, g.list.vertices);
    free(rank);
  }
  parts_free(&g);
  return digest;
}

static const program_does as_program = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_part,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program pagerank = {"pagerank", &as_program, NULL, "levels most scale tolerance seed"};
