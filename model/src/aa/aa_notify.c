// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_notify.h"

#include "aa_state.h"
#include "../le.h"
#include "tocsin/aa_regs.h"

/* NTF-2. */
bool aa_notify_ptr(const aa_log *g) { return g->en && g->ptr_due; }

/* NTF-3, NTF-4. */
bool aa_notify_msi(const aa_log *g, uint64_t waited) {
  /* What the consumer can see must justify the MSI: with a pointer in memory that is its last written value. */
  uint32_t seen = (g->cfg & AA_LOG_CFG_PTR_MASK) ? g->ptr_value : g->prod;
  uint32_t unread = seen - g->cons;
  uint32_t low = (uint32_t)(g->msid >> AA_LOG_MSID_FREE_LSB), cycles = (uint32_t)g->time;
  if (!g->en || !(g->cfg & AA_LOG_CFG_MSI_MASK)) return false;
  if (g->alarm) return true;
  if (!g->armed || (int32_t)unread < 0) return false;
  return (low && g->size - unread < low) || (cycles && unread && waited >= cycles);
}

/* NTF-5. */
bool aa_notify_task(const aa_log *g) { return g->en && (g->cfg & AA_LOG_CFG_TASK_MASK) && g->prod != g->cons; }

/* An event's MSI. pending: what it is sent for (flag: a failed write). */
static aa_status send_event(aa *m, const aa_event *e, bool *pending, unsigned code, bool flag,
                            const aa_retire_rec *hw) {
  uint8_t b[4];
  if (!aa_event_due(e, *pending)) return aa_order(m, "event %u is not pending, or masked", code);
  if (hw && hw->a != e->data) return aa_differs(m, "a", hw->a, e->data);
  *pending = false;
  le32_put(b, e->data);
  if (!hw) aa_emit(m, AA_RET_NOTIFY, flag, code, 0, 0, 0, e->data, 0);
  aa_write(m, AA_SRC_SMALL, AA_LOG_NONE, ((uint64_t)e->uaddr << 32 | e->addr) & 0xffffffffffffull, b, 4, hw);
  return AA_OK;
}

/* The hardware's record of a failed write: of a log that is open, in whose ring the burst begins,
 * or of its pointer or MSI. */
static aa_status write_failed(aa *m, const aa_retire_rec *r) {
  if (r->idx > AA_SRC_SMALL || (r->slot != AA_LOG_NONE && (r->slot >= m->logs.num || !m->logs.log[r->slot].en)))
    return aa_order(m, "no write of id %u, log %u can have failed", r->idx, r->slot);
  const aa_log *g = r->slot == AA_LOG_NONE ? NULL : &m->logs.log[r->slot];
  bool small = r->idx == AA_SRC_SMALL;
  if (!g && (!small || r->flag)) return aa_order(m, "a write of a log failed, and it is not said of which");
  if (!small && (r->flag || r->a - g->base >= g->size))
    return aa_order(m, "the burst at %llx is not in the ring of log %u", (unsigned long long)r->a, r->slot);
  if (g && small && r->a != (r->flag ? g->ptr : g->msia))
    return aa_order(m, "%llx is not what log %u writes its %s to", (unsigned long long)r->a, r->slot,
                    r->flag ? "pointer" : "MSI");
  aa_write_failed(m, r->idx, r->slot | (r->flag ? AA_OWNER_PTR : 0u), r->a);
  return AA_OK;
}

/* FLU-1, FLU-2, FLU-4. */
static aa_status flush_answer(aa *m, unsigned idx, bool undone, const aa_retire_rec *hw) {
  aa_waiter *w = idx < m->flush.waiters ? &m->flush.waiter[idx] : NULL;
  uint8_t data[16];
  tlp t;
  if (!w || !w->live) return aa_order(m, "waiter %u holds no flush", idx);
  uint32_t cons = m->logs.log[w->log].cons;
  /* What has come since AA_RESET was written may be ended as well. */
  bool reset = w->reset || w->must || (hw && hw->slot == 1 && m->fn_go && w->hdr[1] >> 16 == m->fn_rid);
  bool not_done = w->torn || reset || !aa_flush_drained(w, cons);
  if (hw && hw->slot != reset) return aa_differs(m, "slot", hw->slot, reset);
  if (undone != not_done) return aa_order(m, "flush %u: not done %u, at %x of %x", idx, undone, cons, w->snapshot);
  if (undone && !w->torn && !reset && !m->flush_tmo)
    return aa_order(m, "flush %u given up without time-out or tear-down", idx);
  if (hw && hw->a != cons) return aa_differs(m, "a", hw->a, cons);
  if (undone) {
    m->cnt[AA_CNT_FLUSHES_UNDONE]++;
    if (!w->torn && !reset)
      aa_fault_error(&m->fault, AA_ERR_FLUSH_TIMEOUT, w->hdr[1] >> 16,
                     (unsigned)(m->logs.log[w->log].cfg & AA_LOG_CFG_IUID_MASK), tlp_addr(w->hdr));
  }
  if (!hw) aa_emit(m, AA_RET_NOTIFY, undone, AA_NOTE_FLUSH, 0, reset, idx, cons, 0);
  w->live = false;
  m->flush.used--;
  aa_tag_release(&m->tags, AA_TAG_MAX + idx);
  m->due = true;
  if (reset) return AA_OK;
  aa_flush_answer(w, cons, undone, &t, data);
  m->ops.dev_cpl(m->ctx, w->port, AA_CPL_FLUSH, &t);
  return AA_OK;
}

