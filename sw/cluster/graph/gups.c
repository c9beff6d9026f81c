// SPDX-License-Identifier: Apache-2.0
// Random updates of a table that all processes have together (`tocsin graph gups`): each does its part of the stream,
// and the word is at its home. With rma an update is a get and a compare-and-swap, that one again until nobody was
// there meanwhile. The rate is counted until the last update is done; that all know so takes longer.
//
// `seed` is the number of the first update. The first thousands of the stream are to few words (2^n and sums
// of a few of them), so runs that are short enough to be simulated begin far behind them; with seed=1 the table
// is that of `tocsin graph`.
#include "gups.h"

#include <stdlib.h>

#include "tell.h"

enum { WORDS = 16 };  // log2 of the words of a process, if nobody says otherwise

typedef struct table {
  uint64_t *word, words;
} table;

typedef struct updates {
  const run *r;
  const table *t;
  uint64_t first;  // word
  double line;     // what one of its words costs
  struct {
    unsigned to;
    bool swaps;
    uint64_t ran, was;
  } chain[NET_WINDOW];
} updates;

// As `tocsin graph` deals words and updates.
static uint64_t bound(uint64_t all, unsigned id, unsigned procs) { return all / procs * id + all % procs * id / procs; }
static unsigned home(const updates *u, uint64_t at) { return (unsigned)(((at + 1) * u->r->procs - 1) / u->t->words); }
static uint64_t all_updates(const run *r) { return (uint64_t)r->procs * r->per; }
static uint64_t before(const run *r) { return r->seed - 1; }

static bool takes(const run *r, const char **why) {
  *why = r->seed ? tell_refuses(r, TELL_WORD) : "seed: the first update has number 1";
  return !*why;
}

static unsigned scale_of(const run *r) {
  unsigned more = 0;
  while (1u << more < r->procs) more++;
  return r->scale ? r->scale : WORDS + more;
}

static bool prepare(const run *r, net *n) {
  table *t = calloc(1, sizeof *t);
  n->own = t;
  if (!t) return false;
  t->words = 1ull << scale_of(r);
  t->word = malloc(t->words * sizeof *t->word);
  if (t->word) gups_fill(t->word, 0, t->words);
  return t->word;
}

static void open_piece(const run *r, net *n, net_proc *p) {
  const table *t = n->own;
  uint64_t first = bound(t->words, p->id, r->procs), end = bound(t->words, p->id + 1, r->procs);
  tell_map(r, n, p, TELL_WORD);
  if (tell_way_named(r->variant)->kind != TELL_RMA) return;
  node_map(n->node[p->node], p->who, NODE_BULK, t->word + first, (end - first) * sizeof *t->word, NODE_PLAIN);
}

static void done(tell *x) {
  double now = net_now() + x->d.owe;
  if (now > x->d.s->end) x->d.s->end = now;
}

static void hear(tell *x, const uint64_t *word) {
  const updates *u = x->own;
  uint64_t ran = *word, at = ran & (u->t->words - 1);
  if (home(u, at) != x->d.p->id) x->d.s->wrong++;
  u->t->word[at] ^= ran;
  x->d.owe += u->line;
  done(x);
}

// ---- by gets and compare-and-swaps ----------------------------------------------------------------------------------

static uint64_t at_home(const updates *u, unsigned to, uint64_t ran) {
  uint64_t index = (ran & (u->t->words - 1)) - bound(u->t->words, to, u->r->procs);
  return node_at(to % NODE_PROCS, NODE_BULK) + 8 * index;
}

static void swap(tell *x, unsigned slot, uint64_t was) {
  updates *u = x->own;
  uint64_t ran = u->chain[slot].ran;
  unsigned to = u->chain[slot].to;
  u->chain[slot].swaps = true;
  u->chain[slot].was = was;
  tell_chain(x, slot, to,
             (net_frame){.kind = NET_ATOMIC, .op = NODE_CAS, .at = at_home(u, to, ran), .v = {was ^ ran, was}});
}

static void over(tell *x, unsigned slot) {
  const updates *u = x->own;
  uint64_t value = x->d.p->slot[slot].value;
  x->d.owe += x->d.n->c->mem;  // what a device wrote
  if (!u->chain[slot].swaps || value != u->chain[slot].was)
    swap(x, slot, value);
  else
    done(x);
}

static void update(tell *x, uint64_t ran) {
  updates *u = x->own;
  unsigned to = home(u, ran & (u->t->words - 1));
  x->d.owe += x->d.n->c->step;  // the stream's next number
  x->d.s->inserts++;
  if (x->way->kind != TELL_RMA || to == x->d.p->id) {
    tell_words(x, to, &ran);
    return;
  }
  unsigned slot = tell_free(x);
  u->chain[slot].to = to;
  u->chain[slot].ran = ran;
  u->chain[slot].swaps = false;
  tell_chain(x, slot, to, (net_frame){.kind = NET_GET, .at = at_home(u, to, ran), .bytes = 8});
  player_ends(&x->d);
}

static void play(const run *r, net *n, net_proc *p) {
  const table *t = n->own;
  updates *u = net_must(calloc(1, sizeof *u));
  uint64_t first = bound(all_updates(r), p->id, r->procs), end = bound(all_updates(r), p->id + 1, r->procs);
  u->r = r;
  u->t = t;
  u->first = bound(t->words, p->id, r->procs);
  tell *x = tell_open(r, n, p, TELL_WORD, u);
  u->line = tell_line(x, (bound(t->words, p->id + 1, r->procs) - u->first) * sizeof *t->word);
  x->hear = hear;
  x->over = over;
  x->d.s->end = x->d.s->begin;
  for (uint64_t ran = gups_start(before(r) + first); first < end; first++) update(x, ran = gups_next(ran));
  tell_settle(x);
  tell_close(x);
  free(u);
}

// The whole table is checked in one, as the suite does it: each update taken back leaves each word as it was.
static void check(const run *r, net *n, net_proc *p, share *s) {
  const table *t = n->own;
  if (p->id) return;
  s->digest = gups_digest(t->word, 0, t->words);
  gups_update(t->word, t->words, before(r), all_updates(r));
  for (uint64_t i = 0; i < t->words; i++) s->wrong += t->word[i] != i;
}

static uint64_t serial(const run *r) {
  uint64_t words = 1ull << scale_of(r), *table = net_must(malloc(words * sizeof *table));
  gups_fill(table, 0, words);
  gups_update(table, words, before(r), all_updates(r));
  uint64_t digest = gups_digest(table, 0, words);
  free(table);
  return digest;
}

static const program_does program_of = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_piece,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program gups = {"gups", &program_of, NULL, "per levels most scale seed"};
