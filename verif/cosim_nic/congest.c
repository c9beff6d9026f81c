// SPDX-License-Identifier: Apache-2.0
// Congestion on the wire: a link that marks frames; and what must hold whatever
// the model says: a queue pair sends no more CNPs than marked frames have come to it, and has NIC_CNP.TIME between two.
#include <inttypes.h>
#include <string.h>

#include "sw.h"

enum { ECT = 3 };

// ---- the wire
frame_place frame_find(uint8_t *b, size_t k) {
  size_t bth = nic_frame_bth(b, k), at = bth ? (b[12] == 0x81 ? NIC_ETH_BYTES + NIC_TAG_BYTES : NIC_ETH_BYTES) : 0;
  return (frame_place){b + at, bth, bth - at == 48};
}

static unsigned ecn_of(const frame_place *p) { return (p->v6 ? p->ip[1] >> 4 : p->ip[1]) & ECT; }

// Congestion experienced, as a switch says it.
void frame_mark(const frame_place *p) {
  if (p->v6) {
    p->ip[1] |= ECT << 4;
    return;
  }
  p->ip[1] |= ECT;
  uint16_t sum = nic_ip_checksum(p->ip);
  p->ip[10] = (uint8_t)(sum >> 8);
  p->ip[11] = (uint8_t)sum;
}

// A frame on its way to a node: the link may mark it, if its sender lets it.
void congest_passes(net *w, unsigned to, uint8_t *b, size_t k) {
  frame_place p = frame_find(b, k);
  if (!w->link.mark || !p.bth || !ecn_of(&p) || rng_below(&w->rng, 1000) >= w->link.mark) return;
  frame_mark(&p);
  w->link.did.marked++;
  w->node[to].cong.marked[b[p.bth + 7]] += 2;  // the link may double it
  reach(&w->node[to], p.v6 ? REACH_MARKED_IP6 : REACH_MARKED);
}

// Damage marks as well, and nobody sees that: no checksum of IPv6 is over its traffic class, and ICRC leaves that out.
void congest_bent(net *w, unsigned to, uint8_t *b, size_t k) {
  frame_place p = frame_find(b, k);
  if (p.bth && p.v6 && ecn_of(&p) == ECT) w->node[to].cong.marked[b[p.bth + 7]]++;
}

// ---- what a node does
static void cnp_sent(node *n, unsigned qp) {
  net *w = n->net;
  congestion *c = &n->cong;
  if (++c->cnps[qp] > c->marked[qp] && !w->spy)
    net_fail(w, "score", "node %u: QP %u has sent %" PRIu32 " CNPs, and at most %" PRIu32 " marked frames have come",
             n->id, qp, c->cnps[qp], c->marked[qp]);
  if (w->cycle < c->least[qp])
    net_fail(w, "score", "node %u: QP %u sends a CNP at cycle %" PRIu64 ", and not before %" PRIu64 " it should", n->id,
             qp, w->cycle, c->least[qp]);
  c->least[qp] = w->cycle + c->time;
  reach(n, REACH_CNP_SENT);
}

static void rate_changed(const node *n, const nic_retire_rec *r) {
  const congestion *c = &n->cong;
  unsigned fast = (unsigned)((c->rate & NIC_NIC_RATE_FAST_MASK) >> NIC_NIC_RATE_FAST_LSB), stage = c->stage[r->idx];
  if (r->code == NIC_RT_CUT) reach(n, r->flag ? REACH_CUT_IN_VAIN : REACH_CUT);
  if (r->code & NIC_RT_CALM) reach(n, REACH_CALM);
  if (r->code == NIC_RT_BOTH) reach(n, REACH_BOTH);
  if (r->code & NIC_RT_RAISED)
    reach(n, stage >= 2 * fast ? REACH_RAISED_HYPER : stage >= fast ? REACH_RAISED_ADD : REACH_RAISED);
  if (r->code != NIC_RT_CUT && r->flag) reach(n, REACH_FULL_AGAIN);
}

void congest_retired(node *n, const nic_retire_rec *r) {
  congestion *c = &n->cong;
  if (r->kind == NIC_RET_TX && r->code == NIC_TX_CNP) cnp_sent(n, r->idx);
  if (r->kind == NIC_RET_FRAME && r->code == NIC_FR_CNP) reach(n, REACH_CNP_CAME);
  if (r->kind == NIC_RET_RATE) {
    rate_changed(n, r);
    c->stage[r->idx] = r->code == NIC_RT_CUT ? 0 : (uint8_t)(c->stage[r->idx] + (r->code & NIC_RT_RAISED ? 1 : 0));
  }
  // Of what it sends the time is the place's (ECN-4): a context that comes into another has none.
  if (r->kind == NIC_RET_CTX && r->code == NIC_CTX_LOADED) c->least[r->a % 256] = 0;
  if (r->kind != NIC_RET_REG_WRITE || r->idx != 255) return;
  if (r->a == NIC_REG_NIC_RATE) c->rate = r->b;
  if (r->a != NIC_REG_NIC_CNP) return;
  c->time = (uint32_t)r->b;
  for (unsigned qp = 0; qp < 256; qp++)  // the time of those that have one begins anew
    if (n->net->cycle < c->least[qp]) c->least[qp] = n->net->cycle + c->time;
}
