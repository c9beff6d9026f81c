// SPDX-License-Identifier: Apache-2.0
// Opening: what is refused and why, what a dead or lying device does to its callers, what a crashed user leaves behind.
#define _GNU_SOURCE
#include "internal.h"
#include "scene.h"

// ---- a backend that is the model, but for what a test wants
static struct {
  uint32_t addr;  // reads of this register give `value`
  uint64_t value;
  bool lies, deaf, gone, frozen;  // deaf: writes do nothing; gone: registers fail; frozen: time stands still
  void *keep;                     // of a machine that outlives its first user
  unsigned keep_nodes;
  uint64_t bus, own;  // memory of so many bytes is said to lie at `bus` (0: where it lies)
  size_t bytes;
} spoil;

static toc_status sp_open(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  if (spoil.keep) {
    *self = spoil.keep;
    *nodes = spoil.keep_nodes;
    return TOC_OK;
  }
  return toc_backend_model.open(o, spy, self, nodes, why);
}
static void sp_close(void *self) {
  if (self != spoil.keep) toc_backend_model.close(self);
}
static toc_status sp_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  if (spoil.gone) return TOC_E_DEAD;
  toc_status s = toc_backend_model.read(self, node, addr, size, v);
  if (spoil.lies && addr == spoil.addr) *v = spoil.value;
  return s;
}
static toc_status sp_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  if (spoil.gone) return TOC_E_DEAD;
  return spoil.deaf ? TOC_OK : toc_backend_model.write(self, node, addr, size, v);
}
static toc_status sp_dma(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  toc_status s = toc_backend_model.dma_alloc(self, node, bytes, align, m);
  if (s != TOC_OK || !spoil.bus || bytes != spoil.bytes) return s;
  spoil.own = m->bus;
  m->bus = spoil.bus;
  return s;
}
static void sp_give(void *self, unsigned node, const toc_dma *m) {
  toc_dma own = *m;
  if (spoil.bus && m->bus == spoil.bus) own.bus = spoil.own;
  toc_backend_model.dma_free(self, node, &own);
}
static bool sp_progress(void *self) { return !spoil.frozen && toc_backend_model.progress(self); }
static uint64_t sp_now(void *self) { return spoil.frozen ? 0 : toc_backend_model.now(self); }

static void add_spoilt(void) {
  toc_backend b = toc_backend_model;
  b.name = "spoilt";
  b.open = sp_open;
  b.close = sp_close;
  b.read = sp_read;
  b.write = sp_write;
  b.dma_alloc = sp_dma;
  b.dma_free = sp_give;
  b.progress = sp_progress;
  b.now = sp_now;
  OK(toc_backend_add(&b));
  IS(toc_backend_add(&b), TOC_E_IN_USE);
  b.read = NULL;
  b.name = "other";
  IS(toc_backend_add(&b), TOC_E_ARG);
}

static toc_status try_open(void) {
  toc_fabric *f;
  toc_status s = toc_open(&(toc_options){.backend = "spoilt", .timeout_us = 2000, .patience_ms = 50}, &f);
  CHECK((s == TOC_OK) == (f != NULL));
  toc_close(f);
  return s;
}

static bool told(const char *what) {
  if (strstr(toc_why(), what)) return true;
  printf("  said: %s\n", toc_why());
  return false;
}

