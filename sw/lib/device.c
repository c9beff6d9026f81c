// SPDX-License-Identifier: Apache-2.0
// One device: probe, bring-up, invalidation.
#include <stdlib.h>

#include "frames.h"
#include "internal.h"

enum {
  ROOT_BYTES = 64 * PAGE, /* root and context tables */
  STATUS_AT = PAGE,       /* of the status words, behind the queue of one page */
  POINTERS_AT = STATUS_AT + 512,
  QUEUE_BYTES = 2 * PAGE,
  CPL_LOG2 = 21,   /* cycles: 8 ms */
  FLUSH_LOG2 = 19, /* 2 ms */
  WDOG_LOG2 = 24,  /* 67 ms */
  QUEUED = 64      /* invalidations at once, each up to 3 of the queue's 256 descriptors */
};

// ---- tables
static int word_read(void *ctx, uint64_t addr, uint64_t *v) {
  const toc_tables *t = ctx;
  if (addr < t->m.bus || addr - t->m.bus > t->m.bytes - 8) return -1;
  *v = toc_load((const volatile uint64_t *)(const void *)((const uint8_t *)t->m.ptr + (addr - t->m.bus)));
  return 0;
}

static int word_write(void *ctx, uint64_t addr, uint64_t v) {
  const toc_tables *t = ctx;
  if (addr < t->m.bus || addr - t->m.bus > t->m.bytes - 8) return -1;
  toc_store((volatile uint64_t *)(void *)((uint8_t *)t->m.ptr + (addr - t->m.bus)), v);
  return 0;
}

toc_status toc_i_tables_make(toc_i_node *n, size_t bytes, toc_tables *t) {
  static const aa_table_ops ops = {word_read, word_write};
  TRY(toc_i_dma_alloc(n, bytes, PAGE, &t->m));
  aa_table_status s = aa_table_init(&t->t, &ops, t, t->m.bus, t->m.bus + t->m.bytes);
  return s == AA_TABLE_OK ? TOC_OK : toc_i_fail(TOC_E_NOMEM, "page tables: %s", aa_table_strstatus(s));
}

void toc_i_tables_free(toc_i_node *n, toc_tables *t) {
  if (t->m.ptr) toc_i_dma_free(n, &t->m);
  t->m.ptr = NULL;
}

// ---- waiting for registers
typedef struct reg_wait {
  toc_i_node *n;
  uint32_t addr;
  unsigned size;
  uint64_t mask, want, last;
  toc_status s;
} reg_wait;

static bool reg_is(void *ctx) {
  reg_wait *w = ctx;
  w->s = toc_i_read(w->n, w->addr, w->size, &w->last);
  return w->s != TOC_OK || (w->last & w->mask) == w->want;
}

toc_status toc_i_wait_reg(toc_i_node *n, uint32_t addr, unsigned size, uint64_t mask, uint64_t want, const char *what) {
  reg_wait w = {.n = n, .addr = addr, .size = size, .mask = mask, .want = want};
  toc_status s = toc_i_wait(n->f, reg_is, &w, 0, false);
  if (s == TOC_OK) return w.s;
  n->f->dead = n->f->dead || s == TOC_E_DEAD;
  return toc_i_fail(s == TOC_E_TIMEOUT ? TOC_E_DEAD : s, "node %u: %s: register 0x%x stays 0x%llx", n->rank, what, addr,
                    (unsigned long long)w.last);
}

typedef struct ending {
  toc_i_node *n;
  uint64_t now; /* AA_RESET */
  toc_status s;
} ending;

static bool is_ended(void *ctx) {
  ending *e = ctx;
  e->s = toc_i_read(e->n, AA_REG_AA_RESET, 8, &e->now);
  return e->s != TOC_OK || !(e->now & AA_AA_RESET_GO_MASK);
}

static toc_status requester_end(toc_i_node *n, uint16_t rid, uint64_t timeout_us) {
  ending e = {.n = n};
  bool asked = !is_ended(&e) && (e.now & AA_AA_RESET_RID_MASK) == rid; /* by a call before */
  toc_status s = e.s;
  for (unsigned turn = asked; turn < 2 && s == TOC_OK; turn++) { /* the device takes one at a time */
    s = toc_i_wait(n->f, is_ended, &e, timeout_us, true);
    if (s == TOC_OK) s = e.s;
    if (s == TOC_OK && !turn) s = toc_i_write64(n, AA_REG_AA_RESET, AA_AA_RESET_GO_MASK | rid);
  }
  return s == TOC_E_TIMEOUT
             ? toc_i_fail(s, "node %u: requester %04x has not ended", n->rank, (unsigned)(e.now & AA_AA_RESET_RID_MASK))
             : s;
}

