// SPDX-License-Identifier: Apache-2.0
// Tasks that have not begun: three queues, and the way out of the process and into it.
#include "scheduler.h"

#include <stdlib.h>

static const irr_args nothing;

static toc_status no_memory(const char *function) {
  return irr_fails(TOC_E_NOMEM, "%s: no memory for one more task", function);
}

static bool fifo_push(irr_fifo *f, const irr_record *r) {
  if (f->count == f->size) {
    size_t wider = f->size ? 2 * f->size : IRR_LINE;
    irr_record *at = malloc(wider * sizeof *at);
    if (!at) return false;
    for (size_t i = 0; i < f->count; i++) at[i] = f->at[(f->head + i) & (f->size - 1)];
    free(f->at);
    *f = (irr_fifo){.at = at, .count = f->count, .size = wider};
  }
  f->at[(f->head + f->count++) & (f->size - 1)] = *r;
  return true;
}

static bool fifo_pop(irr_fifo *f, irr_record *r) {
  if (!f->count) return false;
  *r = f->at[f->head++ & (f->size - 1)];
  f->count--;
  return true;
}

bool irr_waiting(const irr_sched *s) {
  return s->mine.count || irr_deque_count(&s->rank) || irr_deque_count(&s->anywhere);
}

static bool pop_anywhere(irr_sched *s, irr_record *r) {
  if (!irr_deque_pop(&s->anywhere, r)) return false;
  r->u.join = NULL;
  return true;
}

// In turns, so that none of the three waits for ever.
bool irr_pop(irr_sched *s, irr_record *r) {
  for (unsigned tries = 0; tries < 3; tries++) {
    switch (s->turn++ % 3) {
      case 0:
        if (fifo_pop(&s->mine, r)) return true;
        break;
      case 1:
        if (irr_deque_pop(&s->rank, r)) return true;
        break;
      default:
        if (pop_anywhere(s, r)) return true;
    }
  }
  return false;
}

toc_status irr_spawn(irr_sched *s, irr_task_fn *fn, const irr_args *a, irr_counter *join) {
  irr_record r = {.fn = fn, .args = a ? *a : nothing, .u.join = join};
  if (!fifo_push(&s->mine, &r)) return no_memory("irr_spawn");
  s->spawned++;
  if (join) irr_enroll(s, join, 1);
  return TOC_OK;
}

toc_status irr_spawn_rank(irr_sched *s, irr_task_fn *fn, const irr_args *a, irr_counter *join) {
  irr_record r = {.fn = fn, .args = a ? *a : nothing, .u.join = join};
  if (join) irr_enroll(s, join, 1);  // before anybody can complete it
  if (irr_deque_push(&s->rank, &r) != TOC_OK) {
    if (join) irr_complete(s, join);
    return no_memory("irr_spawn_rank");
  }
  s->spawned++;
  return TOC_OK;
}

static toc_status push_anywhere(irr_sched *s, uint64_t function, const irr_args *a, const char *caller) {
  if (function >= s->o.function_count || !s->o.functions[function])
    return irr_fails(TOC_E_ARG, "%s: function %llu; irr_options.functions has %u", caller, (unsigned long long)function,
                     s->o.function_count);
  irr_record r = {.fn = s->o.functions[function], .args = a ? *a : nothing, .u.function = function};
  if (irr_deque_push(&s->anywhere, &r) != TOC_OK) return no_memory(caller);
  return TOC_OK;
}

toc_status irr_spawn_anywhere(irr_sched *s, unsigned function, const irr_args *a) {
  toc_status status = push_anywhere(s, function, a, "irr_spawn_anywhere");
  if (status == TOC_OK) s->spawned++;
  return status;
}

unsigned irr_give(irr_sched *s, irr_portable *out, unsigned most) {
  unsigned n = 0;
  irr_record r;
  while (n < most) {
    irr_taken taken = irr_deque_steal(&s->anywhere, &r);
    if (taken == IRR_EMPTY) break;
    if (taken == IRR_TAKEN) out[n++] = (irr_portable){.function = r.u.function, .args = r.args};
  }
  s->given += n;
  return n;
}

toc_status irr_take(irr_sched *s, const irr_portable *in, unsigned n, unsigned *taken) {
  toc_status status = TOC_OK;
  unsigned i = 0;
  while (i < n && (status = push_anywhere(s, in[i].function, &in[i].args, "irr_take")) == TOC_OK) i++;
  s->taken += i;
  *taken = i;
  return status;
}

unsigned irr_givable(const irr_sched *s) { return (unsigned)irr_deque_count(&s->anywhere); }

uint64_t irr_left(const irr_sched *s) {
  return s->begun + s->mine.count + (uint64_t)irr_deque_count(&s->rank) + (uint64_t)irr_deque_count(&s->anywhere);
}
