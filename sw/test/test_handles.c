// SPDX-License-Identifier: Apache-2.0
// Handles of what has been closed: each function refuses them by name and does nothing, whatever has been opened in
// their place since.
#include "scene.h"
#include "tocsin/agent.h"

// Everything there is, of one process.
typedef struct all {
  scene s;
  toc_node *node;
  toc_proc *p;
  toc_qp *qp;
  toc_req req;
  toc_log *log;
  toc_box *box;
  toc_remote box_at;
  xtq_queue *queue;
  toc_agent *agent;
} all;

static void none(void *arg, const toc_call *c) {
  (void)arg;
  (void)c;
}

static bool open_in(all *a) {
  a->node = toc_node_at(a->s.f, 1);
  a->p = a->s.b;
  a->qp = a->s.ba;
  OK(toc_put(a->s.ba, a->s.far, (toc_remote){0, 0}, 0, &a->req));
  OK(toc_wait(a->req, 0));
  OK(toc_log_open(a->p, &(toc_log_options){.notify = TOC_NOTIFY_TASK}, &a->log));
  OK(toc_box_open(a->p, 2, &a->box, &a->box_at));
  OK(xtq_queue_open(a->p, &(xtq_queue_options){.multi = true}, &a->queue));
  OK(toc_agent_open(a->queue, true, &a->agent));
  return a->agent != NULL;
}

#define CLOSED(x, what)                                             \
  do {                                                              \
    IS(x, TOC_E_CLOSED);                                            \
    if (!strstr(toc_why(), what)) {                                 \
      failed++;                                                     \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #x, toc_why()); \
    }                                                               \
  } while (0)
/* The same of functions without a status. */
#define NOTHING(x, what)                                                    \
  do {                                                                      \
    IS(toc_log_wait(NULL, 1), TOC_E_ARG); /* toc_why says something else */ \
    x;                                                                      \
    CHECK(strstr(toc_why(), what));                                         \
  } while (0)

static void refused_agent(const all *a) {
  const char *w = "'a' is the handle of an agent that has been closed";
  unsigned ran = 1;
  CLOSED(toc_agent_run(a->agent, 0, &ran), w);
  EQ(ran, 0);
  NOTHING(EQ(toc_agent_code(a->agent, none, NULL), 0), w);
  NOTHING(toc_agent_close(a->agent), w);
}

static void refused_queue(const all *a) {
  const char *w = "'q' is the handle of a queue that has been closed";
  uint32_t packet[16] = {AQL_HEADER(AQL_AGENT_DISPATCH)};
  xtq_queue_view v;
  toc_agent *agent;
  CLOSED(xtq_enqueue(a->queue, packet), w);
  CLOSED(toc_agent_open(a->queue, true, &agent), w);
  CHECK(!agent);
  NOTHING(xtq_queue_see(a->queue, &v), w);
  CHECK(!v.ring && !v.packets);
  CLOSED(xtq_queue_close(a->queue), w);
}

static void refused_box(const all *a) {
  const char *w = "'b' is the handle of a box that has been closed";
  CLOSED(toc_box_wait(a->box, 0, 1, 1), w);
  NOTHING(EQ(toc_box_value(a->box, 0), 0), w);
  CLOSED(toc_box_close(a->box), w);
}

static void refused_log(const all *a) {
  const char *w = "'l' is the handle of a log that has been closed";
  toc_access access;
  toc_remote page;
  toc_log_state st;
  CLOSED(toc_log_run(a->log, 0), w);
  CLOSED(toc_log_run_count(a->log, 0, NULL), w);
  CLOSED(toc_log_wait(a->log, 1), w);
  CLOSED(toc_log_release(a->log), w);
  CLOSED(toc_log_inspect(a->log, &st), w);
  CLOSED(toc_flush_page(a->log, &page), w);
  CLOSED(xtq_log_task(a->log, 0, 1, 0), w);
  CLOSED(xtq_log_task_done(a->log), w);
  NOTHING(CHECK(!toc_log_next(a->log, &access)), w);
  NOTHING(EQ(toc_log_unread(a->log), 0), w);
  NOTHING(EQ(toc_log_fd(a->log), -1), w);
  CLOSED(toc_log_close(a->log), w);
}