toc_status toc_requester_end(toc_node *h_n, uint16_t requester, uint64_t timeout_us) {
  OBJECT(node, n);
  toc_i_lock(n->f);
  toc_status s = TOC_OK;
  for (unsigned i = 0; i < PROCS; i++)
    if (n->proc[i] && n->proc[i]->rid == requester)
      s = toc_i_fail(TOC_E_IN_USE, "requester %04x is that of an open process", requester);
  if (s == TOC_OK) s = requester_end(n, requester, timeout_us);
  toc_i_unlock(n->f);
  return s;
}

// ---- probe
static toc_status refuse(toc_i_node *n, const char *what, uint64_t got) {
  return toc_i_fail(TOC_E_DEVICE, "node %u: %s (0x%llx)", n->rank, what, (unsigned long long)got);
}

static toc_status probe(toc_i_node *n) {
  uint64_t ver, cap, ecap, id, aa, nid, nic;
  TRY(toc_i_read(n, AA_REG_VER, 4, &ver));
  if (ver == 0xffffffffu) return toc_i_fail(TOC_E_DEAD, "node %u: registers read all ones: no device", n->rank);
  if (ver != AA_RESET_VER) return refuse(n, "VER is not that of a VT-d IOMMU, version 1.0", ver);
  TRY(toc_i_read(n, AA_REG_CAP, 8, &cap));
  if (!(cap & 4ull << AA_CAP_SAGAW_LSB)) return refuse(n, "CAP: no tables of 4 levels", cap);
  if ((cap & AA_CAP_MGAW_MASK) >> AA_CAP_MGAW_LSB != 47) return refuse(n, "CAP: addresses are not of 48 bits", cap);
  TRY(toc_i_read(n, AA_REG_ECAP, 8, &ecap));
  if (!(ecap & AA_ECAP_QI_MASK)) return refuse(n, "ECAP: no queued invalidation", ecap);
  TRY(toc_i_read(n, AA_REG_AA_ID, 8, &id));
  if (id << 16 != AA_RESET_AA_ID << 16) return refuse(n, "AA_ID: a VT-d IOMMU without Active Access", id);
  if (id != AA_RESET_AA_ID) return refuse(n, "AA_ID: a version that this driver does not know", id);
  TRY(toc_i_read(n, AA_REG_AA_CAP, 8, &aa));
  n->caps.logs = (unsigned)(aa & 255);
  n->caps.log_depth = (unsigned)(aa >> 8 & 255);
  n->caps.flush_pages = (unsigned)(aa >> 32 & 255);
  n->caps.flush_waiters = (unsigned)(aa >> 40 & 255);
  n->caps.scratch_words = (unsigned)(aa >> 48 & 255);
  if (!n->caps.logs || n->caps.logs > LOGS) return refuse(n, "AA_CAP: no access logs, or more than 32", aa);
  if (n->caps.flush_pages > FLUSH_PAGES) return refuse(n, "AA_CAP: more flush pages than registers", aa);
  TRY(toc_i_read(n, NREG(NIC_ID), 8, &nid));
  if ((uint32_t)nid != (uint32_t)NIC_RESET_NIC_ID) return refuse(n, "NIC_ID: no NIC behind bit 20", nid);
  if (nid != NIC_RESET_NIC_ID) return refuse(n, "NIC_ID: a version that this driver does not know", nid);
  TRY(toc_i_read(n, NREG(NIC_CAP), 8, &nic));
  n->caps.places = (unsigned)((nic & NIC_NIC_CAP_QPS_MASK) >> NIC_NIC_CAP_QPS_LSB);
  n->caps.procs = (unsigned)((nic & NIC_NIC_CAP_PROCS_MASK) >> NIC_NIC_CAP_PROCS_LSB);
  n->caps.regions = (unsigned)((nic & NIC_NIC_CAP_MRS_MASK) >> NIC_NIC_CAP_MRS_LSB);
  n->caps.table_entries = 1u << ((nic & NIC_NIC_CAP_TABLE_MASK) >> NIC_NIC_CAP_TABLE_LSB);
  n->caps.recv_buffers = (unsigned)((nic & NIC_NIC_CAP_RECV_MASK) >> NIC_NIC_CAP_RECV_LSB);
  const unsigned log2 = (unsigned)((nic & NIC_NIC_CAP_CTX_MASK) >> NIC_NIC_CAP_CTX_LSB);
  if (!n->caps.procs || n->caps.procs > PROCS || !n->caps.places || n->caps.places > QP_PLACES || !n->caps.regions ||
      n->caps.regions > REGIONS)
    return refuse(n, "NIC_CAP: no processes, queue pairs or regions, or more than registers", nic);
  if (log2 && (1u << log2 > QP_CONTEXTS || n->caps.places < 2))
    return refuse(n, "NIC_CAP: more contexts than numbers, or one place for them", nic);
  n->ctx.number = log2 ? 1u << log2 : 0;
  n->caps.qps = log2 ? n->ctx.number - 1 : n->caps.places;
  if (n->caps.qps < n->f->o.qps)
    return toc_i_fail(TOC_E_SUPPORT, "node %u: it has %u queue pairs, not %u", n->rank, n->caps.qps, n->f->o.qps);
  return TOC_OK;
}

