// SPDX-License-Identifier: Apache-2.0
// Where the state of a queue pair is, and how it is reached: its page of registers, or, where the NIC has contexts in
// memory, its context there (CTX-2, CTX-3) and the place that it is in now (named.c). All else of software and score
// knows queue pairs by their numbers.
#include <inttypes.h>

#include "sw.h"

enum { CTX_OPEN = 0x80, CTX_MARK = 2, CLOSES = 400000 /* cycles that a close may take */ };

static uint64_t context(unsigned qp, uint32_t reg) {
  return sw_va(SW_CTX_PROC, SW_CONTEXTS + SW_CTX_SIZE * qp + (reg & 255));
}
static uint64_t of_context(node *n, unsigned qp, uint32_t reg) { return node_peek64(n, SW_CTX_PROC, context(qp, reg)); }
static void to_context(node *n, unsigned qp, uint32_t reg, uint64_t v) {
  node_poke64(n, SW_CTX_PROC, context(qp, reg), v);
}
static uint32_t at_place(unsigned i, uint32_t reg) { return reg + i * NIC_REG_QP_CTL_STRIDE; }

// ---- what software says of one that is off
void qp_clear(node *n, unsigned qp) {
  if (!n->cfg.Contexts) {
    node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
    return;
  }
  for (uint32_t at = 0; at < SW_CTX_SIZE; at += 8)
    node_poke64(n, SW_CTX_PROC, context(qp, 0) + at, at < CTX_OPEN ? 0 : rng_u64(&n->net->rng));  // not looked at
  to_context(n, qp, CTX_OPEN, 0);
}

void qp_put(node *n, unsigned qp, uint32_t reg, uint64_t v) {
  if (!n->cfg.Contexts)
    node_write(n, qp_reg(qp, reg), v);
  else if (reg != NIC_REG_QP_NAME)  // is the context
    to_context(n, qp, reg == NIC_REG_QP_PSN ? NIC_REG_QP_NOW : reg, v);
}

// ---- off
// One context is closed at a time; and it is closed when memory says so, which is after all else has been saved.
static void closes(node *n, const char *what, bool (*done)(node *n, unsigned qp), unsigned qp) {
  for (unsigned k = 0; !n->net->failed && !done(n, qp); k++) {
    if (k == CLOSES) net_fail(n->net, "nic_ctx", "node %u, context %u: %s never ends", n->id, qp, what);
    net_cycle(n->net);
  }
}

static bool may_close(node *n, unsigned qp) {
  (void)qp;
  return !(node_read(n, NIC_REG_NIC_CLOSE) & NIC_NIC_CLOSE_BUSY_MASK);
}

static bool is_closed(node *n, unsigned qp) { return !(of_context(n, qp, CTX_OPEN) & 1); }

void qp_off(node *n, unsigned qp) {
  if (!n->cfg.Contexts) {
    node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
    return;
  }
  closes(n, "the close before its", may_close, qp);
  node_write(n, NIC_REG_NIC_CLOSE, qp);
}

bool qp_is_off(node *n, unsigned qp) {
  if (!n->cfg.Contexts) return !(node_read(n, qp_reg(qp, NIC_REG_QP_CTL)) & NIC_QP_CTL_EN_MASK);
  closes(n, "its close", may_close, qp);
  return is_closed(n, qp);
}

void qp_close(node *n, unsigned qp) {
  qp_off(n, qp);
  node_settle(n);
  closes(n, "its close", is_closed, qp);
  closes(n, "its close", may_close, qp);
}

// ---- on
// What was written with OPEN 0 is closed again before OPEN is: a frame of anybody may have it read meanwhile, and half
// of what was there before (CTX-3). That close writes OPEN 0, too, so a mark beside OPEN tells when it has come.
static bool is_unmarked(node *n, unsigned qp) { return !(of_context(n, qp, CTX_OPEN) & CTX_MARK); }

static void opens(node *n, unsigned qp) {
  to_context(n, qp, CTX_OPEN, CTX_MARK);
  qp_off(n, qp);
  node_settle(n);
  closes(n, "the close of a closed one", is_unmarked, qp);
  closes(n, "the close of a closed one", may_close, qp);
  to_context(n, qp, CTX_OPEN, 1 | rng_u64(&n->net->rng) << 1);
}

void qp_on(node *n, unsigned qp, uint64_t ctl) {
  n->ctl[qp] = ctl;
  if (!n->cfg.Contexts) {
    node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl | NIC_QP_CTL_EN_MASK);
    return;
  }
  to_context(n, qp, NIC_REG_QP_CTL, ctl | (rng_u64(&n->net->rng) & NIC_QP_CTL_EN_MASK));
  opens(n, qp);
}

// ---- in motion
void qp_ring(node *n, unsigned qp, uint16_t prod) {
  n->rung[qp] = prod;
  if (n->cfg.Contexts)
    node_write(n, NIC_REG_NIC_BELL, prod | (uint64_t)qp << NIC_NIC_BELL_CTX_LSB);
  else
    node_write(n, qp_reg(qp, NIC_REG_QP_PROD), prod);
}

void qp_ring_again(node *n, unsigned qp) { qp_ring(n, qp, n->rung[qp]); }

// As it is now, or, in no place, as it was saved: old if that is under way.
uint64_t qp_get(node *n, unsigned qp, uint32_t reg) {
  if (!n->cfg.Contexts) return node_read(n, qp_reg(qp, reg));
  for (unsigned i = 0; i < n->cfg.NumQps; i++) {
    if (n->place[i] != qp + 1) continue;
    uint64_t v = node_read(n, at_place(i, reg));
    return n->place[i] == qp + 1 ? v : of_context(n, qp, reg);
  }
  return of_context(n, qp, reg);
}

// A requester that has stopped goes on with its next request. Of a context only software that has it can say
// so: at rest, it must be.
void qp_resume(node *n, unsigned qp) {
  if (!n->cfg.Contexts) {
    node_write(n, qp_reg(qp, NIC_REG_QP_STS), NIC_QP_STS_SEND_ERR_MASK);
    return;
  }
  qp_close(n, qp);
  uint64_t sts = of_context(n, qp, NIC_REG_QP_STS);
  if (!(sts & NIC_QP_STS_SEND_ERR_MASK))
    net_fail(n->net, "nic_ctx", "node %u, context %u: closed with QP_STS %" PRIx64 ", want it stopped", n->id, qp, sts);
  to_context(n, qp, NIC_REG_QP_STS, sts & ~(uint64_t)NIC_QP_STS_SEND_ERR_MASK);
  opens(n, qp);
  qp_ring_again(n, qp);
}

// Closed at rest and opened again: nobody notices.
bool qp_reopen(node *n, unsigned qp) {
  qp_close(n, qp);
  uint64_t msg = of_context(n, qp, NIC_REG_QP_MSG);
  if (msg & NIC_QP_MSG_TASK_MASK)
    net_fail(n->net, "nic_ctx", "node %u, context %u: at rest, and closed in a task: QP_MSG %" PRIx64, n->id, qp, msg);
  to_context(n, qp, CTX_OPEN, 1);
  return true;
}
