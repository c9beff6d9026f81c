// SPDX-License-Identifier: Apache-2.0
// Counters and futures.
//
// A counter may lie on the stack of the task that waits for it, which goes on at zero: whoever makes it zero must not
// touch it afterwards. A scheduler of another thread therefore never does: it lowers the counter while others are left,
// and for the last posts the counter to its home, which lowers it. Until then the posted one is still counted: a second
// thread that completes finds two, so that a counter is posted at most once at a time.
#include "scheduler.h"

void irr_counter_init(irr_counter *c, irr_sched *s) { *c = (irr_counter){.home = s, .note.kind = IRR_NOTE_COUNTER}; }

void irr_enroll(irr_sched *s, irr_counter *c, uint64_t n) {
  uint64_t left = __atomic_load_n(&c->left, __ATOMIC_RELAXED);
  if (!left && c->home != s) irr_mistake("irr_enroll", "the counter is another scheduler's, and zero: it may be gone");
  do {
    if (n > INT64_MAX - left) irr_mistake("irr_enroll", "the counter would be above INT64_MAX");
  } while (!c->home->alone &&
           !__atomic_compare_exchange_n(&c->left, &left, left + n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  if (c->home->alone) c->left = left + n;
}

static void zero(irr_sched *s, irr_counter *c) {
  irr_task *t = c->waiters;
  c->waiters = NULL;
  while (t) {
    irr_task *next = t->next;
    irr_unpark(s, t);
    t = next;
  }
}

void irr_counter_delivered(irr_sched *s, irr_counter *c) {
  if (__atomic_sub_fetch(&c->left, 1, __ATOMIC_ACQ_REL) == 0) zero(s, c);
}

static void done_from(irr_counter *c, const char *function) {
  uint64_t left = __atomic_load_n(&c->left, __ATOMIC_RELAXED);
  do {
    if (!left) irr_mistake(function, "nothing is enrolled that could be completed");
    if (left == 1) {
      irr_post(c->home, &c->note, function);
      return;
    }
  } while (!__atomic_compare_exchange_n(&c->left, &left, left - 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

void irr_i_done(irr_sched *s, irr_counter *c, const char *function) {
  if (c->home != s) {
    done_from(c, function);
    return;
  }
  uint64_t left;
  if (s->alone)
    left = c->left--;
  else
    left = __atomic_fetch_sub(&c->left, 1, __ATOMIC_ACQ_REL);
  if (!left) irr_mistake(function, "nothing is enrolled that could be completed");
  if (left == 1) zero(s, c);
}

void irr_complete(irr_sched *s, irr_counter *c) { irr_i_done(s, c, "irr_complete"); }
void irr_complete_from(irr_counter *c) { done_from(c, "irr_complete_from"); }

void irr_wait(irr_sched *s, irr_counter *c) {
  irr_task_in(s, "irr_wait");
  if (c->home != s) irr_mistake("irr_wait", "the counter is another scheduler's; only its own tasks can wait for it");
  if (!__atomic_load_n(&c->left, __ATOMIC_ACQUIRE)) return;
  s->current->next = c->waiters;
  c->waiters = s->current;
  irr_park(s, IRR_WAITING);
}

void irr_future_init(irr_future *f, irr_sched *s) {
  irr_counter_init(&f->counter, s);
  f->counter.left = 1;
  f->value = 0;
}

static void first_value(const irr_future *f, const char *function) {
  if (!__atomic_load_n(&f->counter.left, __ATOMIC_RELAXED)) irr_mistake(function, "the future has a value already");
}

void irr_future_set(irr_sched *s, irr_future *f, uint64_t value) {
  first_value(f, "irr_future_set");
  f->value = value;
  irr_i_done(s, &f->counter, "irr_future_set");
}

void irr_future_set_from(irr_future *f, uint64_t value) {
  first_value(f, "irr_future_set_from");
  f->value = value;
  done_from(&f->counter, "irr_future_set_from");
}

bool irr_future_ready(const irr_future *f) { return !__atomic_load_n(&f->counter.left, __ATOMIC_ACQUIRE); }

uint64_t irr_future_get(irr_sched *s, irr_future *f) {
  irr_wait(s, &f->counter);
  return f->value;
}
