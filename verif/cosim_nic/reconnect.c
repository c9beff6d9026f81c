// SPDX-License-Identifier: Apache-2.0
// Queue pairs that go off in motion and come back: because software wants it, or because memory has failed and nothing else helps.
//
//   on --> one end off, the other some time later --> quiet: no frame under way, all events heard --> score_lost --> on, new PSNs
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
