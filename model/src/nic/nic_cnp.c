// SPDX-License-Identifier: Apache-2.0
/* Marks: a frame that a switch has marked lets its queue pair owe its peer a CNP (ECN-1, ECN-2, ECN-3, ECN-4). */
#include "nic_state.h"
#include "tocsin/nic_time.h"

static uint64_t between(const nic *m) { return NIC_FIELD(m->cnp_reg, NIC_CNP_TIME); }

void nic_cnp_mark(nic *m, unsigned i) {
  nic_cnp *c = &m->qp[i].cnp;
  m->cnt[NIC_CNT_MARKED]++;
  if (!between(m) || c->owed) return;
  c->owed = true;
  m->perhaps.cnps = true;
  c->from = c->from < m->now ? m->now : c->from;
}

/* ECN-4. */
void nic_cnp_forget(nic *m, unsigned i) { m->qp[i].cnp.owed = false; }

/* The time of those that have one begins anew. */
void nic_cnp_written(nic *m) {
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    nic_cnp *c = &m->qp[i].cnp;
    c->from = m->now;
    if (m->now < c->least) c->least = m->now + between(m);
  }
}

bool nic_cnp_due(const nic *m, unsigned i) {
  const nic_cnp *c = &m->qp[i].cnp;
  return c->owed && (m->lockstep ? m->now > c->from + NIC_TIME_CNP * between(m) : m->now >= c->least);
}

static bool any_owed(const nic *m) {
  for (unsigned i = 0; i < m->cfg.NumQps; i++)
    if (m->qp[i].cnp.owed) return true;
  return false;
}

/* ECN-2, ECN-3. */
nic_status nic_cnp_do(nic *m, const nic_retire_rec *hw) {
  unsigned i = 0;
  if (hw) {
    i = hw->idx;
    if (i >= m->cfg.NumQps || !m->qp[i].cnp.owed) return nic_order(m, "QP %u owes no CNP", i);
    if (nic_time_cnp(m, i) != NIC_OK) return NIC_E_TIME;
  } else {
    if (!m->perhaps.cnps) return NIC_E_BUSY;
    while (i < m->cfg.NumQps && !nic_cnp_due(m, (m->cnp_turn + i) % m->cfg.NumQps)) i++;
    if (i == m->cfg.NumQps) m->perhaps.cnps = any_owed(m);
    if (i == m->cfg.NumQps) return NIC_E_BUSY;
    i = (m->cnp_turn + i) % m->cfg.NumQps;
    m->cnp_turn = i + 1;
  }
  nic_cnp *c = &m->qp[i].cnp;
  c->owed = false;
  c->due.on = false;
  c->from = m->now;
  c->least = m->now + between(m);
  nic_head h;
  memset(&h, 0, sizeof h);
  h.opcode = NIC_OP_CNP;
  nic_send(m, &m->qp[i], &h, m->buf);
  return nic_retired(m, hw, (nic_retire_rec){NIC_RET_TX, false, NIC_TX_CNP, (uint8_t)i, (uint64_t)h.opcode << 24, 0});
}
