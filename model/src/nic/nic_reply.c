// SPDX-License-Identifier: Apache-2.0
/* Responses with data: one queue, in order. What is forgotten keeps its room until its turn. */
#include "nic_state.h"
#include "tocsin/nic_time.h"

static nic_reply *at(const nic *m, uint32_t n) { return &m->rsp[n % m->cfg.RespDepth]; }

static uint32_t first_living(const nic *m) {
  uint32_t n = m->rsp_head;
  while (n != m->rsp_tail && at(m, n)->dead) n++;
  return n;
}

unsigned nic_reply_pending(const nic *m) {
  unsigned living = 0;
  for (uint32_t n = m->rsp_head; n != m->rsp_tail; n++) living += !at(m, n)->dead;
  return living;
}

/* The response before the oldest, after its last RetTx. RSP-7. */
static bool has_room_still(const nic *m) {
  if (!m->rsp_head || !m->time.on) return m->rsp_head;
  uint64_t most = m->time.rsp_cut ? nic_time_late(&m->cfg, m->time.beat) : nic_time_packet(m->time.beat);
  return m->time.free - m->time.rsp_left <= most;
}

unsigned nic_reply_room(const nic *m) {
  uint32_t free = m->cfg.RespDepth - (m->rsp_tail - m->rsp_head);
  if (free > 1) return RSP_ROOM;
  if (free == 1) return has_room_still(m) ? RSP_DOUBT : RSP_ROOM;
  return first_living(m) == m->rsp_head ? RSP_NO_ROOM : RSP_DOUBT;
}

/* RSP-7, RSP-10. */
nic_reply *nic_reply_push(nic *m, unsigned qp, unsigned kind, uint32_t psn) {
  if (m->rsp_tail - m->rsp_head == m->cfg.RespDepth)
    m->rsp_head++; /* a forgotten one: hardware lets them go one by one */
  nic_reply *r = at(m, m->rsp_tail++);
  memset(r, 0, sizeof *r);
  r->qp = (uint8_t)qp;
  r->kind = (uint8_t)kind;
  r->psn = psn;
  r->msn = m->qp[qp].msn;
  r->n = 1;
  r->after[NIC_SRC_RESP] = m->writes[NIC_SRC_RESP];
  r->after[NIC_SRC_TASK] = m->packet_writes;
  return r;
}

void nic_reply_forget(nic *m, unsigned qp) {
  nic_acks_forget(m, qp);
  for (uint32_t n = m->rsp_head; n != m->rsp_tail; n++) {
    if (at(m, n)->qp != qp || at(m, n)->dead) continue;
    if (n == first_living(m)) memo_clear(&m->m_rsp);
    at(m, n)->dead = true;
  }
}

/* A packet's data; memory's answer to an atomic. RSP-11, RSP-16. */
static nic_got data_of(nic *m, const nic_reply *r, uint32_t bytes, const uint8_t **data) {
  if (!bytes) return NIC_GOT;
  nic_job j =
      nic_read_job(m, NIC_SRC_READ, qp_proc(&m->qp[r->qp]), r->va + (uint64_t)r->sent * qp_mtu(&m->qp[r->qp]), bytes);
  memcpy(j.after, r->after, sizeof j.after);
  if (r->kind == NIC_RSP_ATOMIC) {
    j.src = NIC_SRC_ATOMIC;
    j.op = r->op == NIC_OP_CMP_SWAP ? NIC_JOB_CAS : NIC_JOB_FETCH_ADD;
    j.swap = r->swap;
    j.compare = r->op == NIC_OP_CMP_SWAP ? r->compare : 0;
  }
  return nic_fetch(m, &m->m_rsp, &j, 0, data);
}

/* RSP-11: of the last ones. */
static void remember(nic *m, nic_qp *q, uint32_t psn, uint64_t value) {
  if (q->answers == m->cfg.Replay) memmove(q->answer, q->answer + 1, --q->answers * sizeof *q->answer);
  q->answer[q->answers].psn = psn;
  q->answer[q->answers++].value = value;
}

/* RSP-15. */
static void fail(nic *m, unsigned i, uint32_t psn) {
  nic_event e = {.proc = (uint8_t)qp_proc(&m->qp[i]),
                 .kind = NIC_EV_RESP_FAILED,
                 .status = NIC_SYN_NAK | 3,
                 .qp = m->qp[i].name,
                 .addr = psn};
  nic_event_add(m, &e);
  m->qp[i].resp_err = true;
  nic_reply_forget(m, i);
}

