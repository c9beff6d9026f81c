// SPDX-License-Identifier: Apache-2.0
// Schedulers of one process that take work from each other, and how all of them see that nothing is left.
//
// Who has nothing to do declares it, and takes that back before it touches anything new: a note in its inbox,
// or an entry of a deque. Work comes from somebody who has not declared. So when all have declared and no inbox
// has a note, nothing is left; and since a look at the inboxes takes time, each declaration that is taken back
// raises a count beside the number of declarations, both in one word: if it is the same before and after the look,
// all had declared meanwhile.
//
// Each call of irr_run is a round. A scheduler may enter the next one while another has not left this one: rounds use
// two words in turn.
#include "scheduler.h"

#include <stdlib.h>

enum { TURNS = 2 };
#define TAKEN_BACK (UINT64_C(1) << 32)

struct irr_group {
  unsigned size, joined;
  uint64_t state[TURNS] __attribute__((aligned(IRR_LINE)));  // declarations, and above 32 bits how many were taken back
  uint64_t over __attribute__((aligned(IRR_LINE)));          // rounds that have ended
  bool stuck[TURNS];                                         // a round ended with tasks that nothing can wake
  irr_sched *at[];
};

toc_status irr_group_open(unsigned schedulers, irr_group **g) {
  *g = NULL;
  if (!schedulers || schedulers > 4096)
    return irr_fails(TOC_E_ARG, "irr_group_open: %u schedulers; 1 to 4096", schedulers);
  size_t bytes = (sizeof **g + schedulers * sizeof(irr_sched *) + IRR_LINE - 1) / IRR_LINE * IRR_LINE;
  *g = aligned_alloc(IRR_LINE, bytes);
  if (!*g) return irr_fails(TOC_E_NOMEM, "irr_group_open: no memory");
  **g = (irr_group){.size = schedulers};
  for (unsigned i = 0; i < schedulers; i++) (*g)->at[i] = NULL;
  return TOC_OK;
}

void irr_group_close(irr_group *g) {
  if (!g) return;
  for (unsigned i = 0; i < g->size; i++)
    if (g->at[i]) irr_free(g->at[i]);
  free(g);
}

toc_status irr_group_join(irr_sched *s) {
  irr_group *g = s->o.group;
  unsigned place = __atomic_fetch_add(&g->joined, 1, __ATOMIC_RELAXED);
  if (place >= g->size) return irr_fails(TOC_E_FULL, "irr_open: the group has its %u schedulers already", g->size);
  s->place = place;
  s->seed = place * UINT64_C(0x9e3779b97f4a7c15) + 1;
  __atomic_store_n(&g->at[place], s, __ATOMIC_RELEASE);
  return TOC_OK;
}

static uint64_t *state(irr_sched *s) { return &s->o.group->state[s->round % TURNS]; }

static irr_sched *member(const irr_group *g, unsigned i) { return __atomic_load_n(&g->at[i], __ATOMIC_ACQUIRE); }

void irr_group_enter(irr_sched *s) { s->declared = false; }

void irr_group_take_back(irr_sched *s) {
  s->declared = false;
  __atomic_fetch_add(state(s), TAKEN_BACK - 1, __ATOMIC_SEQ_CST);
}

void irr_group_leave(irr_sched *s) {
  if (s->declared) irr_group_take_back(s);
  s->round++;
}

static bool quiet(const irr_group *g) {
  for (unsigned i = 0; i < g->size; i++)
    if (__atomic_load_n(&member(g, i)->inbox, __ATOMIC_SEQ_CST)) return false;
  return true;
}

bool irr_group_over(irr_sched *s, bool stuck, bool *any_stuck) {
  irr_group *g = s->o.group;
  bool *said = &g->stuck[s->round % TURNS];
  if (!s->declared) {
    s->declared = true;
    __atomic_store_n(&s->stuck, stuck, __ATOMIC_RELAXED);
    __atomic_fetch_add(state(s), 1, __ATOMIC_SEQ_CST);
  }
  if (__atomic_load_n(&g->over, __ATOMIC_ACQUIRE) <= s->round) {
    uint64_t before = __atomic_load_n(state(s), __ATOMIC_SEQ_CST);
    if ((before & (TAKEN_BACK - 1)) != g->size || !quiet(g)) return false;
    bool any = false;
    for (unsigned i = 0; i < g->size; i++) any |= __atomic_load_n(&member(g, i)->stuck, __ATOMIC_RELAXED);
    if (__atomic_load_n(state(s), __ATOMIC_SEQ_CST) != before) return false;
    __atomic_store_n(said, any, __ATOMIC_RELAXED);
    __atomic_store_n(&g->over, s->round + 1, __ATOMIC_RELEASE);
  }
  *any_stuck = __atomic_load_n(said, __ATOMIC_RELAXED);
  return true;
}

static bool somebody_has(irr_sched *s) {
  irr_group *g = s->o.group;
  for (unsigned i = 0; i < g->size; i++) {
    const irr_sched *v = member(g, i);
    if (v && v != s && (irr_deque_count(&v->rank) || irr_deque_count(&v->anywhere))) return true;
  }
  return false;
}

bool irr_group_declared(irr_sched *s) {
  if (!s->declared) return false;
  if (!__atomic_load_n(&s->inbox, __ATOMIC_RELAXED) && !somebody_has(s)) return true;
  // What somebody has after the end of the round is the next round's. Who has seen it sees the end too, so that this
  // look comes second.
  if (__atomic_load_n(&s->o.group->over, __ATOMIC_ACQUIRE) > s->round) return true;
  irr_group_take_back(s);
  return false;
}

// From a thief's own numbers, so that not all ask the same one first.
static unsigned some(irr_sched *s, unsigned n) {
  s->seed ^= s->seed << 13;
  s->seed ^= s->seed >> 7;
  s->seed ^= s->seed << 17;
  return (unsigned)(s->seed % n);
}

static bool steal_of(irr_deque *d, irr_record *r) {
  irr_taken taken;
  do taken = irr_deque_steal(d, r);
  while (taken == IRR_LOST);
  return taken == IRR_TAKEN;
}

bool irr_steal(irr_sched *s, irr_record *r) {
  irr_group *g = s->o.group;
  unsigned from = some(s, g->size);
  for (unsigned i = 0; i < g->size; i++) {
    irr_sched *v = member(g, (from + i) % g->size);
    if (!v || v == s) continue;
    bool rank = steal_of(&v->rank, r);
    if (!rank && !steal_of(&v->anywhere, r)) continue;
    if (!rank) r->u.join = NULL;
    s->stolen++;
    return true;
  }
  return false;
}
