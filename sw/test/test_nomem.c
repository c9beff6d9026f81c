// SPDX-License-Identifier: Apache-2.0
// Memory runs out, the program's or the node's: each allocation fails in its turn, the call that needed it says so, and
// all is given back without a leak. (linked with --wrap=malloc,calloc,realloc: sw.mk)
#include <sys/resource.h>

#include "internal.h"
#include "scene.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t k, size_t n);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t k, size_t n);
void *__wrap_realloc(void *p, size_t n);

static bool traffic;                // begun
static unsigned fail_at, fail_dma;  // 0: never, else the how many-th from now
static bool fails(unsigned *at) { return *at && --*at == 0; }
void *__wrap_malloc(size_t n) { return fails(&fail_at) ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t k, size_t n) { return fails(&fail_at) ? NULL : __real_calloc(k, n); }
void *__wrap_realloc(void *p, size_t n) { return fails(&fail_at) ? NULL : __real_realloc(p, n); }

static toc_status some_dma(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  *m = (toc_dma){0};
  return fails(&fail_dma) ? TOC_E_NOMEM : toc_backend_model.dma_alloc(self, node, bytes, align, m);
}

static void nothing(void *arg, const toc_call *c) {
  (void)arg;
  (void)c;
}

// Everything that allocates, once. Stops at the first failure.
static toc_status life(toc_fabric **f) {
  toc_proc *a, *b;
  toc_qp *qp;
  toc_log *log;
  toc_box *box;
  xtq_queue *q;
  toc_agent *agent;
  aql_signal *signal;
  uint8_t *near, *far;
  toc_remote there, page, where;
  toc_req r;
  TRY(toc_open(&(toc_options){.backend = "poor", .nodes = 2, .places = seats}, f));
  TRY(toc_proc_open(toc_node_at(*f, 0), &a));
  TRY(toc_proc_open(toc_node_at(*f, 1), &b));
  traffic = seats != 0;  // the NIC writes a context that is closed
  TRY(toc_connect(a, b, &qp, NULL));
  traffic = false;
  TRY(toc_alloc(a, 4096, TOC_READ | TOC_WRITE, (void **)&near));
  TRY(toc_alloc(b, 65536, TOC_READ | TOC_WRITE, (void **)&far));
  TRY(toc_map(b, far, 4096, TOC_READ, 0x40000000));
  TRY(toc_expose(b, far, 65536, TOC_READ | TOC_WRITE, &there));
  TRY(toc_log_open(b, &(toc_log_options){.automatic = true}, &log));
  for (unsigned i = 0; i < 16; i += 2)
    TRY(toc_associate(b, far + 4096 * i, 4096, &(toc_rule){.put = TOC_LOG, .log = log}));
  TRY(toc_flush_page(log, &page));
  TRY(toc_box_open(b, 4, &box, &where));
  TRY(xtq_queue_open(b, NULL, &q));
  TRY(toc_agent_open(q, true, &agent));
  TRY(xtq_register_queue(b, 0, q));
  TRY(xtq_signal_open(b, 1, &signal));
  uint64_t code = toc_agent_code(agent, nothing, NULL);
  if (!code) return TOC_E_NOMEM;
  TRY(xtq_register_function(b, 0, &(xtq_code){.code = code, .signal = signal}));
  TRY(xtq_feed_buffers(b, 2, 4096));
  traffic = true;
  TRY(toc_put(qp, near, there, 8, &r));
  TRY(toc_flush(qp, page, 0));
  TRY(xtq_put(qp, &(xtq_task){.function = true, .payload = near, .payload_bytes = 8}, &r));
  TRY(toc_wait(r, 0));
  return xtq_signal_wait(b, signal, 0, 0);
}

static void run_out(unsigned *which, unsigned least) {
  unsigned n = 0;
  toc_status s;
  bool reached;
  do {
    toc_fabric *f = NULL;
    *which = ++n;
    traffic = false;
    s = life(&f);
    reached = !*which;
    *which = 0;
    /* What the models cannot store in flight is a lost frame, or ends them: then the request fails, in whatever way. */
    if (reached && s != TOC_E_NOMEM && !traffic) {
      failed++;
      printf("allocation %u: %s (%s)\n", n, toc_name(s), toc_why());
    }
    if (!reached) IS(s, TOC_OK);
    toc_close(f);
  } while (reached && n < 2000 && !failed);
  CHECK(n > least);
  printf("%u allocations\n", n - 1);
}

// A rule for a part of the pages of another one: it stands, or is refused, however little memory there is.
static void pages_in_part(void) {
  enum { RULES = 20 };
  toc_fabric *f;
  toc_proc *p;
  uint8_t *page;
  uint64_t at;
  const toc_rule none = {.put = TOC_BLOCK}, some = {.get = TOC_BLOCK};
  for (unsigned n = 1, least = 0; n <= RULES; n++) {
    OK(toc_open(&(toc_options){.nodes = 1}, &f));
    OK(toc_proc_open(toc_node_at(f, 0), &p));
    OK(toc_alloc(p, 8ul * RULES * 4096, TOC_READ | TOC_WRITE, (void **)&page));
    OK(toc_iova(p, page, &at));
    const toc_i_proc *is = toc_i_object(TOC_I_proc, p, "", "");
    for (unsigned i = 0; i < n; i++) OK(toc_associate(p, page + 8 * 4096 * (size_t)i, 3 * 4096, &none));
    fail_at = 1;
    toc_status s = toc_associate(p, page + 4096, 4096, &some);
    fail_at = 0;
    const toc_rule_range *r = toc_i_rule_at((toc_i_proc *)(uintptr_t)is, at + 4096);
    CHECK(r && r->rule.get == (s == TOC_OK ? TOC_BLOCK : 0u));
    least += s == TOC_E_NOMEM;
    if (n == RULES) CHECK(least);
    toc_close(f);
  }
}

// Descriptors run out: who wants to sleep on one is told, and does not get -1.
static void no_descriptors(void) {
  struct rlimit was, none;
  toc_fabric *f, *g;
  toc_proc *p, *q;
  toc_log *l;
  const toc_log_options o = {.notify = TOC_NOTIFY_INTERRUPT};
  OK(toc_open(&(toc_options){.nodes = 1}, &f));
  OK(toc_proc_open(toc_node_at(f, 0), &p));
  getrlimit(RLIMIT_NOFILE, &was);
  none = (struct rlimit){3, was.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  IS(toc_proc_open(toc_node_at(f, 0), &q), TOC_E_IO);
  IS(toc_log_open(p, &o, &l), TOC_E_IO);
  IS(toc_open(&(toc_options){.nodes = 1}, &g), TOC_E_IO);
  CHECK(!q && !l && !g);
  OK(toc_open(&(toc_options){.nodes = 1, .no_interrupts = true}, &g));
  toc_close(g);
  setrlimit(RLIMIT_NOFILE, &was);
  OK(toc_proc_open(toc_node_at(f, 0), &q));
  OK(toc_log_open(q, &o, &l));
  CHECK(toc_event_fd(q) >= 0 && toc_log_fd(l) >= 0);
  toc_close(f);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  toc_backend poor = toc_backend_model;
  poor.name = "poor";
  poor.dma_alloc = some_dma;
  OK(toc_backend_add(&poor));
  pages_in_part();
  no_descriptors();
  run_out(&fail_dma, 15);
  run_out(&fail_at, 60);
  seats = 4;  // with queue pairs in memory
  run_out(&fail_dma, 19);
  run_out(&fail_at, 66);
  return report();
}