/* RSP-17, RSP-18. `psn` is the packet's. What has been taken from there on is not taken twice. */
static void go_back(nic *m, nic_reply *r, uint32_t psn, nic_head *h) {
  nic_qp *q = &m->qp[r->qp];
  h->opcode = NIC_OP_ACK;
  h->syndrome = (uint8_t)(NIC_SYN_RNR | NIC_FIELD(q->ctl, QP_CTL_RNR));
  if (!r->fresh) { /* a duplicate: it is asked for again, and nothing else happens */
    r->dead = true;
    return;
  }
  uint32_t to = psn_diff(psn, r->from) < 0 ? r->from : psn, high = psn24(q->epsn + q->again);
  h->msn = q->msn = psn24(r->msn - 1);
  q->epsn = to;
  q->again = psn24(high - to);
  q->told = true;
  nic_reply_forget(m, r->qp);
}

/* Whatever nic_rate says: ECN-11. */
nic_status nic_reply_do(nic *m, const nic_retire_rec *hw) {
  uint32_t n = first_living(m);
  if (n == m->rsp_tail) return hw ? nic_order(m, "no response is queued") : NIC_E_BUSY;
  nic_reply *r = at(m, n);
  unsigned i = r->qp;
  nic_qp *q = &m->qp[i];
  uint32_t mtu = qp_mtu(q), bytes = 0;
  nic_head h;
  memset(&h, 0, sizeof h);
  h.psn = psn24(r->psn + r->sent);
  h.msn = r->msn;
  h.syndrome = NIC_SYN_ACK;
  unsigned code;
  const uint8_t *data = m->buf;
  switch (r->kind) {
    case NIC_RSP_READ: {
      uint64_t left = r->len - (uint64_t)r->sent * mtu;
      bytes = left < mtu ? (uint32_t)left : mtu;
      code = NIC_TX_READ;
      h.opcode = r->n == 1             ? NIC_OP_READ_ONLY
                 : r->sent == 0        ? NIC_OP_READ_FIRST
                 : r->sent + 1 == r->n ? NIC_OP_READ_LAST
                                       : NIC_OP_READ_MIDDLE;
      break;
    }
    default:
      code = NIC_TX_ATOMIC;
      h.opcode = NIC_OP_ATOMIC_ACK;
      h.swap = r->swap;
      if (r->kind == NIC_RSP_ATOMIC) bytes = 8;
      break;
  }
  nic_got got = data_of(m, r, bytes, &data);
  if (got == NIC_WAIT) return hw ? nic_order(m, "the response's data have not come") : NIC_E_BUSY;
  if (!hw && got == NIC_GOT_ERR && nic_memo_pinned(&m->m_frame)) return NIC_E_BUSY; /* a message has its slot already */
  if (hw && !r->sent && nic_acks_due(m, i)) return nic_order(m, "an acknowledgement of QP %u goes before", i);
  uint64_t nth = r->sent;
  r->sent++;
  m->rsp_head = n;
  m->time.rsp_left = m->time.free;
  m->time.rsp.on = false;
  if (got == NIC_GOT_ERR && m->m_rsp.refused && r->paged) {
    code = NIC_TX_ABSENT;
    bytes = 0;
    go_back(m, r, h.psn, &h);
  } else if (got == NIC_GOT_ERR) {
    code = NIC_TX_NAK;
    h.opcode = NIC_OP_ACK;
    h.syndrome = NIC_SYN_NAK | 3;
    bytes = 0;
    fail(m, i, h.psn);
  } else if (r->kind == NIC_RSP_ATOMIC) {
    h.swap = le64(data);
    remember(m, q, h.psn, h.swap);
    bytes = 0;
  }
  h.bytes = (uint16_t)bytes;
  nic_send(m, q, &h, data);
  memo_clear(&m->m_rsp);
  m->time.rsp_cut = r->dead;
  if (r->dead || r->sent == r->n) m->rsp_head = n + 1;
  return nic_retired(
      m, hw, (nic_retire_rec){NIC_RET_TX, false, (uint8_t)code, (uint8_t)i, (uint64_t)h.opcode << 24 | h.psn, nth});
}
