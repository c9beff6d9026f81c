// SPDX-License-Identifier: Apache-2.0
/* Acknowledgements: a place for one a queue pair. It goes when its own queue pair's responses before it have gone.
 * TIM-13. */
#include "nic_state.h"

/* Has a response of this queue pair that was queued before it not left?. RSP-12. */
static bool waits(const nic *m, unsigned i) {
  for (uint32_t n = m->rsp_head; (int32_t)(m->qp[i].ack.after - n) > 0; n++) {
    const nic_reply *r = &m->rsp[n % m->cfg.RespDepth];
    if (r->qp == i && !r->dead) return true;
  }
  return false;
}

bool nic_acks_leaving(const nic *m, unsigned i) { return m->leaving.on && m->leaving_qp == i; }

bool nic_acks_due(const nic *m, unsigned i) { return nic_acks_leaving(m, i) || (m->qp[i].ack.on && !waits(m, i)); }

unsigned nic_acks_pending(const nic *m) {
  unsigned n = m->leaving.on;
  for (unsigned i = 0; i < m->cfg.NumQps; i++) n += m->qp[i].ack.on;
  return n;
}

/* RSP-13. */
nic_status nic_acks_put(nic *m, unsigned i, uint32_t psn, unsigned syndrome, const nic_retire_rec *hw, bool *met) {
  nic_ack *a = &m->qp[i].ack;
  *met = a->on;
  if (hw && a->on && !hw->flag) { /* hardware has chosen it, and its frame is still to be taken */
    if (m->leaving.on) return nic_order(m, "two acknowledgements, of QPs %u and %u, leave at once", m->leaving_qp, i);
    if (waits(m, i)) return nic_order(m, "an acknowledgement leaves before a response that goes before it");
    m->leaving = *a;
    m->leaving_qp = i;
    *met = a->on = false;
  }
  if (*met && psn_diff(psn, a->psn) < 0) return NIC_OK;
  *a = (nic_ack){true, (uint8_t)syndrome, psn, m->qp[i].msn, m->rsp_tail};
  m->perhaps.acks = true;
  return NIC_OK;
}

void nic_acks_forget(nic *m, unsigned i) { m->qp[i].ack.on = false; }

/* Is this RetTx one of ours? A NAK may also stand in the place of a response that could not be read. */
bool nic_acks_theirs(const nic *m, const nic_retire_rec *hw) {
  return hw->code == NIC_TX_ACK || (hw->code == NIC_TX_NAK && hw->idx < m->cfg.NumQps && nic_acks_due(m, hw->idx));
}

nic_status nic_acks_do(nic *m, const nic_retire_rec *hw) {
  unsigned i = 0;
  if (hw) {
    i = hw->idx;
  } else {
    if (!m->perhaps.acks) return NIC_E_BUSY;
    while (i < m->cfg.NumQps && !nic_acks_due(m, i)) i++;
    if (i == m->cfg.NumQps) m->perhaps.acks = nic_acks_pending(m);
    if (i == m->cfg.NumQps) return NIC_E_BUSY;
  }
  if (i >= m->cfg.NumQps || !nic_acks_due(m, i)) return nic_order(m, "no acknowledgement of QP %u may leave", i);
  if (m->leaving.on && m->leaving_qp != i)
    return nic_order(m, "the acknowledgement of QP %u leaves first", m->leaving_qp);
  nic_qp *q = &m->qp[i];
  nic_ack *a = m->leaving.on ? &m->leaving : &q->ack;
  nic_head h;
  memset(&h, 0, sizeof h);
  h.opcode = NIC_OP_ACK;
  h.psn = a->psn;
  h.msn = a->msn;
  h.syndrome = a->syndrome;
  a->on = false;
  q->ack_due.on = false;
  nic_send(m, q, &h, m->buf);
  unsigned code = a->syndrome >> 5 ? NIC_TX_NAK : NIC_TX_ACK;
  return nic_retired(
      m, hw, (nic_retire_rec){NIC_RET_TX, false, (uint8_t)code, (uint8_t)i, (uint64_t)h.opcode << 24 | h.psn, 0});
}
