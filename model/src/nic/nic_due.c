// SPDX-License-Identifier: Apache-2.0
/* Lockstep: what comes too late. What is due is noted with the cycles so far in which nothing held the NIC up; when too
 * many of them have passed since, it is late. Looked at every few cycles, which is all that the bounds are exact to.
 * TIM-8, TIM-9, TIM-10. */
#include <stdio.h>

#include "nic_state.h"
#include "tocsin/nic_time.h"

enum { STRIDE = 8 };

static uint64_t log_turn(const nic *m) {
  return (uint64_t)m->cfg.NumLogs * (NIC_TIME_LOG + nic_time_packet(m->time.beat)) +
         nic_time_late(&m->cfg, m->time.beat);
}

/* Is it late? What is due has to come, whoever asks, until a record has taken it away (nic_due_done). */
static bool late(nic_due *d, bool due, uint64_t free, uint64_t limit) {
  if (!due || !d->on) d->since = free;
  d->on = due;
  return due && free - d->since > limit + STRIDE;
}

static nic_status overdue(nic *m, const char *what, unsigned i) {
  snprintf(m->reason, sizeof m->reason, "%s (%u) is overdue: at cycle %llu nothing has held it up for too long", what,
           i, (unsigned long long)m->now);
  return NIC_E_TIME;
}

/* Congestion: a CNP that is owed, the next visit that changes something. */
static nic_status congestion(nic *m, unsigned i) {
  nic_cnp *c = &m->qp[i].cnp;
  const nic_rate *r = &m->qp[i].rate;
  nic_rate_look(m, i);
  if (late(&c->due, nic_cnp_due(m, i), m->time.free, nic_time_turn(m))) return overdue(m, "a CNP of QP", i);
  if ((r->had || r->slow) && m->now > nic_rate_next(m, i) + nic_time_visit_late(&m->cfg) + STRIDE)
    return overdue(m, "a change of the rate of QP", i);
  return NIC_OK;
}

/* Since when there has been no progress, at the latest. What is held back has its time after that. TIM-1. */
static uint64_t no_progress_since(const nic *m, unsigned i) {
  const nic_qp *q = &m->qp[i];
  return q->rate.slow && q->rate.clear_at > q->since ? q->rate.clear_at : q->since;
}

/* TIM-1, TIM-4, TIM-6. */
static nic_status queue_pair(nic *m, unsigned i) {
  nic_qp *q = &m->qp[i];
  uint64_t free = m->time.free, slack = nic_time_late(&m->cfg, m->time.beat);
  if (late(&q->due[NIC_DUE_QUIET], q->changing, free, slack + (uint64_t)m->cfg.NumQps * m->cfg.Requests))
    return overdue(m, "TmQuiet of QP", i);
  if (late(&q->ack_due, nic_acks_due(m, i), free, nic_time_turn(m))) return overdue(m, "an acknowledgement of QP", i);
  bool on = qp_on(q) && !q->changing;
  if (late(&q->due[NIC_DUE_LOST], on && q->losing, free, slack)) return overdue(m, "TmLost of QP", i);
  if (late(&q->due[NIC_DUE_SEND], on && nic_req_may_read(m, i), free, nic_time_turn(m)))
    return overdue(m, "reading an entry of QP", i);
  if (late(&q->due[NIC_DUE_TX], on && !q->losing && nic_req_may_send(m, i), free, nic_time_turn(m)))
    return overdue(m, "a packet of QP", i);
  if (late(&q->due[NIC_DUE_ENDS], on && !q->losing && nic_req_ends(m, i), free, nic_time_turn(m)))
    return overdue(m, "the end of a request that cannot be done of QP", i);
  uint64_t timeout = NIC_FIELD(q->ctl, QP_CTL_TIMEOUT);
  bool waits = on && !q->send_err && !q->rnr_wait && timeout && q->una != q->nxt;
  waits = waits && !nic_rate_held(m, i);
  if (late(&q->due[NIC_DUE_PROGRESS], waits && m->now - no_progress_since(m, i) > 1ull << timeout, free, slack))
    return overdue(m, "no progress of QP", i);
  bool rnr = on && q->rnr_wait && m->time.new_tick <= q->rnr_from && m->now > q->rnr_until + nic_time_tick(m);
  if (late(&q->due[NIC_DUE_RNR], rnr, free, slack)) return overdue(m, "the end of an RNR wait of QP", i);
  return NIC_OK;
}

