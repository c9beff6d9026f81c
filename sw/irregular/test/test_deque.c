// SPDX-License-Identifier: Apache-2.0
// The deque under thieves: whatever is pushed is taken once, whole, and by nobody twice. Its owner pushes and pops in
// bursts, so that it is nearly empty most of the time, where owner and thieves meet, and grows now and then.
// also: tsan
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "deque.h"

enum { THIEVES = 3, ITEMS = 60000 };

typedef struct world {
  irr_deque d;
  uint32_t taken[ITEMS];
  uint64_t torn, done;
} world;

typedef struct thief {
  world *w;
  uint64_t stolen, lost;
} thief;

static irr_record item(uint64_t i) {
  irr_record r = {.u.function = ~i};
  for (unsigned k = 0; k < 3; k++) r.args.w[k].u = i * (k + 3);
  return r;
}

static void take(world *w, const irr_record *r) {
  uint64_t i = ~r->u.function;
  bool whole = i < ITEMS;
  for (unsigned k = 0; k < 3; k++) whole = whole && r->args.w[k].u == i * (k + 3);
  if (whole)
    __atomic_fetch_add(&w->taken[i], 1, __ATOMIC_RELAXED);
  else
    __atomic_fetch_add(&w->torn, 1, __ATOMIC_RELAXED);
}

static void *steal(void *arg) {
  thief *t = arg;
  irr_record r;
  for (;;) {
    bool last = __atomic_load_n(&t->w->done, __ATOMIC_ACQUIRE);
    irr_taken taken = irr_deque_steal(&t->w->d, &r);
    if (taken == IRR_TAKEN) take(t->w, &r);
    t->stolen += taken == IRR_TAKEN;
    t->lost += taken == IRR_LOST;
    if (taken == IRR_EMPTY && last) return NULL;
  }
}

static uint64_t own(world *w, uint64_t seed) {
  uint64_t popped = 0, next = 0, x = seed * 2 + 1;
  irr_record r;
  while (next < ITEMS) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    uint64_t pushes = x % 512 ? x % 4 : 300, pops = x >> 32 & 3;
    for (; pushes && next < ITEMS; pushes--) {
      irr_record in = item(next++);
      EQ(irr_deque_push(&w->d, &in), TOC_OK);
    }
    for (; pops && irr_deque_pop(&w->d, &r); pops--, popped++) take(w, &r);
  }
  for (; irr_deque_pop(&w->d, &r); popped++) take(w, &r);
  return popped;
}

static void storm(world *w, uint64_t seed) {
  pthread_t threads[THIEVES];
  thief t[THIEVES];
  memset(w, 0, sizeof *w);
  EQ(irr_deque_open(&w->d), TOC_OK);
  for (unsigned i = 0; i < THIEVES; i++) {
    t[i] = (thief){.w = w};
    EQ(pthread_create(&threads[i], NULL, steal, &t[i]), 0);
  }
  uint64_t all = own(w, seed);
  __atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
  for (unsigned i = 0; i < THIEVES; i++) {
    EQ(pthread_join(threads[i], NULL), 0);
    all += t[i].stolen;
  }
  EQ(all, ITEMS);
  EQ(w->torn, 0);
  for (unsigned i = 0; i < ITEMS; i++)
    if (w->taken[i] != 1) EQ(w->taken[i], 1);
  EQ(irr_deque_count(&w->d), 0);
  irr_deque_close(&w->d);
}

// Alone: the owner has the newest first, a thief the oldest, also over several sizes of the array.
static void ends(world *w) {
  irr_record r;
  memset(w, 0, sizeof *w);
  EQ(irr_deque_open(&w->d), TOC_OK);
  CHECK(!irr_deque_pop(&w->d, &r));
  EQ(irr_deque_steal(&w->d, &r), IRR_EMPTY);
  for (uint64_t i = 0; i < 1000; i++) {
    irr_record in = item(i);
    EQ(irr_deque_push(&w->d, &in), TOC_OK);
  }
  for (uint64_t i = 0; i < 500; i++) {
    EQ(irr_deque_count(&w->d), 1000 - 2 * (int64_t)i);
    CHECK(irr_deque_pop(&w->d, &r));
    EQ(~r.u.function, 999 - i);
    EQ(irr_deque_steal(&w->d, &r), IRR_TAKEN);
    EQ(~r.u.function, i);
  }
  CHECK(!irr_deque_pop(&w->d, &r));
  irr_deque_close(&w->d);
}

int main(int argc, char **argv) {
  world *w = aligned_alloc(64, sizeof *w + 64 - sizeof *w % 64);
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  if (!w) return 1;
  ends(w);
  for (uint64_t i = 0; i < 10; i++) storm(w, seed + i);
  free(w);
  return report();
}