static void refused_qp(const all *a) {
  const char *w = "is the handle of a queue pair that has been closed";
  toc_address at = {.mac = 1};
  toc_qp_state state = {.number = 1};
  uint64_t word;
  toc_remote far = {0, 0};
  toc_req r;
  CLOSED(toc_put(a->qp, NULL, far, 0, &r), w);
  CHECK(!r.qp);
  CLOSED(toc_put_imm(a->qp, NULL, far, 0, 1, &r), w);
  CLOSED(toc_get(a->qp, &word, far, 8, &r), w);
  CLOSED(toc_fetch_add(a->qp, &word, far, 1, &r), w);
  CLOSED(toc_compare_swap(a->qp, &word, far, 1, 2, &r), w);
  CLOSED(xtq_put(a->qp, &(xtq_task){.function = true}, &r), w);
  CLOSED(toc_wait(a->req, 1), w);
  NOTHING(CHECK(toc_done(a->req)), w);
  CLOSED(toc_wait_all(a->qp, 1), w);
  CLOSED(toc_flush(a->qp, far, 1), w);
  CLOSED(toc_reply(a->qp, far, 0, 1), w);
  CLOSED(toc_qp_address(a->qp, &at), w);
  CHECK(!at.mac);
  CLOSED(toc_qp_save(a->qp, &state), w);
  CHECK(!state.number);
  CLOSED(toc_qp_restore(a->qp, &state), w);
  CLOSED(toc_qp_connect(a->qp, &at), w);
  CLOSED(toc_qp_resume(a->qp), w);
  NOTHING(CHECK(!toc_qp_proc(a->qp)), w);
  NOTHING(toc_qp_close(a->qp), w);
}

static void refused_proc(const all *a) {
  const char *w = "is the handle of a process that has been closed";
  void *ptr;
  uint64_t at;
  toc_remote r;
  toc_event e;
  toc_qp *q;
  toc_log *log;
  toc_box *box;
  xtq_queue *queue;
  aql_signal *signal, word = {0};
  uint32_t n;
  CLOSED(toc_alloc(a->p, 8, TOC_READ, &ptr), w);
  CLOSED(toc_free(a->p, &at), w);
  CLOSED(toc_map(a->p, &at, 4096, TOC_READ, 0), w);
  CLOSED(toc_unmap(a->p, 0, 4096), w);
  CLOSED(toc_iova(a->p, &at, &at), w);
  CLOSED(toc_pointer(a->p, 0, 1, &ptr), w);
  CLOSED(toc_expose(a->p, &at, 1, TOC_READ, &r), w);
  CLOSED(toc_expose_iova(a->p, 0, 1, TOC_READ, &r), w);
  CLOSED(toc_hide(a->p, r), w);
  CLOSED(toc_associate(a->p, &at, 4096, &(toc_rule){.put = TOC_BLOCK}), w);
  CLOSED(toc_associate_iova(a->p, 0, 4096, &(toc_rule){.put = TOC_BLOCK}), w);
  CLOSED(toc_dissociate(a->p, 0, 4096), w);
  CLOSED(toc_event_next(a->p, &e, 1), w);
  CLOSED(toc_event_wake(a->p), w);
  CLOSED(toc_qp_open(a->p, NULL, &q), w);
  CLOSED(toc_connect(a->p, a->s.a, &q, NULL), w);
  CLOSED(toc_connect(a->s.a, a->p, &q, NULL), w);
  CLOSED(toc_log_open(a->p, NULL, &log), w);
  CLOSED(toc_box_open(a->p, 1, &box, &r), w);
  CLOSED(xtq_queue_open(a->p, NULL, &queue), w);
  CLOSED(xtq_register_kernel(a->p, 0, &(xtq_code){0}), w);
  CLOSED(xtq_register_function(a->p, 0, &(xtq_code){0}), w);
  CLOSED(xtq_unregister_kernel(a->p, 0), w);
  CLOSED(xtq_unregister_function(a->p, 0), w);
  CLOSED(xtq_unregister_queue(a->p, 0), w);
  CLOSED(xtq_post_buffer(a->p, &at, 64, 0, &n), w);
  CLOSED(xtq_feed_buffers(a->p, 1, 64), w);
  CLOSED(xtq_signal_open(a->p, 0, &signal), w);
  CLOSED(xtq_signal_wait(a->p, &word, 0, 1), w);
  CLOSED(xtq_signal_close(a->p, &word), w);
  NOTHING(EQ(toc_event_fd(a->p), -1), w);
  NOTHING(EQ(toc_proc_index(a->p), 0), w);
  NOTHING(EQ(toc_proc_requester(a->p), 0), w);
  NOTHING(CHECK(!toc_proc_node(a->p)), w);
  NOTHING(toc_proc_close(a->p), w);
}

static void refused_fabric(const all *a) {
  const char *f = "'f' is the handle of a fabric that has been closed";
  const char *n = "'n' is the handle of a node that has been closed";
  uint64_t v;
  toc_proc *p;
  toc_caps caps;
  NOTHING(CHECK(!toc_progress(a->s.f)), f);
  NOTHING(EQ(toc_now(a->s.f), 0), f);
  NOTHING(EQ(toc_nodes(a->s.f), 0), f);
  NOTHING(CHECK(!toc_node_at(a->s.f, 0)), f);
  NOTHING(toc_listen(a->s.f, NULL, NULL), f);
  CLOSED(toc_wait_word(a->s.f, &v, 0, 0, 1), f);
  NOTHING(toc_close(a->s.f), f);
  CLOSED(toc_reg_read(a->node, 0, 4, &v), n);
  CLOSED(toc_reg_write(a->node, 0, 4, 0), n);
  CLOSED(toc_count_aa(a->node, 0, &v), n);
  CLOSED(toc_count_nic(a->node, 0, &v), n);
  CLOSED(toc_requester_end(a->node, 1, 1), n);
  CLOSED(toc_proc_open(a->node, &p), n);
  NOTHING(toc_caps_of(a->node, &caps), n);
  EQ(caps.logs, 0);
  NOTHING(EQ(toc_node_rank(a->node), 0), n);
}

