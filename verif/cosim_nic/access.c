// SPDX-License-Identifier: Apache-2.0
// What the accesses of a NIC meet, whoever it is: memory that software has opened for it or not, that fails, is slow,
// or has a page absent, doorbells and interrupts that are seen, notices of access logs and their ends.
#include <inttypes.h>
#include <string.h>

#include "sw.h"

enum { ABSENT = 12, ABSENT_MOST = 1000, CONTEXTS = 20 /* times as often: reads of contexts */ };

static bool within(uint64_t off, size_t k, uint64_t base, uint64_t size) {
  return off >= base && off - base <= size && k <= size - (off - base);
}

static bool allows(node *n, unsigned proc, uint64_t va, size_t k, bool write) {
  if (!n->sw || n->sw->open) return true;
  uint64_t off = va - sw_va(proc, 0);
  if (n->cfg.Contexts && proc == SW_CTX_PROC) return within(off, k, SW_CONTEXTS, 2048 * n->cfg.Contexts);
  if (!n->sw->p[proc].on) return false;
  if (!write && within(off, k, SW_RING, 0x1000 * SW_QPS)) return true;
  if (write && (within(off, k, SW_EQ, 32ull << n->sw->p[proc].eq_size) || within(off, k, SW_MSI, 4))) return true;
  if (write && within(off, k, SW_POOL, SW_POOLS * SW_POOL_SIZE)) return true;
  for (unsigned q = 0; q < SW_QUEUES; q++) {
    uint64_t base = SW_QUEUE + 0x1000 * q;
    if (write && (within(off, k, base, 64 * n->sw->p[proc].q[q].size) || within(off, k, base + SW_BELL, 8)))
      return true;
    if (within(off, k, base + SW_BLOCK + 56, 8) || (!write && within(off, k, base + SW_BLOCK + 128, 8))) return true;
  }
  return within(off, k, SW_TABLE, 192ull << n->cfg.TableBits) || within(off, k, SW_CELL, SW_CELLS_END - SW_CELL) ||
         within(off, k, SW_LOCAL, 0x20000 * SW_QPS) || within(off, k, SW_REMOTE, 0x20000 * SW_QPS);
}

static bool share_of(uint64_t off, uint64_t base, uint64_t each, unsigned qp) {
  return off >= base + each * qp && off < base + each * (qp + 1);
}

static bool of_qp(uint64_t off, unsigned qp) {
  return share_of(off, SW_RING, 0x1000, qp) || share_of(off, SW_LOCAL, 0x20000, qp) ||
         share_of(off, SW_REMOTE, 0x20000, qp) || share_of(off, SW_CELL, 64, qp);
}

// What lies at an address of one queue pair concerns that one, all else (tables, queues, the common counter)
// the whole process.
static void failed_read(node *n, unsigned src, unsigned proc, uint64_t va) {
  board *b = board_of(n->net);
  uint64_t off = va - sw_va(proc, 0);
  b->failures++;
  if (src == NIC_SRC_CTX) return;  // a bell of it is forgotten, a frame dropped: RetCtx says so
  bool common = true;
  for (unsigned qp = 0; qp < b->qps; qp++) common &= !of_qp(off, qp);
  for (unsigned i = 0; i < b->streams; i++) {
    stream *t = &b->s[i];
    if (t->proc != proc || (!common && !of_qp(off, t->qp))) continue;
    if (src == NIC_SRC_REQ && t->from == n->id) t->read_failed = true;
    if (src != NIC_SRC_REQ && t->to == n->id) t->serve_failed = true;
  }
}

bool sw_drops_read(node *n, unsigned src, unsigned proc, uint64_t va) {
  const board *b = n->sw && !n->sw->open ? board_of(n->net) : NULL;
  const unsigned often = src == NIC_SRC_CTX ? CONTEXTS : 1;
  if (!b || !b->opt.p_fail || rng_below(&n->net->rng, 10000) >= often * b->opt.p_fail) return false;
  failed_read(n, src, proc, va);
  return true;
}

