// SPDX-License-Identifier: Apache-2.0
// Who waits leaves the others free: flushes of several threads beside the one that reads the log, handlers and kernels
// that wait, that need another thread, that never end. Nothing depends on how fast the machine is: where a time-out is
// not what is tested, there is none.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "internal.h"
#include "scene.h"
#include "tocsin/agent.h"

enum { FLUSHERS = 3, LONGER_MS = 200 /* than 20 ms of simulated time, if that is held back */ };

// ---- flushes of several threads; another one reads the log, which is not automatic
typedef struct flusher {
  pthread_t thread;
  toc_qp *qp;
  uint8_t *near;
  toc_remote far, page;
  const uint64_t *handled;  // of this flusher
  unsigned rounds;
  toc_status bad;
  bool early;
} flusher;

typedef struct shared_log {
  toc_log *log;
  uint64_t base, handled[FLUSHERS];
  uint64_t stop;
  toc_status bad;
} shared_log;

static void count(void *arg, const toc_access *a) {
  shared_log *l = arg;
  uint64_t *n = &l->handled[(a->addr - l->base) / 1024];
  toc_store(n, toc_load(n) + 1);
}

static void *read_log(void *arg) {
  shared_log *l = arg;
  while (!toc_load(&l->stop) && !l->bad) {
    toc_status s = toc_log_wait(l->log, 100);
    if (s == TOC_OK) s = toc_log_run(l->log, 3);
    if (s != TOC_E_TIMEOUT) l->bad = s;
  }
  return NULL;
}

static void *put_and_flush(void *arg) {
  flusher *w = arg;
  for (unsigned i = 1; i <= w->rounds && !w->bad; i++) {
    if ((w->bad = toc_put(w->qp, w->near, w->far, 8, NULL)) != TOC_OK) break;
    w->bad = toc_flush(w->qp, w->page, TOC_FOREVER);
    w->early |= !w->bad && toc_load(w->handled) < i;
  }
  return NULL;
}

static void flushes(bool one_connection) {
  scene s;
  shared_log l = {0};
  flusher w[FLUSHERS];
  pthread_t reader;
  toc_remote page;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 256}, &l.log));
  OK(toc_flush_page(l.log, &page));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = l.log, .handler = count, .arg = &l}));
  l.base = s.there.addr;
  for (unsigned i = 0; i < FLUSHERS; i++) {
    w[i] = (flusher){.qp = s.ab, .near = s.near + 64 * i, .far = toc_at(s.there, 1024 * i), .page = page};
    w[i].handled = &l.handled[i];
    w[i].rounds = scene_few(40);
    if (!one_connection && i) OK(toc_connect(s.a, s.b, &w[i].qp, NULL));
  }
  EQ(pthread_create(&reader, NULL, read_log, &l), 0);
  for (unsigned i = 0; i < FLUSHERS; i++) EQ(pthread_create(&w[i].thread, NULL, put_and_flush, &w[i]), 0);
  for (unsigned i = 0; i < FLUSHERS; i++) {
    EQ(pthread_join(w[i].thread, NULL), 0);
    IS(w[i].bad, TOC_OK);
    CHECK(!w[i].early);
    EQ(l.handled[i], w[i].rounds);
  }
  toc_store(&l.stop, 1);
  EQ(pthread_join(reader, NULL), 0);
  IS(l.bad, TOC_OK);
  scene_close(&s);
}

// Flushes of two logs over one connection: what one is told is not what the other one is told.
static void *flush_the_read(void *arg) {
  flusher *w = arg;
  while (!w->bad && !toc_load(w->handled)) w->bad = toc_flush(w->qp, w->page, TOC_FOREVER);
  return NULL;
}

static void flushes_of_two_logs(void) {
  scene s;
  toc_log *unread, *other;
  toc_remote page;
  flusher w = {0};
  uint64_t stop = 0;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &unread));
  OK(toc_log_open(s.b, NULL, &other));
  OK(toc_flush_page(unread, &page));
  OK(toc_flush_page(other, &w.page));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = unread}));
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  w.qp = s.ab;
  w.handled = &stop;
  EQ(pthread_create(&w.thread, NULL, flush_the_read, &w), 0);
  for (unsigned i = 0; i < scene_few(30); i++) {
    toc_status st = toc_flush(s.ab, page, slow ? 100 : 5000);
    CHECK(st == TOC_E_NOT_DONE || st == TOC_E_TIMEOUT);
  }
  toc_store(&stop, 1);
  EQ(pthread_join(w.thread, NULL), 0);
  IS(w.bad, TOC_OK);
  scene_close(&s);
}

