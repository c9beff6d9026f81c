// SPDX-License-Identifier: Apache-2.0
#include "sums.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = 3, QUEUE = 2, ARGS = 32, SLOT = 4096, SLOTS = 4, LOOK_US = 100 };
// Each message has a buffer of its own, which is posted again when its task has run: others have to wait for one,
// however many send.
enum { BUFFERS = 8, BUFFER = SLOT + 64 };

// ---- at who adds
// Arguments: target, payload, first word, words.
static void add(void *arg, const toc_call *c) {
  adder *d = arg;
  const uint64_t *v = c->payload;
  uint64_t at = c->arg[2], n = c->arg[3];
  if (at > d->words || n > d->words - at) return;
  for (uint64_t i = 0; i < n; i++) ((uint64_t *)c->target)[at + i] += v[i];
  d->came++;
  const size_t number = (size_t)((const uint8_t *)c->args - d->buffers) / BUFFER;
  if (xtq_post_buffer(c->proc, d->buffers + number * BUFFER, BUFFER, BUFFER, NULL)) app_wrong(d->a, "%s", toc_why());
}

static toc_status adder_open(adder *d) {
  app *a = d->a;
  toc_proc *p = a->p[d->rank];
  unsigned rw = TOC_READ | TOC_WRITE;
  d->at.process = toc_proc_index(p);
  TRY(toc_alloc(p, (d->words ? d->words : 1) * 8, rw, (void **)&d->vector));
  if (a->naive) {
    TRY(toc_alloc(p, a->nodes * SLOTS * SLOT, rw, (void **)&d->slots));
    TRY(toc_alloc(p, a->nodes * 8, rw, (void **)&d->taken));
    return toc_expose(p, d->slots, a->nodes * SLOTS * SLOT, rw, &d->at.slots);
  }
  xtq_queue *q;
  toc_agent *agent;
  TRY(xtq_queue_open(p, NULL, &q));
  TRY(toc_agent_open(q, true, &agent));
  TRY(xtq_signal_open(p, (int64_t)d->expected, &d->left));
  TRY(xtq_register_queue(p, QUEUE, q));
  TRY(xtq_register_kernel(p, KERNEL, &(xtq_code){toc_agent_code(agent, add, d), d->vector, d->left}));
  TRY(toc_alloc(p, BUFFERS * BUFFER, rw, (void **)&d->buffers));
  for (unsigned i = 0; i < BUFFERS; i++) TRY(xtq_post_buffer(p, d->buffers + i * BUFFER, BUFFER, BUFFER, NULL));
  return TOC_OK;
}

// The CPU takes a message out of its sender's slot, if one is there: TOC_E_TIMEOUT, there is none. A sender in this
// process sees that.
static toc_status by_cpu(sums *s, adder *d, uint64_t timeout_us) {
  app *a = s->a;
  toc_event e = {0};
  while (e.kind != TOC_EVENT_IMM) TRY(toc_event_next(a->p[d->rank], &e, timeout_us));
  const uint64_t from = e.value;
  if (from >= a->nodes || from == d->rank)
    return app_wrong(a, "a message of rank %llu came to rank %u", (unsigned long long)from, d->rank);
  const uint64_t *slot = d->slots + (from * SLOTS + d->taken[from] % SLOTS) * (SLOT / 8);
  uint64_t at = slot[0], n = slot[1];
  if (at > d->words || n > d->words - at || n > SUMS_MOST)
    return app_wrong(a, "a message of rank %llu came as another", (unsigned long long)from);
  for (uint64_t i = 0; i < n; i++) d->vector[at + i] += slot[2 + i];
  d->came++;
  toc_store(&d->taken[from], d->taken[from] + 1);
  if (app_plays(a, (unsigned)from)) return TOC_OK;
  return toc_put(a->qp[d->rank][from], &d->taken[from], toc_at(s->credit_at[from], 8 * d->rank), 8, NULL);
}

// ---- life
static toc_status open_here(sums *s, unsigned r) {
  app *a = s->a;
  unsigned rw = TOC_READ | TOC_WRITE;
  if (r < s->adders) TRY(adder_open(&s->of[r]));
  for (unsigned to = 0; to < s->adders; to++)
    if (to != r) TRY(app_lane_open(&s->lane[r * a->nodes + to], a->qp[r][to], a->naive && !a->all ? 1 : SLOTS, SLOT));
  if (!a->naive) return TOC_OK;
  TRY(toc_alloc(a->p[r], a->nodes * 8, rw, (void **)&s->credit[r]));
  return toc_expose(a->p[r], s->credit[r], a->nodes * 8, rw, &s->credit_at[r]);
}

