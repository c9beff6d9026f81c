// SPDX-License-Identifier: Apache-2.0
#include "sums.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = 3, QUEUE = 2, ARGS = 32, SLOT = 4096 };

// Arguments: target, payload, first word, words.
static void add(void *arg, const toc_call *c) {
  sums *s = arg;
  const uint64_t *v = c->payload;
  uint64_t at = c->arg[2], n = c->arg[3];
  if (at > s->words || n > s->words - at) return;
  for (uint64_t i = 0; i < n; i++) ((uint64_t *)c->target)[at + i] += v[i];
  s->came++;
}

toc_status sums_open(sums *s, app *a, unsigned rank, uint64_t words, uint64_t messages) {
  *s = (sums){.a = a, .rank = rank, .words = words, .expected = messages};
  toc_proc *p = a->p[rank];
  unsigned rw = TOC_READ | TOC_WRITE;
  TRY(toc_alloc(p, words * 8, rw, (void **)&s->vector));
  if (a->naive) {
    TRY(toc_alloc(p, a->nodes * SLOT, rw, (void **)&s->slots));
    return toc_expose(p, s->slots, a->nodes * SLOT, rw, &s->slot_mem);
  }
  xtq_queue *q;
  toc_agent *agent;
  TRY(xtq_queue_open(p, NULL, &q));
  TRY(toc_agent_open(q, true, &agent));
  TRY(xtq_signal_open(p, (int64_t)messages, &s->left));
  TRY(xtq_register_queue(p, QUEUE, q));
  TRY(xtq_register_kernel(p, KERNEL, &(xtq_code){toc_agent_code(agent, add, s), s->vector, s->left}));
  return xtq_feed_buffers(p, 4, 65536);
}

toc_status sender_open(sender *x, sums *to, unsigned from) {
  *x = (sender){.to = to, .from = from};
  return app_lane_open(&x->lane, to->a->qp[from][to->rank], to->a->naive ? 1 : 4, SLOT);
}

void sender_close(sender *x) { app_lane_close(&x->lane); }

// The CPU at the target: takes the message out of the sender's slot, and says so by looking away (the sender waits for it).
static toc_status by_cpu(sums *s, unsigned from) {
  toc_event e = {0};
  while (e.kind != TOC_EVENT_IMM) TRY(toc_event_next(s->a->p[s->rank], &e, 0));
  const uint64_t *slot = s->slots + from * (SLOT / 8);
  uint64_t at = slot[0], n = slot[1];
  if (e.value != from || at > s->words || n > s->words - at)
    return app_wrong(s->a, "a message of rank %u came as another", from);
  for (uint64_t i = 0; i < n; i++) s->vector[at + i] += slot[2 + i];
  s->came++;
  return TOC_OK;
}

toc_status sums_send(sender *x, uint64_t at, const uint64_t *values, unsigned n) {
  sums *s = x->to;
  void *slot;
  toc_req *req;
  TRY(app_lane_slot(&x->lane, &slot, &req));
  uint64_t *w = slot;
  if (s->a->naive) {
    w[0] = at;
    w[1] = n;
    memcpy(w + 2, values, 8ULL * n);
    TRY(toc_put_imm(x->lane.qp, w, toc_at(s->slot_mem, x->from * SLOT), 16 + 8 * n, x->from, req));
    return by_cpu(s, x->from);
  }
  uint64_t args[ARGS / 8] = {0, 0, at, n};
  memcpy(w, values, 8ULL * n);
  return xtq_put(x->lane.qp,
                 &(xtq_task){.index = KERNEL,
                             .queue = QUEUE,
                             .process = toc_proc_index(s->a->p[s->rank]),
                             .args = args,
                             .args_bytes = ARGS,
                             .payload = w,
                             .payload_bytes = 8 * n,
                             .workgroup = {64},
                             .grid = {n, 1, 1}},
                 req);
}

toc_status sums_wait(sums *s) {
  if (!s->a->naive) TRY(xtq_signal_wait(s->a->p[s->rank], s->left, 0, 0));
  if (s->came != s->expected)
    app_wrong(s->a, "%llu of %llu messages were added", (unsigned long long)s->came, (unsigned long long)s->expected);
  return TOC_OK;
}
