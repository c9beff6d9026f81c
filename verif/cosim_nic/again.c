// SPDX-License-Identifier: Apache-2.0
// What is sent again, seen on the wire: a queue pair goes back when it sends a PSN that it has sent before. Each time
// needs a reason: a frame that the link harmed, a request that was refused for want of room or told to wait, a
// time-out, an end. And it goes to one PSN twice (an answer asks for it once, and once it may have been a PSN before
// it, which came after all), and twice more for each time-out, itself and one answer: a requester that asks for a read
// with each answer behind a lost one goes on and on.
#include <inttypes.h>

#include "net.h"

static int32_t ahead(uint32_t psn, uint32_t of) { return (int32_t)((psn - of) << 8) >> 8; }

// PSNs that a request takes: a read as many as its answer has packets.
static uint32_t span(const node *n, const nic_head *h, unsigned qp) {
  uint64_t mtu = 128ull << ((n->ctl[qp] & NIC_QP_CTL_MTU_MASK) >> NIC_QP_CTL_MTU_LSB);
  return h->opcode == NIC_OP_READ_REQ && h->length ? (uint32_t)((h->length + mtu - 1) / mtu) : 1;
}

void again_sent(node *n, const nic_head *h) {
  if ((h->opcode >= NIC_OP_READ_FIRST && h->opcode <= NIC_OP_ATOMIC_ACK) || h->opcode == NIC_OP_CNP) return;
  net_again *a = &n->net->again;
  unsigned qp = h->qp & 0xff;
  again_qp *q = &n->again[qp];
  uint32_t next = (h->psn + span(n, h, qp)) & 0xffffff;
  if (q->sent && ahead(h->psn, q->next) < 0) {
    a->went[qp]++;
    if (h->psn != q->back) q->times = 0, q->ended = q->since;
    q->back = h->psn;
    q->since = 0;
    if (++q->times > 2 + 2 * q->ended)
      net_fail(n->net, "score", "node %u: QP %u asks for PSN %06x again and again", n->id, qp, h->psn);
  }
  if (q->sent && ahead(h->psn, q->high) < 0) {
    a->frames++;
    a->bytes += h->opcode == NIC_OP_READ_REQ ? h->length : h->bytes;
  }
  if (!q->sent || ahead(next, q->high) > 0) q->high = next;
  q->sent = true;
  q->next = next;
}

void again_retired(node *n, const nic_retire_rec *r) {
  if (r->kind == NIC_RET_TIMER && r->code == NIC_TM_QUIET) n->again[r->idx].sent = false;
  if (r->kind == NIC_RET_TIMER || (r->kind == NIC_RET_FRAME && r->code == NIC_FR_END))
    n->again[r->idx].ended++, n->again[r->idx].since++;
  if (r->kind == NIC_RET_TIMER)
    n->net->again.reasons[r->idx]++;
  else if (r->kind == NIC_RET_FRAME)
    n->net->again.reasons[r->idx] +=
        r->code == NIC_FR_END || r->code == NIC_FR_NO_ROOM || r->code == NIC_FR_FOREIGN || r->code == NIC_FR_NOT_READY;
}

// A frame that comes late makes two: it is missing where it should be, and what was asked for instead then is, too.
void again_finish(net *w) {
  net_again *a = &w->again;
  for (unsigned qp = 0; qp < 256 && !w->failed; qp++) {
    uint32_t most = 2 * w->harmed[qp] + w->doubled[qp] + a->reasons[qp];
    if (a->went[qp] > most)
      net_fail(w, "score",
               "QP %u of all nodes went back %" PRIu32 " times; frames harmed %" PRIu32 ", doubled %" PRIu32
               ", other reasons %" PRIu32 ": at most %" PRIu32,
               qp, a->went[qp], w->harmed[qp], w->doubled[qp], a->reasons[qp], most);
  }
}
