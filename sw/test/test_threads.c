// SPDX-License-Identifier: Apache-2.0
// Several threads in one library: on fabrics of their own, on one fabric, on one connection, and one that waits for
// what others do. Under ThreadSanitizer (make sw-tsan) this is the test that matters.
#include <pthread.h>

#include "scene.h"

enum { THREADS = 4, ROUNDS = 60 };

// Checks count in variables without locks: threads only say whether all went well.
typedef struct worker {
  pthread_t thread;
  toc_fabric *f;
  toc_proc *here, *there;
  toc_qp *qp;
  uint64_t *near;
  toc_remote far, shared;
  toc_log *log;
  unsigned number;
  uint64_t seen;
  toc_status bad;  // the first status that was not OK
  bool wrong;
} worker;

static bool fine(worker *w, toc_status s) {
  if (s != TOC_OK && w->bad == TOC_OK) w->bad = s;
  return s == TOC_OK;
}

static void start(worker *w, void *(*fn)(void *)) { EQ(pthread_create(&w->thread, NULL, fn, w), 0); }

static void join(worker *w, const char *what) {
  EQ(pthread_join(w->thread, NULL), 0);
  if (w->bad != TOC_OK) printf("%s, thread %u: %s\n", what, w->number, toc_name(w->bad));
  CHECK(w->bad == TOC_OK);
  CHECK(!w->wrong);
}

// Puts, gets back, adds to what all share.
static void *back_and_forth(void *arg) {
  worker *w = arg;
  for (uint64_t i = 0; i < ROUNDS && w->bad == TOC_OK; i++) {
    toc_req put, get, add;
    uint64_t value = (uint64_t)w->number << 32 | i, at = 8 * (i % 8);
    w->near[0] = value;
    if (!fine(w, toc_put(w->qp, &w->near[0], toc_at(w->far, at), 8, &put)) ||
        !fine(w, toc_get(w->qp, &w->near[1], toc_at(w->far, at), 8, &get)) ||
        !fine(w, toc_fetch_add(w->qp, &w->near[2], w->shared, 1, &add)) || !fine(w, toc_wait(add, 0)) ||
        !fine(w, toc_wait(get, 0)) || !fine(w, toc_wait(put, 0)))
      break;
    w->wrong |= toc_load(&w->near[1]) != value;
  }
  return NULL;
}

static void one_fabric(bool one_connection) {
  scene s;
  worker w[THREADS];
  uint64_t *shared;
  toc_remote remote;
  if (!scene_open(&s, NULL)) return;
  OK(toc_alloc(s.b, 4096, TOC_READ | TOC_WRITE, (void **)&shared));
  OK(toc_expose(s.b, shared, 4096, TOC_READ | TOC_WRITE | TOC_ATOMIC, &remote));
  memset(w, 0, sizeof w);
  for (unsigned i = 0; i < THREADS; i++) {
    w[i].number = i;
    w[i].shared = remote;
    w[i].far = toc_at(remote, 64 * (i + 1));
    if (one_connection)
      w[i].qp = s.ab;
    else
      OK(toc_connect(s.a, s.b, &w[i].qp, NULL));
    OK(toc_alloc(s.a, 4096, TOC_READ | TOC_WRITE, (void **)&w[i].near));
  }
  for (unsigned i = 0; i < THREADS; i++) start(&w[i], back_and_forth);
  for (unsigned i = 0; i < THREADS; i++) join(&w[i], one_connection ? "one connection" : "one fabric");
  EQ(toc_load(shared), THREADS * ROUNDS);
  scene_close(&s);
}

// Nothing is shared between fabrics, not even why the last call failed.
static void *alone(void *arg) {
  worker *w = arg;
  toc_options o = {.backend = backend, .nodes = 2, .seed = seed + w->number, .drop = 20};
  void *p;
  if (!fine(w, toc_open(&o, &w->f)) || !fine(w, toc_proc_open(toc_node_at(w->f, 0), &w->here)) ||
      !fine(w, toc_proc_open(toc_node_at(w->f, 1), &w->there)) ||
      !fine(w, toc_connect(w->here, w->there, &w->qp, NULL)) ||
      !fine(w, toc_alloc(w->here, 4096, TOC_READ | TOC_WRITE, (void **)&w->near)) ||
      !fine(w, toc_alloc(w->there, 4096, TOC_READ | TOC_WRITE, &p)) ||
      !fine(w, toc_expose(w->there, p, 4096, TOC_READ | TOC_WRITE | TOC_ATOMIC, &w->shared))) {
    toc_close(w->f);
    return NULL;
  }
  w->far = toc_at(w->shared, 64);
  back_and_forth(w);
  w->wrong |= toc_load(p) != ROUNDS;
  w->wrong |= toc_alloc(w->here, 0, 0, &p) == TOC_OK || !strlen(toc_why());
  toc_close(w->f);
  return NULL;
}

static void many_fabrics(void) {
  worker w[THREADS];
  memset(w, 0, sizeof w);
  for (unsigned i = 0; i < THREADS; i++) w[i].number = i, start(&w[i], alone);
  for (unsigned i = 0; i < THREADS; i++) join(&w[i], "many fabrics");
}

// One thread reads the log while others fill it, more than it holds.
static void on_put(void *arg, const toc_access *x) {
  worker *w = arg;
  uint64_t v;
  w->wrong |= x->kind != TOC_PUT || x->bytes != 8;
  memcpy(&v, x->data, 8);
  w->seen += v;
}

static void *reader(void *arg) {
  worker *w = arg;
  uint64_t all = 0;
  for (uint64_t i = 1; i <= 2 * ROUNDS; i++) all += i;
  while (w->bad == TOC_OK && w->seen < all)
    if (fine(w, toc_log_wait(w->log, TOC_FOREVER))) fine(w, toc_log_run(w->log, 7));
  w->wrong |= w->seen != all;
  return NULL;
}

static void *writer(void *arg) {
  worker *w = arg;
  for (uint64_t i = 1; i <= ROUNDS && w->bad == TOC_OK; i++) {
    toc_req r;
    w->near[0] = i + w->number * ROUNDS;
    if (fine(w, toc_put(w->qp, w->near, w->far, 8, &r))) fine(w, toc_wait(r, TOC_FOREVER));
  }
  return NULL;
}

static void log_reader(void) {
  scene s;
  worker r = {.number = 9}, w[2] = {{0}, {0}};
  toc_remote page;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 256}, &r.log));
  OK(toc_associate_iova(
      s.b, 0x600000000000, 4096,
      &(toc_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = r.log, .handler = on_put, .arg = &r}));
  OK(toc_expose_iova(s.b, 0x600000000000, 4096, TOC_WRITE, &page));
  for (unsigned i = 0; i < 2; i++) {
    w[i].number = i;
    w[i].far = toc_at(page, 8 * i);
    OK(toc_connect(s.a, s.b, &w[i].qp, NULL));
    OK(toc_alloc(s.a, 4096, TOC_READ | TOC_WRITE, (void **)&w[i].near));
  }
  start(&r, reader);
  for (unsigned i = 0; i < 2; i++) start(&w[i], writer);
  for (unsigned i = 0; i < 2; i++) join(&w[i], "a full log");
  join(&r, "the log's reader");
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  one_fabric(false);
  one_fabric(true);
  many_fabrics();
  log_reader();
  return report();
}