// ---- what an earlier user left
static toc_status command(toc_i_node *n, uint32_t set, uint32_t one_shot, uint64_t mask, uint64_t want) {
  TRY(toc_i_write(n, AA_REG_GCMD, 4, set | one_shot));
  return toc_i_wait_reg(n, AA_REG_GSTS, 4, mask, want, "global command");
}

static toc_status tables_clear(toc_i_node *n) {
  for (unsigned i = 0; i < 4; i++) TRY(toc_i_write64(n, NREG(XT_W) + 8 * i, 0));
  for (unsigned p = 0; p < n->caps.procs; p++)
    for (unsigned t = 0; t < 3; t++)
      for (unsigned i = 0; i < n->caps.table_entries; i++) {
        TRY(toc_i_write64(n, NREG(XT_CMD), i | t << NIC_XT_CMD_TABLE_LSB | p << NIC_XT_CMD_PROC_LSB));
        TRY(toc_i_wait_reg(n, NREG(XT_STS), 8, NIC_XT_STS_BUSY_MASK, 0, "table command"));
      }
  return TOC_OK;
}

/* What an earlier user has left: no frame brings a context in any more, and each is closed. */
static toc_status contexts_clear(toc_i_node *n) {
  uint64_t is = 0;
  if (!n->ctx.number) return TOC_OK;
  TRY(toc_i_read(n, NREG(NIC_CTX), 8, &is));
  if (!(is & NIC_NIC_CTX_EN_MASK)) return TOC_OK;
  TRY(toc_i_write64(n, NREG(NIC_MAC), 0));
  for (unsigned i = 0; i < n->ctx.number; i++) {
    TRY(toc_i_wait_reg(n, NREG(NIC_CLOSE), 8, NIC_NIC_CLOSE_BUSY_MASK, 0, "close of a context that was left open"));
    TRY(toc_i_write64(n, NREG(NIC_CLOSE), i));
  }
  TRY(toc_i_wait_reg(n, NREG(NIC_CLOSE), 8, NIC_NIC_CLOSE_BUSY_MASK, 0, "close of a context that was left open"));
  TRY(toc_i_write64(n, NREG(NIC_CTX), 0));
  TRY(toc_i_read(n, NREG(NIC_CTX), 8, &is));
  return is ? toc_i_fail(TOC_E_DEAD, "node %u: contexts that were left stay on (0x%llx)", n->rank,
                         (unsigned long long)is)
            : TOC_OK;
}

/* Off, and to begin afresh: from where one goes on may have been written of one that was never turned on (QPR-9), by a
 * load of a context as well (CTX-13). */
static toc_status queue_pair_clear(toc_i_node *n, unsigned i) {
  TRY(toc_i_write64(n, NREG_AT(QP_CTL, i), 0));
  TRY(toc_i_write64(n, NREG_AT(QP_BEGIN, i), 0));
  TRY(toc_i_write64(n, NREG_AT(QP_BEGIN_MSG, i), 0));
  TRY(toc_i_write64(n, NREG_AT(QP_BEGIN_VA, i), 0));
  return toc_i_write64(n, NREG_AT(QP_BEGIN_REST, i), 0);
}