bool sw_absent(node *n, unsigned src, unsigned proc, uint64_t va, size_t k) {
  if (!n->sw || (src != NIC_SRC_READ && src != NIC_SRC_ATOMIC)) return false;
  if (n->sw->open) return node_at(proc, va) < n->sw->absent_hi && node_at(proc, va) + k > n->sw->absent_lo;
  const board *b = board_of(n->net);
  if (!b->opt.p_fail || proc >= b->procs || !sw_paged(n, proc)) return false;
  unsigned p = ABSENT * b->opt.p_fail;
  if (rng_below(&n->net->rng, 10000) >= (p < ABSENT_MOST ? p : ABSENT_MOST)) return false;
  if (src == NIC_SRC_ATOMIC) reach(n, REACH_ABSENT_ATOMIC);
  return true;
}

uint64_t sw_slow(const node *n, unsigned src) {
  return n->sw && (src == NIC_SRC_READ || src == NIC_SRC_ATOMIC) ? n->sw->slow : 0;
}

static bool fails(node *n, unsigned proc, uint64_t va, size_t k) {
  if (!n->sw) return false;
  uint64_t at = node_at(proc, va);
  return at < n->sw->bad_hi && at + k > n->sw->bad_lo;
}

void sw_saw_write(node *n, unsigned proc, uint64_t va, size_t k) {
  if (!n->sw) return;
  uint64_t off = va - sw_va(proc, 0);
  (void)k;
  if (off == SW_MSI) n->sw->p[proc].msi = true;
  if (off < SW_QUEUE || off >= SW_QUEUE + 0x1000 * SW_QUEUES || (off & 0xfff) != SW_BELL) return;
  unsigned q = (unsigned)(off - SW_QUEUE) / 0x1000;
  agent_bell(n, proc, q, node_peek64(n, proc, va));
}

bool node_dma_allowed(node *n, uint16_t rid, uint64_t va, size_t k, bool write) {
  unsigned proc = (unsigned)(rid - NET_RID);
  if (n->net->out || (proc < n->cfg.NumProcs && allows(n, proc, va, k, write))) return true;
  net_fail(n->net, "isolation", "node %u %s %zu bytes at %" PRIx64 " as requester %04x: no software allows that", n->id,
           write ? "writes" : "reads", k, va, rid);
  return false;
}

bool node_dma_write(node *n, uint16_t rid, uint64_t va, const void *p, size_t k) {
  if (!node_dma_allowed(n, rid, va, k, true)) return false;
  unsigned proc = (unsigned)(rid - NET_RID);
  mem_write(n->mem, node_at(proc, va), p, k);
  sw_saw_write(n, proc, va, k);
  return true;
}

bool node_dma_read(node *n, uint16_t rid, uint64_t va, void *p, size_t k) {
  memset(p, 0, k);
  unsigned proc = (unsigned)(rid - NET_RID);
  if (proc < n->cfg.NumProcs && fails(n, proc, va, k)) return false;
  if (!node_dma_allowed(n, rid, va, k, false)) return false;
  mem_read(n->mem, node_at(proc, va), p, k);
  return true;
}

bool node_dma_atomic(node *n, uint16_t rid, uint64_t va, unsigned op, uint64_t swap, uint64_t compare, uint64_t *old) {
  unsigned proc = (unsigned)(rid - NET_RID);
  if (proc < n->cfg.NumProcs && fails(n, proc, va, 8)) return false;
  if (!node_dma_allowed(n, rid, va, 8, true)) return false;
  *old = node_peek64(n, proc, va);
  if (op == NIC_JOB_FETCH_ADD)
    node_poke64(n, proc, va, *old + swap);
  else if (*old == compare)
    node_poke64(n, proc, va, swap);
  return true;
}

void sw_notice(node *n, unsigned log, uint32_t prod, uint32_t cons) {
  if (!n->sw || n->sw->open) return;
  if (log >= SW_LOGS || n->sw->log[log].waits || n->sw->log[log].runs) {
    net_fail(n->net, "aa_notify", "node %u: a notice of log %u, whose task is outstanding", n->id, log);
    return;
  }
  n->sw->log[log].prod = prod;
  n->sw->log[log].cons = cons;
  n->sw->log[log].waits = true;
  n->sw->log[log].sent++;
}

void sw_task_done(node *n, unsigned log) {
  if (!n->sw || n->sw->open) return;
  if (log >= SW_LOGS || !n->sw->log[log].runs || !n->sw->log[log].closing) {
    net_fail(n->net, "xtq_task", "node %u: log %u is re-armed and nobody has said that its task is done", n->id, log);
    return;
  }
  n->sw->log[log].runs = n->sw->log[log].closing = false;
  n->sw->log[log].done++;
}
