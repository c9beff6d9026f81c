// SPDX-License-Identifier: Apache-2.0
/* RetTask: a message's task, or that of an access log. */
#include "../nic/nic_state.h"

enum { RETRY_TICKS = 1 };

static nic_status message(nic *m, const nic_retire_rec *hw) {
  if (m->enq_head == m->enq_tail) return hw ? nic_order(m, "no message's task is decided") : NIC_E_BUSY;
  const xtq_enq *e = &m->enq[m->enq_head++ % XTQ_ENQS];
  xtq_queue_enqueue(m, e, NIC_LOGS_MAX);
  return nic_retired(m, hw, (nic_retire_rec){NIC_RET_TASK, false, 0, (uint8_t)e->queue, e->index, e->proc});
}

/* Checks 6, 9, 10 for the task of a log: NIC_WHY_... or XTQ_WAIT. no_event: hardware says so,
 * and may if there is doubt. */
static unsigned judge(nic *m, unsigned proc, unsigned queue, bool no_event, xtq_place *p) {
  const uint64_t *w;
  xtq_queue_state *s = NULL;
  xtq_desc d;
  if (proc >= m->cfg.NumProcs) return NIC_WHY_BAD_QUEUE;
  nic_got got = xtq_table_find(m, &m->m_task, proc, XTQ_QUEUE, queue, &w, &s);
  if (got != NIC_GOT) return got == NIC_WAIT ? XTQ_WAIT : NIC_WHY_TABLE;
  if (!xtq_queue_desc(w, s, &d)) return NIC_WHY_BAD_QUEUE;
  if (d.events && !nic_memo_pinned(&m->m_task) && nic_event_none(m, proc, 2, no_event)) return NIC_WHY_NO_EVENT;
  return xtq_queue_place(m, &m->m_task, proc, &d, p);
}

/* TSK-1, TSK-2. */
static nic_status of_log(nic *m, unsigned log, const nic_retire_rec *hw) {
  if (log >= m->cfg.NumLogs) return nic_order(m, "there is no log %u", log);
  xtq_log *l = &m->log[log];
  if (!l->notice || !(l->ctl & NIC_XT_LOG_EN_MASK))
    return hw ? nic_order(m, "log %u has nothing to tell", log) : NIC_E_BUSY;
  if (!hw && m->now < l->not_before) return NIC_E_BUSY;
  if (hw && nic_time_task(m, log) != NIC_OK) return NIC_E_TIME;
  unsigned proc = (unsigned)NIC_FIELD(l->ctl, XT_LOG_PROC), queue = (unsigned)NIC_FIELD(l->ctl, XT_LOG_QUEUE);
  xtq_place p;
  unsigned why = judge(m, proc, queue, hw && hw->code == NIC_WHY_NO_EVENT, &p);
  m->task_owner = why == XTQ_WAIT ? log : NIC_LOGS_MAX;
  if (why == XTQ_WAIT) return hw ? nic_order(m, "what the task needs of memory has not been read") : NIC_E_BUSY;
  memo_clear(&m->m_task);
  if (why) {
    l->not_before = m->now + RETRY_TICKS * nic_time_tick(m);
    l->refused = true;
    l->refused_at = m->now;
    if (!hw) return NIC_E_BUSY;
  }
  if (hw && why)
    return nic_retired(
        m, hw, (nic_retire_rec){NIC_RET_TASK, true, (uint8_t)why, (uint8_t)queue, 0, proc | (uint64_t)log << 8});
  xtq_queue_commit(&p);
  if (p.d.events) nic_event_keep(m, proc, 2);
  xtq_enq e = {.proc = (uint8_t)proc,
               .queue = (uint16_t)queue,
               .index = p.index,
               .base = p.d.base,
               .size = p.d.size,
               .doorbell = p.d.doorbell,
               .block = p.d.block,
               .mirror = p.d.mirror,
               .events = p.d.events};
  memcpy(e.packet, l->packet, XTQ_CMD);
  xtq_rewrite_task(log, l->prod, l->cons, e.packet);
  xtq_queue_enqueue(m, &e, log);
  l->notice = l->refused = false;
  l->busy = true;
  l->tell = p.d.events;
  l->proc = (uint8_t)proc;
  return nic_retired(m, hw,
                     (nic_retire_rec){NIC_RET_TASK, true, 0, (uint8_t)queue, p.index, proc | (uint64_t)log << 8});
}

nic_status xtq_task_do(nic *m, const nic_retire_rec *hw) {
  if (hw) return hw->flag ? of_log(m, (unsigned)(hw->b >> 8 & 31), hw) : message(m, hw);
  nic_status s = message(m, NULL);
  if (s == NIC_OK || m->m_frame.num || !m->perhaps.tasks) return s; /* m_frame: a queue's index may be spoken for */
  m->perhaps.tasks = false;
  for (unsigned i = 0; s == NIC_E_BUSY && i < m->cfg.NumLogs; i++)
    if (m->log[i].notice) {
      m->perhaps.tasks = true;
      if (m->task_owner == NIC_LOGS_MAX || m->task_owner == i) s = of_log(m, i, NULL);
    }
  return s;
}

/* TSK-3. */
void xtq_task_is_done(nic *m, unsigned log) {
  xtq_log *l = &m->log[log];
  if (!l->busy) return;
  l->busy = false;
  if (m->ops.task_done) m->ops.task_done(m->ctx, log);
  if (!l->tell) return;
  nic_event e = {.proc = l->proc, .kind = NIC_EV_TASK_DONE, .kept = true, .word = log};
  nic_event_add(m, &e);
}
