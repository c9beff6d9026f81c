// SPDX-License-Identifier: Apache-2.0
// The life of a task: it begins, gives the core away, is woken, ends. The way from one task to the next
// is here and in the switch.
#include "scheduler.h"

#include <stdio.h>
#include <stdlib.h>

void irr_mistake(const char *function, const char *what) {
  fprintf(stderr, "tocsin: %s: %s\n", function, what);
  abort();
}

void irr_task_in(const irr_sched *s, const char *function) {
  if (!s->current) irr_mistake(function, "called outside of a task; only a task can give its core away");
  if (s->atomic) irr_mistake(function, "called between irr_atomic_begin and irr_atomic_end, where no task may switch");
}

static irr_ready *behind_all(irr_sched *s, irr_task *t) {
  irr_ready *r = &s->ready[s->tail++ & s->mask];
  r->task = t;
  return r;
}

// The first of the ring; what is `ahead` of it is asked for from memory: the registers that a switch loads, and the
// frame behind them.
static irr_ready first(irr_sched *s) {
  irr_ready r = s->ready[s->head++ & s->mask];
  if (s->ahead && s->ahead <= irr_ready_count(s)) {
    const char *sp = s->ready[(s->head + s->ahead - 1) & s->mask].sp;
    __builtin_prefetch(sp, 1);
    __builtin_prefetch(sp + IRR_LINE, 1);
  }
  return r;
}

static inline void to_scheduler(irr_sched *s, irr_task *t, void **save, int ends) {
  s->current = NULL;
  irr_fiber_switch(&t->fiber, save, &s->fiber, s->sp, ends);
}

// From the task that runs to the next that is ready; or to the scheduler, which polls and begins tasks.
static inline void leave(irr_sched *s, irr_task *t, void **save, int ends) {
  if (--s->budget <= 0 || !irr_ready_count(s)) {
    to_scheduler(s, t, save, ends);
    return;
  }
  irr_ready next = first(s);
  s->switches++;
  s->current = next.task;
  irr_fiber_switch(&t->fiber, save, &next.task->fiber, next.sp, ends);
}

void irr_resume(irr_sched *s) {
  irr_ready next = first(s);
  s->switches++;
  s->current = next.task;
  irr_fiber_switch(&s->fiber, &s->sp, &next.task->fiber, next.sp, 0);
}

void irr_yield(irr_sched *s) {
  irr_task_in(s, "irr_yield");
  irr_task *t = s->current;
  bool others = irr_ready_count(s) > 0;
  irr_ready *me = behind_all(s, t);
  if (others) {
    leave(s, t, &me->sp, 0);
  } else {
    s->budget = 0;  // nothing else is ready: a poll may bring something
    to_scheduler(s, t, &me->sp, 0);
  }
}

void irr_park(irr_sched *s, irr_state state) {
  irr_task *t = s->current;
  t->state = state;
  leave(s, t, &t->sp, 0);
}

void irr_unpark(irr_sched *s, irr_task *t) {
  t->state = IRR_ABLE;
  behind_all(s, t)->sp = t->sp;
}

void irr_block(irr_sched *s) {
  irr_task_in(s, "irr_block");
  if (s->current->permit)
    s->current->permit = false;
  else
    irr_park(s, IRR_BLOCKED);
}

void irr_wake(irr_sched *s, irr_task *t) {
  if (t->home != s) irr_mistake("irr_wake", "the task is another scheduler's; irr_wake_from wakes it");
  if (t->state == IRR_FREE) irr_mistake("irr_wake", "the task has ended");
  if (t->state == IRR_BLOCKED) {
    irr_unpark(s, t);
  } else {
    if (t->permit) irr_mistake("irr_wake", "woken twice; a task takes one wake for each irr_block");
    t->permit = true;
  }
}

void irr_wake_from(irr_task *t) { irr_post(t->home, &t->note, "irr_wake_from"); }

irr_task *irr_self(const irr_sched *s) { return s->current; }

void irr_atomic_begin(irr_sched *s) { s->atomic++; }

void irr_atomic_end(irr_sched *s) {
  if (!s->atomic) irr_mistake("irr_atomic_end", "there was no irr_atomic_begin");
  s->atomic--;
}

// On the new task's own stack, from its first instruction to its last switch.
static void body(void *arg) {
  irr_task *t = arg;
  irr_sched *s = t->home;
  irr_fiber_arrived(NULL, &s->fiber);
  t->work.fn(s, &t->work.args);
  if (s->atomic) irr_mistake("irr_atomic_begin", "a task has ended without irr_atomic_end");
  if (t->work.u.join) irr_complete(s, t->work.u.join);
  s->ended++;
  s->begun--;
  irr_stack_put(s, t);
  leave(s, t, &t->sp, 1);
}

// There is a place in the ring for each task that has begun, so that no wake can fail.
static bool ring_for(irr_sched *s, size_t tasks) {
  size_t size = s->ready ? s->mask + 1 : 0, wider = size ? size : IRR_LINE;
  if (tasks <= size) return true;
  while (wider < tasks) wider *= 2;
  irr_ready *ring = calloc(wider, sizeof *ring);
  if (!ring) return false;
  size_t count = irr_ready_count(s);
  for (size_t i = 0; i < count; i++) ring[i] = s->ready[(s->head + i) & s->mask];
  free(s->ready);
  s->ready = ring;
  s->head = 0;
  s->tail = count;
  s->mask = wider - 1;
  return true;
}

bool irr_begin(irr_sched *s, bool steal) {
  if (s->begun >= s->o.tasks || !(steal || irr_waiting(s))) return false;
  s->poor = !ring_for(s, s->begun + 1) && irr_fails(TOC_E_NOMEM, "no memory for the ring of ready tasks");
  irr_task *t = s->poor ? NULL : irr_stack_get(s);
  if (!t) return false;
  if (!irr_pop(s, &t->work) && !(steal && irr_steal(s, &t->work))) {
    irr_stack_put(s, t);
    return false;
  }
  t->home = s;
  t->state = IRR_ABLE;
  t->permit = false;
  irr_fiber_begin(&t->fiber, t);
  s->begun++;
  s->switches++;
  s->budget--;
  s->current = t;
  void *sp = irr_context_new(t, (size_t)((char *)t - (const char *)t->fiber.low), body, t);
  irr_fiber_switch(&s->fiber, &s->sp, &t->fiber, sp, 0);
  return true;
}