static void arguments(void) {
  toc_fabric *f;
  IS(toc_open(&(toc_options){.backend = "abacus"}, &f), TOC_E_BACKEND);
  CHECK(told("abacus") && !f);
  setenv("TOCSIN_RTL", "/nowhere/libtocsin-rtl.so", 1);
  IS(toc_open(&(toc_options){.backend = "rtl"}, &f), TOC_E_BACKEND);
  CHECK(told("make sw-rtl"));
  setenv("TOCSIN_RTL", "libm.so.6", 1);  // a library, but none of ours
  IS(toc_open(&(toc_options){.backend = "rtl"}, &f), TOC_E_BACKEND);
  IS(toc_open(&(toc_options){.nodes = 65}, &f), TOC_E_ARG);
  IS(toc_open(&(toc_options){.nodes = 2, .rank0 = 65535}, &f), TOC_E_ARG);
  CHECK(told("rank0 65535"));
  IS(toc_open(&(toc_options){.rank0 = UINT32_MAX}, &f), TOC_E_ARG);
  OK(toc_open(&(toc_options){.nodes = 2, .rank0 = 65534}, &f));
  toc_close(f);
  IS(toc_open(&(toc_options){.drop = 600, .bend = 600}, &f), TOC_E_ARG);
  IS(toc_open(&(toc_options){.node_bytes = 4096}, &f), TOC_E_ARG);
  IS(toc_open(NULL, NULL), TOC_E_ARG);
  bool there = false;
  for (const char *const *n = toc_backends(); *n; n++) there = there || !strcmp(*n, "spoilt");
  CHECK(there);
  for (unsigned s = 0; s < TOC_E_COUNT; s++)
    CHECK(strlen(toc_text((toc_status)s)) > 1 && toc_name((toc_status)s)[0] == 'T');
  CHECK(!strcmp(toc_name((toc_status)99), "?"));
  toc_close(NULL);
}

// Each register that the probe reads, with something in it that this driver cannot drive.
static void refusals(void) {
  static const struct {
    uint32_t addr;
    uint64_t value;
    toc_status status;
    const char *why;
  } bad[] = {
      {AA_REG_VER, 0xffffffff, TOC_E_DEAD, "all ones"},
      {AA_REG_VER, 0x11, TOC_E_DEVICE, "VER"},
      {AA_REG_CAP, AA_RESET_CAP & ~AA_CAP_SAGAW_MASK, TOC_E_DEVICE, "4 levels"},
      {AA_REG_CAP, AA_RESET_CAP & ~(1ull << AA_CAP_MGAW_LSB), TOC_E_DEVICE, "48 bits"},
      {AA_REG_ECAP, AA_RESET_ECAP & ~AA_ECAP_QI_MASK, TOC_E_DEVICE, "queued invalidation"},
      {AA_REG_AA_ID, 0, TOC_E_DEVICE, "without Active Access"},
      {AA_REG_AA_ID, AA_RESET_AA_ID + (1ull << 48), TOC_E_DEVICE, "version"},
      {AA_REG_AA_CAP, 0, TOC_E_DEVICE, "no access logs"},
      {NIC + NIC_REG_NIC_ID, 0, TOC_E_DEVICE, "no NIC"},
      {NIC + NIC_REG_NIC_ID, NIC_RESET_NIC_ID + (1ull << 32), TOC_E_DEVICE, "version"},
      {NIC + NIC_REG_NIC_CAP, 0, TOC_E_DEVICE, "NIC_CAP"},
  };
  spoil.lies = true;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    spoil.addr = bad[i].addr;
    spoil.value = bad[i].value;
    IS(try_open(), bad[i].status);
    CHECK(told(bad[i].why));
  }
  spoil.lies = false;
  OK(try_open());
}

// A device that does not do what it is told, one that does not answer, and a backend whose time stands still.
static void dead(void) {
  spoil.deaf = true;
  IS(try_open(), TOC_E_DEAD);
  CHECK(told("0x1c"));  // GSTS
  spoil.deaf = false;
  spoil.gone = true;
  IS(try_open(), TOC_E_DEAD);
  spoil.gone = false;
  scene s;
  backend = "spoilt";
  if (scene_open(&s, &(toc_options){.patience_ms = 50})) {
    toc_req r;
    spoil.frozen = true;
    OK(toc_put(s.ab, s.near, s.there, 8, &r));
    IS(toc_wait(r, TOC_FOREVER), TOC_E_DEAD);
    spoil.gone = true;  // and now even its registers
    IS(toc_put(s.ab, s.near, s.there, 8, &r), TOC_E_DEAD);
    toc_log *log;
    IS(toc_log_open(s.a, NULL, &log), TOC_E_DEAD);
    CHECK(!log);
  }
  scene_close(&s);
  spoil.gone = spoil.frozen = false;
  backend = "model";
}

