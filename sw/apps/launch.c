// SPDX-License-Identifier: Apache-2.0
// Remote kernel launch (XTQ, section V-B): rank 0 sends rank 1's accelerator n vectors; each launch adds every element of its payload,
// and one, to the target buffer. A vector is 16 words, or `size` bytes. Where does the time go?
//
//   xtq     one XtqPut: the NIC makes payload, arguments and packet, and rings the doorbell
//   naive   a put of the vector and a put with immediate: the CPU wakes up, makes a packet, rings the doorbell
#include <string.h>

#include "app.h"
#include "tocsin/tlp.h"

enum { KERNEL = 7, QUEUE = 1, WORDS = 16, MOST = 512, ARGS = 32 };

// Times of one launch, as a listener sees them pass.
typedef struct clocked {
  uint64_t posted, sent, arrived, written, ran, seen;
  bool on;
} clocked;

typedef struct launch {
  app *a;
  uint64_t *sum;
  unsigned words;
  clocked now;
  toc_see_fn *see;  // who listened before
  void *see_ctx;
} launch;

// A write, not a read of a table.
static bool has_data(const toc_seen *s) { return s->hdr[0] >> 24 & TLP_HAS_DATA; }

static void listen(void *ctx, const toc_seen *s) {
  launch *l = ctx;
  clocked *c = &l->now;
  if (l->see) l->see(l->see_ctx, s);
  if (!c->on) return;
  if (s->kind == TOC_SEEN_FRAME && s->node == 0 && !c->sent) c->sent = s->ns;
  if (s->kind == TOC_SEEN_DEV_REQ && s->node == 1 && !c->arrived && has_data(s)) c->arrived = s->ns;
  if (s->kind == TOC_SEEN_HOST_REQ && s->node == 1 && !c->ran && has_data(s)) c->written = s->ns;
}

static void kernel(void *arg, const toc_call *c) {
  launch *l = arg;
  const uint64_t *v = c->payload;
  for (unsigned i = 0; i < l->words; i++) ((uint64_t *)c->target)[i] += v[i] + 1;
  if (!l->now.ran) l->now.ran = toc_now(l->a->f);
}

// The naive target: its CPU finds the vector in a slot, and makes the packet itself.
static toc_status cpu_enqueue(launch *l, xtq_queue *q, uint64_t code, aql_signal *signal, uint64_t *args,
                              uint64_t *slot) {
  app *a = l->a;
  uint64_t target, payload, kernarg, done;
  TRY(toc_iova(a->p[1], l->sum, &target));
  TRY(toc_iova(a->p[1], slot, &payload));
  TRY(toc_iova(a->p[1], args, &kernarg));
  TRY(toc_iova(a->p[1], signal, &done));
  args[0] = target;
  args[1] = payload;
  aql_kernel k = {.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                  .setup = 1,
                  .workgroup_size_x = (uint16_t)l->words,
                  .workgroup_size_y = 1,
                  .workgroup_size_z = 1,
                  .grid_size_x = l->words,
                  .grid_size_y = 1,
                  .grid_size_z = 1,
                  .kernel_object = code,
                  .kernarg_address = kernarg,
                  .completion_signal = done};
  return xtq_enqueue(q, &k);
}

static toc_status run(launch *l) {
  app *a = l->a;
  unsigned rw = TOC_READ | TOC_WRITE;
  uint64_t *vector, *slot, *args, want[MOST] = {0};
  uint64_t arg[ARGS / 8] = {0};
  uint32_t bytes = 8 * (l->words = a->size ? (unsigned)a->size / 8 : WORDS);
  xtq_queue *q;
  toc_agent *agent;
  aql_signal *signal;
  toc_remote remote;
  toc_req req;
  TRY(toc_alloc(a->p[0], 4096, rw, (void **)&vector));
  TRY(toc_alloc(a->p[1], 4096, rw, (void **)&l->sum));
  TRY(toc_alloc(a->p[1], 4096, rw, (void **)&slot));
  TRY(toc_alloc(a->p[1], 4096, rw, (void **)&args));
  TRY(toc_expose(a->p[1], slot, 4096, rw, &remote));
  TRY(xtq_queue_open(a->p[1], &(xtq_queue_options){.multi = a->naive}, &q));
  TRY(toc_agent_open(q, true, &agent));
  TRY(xtq_signal_open(a->p[1], (int64_t)a->n, &signal));
  uint64_t code = toc_agent_code(agent, kernel, l);
  TRY(xtq_register_queue(a->p[1], QUEUE, q));
  TRY(xtq_register_kernel(a->p[1], KERNEL, &(xtq_code){code, l->sum, signal}));
  TRY(xtq_feed_buffers(a->p[1], 4, 2 * 8 * MOST));
  double part[5] = {0};
  for (uint64_t i = 0; i < a->n; i++) {
    for (unsigned k = 0; k < l->words; k++) want[k] += (vector[k] = app_random(a)) + 1;
    l->now = (clocked){.posted = toc_now(a->f), .on = true};
    if (a->naive) {
      toc_event e = {0};
      TRY(toc_put_imm(a->qp[0][1], vector, remote, bytes, (uint32_t)i, NULL));
      while (e.kind != TOC_EVENT_IMM) TRY(toc_event_next(a->p[1], &e, 0));
      if (e.value != (uint32_t)i)
        app_wrong(a, "launch %llu came as %llu", (unsigned long long)i, (unsigned long long)e.value);
      TRY(cpu_enqueue(l, q, code, signal, args, slot));
    } else {
      TRY(xtq_put(a->qp[0][1],
                  &(xtq_task){.index = KERNEL,
                              .queue = QUEUE,
                              .process = toc_proc_index(a->p[1]),
                              .args = arg,
                              .args_bytes = ARGS,
                              .payload = vector,
                              .payload_bytes = bytes,
                              .workgroup = {(uint16_t)l->words},
                              .grid = {l->words, 1, 1}},
                  &req));
    }
    TRY(xtq_signal_wait(a->p[1], signal, (int64_t)(a->n - i - 1), 0));
    l->now.seen = toc_now(a->f);
    l->now.on = false;
    const uint64_t t[6] = {l->now.posted, l->now.sent, l->now.arrived, l->now.written, l->now.ran, l->now.seen};
    for (unsigned k = 0; k < 5; k++) part[k] += t[k + 1] > t[k] ? (double)(t[k + 1] - t[k]) : 0;
    if (!a->naive) TRY(toc_wait(req, 0));
    app_step(a, i);
  }
  static const char *const name[5] = {"doorbell to first frame", "frame to first write", "first to last write",
                                      "last write to kernel", "kernel to its end seen"};
  for (unsigned k = 0; k < 5; k++) app_number_add(a, name[k], "ns", part[k] / (double)a->n);
  if (memcmp(l->sum, want, bytes)) app_wrong(a, "the kernels did not see the vectors that were sent");
  app_digest(a, l->sum, bytes);
  return TOC_OK;
}

toc_status app_launch(app *a) {
  launch l = {.a = a, .see = a->open.see, .see_ctx = a->open.see_ctx};
  toc_listen(a->f, listen, &l);
  toc_status s = run(&l);
  toc_listen(a->f, l.see, l.see_ctx);
  return s;
}
