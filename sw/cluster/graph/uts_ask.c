// SPDX-License-Identifier: Apache-2.0
// Who has no node asks a process, chosen by chance, for some of those that lie lowest in its stack: a delegate, whose
// handler remembers who asked; when a few nodes are done they are given, each by a delegate, which are one aggregate
// where there are any. All that is said has the size of a node, and what it is stands where a node has its depth.
#include <string.h>

#include "uts_walk.h"

enum { WORDS = sizeof(uts_node) / 8 };
#define ASKS 0xffffffffu
#define NONE 0xfffffffeu
#define DONE 0xfffffffdu
#define STOP 0xfffffffcu
enum {
  OF = 28
};  // above a node's depth: how many its answer has; frames of two nodes' processes may come in another order

static void say_node(tell *x, unsigned to, const uts_node *n) {
  uint64_t word[WORDS];
  memcpy(word, n, sizeof word);
  tell_words(x, to, word);
}

static void say(tell *x, unsigned to, uint32_t what) {
  uts_node n = {.depth = what};
  memcpy(n.state, &x->d.p->id, sizeof x->d.p->id);
  say_node(x, to, &n);
  tell_now(x, to);
}

static void got(tell *x, walker *w, uts_node n) {
  const unsigned of = n.depth >> OF;
  if (!w->waits) x->d.s->wrong++;
  n.depth &= (1u << OF) - 1;
  walk_room(w, 1);
  w->left[w->n++] = n;
  x->d.owe += x->d.n->c->step;
  if (++w->came < of) return;
  w->came = 0;
  w->waits = false;
  if (w->parent == WALK_NOBODY)
    w->parent = w->asked;
  else
    w->acknowledges = true;
}

static void accounted(tell *x, walker *w) {
  if (w->owed)
    w->owed--;
  else
    x->d.s->wrong++;
}

// Answers wait for walk_by_asking: nothing is said from here.
void walk_hear(tell *x, const uint64_t *word) {
  walker *w = x->own;
  uts_node n;
  uint32_t from;
  memcpy(&n, word, sizeof n);
  memcpy(&from, n.state, sizeof from);
  x->d.owe += x->d.n->c->step;
  switch (n.depth) {
    case ASKS: w->asker[w->askers++] = from; break;
    case NONE: w->waits = false; break;
    case DONE: accounted(x, w); break;
    case STOP: w->stop = true; break;
    default: got(x, w, n);
  }
}

// The lowest comes last, and lies above the others then: who gets it begins with what is likely to have the most below
// it. Otherwise large subtrees would go from one to the next, and nobody would open them.
static void give(tell *x, walker *w, unsigned to) {
  uts_node some[WALK_GIVEN];
  uint32_t n = walk_share(w), of = n << OF;
  if (!n) {
    say(x, to, NONE);
    return;
  }
  memcpy(some, w->left + w->low, n * sizeof *some);
  w->low += n;
  w->owed++;
  while (n--) {
    some[n].depth |= of;
    say_node(x, to, &some[n]);
  }
  tell_now(x, to);
}

static void at_rest(tell *x, walker *w) {
  if (w->parent != WALK_NOBODY && !w->owed) {
    if (!x->d.p->id) {
      w->stop = true;
      return;
    }
    say(x, w->parent, DONE);
    w->parent = WALK_NOBODY;
  }
  if (w->r->procs == 1 || w->stop) return;
  w->asked = walk_victim(x, w);
  w->waits = true;
  say(x, w->asked, ASKS);
}

void walk_by_asking(tell *x, walker *w) {
  while (!w->stop) {
    walk_some(x, w);
    while (w->askers) give(x, w, w->asker[--w->askers]);
    if (w->acknowledges) {
      w->acknowledges = false;
      say(x, w->asked, DONE);
    }
    if (walk_left(w)) {
      tell_glance(x);
    } else {
      if (!w->waits) at_rest(x, w);
      if (!w->stop && !walk_left(w) && w->waits) tell_turn(x);
    }
  }
  for (unsigned to = 2 * x->d.p->id + 1; to <= 2 * x->d.p->id + 2 && to < w->r->procs; to++) say(x, to, STOP);
}
