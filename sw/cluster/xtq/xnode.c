// SPDX-License-Identifier: Apache-2.0
#include "xnode_state.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tocsin/aa_count.h"

enum { RID = 0x100, PAGE = 4096, LARGE = 65536, IOTLB = 1024, PSC = 64, FRAMES = 64 };

// ---- memory ---------------------------------------------------------------------------------------------------------

void *xnode_memory(xnode *n, uint64_t iova, uint64_t bytes) {
  return iova >= X_AT && iova - X_AT <= n->bytes && bytes <= n->bytes - (iova - X_AT) ? n->mem + (iova - X_AT) : NULL;
}
uint64_t xnode_iova(const xnode *n, x_part part) { return X_AT + n->part[part]; }
void *xnode_at(xnode *n, x_part part) { return n->mem + n->part[part]; }

// Whole pages go back to the system, which gives empty ones for them: of a thousand nodes' payloads only those under
// way are kept. What is short is used again before that is worth a call.
void xnode_forget(xnode *n, const void *at, uint64_t bytes) {
  const uint64_t from = ((uintptr_t)at + PAGE - 1) / PAGE * PAGE, to = ((uintptr_t)at + bytes) / PAGE * PAGE;
  if (bytes >= LARGE && madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED)) n->bad = true;
}

static bool in_part(const xnode *n, uint64_t pa, x_part part) {
  return pa - X_AT >= n->part[part] && pa - X_AT < n->part[part + 1];
}

static bool mem_read(void *ctx, uint64_t pa, void *buf, size_t bytes) {
  xnode *n = ctx;
  const void *p = xnode_memory(n, pa, bytes);
  if (in_part(n, pa, X_TABLES))
    n->did->loads++;
  else
    n->did->reads++;
  if (p) memcpy(buf, p, bytes);
  return p;
}

static bool mem_write(void *ctx, uint64_t pa, const void *buf, size_t bytes) {
  xnode *n = ctx;
  void *p = xnode_memory(n, pa, bytes);
  if (in_part(n, pa, X_EVENTS)) n->did->events++;
  if (pa == xnode_iova(n, X_INDICES) + X_BELL && bytes == 8) {
    n->did->rang = true;
    memcpy(&n->did->bell, buf, 8);
  }
  if (p) memcpy(p, buf, bytes);
  return p;
}

static int table_read(void *ctx, uint64_t pa, uint64_t *value) {
  const void *p = xnode_memory(ctx, pa, 8);
  if (p) memcpy(value, p, 8);
  return !p;
}
static int table_write(void *ctx, uint64_t pa, uint64_t value) {
  void *p = xnode_memory(ctx, pa, 8);
  if (p) memcpy(p, &value, 8);
  return !p;
}
static const aa_table_ops table_ops = {table_read, table_write};

// ---- what the model does --------------------------------------------------------------------------------------------

static void see(void *ctx, tocsin_model_where where, unsigned port, const tlp *t) {
  xnode *n = ctx;
  (void)port, (void)t;
  if (where == TOCSIN_MODEL_DEV_REQ) n->did->accesses++;
}

static x_frame *spare;  // of all nodes: their devices are one thread

x_frame *x_frame_new(void) {
  x_frame *f = spare;
  if (f) spare = f->next;
  return f ? f : malloc(sizeof *f);
}
void x_frame_free(x_frame *f) {
  f->next = spare;
  spare = f;
}

// Opcodes 0Dh to 12h are answers; the base transport header follows Ethernet, IPv4 and UDP.
static void frame(void *ctx, const uint8_t *bytes, size_t size) {
  xnode *n = ctx;
  x_frame *f = x_frame_new();
  if (!f || size > X_FRAME) {
    n->bad = true;
    return;
  }
  f->next = NULL;
  f->n = (unsigned)size;
  memcpy(f->bytes, bytes, size);
  f->answer = bytes[42] >= 0x0d && bytes[42] <= 0x12;
  *n->did->tail = f;
  n->did->tail = &f->next;
}

static const tocsin_model_ops model_ops = {mem_read, mem_write, NULL, frame, NULL, see};

static uint64_t counter(xnode *n, unsigned which) {
  uint64_t v = 0;
  if (tocsin_model_reg_read(n->m, AA_REG_CNT + 8 * which, 8, &v) != TOCSIN_MODEL_OK) n->bad = true;
  return v;
}

static void begin(xnode *n, x_did *did) {
  *did = (x_did){.tail = &did->out};
  n->did = did;
}

static void end(xnode *n) {
  if (tocsin_model_run(n->m, NULL) != TOCSIN_MODEL_OK) n->bad = true;
  uint64_t walks = counter(n, AA_CNT_WALKS_ENDED);
  n->did->walks = (unsigned)(walks - n->walks);
  n->walks = walks;
  n->did = &n->none;
}

void xnode_ring(xnode *n, unsigned qp, x_did *did) {
  begin(n, did);
  x_reg(n, X_NREG_AT(QP_PROD, qp), ++n->rung[qp] & 0xffff);
  end(n);
}

void xnode_take(xnode *n, const x_frame *f, x_did *did) {
  begin(n, did);
  if (tocsin_model_rx(n->m, f->bytes, f->n, false) != TOCSIN_MODEL_OK) n->bad = true;
  end(n);
}