static toc_status tear_down(toc_i_node *n) {
  uint64_t gsts, v;
  TRY(toc_i_read(n, AA_REG_GSTS, 4, &gsts));
  TRY(contexts_clear(n));
  for (unsigned i = 0; i < n->caps.places; i++) TRY(queue_pair_clear(n, i));
  for (unsigned i = 0; i < n->caps.regions; i++) TRY(toc_i_write64(n, NREG_AT(MR_KEY, i), 0));
  for (unsigned i = 0; i < n->caps.procs; i++) {
    TRY(toc_i_write64(n, NREG_AT(EQ_CTL, i), 0));
    TRY(toc_i_write64(n, NREG_AT(RB_DROP, i), 0));
  }
  for (unsigned i = 0; i < n->caps.logs; i++) {
    TRY(toc_i_write64(n, NREG_AT(XT_LOG, i), 0));
    TRY(toc_i_read(n, REG_AT(LOG_CFG, i), 8, &v));
    if (!(v & AA_LOG_CFG_EN_MASK)) continue;
    TRY(toc_i_write64(n, REG_AT(LOG_CFG, i), 0));
    TRY(toc_i_wait_reg(n, REG_AT(LOG_STS, i), 8, AA_LOG_STS_EN_MASK | AA_LOG_STS_CLOSING_MASK, 0,
                       "tear-down of a log that was left open"));
  }
  for (unsigned i = 0; i < n->caps.flush_pages; i++) TRY(toc_i_write64(n, REG_AT(AA_FLP, i), 0));
  if (!(gsts & (AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK))) return TOC_OK;
  TRY(tables_clear(n));
  return command(n, 0, 0, AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK, 0);
}

// ---- bring-up
static toc_status iommu_up(toc_i_node *n) {
  uint64_t addr;
  uint32_t data;
  int fd;
  TRY(toc_i_tables_make(n, ROOT_BYTES, &n->root));
  TRY(toc_i_dma_alloc(n, QUEUE_BYTES, PAGE, &n->queue));
  TRY(toc_i_write64(n, AA_REG_RTADDR, n->root.t.root));
  TRY(command(n, 0, AA_GCMD_SRTP_MASK, AA_GSTS_RTPS_MASK, AA_GSTS_RTPS_MASK));
  TRY(toc_i_write64(n, AA_REG_IQT, 0));
  TRY(toc_i_write64(n, AA_REG_IQA, n->queue.bus));
  TRY(command(n, AA_GCMD_QIE_MASK, 0, AA_GSTS_QIES_MASK, AA_GSTS_QIES_MASK));
  TRY(toc_i_invalidate(n, 0, 0, 0));
  TRY(command(n, AA_GCMD_QIE_MASK | AA_GCMD_TE_MASK, 0, AA_GSTS_TES_MASK, AA_GSTS_TES_MASK));
  TRY(toc_i_write(n, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK));
  unsigned flush_log2 = toc_i_timeout_log2(n->f) - 1; /* shorter than QP_CTL.TIMEOUT, and than NIC_CPL_TMO */
  TRY(toc_i_write(n, AA_REG_AA_FLUSH_TMO, 4, 1u << (flush_log2 < FLUSH_LOG2 ? flush_log2 : FLUSH_LOG2)));
  TRY(toc_i_write(n, AA_REG_AA_CPL_TMO, 4, 1u << 22));
  TRY(toc_i_write(n, AA_REG_AA_WDOG, 4, 1u << WDOG_LOG2));
  TRY(toc_i_write64(n, AA_REG_AA_ERR_STS, AA_AA_ERR_STS_VALID_MASK));
  TRY(toc_i_vector(n, VEC_FAULT, &fd, &addr, &data));
  if (fd >= 0) {
    n->fault_fd = fd + 1;
    TRY(toc_i_write(n, AA_REG_FEDATA, 4, data));
    TRY(toc_i_write(n, AA_REG_FEADDR, 4, (uint32_t)addr));
    TRY(toc_i_write(n, AA_REG_FEUADDR, 4, addr >> 32));
    TRY(toc_i_write(n, AA_REG_FECTL, 4, 0));
  }
  return TOC_OK;
}

void toc_i_node_address(const toc_i_node *n, toc_address *a) {
  const toc_i_fabric *f = n->f;
  uint32_t rank = n->rank + f->o.rank0;
  *a = (toc_address){.mac = 0x02544f430000u | (rank & 0xffff),
                     .ip = 0x0a540000u | (rank & 0xffff),
                     .qp = (0x100 + (rank & 0xff)) << (n->ctx.number ? 12 : 8)};
  toc_i_link_local(a->mac, a->ip6);
  if (f->be->who) (void)f->be->who(f->self, a);
}

static toc_status nic_up(toc_i_node *n) {
  toc_address a;
  toc_i_node_address(n, &a);
  TRY(toc_i_write64(n, NREG(NIC_MAC), a.mac));
  TRY(toc_i_write64(n, NREG(NIC_IP), a.ip));
  TRY(toc_i_write64(n, NREG(NIC_IP6_HI), toc_i_be64(a.ip6)));
  TRY(toc_i_write64(n, NREG(NIC_IP6_LO), toc_i_be64(a.ip6 + 8)));
  TRY(toc_i_write64(n, NREG(NIC_QPN), a.qp >> 8));
  TRY(toc_i_write64(n, NREG(NIC_RID), RID0));
  TRY(toc_i_write64(n, NREG(NIC_TICK), 10 * n->f->be->mhz));
  /* By the clock a handler may be late by more than the 8 ms: a read that waits for its log ends by the watchdog. */
  TRY(toc_i_write64(n, NREG(NIC_CPL_TMO), 1u << (n->f->linked ? WDOG_LOG2 + 1 : CPL_LOG2)));
  return toc_i_write64(n, NREG(NIC_TAG_FREE), 1);
}

