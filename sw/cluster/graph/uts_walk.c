// SPDX-License-Identifier: Apache-2.0
#include "uts_walk.h"

#include <stdlib.h>
#include <string.h>

#include "mix.h"

void walk_room(walker *w, size_t more) {
  if (w->low > w->n / 2) {  // what was given away leaves room
    memmove(w->left, w->left + w->low, walk_left(w) * sizeof *w->left);
    w->n -= w->low;
    w->low = 0;
  }
  if (w->n + more <= w->room) return;
  while (w->room < w->n + more) w->room = w->room ? 2 * w->room : 64;
  w->left = net_must(realloc(w->left, w->room * sizeof *w->left));
}

// A node is a step, and each of its children what `compute` says: SHA-1 of 24 bytes.
void walk_some(tell *x, walker *w) {
  for (unsigned i = 0; i < WALK_TURN && walk_left(w); i++) {
    const uts_node here = w->left[--w->n];
    const unsigned children = uts_children(&w->o->tree, &here);
    uts_see(&w->o->count[x->d.p->id], &here, children);
    walk_room(w, children);
    for (unsigned k = children; k-- > 0;) uts_child(&here, k, &w->left[w->n++]);
    x->d.owe += x->d.n->c->step + children * w->r->compute;
  }
}

unsigned walk_victim(const tell *x, walker *w) {
  w->chance = app_mix(w->chance);
  return (unsigned)((x->d.p->id + 1 + w->chance % (w->r->procs - 1)) % w->r->procs);
}

unsigned walk_share(const walker *w) {
  const size_t n = walk_left(w) > WALK_KEPT ? walk_left(w) / 2 : 0;
  return n < w->at_once ? (unsigned)n : w->at_once;
}

// ---- the program ----------------------------------------------------------------------------------------------------

static const uts_known *known_of(const run *r) { return uts_named(*r->tree ? r->tree : uts_trees[0].name); }

static bool takes(const run *r, const char **why) {
  const uts_known *k = known_of(r);
  *why = !k                                          ? "tree: T1, T3, or another one that is published"
         : r->scale && k->tree.kind != UTS_GEOMETRIC ? "scale: another depth have geometric trees alone, T1, T2, T5"
         : r->levels != 1                            ? "levels: who asks waits, so nothing is gathered on its way"
                                                     : tell_refuses(r, sizeof(uts_node));
  return !*why;
}

static uts_tree tree_of(const run *r) {
  uts_tree t = known_of(r)->tree;
  if (r->scale) t.depth = r->scale;
  return t;
}

static bool prepare(const run *r, net *n) {
  walk_own *o = calloc(1, sizeof *o);
  n->own = o;
  if (!o) return false;
  o->tree = tree_of(r);
  o->known = r->scale ? NULL : known_of(r);
  o->count = calloc(r->procs, sizeof *o->count);
  o->shelf = calloc(r->procs, sizeof *o->shelf);
  o->landing = calloc((size_t)r->procs * WALK_SHELF, sizeof *o->landing);
  return o->count && o->shelf && o->landing;
}

static void open_shelf(const run *r, net *n, net_proc *p) {
  const walk_own *o = n->own;
  node *d = n->node[p->node];
  tell_map(r, n, p, sizeof(uts_node));
  if (tell_way_named(r->variant)->kind != TELL_RMA) return;
  node_map(d, p->who, NODE_BULK, o->shelf + p->id, sizeof *o->shelf, NODE_PLAIN);
  node_map(d, p->who, NODE_OWN, o->landing + (size_t)p->id * WALK_SHELF, WALK_SHELF * sizeof *o->landing, NODE_PLAIN);
}

static void over(tell *x, unsigned slot) {
  (void)slot;
  x->d.owe += x->d.n->c->mem;  // what a device wrote
}

static void play(const run *r, net *n, net_proc *p) {
  walker *w = net_must(calloc(1, sizeof *w));
  tell *x = tell_open(r, n, p, sizeof(uts_node), w);
  *w = (walker){.r = r, .o = n->own, .chance = p->id, .parent = p->id ? WALK_NOBODY : 0};
  w->at_once = x->way->waits ? 1 : WALK_GIVEN;
  w->asker = net_must(calloc(r->procs, sizeof *w->asker));
  x->hear = walk_hear;
  x->over = over;
  walk_room(w, 1);
  if (!p->id) uts_root(&w->o->tree, &w->left[w->n++]);
  if (x->way->kind == TELL_RMA)
    walk_by_taking(x, w);
  else
    walk_by_asking(x, w);
  x->d.s->inserts = w->o->count[p->id].nodes;
  x->d.s->wrong += walk_left(w);
  tell_settle(x);
  tell_close(x);
  free(w->left);
  free(w->asker);
  free(w);
}

static void check(const run *r, net *n, net_proc *p, share *s) {
  const walk_own *o = n->own;
  uts_count all = {0};
  if (p->id) return;
  for (unsigned i = 0; i < r->procs; i++) uts_add(&all, &o->count[i]);
  s->digest = all.digest;
  if (!o->known) return;
  s->wrong += all.nodes != o->known->nodes;
  s->wrong += o->known->depth && all.depth != o->known->depth;
  s->wrong += o->known->leaves && all.leaves != o->known->leaves;
}

static uint64_t serial(const run *r) {
  const uts_tree t = tree_of(r);
  uts_count c;
  return uts_walk(&t, &c) ? c.digest : 0;
}

static const program_does as_program = {.most = 1 << 20,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_shelf,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program uts = {"uts", &as_program, NULL, "compute levels most scale tree"};
