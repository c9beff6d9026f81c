// SPDX-License-Identifier: Apache-2.0
// Triangles (`tocsin graph triangles`): vertices get numbers in order of their neighbours, fewest first, and a row has
// the neighbours with greater numbers alone; that is a part of the input here and takes no time. A vertex asks for each
// two b < c in its row whether c is in b's, which b's home looks up: an offer is a word, three numbers of 21 bits. With
// rma a row of b is got instead, where it begins and ends first, and compared with its own.
#include "triangles.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { BITS = 21, ENDS = 0, ROW = 1 };
#define NUMBER ((1u << BITS) - 1)

typedef struct counted {
  parts g;
  csr up;         // by new numbers
  uint32_t *old;  // of each new number
  uint64_t *
      *row;  // of each process, for others: where rows of its vertices begin, as words, and their numbers, two a word
  uint8_t *landing;
} counted;

typedef struct counter_of {
  counted *o;
  double line;  // what a look into a row costs
  triangles found;
  struct {
    unsigned at, bytes;
    uint32_t a;
    uint64_t k, from, left;  // b is up.to[k]; bytes of b's row that are still to come, and where
  } chain[NET_WINDOW];
} counter_of;

static bool takes(const run *r, const char **why) {
  *why = parts_scale(r) > BITS ? "scale: 21 at most, three vertices are a word"
         : r->seed             ? tell_refuses(r, TELL_WORD)
                               : "seed: 1 is that of Graph500";
  return !*why;
}

// ---- the input ------------------------------------------------------------------------------------------------------

static uint64_t degree(const csr *g, uint32_t v) { return g->first[v + 1] - g->first[v]; }

