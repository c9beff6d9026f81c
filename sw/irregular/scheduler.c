// SPDX-License-Identifier: Apache-2.0
// A scheduler is opened, runs and is closed. Its loop runs on the stack of irr_run's caller, and is come back
// to every so many switches.
#define _GNU_SOURCE
#include "scheduler.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STACK = 32768, TASKS = 65536, POLL_EVERY = 64, AHEAD = 8, SPINS = 64, NAP_NS = 20000 };

static _Thread_local char why[256] = "nothing has failed";

toc_status irr_fails(toc_status status, const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(why, sizeof why, format, a);
  va_end(a);
  return status;
}

const char *irr_why(void) { return why; }

static toc_status checked(irr_options *o) {
  if (!o->stack_bytes) o->stack_bytes = IRR_ASAN ? 4 * STACK : STACK;
  if (!o->tasks) o->tasks = TASKS;
  if (!o->poll_every) o->poll_every = POLL_EVERY;
  if (!o->prefetch) o->prefetch = AHEAD;
  if (o->function_count && !o->functions)
    return irr_fails(TOC_E_ARG, "irr_open: function_count is %u, and functions is NULL", o->function_count);
  return TOC_OK;
}

static toc_status filled(irr_sched *s) {
  toc_status status = checked(&s->o);
  if (status == TOC_OK) status = irr_stacks_open(&s->stacks, s->o.stack_bytes, s->o.tasks);
  if (status != TOC_OK) return status;
  s->ahead = s->o.prefetch == IRR_NO_PREFETCH ? 0 : s->o.prefetch;
  s->alone = !s->o.foreign && !s->o.group;
  if (irr_deque_open(&s->rank) != TOC_OK || irr_deque_open(&s->anywhere) != TOC_OK)
    return irr_fails(TOC_E_NOMEM, "irr_open: no memory");
  return s->o.group ? irr_group_join(s) : TOC_OK;
}

toc_status irr_open(const irr_options *o, irr_sched **s) {
  irr_sched *n = aligned_alloc(IRR_LINE, sizeof *n);
  *s = NULL;
  if (!n) return irr_fails(TOC_E_NOMEM, "irr_open: no memory");
  *n = (irr_sched){.o = o ? *o : (irr_options){0}};
  toc_status status = filled(n);
  if (status == TOC_OK)
    *s = n;
  else
    irr_free(n);
  return status;
}

void irr_free(irr_sched *s) {
  irr_deque_close(&s->rank);
  irr_deque_close(&s->anywhere);
  free(s);
}

void irr_close(irr_sched *s) {
  if (!s) return;
  if (s->current) irr_mistake("irr_close", "called by a task");
  irr_overflow_close(s);
  irr_stacks_close(&s->stacks);
  free(s->ready);
  free(s->mine.at);
  if (!s->o.group) irr_free(s);
}

static bool poll_now(irr_sched *s) {
  bool moved = !s->alone && irr_drain(s);
  s->budget = s->o.poll_every;
  if (!s->poll) return moved;
  s->polls++;
  return s->poll(s->poll_arg) || moved;
}

// One that has not begun, each time the scheduler is come back to, so that those that yield do not keep
// it waiting for ever.
static bool visit(irr_sched *s) {
  if (s->budget <= 0) poll_now(s);
  if (irr_begin(s, false)) return true;
  if (!irr_ready_count(s)) return false;
  irr_resume(s);
  return true;
}

static bool idle(irr_sched *s) {
  if (poll_now(s) || irr_ready_count(s)) return true;
  if (s->o.group && irr_begin(s, true)) return true;
  return s->hungry && !irr_waiting(s) && s->hungry(s->hungry_arg);
}

// Said to the group that it has nothing to do. Its hooks are called all the same: others may wait for what comes that
// way. Not its inbox, which nobody may empty who has said so.
static bool declared(irr_sched *s) {
  if (!irr_group_declared(s)) return false;
  bool moved = false;
  if (s->poll) {
    s->polls++;
    moved = s->poll(s->poll_arg);
  }
  if (!moved && s->hungry) moved = s->hungry(s->hungry_arg);
  if (!moved && !irr_ready_count(s) && !irr_waiting(s)) return true;
  irr_group_take_back(s);
  return false;
}

