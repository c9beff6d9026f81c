// SPDX-License-Identifier: Apache-2.0
/* Event rings, one a process: places, events that wait to be written, MSIs. */
#include "nic_state.h"
#include "tocsin/nic_time.h"

enum {
  NIC_READ_AHEAD =
      65,        /* entries of all queue pairs that are being read (Ahead, 64 at most), one more that is about to be */
  NIC_QUEUED = 5 /* events of requesters that wait, and one in judgement */
};

static bool there(const nic_ring *r, uint32_t more) {
  return r->en && (uint64_t)(r->prod - r->cons) + more < 1ull << r->size;
}

/* EVT-3. */
bool nic_event_room(const nic *m, unsigned proc, unsigned places) {
  return proc < m->cfg.NumProcs && there(&m->eq[proc], m->eq[proc].kept + places - 1);
}

/* Places that the model has given back, and hardware perhaps not yet: behind as many events as its queue
 * holds, or one by one. */
static uint32_t in_transit(const nic *m, const nic_ring *r) {
  uint32_t most = m->cfg.Requests + NIC_QUEUED;
  if (m->time.on && m->time.free - r->back_at > nic_time_late(&m->cfg, m->time.beat)) return 0;
  return r->back < most ? r->back : most;
}

void nic_event_keep(nic *m, unsigned proc, unsigned places) { m->eq[proc].kept += places; }
void nic_event_release(nic *m, unsigned proc, unsigned places) {
  nic_ring *r = &m->eq[proc];
  if (!in_transit(m, r)) r->back = 0;
  r->kept -= places;
  r->back += places;
  r->back_at = m->time.free;
}

/* EVT-4. */
void nic_event_add(nic *m, const nic_event *e) {
  if (m->events == NIC_EVENTS) return;
  nic_event *n = &m->event[m->events++];
  *n = *e;
  n->free = m->time.free;
  memset(n->after, 0, sizeof n->after);
  /* 5, 6 and 7 tell of nothing that was written: a response has waited for what was before it, and what is in a buffer
   * is told of by its task. */
  if (e->kind == NIC_EV_RESP_FAILED || e->kind == NIC_EV_BUFFER || e->kind == NIC_EV_TASK_DONE) return;
  unsigned of = e->kind == NIC_EV_SEND                             ? NIC_SRC_REQ
                : e->kind == NIC_EV_TASK || e->kind == NIC_EV_RECV ? NIC_SRC_TASK
                                                                   : NIC_SRC_RESP;
  n->after[of] = m->writes[of];
}

/* EVT-1, EVT-2. */
static void put_event(nic *m, const nic_event *e, nic_ring *r) {
  uint8_t b[32] = {0};
  b[0] = e->kind;
  b[1] = e->status;
  b[2] = (uint8_t)e->qp;
  b[3] = (uint8_t)(e->qp >> 8);
  le32_put(b + 4, e->word);
  le32_put(b + 8, e->len);
  le32_put(b + 12, e->bytes);
  le64_put(b + 16, e->addr);
  b[31] = !(r->prod >> r->size & 1);
  nic_write(m, NIC_SRC_EVENT, e->proc, r->base + 32 * (uint64_t)(r->prod & ((1ull << r->size) - 1)), b, 32, e->after);
}

static bool msi_due(const nic_ring *r) { return r->en && r->armed && r->msia && r->prod != r->cons; }

bool nic_event_msi_due(const nic *m, unsigned proc) { return msi_due(&m->eq[proc]); }

/* EVT-5. */
static nic_status send_msi(nic *m, unsigned proc, const nic_retire_rec *hw) {
  nic_ring *r = &m->eq[proc];
  uint8_t b[4];
  if (!msi_due(r)) return nic_order(m, "no MSI of process %u is due", proc);
  r->armed = false;
  le32_put(b, r->msid);
  nic_write(m, NIC_SRC_EVENT, proc, r->msia, b, 4, NULL);
  return nic_retired(
      m, hw, (nic_retire_rec){NIC_RET_EVENT, false, NIC_EV_MSI, (uint8_t)proc, hw ? hw->a : r->prod, hw ? hw->b : 0});
}

/* Places that hardware may have taken, and the model takes with a record yet to come, or has given back already: those
 * of entries that are being read, of one frame in judgement, of one log's task. */
static unsigned ahead(const nic *m, unsigned proc) {
  unsigned n = 0, of_log = 0, before = 0;
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    const nic_qp *q = &m->qp[i];
    unsigned ready = (uint16_t)(q->prod - q->fetch), may = m->cfg.Requests - q->num;
    if (qp_on(q) && qp_proc(q) == proc) n += ready < may ? ready : may;
    if (qp_on(q) && qp_proc(q) == proc) before += q->late_reads;
    if (q->changing && NIC_FIELD(q->before.ctl, QP_CTL_PROC) == proc) before += q->before.num + q->before.reads;
  }
  for (unsigned i = 0; i < m->cfg.NumLogs; i++) {
    const xtq_log *l = &m->log[i];
    if (l->notice && (l->ctl & NIC_XT_LOG_EN_MASK) && NIC_FIELD(l->ctl, XT_LOG_PROC) == proc) of_log = 2;
  }
  if (n > NIC_READ_AHEAD) n = NIC_READ_AHEAD;
  return n + before + of_log + (m->frame_head != m->frame_named) + in_transit(m, &m->eq[proc]);
}

bool nic_event_doubt(const nic *m, unsigned proc) { return !there(&m->eq[proc], m->eq[proc].kept + ahead(m, proc)); }