// What was found dead stays so, though time goes on: memory that it may still write is not given back.
static void stays_dead(void) {
  scene s;
  uint64_t v;
  toc_event e;
  backend = "spoilt";
  if (scene_open(&s, &(toc_options){.patience_ms = 50})) {
    const toc_i_fabric *f = toc_i_object(TOC_I_fabric, s.f, "", "");
    spoil.gone = true;
    IS(toc_reg_read(toc_node_at(s.f, 0), AA_REG_VER, 4, &v), TOC_E_DEAD);
    spoil.gone = false;
    CHECK(f->dead);
    IS(toc_event_next(s.a, &e, 3600000000u), TOC_E_TIMEOUT);
    CHECK(f->dead);
  }
  scene_close(&s);
  backend = "model";
}

// A log of which the device does not say whether it has opened it keeps its memory and its place.
static void undecided(void) {
  scene s;
  toc_log *log;
  uint64_t base;
  backend = "spoilt";
  if (scene_open(&s, NULL)) {
    toc_node *n = toc_node_at(s.f, 0);
    spoil.lies = true;
    spoil.addr = AA_REG_LOG_STS;
    spoil.value = 0;
    IS(toc_log_open(s.a, NULL, &log), TOC_E_DEAD);
    spoil.lies = false;
    OK(toc_log_open(s.a, NULL, &log));
    const toc_i_log *l = toc_i_object(TOC_I_log, log, "", "");
    OK(toc_reg_read(n, AA_REG_LOG_BASE, 8, &base));
    CHECK(l && l->index == 1 && base && l->ring.bus != base);
  }
  scene_close(&s);
  backend = "model";
}

// A backend that gives the device a ring on another one, on the producer pointers, past the end of its
// addresses, or askew.
static void misplaced(void) {
  enum { RING = 8192 };
  toc_fabric *f;
  toc_proc *p;
  toc_log *log, *more;
  OK(toc_open(&(toc_options){.backend = "spoilt"}, &f));
  OK(toc_proc_open(toc_node_at(f, 0), &p));
  OK(toc_log_open(p, &(toc_log_options){.bytes = RING}, &log));
  const toc_i_log *first = toc_i_object(TOC_I_log, log, "", "");
  const toc_i_node *node = toc_i_object(TOC_I_node, toc_node_at(f, 0), "", "");
  const struct {
    uint64_t bus;
    size_t bytes;
    const char *why;
  } bad[] = {{first->ring.bus, RING, "already"},       {first->ring.bus + PAGE, PAGE, "already"},
             {node->queue.bus, PAGE, "already"},       {1ull << BUS_BITS, RING, "48 bits"},
             {-(uint64_t)RING, RING, "48 bits"},       {(1ull << BUS_BITS) - PAGE, RING, "aligned"},
             {first->ring.bus + PAGE, RING, "aligned"}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    spoil.bus = bad[i].bus;
    spoil.bytes = bad[i].bytes;
    IS(toc_log_open(p, &(toc_log_options){.bytes = bad[i].bytes}, &more), TOC_E_PLACE);
    CHECK(told(bad[i].why) && !more);
    spoil.bus = 0;
  }
  OK(toc_log_open(p, &(toc_log_options){.bytes = RING}, &more));
  CHECK(((toc_i_log *)toc_i_object(TOC_I_log, more, "", ""))->ring.bus != first->ring.bus);
  toc_close(f);
}

