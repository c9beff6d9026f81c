// SPDX-License-Identifier: Apache-2.0
/* What every block of the NIC's model stands on: refusals with a text, what is written and sent, whose
 * a frame is, and records. */
#include <stdarg.h>
#include <stdio.h>

#include "nic_state.h"

nic_status nic_order(nic *m, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->reason, sizeof m->reason, fmt, ap);
  va_end(ap);
  return NIC_E_ORDER;
}

nic_status nic_differs(nic *m, const char *field, uint64_t got, uint64_t want) {
  snprintf(m->reason, sizeof m->reason, "%s got %llx want %llx", field, (unsigned long long)got,
           (unsigned long long)want);
  return NIC_E_MISMATCH;
}

/* The same partition, and not both limited members of it (bit 15: full). RSP-1. */
static bool partition(uint16_t a, uint16_t b) { return !((a ^ b) & 0x7fff) && ((a | b) & 0x8000); }

/* RSP-1, QPR-3. */
bool nic_is_ours(const nic *m, const nic_head *h) {
  int i = nic_ctx_qp(m, h);
  const nic_qp *q = i < 0 ? NULL : &m->qp[i];
  nic_head peer;
  if (!q || !qp_on(q)) return false;
  qp_peer(q, &peer);
  return h->v6 == peer.v6 && h->ip == peer.ip && h->ip6.hi == peer.ip6.hi && h->ip6.lo == peer.ip6.lo &&
         (h->tci & 0xfff) == qp_vid(q) && partition(h->pkey, (uint16_t)NIC_FIELD(q->ctl, QP_CTL_PKEY));
}

void nic_write(nic *m, unsigned src, unsigned proc, uint64_t va, const void *data, uint32_t n, const uint32_t *after) {
  nic_job j = nic_read_job(m, src, proc, va, n);
  j.op = NIC_JOB_WRITE;
  if (after) memcpy(j.after, after, sizeof j.after);
  m->writes[src]++;
  m->ops.write(m->ctx, &j, data);
}

/* FRM-11, FRM-12, FRM-13. */
void nic_send(nic *m, const nic_qp *q, nic_head *h, const uint8_t *pay) {
  h->mac = q->mac;
  qp_peer(q, h);
  h->tag = q->ctl & NIC_QP_CTL_VLAN_MASK;
  h->tci = h->tag ? (uint16_t)q->vlan : 0;
  h->qp = (uint32_t)NIC_FIELD(q->peer, QP_PEER_QP);
  h->port = (uint16_t)NIC_FIELD(q->ringc, QP_RINGC_PORT);
  h->pkey = (uint16_t)NIC_FIELD(q->ctl, QP_CTL_PKEY);
  size_t n = nic_frame_build(&m->self, h, pay, m->out);
  m->ops.frame(m->ctx, m->out, n);
}

void nic_clear(nic *m, unsigned counter) {
  if (m->cleared_at != m->now) m->cleared_now = 0;
  m->cleared_at = m->now;
  m->cleared_now |= 1ull << counter;
  m->cleared |= 1ull << counter;
  m->cnt[counter] = 0;
}

/* Records of a cycle that come behind the one of a register's write are cleared with the others (CNT-2), where the
 * owner tells of cycles. */
static void one_more(nic *m, unsigned counter) {
  bool gone = m->time.on && m->cleared_at == m->now && m->cleared_now >> counter & 1;
  m->cnt[counter] += !gone;
}

static void count(nic *m, const nic_retire_rec *r) {
  static const uint8_t base[] = {
      [NIC_RET_RX] = NIC_CNT_RX_GOOD,       [NIC_RET_FRAME] = NIC_CNT_FR_FOREIGN, [NIC_RET_SEND] = NIC_CNT_ENTRIES,
      [NIC_RET_TX] = NIC_CNT_TX_ACK,        [NIC_RET_TASK] = NIC_CNT_TASKS,       [NIC_RET_EVENT] = NIC_CNT_EVENTS,
      [NIC_RET_TIMER] = NIC_CNT_NO_PROGRESS};
  switch (r->kind) {
    case NIC_RET_TX:
      if (r->flag) return;
      m->cnt[r->code == NIC_TX_CNP      ? NIC_CNT_CNP_SENT
             : r->code == NIC_TX_ABSENT ? NIC_CNT_ABSENT
                                        : base[r->kind] + r->code]++;
      return;
    case NIC_RET_RX: m->cnt[base[r->kind] + r->code]++; return;
    case NIC_RET_FRAME: m->cnt[r->code == NIC_FR_CNP ? NIC_CNT_CNP_CAME : base[r->kind] + r->code]++; return;
    case NIC_RET_EVENT:
      if (r->code != NIC_EV_MSI) m->cnt[base[r->kind] + r->flag]++;
      return;
    case NIC_RET_TASK:
    case NIC_RET_TIMER: m->cnt[base[r->kind]] += !r->code; return;
    case NIC_RET_SEND: m->cnt[base[r->kind]]++; return;
    case NIC_RET_RATE:
      if (r->code == NIC_RT_CUT) one_more(m, NIC_CNT_CUT);
      return;
    case NIC_RET_CTX: one_more(m, NIC_CNT_CTX_LOADED + r->code); return;
    default: return;
  }
}

nic_status nic_retired(nic *m, const nic_retire_rec *hw, nic_retire_rec want) {
  count(m, &want);
  if (!hw) {
    if (m->ops.retire) m->ops.retire(m->ctx, &want);
    return NIC_OK;
  }
  if (hw->idx != want.idx) return nic_differs(m, "idx", hw->idx, want.idx);
  if (hw->code != want.code) return nic_differs(m, "code", hw->code, want.code);
  if (hw->flag != want.flag) return nic_differs(m, "flag", hw->flag, want.flag);
  if (hw->a != want.a) return nic_differs(m, "a", hw->a, want.a);
  if (hw->b != want.b) return nic_differs(m, "b", hw->b, want.b);
  return NIC_OK;
}
