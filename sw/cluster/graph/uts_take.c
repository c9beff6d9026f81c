// SPDX-License-Identifier: Apache-2.0
// By remote memory access alone: who has enough nodes puts some on a shelf, from where others take half of what is
// there. They look whether there is anything (a get), lock it (a compare-and-swap), get what is there, and then the
// nodes, and put the lock and how much is left by one put, so that nobody sees one without the other. The owner takes
// the lock in its own memory, by its processor.
#include <stddef.h>
#include <string.h>

#include "uts_walk.h"

static uint64_t shelf_at(unsigned id, size_t offset) { return node_at(id % NODE_PROCS, NODE_BULK) + offset; }
static walk_shelf *mine(const tell *x, const walker *w) { return &w->o->shelf[x->d.p->id]; }

static void put_word(tell *x, unsigned to, size_t offset, uint64_t value) {
  unsigned slot = tell_free(x);
  tell_chain(x, slot, to, (net_frame){.kind = NET_PUT, .at = shelf_at(to, offset), .v = {value, 0}, .bytes = 8});
}

static void add_owed(tell *x, unsigned to, uint64_t more) {
  unsigned slot = tell_free(x);
  tell_chain(
      x, slot, to,
      (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = shelf_at(to, offsetof(walk_shelf, owed)), .v = {more, 0}});
}

// Into this process's landing.
static void get(tell *x, unsigned to, size_t offset, unsigned bytes) {
  tell_done(
      x, to,
      (net_frame){.kind = NET_GET, .at = shelf_at(to, offset), .bytes = bytes, .into = node_at(x->d.p->who, NODE_OWN)});
}

// ---- the owner ------------------------------------------------------------------------------------------------------

static void lock(tell *x, walk_shelf *s) {
  x->d.owe += x->d.n->c->mem;
  player_spend(&x->d);
  while (s->lock) {
    x->d.owe += x->d.n->c->mem;
    player_spend(&x->d);
  }
  s->lock = 1 + x->d.p->id;
}

static void unlock(tell *x, walk_shelf *s, size_t moved) {
  x->d.owe += x->d.n->c->mem * (1 + (double)(moved * sizeof(uts_node) / PLAYER_LINE));
  player_spend(&x->d);
  s->lock = 0;
}

static void put_out(tell *x, walker *w) {
  walk_shelf *s = mine(x, w);
  size_t n = walk_left(w) / 2;
  if (s->low < s->high || walk_left(w) <= 2 * WALK_KEPT) return;
  if (n > WALK_SHELF) n = WALK_SHELF;
  lock(x, s);
  memcpy(s->node, w->left + w->low, n * sizeof *s->node);
  w->low += n;
  s->low = 0;
  s->high = n;
  unlock(x, s, n);
}

static void take_back(tell *x, walker *w) {
  walk_shelf *s = mine(x, w);
  if (s->low == s->high) return;
  lock(x, s);
  const size_t n = s->high - s->low;
  walk_room(w, n);
  memcpy(w->left + w->n, s->node + s->low, n * sizeof *s->node);
  w->n += n;
  s->low = s->high;
  unlock(x, s, n);
}

// ---- who takes ------------------------------------------------------------------------------------------------------

static size_t there(const tell *x, const walker *w, uint64_t *low) {
  uint64_t ends[2];
  memcpy(ends, w->o->landing + (size_t)x->d.p->id * WALK_SHELF, sizeof ends);
  *low = ends[0];
  return ends[1] - ends[0];
}

static void take_locked(tell *x, walker *w, unsigned from) {
  uint64_t low;
  get(x, from, offsetof(walk_shelf, low), 16);
  const size_t n = (there(x, w, &low) + 1) / 2;
  if (n && w->parent == WALK_NOBODY) {
    add_owed(x, from, 1);
    w->parent = from;
  }
  if (n) {
    get(x, from, offsetof(walk_shelf, node) + low * sizeof(uts_node), (unsigned)(n * sizeof(uts_node)));
    walk_room(w, n);
    const uts_node *loot = w->o->landing + (size_t)x->d.p->id * WALK_SHELF;
    for (size_t i = n; i-- > 0;) w->left[w->n++] = loot[i];  // the lowest last, as give() does
    x->d.owe += x->d.n->c->mem * (double)(n * sizeof(uts_node) / PLAYER_LINE);
  }
  while (x->d.busy) tell_turn(x);  // the addition is done before the lock is free
  const unsigned slot = tell_free(x);
  const net_frame f = {
      .kind = NET_PUT, .at = shelf_at(from, offsetof(walk_shelf, lock)), .v = {0, low + n}, .bytes = 16};
  tell_chain(x, slot, from, f);
}

static void take(tell *x, walker *w) {
  const unsigned from = walk_victim(x, w);
  uint64_t low;
  get(x, from, offsetof(walk_shelf, low), 16);
  if (!there(x, w, &low)) return;
  const net_frame f = {
      .kind = NET_ATOMIC, .op = NODE_CAS, .at = shelf_at(from, offsetof(walk_shelf, lock)), .v = {1 + x->d.p->id, 0}};
  if (!tell_done(x, from, f)) take_locked(x, w, from);
}

// Nobody has its lock, and who took something has said so before it gave the lock back.
static bool accounted(const walk_shelf *s) { return s->low == s->high && !s->lock && (int64_t)s->owed <= 0; }

static void at_rest(tell *x, walker *w) {
  walk_shelf *s = mine(x, w);
  x->d.owe += x->d.n->c->step;  // a look at the own words
  if (w->parent != WALK_NOBODY && accounted(s)) {
    if (!x->d.p->id) s->stop = true;
    if (!x->d.p->id) return;
    add_owed(x, w->parent, (uint64_t)-1);
    w->parent = WALK_NOBODY;
  }
  if (w->r->procs > 1) take(x, w);
}

void walk_by_taking(tell *x, walker *w) {
  walk_shelf *s = mine(x, w);
  while (!s->stop) {
    walk_some(x, w);
    put_out(x, w);
    if (!walk_left(w)) take_back(x, w);
    if (walk_left(w))
      tell_glance(x);
    else
      at_rest(x, w);
  }
  for (unsigned to = 2 * x->d.p->id + 1; to <= 2 * x->d.p->id + 2 && to < w->r->procs; to++)
    put_word(x, to, offsetof(walk_shelf, stop), 1);
}
