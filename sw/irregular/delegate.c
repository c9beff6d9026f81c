// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for what the communication layer does.
#include "tocsin/irregular/delegate.h"

#include <string.h>

// Of the scheduler, whose own header cannot be included with the net's: a mistake, if no task runs or it must not
// switch. Before anything is sent: what ends at once has nobody whom it could wake.
void irr_task_in(const irr_sched *s, const char *function);

// On the stack of the task that waits: not by irr_block, whose wakes are the program's.
typedef struct waiter {
  irr_sched *s;
  irr_future value;
  irr_status status;
} waiter;

static void begin(waiter *w, irr_sched *s) {
  w->s = s;
  irr_future_init(&w->value, s);
}

static void on_done(void *arg, uint64_t value) {
  waiter *w = arg;
  irr_future_set(w->s, &w->value, value);
}

// Sends, while there is no room lets others run. A delegate for this rank runs in here, where nothing may switch.
static irr_status send(irr_rank *r, const irr_delegate *d) {
  for (;;) {
    irr_atomic_begin(r->s);
    const irr_status s = irr_net_send(r->net, d);
    irr_atomic_end(r->s);
    if (s != IRR_BUSY) return s;
    irr_yield(r->s);
  }
}

irr_status irr_delegate_to(irr_rank *r, const irr_delegate *d, uint64_t *value) {
  if (value) *value = 0;
  if (!r || !d) return IRR_E_ARG;
  if (irr_delegate_running()) return IRR_E_INSIDE;
  irr_task_in(r->s, "irr_delegate_to");
  waiter w;
  begin(&w, r->s);
  irr_delegate with = *d;
  with.done = on_done;
  with.arg = &w;
  with.status = &w.status;
  const irr_status s = send(r, &with);
  if (s != IRR_OK) return s;
  const uint64_t first = irr_future_get(r->s, &w.value);
  if (value) *value = first;
  return w.status;
}

irr_status irr_delegate_tell(irr_rank *r, const irr_delegate *d) {
  if (!r || !d) return IRR_E_ARG;
  if (irr_delegate_running()) return IRR_E_INSIDE;
  irr_delegate with = *d;
  with.done = NULL;
  with.status = NULL;
  return send(r, &with);
}

// ---- words
static irr_status word(irr_rank *r, const irr_word_op *op, uint64_t *old) {
  if (old) *old = 0;
  if (!r || !r->heap) return IRR_E_ARG;
  if (op->at % sizeof(uint64_t)) return IRR_E_ALIGN;
  if (!irr_address_is_2d(op->at) && op->at >= irr_heap_bytes(r->heap)) return IRR_E_RANGE;
  const irr_word_args a = {.place = irr_address_place(r->heap, op->at), .a = op->a, .b = op->b};
  const irr_delegate d = {
      .to = irr_address_rank(r->heap, op->at), .function = op->function, .args = &a, .bytes = sizeof a};
  return irr_delegate_to(r, &d, old);
}

irr_status irr_read(irr_rank *r, irr_address at, uint64_t *value) {
  return word(r, &(irr_word_op){.function = IRR_WORD_READ, .at = at}, value);
}

irr_status irr_write(irr_rank *r, irr_address at, uint64_t value) {
  return word(r, &(irr_word_op){.function = IRR_WORD_WRITE, .at = at, .a = value}, NULL);
}

irr_status irr_fetch_add(irr_rank *r, irr_address at, uint64_t add, uint64_t *old) {
  return word(r, &(irr_word_op){.function = IRR_WORD_ADD, .at = at, .a = add}, old);
}

irr_status irr_compare_swap(irr_rank *r, irr_address at, uint64_t compare, uint64_t swap, uint64_t *old) {
  return word(r, &(irr_word_op){.function = IRR_WORD_SWAP_IF, .at = at, .a = compare, .b = swap}, old);
}

// ---- caches
static irr_status after(irr_status s, waiter *w, const irr_cache *c) {
  if (s != IRR_OK) return s;
  (void)irr_future_get(w->s, &w->value);
  return irr_cache_ended(c);
}

irr_status irr_cache_take(irr_rank *r, irr_cache *c) {
  if (!r || !r->heap || !c) return IRR_E_ARG;
  if (irr_delegate_running()) return IRR_E_INSIDE;
  irr_task_in(r->s, "irr_cache_take");
  waiter w;
  begin(&w, r->s);
  return after(irr_cache_acquire(r->heap, c, on_done, &w), &w, c);
}

irr_status irr_cache_give(irr_rank *r, irr_cache *c) {
  if (!r || !c) return IRR_E_ARG;
  if (irr_delegate_running()) return IRR_E_INSIDE;
  irr_task_in(r->s, "irr_cache_give");
  waiter w;
  begin(&w, r->s);
  return after(irr_cache_release(c, on_done, &w), &w, c);
}

// ---- tasks elsewhere
static irr_status run_spawn(void *ctx, const irr_arrival *a, irr_answer *answer) {
  const irr_rank *r = ctx;
  irr_portable p;
  unsigned taken;
  (void)answer;
  if (a->bytes != sizeof p) return IRR_E_ARG;
  memcpy(&p, a->args, sizeof p);
  const toc_status s = irr_take(r->s, &p, 1, &taken);
  return s == TOC_OK ? IRR_OK : s == TOC_E_NOMEM ? IRR_E_NOMEM : IRR_E_FUNCTION;
}

irr_status irr_spawn_on(irr_rank *r, unsigned rank, unsigned function, const irr_args *a) {
  irr_portable p = {.function = function};
  if (!r) return IRR_E_ARG;
  if (a) p.args = *a;
  const irr_delegate d = {.to = rank, .function = IRR_TASK_SPAWN, .args = &p, .bytes = sizeof p};
  return irr_delegate_to(r, &d, NULL);
}

irr_status irr_spawn_at(irr_rank *r, irr_address at, unsigned function, const irr_args *a) {
  if (!r || !r->heap) return IRR_E_ARG;
  if (!irr_address_is_2d(at) && at >= irr_heap_bytes(r->heap)) return IRR_E_RANGE;
  return irr_spawn_on(r, irr_address_rank(r->heap, at), function, a);
}

// ---- the hook
static bool poll(void *arg) {
  bool moved;
  return irr_net_poll(arg, &moved) == IRR_OK && moved;
}

irr_status irr_rank_begin(irr_rank *r) {
  if (!r || !r->s || !r->net) return IRR_E_ARG;
  const irr_status s = irr_net_register(r->net, IRR_TASK_SPAWN, &(irr_function){.run = run_spawn, .ctx = r});
  if (s == IRR_OK) irr_on_poll(r->s, poll, r->net);
  return s;
}