toc_status sums_open(sums *s, app *a, unsigned adders, const uint64_t *words, const uint64_t *messages) {
  *s = (sums){.a = a, .adders = adders};
  s->of = app_own(a, a->nodes * sizeof *s->of);  // kernels use it
  s->lane = calloc((size_t)a->nodes * a->nodes, sizeof *s->lane);
  s->sent = calloc((size_t)a->nodes * a->nodes, sizeof *s->sent);
  if (!s->of || !s->lane || !s->sent) return TOC_E_NOMEM;
  for (unsigned r = 0; r < adders; r++)
    s->of[r] = (adder){.a = a, .rank = r, .words = words[r], .expected = messages[r]};
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) TRY(open_here(s, r));
  for (unsigned r = 0; r < adders; r++) TRY(app_tell(a, r, &s->of[r].at, sizeof s->of[r].at));
  return app_share(a, s->credit_at, sizeof *s->credit_at);
}

void sums_close(sums *s) {
  for (unsigned i = 0; s->lane && i < s->a->nodes * s->a->nodes; i++) app_lane_close(&s->lane[i]);
  free(s->lane);
  free(s->sent);
}

// ---- messages
// The sender's slot at the target is free. Meanwhile its own CPU adds what it is sent: the other one may wait for that.
static toc_status slot_is_free(sums *s, unsigned from, unsigned to, uint64_t sent) {
  app *a = s->a;
  const uint64_t until = toc_now(a->f) + 1000 * a->open.timeout_us;
  while (sent - toc_load(&s->credit[from][to]) >= SLOTS) {
    toc_status e = from < s->adders ? by_cpu(s, &s->of[from], LOOK_US)
                                    : toc_wait_word(a->f, &s->credit[from][to], ~0ULL, sent, LOOK_US);
    if (e && (e != TOC_E_TIMEOUT || toc_now(a->f) > until)) return e;
  }
  return TOC_OK;
}

static toc_status send_to_cpu(sums *s, unsigned from, unsigned to, uint64_t *w, unsigned n, toc_req *req) {
  app *a = s->a;
  uint64_t sent = s->sent[from * a->nodes + to]++;
  if (!app_plays(a, to)) TRY(slot_is_free(s, from, to, sent));
  const toc_remote slot = toc_at(s->of[to].at.slots, (from * SLOTS + sent % SLOTS) * SLOT);
  TRY(toc_put_imm(a->qp[from][to], w, slot, 16 + 8 * n, from, req));
  return app_plays(a, to) ? by_cpu(s, &s->of[to], 0) : TOC_OK;
}

toc_status sums_send(sums *s, unsigned from, unsigned to, uint64_t at, const uint64_t *values, unsigned n) {
  app *a = s->a;
  void *slot;
  toc_req *req;
  TRY(app_lane_slot(&s->lane[from * a->nodes + to], &slot, &req));
  uint64_t *w = slot;
  if (a->naive) {
    w[0] = at;
    w[1] = n;
    memcpy(w + 2, values, 8ULL * n);
    return send_to_cpu(s, from, to, w, n, req);
  }
  uint64_t args[ARGS / 8] = {0, 0, at, n};
  memcpy(w, values, 8ULL * n);
  return xtq_put(a->qp[from][to],
                 &(xtq_task){.index = KERNEL,
                             .queue = QUEUE,
                             .process = (unsigned)s->of[to].at.process,
                             .args = args,
                             .args_bytes = ARGS,
                             .payload = w,
                             .payload_bytes = 8 * n,
                             .workgroup = {64},
                             .grid = {n, 1, 1}},
                 req);
}

toc_status sums_wait(sums *s) {
  app *a = s->a;
  for (unsigned r = 0; r < s->adders; r++) {
    adder *d = &s->of[r];
    if (!app_plays(a, r)) continue;
    if (!a->naive) TRY(xtq_signal_wait(a->p[r], d->left, 0, 0));
    while (a->naive && d->came < d->expected && !a->wrong) TRY(by_cpu(s, d, 0));
    if (d->came != d->expected)
      app_wrong(a, "%llu of %llu messages were added", (unsigned long long)d->came, (unsigned long long)d->expected);
  }
  return TOC_OK;
}
