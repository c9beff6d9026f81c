// SPDX-License-Identifier: Apache-2.0
// Memory runs out: each allocation of the model fails in its turn, and says so, without a leak or harm to what was
// there. (linked with --wrap=malloc,calloc,realloc,free: model.mk)
#include "tocsin/nic.h"
#include "world.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t k, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t k, size_t n);
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
void __real_free(void *p);
void __wrap_free(void *p);

static unsigned fail_at;  // 0: never, else the how many-th allocation from now
static long held;         // allocations that have not been freed
static bool fails(void) { return fail_at && --fail_at == 0; }
static void *given(void *p) {
  held += p != NULL;
  return p;
}
void *__wrap_malloc(size_t n) { return fails() ? NULL : given(__real_malloc(n)); }
void *__wrap_calloc(size_t k, size_t n) { return fails() ? NULL : given(__real_calloc(k, n)); }
void *__wrap_realloc(void *p, size_t n) { return p ? __real_realloc(p, n) : given(__real_realloc(p, n)); }
void __wrap_free(void *p) {
  held -= p != NULL;
  __real_free(p);
}

// All that a NIC consists of, with contexts and with tables of its own.
static void nics(void) {
  static const nic_ops none;
  nic_config cfg;
  nic_status st;
  unsigned n = 0;
  nic_config_default(&cfg);
  cfg.Contexts = 16;
  do {
    nic *m = (nic *)&cfg;
    fail_at = ++n;
    st = nic_new(&cfg, &none, NULL, &m);
    bool reached = !fail_at;
    fail_at = 0;
    EQ(st, reached ? NIC_E_NOMEM : NIC_OK);
    CHECK(reached == (m == NULL));
    nic_free(m);
    EQ(held, 0);
  } while (st == NIC_E_NOMEM);
  CHECK(n > 10);
}

int main(void) {
  aa_config cfg;
  world w;
  unsigned n = 0;
  aa_status st;
  aa_config_default(&cfg);
  cfg.NumPorts = 3;
  do {
    aa *m = (aa *)&w;
    fail_at = ++n;
    st = aa_new(&cfg, &world_ops, &w, &m);
    bool reached = !fail_at;
    fail_at = 0;
    EQ(st, reached ? AA_E_NOMEM : AA_OK);
    CHECK(reached == (m == NULL));
    aa_free(m);
    EQ(held, 0);
  } while (st == AA_E_NOMEM);
  CHECK(n > 20);

  // arrivals: a payload's buffer, then a longer queue
  cfg.NumPorts = 1;
  cfg.Window = 4;
  world_init(&w, &cfg);
  tlp t = request(TLP_MWR32, SID, 0, 0x1000, 1, 15), r = request(TLP_MRD32, SID, 1, 0x1000, 1, 15);
  fail_at = 1;
  EQ(aa_dev_tlp(w.m, 0, &t, false), AA_E_NOMEM);
  EQ(aa_pending(w.m), 0);
  for (unsigned i = 0; i < 4; i++) EQ(aa_dev_tlp(w.m, 0, &r, false), AA_OK);
  fail_at = 1;
  EQ(aa_dev_tlp(w.m, 0, &r, false), AA_E_NOMEM);
  EQ(aa_dev_tlp(w.m, 0, &r, false), AA_OK);
  EQ(aa_pending(w.m), 5);
  tlp c = completion(SID, 1, TLP_SC, 4, 0, 1, NULL);
  fail_at = 1;
  EQ(aa_host_cpl(w.m, &c, false), AA_E_NOMEM);
  aa_beat b = {.sop = true, .eop = true, .strb = 1, .data = payload};
  memcpy(b.hdr, c.hdr, sizeof b.hdr);
  fail_at = 1;
  EQ(aa_host_beat(w.m, &b), AA_E_NOMEM);
  EQ(aa_host_beat(w.m, &b), AA_OK);
  memcpy(b.hdr, t.hdr, sizeof b.hdr);
  fail_at = 1;
  EQ(aa_dev_beat(w.m, 0, &b), AA_E_NOMEM);
  world_free(&w);

  // self-running: a request that must wait for room in its log
  world_init(&w, &cfg);
  world_on(&w);
  map(&w, 0x1000, 0x80001000 | 3 | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(9));
  log_open(&w, 0, 9, 6, 0);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  fail_at = 1;
  EQ(put(&w, 0x1000, 8, 0xff), AA_E_NOMEM);
  EQ(w.reqs, 1);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  EQ(w.reqs, 1);
  consume(&w, 0, prod(&w, 0));
  EQ(w.reqs, 2);
  fail_at = 0;
  world_free(&w);
  EQ(held, 0);
  nics();
  return report();
}