toc_status toc_i_node_up(toc_i_node *n) {
  TRY(probe(n));
  n->qp = calloc(n->caps.qps, sizeof *n->qp);
  if (!n->qp) return toc_i_fail(TOC_E_NOMEM, "toc_open: no memory");
  if (n->f->o.registers_only) return TOC_OK;
  TRY(tear_down(n));
  TRY(iommu_up(n));
  TRY(nic_up(n));
  n->up = true;
  return TOC_OK;
}

void toc_i_node_down(toc_i_node *n) {
  toc_i_fabric *f = n->f;
  if (!f) return;
  if (n->up && !f->dead) (void)command(n, 0, 0, AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK, 0);
  if (n->queue.ptr) toc_i_dma_free(n, &n->queue);
  toc_i_tables_free(n, &n->root);
  free(n->qp);
  n->qp = NULL;
}

toc_status toc_i_translate(toc_i_proc *p, uint64_t pages) {
  toc_i_node *n = p->n;
  TRY(toc_i_tables_make(n, pages * PAGE, &p->tables));
  aa_table_status s = aa_table_domain(&p->tables.t, &p->level4);
  aa_context c = {.table = p->level4, .did = p->did, .aa = true};
  if (s == AA_TABLE_OK) s = aa_table_set_context(&n->root.t, p->rid, &c);
  return s == AA_TABLE_OK ? TOC_OK : toc_i_fail(TOC_E_NOMEM, "page tables: %s", aa_table_strstatus(s));
}

volatile uint64_t *toc_i_pointer_word(toc_i_node *n, unsigned log, uint64_t *bus) {
  *bus = n->queue.bus + POINTERS_AT + 8 * log;
  return (volatile uint64_t *)(void *)((uint8_t *)n->queue.ptr + POINTERS_AT + 8 * log);
}

// ---- invalidation queue: 256 descriptors of 16 bytes
static void push(toc_i_node *n, uint64_t lo, uint64_t hi) {
  uint8_t *p = (uint8_t *)n->queue.ptr + n->iq_tail;
  toc_i_put(p, 8, lo);
  toc_i_put(p + 8, 8, hi);
  n->iq_tail = (n->iq_tail + 16) % PAGE;
}

/* Wait descriptors end in order, each writes its number into the same word: who waits for one waits for that
 * number or a later one. */
typedef struct inval_wait {
  const volatile uint64_t *word;
  uint32_t number;
} inval_wait;

static bool is_invalidated(void *ctx) {
  const inval_wait *w = ctx;
  return (int32_t)((uint32_t)toc_load(w->word) - w->number) >= 0;
}

toc_status toc_i_invalidate(toc_i_node *n, uint16_t did, uint64_t iova, uint64_t pages) {
  /* 1: context, 2: IOTLB, 5: wait. */
  uint64_t what = pages == 1 ? 3 : did ? 2 : 1;
  inval_wait w = {(const volatile uint64_t *)(void *)((uint8_t *)n->queue.ptr + STATUS_AT), n->waits - QUEUED};
  if (n->waits >= QUEUED && toc_i_wait(n->f, is_invalidated, &w, 0, false) != TOC_OK)
    goto dead; /* the queue never fills */
  if (!pages) push(n, 1 | (uint64_t)(did ? 2 : 1) << 4 | (uint64_t)did << 16, 0);
  push(n, 2 | what << 4 | 0xc0 | (uint64_t)did << 16, pages == 1 ? iova & ~0xfffull : 0);
  w.number = ++n->waits;
  push(n, 0x25 | (uint64_t)w.number << 32, n->queue.bus + STATUS_AT);
  TRY(toc_i_write(n, AA_REG_IQT, 4, n->iq_tail));
  if (toc_i_wait(n->f, is_invalidated, &w, 0, false) == TOC_OK) return TOC_OK;
dead: /* one that does not complete tells of a dead device */
  n->f->dead = true;
  return toc_i_fail(TOC_E_DEAD, "node %u: an invalidation has not ended: its status word stays %llu", n->rank,
                    (unsigned long long)toc_load(w.word));
}
