// SPDX-License-Identifier: Apache-2.0
// What the tests of the NIC's model share: nodes with memory for each process, software's view of their registers and
// rings, and frames that peers (also hostile ones) build by hand.
#ifndef TOCSIN_TEST_NIC_WORLD_H
#define TOCSIN_TEST_NIC_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/nic.h"
#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"

enum { PROCS = 4, MEM = 1 << 20, RID = 0x0200, FRAMES = 4096, ASKS = 256, WRITES = 4096 };

typedef struct wire_frame {
  size_t n;
  uint8_t b[NIC_FRAME_MAX];
} wire_frame;

typedef struct ask {  // a read that memory has not answered
  nic_job j;
} ask;

typedef struct done_write {
  nic_job j;
  uint8_t head[64];
} done_write;

typedef struct node {
  nic *m;
  nic_config cfg;
  unsigned id;
  uint8_t *mem[PROCS];
  wire_frame *out;  // ring of FRAMES
  uint32_t out_head, out_tail;
  ask asks[ASKS];
  unsigned num_asks;
  bool late;        // answers come when answer_one is called
  uint64_t bad_va;  // reads of this address fail
  uint64_t absent;  // reads of this one are refused, if it is not 0
  done_write *wr;   // ring of WRITES
  uint32_t writes, src_writes[NIC_SRC_NUM], early;
  uint32_t outside;  // accesses beyond memory, or by no process
  unsigned tasks_done;
  uint32_t eq_seen[PROCS];
  uint16_t prod[256];
  uint64_t contexts;                                                       // NIC_CTX: queue pairs are contexts, or 0
  void (*hear)(struct node *, int what, const void *p, const void *data);  // records a run
  void *hears;
} node;

enum { HEAR_RECORD, HEAR_WRITE, HEAR_READ, HEAR_FRAME, HEAR_RX, HEAR_TASK_DONE };