// ---- code of the program that does not come back, until the test lets it
typedef struct gate {
  sem_t open;
  uint64_t in;  // 1: it is inside
} gate;

static void gate_init(gate *g) {
  EQ(sem_init(&g->open, 0, 0), 0);
  g->in = 0;
}

static void pass(gate *g) {
  toc_store(&g->in, 1);
  while (sem_wait(&g->open)) {
  }
  toc_store(&g->in, 0);
}

static void stuck_kernel(void *arg, const toc_call *c) {
  (void)c;
  pass(arg);
}

static void stuck_handler(void *arg, const toc_access *a) {
  (void)a;
  pass(arg);
}

typedef struct waiter {
  pthread_t thread;
  toc_agent *agent;
  toc_log *log;
  toc_status got;
} waiter;

static void *run_agent(void *arg) {
  waiter *w = arg;
  w->got = toc_agent_run(w->agent, 0, NULL);
  return NULL;
}

// A kernel that never ends, in the library's thread (automatic) or in one of the program's. Whoever waits for its
// signal is told by the time-out, and why; everybody else goes on; what it still needs is not taken away.
static void kernel_never_ends(bool automatic) {
  scene s;
  gate g;
  waiter w = {0};
  xtq_queue *queue;
  aql_signal *done;
  toc_req r;
  gate_init(&g);
  if (!scene_open(&s, &(toc_options){.patience_ms = 300})) return;
  OK(xtq_queue_open(s.b, NULL, &queue));
  OK(toc_agent_open(queue, automatic, &w.agent));
  OK(xtq_register_queue(s.b, 0, queue));
  OK(xtq_feed_buffers(s.b, 4, 4096));
  OK(xtq_signal_open(s.b, 1, &done));
  OK(xtq_register_function(s.b, 0, &(xtq_code){.code = toc_agent_code(w.agent, stuck_kernel, &g), .signal = done}));
  OK(xtq_put(s.ab, &(xtq_task){.function = true}, &r));
  OK(toc_wait(r, TOC_FOREVER));
  if (!automatic) {
    EQ(pthread_create(&w.thread, NULL, run_agent, &w), 0);
    OK(toc_wait_word(s.f, &g.in, 1, 1, TOC_FOREVER));
  }
  IS(xtq_signal_wait(s.b, done, 0, slow ? 100 : 5000), TOC_E_TIMEOUT);
  CHECK(strstr(toc_why(), "a kernel of process 0 of node 1 has been running for"));
  EQ(toc_load(&g.in), 1);
  uint64_t ms = toc_i_clock_ms(); /* while it runs, simulated time does not run ahead of the clock */
  IS(xtq_signal_wait(s.b, done, 0, slow ? 100 : 20000), TOC_E_TIMEOUT);
  CHECK(slow || toc_i_clock_ms() - ms >= LONGER_MS);
  s.near[0] = 7;
  OK(toc_put(s.ab, s.near, s.there, 1, &r));
  OK(toc_wait(r, TOC_FOREVER));
  EQ(s.far[0], 7);
  IS(xtq_queue_close(queue), TOC_E_TIMEOUT);
  toc_proc_close(s.b);  // not while it runs
  CHECK(strstr(toc_why(), "toc_proc_close"));
  toc_close(s.f);
  EQ(toc_load(&g.in), 1);
  sem_post(&g.open);
  OK(xtq_signal_wait(s.b, done, 0, TOC_FOREVER));
  if (!automatic) {
    EQ(pthread_join(w.thread, NULL), 0);
    IS(w.got, TOC_OK);
  }
  OK(xtq_queue_close(queue));
  scene_close(&s);
  sem_destroy(&g.open);
}

static void *run_log(void *arg) {
  waiter *w = arg;
  w->got = toc_log_run(w->log, 0);
  return NULL;
}

