// SPDX-License-Identifier: Apache-2.0
// Remote kernel launch (XTQ, section V-B): rank 0 sends the others' accelerators n vectors, in turn;
// each launch adds every element of its payload, and one, to the target buffer. A vector is 16 words, or `size` bytes.
// Where does the time go?
//
//   xtq     one XtqPut: the NIC makes payload, arguments and packet, and rings the doorbell
//   naive   a put of the vector and a put with immediate: the CPU wakes up, makes a packet, rings the doorbell
//
// The next one begins when the kernel has run; a target in another process says so by a put. The parts of a launch are
// those that one clock sees; between processes there is the time there and back.
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "tocsin/tlp.h"

enum { KERNEL = 7, QUEUE = 1, WORDS = 16, MOST = 512, ARGS = 32, PARTS = 5 };

// Times of one launch, as a listener sees them pass.
typedef struct clocked {
  uint64_t posted, sent, arrived, written, ran, seen;
  unsigned to;
  bool on;
} clocked;

typedef struct launch launch;
typedef struct target {
  launch *l;
  unsigned rank;
  uint64_t *sum, *slot, *args, *told;
  aql_signal *left;
  xtq_queue *q;
  uint64_t code, launches, ran;
} target;

typedef struct face {  // of a target, for rank 0
  toc_remote slot;
  uint64_t process;
} face;

struct launch {
  app *a;
  unsigned words;
  target of[APP_NODES];
  face at[APP_NODES];
  uint64_t *vector, *done;  // rank 0's: what it sends; the last launch of each target
  toc_remote done_at;
  clocked now;
  double part[PARTS];
  toc_see_fn *see;  // who listened before
  void *see_ctx;
};

// A write, not a read of a table.
static bool has_data(const toc_seen *s) { return s->hdr[0] >> 24 & TLP_HAS_DATA; }

static void listen(void *ctx, const toc_seen *s) {
  launch *l = ctx;
  clocked *c = &l->now;
  if (l->see) l->see(l->see_ctx, s);
  if (!c->on) return;
  if (s->kind == TOC_SEEN_FRAME && s->node == 0 && !c->sent) c->sent = s->ns;
  if (s->kind == TOC_SEEN_DEV_REQ && s->node == c->to && !c->arrived && has_data(s)) c->arrived = s->ns;
  if (s->kind == TOC_SEEN_HOST_REQ && s->node == c->to && !c->ran && has_data(s)) c->written = s->ns;
}

static void kernel(void *arg, const toc_call *c) {
  const target *t = arg;
  launch *l = t->l;
  const uint64_t *v = c->payload;
  for (unsigned i = 0; i < l->words; i++) ((uint64_t *)c->target)[i] += v[i] + 1;
  if (!l->now.ran) l->now.ran = toc_now(l->a->f);
}

// ---- a target
static toc_status target_open(launch *l, unsigned r) {
  app *a = l->a;
  target *t = &l->of[r];
  const unsigned rw = TOC_READ | TOC_WRITE;
  toc_agent *agent;
  TRY(toc_alloc(a->p[r], 4096, rw, (void **)&t->sum));
  TRY(toc_alloc(a->p[r], 4096, rw, (void **)&t->slot));
  TRY(toc_alloc(a->p[r], 4096, rw, (void **)&t->args));
  TRY(toc_alloc(a->p[r], 4096, rw, (void **)&t->told));
  TRY(toc_expose(a->p[r], t->slot, 4096, rw, &l->at[r].slot));
  TRY(xtq_queue_open(a->p[r], &(xtq_queue_options){.multi = a->naive}, &t->q));
  TRY(toc_agent_open(t->q, true, &agent));
  TRY(xtq_signal_open(a->p[r], (int64_t)t->launches, &t->left));
  t->code = toc_agent_code(agent, kernel, t);
  l->at[r].process = toc_proc_index(a->p[r]);
  TRY(xtq_register_queue(a->p[r], QUEUE, t->q));
  TRY(xtq_register_kernel(a->p[r], KERNEL, &(xtq_code){t->code, t->sum, t->left}));
  return xtq_feed_buffers(a->p[r], 4, 2 * 8 * MOST);
}

// The naive target: its CPU finds the vector in a slot, and makes the packet itself.
static toc_status cpu_enqueue(const target *t, uint64_t i) {
  app *a = t->l->a;
  toc_proc *p = a->p[t->rank];
  const uint32_t words = t->l->words;
  uint64_t payload, kernarg, done, where;
  toc_event e = {0};
  while (e.kind != TOC_EVENT_IMM) TRY(toc_event_next(p, &e, 0));
  if (e.value != (uint32_t)i)
    app_wrong(a, "launch %llu came as %llu", (unsigned long long)i, (unsigned long long)e.value);
  TRY(toc_iova(p, t->sum, &where));
  TRY(toc_iova(p, t->slot, &payload));
  TRY(toc_iova(p, t->args, &kernarg));
  TRY(toc_iova(p, t->left, &done));
  t->args[0] = where;
  t->args[1] = payload;
  aql_kernel k = {.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                  .setup = 1,
                  .workgroup_size_x = (uint16_t)words,
                  .workgroup_size_y = 1,
                  .workgroup_size_z = 1,
                  .grid_size_x = words,
                  .grid_size_y = 1,
                  .grid_size_z = 1,
                  .kernel_object = t->code,
                  .kernarg_address = kernarg,
                  .completion_signal = done};
  return xtq_enqueue(t->q, &k);
}