bool nic_event_none(nic *m, unsigned proc, unsigned places, bool said) {
  if (!nic_event_room(m, proc, places) && (said || !nic_ack_begin_any(m) || !nic_event_room(m, proc, places)))
    return true;
  if (!said || !nic_event_doubt(m, proc)) return false;
  m->excuses[NIC_EXCUSE_PLACE]++;
  return true;
}

/* Tells events of one kind and process apart: by the QP (CTX-12), or the access log whose task is done. */
static uint64_t about(const nic_event *e) { return e->kind == NIC_EV_TASK_DONE ? e->word : e->qp; }

static nic_status write_event(nic *m, unsigned at, const nic_retire_rec *hw) {
  nic_event e = m->event[at];
  nic_ring *r = &m->eq[e.proc];
  bool room = there(r, e.kept ? 0 : r->kept), lost = !room;
  if (hw && hw->flag && room && !e.kept && !there(r, r->kept + ahead(m, e.proc))) {
    lost = true;
    m->excuses[NIC_EXCUSE_PLACE]++;
  }
  memmove(m->event + at, m->event + at + 1, (--m->events - at) * sizeof *m->event);
  uint32_t index = r->prod;
  if (e.kept) r->kept--;
  if (lost) {
    r->lost = true;
  } else {
    put_event(m, &e, r);
    r->prod++;
    m->perhaps.msis = true;
  }
  return nic_retired(m, hw, (nic_retire_rec){NIC_RET_EVENT, lost, e.kind, e.proc, index, about(&e)});
}

nic_status nic_event_do(nic *m, const nic_retire_rec *hw) {
  if (!hw) {
    if (m->events) return write_event(m, 0, NULL);
    for (unsigned p = 0; m->perhaps.msis && p < m->cfg.NumProcs; p++)
      if (msi_due(&m->eq[p])) return send_msi(m, p, NULL);
    m->perhaps.msis = false;
    return NIC_E_BUSY;
  }
  if (hw->idx >= NIC_PROCS_MAX) return nic_differs(m, "process", hw->idx, NIC_PROCS_MAX - 1);
  if (hw->code == NIC_EV_MSI) return send_msi(m, hw->idx, hw);
  do {
    for (unsigned i = 0; i < m->events; i++)
      if (m->event[i].proc == hw->idx && m->event[i].kind == hw->code && about(&m->event[i]) == hw->b)
        return write_event(m, i, hw);
  } while (hw->code == NIC_EV_SEND && nic_ack_begin_named(m, hw->b));
  return nic_order(m, "no event %u of process %u about %u waits", hw->code, hw->idx, (unsigned)hw->b);
}

/* ---- registers ---- */

uint64_t nic_event_reg(const nic *m, unsigned proc, unsigned reg) {
  const nic_ring *r = &m->eq[proc];
  switch (reg) {
    case NIC_REG_EQ_BASE & 127: return r->base;
    case NIC_REG_EQ_CTL & 127: return r->size | (r->en ? NIC_EQ_CTL_EN_MASK : 0);
    case NIC_REG_EQ_CONS & 127: return r->cons;
    case NIC_REG_EQ_STS & 127:
      return r->prod | (uint64_t)r->lost << NIC_EQ_STS_LOST_LSB | (uint64_t)r->bad << NIC_EQ_STS_BAD_LSB;
    case NIC_REG_EQ_MSIA & 127: return r->msia;
    case NIC_REG_EQ_MSID & 127: return r->msid;
    default: return 0;
  }
}

static uint64_t merge(uint64_t old, uint64_t v, uint64_t mask) { return (old & ~mask) | (v & mask); }

void nic_event_write(nic *m, unsigned proc, unsigned reg, uint64_t v, uint64_t mask) {
  nic_ring *r = &m->eq[proc];
  m->perhaps.msis = true;
  switch (reg) {
    case NIC_REG_EQ_BASE & 127:
      if (!r->en) r->base = merge(r->base, v, mask & NIC_EQ_BASE_ADDR_MASK);
      break;
    case NIC_REG_EQ_CTL & 127: {
      uint64_t now = merge(nic_event_reg(m, proc, reg), v, mask);
      if (!r->en) r->size = now & NIC_EQ_CTL_SIZE_MASK;
      bool en = now & NIC_EQ_CTL_EN_MASK;
      if (en && !r->en) {
        r->prod = r->cons = 0;
        r->armed = false;
      }
      r->en = en;
      break;
    }
    case NIC_REG_EQ_CONS & 127: {
      if (!(mask & NIC_EQ_CONS_CONS_MASK)) break;
      uint32_t cons = (uint32_t)merge(r->cons, v, mask);
      if (cons - r->cons > r->prod - r->cons) {
        r->bad = true;
        break;
      }
      r->cons = cons;
      r->armed = true;
      break;
    }
    case NIC_REG_EQ_STS & 127:
      if (v & mask & NIC_EQ_STS_LOST_MASK) r->lost = false;
      if (v & mask & NIC_EQ_STS_BAD_MASK) r->bad = false;
      break;
    case NIC_REG_EQ_MSIA & 127: r->msia = merge(r->msia, v, mask & NIC_EQ_MSIA_ADDR_MASK); break;
    case NIC_REG_EQ_MSID & 127: r->msid = (uint32_t)merge(r->msid, v, mask & NIC_EQ_MSID_DATA_MASK); break;
    default: break;
  }
}