// The same of a handler, and of what its pages say: a rule is not changed under it, a log not closed.
static void handler_never_ends(bool automatic) {
  scene s;
  gate g;
  waiter w = {0};
  toc_remote page;
  toc_req r;
  gate_init(&g);
  if (!scene_open(&s, &(toc_options){.patience_ms = 300})) return;
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = automatic}, &w.log));
  OK(toc_flush_page(w.log, &page));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = w.log, .handler = stuck_handler, .arg = &g}));
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  if (!automatic) {
    OK(toc_log_wait(w.log, TOC_FOREVER));
    EQ(pthread_create(&w.thread, NULL, run_log, &w), 0);
  }
  OK(toc_wait_word(s.f, &g.in, 1, 1, TOC_FOREVER));
  toc_status st_flush = toc_flush(s.ab, page, slow ? 200 : 10000);
  CHECK(st_flush == TOC_E_NOT_DONE || (slow && st_flush == TOC_E_TIMEOUT));
  IS(toc_event_next(s.b, &(toc_event){0}, 100), TOC_E_TIMEOUT);
  CHECK(strstr(toc_why(), "a handler of log 0 of node 1 has been running for"));
  OK(toc_log_release(w.log));  // gives nothing back that the handler has in its hands
  toc_log_state st;
  OK(toc_log_inspect(w.log, &st));
  CHECK(st.producer - st.consumer == 32);
  IS(toc_dissociate(s.b, s.there.addr, 4096), TOC_E_TIMEOUT);
  IS(toc_log_close(w.log), TOC_E_TIMEOUT);
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  OK(toc_wait(r, TOC_FOREVER));
  sem_post(&g.open);
  if (!automatic) {
    EQ(pthread_join(w.thread, NULL), 0);
    IS(w.got, TOC_OK);
  }
  OK(toc_flush(s.ab, page, TOC_FOREVER));
  OK(toc_log_close(w.log));
  scene_close(&s);
  sem_destroy(&g.open);
}

// ---- handlers that need what other threads do
typedef struct pair {
  uint64_t seen, go;
  toc_log *log;
  toc_status inner;
} pair;

static void needs_the_other(void *arg, const toc_access *a) {
  pair *p = arg;
  (void)a;
  toc_store(&p->seen, 1);
  while (!toc_load(&p->go)) sched_yield();
}

static void *waits(void *arg) {
  pair *p = arg;
  p->inner = toc_log_wait(p->log, TOC_FOREVER);
  if (p->inner == TOC_OK) p->inner = toc_log_run(p->log, 0);
  return NULL;
}

// A handler that waits, in plain C, for what this thread does with the same fabric: it would wait for ever
// if it held the lock.
static void handler_waits_for_a_thread(bool automatic) {
  scene s;
  pair p = {0};
  pthread_t t;
  toc_req r;
  if (!scene_open(&s, &(toc_options){.patience_ms = 300})) return;
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = automatic}, &p.log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = p.log, .handler = needs_the_other, .arg = &p}));
  if (!automatic) EQ(pthread_create(&t, NULL, waits, &p), 0);
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  OK(toc_wait_word(s.f, &p.seen, 1, 1, TOC_FOREVER));
  s.near[8] = 9;
  OK(toc_put(s.ab, s.near + 8, toc_at(s.there, 4096), 8, &r));
  OK(toc_wait(r, TOC_FOREVER));
  EQ(s.far[4096], 9);
  toc_store(&p.go, 1);
  if (!automatic) EQ(pthread_join(t, NULL), 0);
  IS(p.inner, TOC_OK);
  scene_close(&s);
}

// Another thread was here a moment ago: it may come back, so an idle wait is not over at once.
static void *look_in(void *arg) {
  (void)toc_now(arg);
  return NULL;
}

static void others_have_time(void) {
  scene s;
  pthread_t t;
  toc_event e;
  if (!scene_open(&s, NULL)) return;
  EQ(pthread_create(&t, NULL, look_in, s.f), 0);
  EQ(pthread_join(t, NULL), 0);
  uint64_t ms = toc_i_clock_ms();
  IS(toc_event_next(s.b, &e, 20000), TOC_E_TIMEOUT);
  CHECK(toc_i_clock_ms() - ms >= LONGER_MS);
  scene_close(&s);
}

// ---- what a handler may not close: that which waits for it, also over another handler
typedef struct nest {
  scene s;
  toc_log *outer, *inner;
  toc_status put, close;
  unsigned refused;
} nest;

