// SPDX-License-Identifier: Apache-2.0
// Functional points of contexts in memory, from the records of a node.
#include "net.h"
#include "tocsin/nic_regs.h"

static void written(node *n, const nic_retire_rec *r) {
  const unsigned c = (unsigned)((r->b & NIC_NIC_BELL_CTX_MASK) >> NIC_NIC_BELL_CTX_LSB) % 256, i = r->a >> 8 & 255;
  if (!r->flag && r->a == NIC_REG_NIC_BELL) n->moves.bell[c] = true;
  if (!r->flag && r->a >= NIC_REG_QP_CTL) reach(n, REACH_CTX_REFUSED);
  if (!r->flag) return;
  if (r->a >= NIC_REG_QP_ANSWER_PSN) n->moves.answers = true;
  bool page = r->a >> 16 == NIC_REG_QP_CTL >> 16, bell = page && (r->a & 255) == (NIC_REG_QP_PROD & 255);
  if (bell && n->place[i]) n->moves.bell[(n->place[i] - 1) % 256] = false;
}

static void moved(node *n, const nic_retire_rec *r) {
  const unsigned c = r->a % 256, i = r->idx;
  switch (r->code) {
    case NIC_CTX_LOADED:
      reach(n, n->moves.bell[c] ? REACH_CTX_BELL : REACH_CTX_FRAME);
      if (!n->moves.bell[c] && n->moves.stored > 1) reach(n, REACH_CTX_BEHIND);
      if (n->moves.answers) reach(n, REACH_CTX_ANSWERS);
      n->moves.answers = n->moves.slow[i] = false;
      break;
    case NIC_CTX_SAVED:
      reach(n, REACH_CTX_SAVED);
      if (n->moves.slow[i]) reach(n, REACH_CTX_SLOW);
      n->moves.saved = c + 1;
      return;
    case NIC_CTX_CLOSED:
      if (r->flag)
        reach(n, n->moves.saved == c + 1 ? REACH_CTX_CLOSE_IN : REACH_CTX_CLOSE_OUT);
      else
        reach(n, REACH_CTX_CLOSED);
      break;
    case NIC_CTX_BROKEN: reach(n, REACH_CTX_BROKEN); break;
    default: reach(n, REACH_CTX_NO_PLACE); break;
  }
  n->moves.saved = 0;
  if (r->code == NIC_CTX_CLOSED || r->code == NIC_CTX_BROKEN) n->moves.bell[c] = false;
}

void reach_moved(node *n, const nic_retire_rec *r) {
  if (!n->cfg.Contexts) return;
  switch (r->kind) {
    case NIC_RET_RX: n->moves.stored += r->code == NIC_RX_GOOD; break;
    case NIC_RET_FRAME: n->moves.stored--; break;
    case NIC_RET_RATE: n->moves.slow[r->idx] = !r->flag; break;
    case NIC_RET_REG_WRITE: written(n, r); break;
    case NIC_RET_CTX: moved(n, r); break;
    default: break;
  }
}
