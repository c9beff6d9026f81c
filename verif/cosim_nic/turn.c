// SPDX-License-Identifier: Apache-2.0
// Queue pairs that go off in motion and come back: because software wants it, or because memory has failed and nothing else helps.
//
//   on --> one end off, the other some time later --> quiet: no frame under way, all events heard --> score_lost --> on, new PSNs
//
// A read that memory has answered with UR, CA or poison may end a request with LocalRead at its own end, with RemOperation or Timeout
// at the peer's, and no request of another queue pair: turn_excuses knows which reads have failed.
#include <string.h>

#include "soft.h"

enum {
  QUIET = 20000,  // cycles until all that a queue pair has sent is surely gone
  RETRY = 7
};

static uint32_t reg_of(unsigned qp, uint32_t reg) { return reg + qp * NIC_REG_QP_CTL_STRIDE; }

// Both ends get what software wants of them, and are on.
void turn_on(net *w, unsigned qp, uint32_t psn0, uint32_t psn1) {
  board *b = board_of(w);
  rng *r = &w->rng;
  const uint32_t psn[2] = {psn0, psn1};
  unsigned mtu = rng_range(r, 1, 5);
  for (unsigned k = 0; k < 2; k++) {
    stream *t = &b->s[2 * qp + k];
    t->base = t->rung = t->posted;
    t->read_failed = t->serve_failed = t->stopped = t->mend = false;
    t->ring_size = rng_range(r, 0, 4);
    uint64_t ctl = soft_ctl(mtu, rng_range(r, 1, 3), RETRY, 7, rng_range(r, 12, 14));
    soft_connect(&w->node[t->from], qp, t->proc, t->to, t->ring_size, psn[!k], psn[k], ctl);
    t->no_room = w->node[t->to].no_room[qp];
  }
  b->pair[qp] = (pair){.at = PAIR_ON};
}

// Off, on and off again, so fast that what was before is still on its way: nothing may come of it, and nobody is heard.
static void flicker(net *w, node *n, unsigned qp) {
  uint64_t ctl = node_read(n, reg_of(qp, NIC_REG_QP_CTL));
  node_write(n, reg_of(qp, NIC_REG_QP_CTL), 0);
  node_write(n, reg_of(qp, NIC_REG_QP_PEER), rng_u64(&w->rng) << 32);
  node_write(n, reg_of(qp, NIC_REG_QP_PSN), rng_u64(&w->rng));
  node_write(n, reg_of(qp, NIC_REG_QP_CTL), ctl | NIC_QP_CTL_EN_MASK);
}

void turn_off(net *w, unsigned qp) {
  board *b = board_of(w);
  pair *p = &b->pair[qp];
  if (p->at != PAIR_ON) return;
  p->at = PAIR_HALF;
  p->first = rng_below(&w->rng, 2);
  p->until = w->cycle + (rng_1in(&w->rng, 2) ? 0 : rng_below(&w->rng, 3000));
  node *n = &w->node[b->s[2 * qp + p->first].from];
  if (rng_1in(&w->rng, 3)) flicker(w, n, qp);
  node_write(n, reg_of(qp, NIC_REG_QP_CTL), 0);
  b->turns++;
}

static void come_back(net *w, unsigned qp) {
  board *b = board_of(w);
  for (unsigned k = 0; k < 2; k++) {
    const stream *t = &b->s[2 * qp + k];
    node *n = &w->node[t->from];
    if (node_read(n, reg_of(qp, NIC_REG_QP_CTL)) & NIC_QP_CTL_EN_MASK)
      net_fail(w, "nic_qp", "node %u, QP %u is still on", n->id, qp);
    soft_hear(n, t->proc);
  }
  for (unsigned k = 0; k < 2 && !w->failed; k++) score_lost(w, &b->s[2 * qp + k]);
  turn_on(w, qp, (uint32_t)rng_u64(&w->rng) & 0xffffff, (uint32_t)rng_u64(&w->rng) & 0xffffff);
}

void turn_cycle(net *w) {
  board *b = board_of(w);
  for (unsigned qp = 0; qp < b->qps && !w->failed; qp++) {
    pair *p = &b->pair[qp];
    const stream *t = &b->s[2 * qp];
    if (p->at == PAIR_ON || w->cycle < p->until) continue;
    if (p->at == PAIR_HALF) {
      node_write(&w->node[t[!p->first].from], reg_of(qp, NIC_REG_QP_CTL), 0);
      p->at = PAIR_OFF;
      p->until = w->cycle + QUIET;
    } else if (!link_has(w, t->from, t->to)) {
      come_back(w, qp);
    }
  }
}

// ---- memory fails
static bool within(uint64_t off, uint64_t base, uint64_t each, unsigned qp) {
  return off >= base + each * qp && off < base + each * (qp + 1);
}

static bool of_qp(uint64_t off, unsigned qp) {
  return within(off, SOFT_RING, 0x1000, qp) || within(off, SOFT_LOCAL, 0x20000, qp) ||
         within(off, SOFT_REMOTE, 0x20000, qp) || within(off, SOFT_CELL, 64, qp);
}

// What lies at an address of one queue pair concerns that one, all else (tables, queues, the common counter) the whole process.
void turn_saw_failure(node *n, unsigned src, unsigned proc, uint64_t va) {
  if (!n->soft || n->soft->open) return;
  board *b = board_of(n->net);
  uint64_t off = va - soft_va(proc, 0);
  bool common = true;
  for (unsigned qp = 0; qp < b->qps; qp++) common &= !of_qp(off, qp);
  for (unsigned i = 0; i < b->streams; i++) {
    stream *t = &b->s[i];
    if (t->proc != proc || (!common && !of_qp(off, t->qp))) continue;
    if (src == NIC_SRC_REQ && t->from == n->id) t->read_failed = true;
    if (src != NIC_SRC_REQ && t->to == n->id) t->serve_failed = true;
  }
  b->failures++;
}

// All responses of a node have one queue. A request that comes while it is full is dropped, as if it were lost; by bad luck it is
// full each time that this one comes, and the others of its tries are lost.
static bool crowded(const net *w, const stream *t) {
  return w->node[t->to].no_room[t->qp] - t->no_room >= (RETRY + 1) / 2;
}

// A request may end so, and with it the queue pair: reads of it have failed, the peer is off, or has no room for its response.
bool turn_excuses(const net *w, const stream *t, uint8_t status) {
  if (status == NIC_ST_LOCAL_READ) return t->read_failed;
  if (status == NIC_ST_REM_OPERATION) return t->serve_failed;
  // A task refused at its last packet for want of a table: if that NAK is lost, the packet comes again and begins nothing.
  if (status == NIC_ST_REM_INVALID) return t->serve_failed && t->op[t->ended % SOFT_SLOTS].e.op == SQ_XTQ;
  return status == NIC_ST_TIMEOUT && (t->serve_failed || crowded(w, t) || board_of(w)->pair[t->qp].at != PAIR_ON);
}
