// SPDX-License-Identifier: Apache-2.0
// XTQ as a program sees it: remote messages run functions of an accelerator in software.
#include "scene.h"
#include "tocsin/agent.h"
#include "tocsin/nic.h"

typedef struct machine {
  scene s;
  xtq_queue *queue;
  toc_agent *agent;
  aql_signal *done;
  uint64_t *sum;
} machine;

static bool machine_open(machine *m, const toc_options *o, const xtq_queue_options *q, bool automatic) {
  memset(m, 0, sizeof *m);
  if (!scene_open(&m->s, o)) return false;
  OK(xtq_queue_open(m->s.b, q, &m->queue));
  OK(toc_agent_open(m->queue, automatic, &m->agent));
  OK(xtq_register_queue(m->s.b, 3, m->queue));
  OK(xtq_feed_buffers(m->s.b, 4, 16384));
  OK(xtq_signal_open(m->s.b, 1000, &m->done));
  OK(toc_alloc(m->s.b, 4096, TOC_READ | TOC_WRITE, (void **)&m->sum));
  return m->queue && m->agent && m->sum;
}

typedef struct ran {
  unsigned n;
  uint64_t arg[4];
  toc_call last;
} ran;

/* Adds the payload's words up, into the target buffer. How many bytes they are is in the third argument. */
static void add_up(void *arg, const toc_call *c) {
  ran *r = arg;
  uint64_t *sum = c->target;
  const uint64_t *v = c->payload;
  r->n++;
  r->last = *c;
  memcpy(r->arg, c->arg, sizeof r->arg);
  for (uint32_t i = 0; i < c->arg[2] / 8; i++) *sum += v[i];
}