// Each closed by itself; `again`: another one is in its place.
static void one_by_one(bool again) {
  all a, b;
  memset(&a, 0, sizeof a);
  if (!scene_open(&a.s, NULL) || !open_in(&a)) return;
  b = a;
  toc_agent_close(a.agent);
  if (again) OK(toc_agent_open(a.queue, true, &b.agent));
  refused_agent(&a);
  OK(xtq_queue_close(a.queue));
  if (again) OK(xtq_queue_open(a.p, NULL, &b.queue));
  refused_queue(&a);
  CLOSED(xtq_register_queue(a.p, 0, a.queue), "'q' is the handle of a queue that has been closed");
  OK(toc_box_close(a.box));
  if (again) OK(toc_box_open(a.p, 2, &b.box, &b.box_at));
  refused_box(&a);
  OK(toc_log_close(a.log));
  if (again) OK(toc_log_open(a.p, NULL, &b.log));
  refused_log(&a);
  CLOSED(toc_associate(a.p, a.s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = a.log}), "'log' is the handle of a log");
  toc_qp_close(a.qp);
  if (again) OK(toc_qp_open(a.p, NULL, &b.qp));
  refused_qp(&a);
  toc_proc_close(a.p);
  if (again) OK(toc_proc_open(a.node, &b.p));
  refused_proc(&a);
  CHECK(!again ||
        (b.agent != a.agent && b.queue != a.queue && b.box != a.box && b.log != a.log && b.qp != a.qp && b.p != a.p));
  toc_close(a.s.f);
  if (again) OK(toc_open(&(toc_options){.backend = backend, .nodes = 2}, &b.s.f));
  refused_fabric(&a);
  if (again) toc_close(b.s.f);
}

// What closes with its process, or with its fabric.
static void with_the_rest(bool fabric) {
  all a;
  memset(&a, 0, sizeof a);
  if (!scene_open(&a.s, NULL) || !open_in(&a)) return;
  if (fabric)
    toc_close(a.s.f);
  else
    toc_proc_close(a.p);
  refused_agent(&a);
  refused_queue(&a);
  refused_box(&a);
  refused_log(&a);
  refused_qp(&a);
  if (fabric) {
    refused_fabric(&a);
  } else {
    refused_proc(&a);
    toc_close(a.s.f);
  }
}

// An event that has waited names no queue pair that is gone; no generation comes twice in the same place soon.
static void places(void) {
  enum { TIMES = 5000 };
  static toc_qp *had[TIMES];
  scene s;
  toc_event e;
  if (!scene_open(&s, NULL)) return;
  OK(toc_put_imm(s.ab, NULL, s.there, 0, 5, NULL));
  OK(toc_wait_all(s.ab, 0));
  for (unsigned i = 0; i < 200; i++) toc_progress(s.f);
  toc_qp_close(s.ba);
  OK(toc_event_next(s.b, &e, 0));
  CHECK(e.kind == TOC_EVENT_IMM && !e.qp && e.value == 5);
  unsigned times = slow ? 20 : TIMES;
  for (unsigned i = 0; i < times; i++) {
    OK(toc_qp_open(s.b, NULL, &had[i]));
    for (unsigned k = i > 3 ? i - 3 : 0; k < i; k++) CHECK(had[k] != had[i] && !toc_qp_proc(had[k]));
    CHECK(toc_qp_proc(had[i]) == s.b);
    toc_qp_close(had[i]);
  }
  EQ(times && !toc_qp_proc(had[0]), 1);
  scene_close(&s);
}

// What never was a handle, or is one of something else (in C through void *).
static void wrong(void) {
  all a;
  toc_log_state st;
  int local = 0;
  memset(&a, 0, sizeof a);
  if (!scene_open(&a.s, NULL) || !open_in(&a)) return;
  CLOSED(toc_log_inspect((toc_log *)(void *)&local, &st), "'l' is no handle of this library");
  CLOSED(toc_log_inspect((toc_log *)(void *)a.qp, &st), "'l' is the handle of a queue pair, not of a log");
  CLOSED(toc_log_inspect((toc_log *)(uintptr_t)0x70c5000000100000u, &st), "has been closed");
  CLOSED(toc_log_inspect((toc_log *)(uintptr_t)0x70cf000000000000u, &st), "'l' is no handle of this library");
  CLOSED(toc_log_inspect((toc_log *)(uintptr_t)~0u, &st), "'l' is no handle of this library");
  IS(toc_log_inspect(NULL, &st), TOC_E_ARG);
  OK(toc_log_inspect(a.log, &st));
  scene_close(&a.s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  one_by_one(false);
  one_by_one(true);
  with_the_rest(false);
  with_the_rest(true);
  places();
  wrong();
  return report();
}