/* INV-4, INV-7, ERR-6. */
static aa_status wait_done(aa *m, const aa_retire_rec *hw) {
  bool failed = hw && hw->flag;
  aa_qi *q = &m->qi;
  uint8_t b[4];
  if (!q->waiting) return aa_order(m, "no wait descriptor is under way");
  if (!aa_qi_drained(m)) return aa_order(m, "wait done while %u older reads are outstanding", m->tags.old);
  uint32_t data = (uint32_t)(q->wait[0] >> 32);
  data = q->wait[0] & 0x20 ? data : 0;
  if (hw && hw->a != data) return aa_differs(m, "a", hw->a, data);
  q->waiting = false;
  if (failed && !(q->wait[0] & 0x20)) return aa_order(m, "a wait without status write cannot fail");
  if (q->wait[0] & 0x20) {
    le32_put(b, data);
    failed = !aa_write(m, AA_SRC_SMALL, AA_LOG_NONE, q->wait[1] & 0xfffffffffffcull, b, 4, hw) || failed;
  }
  if (!hw) aa_emit(m, AA_RET_NOTIFY, failed, AA_NOTE_WAIT, 0, 0, 0, data, 0);
  m->due = true;
  if (failed) { /* nothing is pretended: the queue stops here */
    if (!q->stale) aa_fault_iqe(&m->fault);
    return AA_OK;
  }
  if (!q->stale) q->head = (q->head + 1) & ((256u << (q->iqa & AA_IQA_QS_MASK)) - 1);
  if (q->wait[0] & 0x10) {
    q->event.pending = q->event.pending || !q->iwc;
    q->iwc = true;
  }
  return AA_OK;
}

/* NTF-1, NTF-6, LOG-10, INV-2. */
aa_status aa_notify_do(aa *m, unsigned code, unsigned idx, bool flag, const aa_retire_rec *hw) {
  uint8_t b[8];
  if (code == AA_NOTE_FAULT)
    return send_event(m, &m->fault.event, flag ? &m->fault.werr_pending : &m->fault.event.pending, code, flag, hw);
  if (code == AA_NOTE_INV_DONE) return send_event(m, &m->qi.event, &m->qi.event.pending, code, false, hw);
  if (code == AA_NOTE_WAIT) return wait_done(m, hw);
  if (code == AA_NOTE_FLUSH) return flush_answer(m, idx, flag, hw);
  if (code == AA_NOTE_AXI_ERR) return write_failed(m, hw);
  if (code == AA_NOTE_RESET) {
    if (!m->fn_go || !aa_reset_over(m)) return aa_order(m, "AA_RESET is done before all has ended");
    if (hw && hw->a != m->fn_rid) return aa_differs(m, "a", hw->a, m->fn_rid);
    if (!hw) aa_emit(m, AA_RET_NOTIFY, false, code, 0, 0, 0, m->fn_rid, 0);
    m->fn_go = false;
    return AA_OK;
  }
  if (idx >= m->logs.num) return aa_order(m, "log %u does not exist", idx);
  aa_log *g = &m->logs.log[idx];
  uint64_t value = g->prod;
  switch (code) {
    case AA_NOTE_PTR:
      if (!aa_notify_ptr(g)) return aa_order(m, "log %u has no new pointer to write", idx);
      break;
    case AA_NOTE_MSI:
      if (!aa_notify_msi(g, hw ? ~0ull : m->now - g->since)) return aa_order(m, "log %u has no reason for an MSI", idx);
      value = g->msid & AA_LOG_MSID_DATA_MASK;
      break;
    case AA_NOTE_TASK:
      if (!aa_notify_task(g)) return aa_order(m, "log %u has no reason for a task", idx);
      if (g->tasked) return aa_order(m, "log %u has a task outstanding", idx);
      break;
    case AA_NOTE_LOG_OFF:
      if (!g->closing || g->count || g->ptr_due || aa_notify_msi(g, 0))
        return aa_order(m, "log %u is not closed, or not drained", idx);
      value = 0;
      break;
    default: return aa_order(m, "no such note: %u", code);
  }
  if (hw && hw->a != value) return aa_differs(m, "a", hw->a, value);
  if (!hw) aa_emit(m, AA_RET_NOTIFY, false, code, 0, 0, idx, value, 0);
  if (code == AA_NOTE_PTR) {
    le64_put(b, value);
    g->ptr_due = false;
    g->ptr_value = g->prod;
    aa_write(m, AA_SRC_SMALL, idx | AA_OWNER_PTR, g->ptr, b, 8, hw);
  } else if (code == AA_NOTE_MSI) {
    le32_put(b, (uint32_t)value);
    g->armed = g->alarm = false;
    m->cnt[AA_CNT_MSIS]++;
    aa_write(m, AA_SRC_SMALL, idx, g->msia, b, 4, hw);
  } else if (code == AA_NOTE_TASK) {
    g->tasked = true;
    if (!hw) m->told |= 1u << idx;
  } else {
    aa_log_off(&m->logs, idx);
    m->due = true;
  }
  return AA_OK;
}