// A kernel with arguments and payload: the target's pointers take the place of the first two arguments,
// the signal falls.
static void kernel(void) {
  machine m;
  toc_req r;
  ran did = {0};
  if (!machine_open(&m, NULL, NULL, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  EQ(code, toc_agent_code(m.agent, add_up, &did));
  OK(xtq_register_kernel(m.s.b, 42, &(xtq_code){.code = code, .target = m.sum, .signal = m.done}));
  uint64_t *v = (uint64_t *)(void *)m.s.near, args[4] = {7, 8, 800, 9};
  for (unsigned i = 0; i < 100; i++) v[i] = i;
  xtq_task t = {
      .index = 42, .queue = 3, .process = toc_proc_index(m.s.b), .args = args, .args_bytes = 32, .payload = v};
  t.payload_bytes = 800;
  t.grid[0] = 64;
  t.grid[1] = 2;
  OK(xtq_put(m.s.ab, &t, &r));
  OK(toc_wait(r, 0));
  OK(xtq_signal_wait(m.s.b, m.done, 999, 0));
  EQ(did.n, 1);
  EQ(did.arg[2], 800);
  EQ(did.arg[3], 9);
  EQ(*m.sum, 4950);
  CHECK(did.last.target == m.sum && !did.last.function);
  scene_close(&m.s);
}

// A function: two arguments are the target's, two the initiator's.
static void function(void) {
  machine m;
  toc_req r;
  ran did = {0};
  if (!machine_open(&m, NULL, NULL, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  OK(xtq_register_function(m.s.b, 5, &(xtq_code){.code = code, .target = m.sum, .signal = m.done}));
  memset(m.s.near, 1, 16);
  OK(xtq_put(
      m.s.ab,
      &(xtq_task){
          .function = true, .index = 5, .queue = 3, .payload = m.s.near, .payload_bytes = 16, .arg2 = 16, .arg3 = 4},
      &r));
  OK(toc_wait(r, 0));
  OK(xtq_signal_wait(m.s.b, m.done, 999, 0));
  CHECK(did.n == 1 && did.last.function && did.arg[3] == 4);
  EQ(*m.sum, 2 * 0x0101010101010101u);
  scene_close(&m.s);
}

// What the target does not know is refused by name, and nothing is enqueued; the connection goes on after it.
static void refused(void) {
  machine m;
  ran did = {0};
  uint64_t args[2] = {0};
  if (!machine_open(&m, NULL, NULL, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  OK(xtq_register_kernel(m.s.b, 1, &(xtq_code){.code = code, .target = m.sum}));
  const struct {
    xtq_task t;
    uint64_t why;
  } bad[] = {{{.index = 2, .queue = 3, .args = args, .args_bytes = 16}, NIC_WHY_BAD_INDEX},
             {{.index = 9999, .queue = 3, .args = args, .args_bytes = 16}, NIC_WHY_BAD_INDEX},
             {{.index = 1, .queue = 4, .args = args, .args_bytes = 16}, NIC_WHY_BAD_QUEUE},
             {{.index = 1, .queue = 3, .args = args, .args_bytes = 16, .process = 2}, NIC_WHY_BAD_PROCESS},
             {{.index = 1, .queue = 3}, NIC_WHY_BAD_LENGTH},
             {{.function = true, .index = 1, .queue = 3}, NIC_WHY_BAD_INDEX}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    toc_req r;
    toc_event e;
    OK(xtq_put(m.s.ab, &bad[i].t, &r));
    IS(toc_wait(r, 0), TOC_E_INVALID);
    OK(toc_event_next(m.s.b, &e, 0));
    EQ(e.kind, TOC_EVENT_REFUSED);
    EQ(e.value, bad[i].why);
    OK(toc_qp_resume(m.s.ab));
  }
  EQ(did.n, 0);
  toc_req r;
  OK(xtq_put(m.s.ab, &(xtq_task){.index = 1, .queue = 3, .args = args, .args_bytes = 16}, &r));
  OK(toc_wait(r, 0));
  for (unsigned i = 0; i < 100 && !did.n; i++) toc_progress(m.s.f);
  EQ(did.n, 1);
  /* and what the library itself refuses */
  IS(xtq_put(m.s.ab, &(xtq_task){.args = args, .args_bytes = 8}, &r), TOC_E_ARG);
  IS(xtq_put(m.s.ab, &(xtq_task){.payload = args, .payload_bytes = 16}, &r), TOC_E_RANGE);
  IS(xtq_register_kernel(m.s.b, 1, &(xtq_code){.code = code}), TOC_E_IN_USE);
  IS(xtq_register_kernel(m.s.b, 5000, &(xtq_code){.code = code}), TOC_E_ARG);
  IS(xtq_register_kernel(m.s.b, 2, &(xtq_code){.code = code, .target = args}), TOC_E_RANGE);
  IS(xtq_register_queue(m.s.b, 6, m.queue), TOC_E_IN_USE);
  IS(xtq_unregister_function(m.s.b, 1), TOC_E_ARG);
  OK(xtq_unregister_kernel(m.s.b, 1));
  IS(xtq_enqueue(m.queue, m.s.near), TOC_E_ARG);
  IS(xtq_feed_buffers(m.s.b, 1, 64), TOC_E_IN_USE);
  xtq_queue *q;
  IS(xtq_queue_open(m.s.b, &(xtq_queue_options){.packets = 3}, &q), TOC_E_ARG);
  toc_agent *a;
  IS(toc_agent_open(m.queue, false, &a), TOC_E_IN_USE);
  IS(xtq_post_buffer(m.s.b, m.sum, 100, 0, NULL), TOC_E_IN_USE);  // it would be taken for one that is fed
  IS(xtq_post_buffer(m.s.a, m.s.near, 100, 0, NULL), TOC_OK);
  IS(xtq_post_buffer(m.s.a, m.s.near + 1, 100, 0, NULL), TOC_E_ALIGN);
  scene_close(&m.s);
}

// A queue that nobody empties: the initiators are told to wait, and go on when there is room.
// Nothing is lost or doubled.
static void full_queue(void) {
  machine m;
  ran did = {0};
  toc_req r = {0};
  if (!machine_open(&m, NULL, &(xtq_queue_options){.packets = 4, .events = true}, false)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  OK(xtq_register_function(m.s.b, 0, &(xtq_code){.code = code, .target = m.sum}));
  memset(m.s.near, 0, 64);
  for (unsigned i = 0; i < 12; i++) {
    m.s.near[8 * i] = (uint8_t)(1 + i);
    xtq_task t = {.function = true, .queue = 3, .payload = m.s.near + 8 * i, .payload_bytes = 8, .arg2 = 8};
    OK(xtq_put(m.s.ab, &t, &r));
  }
  IS(toc_wait(r, 50), TOC_E_TIMEOUT);
  unsigned all = 0, n = 0;
  OK(toc_agent_run(m.agent, 1, &n));
  EQ(n, 1);
  for (unsigned turn = 0; all < 11 && turn < 20000; turn++, all += n) {
    OK(toc_agent_run(m.agent, 0, &n));
    CHECK(n <= 4);
    toc_progress(m.s.f);
  }
  EQ(all, 11);
  OK(toc_wait(r, 0));
  EQ(*m.sum, 78);
  toc_event e;
  unsigned tasks = 0;
  while (toc_event_next(m.s.b, &e, 1) == TOC_OK)
    if (e.kind == TOC_EVENT_TASK) EQ(e.value, tasks++);
  EQ(tasks, 12);
  scene_close(&m.s);
}

// No receive buffer, then one: the program posts it itself, and is told when it is used up.
static void own_buffers(void) {
  scene s;
  xtq_queue *q;
  toc_agent *a;
  ran did = {0};
  toc_req r;
  toc_event e;
  uint8_t *pool;
  uint32_t number;
  if (!scene_open(&s, NULL)) return;
  OK(xtq_queue_open(s.b, NULL, &q));
  OK(toc_agent_open(q, true, &a));
  OK(xtq_register_queue(s.b, 0, q));
  OK(xtq_register_function(s.b, 0, &(xtq_code){.code = toc_agent_code(a, add_up, &did)}));
  OK(toc_alloc(s.b, 8192, TOC_WRITE, (void **)&pool));
  xtq_task t = {.function = true, .payload = s.near, .payload_bytes = 1000};
  OK(xtq_put(s.ab, &t, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);  // refused for now
  OK(xtq_post_buffer(s.b, pool, 1024, 64, &number));
  EQ(number, 0);
  OK(toc_wait(r, 0));
  bool used = false;
  while (toc_event_next(s.b, &e, 10) == TOC_OK) used = used || (e.kind == TOC_EVENT_BUFFER && e.index == 0);
  CHECK(used);
  EQ(did.n, 1);
  CHECK((uint8_t *)did.last.payload == pool);
  OK(xtq_post_buffer(s.b, pool + 4096, 4096, 0, &number));
  EQ(number, 1);
  /* The process goes away with its buffer posted, which the NIC gives back: the next one has none. */
  toc_proc_close(s.b);
  OK(toc_proc_open(toc_node_at(s.f, 1), &s.b));
  OK(xtq_queue_open(s.b, NULL, &q));
  OK(toc_agent_open(q, true, &a));
  OK(xtq_register_queue(s.b, 0, q));
  did = (ran){0};
  OK(xtq_register_function(s.b, 0, &(xtq_code){.code = toc_agent_code(a, add_up, &did)}));
  OK(toc_connect(s.a, s.b, &s.ab, &s.ba));
  OK(xtq_put(s.ab, &t, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);
  OK(toc_alloc(s.b, 8192, TOC_WRITE, (void **)&pool));
  OK(xtq_post_buffer(s.b, pool, 4096, 0, &number));
  EQ(number, 0);
  OK(toc_wait(r, 0));
  for (unsigned i = 0; i < 100 && !did.n; i++) toc_progress(s.f);
  CHECK(did.n == 1 && (uint8_t *)did.last.payload == pool);
  while (toc_event_next(s.b, &e, 5) == TOC_OK) CHECK(e.kind != TOC_EVENT_FAULT);
  scene_close(&s);
}

// Two producers of one queue, barriers among the packets.
static void shared_queue(void) {
  machine m;
  ran did = {0};
  toc_req r;
  aql_signal *gate;
  if (!machine_open(&m, NULL, &(xtq_queue_options){.packets = 8, .multi = true}, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did), sig, gate_at;
  OK(xtq_register_function(m.s.b, 0, &(xtq_code){.code = code, .signal = m.done}));
  OK(xtq_signal_open(m.s.b, 1, &gate));
  OK(toc_iova(m.s.b, m.done, &sig));
  OK(toc_iova(m.s.b, gate, &gate_at));
  for (unsigned i = 0; i < 12; i++) {
    aql_agent own = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .return_address = code, .completion_signal = sig};
    OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .queue = 3}, &r));
    while (xtq_enqueue(m.queue, &own) == TOC_E_FULL) toc_progress(m.s.f);
    OK(toc_wait(r, 0));
  }
  OK(xtq_signal_wait(m.s.b, m.done, 1000 - 24, 0));
  EQ(did.n, 24);
  aql_barrier b = {.header = AQL_HEADER(AQL_BARRIER_AND), .dep_signal = {gate_at}, .completion_signal = sig};
  OK(xtq_enqueue(m.queue, &b));
  OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .queue = 3}, &r));
  OK(toc_wait(r, 0));
  IS(xtq_signal_wait(m.s.b, m.done, 1000 - 25, 5), TOC_E_TIMEOUT);  // behind the barrier
  gate->value = 0;
  OK(xtq_signal_wait(m.s.b, m.done, 1000 - 26, 0));
  EQ(did.n, 25);
  aql_agent odd = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .return_address = 12345};
  OK(xtq_enqueue(m.queue, &odd));
  IS(toc_agent_run(m.agent, 0, NULL), TOC_E_INVALID);
  scene_close(&m.s);
}

// Packets of the program's own, with addresses at the end of memory, or crooked: nothing beyond is read or written.
static void crooked(void) {
  machine m;
  ran did = {0};
  uint8_t *args, next[64];
  uint64_t args_at, sig;
  if (!machine_open(&m, NULL, &(xtq_queue_options){.multi = true}, false)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  OK(toc_alloc(m.s.b, 4096, TOC_READ | TOC_WRITE, (void **)&args));
  OK(toc_iova(m.s.b, args, &args_at));
  OK(toc_iova(m.s.b, m.done, &sig));
  memset(args, 0x11, 4096);
  memset(args + 4096 - 12, 0, 8); /* add_up's length */
  memset(args + 4096 - 4, 0x22, 4);
  memcpy(next, m.done, sizeof next);
  const aql_kernel k = {.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                        .setup = 1,
                        .kernel_object = code,
                        .kernarg_address = args_at + 4096 - 28,
                        .completion_signal = sig + 4};
  const aql_barrier b = {.header = AQL_HEADER(AQL_BARRIER_AND), .dep_signal = {sig + 4}, .completion_signal = sig + 1};
  OK(xtq_enqueue(m.queue, &k));
  OK(xtq_enqueue(m.queue, &b));
  OK(toc_agent_run(m.agent, 0, NULL));
  EQ(did.n, 1);
  EQ(did.arg[1], 0x1111111111111111);
  EQ(did.arg[2], 0);
  EQ(did.arg[3], 0); /* four bytes are no word */
  EQ(memcmp(next, m.done, sizeof next), 0);
  scene_close(&m.s);
}

// A memory access starts a task, with no program in between: a put fills the log, the log's task runs on the agent.
typedef struct log_worker {
  toc_log *log;
  unsigned tasks, records;
  uint64_t arg3;
} log_worker;
static void on_log(void *arg, const toc_call *c) {
  log_worker *w = arg;
  toc_access a;
  w->tasks++;
  w->arg3 = c->arg[3];
  while (toc_log_next(w->log, &a)) w->records++;
  OK(toc_log_release(w->log));
  OK(xtq_log_task_done(w->log));
}
static void log_task(void) {
  machine m;
  log_worker w = {0};
  if (!machine_open(&m, NULL, NULL, true)) return;
  OK(toc_log_open(m.s.b, &(toc_log_options){.notify = TOC_NOTIFY_TASK}, &w.log));
  OK(xtq_log_task(w.log, 3, toc_agent_code(m.agent, on_log, &w), 77));
  OK(toc_associate(m.s.b, m.s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = w.log}));
  for (unsigned i = 0; i < 40; i++) OK(toc_put(m.s.ab, m.s.near, m.s.there, 8, NULL));
  OK(toc_wait_all(m.s.ab, 0));
  for (unsigned i = 0; i < 1000 && w.records < 40; i++) toc_progress(m.s.f);
  EQ(w.records, 40);
  CHECK(w.tasks > 1 && w.tasks <= 40);
  EQ(w.arg3, 77);
  IS(xtq_log_task(w.log, 9, 1, 0), TOC_E_ARG);
  OK(toc_log_close(w.log));
  scene_close(&m.s);
}

// Taking things back: what is in use stays, what is gone is refused, and an index can be used again.
static void taken_back(void) {
  machine m;
  toc_req r;
  xtq_queue_view v;
  ran did = {0};
  void *page;
  toc_log *log;
  toc_remote flush;
  if (!machine_open(&m, NULL, NULL, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &did);
  xtq_task t = {.function = true, .queue = 3, .process = toc_proc_index(m.s.b)};
  OK(xtq_register_function(m.s.b, 0, &(xtq_code){.code = code, .signal = m.done}));
  IS(xtq_signal_close(m.s.b, m.done), TOC_E_IN_USE);
  OK(xtq_unregister_function(m.s.b, 0));
  OK(xtq_signal_close(m.s.b, m.done));
  OK(xtq_signal_close(m.s.b, NULL));
  IS(xtq_signal_close(m.s.b, (aql_signal *)(void *)m.s.far), TOC_E_RANGE);
  xtq_queue_see(m.queue, &v);
  IS(xtq_signal_close(m.s.b, v.ring), TOC_E_RANGE);
  toc_qp *q;
  OK(toc_connect(m.s.b, m.s.a, &q, NULL));  // has words where the signal was
  IS(xtq_signal_close(m.s.b, m.done), TOC_E_RANGE);
  OK(toc_log_open(m.s.a, &(toc_log_options){.automatic = true}, &log));
  OK(toc_flush_page(log, &flush));
  OK(toc_flush(q, flush, 0));
  OK(xtq_register_function(m.s.b, 0, &(xtq_code){.code = code}));
  OK(xtq_unregister_queue(m.s.b, 3));
  IS(xtq_unregister_queue(m.s.b, 3), TOC_E_ARG);
  OK(xtq_put(m.s.ab, &t, &r));
  IS(toc_wait(r, 0), TOC_E_INVALID);
  OK(toc_qp_resume(m.s.ab));
  OK(xtq_register_queue(m.s.b, 3, m.queue));
  OK(xtq_queue_close(m.queue));  // and its agent with it, out of the table
  OK(xtq_put(m.s.ab, &t, &r));
  IS(toc_wait(r, 0), TOC_E_INVALID);
  OK(toc_qp_resume(m.s.ab));
  OK(xtq_queue_open(m.s.b, &(xtq_queue_options){.packets = 1}, &m.queue));
  OK(toc_agent_open(m.queue, true, &m.agent));
  EQ(toc_agent_code(m.agent, add_up, &did), code);
  OK(xtq_register_queue(m.s.b, 3, m.queue));
  for (unsigned i = 0; i < 5; i++) OK(xtq_put(m.s.ab, &t, &r));  // a queue of one packet
  OK(toc_wait(r, 0));
  for (unsigned i = 0; i < 1000 && did.n < 5; i++) toc_progress(m.s.f);
  EQ(did.n, 5);
  xtq_queue_see(m.queue, &v);
  CHECK(v.packets == 1 && *v.read_index == 5 && *v.write_index == 5 && *v.doorbell == 4);
  OK(toc_alloc(m.s.a, 4096, TOC_WRITE, &page));
  toc_status s = TOC_OK;
  for (unsigned i = 0; i < 20 && s == TOC_OK; i++) s = xtq_post_buffer(m.s.a, page, 4096, 0, NULL);
  IS(s, TOC_E_FULL);
  IS(xtq_feed_buffers(m.s.a, 99, 4096), TOC_E_ARG);
  IS(xtq_feed_buffers(m.s.a, 1, 100), TOC_E_ARG);
  scene_close(&m.s);
}

// Many tasks of random sizes over a bad link: each runs once, in order, with its own bytes.
typedef struct stream {
  uint32_t next;
  unsigned bad;
} stream;
static uint8_t byte_of(uint32_t seq, uint32_t k) { return (uint8_t)(seq * 31 + k * 7); }
static void check_stream(void *arg, const toc_call *c) {
  stream *t = arg;
  const uint8_t *args = c->args, *pay = c->payload;
  uint32_t seq, nargs, npay;
  memcpy(&seq, args + 16, 4);
  memcpy(&nargs, args + 20, 4);
  memcpy(&npay, args + 24, 4);
  if (seq != t->next++) t->bad++;
  for (uint32_t k = 32; k < nargs; k++) t->bad += args[k] != byte_of(seq, k);
  for (uint32_t k = 0; k < npay; k++) t->bad += pay[k] != byte_of(seq, k + 1);
}
static void random_tasks(unsigned n, const toc_options *link) {
  enum { ROOM = 2048 };
  machine m;
  stream t = {0};
  uint64_t rng = seed + 11;
  if (!machine_open(&m, link, NULL, true)) return;
  OK(xtq_register_kernel(
      m.s.b, 7, &(xtq_code){.code = toc_agent_code(m.agent, check_stream, &t), .target = m.sum, .signal = m.done}));
  m.done->value = n;
  for (uint32_t i = 0; i < n && !failed; i++) {
    uint8_t args[1024], *pay = m.s.near + ROOM * (i % 8);
    uint32_t nargs = 32 + 16 * (scene_random(&rng) % 60), npay = scene_random(&rng) % 3 ? scene_random(&rng) % ROOM : 0;
    if (i >= 8 && i % 8 == 0) OK(toc_wait_all(m.s.ab, TOC_FOREVER));  // payload stays until then
    for (uint32_t k = 0; k < nargs; k++) args[k] = byte_of(i, k);
    for (uint32_t k = 0; k < npay; k++) pay[k] = byte_of(i, k + 1);
    memcpy(args + 16, &i, 4);
    memcpy(args + 20, &nargs, 4);
    memcpy(args + 24, &npay, 4);
    xtq_task k = {.index = 7, .queue = 3, .args = args, .args_bytes = nargs, .payload = pay, .payload_bytes = npay};
    OK(xtq_put(m.s.ab, &k, NULL));
  }
  OK(toc_wait_all(m.s.ab, TOC_FOREVER));
  OK(xtq_signal_wait(m.s.b, m.done, 0, 0));
  EQ(t.next, n);
  EQ(t.bad, 0);
  scene_close(&m.s);
}

/* The packet as the accelerator found it. */
typedef struct seen {
  unsigned n;
  uint8_t packet[64], args[32];
  uint64_t kernarg;
  toc_call last;
} seen;
static void look_at(void *arg, const toc_call *c) {
  seen *s = arg;
  s->n++;
  s->last = *c;
  memcpy(s->packet, c->packet, 64);
  if (c->args) memcpy(s->args, c->args, sizeof s->args);
}

static void one_more(machine *m, const xtq_task *t, seen *s) {
  toc_req r;
  const unsigned before = s->n;
  memset(s->packet, 0xff, 64);
  OK(xtq_put(m->s.ab, t, &r));
  OK(toc_wait(r, 0));
  for (unsigned i = 0; i < 1000 && s->n == before; i++) toc_progress(m->s.f);
  EQ(s->n, before + 1);
}

/* Frames with 8 bytes that must not be in any. */
enum { SECRET = 0x5ec2e7 };
static const uint64_t secret = SECRET * 0x100000001ull;
static unsigned leaks;
static void leak(void *ctx, const toc_seen *e) {
  (void)ctx;
  for (size_t i = 0; e->kind == TOC_SEEN_FRAME && i + 8 <= e->bytes; i++) leaks += !memcmp(e->data + i, &secret, 8);
}

static void own_agent_packets(machine *m, uint64_t code, uint64_t signal, seen *f) {
  for (unsigned has = 0; has < 2; has++) {
    aql_agent p = {.header = AQL_HEADER_OF(AQL_AGENT_DISPATCH, AQL_FENCE_AGENT, AQL_FENCE_NONE) | AQL_BARRIER,
                   .type = 0x8123,
                   .return_address = secret,
                   .arg = {0x5555, 0x6666, 0x7777, 0x8888},
                   .reserved2 = secret,
                   .completion_signal = secret};
    one_more(m, &(xtq_task){.index = has ? 4 : 5, .queue = 3, .payload = m->s.near, .payload_bytes = 8, .packet = &p},
             f);
    aql_agent got;
    memcpy(&got, f->packet, 64);
    CHECK(f->last.function && f->last.payload && (f->last.target == m->sum) == has);
    CHECK(has ? got.arg[0] != 0x5555 : got.arg[0] == 0x5555);
    CHECK(got.arg[1] != 0 && got.arg[1] != 0x6666);
    p.return_address = code, p.reserved2 = 0, p.completion_signal = has ? signal : 0;
    p.arg[0] = got.arg[0], p.arg[1] = got.arg[1];
    CHECK(!memcmp(&p, &got, 64));
  }
}

// A packet of one's own: what it says arrives, bit for bit, but for what is the target's to say.
static void own_packet(void) {
  machine m;
  seen k = {0}, f = {0};
  uint64_t args[4] = {0x1111, 0x2222, 0x3333, 0x4444}, signal;
  if (!machine_open(&m, NULL, NULL, true)) return;
  const uint64_t kc = toc_agent_code(m.agent, look_at, &k), fc = toc_agent_code(m.agent, look_at, &f);
  OK(xtq_register_kernel(m.s.b, 1, &(xtq_code){.code = kc, .target = m.sum, .signal = m.done}));
  OK(xtq_register_kernel(m.s.b, 2, &(xtq_code){.code = kc}));
  OK(xtq_register_function(m.s.b, 4, &(xtq_code){.code = fc, .target = m.sum, .signal = m.done}));
  OK(xtq_register_function(m.s.b, 5, &(xtq_code){.code = fc}));
  OK(toc_iova(m.s.b, m.done, &signal));
  toc_listen(m.s.f, leak, NULL);
  for (unsigned scope = 0; scope < 9; scope++)
    for (unsigned barrier = 0; barrier < 2; barrier++) {
      const unsigned acquire = scope % 3, release = scope / 3;
      aql_kernel p = {
          .header = (uint16_t)(AQL_HEADER_OF(AQL_KERNEL_DISPATCH, acquire, release) | barrier * AQL_BARRIER),
          .setup = 3,
          .workgroup_size_x = 64,
          .workgroup_size_y = 2,
          .workgroup_size_z = 3,
          .grid_size_x = 4096,
          .grid_size_y = 70000,
          .grid_size_z = 5,
          .private_segment_size = 48,
          .group_segment_size = 1024,
          .kernel_object = secret,
          .kernarg_address = secret,
          .reserved2 = secret,
          .completion_signal = secret};
      const bool has = !(scope & 1);
      one_more(&m,
               &(xtq_task){.index = has ? 1 : 2,
                           .queue = 3,
                           .args = args,
                           .args_bytes = 32,
                           .payload = m.s.near,
                           .payload_bytes = barrier ? 8 : 0,
                           .packet = &p},
               &k);
      aql_kernel got;
      memcpy(&got, k.packet, 64);
      CHECK(got.kernarg_address != 0 && got.kernarg_address != secret);
      p.kernel_object = kc, p.kernarg_address = got.kernarg_address, p.reserved2 = 0;
      p.completion_signal = has ? signal : 0;
      CHECK(!memcmp(&p, &got, 64));
      uint64_t told[4];
      memcpy(told, k.args, sizeof told);
      CHECK(has ? told[0] != 0x1111 && k.last.target == m.sum : told[0] == 0x1111 && !k.last.target);
      CHECK(barrier ? told[1] == got.kernarg_address + 32 && k.last.payload == (uint8_t *)k.last.args + 32
                    : told[1] == 0 && !k.last.payload);
      CHECK(told[2] == 0x3333 && told[3] == 0x4444);
    }
  EQ(m.done->value, 1000 - 10);
  own_agent_packets(&m, fc, signal, &f);
  EQ(leaks, 0);  // the wire has not seen what is not the sender's to say
  const aql_kernel sees = {.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                           .setup = 1,
                           .workgroup_size_x = 1,
                           .workgroup_size_y = 1,
                           .workgroup_size_z = 1,
                           .grid_size_x = 1,
                           .grid_size_y = 1,
                           .grid_size_z = 1};
  args[3] = secret;
  one_more(&m, &(xtq_task){.index = 1, .queue = 3, .args = args, .args_bytes = 32, .packet = &sees}, &k);
  EQ(leaks, 1);  // and would have been heard
  scene_close(&m.s);
}

// What the target or its accelerator would refuse does not leave.
static void bad_packet(void) {
  machine m;
  if (!machine_open(&m, NULL, NULL, true)) return;
  const struct {
    unsigned at, bytes;
    uint64_t value;
    const char *why;
  } bad[] = {{0, 1, AQL_VENDOR, "type 0"},
             {0, 1, AQL_INVALID, "invalid packet"},
             {0, 1, AQL_BARRIER_AND, "barrier"},
             {0, 1, AQL_BARRIER_OR, "barrier"},
             {0, 1, 6, "type 6"},
             {0, 1, 255, "type 255"},
             {1, 1, 0x34, "bits 15:13"},
             {1, 1, 0x94, "bits 15:13"},
             {1, 1, 0x16, "scope 3"},
             {1, 1, 0x1c, "scope 3"},
             {2, 2, 0, "setup"},
             {2, 2, 4, "setup"},
             {2, 2, 0x101, "setup"},
             {10, 2, 1, "reserved0"},
             {4, 2, 0, "workgroup_size_x"},
             {6, 2, 0, "workgroup_size_y"},
             {8, 2, 0, "workgroup_size_z"},
             {12, 4, 0, "grid_size_x"},
             {16, 4, 0, "grid_size_y"},
             {20, 4, 0, "grid_size_z"},
             {6, 2, 2, "along y"},
             {20, 4, 7, "along z"}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint8_t b[64] = {AQL_KERNEL_DISPATCH, 0x14, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    toc_req r;
    for (unsigned k = 0; k < bad[i].bytes; k++) b[bad[i].at + k] = (uint8_t)(bad[i].value >> 8 * k);
    IS(xtq_put(m.s.ab, &(xtq_task){.queue = 3, .packet = b}, &r), TOC_E_ARG);
    CHECK(strstr(toc_why(), bad[i].why));
  }
  aql_agent a = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .reserved0 = 1};
  IS(xtq_put(m.s.ab, &(xtq_task){.queue = 3, .packet = &a}, NULL), TOC_E_ARG);
  OK(toc_wait_all(m.s.ab, 0));
  uint64_t sent;
  OK(toc_count_nic(toc_node_at(m.s.f, 0), 18, &sent));
  EQ(sent, 0);
  scene_close(&m.s);
}

// A payload without arguments: the kernel is told where it is all the same.
static void bare_payload(void) {
  machine m;
  seen k = {0};
  if (!machine_open(&m, NULL, NULL, true)) return;
  OK(xtq_register_kernel(m.s.b, 1, &(xtq_code){.code = toc_agent_code(m.agent, look_at, &k)}));
  memset(m.s.near, 0x77, 40);
  one_more(&m, &(xtq_task){.index = 1, .queue = 3, .payload = m.s.near, .payload_bytes = 40}, &k);
  CHECK(k.last.payload == (uint8_t *)k.last.args + 16 && k.last.arg[0] == 0);
  CHECK(k.last.payload && !memcmp(k.last.payload, m.s.near, 40));
  one_more(&m, &(xtq_task){.index = 1, .queue = 3}, &k);
  CHECK(!k.last.payload && !k.last.args);
  scene_close(&m.s);
}

/* A queue as an HSA runtime lays it out: amd_queue_t, ring and signal where it likes. */
typedef struct foreign {
  aql_queue *q;
  aql_signal *bell;
  volatile uint64_t *reg; /* the doorbell's register */
  uint8_t *ring;
  uint8_t *page;
} foreign;

static void foreign_make(foreign *f, toc_proc *p, unsigned type, unsigned packets, uint64_t index, bool reg) {
  void *ring, *page;
  memset(f, 0, sizeof *f);
  OK(toc_alloc(p, 8192, TOC_READ | TOC_WRITE, &ring));
  OK(toc_alloc(p, 4096, TOC_READ | TOC_WRITE, &page));
  f->page = page;
  f->ring = (uint8_t *)ring + 4096 - 64;  // aligned to 64, no more
  f->q = (aql_queue *)(void *)(f->page + 192);
  f->bell = (aql_signal *)(void *)(f->page + 1024);
  f->reg = reg ? (volatile uint64_t *)(void *)(f->page + 2048 + 8) : (volatile uint64_t *)&f->bell->value;
  memset(f->page, 0xa5, 4096);
  memset(f->ring, 0xa5, 64 * packets);
  for (unsigned i = 0; i < packets; i++) f->ring[64 * i] = AQL_INVALID, f->ring[64 * i + 1] = 0;
  *f->bell = (aql_signal){.kind = reg ? AQL_SIGNAL_DOORBELL : AQL_SIGNAL_USER};
  if (reg) f->bell->value = (int64_t)(uintptr_t)f->reg;
  toc_store(f->reg, index - 1);
  f->q->type = type;
  f->q->features = 3;
  f->q->base_address = (uint64_t)(uintptr_t)f->ring;
  f->q->doorbell_signal = (uint64_t)(uintptr_t)f->bell;
  f->q->size = packets;
  toc_store(&f->q->write_dispatch_id, index);
  toc_store(&f->q->read_dispatch_id, index);
}

/* Its packet processor: the next packet, as HSA says, or false. */
static bool foreign_next(foreign *f, uint8_t packet[64]) {
  const uint64_t read = toc_load(&f->q->read_dispatch_id);
  uint8_t *slot = f->ring + 64 * (read & (f->q->size - 1));
  uint32_t head = __atomic_load_n((uint32_t *)(void *)slot, __ATOMIC_ACQUIRE);
  if ((head & 0xff) == AQL_INVALID) return false;
  memcpy(packet, slot, 64);
  __atomic_store_n((uint32_t *)(void *)slot, AQL_INVALID, __ATOMIC_RELEASE);
  toc_store(&f->q->read_dispatch_id, read + 1);
  return true;
}

/* The program's own packet, as hsa.h has it: fetch-add, wait for room, body, header, doorbell. */
static void foreign_put(foreign *f, uint64_t mark) {
  uint64_t w = __atomic_fetch_add(&f->q->write_dispatch_id, 1, __ATOMIC_SEQ_CST);
  aql_agent a = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .arg = {0, 0, mark, 0}};
  uint8_t *slot = f->ring + 64 * (w & (f->q->size - 1));
  CHECK(w - toc_load(&f->q->read_dispatch_id) < f->q->size);
  memcpy(slot + 4, (uint8_t *)&a + 4, 60);
  __atomic_store_n((uint32_t *)(void *)slot, *(uint32_t *)(void *)&a, __ATOMIC_RELEASE);
  toc_store(f->reg, w);
}

static void others_queue(bool multi, bool reg) {
  enum { AT = 1021, SIZE = 8, CODE = 0xc0de };
  machine m;
  foreign f;
  xtq_queue *q;
  xtq_queue_view v;
  xtq_queue_options o;
  toc_req r[2 * SIZE];
  if (!machine_open(&m, NULL, NULL, true)) return;
  foreign_make(&f, m.s.b, multi ? AQL_QUEUE_MULTI : AQL_QUEUE_SINGLE, SIZE, AT, reg);
  OK(xtq_queue_of_hsa(f.q, &v, &o));
  CHECK(v.ring == f.ring && v.packets == SIZE && v.doorbell == f.reg && o.multi == multi);
  CHECK(v.write_index == &f.q->write_dispatch_id && v.read_index == &f.q->read_dispatch_id);
  OK(xtq_queue_adopt(m.s.b, &v, &o, &q));
  OK(xtq_register_queue(m.s.b, 7, q));
  OK(xtq_register_function(m.s.b, 0, &(xtq_code){.code = CODE}));
  uint64_t mark = 0, next = 0;
  uint8_t packet[64];
  for (unsigned turn = 0; turn < 5; turn++) {
    for (unsigned i = 0; i < 3; i++) {
      OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .queue = 7, .arg2 = mark++}, &r[0]));
      OK(toc_wait(r[0], 0));
      for (unsigned k = 0; k < 1000 && toc_load(f.reg) != AT + mark - 1; k++) toc_progress(m.s.f);
      EQ(toc_load(f.reg), AT + mark - 1);
      if (multi) foreign_put(&f, mark++);
    }
    EQ(toc_load(&f.q->write_dispatch_id), AT + mark);
    while (foreign_next(&f, packet)) {
      aql_agent a;
      memcpy(&a, packet, 64);
      EQ(a.arg[2], next++);
      CHECK(a.header == AQL_HEADER(AQL_AGENT_DISPATCH));
    }
    EQ(next, mark);
  }
  /* full: refused for now, and none is lost or written over */
  for (unsigned i = 0; i < 2 * SIZE; i++)
    OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .queue = 7, .arg2 = mark + i}, &r[i]));
  IS(toc_wait(r[2 * SIZE - 1], 50), TOC_E_TIMEOUT);
  EQ(toc_load(&f.q->write_dispatch_id) - toc_load(&f.q->read_dispatch_id), SIZE);
  for (unsigned i = 0; i < 20000 && next < mark + 2 * SIZE; i++) {
    if (foreign_next(&f, packet)) EQ(((aql_agent *)(void *)packet)->arg[2], next++);
    toc_progress(m.s.f);
  }
  OK(toc_wait(r[2 * SIZE - 1], 0));
  EQ(next, mark + 2 * SIZE);
  /* nothing else of the runtime's structures has changed */
  for (unsigned i = 0; i < 4096; i++) {
    const uint8_t *b = f.page + i;
    bool ours = (b >= (uint8_t *)f.q && b < (uint8_t *)f.q + 40) ||
                (b >= (uint8_t *)f.bell && b < (uint8_t *)(f.bell + 1)) ||
                (b >= (uint8_t *)(uintptr_t)f.reg && b < (uint8_t *)(uintptr_t)(f.reg + 1));
    ours = ours || (b >= (uint8_t *)(uintptr_t)v.write_index && b < (uint8_t *)(uintptr_t)(v.write_index + 1)) ||
           (b >= (uint8_t *)(uintptr_t)v.read_index && b < (uint8_t *)(uintptr_t)(v.read_index + 1));
    if (!ours && *b != 0xa5) failed++, printf("byte %u of the page is %02x\n", i, *b);
  }
  /* an agent of ours may serve it as well */
  ran did = {0};
  toc_agent *agent;
  OK(toc_agent_open(q, true, &agent));
  OK(xtq_register_function(
      m.s.b, 1, &(xtq_code){.code = toc_agent_code(agent, add_up, &did), .target = m.sum, .signal = m.done}));
  OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .index = 1, .queue = 7}, &r[0]));
  OK(toc_wait(r[0], 0));
  OK(xtq_signal_wait(m.s.b, m.done, 999, 0));
  EQ(did.n, 1);
  aql_agent own = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .return_address = toc_agent_code(agent, add_up, &did)};
  IS(xtq_enqueue(q, &own), multi ? TOC_OK : TOC_E_ARG);
  /* taken back: its memory is the runtime's again, and the number is free */
  IS(toc_free(m.s.b, f.page), TOC_E_IN_USE);
  CHECK(strstr(toc_why(), "xtq_queue_close"));
  OK(xtq_queue_close(q));
  OK(xtq_put(m.s.ab, &(xtq_task){.function = true, .queue = 7}, &r[0]));
  IS(toc_wait(r[0], 0), TOC_E_INVALID);
  OK(toc_free(m.s.b, f.page));
  scene_close(&m.s);
}

