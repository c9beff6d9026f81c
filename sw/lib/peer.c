// SPDX-License-Identifier: Apache-2.0
// The other end of a queue pair: where it is, if it is in this fabric, and what is left of a connection
// that has stopped.
#include <string.h>

#include "internal.h"

void toc_i_qp_address(const toc_i_qp *q, toc_address *a) {
  toc_i_node_address(q->p->n, a);
  a->qp |= q->index;
  a->psn = q->psn;
}

static bool same(const toc_address *a, const toc_address *b) {
  bool ip = a->ip && b->ip ? a->ip == b->ip : !memcmp(a->ip6, b->ip6, 16); /* over IPv6 one of them has no other */
  return a->mac == b->mac && ip && a->qp == b->qp && a->psn == b->psn;
}

toc_i_qp *toc_i_peer(const toc_i_qp *q) {
  const toc_i_fabric *f = q->p->n->f;
  toc_address ours, its;
  toc_i_qp_address(q, &ours);
  for (unsigned i = 0; i < f->nodes; i++) {
    const toc_i_node *n = &f->node[i];
    const uint32_t index = q->to.qp % (n->ctx.number ? QP_CONTEXTS : QP_PLACES);
    toc_i_qp *y = index < n->caps.qps ? n->qp[index] : NULL;
    if (!y || !y->connected) continue;
    toc_i_qp_address(y, &its);
    if (same(&its, &q->to) && same(&y->to, &ours)) return y;
  }
  return NULL;
}

toc_status toc_i_peer_state(const toc_i_qp *q, const toc_i_qp *y, toc_i_left *is) {
  uint64_t sts, its, ours;
  *is = q->fatal || q->middle ? PEER_OVER : PEER_ELSEWHERE;
  if (!y) return TOC_OK;
  TRY(toc_i_qp_word(y, TOC_I_OFFSET(STS), &sts));
  TRY(toc_i_qp_word(y, TOC_I_OFFSET(NOW), &its));
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(NOW), &ours));
  uint64_t expected = (its & NIC_QP_NOW_EPSN_MASK) >> NIC_QP_NOW_EPSN_LSB,
           next = (ours & NIC_QP_NOW_UNA_MASK) >> NIC_QP_NOW_UNA_LSB; /* of a requester that has stopped */
  *is = sts & NIC_QP_STS_RESP_ERR_MASK                           ? PEER_STOPPED
        : q->fatal || (q->stopped != TOC_OK && expected != next) ? PEER_DISAGREES
        : q->middle                                              ? PEER_MIDDLE
                                                                 : PEER_GOES_ON;
  return TOC_OK;
}

const char *toc_i_qp_left(const toc_i_qp *q) {
  toc_i_left is;
  if (q->p->n->f->dead || toc_i_peer_state(q, toc_i_peer(q), &is) != TOC_OK) return "the device does not answer";
  switch (is) {
    case PEER_MIDDLE:
    case PEER_GOES_ON: return "toc_qp_resume goes on with what was posted behind it";
    case PEER_STOPPED:
      return "the peer's end has stopped: toc_qp_resume arms both again, what was posted behind it is over";
    case PEER_DISAGREES: return "toc_qp_resume arms both ends again, what was posted behind it is over";
    case PEER_ELSEWHERE: return "toc_qp_resume goes on if the peer, which is not of this fabric, still answers";
    default: return "toc_qp_connect again, at both ends";
  }
}

// ---- the link to it
/* IP, UDP, BTH, RETH and XtqETH, ICRC. */
uint32_t toc_i_bytes_around(const toc_address *to) { return (to->ip ? 20 : 40) + 8 + 12 + 32 + 4; }

/* The link knows why a peer does not answer: the path to it has become narrower, or nobody is there. */
const char *toc_i_silence(const toc_i_qp *q, toc_status s) {
  const toc_i_fabric *f = q->p->n->f;
  uint32_t bytes = 0;
  toc_link_count c = {0};
  char why[160];
  if (s != TOC_E_PEER_GONE || !f->linked) return "";
  if (f->be->path && f->be->path(f->self, &q->to, &bytes, why) == TOC_OK && bytes &&
      q->o.mtu + toc_i_bytes_around(&q->to) > bytes)
    return ": frames are longer than the path takes by now, a smaller mtu fits";
  f->be->count(f->self, &c);
  return c.refused > q->refused ? ": nobody has its port open, or no way leads there" : "";
}
