// SPDX-License-Identifier: Apache-2.0
// What other threads tell a scheduler: a list that anybody pushes to, and that is taken as a whole.
// No memory is asked for: the note lies in the task that shall wake or in the counter that reaches zero.
// Who has pushed never looks at it again.
#include "scheduler.h"

#include <stddef.h>

void irr_post(irr_sched *s, irr_note *n, const char *function) {
  if (s->alone)
    irr_mistake(function, "another thread calls, and the scheduler was opened without `foreign` and without a group");
  if (__atomic_exchange_n(&n->queued, 1, __ATOMIC_ACQUIRE))
    irr_mistake(function, "twice: the scheduler has not yet seen the first call");
  irr_note *head = __atomic_load_n(&s->inbox, __ATOMIC_RELAXED);
  do {
    n->next = head;
  } while (!__atomic_compare_exchange_n(&s->inbox, &head, n, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void deliver(irr_sched *s, irr_note *n) {
  __atomic_store_n(&n->queued, 0, __ATOMIC_RELEASE);
  if (n->kind == IRR_NOTE_WAKE)
    irr_wake(s, (irr_task *)(void *)((char *)n - offsetof(irr_task, note)));
  else
    irr_counter_delivered(s, (irr_counter *)(void *)((char *)n - offsetof(irr_counter, note)));
}

bool irr_drain(irr_sched *s) {
  if (!__atomic_load_n(&s->inbox, __ATOMIC_RELAXED)) return false;
  irr_note *n = __atomic_exchange_n(&s->inbox, NULL, __ATOMIC_ACQUIRE), *first = NULL;
  while (n) {  // the first that came becomes the first
    irr_note *next = n->next;
    n->next = first;
    first = n;
    n = next;
  }
  while (first) {
    irr_note *next = first->next;  // before the note is delivered: it may be used again then
    deliver(s, first);
    first = next;
  }
  return true;
}