// Queues that cannot be served are refused by name.
static void odd_queues(void) {
  machine m;
  foreign f;
  xtq_queue *q, *again;
  xtq_queue_view v, good;
  xtq_queue_options o;
  if (!machine_open(&m, NULL, NULL, true)) return;
  foreign_make(&f, m.s.b, AQL_QUEUE_SINGLE, 4, 0, false);
  OK(xtq_queue_of_hsa(f.q, &good, &o));
#define ODD(change, want, text)                     \
  do {                                              \
    v = good;                                       \
    change;                                         \
    IS(xtq_queue_adopt(m.s.b, &v, NULL, &q), want); \
    CHECK(!q && strstr(toc_why(), text));           \
  } while (0)
  uint64_t elsewhere[4] = {0};
  ODD(v.read_index++, TOC_E_SUPPORT, "72 bytes");
  ODD(v.read_index = v.write_index - 9, TOC_E_SUPPORT, "-72");
  ODD(v.ring = f.ring + 32, TOC_E_ALIGN, "64");
  ODD(v.doorbell = (volatile uint64_t *)(void *)(f.page + 2052), TOC_E_ALIGN, "8 bytes");
  ODD(v.doorbell = v.write_index, TOC_E_ARG, "three words");
  ODD(v.doorbell = (volatile uint64_t *)(void *)(f.ring + 64), TOC_E_ARG, "in the ring");
  ODD(v.doorbell = elsewhere, TOC_E_RANGE, "not in memory");
  ODD(v.read_index = elsewhere, TOC_E_RANGE, "not in memory");
  ODD(v.packets = 5, TOC_E_ARG, "power of two");
  ODD(v.packets = 1 << 17, TOC_E_ARG, "power of two");
  ODD(v.packets = 128, TOC_E_RANGE, "not in memory");
  ODD(v.ring = NULL, TOC_E_ARG, "v->ring");
  IS(xtq_queue_adopt(m.s.b, &good, &(xtq_queue_options){.packets = 8}, &q), TOC_E_ARG);
  IS(xtq_queue_adopt(m.s.a, &good, NULL, &q), TOC_E_RANGE);
  OK(xtq_queue_adopt(m.s.b, &good, &o, &q));
  IS(xtq_queue_adopt(m.s.b, &good, &o, &again), TOC_E_IN_USE);
  IS(xtq_register_queue(m.s.a, 0, q), TOC_E_ARG);
  f.q->type = 2;
  IS(xtq_queue_of_hsa(f.q, &v, &o), TOC_E_SUPPORT);
  f.q->type = AQL_QUEUE_SINGLE;
  f.bell->kind = AQL_SIGNAL_DOORBELL_32;
  IS(xtq_queue_of_hsa(f.q, &v, &o), TOC_E_SUPPORT);
  f.q->doorbell_signal = 0;
  IS(xtq_queue_of_hsa(f.q, &v, &o), TOC_E_ARG);
  toc_proc_close(m.s.b);  // with the queue adopted
  IS(xtq_queue_close(q), TOC_E_CLOSED);
  scene_close(&m.s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  kernel();
  function();
  refused();
  full_queue();
  own_buffers();
  shared_queue();
  crooked();
  log_task();
  taken_back();
  own_packet();
  bad_packet();
  bare_payload();
  for (unsigned how = 0; how < 4; how++) others_queue(how & 1, how & 2);
  odd_queues();
  random_tasks(scene_few(200), NULL);
  if (!slow) random_tasks(400, &(toc_options){.drop = 10, .twice = 10, .swap = 10, .bend = 10});
  return report();
}