// Launch i is this target's: until its kernel has run.
static toc_status serve(target *t, uint64_t i) {
  launch *l = t->l;
  app *a = l->a;
  if (a->naive) TRY(cpu_enqueue(t, i));
  t->ran++;
  TRY(xtq_signal_wait(a->p[t->rank], t->left, (int64_t)(t->launches - t->ran), 0));
  if (app_plays(a, 0)) return TOC_OK;
  *t->told = i + 1;
  toc_req req;
  TRY(toc_put(a->qp[t->rank][0], t->told, toc_at(l->done_at, 8 * t->rank), 8, &req));
  return toc_wait(req, 0);
}

// ---- rank 0
static toc_status post(launch *l, unsigned r, uint64_t i, toc_req *req) {
  app *a = l->a;
  const uint32_t bytes = 8 * l->words;
  const uint64_t arg[ARGS / 8] = {0};
  if (a->naive) return toc_put_imm(a->qp[0][r], l->vector, l->at[r].slot, bytes, (uint32_t)i, req);
  return xtq_put(a->qp[0][r],
                 &(xtq_task){.index = KERNEL,
                             .queue = QUEUE,
                             .process = (unsigned)l->at[r].process,
                             .args = arg,
                             .args_bytes = ARGS,
                             .payload = l->vector,
                             .payload_bytes = bytes,
                             .workgroup = {(uint16_t)l->words},
                             .grid = {l->words, 1, 1}},
                 req);
}

static void add_parts(launch *l) {
  const clocked *c = &l->now;
  const uint64_t t[PARTS + 1] = {c->posted, c->sent, c->arrived, c->written, c->ran, c->seen};
  for (unsigned k = 0; k < PARTS; k++) l->part[k] += t[k + 1] > t[k] ? (double)(t[k + 1] - t[k]) : 0;
}

static toc_status one(launch *l, uint64_t i) {
  app *a = l->a;
  const unsigned r = 1 + (unsigned)(i % (a->nodes - 1));
  toc_req req;
  if (app_plays(a, 0)) {
    l->now = (clocked){.posted = toc_now(a->f), .to = r, .on = true};
    TRY(post(l, r, i, &req));
  }
  if (app_plays(a, r)) TRY(serve(&l->of[r], i));
  if (!app_plays(a, 0)) return TOC_OK;
  if (!app_plays(a, r)) TRY(toc_wait_word(a->f, &l->done[r], ~0ULL, i + 1, 0));
  l->now.seen = toc_now(a->f);
  l->now.on = false;
  add_parts(l);
  return a->naive && !a->all ? TOC_OK : toc_wait(req, 0);
}

// ---- all
static toc_status set_up(launch *l) {
  app *a = l->a;
  const unsigned rw = TOC_READ | TOC_WRITE, others = a->nodes - 1;
  l->words = a->size ? (unsigned)a->size / 8 : WORDS;
  if (app_plays(a, 0)) {
    TRY(toc_alloc(a->p[0], 4096, rw, (void **)&l->vector));
    TRY(toc_alloc(a->p[0], 4096, rw, (void **)&l->done));
    TRY(toc_expose(a->p[0], l->done, 4096, rw, &l->done_at));
  }
  for (unsigned r = 1; r < a->nodes; r++) {
    l->of[r] = (target){.l = l, .rank = r, .launches = (a->n + others - r) / others};
    if (app_plays(a, r)) TRY(target_open(l, r));
  }
  TRY(app_tell(a, 0, &l->done_at, sizeof l->done_at));
  return app_share(a, l->at, sizeof *l->at);
}

static toc_status compare(launch *l, uint64_t (*want)[MOST], uint64_t (*got)[MOST]) {
  app *a = l->a;
  for (unsigned r = 1; r < a->nodes; r++)
    if (app_plays(a, r)) memcpy(got[r], l->of[r].sum, 8 * l->words);
  TRY(app_share(a, got, sizeof *got));
  for (unsigned r = 1; r < a->nodes; r++) {
    if (memcmp(got[r], want[r], 8 * l->words)) app_wrong(a, "the kernels of rank %u did not see what was sent", r);
    app_digest(a, got[r], 8 * l->words);
  }
  return TOC_OK;
}

static toc_status run(launch *l, uint64_t (*want)[MOST], uint64_t (*got)[MOST]) {
  static const char *const name[PARTS] = {"doorbell to first frame", "frame to first write", "first to last write",
                                          "last write to kernel", "kernel to its end seen"};
  app *a = l->a;
  TRY(set_up(l));
  uint64_t begin = toc_now(a->f);
  for (uint64_t i = 0; i < a->n; i++) {
    for (unsigned k = 0; k < l->words; k++) {
      uint64_t v = app_random(a);
      want[1 + i % (a->nodes - 1)][k] += v + 1;
      if (app_plays(a, 0)) l->vector[k] = v;
    }
    TRY(one(l, i));
    app_step(a, i);
  }
  for (unsigned k = 0; k < PARTS && !a->all; k++) app_number_add(a, name[k], "ns", l->part[k] / (double)a->n);
  if (a->all) app_number_add(a, "there and back", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  TRY(app_together(a));
  return compare(l, want, got);
}

toc_status app_launch(app *a) {
  launch *l = app_own(a, sizeof *l);
  uint64_t(*sums)[MOST] = calloc(2 * APP_NODES, sizeof *sums);  // wanted and got, of each rank
  toc_status s = l && sums ? TOC_OK : TOC_E_NOMEM;
  if (!s) {
    *l = (launch){.a = a, .see = a->open.see, .see_ctx = a->open.see_ctx};
    if (!a->all) toc_listen(a->f, listen, l);
    s = run(l, sums, sums + APP_NODES);
    toc_listen(a->f, l->see, l->see_ctx);
  }
  free(sums);
  return s;
}