static nic_status logs(nic *m) {
  for (unsigned i = 0; i < m->cfg.NumLogs; i++) {
    xtq_log *l = &m->log[i];
    bool waits = l->refused && (m->time.new_tick > l->refused_at || m->now <= l->refused_at + 2 * nic_time_tick(m));
    if (late(&l->due, l->notice && (l->ctl & NIC_XT_LOG_EN_MASK) && !waits, m->time.free, log_turn(m)))
      return overdue(m, "the task of log", i);
  }
  return NIC_OK;
}

/* TIM-5. */
static nic_status events(nic *m) {
  uint64_t slack = nic_time_late(&m->cfg, m->time.beat);
  for (unsigned i = 0; i < m->events; i++)
    if (m->time.free - m->event[i].free > slack + STRIDE) return overdue(m, "an event of process", m->event[i].proc);
  for (unsigned p = 0; p < m->cfg.NumProcs; p++)
    if (late(&m->eq[p].due, nic_event_msi_due(m, p), m->time.free, slack)) return overdue(m, "the MSI of process", p);
  return NIC_OK;
}

/* TIM-11: what is being moved, and the context of the oldest frame, whose place may answer first. */
static uint64_t moves(const nic *m) {
  return nic_ctx_on(m) ? 2 * nic_time_move(&m->cfg, m->time.beat) + nic_time_turn(m) : 0;
}

static nic_status anything_late(nic *m) {
  uint64_t free = m->time.free, slack = nic_time_late(&m->cfg, m->time.beat);
  if (late(&m->time.rx, m->judged.head != m->judged.tail, m->now, NIC_TIME_RX)) return overdue(m, "RetRx", 0);
  if (late(&m->time.frame, m->frame_head != m->frame_named, free, slack + moves(m))) return overdue(m, "RetFrame", 0);
  if (late(&m->time.rsp, nic_reply_pending(m), free, nic_time_turn(m))) return overdue(m, "a response", 0);
  if (late(&m->time.task, m->enq_head != m->enq_tail, m->now, 0)) return overdue(m, "a message's RetTask", 0);
  if (late(&m->time.table, m->xt_busy, free, slack)) return overdue(m, "RetTable", 0);
  nic_status s = events(m);
  if (s == NIC_OK) s = logs(m);
  for (unsigned i = 0; i < m->cfg.NumQps && s == NIC_OK; i++) {
    s = congestion(m, i);
    if (s == NIC_OK) s = queue_pair(m, i);
  }
  return s;
}

/* A record: what it was about was not late, and what comes next is due from now on. */
void nic_due_done(nic *m, const nic_retire_rec *r) {
  nic_qp *q = r->idx < m->cfg.NumQps ? &m->qp[r->idx] : NULL;
  switch (r->kind) {
    case NIC_RET_RX: m->time.rx.on = false; break;
    case NIC_RET_FRAME: m->time.frame.on = false; break;
    case NIC_RET_TABLE: m->time.table.on = false; break;
    case NIC_RET_TASK:
      m->time.task.on = false;
      if (r->flag) m->log[r->b >> 8 & 31].due.on = false;
      break;
    case NIC_RET_EVENT:
      if (r->code == NIC_EV_MSI) m->eq[r->idx].due.on = false;
      break;
    case NIC_RET_SEND: q->due[NIC_DUE_SEND].on = false; break;
    case NIC_RET_TX:
      if (r->code == NIC_TX_REQUEST) q->due[NIC_DUE_TX].on = false;
      break;
    case NIC_RET_TIMER:
      for (unsigned k = 0; k < NIC_DUE_NUM; k++) q->due[k].on = false;
      break;
    default: break;
  }
}

nic_status nic_cycle(nic *m, unsigned beat, unsigned held) {
  m->time.on = true;
  m->time.beat = beat;
  m->now++;
  if (!held) m->time.free++;
  if (nic_ctx_on(m)) nic_ctx_look(m);
  if (m->now % NIC_TIME_VISIT == 0) m->time.mark[m->now / NIC_TIME_VISIT % NIC_MARKS] = m->time.free;
  return m->now % STRIDE ? NIC_OK : anything_late(m);
}