bool xnode_refused(xnode *n) {
  return n->bad || counter(n, AA_CNT_STOCK) || counter(n, AA_CNT_WALK_FAULTS) || tocsin_model_pending(n->m);
}

// ---- life -----------------------------------------------------------------------------------------------------------

static uint64_t up(uint64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

static void lay_out(xnode *n) {
  const x_sizes *z = &n->z;
  uint64_t size[X_PARTS] = {32ull << z->log2_events,
                            64ull << z->log2_packets,
                            2 * X_BELL,
                            sizeof(aql_signal) * z->qps,
                            (uint64_t)X_ARGS << z->log2_packets,
                            (64ull * z->qps) << z->log2_entries,
                            ((uint64_t)X_SLOT * z->qps) << z->log2_entries,
                            z->vector,
                            z->staging,
                            0};
  uint64_t at = 0;
  for (unsigned i = 0; i < X_TABLES; i++) {
    n->part[i] = at;
    at += up(size[i]);
  }
  n->part[X_TABLES] = at;
  n->bytes = n->part[X_PARTS] = at + PAGE * (16 + at / PAGE / 512);
}

static bool translate(xnode *n) {
  aa_table t;
  uint64_t tree;
  uint64_t pages = n->part[X_TABLES] / PAGE;
  if (aa_table_init(&t, &table_ops, n, xnode_iova(n, X_TABLES), X_AT + n->bytes)) return false;
  if (aa_table_domain(&t, &tree) || aa_table_set_context(&t, RID, &(aa_context){.table = tree, .did = 1})) return false;
  if (aa_table_map_range(&t, tree, X_AT, 1, &(aa_leaf){.pa = X_AT, .r = true, .w = true}, pages)) return false;
  return tocsin_model_reg_write(n->m, AA_REG_RTADDR, 8, t.root) == TOCSIN_MODEL_OK &&
         tocsin_model_reg_write(n->m, AA_REG_GCMD, 4, AA_GCMD_SRTP_MASK) == TOCSIN_MODEL_OK &&
         tocsin_model_reg_write(n->m, AA_REG_GCMD, 4, AA_GCMD_TE_MASK) == TOCSIN_MODEL_OK;
}

static void set_up(xnode *n) {
  const x_sizes *z = &n->z;
  x_reg(n, X_NREG(NIC_MAC), X_MAC + n->id);
  x_reg(n, X_NREG(NIC_IP), X_IP + n->id);
  x_reg(n, X_NREG(NIC_QPN), X_QPN + n->id);
  x_reg(n, X_NREG(NIC_RID), RID);
  x_reg(n, X_NREG(EQ_BASE), xnode_iova(n, X_EVENTS));
  x_reg(n, X_NREG(EQ_CTL), NIC_EQ_CTL_EN_MASK | z->log2_events);
  for (unsigned i = 0; i < 2; i++) {
    x_reg(n, X_NREG_AT(MR_BASE, i), xnode_iova(n, i ? X_STAGING : X_VECTOR));
    x_reg(n, X_NREG_AT(MR_LEN, i), i ? z->staging : z->vector);
    x_reg(n, X_NREG_AT(MR_KEY, i), NIC_MR_KEY_EN_MASK | NIC_MR_KEY_W_MASK | X_KEY | i);
  }
  uint8_t *ring = xnode_at(n, X_RING);
  for (unsigned i = 0; i < 1u << z->log2_packets; i++) ring[64 * i] = AQL_INVALID;
}

xnode *xnode_new(unsigned id, const x_sizes *z, const char **why) {
  tocsin_model_config cfg;
  xnode *n = calloc(1, sizeof *n);
  *why = "out of memory";
  if (!n) return NULL;
  n->id = id;
  n->z = *z;
  n->did = &n->none;
  n->none.tail = &n->none.out;
  lay_out(n);
  n->mem = mmap(NULL, n->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (n->mem == MAP_FAILED) n->mem = NULL;
  tocsin_model_config_default(&cfg);
  cfg.nic.NumQps = X_QPS;
  cfg.nic.Frames = FRAMES;
  cfg.aa.IotlbEntries = IOTLB;
  cfg.aa.PscEntries = PSC;
  struct mallinfo2 before = mallinfo2();
  tocsin_model_status s = n->mem ? tocsin_model_new(&cfg, &model_ops, n, &n->m) : TOCSIN_MODEL_E_NOMEM;
  struct mallinfo2 after = mallinfo2();
  n->model_bytes = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
  if (s == TOCSIN_MODEL_OK && translate(n)) {
    set_up(n);
    if (!n->bad) return n;
    *why = "the model refuses a register";
  } else if (s != TOCSIN_MODEL_OK) {
    *why = tocsin_model_strstatus(s);
  }
  xnode_free(n);
  return NULL;
}

void xnode_free(xnode *n) {
  if (!n) return;
  tocsin_model_free(n->m);
  if (n->mem) munmap(n->mem, n->bytes);
  free(n);
}
size_t xnode_bytes(const xnode *n) { return n->model_bytes + sizeof *n; }