// Who polls must not sleep: what it waits for may come only by polling.
static void rest(const irr_sched *s, unsigned *idle_times) {
  if (++*idle_times > SPINS && !s->poll && !s->hungry)
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
  else
    sched_yield();
}

static toc_status stuck(irr_sched *s) {
  uint64_t waiting = irr_left(s) - s->begun;
  if (s->poor) return TOC_E_NOMEM;  // with the text of who found no memory
  if (waiting && s->begun >= s->o.tasks)
    return irr_fails(TOC_E_FULL,
                     "irr_run: all %llu stacks are held by blocked tasks, and %llu others have none to begin on; raise "
                     "irr_options.tasks",
                     (unsigned long long)s->begun, (unsigned long long)waiting);
  return irr_fails(TOC_E_NOT_DONE, "irr_run: %llu tasks are blocked, and nothing is left that could wake them",
                   (unsigned long long)s->begun);
}

// There is nothing to do here now. True: and there will not be, here or in the group.
static bool over(irr_sched *s, toc_status *status) {
  bool left = irr_left(s) > 0, hopeless = left && ((!s->poll && !s->o.foreign) || (s->poor && !s->begun));
  bool others_stuck = false;
  if (irr_ready_count(s) || (left && !hopeless)) return false;
  if (s->o.group && !irr_group_over(s, hopeless, &others_stuck)) return false;
  *status = hopeless ? stuck(s) : TOC_OK;
  if (others_stuck && !hopeless)
    *status = irr_fails(TOC_E_NOT_DONE, "irr_run: another scheduler of the group has tasks that nothing can wake");
  return true;
}

toc_status irr_run_while(irr_sched *s, irr_poll_fn *keep, void *arg) {
  toc_status status = TOC_OK;
  unsigned idle_times = 0;
  if (s->current) irr_mistake("irr_run", "called by a task");
  irr_fiber_thread(&s->fiber);
  irr_group_enter(s);
  for (;;) {
    if (!declared(s) && (visit(s) || idle(s)))
      idle_times = 0;
    else if (!(keep && keep(arg)) && over(s, &status))
      break;
    else
      rest(s, &idle_times);
  }
  irr_group_leave(s);
  return status;
}

toc_status irr_run(irr_sched *s) { return irr_run_while(s, NULL, NULL); }

bool irr_step(irr_sched *s) {
  uint64_t before = s->switches;
  if (s->current) irr_mistake("irr_step", "called by a task");
  if (s->o.group) irr_mistake("irr_step", "the scheduler is in a group, whose schedulers call irr_run");
  irr_fiber_thread(&s->fiber);
  s->budget = s->o.poll_every;
  while (s->budget > 0 && visit(s)) continue;
  bool moved = poll_now(s);
  if (s->switches == before && !moved && s->hungry && !irr_waiting(s)) moved = s->hungry(s->hungry_arg);
  return moved || s->switches != before;
}

bool irr_i_sched_quiet(const irr_sched *s) { return !irr_ready_count(s) && !irr_waiting(s); }

void irr_on_poll(irr_sched *s, irr_poll_fn *poll, void *arg) {
  s->poll = poll;
  s->poll_arg = arg;
}

void irr_on_hungry(irr_sched *s, irr_poll_fn *hungry, void *arg) {
  s->hungry = hungry;
  s->hungry_arg = arg;
}

void irr_counts_of(const irr_sched *s, irr_counts *c) {
  *c = (irr_counts){
      .switches = s->switches, .spawned = s->spawned, .ended = s->ended, .stolen = s->stolen, .given = s->given};
  c->taken = s->taken;
  c->polls = s->polls;
  c->stacks = s->stacks.count;
  c->begun = s->begun;
  c->stack_each = s->stacks.each;
}