// What a function has under way is ended; that of a process that is open is not.
static void requester(void) {
  scene s;
  uint64_t v;
  if (!scene_open(&s, NULL)) return;
  toc_node *n = toc_node_at(s.f, 0);
  IS(toc_requester_end(n, toc_proc_requester(s.a), 0), TOC_E_IN_USE);
  OK(toc_reg_read(n, AA_REG_AA_RESET, 8, &v));
  EQ(v, 0);
  for (unsigned i = 0; i < 2; i++) {
    OK(toc_requester_end(n, 0x0abc, 0));
    OK(toc_reg_read(n, AA_REG_AA_RESET, 8, &v));
    EQ(v, 0x0abc);
  }
  backend = "spoilt";  // one that goes on saying that it is not done
  scene t;
  if (scene_open(&t, NULL)) {
    spoil.lies = true;
    spoil.addr = AA_REG_AA_RESET;
    spoil.value = AA_AA_RESET_GO_MASK | 0x0abc;
    IS(toc_requester_end(toc_node_at(t.f, 0), 0x0abc, 50), TOC_E_TIMEOUT);
    CHECK(told("0abc"));
    IS(toc_requester_end(toc_node_at(t.f, 0), 0x0abd, 50), TOC_E_TIMEOUT);
    CHECK(told("0abc"));
    spoil.lies = false;
    OK(toc_reg_read(toc_node_at(t.f, 0), AA_REG_AA_RESET, 8, &v));
    EQ(v, 0);  // neither was asked for: another one's is not overwritten, and the same one's is waited for
    OK(toc_put(t.ab, t.near, t.there, 8, NULL));
  }
  scene_close(&t);
  backend = "model";
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  scene_close(&s);
}

// Silence ends a wait after some real time, whatever simulated time it was given; the backend is alive all the same.
static void patience(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, &(toc_options){.patience_ms = 30})) return;
  IS(toc_event_next(s.a, &e, 3600000000u), TOC_E_TIMEOUT);
  CHECK(told("real time"));
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  OK(toc_wait(r, TOC_FOREVER));
  scene_close(&s);
}

// A user of the device vanishes with everything open. The next one finds nothing of it, and nothing is missing.
static void crashed_user(void) {
  toc_fabric *first, *second;
  toc_proc *p;
  toc_log *log;
  void *page;
  toc_remote r;
  toc_options o = {.backend = "spoilt", .node_bytes = 8u << 20};
  OK(toc_open(&o, &first));
  OK(toc_proc_open(toc_node_at(first, 0), &p));
  toc_caps caps;
  toc_caps_of(toc_node_at(first, 0), &caps);
  for (unsigned i = 0; i < caps.logs; i++) OK(toc_log_open(p, &(toc_log_options){.bytes = 4096}, &log));
  OK(toc_alloc(p, 4096, TOC_READ | TOC_WRITE, &page));
  OK(toc_associate(p, page, 4096, &(toc_rule){.put = TOC_LOG, .log = log}));
  for (unsigned i = 0; i < caps.regions; i++) OK(toc_expose(p, page, 4096, TOC_WRITE, &r));
  OK(xtq_register_kernel(p, 5, &(xtq_code){.code = 1}));
  OK(xtq_post_buffer(p, page, 4096, 0, NULL));
  spoil.keep = ((toc_i_fabric *)toc_i_object(TOC_I_fabric, first, "", ""))->self;
  spoil.keep_nodes = 1;
  OK(toc_open(&o, &second));  // the same device, in full use
  OK(toc_proc_open(toc_node_at(second, 0), &p));
  for (unsigned i = 0; i < caps.logs; i++) {
    uint64_t cfg;
    OK(toc_reg_read(toc_node_at(second, 0), REG_AT(LOG_CFG, i), 8, &cfg));
    EQ(cfg >> 63, 0);
    OK(toc_log_open(p, &(toc_log_options){.bytes = 4096}, &log));
  }
  IS(toc_log_open(p, NULL, &log), TOC_E_FULL);
  EQ(toc_proc_index(p), 0);
  uint64_t word;
  OK(toc_reg_read(toc_node_at(second, 0), NREG_AT(RB_STS, 0), 8, &word));
  EQ(word & NIC_RB_STS_POSTED_MASK, 0);  // its receive buffer has been withdrawn
  OK(toc_reg_write(toc_node_at(second, 0), NREG(XT_CMD), 8, 5 | NIC_XT_CMD_READ_MASK));
  OK(toc_reg_read(toc_node_at(second, 0), NREG(XT_W) + 24, 8, &word));
  EQ(word, 0);  // the kernel is registered no more
  for (unsigned i = 0; i < caps.regions; i++) {
    uint64_t key;
    OK(toc_reg_read(toc_node_at(second, 0), NREG_AT(MR_KEY, i), 8, &key));
    EQ(key >> 63, 0);
  }
  toc_close(second);
  spoil.gone = true;  // the first one is no more: what its handles still are is given back without the device
  spoil.keep = NULL;
  toc_close(first);
  spoil.gone = false;
}