static inline uint64_t get64(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 8; i-- > 0;) v = v << 8 | p[i];
  return v;
}
static inline uint32_t get32(const uint8_t *p) {
  return (uint32_t)(p[0] | p[1] << 8 | p[2] << 16) | (uint32_t)p[3] << 24;
}
static inline void put64(uint8_t *p, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}
static inline void put32(uint8_t *p, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static uint8_t *place(node *n, const nic_job *j) {
  unsigned p = (unsigned)(j->rid - RID);
  if (p >= PROCS || j->va > MEM || j->n > MEM - j->va) {
    n->outside++;
    return NULL;
  }
  return n->mem[p] + j->va;
}

static void answer(node *n, const nic_job *j) {
  if (n->absent && j->va == n->absent) {
    if (nic_read_refused(n->m, j->src, j->n) != NIC_OK) failed++;
    return;
  }
  uint8_t *p = j->va == n->bad_va ? NULL : place(n, j), was[8];
  if (n->hear) n->hear(n, HEAR_READ, j, p);
  if (!p || j->op == NIC_JOB_READ) {
    if (nic_read_done(n->m, j->src, p, j->n, !p) != NIC_OK) failed++;
    return;
  }
  memcpy(was, p, 8);
  if (j->op == NIC_JOB_FETCH_ADD) put64(p, get64(was) + j->swap);
  if (j->op == NIC_JOB_CAS && get64(was) == j->compare) put64(p, j->swap);
  if (nic_read_done(n->m, j->src, was, 8, false) != NIC_OK) failed++;
}

static void on_read(void *ctx, const nic_job *j) {
  node *n = ctx;
  if (!n->late) {
    answer(n, j);
  } else if (n->num_asks < ASKS) {
    n->asks[n->num_asks++].j = *j;
  } else {
    failed++;
  }
}

// Answers the k-th waiting read, or an older one of its source.
static inline void answer_one(node *n, unsigned k) {
  if (!n->num_asks) return;
  unsigned src = n->asks[k % n->num_asks].j.src;
  for (unsigned i = 0; i < n->num_asks; i++) {
    if (n->asks[i].j.src != src) continue;
    nic_job j = n->asks[i].j;
    memmove(&n->asks[i], &n->asks[i + 1], (--n->num_asks - i) * sizeof *n->asks);
    answer(n, &j);
    return;
  }
}

static void on_write(void *ctx, const nic_job *j, const void *data) {
  node *n = ctx;
  uint8_t *p = place(n, j);
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    if ((int32_t)(n->src_writes[s] - j->after[s]) < 0) n->early++;
  n->src_writes[j->src]++;
  done_write *w = &n->wr[n->writes++ % WRITES];
  w->j = *j;
  memset(w->head, 0, sizeof w->head);
  memcpy(w->head, data, j->n < 64 ? j->n : 64);
  if (p) memcpy(p, data, j->n);
  if (n->hear) n->hear(n, HEAR_WRITE, j, data);
}

static void on_frame(void *ctx, const uint8_t *b, size_t len) {
  node *n = ctx;
  if (n->out_tail - n->out_head == FRAMES) return;  // lost on the wire
  wire_frame *f = &n->out[n->out_tail++ % FRAMES];
  f->n = len;
  memcpy(f->b, b, len);
  if (n->hear) n->hear(n, HEAR_FRAME, &f->n, b);
}

static void on_task_done(void *ctx, unsigned log) {
  node *n = ctx;
  n->tasks_done |= 1u << log;
  if (n->hear) n->hear(n, HEAR_TASK_DONE, &log, NULL);
}

static void on_record(void *ctx, const nic_retire_rec *r) {
  node *n = ctx;
  if (n->hear) n->hear(n, HEAR_RECORD, r, NULL);
}

static const nic_ops node_ops = {on_write, on_read, on_read, on_frame, on_task_done, on_record};

static inline void wr(node *n, uint32_t addr, uint64_t v) { EQ(nic_reg_write(n->m, addr, v, 255), NIC_OK); }
static inline uint64_t rd(node *n, uint32_t addr) {
  uint64_t v = ~0ull;
  EQ(nic_reg_read(n->m, addr, &v), NIC_OK);
  return v;
}
static inline uint64_t cnt(node *n, unsigned i) { return rd(n, NIC_REG_NIC_CNT + 8 * i); }
static inline unsigned mac_of(unsigned id) { return 0x10 + id; }
static inline uint32_t ip_of(unsigned id) { return 0x0a000001 + id; }

static inline void node_init(node *n, unsigned id, const nic_config *cfg) {
  memset(n, 0, sizeof *n);
  n->id = id;
  n->cfg = *cfg;
  n->bad_va = ~0ull;
  for (unsigned p = 0; p < PROCS; p++) n->mem[p] = calloc(1, MEM);
  n->out = malloc(FRAMES * sizeof *n->out);
  n->wr = malloc(WRITES * sizeof *n->wr);
  EQ(nic_new(cfg, &node_ops, n, &n->m), NIC_OK);
}

static inline void node_free(node *n) {
  nic_free(n->m);
  for (unsigned p = 0; p < PROCS; p++) free(n->mem[p]);
  free(n->out);
  free(n->wr);
}

// Address and requester ids of a node.
static inline void node_on(node *n) {
  wr(n, NIC_REG_NIC_MAC, mac_of(n->id));
  wr(n, NIC_REG_NIC_IP, ip_of(n->id));
  wr(n, NIC_REG_NIC_QPN, 0x100 + n->id);
  wr(n, NIC_REG_NIC_RID, RID);
  wr(n, NIC_REG_NIC_TICK, 100);
}

// Event ring of a process: 2^size events at `base`.
static inline void eq_on(node *n, unsigned p, uint64_t base, unsigned size) {
  wr(n, NIC_REG_EQ_BASE + p * NIC_REG_EQ_BASE_STRIDE, base);
  wr(n, NIC_REG_EQ_CTL + p * NIC_REG_EQ_CTL_STRIDE, NIC_EQ_CTL_EN_MASK | size);
}

typedef struct ev {
  uint8_t kind, status;
  uint16_t qp;
  uint32_t word, len;
  uint64_t addr;
} ev;

// Takes the next event of a process from memory, by its phase bit.
static inline bool take_event(node *n, unsigned p, uint64_t base, unsigned size, ev *e) {
  uint32_t i = n->eq_seen[p];
  const uint8_t *b = n->mem[p] + base + 32 * (i & ((1u << size) - 1));
  if ((b[31] & 1) != !(i >> size & 1)) return false;
  *e = (ev){b[0], b[1], (uint16_t)(b[2] | b[3] << 8), get32(b + 4), get32(b + 8), get64(b + 16)};
  n->eq_seen[p]++;
  wr(n, NIC_REG_EQ_CONS + p * NIC_REG_EQ_CONS_STRIDE, i + 1);
  return true;
}

static inline void region(node *n, unsigned i, uint32_t key, unsigned p, uint64_t base, uint64_t len, uint64_t rights) {
  wr(n, NIC_REG_MR_BASE + i * NIC_REG_MR_BASE_STRIDE, base);
  wr(n, NIC_REG_MR_LEN + i * NIC_REG_MR_LEN_STRIDE, len);
  wr(n, NIC_REG_MR_KEY + i * NIC_REG_MR_KEY_STRIDE,
     NIC_MR_KEY_EN_MASK | rights | (uint64_t)p << NIC_MR_KEY_PROC_LSB | key);
}
enum { KEY = 0xabcd00 };  // the key of region i is KEY | i
#define RWA (NIC_MR_KEY_R_MASK | NIC_MR_KEY_W_MASK | NIC_MR_KEY_A_MASK)

// QP i of process p towards QP `peer` of node `other`; `ctl`: fields beside EN, PROC and PKEY.
static inline void qp_connect(node *n, unsigned i, unsigned p, unsigned other, unsigned peer, uint64_t ring,
                              unsigned size, uint32_t epsn, uint32_t spsn, uint64_t ctl) {
  uint32_t at = i * NIC_REG_QP_CTL_STRIDE;
  wr(n, NIC_REG_QP_CTL + at, 0);
  wr(n, NIC_REG_QP_MAC + at, mac_of(other));
  wr(n, NIC_REG_QP_PEER + at, ip_of(other) | (uint64_t)((0x100 + other) << 8 | peer) << NIC_QP_PEER_QP_LSB);
  wr(n, NIC_REG_QP_PSN + at, epsn | (uint64_t)spsn << NIC_QP_PSN_SPSN_LSB);
  wr(n, NIC_REG_QP_RING + at, ring);
  wr(n, NIC_REG_QP_RINGC + at, size | 0xc000ull << NIC_QP_RINGC_PORT_LSB);
  wr(n, NIC_REG_QP_CTL + at, ctl | 0xffffull << NIC_QP_CTL_PKEY_LSB | p << NIC_QP_CTL_PROC_LSB | 1);
  n->prod[i] = 0;
}
// ---- contexts in memory
enum { CTX_PROC = 3, CTX_TABLE = 0x40000, CTX_SIZE = 2048, CTX_OPEN = 0x80 };
static inline void ctx_on(node *n) {
  n->contexts = CTX_TABLE | CTX_PROC << NIC_NIC_CTX_PROC_LSB | NIC_NIC_CTX_EN_MASK;
  wr(n, NIC_REG_NIC_CTX, n->contexts);
  EQ(rd(n, NIC_REG_NIC_CTX), n->contexts);
}
static inline uint8_t *ctx_at(node *n, unsigned c) { return n->mem[CTX_PROC] + CTX_TABLE + CTX_SIZE * c; }
static inline void ctx_word(node *n, unsigned c, uint32_t reg, uint64_t v) { put64(ctx_at(n, c) + (reg & 255), v); }
static inline uint64_t ctx_says(node *n, unsigned c, uint32_t reg) { return get64(ctx_at(n, c) + (reg & 255)); }

// As qp_connect: context i, whose peer is context `peer` of node `other`.
static inline void ctx_connect(node *n, unsigned i, unsigned p, unsigned other, unsigned peer, uint64_t ring,
                               unsigned size, uint32_t epsn, uint32_t spsn, uint64_t ctl) {
  memset(ctx_at(n, i), 0, CTX_SIZE);
  ctx_word(n, i, NIC_REG_QP_CTL, ctl | 0xffffull << NIC_QP_CTL_PKEY_LSB | p << NIC_QP_CTL_PROC_LSB);
  ctx_word(n, i, NIC_REG_QP_MAC, mac_of(other));
  ctx_word(n, i, NIC_REG_QP_PEER, ip_of(other) | (uint64_t)(0x10000 | peer) << NIC_QP_PEER_QP_LSB);
  ctx_word(n, i, NIC_REG_QP_NOW, epsn | (uint64_t)spsn << NIC_QP_NOW_UNA_LSB);
  ctx_word(n, i, NIC_REG_QP_RING, ring);
  ctx_word(n, i, NIC_REG_QP_RINGC, size | 0xc000ull << NIC_QP_RINGC_PORT_LSB);
  ctx_word(n, i, CTX_OPEN, 1);
  n->prod[i] = 0;
}
#define CTL(mtu, rnr, retry, rnr_retry, timeout)                                                   \
  ((uint64_t)(mtu) << NIC_QP_CTL_MTU_LSB | (uint64_t)(rnr) << NIC_QP_CTL_RNR_LSB |                 \
   (uint64_t)(retry) << NIC_QP_CTL_RETRY_LSB | (uint64_t)(rnr_retry) << NIC_QP_CTL_RNR_RETRY_LSB | \
   (uint64_t)(timeout) << NIC_QP_CTL_TIMEOUT_LSB)

static inline uint64_t qp_sts(node *n, unsigned i) { return rd(n, NIC_REG_QP_STS + i * NIC_REG_QP_STS_STRIDE); }
static inline uint32_t qp_epsn(node *n, unsigned i) {
  return (uint32_t)rd(n, NIC_REG_QP_NOW + i * NIC_REG_QP_NOW_STRIDE) & 0xffffff;
}
static inline uint32_t qp_una(node *n, unsigned i) {
  return (uint32_t)(rd(n, NIC_REG_QP_NOW + i * NIC_REG_QP_NOW_STRIDE) >> NIC_QP_NOW_UNA_LSB);
}

// ---- requests
enum { OP_WRITE, OP_WRITE_IMM, OP_READ, OP_ADD, OP_CAS, OP_XTQ };
typedef struct entry {
  uint8_t op, flags;
  uint16_t proc;
  uint32_t imm, len1, len2, rkey;
  uint64_t va1, va2, remote, swap, compare;
} entry;

static inline void put_entry(uint8_t *b, const entry *e) {
  memset(b, 0, 64);
  b[0] = e->op;
  b[1] = e->flags;
  b[2] = (uint8_t)e->proc;
  b[3] = (uint8_t)(e->proc >> 8);
  put32(b + 4, e->imm);
  put64(b + 8, e->va1);
  put32(b + 16, e->len1);
  put32(b + 20, e->len2);
  put64(b + 24, e->va2);
  put64(b + 32, e->remote);
  put32(b + 40, e->rkey);
  put64(b + 48, e->swap);
  put64(b + 56, e->compare);
}

static inline void post(node *n, unsigned i, unsigned p, uint64_t ring, unsigned size, const entry *e) {
  put_entry(n->mem[p] + ring + 64 * (n->prod[i] & ((1u << size) - 1)), e);
  ++n->prod[i];
  if (n->contexts)
    wr(n, NIC_REG_NIC_BELL, (uint64_t)i << NIC_NIC_BELL_CTX_LSB | n->prod[i]);
  else
    wr(n, NIC_REG_QP_PROD + i * NIC_REG_QP_PROD_STRIDE, n->prod[i]);
}

// ---- frames by hand
static inline nic_head head(node *to, unsigned from, unsigned qp, unsigned opcode, uint32_t psn) {
  nic_head h;
  memset(&h, 0, sizeof h);
  h.mac = mac_of(to->id);
  h.ip = ip_of(to->id);
  h.port = 0xc000;
  h.pkey = 0xffff;
  h.qp = to->contexts ? 0x10000 | qp : (0x100 + to->id) << 8 | qp;
  h.psn = psn & 0xffffff;
  h.opcode = (uint8_t)opcode;
  h.ack_req = true;
  (void)from;
  return h;
}

// A node's NIC hears what `from` says.
static inline void say(node *to, unsigned from, const nic_head *h, const uint8_t *pay) {
  nic_self self = {.mac = mac_of(from), .ip = ip_of(from)};
  uint8_t b[NIC_FRAME_MAX];
  size_t n = nic_frame_build(&self, h, pay, b);
  EQ(nic_rx(to->m, b, n, false), NIC_OK);
}

// The oldest frame that a node has sent. False: none.
static inline bool heard(node *n, nic_head *h, uint8_t *pay) {
  if (n->out_head == n->out_tail) return false;
  wire_frame *f = &n->out[n->out_head++ % FRAMES];
  for (unsigned id = 0; id < 4; id++) {
    nic_self self = {.mac = mac_of(id), .ip = ip_of(id)};
    const uint8_t *p;
    if (nic_frame_parse(&self, f->b, f->n, false, h, &p) != NIC_RX_GOOD) continue;
    if (pay) memcpy(pay, p, h->bytes);
    return true;
  }
  failed++;
  return false;
}

// ---- XTQ
enum { KERNEL, FUNCTION, QUEUE, VALID = 1, HAS_TARGET = 2, MULTI = 1 << 6, MIRROR = 1 << 7, EVENTS = 1 << 8 };
static inline void table(node *n, unsigned p, unsigned t, unsigned index, uint64_t a, uint64_t b, uint64_t c,
                         uint64_t f) {
  uint64_t w[4] = {a, b, c, f};
  for (unsigned i = 0; i < 4; i++) wr(n, NIC_REG_XT_W + 8 * i, w[i]);
  wr(n, NIC_REG_XT_CMD, index | t << NIC_XT_CMD_TABLE_LSB | p << NIC_XT_CMD_PROC_LSB);
  nic_run(n->m);
}
static inline void post_buffer(node *n, unsigned p, uint64_t addr, uint32_t len, uint32_t least) {
  wr(n, NIC_REG_RB_ADDR + p * NIC_REG_RB_ADDR_STRIDE, addr);
  wr(n, NIC_REG_RB_POST + p * NIC_REG_RB_POST_STRIDE, len | (uint64_t)least << NIC_RB_POST_LEAST_LSB);
}
static inline void command(uint8_t *c, unsigned kind, uint64_t code, unsigned queue) {
  memset(c, 0x5a, 64);
  c[0] = kind == KERNEL ? 2 : 4;
  c[1] = 0x14;
  put64(c + (kind == KERNEL ? 32 : 8), code);
  put64(c + 48, queue);
}

// ---- random numbers
static uint64_t rnd_state;
static inline uint32_t rnd(void) {
  rnd_state = rnd_state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(rnd_state >> 33);
}
static inline uint32_t below(uint32_t n) { return rnd() % n; }

#endif