// New numbers by counting how many vertices have how many neighbours.
static uint32_t *renumber(const csr *g, uint32_t *old) {
  uint32_t *number = net_must(malloc((g->vertices + 1) * sizeof *number));
  uint32_t *begins = net_must(calloc((size_t)g->vertices + 2, sizeof *begins));
  for (uint32_t v = 0; v < g->vertices; v++) begins[degree(g, v) + 1]++;
  for (uint32_t d = 0; d <= g->vertices; d++) begins[d + 1] += begins[d];
  for (uint32_t v = 0; v < g->vertices; v++) old[number[v] = begins[degree(g, v)]++] = v;
  free(begins);
  return number;
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void make_rows(counted *o) {
  const csr *g = &o->g.rows;
  uint32_t *number = renumber(g, o->old);
  o->up = (csr){.vertices = g->vertices, .first = net_must(calloc((size_t)g->vertices + 1, sizeof *o->up.first))};
  o->up.to = net_must(malloc((g->arcs + 1) * sizeof *o->up.to));
  for (uint32_t a = 0; a < g->vertices; a++) {
    uint64_t n = o->up.first[a];
    for (uint64_t k = g->first[o->old[a]]; k < g->first[o->old[a] + 1]; k++)
      if (number[g->to[k]] > a) o->up.to[n++] = number[g->to[k]];
    qsort(o->up.to + o->up.first[a], n - o->up.first[a], sizeof *o->up.to, by_number);
    o->up.first[a + 1] = n;
  }
  o->up.arcs = o->up.first[g->vertices];
  free(number);
}

static size_t words_of(const counted *o, const run *r, unsigned id) {
  uint64_t arcs = 0;
  for (uint32_t v = id; v < o->up.vertices; v += r->procs) arcs += degree(&o->up, v);
  return o->g.each + 1 + (arcs + 1) / 2;
}

static bool prepare(const run *r, net *n) {
  counted *o = calloc(1, sizeof *o);
  n->own = o;
  if (!o || !parts_make(&o->g, r, &(csr_how){.merge = true}, 1)) return false;
  o->old = malloc(o->g.list.vertices * sizeof *o->old);
  o->row = calloc(r->procs, sizeof *o->row);
  o->landing = malloc((size_t)r->procs * NET_WINDOW * NET_MTU);
  if (!o->old || !o->row || !o->landing) return false;
  make_rows(o);
  return true;
}

static void open_rows(const run *r, net *n, net_proc *p) {
  counted *o = n->own;
  node *d = n->node[p->node];
  size_t words = words_of(o, r, p->id);
  uint64_t at = (o->g.each + 1) * 8, *row = o->row[p->id] = net_must(calloc(words, sizeof *row));
  for (uint32_t v = p->id, here = 0; v < o->up.vertices; v += r->procs) {
    const uint64_t bytes = degree(&o->up, v) * sizeof *o->up.to;
    row[here++] = at;
    memcpy((uint8_t *)row + at, o->up.to + o->up.first[v], bytes);
    row[here] = at += bytes;
  }
  tell_map(r, n, p, TELL_WORD);
  if (tell_way_named(r->variant)->kind != TELL_RMA) return;
  node_map(d, p->who, NODE_BULK, row, words * sizeof *row, NODE_PLAIN);
  node_map(d, p->who, NODE_OWN, o->landing + (size_t)p->id * NET_WINDOW * NET_MTU, NET_WINDOW * NET_MTU, NODE_PLAIN);
}

// ---- at b's home ----------------------------------------------------------------------------------------------------

static void see(counter_of *u, uint32_t a, uint32_t b, uint32_t c) {
  triangles_see(&u->found, u->o->old[a], u->o->old[b], u->o->old[c]);
}

static void hear(tell *x, const uint64_t *word) {
  counter_of *u = x->own;
  const uint32_t a = (uint32_t)(*word >> 2 * BITS), b = *word >> BITS & NUMBER, c = *word & NUMBER;
  unsigned others = 0;
  if (b % x->d.r->procs != x->d.p->id) x->d.s->wrong++;
  if (csr_has(&u->o->up, b, c, &others)) see(u, a, b, c);
  x->d.owe += u->line + (1 + others) * x->d.n->c->step;
}

// ---- by gets --------------------------------------------------------------------------------------------------------

static void get(tell *x, unsigned slot, uint64_t at, unsigned bytes) {
  const counter_of *u = x->own;
  const unsigned to = u->o->up.to[u->chain[slot].k] % x->d.r->procs;
  tell_chain(x, slot, to,
             (net_frame){.kind = NET_GET,
                         .at = node_at(to % NODE_PROCS, NODE_BULK) + at,
                         .bytes = bytes,
                         .into = node_at(x->d.p->who, NODE_OWN) + slot * (uint64_t)NET_MTU});
}

static void next_part(tell *x, unsigned slot) {
  counter_of *u = x->own;
  const uint64_t left = u->chain[slot].left;
  if (!left) return;
  u->chain[slot].at = ROW;
  u->chain[slot].bytes = left < NET_MTU ? (unsigned)left : NET_MTU;
  get(x, slot, u->chain[slot].from, u->chain[slot].bytes);
  u->chain[slot].from += u->chain[slot].bytes;
  u->chain[slot].left -= u->chain[slot].bytes;
}

// Numbers of b's row that are in a's, behind b.
static void compare(tell *x, uint32_t a, uint64_t k, const uint32_t *other, unsigned n) {
  counter_of *u = x->own;
  const csr *up = &u->o->up;
  uint64_t i = k + 1;
  for (unsigned j = 0; j < n && i < up->first[a + 1];) {
    if (up->to[i] == other[j]) see(u, a, up->to[k], other[j]);
    const bool first = up->to[i] <= other[j], second = other[j] <= up->to[i];
    i += first;
    j += second;
    x->d.owe += x->d.n->c->step;
  }
  x->d.owe += x->d.n->c->mem * (double)(n * sizeof *other / PLAYER_LINE + 1);
}

static void over(tell *x, unsigned slot) {
  counter_of *u = x->own;
  const uint8_t *at = u->o->landing + ((size_t)x->d.p->id * NET_WINDOW + slot) * NET_MTU;
  if (u->chain[slot].at == ENDS) {
    uint64_t ends[2];
    memcpy(ends, at, sizeof ends);
    x->d.owe += x->d.n->c->mem;
    u->chain[slot].from = ends[0];
    u->chain[slot].left = ends[1] - ends[0];
  } else {
    uint32_t other[NET_MTU / sizeof(uint32_t)];
    memcpy(other, at, u->chain[slot].bytes);
    compare(x, u->chain[slot].a, u->chain[slot].k, other, u->chain[slot].bytes / (unsigned)sizeof *other);
  }
  next_part(x, slot);
}

static void bring(tell *x, uint32_t a, uint64_t k) {
  counter_of *u = x->own;
  const csr *up = &u->o->up;
  const uint32_t b = up->to[k];
  if (k + 1 == up->first[a + 1]) return;
  if (b % x->d.r->procs == x->d.p->id) {
    compare(x, a, k, up->to + up->first[b], (unsigned)degree(up, b));
    return;
  }
  const unsigned slot = tell_free(x);
  u->chain[slot].at = ENDS;
  u->chain[slot].a = a;
  u->chain[slot].k = k;
  get(x, slot, b / x->d.r->procs * 8, 16);
  player_ends(&x->d);
}

// ---- the program ----------------------------------------------------------------------------------------------------

static void ask(tell *x, uint32_t a, uint64_t k) {
  const counter_of *u = x->own;
  const csr *up = &u->o->up;
  const uint64_t b = up->to[k];
  for (uint64_t i = k + 1; i < up->first[a + 1]; i++) {
    x->d.owe += x->d.n->c->step;
    tell_words(x, (unsigned)(b % x->d.r->procs), &(uint64_t){(uint64_t)a << 2 * BITS | b << BITS | up->to[i]});
  }
}

static void play(const run *r, net *n, net_proc *p) {
  counter_of *u = net_must(calloc(1, sizeof *u));
  u->o = n->own;
  tell *x = tell_open(r, n, p, TELL_WORD, u);
  u->line = tell_line(x, words_of(u->o, r, p->id) * 8);
  x->hear = hear;
  x->over = over;
  const csr *up = &u->o->up;
  for (uint32_t a = p->id; a < up->vertices; a += r->procs) {
    x->d.owe += x->d.n->c->mem * (1 + (double)(degree(up, a) * sizeof *up->to / PLAYER_LINE));
    for (uint64_t k = up->first[a]; k < up->first[a + 1]; k++)
      if (x->way->kind == TELL_RMA)
        bring(x, a, k);
      else
        ask(x, a, k);
  }
  rounds_settle(x);
  x->d.s->digest = u->found.digest;
  tell_sum(x, 0);  // nobody's rows are wanted any more
  tell_close(x);
  free(u);
}

static void check(const run *r, net *n, net_proc *p, share *s) {
  counted *o = n->own;
  (void)r;
  free(o->row[p->id]);
  o->row[p->id] = NULL;
  if (!p->id) s->inserts = o->up.arcs;
}

static uint64_t serial(const run *r) {
  parts g = {.wide = 0};
  triangles found = {0};
  if (parts_make(&g, r, &(csr_how){.merge = true}, 1)) triangles_check(&g.rows, &found);
  parts_free(&g);
  return found.digest;
}

static const program_does as_program = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_rows,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program triangle_count = {"triangles", &as_program, NULL, "levels most scale seed"};