// A program's process goes away with everything open, again and again: nothing is used up.
static void processes_come_and_go(void) {
  toc_fabric *f;
  OK(toc_open(&(toc_options){.nodes = 2, .node_bytes = 8u << 20}, &f));
  for (unsigned turn = 0; turn < 40; turn++) {
    toc_proc *a, *b;
    toc_qp *qp;
    toc_log *log;
    toc_box *box;
    uint8_t *near, *far;
    toc_remote there, page;
    toc_req r;
    OK(toc_proc_open(toc_node_at(f, 0), &a));
    OK(toc_proc_open(toc_node_at(f, 1), &b));
    OK(toc_connect(a, b, &qp, NULL));
    OK(toc_alloc(a, 4096, TOC_READ, (void **)&near));
    OK(toc_alloc(b, 8192, TOC_READ | TOC_WRITE, (void **)&far));
    OK(toc_expose(b, far, 8192, TOC_WRITE, &there));
    OK(toc_log_open(b, NULL, &log));
    OK(toc_flush_page(log, &page));
    OK(toc_box_open(b, 8, &box, &page));
    OK(toc_associate(b, far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}));
    near[0] = (uint8_t)turn;
    OK(toc_put(qp, near, toc_at(there, 4096), 1, &r));
    OK(toc_put(qp, near, there, 1, NULL));  // under way when all goes
    OK(toc_wait(r, 0));
    EQ(far[4096], turn);
    toc_proc_close(turn & 1 ? a : b);
    toc_proc_close(turn & 1 ? b : a);
    if (failed) break;
  }
  toc_close(f);
}

// What could be mapped in part only is not mapped at all: devices reach none of it, also when it is another's.
static void in_part(toc_fabric *f, toc_proc *p, void *two, uint64_t edge) {
  toc_proc *a;
  toc_qp *q;
  toc_remote r;
  toc_req req;
  uint8_t *near;
  IS(toc_map(p, two, 8192, TOC_READ, edge), TOC_E_NOMEM);
  OK(toc_proc_open(toc_node_at(f, 1), &a));
  OK(toc_connect(a, p, &q, NULL));
  OK(toc_alloc(a, 4096, TOC_READ | TOC_WRITE, (void **)&near));
  OK(toc_expose_iova(p, edge, 4096, TOC_READ, &r));
  OK(toc_get(q, near, r, 8, &req));
  IS(toc_wait(req, 0), TOC_E_REMOTE);
}

// A process has tables for all memory of its node, wherever it is mapped.
static void sparse(void) {
  toc_fabric *f;
  toc_proc *p;
  void *page;
  unsigned n = 0;
  OK(toc_open(&(toc_options){.nodes = 2, .node_bytes = 256u << 20}, &f));
  OK(toc_proc_open(toc_node_at(f, 0), &p));
  OK(toc_alloc(p, 8192, TOC_READ, &page));
  while (n < 1000 && toc_map(p, page, 4096, TOC_READ, 0x40000000 + ((uint64_t)n << 21)) == TOC_OK) n++;
  CHECK(n >= 128 && n < 1000);
  CHECK(told("page tables"));
  in_part(f, p, page, 0x40000000 + ((uint64_t)n << 21) - 4096);
  OK(toc_unmap(p, 0x40000000, 4096));
  OK(toc_map(p, page, 4096, TOC_READ, 0x40000000));  // the table is still there
  toc_close(f);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  add_spoilt();
  arguments();
  refusals();
  dead();
  stays_dead();
  undecided();
  misplaced();
  requester();
  patience();
  crashed_user();
  processes_come_and_go();
  sparse();
  return report();
}