static void in_the_inner(void *arg, const toc_access *a) {
  nest *n = arg;
  (void)a;
  n->close = toc_log_close(n->outer);  // its handler waits until we are done
  toc_proc_close(n->s.b);
  n->refused += strstr(toc_why(), "toc_proc_close") != NULL;
  toc_close(n->s.f);
  n->refused += strstr(toc_why(), "toc_close") != NULL;
}

static void in_the_outer(void *arg, const toc_access *a) {
  nest *n = arg;
  toc_remote flush;
  (void)a;
  n->put = toc_put(n->s.ab, n->s.near, toc_at(n->s.there, 4096), 8, NULL);
  if (n->put == TOC_OK) n->put = toc_flush_page(n->inner, &flush);
  if (n->put == TOC_OK) n->put = toc_flush(n->s.ab, flush, TOC_FOREVER);
}

static void closed_from_within(void) {
  nest n = {.put = TOC_E_COUNT, .close = TOC_E_COUNT};
  toc_remote flush;
  scene *s = &n.s;
  if (!scene_open(s, NULL)) return;
  OK(toc_log_open(s->b, &(toc_log_options){.automatic = true}, &n.outer));
  OK(toc_log_open(s->b, &(toc_log_options){.automatic = true}, &n.inner));
  OK(toc_flush_page(n.outer, &flush));
  OK(toc_associate(s->b, s->far, 4096,
                   &(toc_rule){.put = TOC_LOG, .log = n.outer, .handler = in_the_outer, .arg = &n}));
  OK(toc_associate(s->b, s->far + 4096, 4096,
                   &(toc_rule){.put = TOC_LOG, .log = n.inner, .handler = in_the_inner, .arg = &n}));
  OK(toc_put(s->ab, s->near, s->there, 8, NULL));
  OK(toc_flush(s->ab, flush, TOC_FOREVER));
  IS(n.put, TOC_OK);
  IS(n.close, TOC_E_IN_USE);
  EQ(n.refused, 2);
  scene_close(s);
}

static void close_the_agent(void *arg, const toc_call *c) {
  toc_agent **a = arg;
  (void)c;
  toc_agent_close(*a);
}

static void agent_closed_from_within(void) {
  scene s;
  xtq_queue *queue;
  toc_agent *agent;
  aql_signal *done;
  if (!scene_open(&s, NULL)) return;
  OK(xtq_queue_open(s.b, NULL, &queue));
  OK(toc_agent_open(queue, true, &agent));
  OK(xtq_register_queue(s.b, 0, queue));
  OK(xtq_feed_buffers(s.b, 4, 4096));
  OK(xtq_signal_open(s.b, 2, &done));
  OK(xtq_register_function(s.b, 0,
                           &(xtq_code){.code = toc_agent_code(agent, close_the_agent, &agent), .signal = done}));
  for (unsigned i = 0; i < 2; i++) OK(xtq_put(s.ab, &(xtq_task){.function = true}, NULL));
  OK(xtq_signal_wait(s.b, done, 0, TOC_FOREVER));  // both have run: the first one has closed nothing
  scene_close(&s);
}

// ---- several threads prepare one process and take it back: each call waits for the device in between
enum { BUILDERS = 3 };
typedef struct builder {
  pthread_t thread;
  scene *s;
  xtq_queue *queue;
  unsigned id, rounds;
  toc_status bad;
} builder;

/* Each log is one builder's alone. */
static uint64_t taken[LOGS];
static toc_status take_log(toc_log *log) {
  toc_log_state st;
  toc_status s = toc_log_inspect(log, &st);
  return s != TOC_OK ? s : __atomic_exchange_n(&taken[st.index], 1, __ATOMIC_SEQ_CST) ? TOC_E_COUNT : TOC_OK;
}
static toc_status leave_log(toc_log *log) {
  toc_log_state st;
  toc_status s = toc_log_inspect(log, &st);
  toc_store(&taken[st.index], 0);
  return s == TOC_OK ? toc_log_close(log) : s;
}

