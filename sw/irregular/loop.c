// SPDX-License-Identifier: Apache-2.0
// Loops whose parts are tasks: each halves what it has and spawns the upper half, until it is short enough to be done.
#include "scheduler.h"

enum { PARTS = 64 };

typedef struct shared {
  irr_loop loop;
  irr_counter all;
} shared;

static void do_part(irr_sched *s, shared *h, uint64_t begin, uint64_t end);

static void part(irr_sched *s, irr_args *a) { do_part(s, a->w[0].p, a->w[1].u, a->w[2].u); }

static void do_part(irr_sched *s, shared *h, uint64_t begin, uint64_t end) {
  while (end - begin > h->loop.threshold) {
    uint64_t middle = begin + (end - begin) / 2;
    irr_args upper = {{{.p = h}, {.u = middle}, {.u = end}}};
    if ((h->loop.rank ? irr_spawn_rank(s, part, &upper, &h->all) : irr_spawn(s, part, &upper, &h->all)) != TOC_OK)
      do_part(s, h, middle, end);
    end = middle;
  }
  h->loop.body(s, begin, end, h->loop.arg);
}

void irr_for(irr_sched *s, const irr_loop *loop) {
  shared h = {.loop = *loop};
  irr_task_in(s, "irr_for");
  if (loop->end < loop->begin) irr_mistake("irr_for", "the end of the loop is before its beginning");
  uint64_t n = loop->end - loop->begin;
  if (!n) return;
  if (!h.loop.threshold) h.loop.threshold = n / PARTS + (n % PARTS != 0);
  irr_counter_init(&h.all, s);
  do_part(s, &h, loop->begin, loop->end);
  irr_wait(s, &h.all);
}
