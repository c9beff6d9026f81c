// SPDX-License-Identifier: Apache-2.0
/* Answers to what the requester has sent. */
#include "nic_state.h"

enum { OP_READ = 2, OP_ADD = 3, OP_CAS = 4 };

typedef struct plan {
  unsigned code;
  uint32_t una;     /* oldest not acknowledged from now on */
  unsigned status;  /* FrEnd */
  unsigned wait;    /* RNR: code of the timer + 1 */
  nic_req *answers; /* the read or atomic whose answer it is */
} plan;

/* REQ-9. */
static nic_req *unanswered(const nic *m, const nic_qp *q) {
  for (unsigned k = 0; k < q->num; k++) {
    nic_req *r = &q->req[(q->head + k) % req_slots(m)];
    if (r->op >= OP_READ && r->op <= OP_CAS && r->got < r->n) return r;
  }
  return NULL;
}

static unsigned status_of(unsigned nak) {
  static const uint8_t status[] = {0, NIC_ST_REM_INVALID, NIC_ST_REM_ACCESS, NIC_ST_REM_OPERATION};
  return nak < sizeof status ? status[nak] : NIC_ST_REM_OTHER;
}

/* REQ-8, REQ-9, REQ-10, REQ-11, REQ-12. */
static plan judge(const nic *m, const nic_qp *q, const nic_head *h) {
  uint32_t una = m->begun.on ? m->begun.una : q->una, psn = h->psn, sent = psn24(q->nxt - una);
  plan p = {.code = NIC_FR_STALE, .una = q->una};
  if (q->send_err || psn24(psn - una) >= sent) return p;
  nic_req *x = unanswered(m, q);
  uint32_t e = x ? psn24(x->first + x->got) : 0;
  int32_t beyond = x ? psn_diff(psn, e) : -1;
  bool read = h->opcode >= NIC_OP_READ_FIRST && h->opcode <= NIC_OP_READ_ONLY;
  unsigned type = h->syndrome >> 5, value = h->syndrome & 31;
  if (read || h->opcode == NIC_OP_ATOMIC_ACK) {
    if (beyond < 0) return p;
    if (beyond == 0) {
      uint64_t left = x->len1 - (uint64_t)x->got * qp_mtu(q);
      uint32_t want = left < qp_mtu(q) ? (uint32_t)left : qp_mtu(q);
      if (read != (x->op == OP_READ) || (read && h->bytes != want)) return p;
      p.code = NIC_FR_ANSWER;
      p.answers = x;
      p.una = psn24(psn + 1);
      return p;
    }
  } else if (type == 0) {
    if (beyond < 0) {
      p.code = NIC_FR_ANSWER;
      p.una = psn24(psn + 1);
      return p;
    }
  } else if (type == 1 || type == 3) {
    if (q->rnr_wait && psn == una && (type == 1 || !value)) return p;
    if (q->asked && psn == q->una && type == 3 && !value) return p;
    if (beyond <= 0) {
      unsigned again = una == psn ? q->rnrs : 0, max = (unsigned)NIC_FIELD(q->ctl, QP_CTL_RNR_RETRY);
      p.una = psn;
      p.code = NIC_FR_BACK;
      if (type == 1 && max != 7 && again >= max) {
        p.code = NIC_FR_END;
        p.status = NIC_ST_RNR;
      } else if (type == 1) {
        p.wait = value + 1;
      } else if (value) {
        p.code = NIC_FR_END;
        p.status = status_of(value);
      }
      return p;
    }
  } else {
    return p;
  }
  if (q->asked && e == q->una) return p;
  p.code = NIC_FR_BACK;
  p.una = e;
  return p;
}

unsigned nic_ack_judge(const nic *m, unsigned i, const nic_head *h) { return judge(m, &m->qp[i], h).code; }

/* In units of 10 microseconds. */
static uint64_t rnr_ticks(unsigned code) {
  static const uint16_t t[32] = {0,    1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
                                 48,   64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
                                 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return code ? t[code] : 65536;
}

/* REQ-8. */
static void acknowledge(nic *m, nic_qp *q, uint32_t una) {
  if (una == q->una) return;
  q->rnr_wait = false;
  q->una = una;
  q->asked = false;
  q->retries = q->rnrs = 0;
  q->since = m->now;
  if (psn_diff(q->cur, q->una) < 0) q->cur = q->una;
  if (q->lost && psn_diff(q->una, q->lpsn) > 0) q->lost = false; /* it had gone before, and is acknowledged after all */
}

bool nic_ack_begin(nic *m, unsigned qp) {
  const nic_head *h = &m->frame[m->frame_head % m->cfg.Frames].h;
  unsigned i = qp;
  if (m->begun.on || m->frame_head == m->frame_named || nic_ctx_qp(m, h) != (int)i || !nic_is_ours(m, h)) return false;
  if (h->opcode < NIC_OP_READ_FIRST || h->opcode > NIC_OP_ATOMIC_ACK) return false;
  nic_qp *q = &m->qp[i];
  plan p = judge(m, q, h);
  uint32_t una = p.answers ? h->psn : p.una;
  if (p.code == NIC_FR_STALE || una == q->una) return false;
  m->begun.on = true;
  m->begun.una = q->una;
  m->begun.cons = q->cons;
  acknowledge(m, q, una);
  nic_req_settle(m, i);
  return true;
}

bool nic_ack_begin_named(nic *m, uint64_t name) {
  int i = m->frame_head == m->frame_named ? -1 : nic_ctx_qp(m, &m->frame[m->frame_head % m->cfg.Frames].h);
  return i >= 0 && m->qp[i].name == name && nic_ack_begin(m, (unsigned)i);
}

bool nic_ack_begin_any(nic *m) {
  if (!m->lockstep || m->frame_head == m->frame_named) return false;
  int i = nic_ctx_qp(m, &m->frame[m->frame_head % m->cfg.Frames].h);
  return i >= 0 && nic_ack_begin(m, (unsigned)i);
}

/* REQ-11, REQ-12. */
void nic_ack_take(nic *m, unsigned i, const nic_head *h, const uint8_t *pay, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  plan p = judge(m, q, h);
  bool moved = p.una != (m->begun.on ? m->begun.una : q->una);
  nic_req *x = p.answers;
  if (x) {
    uint8_t value[8];
    le64_put(value, h->swap);
    if (x->op != OP_READ)
      nic_write(m, NIC_SRC_REQ, qp_proc(q), x->va1, value, 8, NULL);
    else if (h->bytes)
      nic_write(m, NIC_SRC_REQ, qp_proc(q), x->va1 + (uint64_t)x->got * qp_mtu(q), pay, h->bytes, NULL);
    x->got++;
  }
  acknowledge(m, q, p.una);
  if (moved) q->since_from = q->since = m->now; /* the time begins anew with the last step, which makes the record */
  m->begun.on = false;
  nic_req_settle(m, i);
  if (p.code == NIC_FR_BACK && !p.wait && !q->send_err) {
    nic_req_back(q, hw);
    q->asked = true;
  }
  if (p.wait) {
    q->rnrs += q->rnrs < 7;
    q->rnr_wait = true;
    q->late_waits = NIC_LATE;
    q->rnr_from = m->now;
    q->rnr_until = m->now + rnr_ticks(p.wait - 1) * nic_time_tick(m);
  }
  if (p.code == NIC_FR_END && !q->send_err) nic_req_fail(m, i, p.status, hw);
}
