// SPDX-License-Identifier: Apache-2.0
// Queue pairs that go off in motion and come back: because software wants it, or because memory has failed and nothing else helps.
//
//   on --> one end off, the other some time later --> quiet: no frame under way, all events heard --> score_lost --> on, new PSNs
//
// A queue pair at rest goes off and on from where it was, which nobody notices (QPR-9, QPR-10): pair_move.
#include <inttypes.h>

#include "sw.h"

enum { QUIET = 20000 };  // cycles until all that a queue pair has sent is surely gone

static void come_back(net *w, unsigned qp) {
  board *b = board_of(w);
  for (unsigned k = 0; k < 2; k++) {
    const stream *t = &b->s[2 * qp + k];
    node *n = &w->node[t->from];
    if (node_read(n, qp_reg(qp, NIC_REG_QP_CTL)) & NIC_QP_CTL_EN_MASK)
      net_fail(w, "nic_qp", "node %u, QP %u is still on", n->id, qp);
    sw_hear(n, t->proc);
  }
  for (unsigned k = 0; k < 2 && !w->failed; k++) score_lost(w, &b->s[2 * qp + k]);
  pair_on(w, qp, (uint32_t)rng_u64(&w->rng) & 0xffffff, (uint32_t)rng_u64(&w->rng) & 0xffffff);
}

// What says how far it is, and from where it begins, in the same form.
static const uint32_t where[][2] = {{NIC_REG_QP_NOW, NIC_REG_QP_PSN},
                                    {NIC_REG_QP_STS, NIC_REG_QP_BEGIN},
                                    {NIC_REG_QP_MSG, NIC_REG_QP_BEGIN_MSG},
                                    {NIC_REG_QP_VA, NIC_REG_QP_BEGIN_VA},
                                    {NIC_REG_QP_REST, NIC_REG_QP_BEGIN_REST}};
enum { WHERE = sizeof where / sizeof *where };

// What it was in between must leave nothing.
static void other_life(node *n, unsigned qp, uint64_t ctl) {
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), rng_u64(&n->net->rng));
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
}

bool sw_move(node *n, unsigned qp) {
  net *w = n->net;
  const uint64_t refused = NIC_QP_STS_BAD_PROD_MASK;
  uint64_t is[WHERE];
  uint64_t ctl = node_read(n, qp_reg(qp, NIC_REG_QP_CTL));
  if (node_read(n, qp_reg(qp, NIC_REG_QP_MSG)) & NIC_QP_MSG_TASK_MASK) return false;
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
  for (unsigned k = 0; k < WHERE; k++) is[k] = node_read(n, qp_reg(qp, where[k][0]));
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl & ~NIC_QP_CTL_EN_MASK);
  if (rng_1in(&w->rng, 2)) other_life(n, qp, ctl);
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), is[k]);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl);
  uint64_t sts = node_read(n, qp_reg(qp, NIC_REG_QP_STS)), prod = node_read(n, qp_reg(qp, NIC_REG_QP_PROD));
  if ((sts ^ is[1]) & ~refused)
    net_fail(w, "nic_qp", "node %u, QP %u goes on with QP_STS %" PRIx64 ", was %" PRIx64, n->id, qp, sts, is[1]);
  if (prod != (is[1] & NIC_QP_STS_CONS_MASK))
    net_fail(w, "nic_qp", "node %u, QP %u goes on with producer %" PRIx64, n->id, qp, prod);
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), 0);  // it is on: refused
  return true;
}

void pair_move(net *w, stream *t) { board_of(w)->moved += sw_move(&w->node[t->from], t->qp); }

void reconnect_cycle(net *w) {
  board *b = board_of(w);
  for (unsigned qp = 0; qp < b->qps && !w->failed; qp++) {
    pair *p = &b->pair[qp];
    const stream *t = &b->s[2 * qp];
    if (p->at == PAIR_ON || w->cycle < p->until) continue;
    if (p->at == PAIR_HALF) {
      node_write(&w->node[t[!p->first].from], qp_reg(qp, NIC_REG_QP_CTL), 0);
      p->at = PAIR_OFF;
      p->until = w->cycle + QUIET;
    } else if (!link_has(w, t->from, t->to)) {
      come_back(w, qp);
    }
  }
}