static void *build(void *arg) {
  builder *w = arg;
  toc_proc *p = w->s->b;
  uint64_t at = 0x500000000000u + w->id * 65536u;
  for (unsigned i = 0; i < w->rounds && !w->bad; i++) {
    toc_log *log;
    toc_remote page, again, far;
    toc_status s;
    toc_rule rule = {.put = TOC_REDIRECT, .get = TOC_BLOCK};
    uint32_t k = w->id * 8 + i % 8;
    if ((s = toc_log_open(p, &(toc_log_options){.bytes = 4096}, &log)) || (s = take_log(log)) ||
        (s = toc_flush_page(log, &page)) || (s = toc_flush_page(log, &again)) ||
        (s = page.key == again.key ? TOC_OK : TOC_E_COUNT) ||
        (s = (rule.log = log, toc_associate_iova(p, at, 8192, &rule))) ||
        (s = toc_expose_iova(p, at, 4096, TOC_WRITE, &far)) ||
        (s = xtq_register_kernel(p, k, &(xtq_code){.code = 1})) ||
        (s = xtq_register_function(p, k, &(xtq_code){.code = 2})) || (s = xtq_register_queue(p, k, w->queue)) ||
        (s = toc_dissociate(p, at, 4096)) || (s = xtq_unregister_kernel(p, k)) || (s = xtq_unregister_function(p, k)) ||
        (s = xtq_unregister_queue(p, k)) || (s = toc_hide(p, far)) || (s = leave_log(log)))
      w->bad = s;
  }
  if (w->bad) printf("builder %u: %s\n", w->id, toc_why());
  return NULL;
}

/* A device that takes so long for what it is told that those who wait for it take turns. One at a time has the lock. */
static struct told {
  unsigned node;
  uint32_t addr;
  unsigned size;
  uint64_t value;
} told[64];
static unsigned told_n, told_turn;

static bool takes_long(uint32_t addr) {
  bool cfg =
      addr >= AA_REG_LOG_CFG && addr < REG_AT(LOG_CFG, LOGS) && !((addr - AA_REG_LOG_CFG) % AA_REG_LOG_CFG_STRIDE);
  return cfg || addr == AA_REG_IQT || addr == NREG(XT_CMD);
}

static toc_status told_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t value) {
  if (!takes_long(addr) || told_n == 64) return toc_backend_model.write(self, node, addr, size, value);
  told[told_n++] = (struct told){node, addr, size, value};
  return TOC_OK;
}

static toc_status told_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *value) {
  for (unsigned i = 0; i < told_n; i++)
    if (addr == NREG(XT_STS) && told[i].addr == NREG(XT_CMD) && told[i].node == node) {
      *value = NIC_XT_STS_BUSY_MASK;
      return TOC_OK;
    }
  return toc_backend_model.read(self, node, addr, size, value);
}

static bool sluggish(void *self) {
  if (told_n && ++told_turn % 100 == 0) {
    struct told t = told[0];
    memmove(told, told + 1, --told_n * sizeof *told);
    (void)toc_backend_model.write(self, t.node, t.addr, t.size, t.value);
  }
  return toc_backend_model.progress(self);
}

static void side_by_side(void) {
  scene s;
  builder w[BUILDERS];
  const char *was = backend;
  toc_backend b = toc_backend_model;
  b.name = "sluggish";
  b.progress = sluggish;
  b.read = told_read;
  b.write = told_write;
  OK(toc_backend_add(&b));
  if (!slow) backend = b.name;
  bool open = scene_open(&s, NULL);
  backend = was;
  if (!open) return;
  for (unsigned i = 0; i < BUILDERS; i++) {
    w[i] = (builder){.s = &s, .id = i, .rounds = scene_few(10)};
    OK(xtq_queue_open(s.b, NULL, &w[i].queue));
    EQ(pthread_create(&w[i].thread, NULL, build, &w[i]), 0);
  }
  for (unsigned i = 0; i < BUILDERS; i++) {
    EQ(pthread_join(w[i].thread, NULL), 0);
    IS(w[i].bad, TOC_OK);
  }
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  flushes(false);
  flushes(true);
  flushes_of_two_logs();
  kernel_never_ends(true);
  kernel_never_ends(false);
  handler_never_ends(true);
  handler_never_ends(false);
  handler_waits_for_a_thread(false);
  handler_waits_for_a_thread(true);
  if (!slow) others_have_time();
  closed_from_within();
  agent_closed_from_within();
  side_by_side();
  return report();
}
