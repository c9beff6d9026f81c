// SPDX-License-Identifier: Apache-2.0
/* The engine by itself: what waits is decided, published and told of as soon as it can be, and time passes. */
#include "aa_run.h"

#include "tocsin/aa_regs.h"

/* The oldest request of a lane, unless it is. */
static void translate(aa *m, unsigned lane) {
  aa_queue *l = &m->lane[lane];
  if (l->xl != l->head) return;
  aa_slot *s = aa_queue_at(l, l->head);
  aa_translate(m, &s->req.look, lane, l->head, &s->xl);
  l->xl++;
}

/* XLT-24: what the last invalidation threw back is translated before the next one. */
static void invalidate(aa *m, unsigned code) {
  for (unsigned i = 0; i < 2 * m->cfg.NumPorts; i++)
    if (m->lane[i].owed) translate(m, i);
  aa_inval_do(m, code, NULL);
}

/* Decides what a lane can; true if anything was. */
static bool run_lane(aa *m, unsigned lane) {
  aa_queue *l = &m->lane[lane];
  bool any = false;
  while (l->head != l->tail) {
    aa_slot *s = aa_queue_at(l, l->head);
    if (!aa_slot_in_order(m, lane, s)) break;
    translate(m, lane);
    m->stalled = false;
    m->wdog_fired = s->stalled && m->wdog && m->now - s->since >= m->wdog;
    aa_status st = aa_decide(m, aa_slot_req(s), &s->xl, NULL);
    if (st != AA_OK) {
      if (m->stalled && !s->stalled) s->since = m->now;
      s->stalled = m->stalled;
      break;
    }
    aa_pop_request(m, l);
    any = true;
  }
  return any;
}

/* Publishes and tells what log n has to. */
static void run_log(aa *m, unsigned n) {
  aa_log *g = &m->logs.log[n];
  uint32_t to = g->prod;
  if (g->closing || aa_log_failed(g))
    for (unsigned i = 0; i < m->cfg.TagEntries; i++)
      if (m->tags.tag[i].live && m->tags.tag[i].logged && m->tags.tag[i].place.log == n)
        aa_cpl_timeout(m, i, AA_CLOSE_LOG, NULL);
  for (unsigned i = 0; !aa_log_failed(g) && i < g->count && (g->closed >> (g->head + i) % AA_LOG_MAX & 1u); i++)
    to += g->bytes[(g->head + i) % AA_LOG_MAX];
  if (to != g->prod) aa_log_publish_to(m, n, to, NULL);
  if (aa_notify_ptr(g)) aa_notify_do(m, AA_NOTE_PTR, n, false, NULL);
  if (aa_notify_msi(g, m->now - g->since)) aa_notify_do(m, AA_NOTE_MSI, n, false, NULL);
  if (aa_notify_task(g) && !g->tasked) aa_notify_do(m, AA_NOTE_TASK, n, false, NULL);
  for (unsigned i = 0; m->flush.used && i < m->flush.waiters; i++) {
    aa_waiter *w = &m->flush.waiter[i];
    if (w->live && w->log == n && (w->torn || aa_flush_drained(w, g->cons)))
      aa_notify_do(m, AA_NOTE_FLUSH, i, w->torn, NULL);
  }
  if (g->closing && !g->count) aa_notify_do(m, AA_NOTE_LOG_OFF, n, false, NULL);
}

/* What the short way of aa_submit may be used for; to be called when anything changed that it depends on. */
static void plain_update(aa *m) {
  m->plain_alone = m->xlt.te && !m->filter_any && !m->ops.retire;
  for (unsigned i = 0; i < m->cfg.NumPorts; i++) m->plain_alone = m->plain_alone && !m->reset[i];
  m->plain = m->plain_alone && !m->queued;
  m->xlt.gen += AA_GEN;
}

void aa_settle(aa *m) {
  while (m->due || m->logs_due) {
    bool others = m->due;
    uint32_t logs = m->logs_due;
    m->due = false;
    m->logs_due = 0;
    for (unsigned n = 0; n < m->cfg.NumLogs; n++)
      if (logs >> n & 1u) run_log(m, n);
    if (!others) continue;
    for (unsigned i = 0; i < 2; i++)
      if (aa_inval_asked(m, i)) invalidate(m, 1 + i);
    for (unsigned i = 0; i < 2; i++)
      if (m->inv_gran[i] && !m->tags.old) aa_inval_do(m, 3 + i, NULL);
    if (m->qi.waiting && aa_qi_drained(m)) aa_notify_do(m, AA_NOTE_WAIT, 0, false, NULL);
    if (!m->qi.waiting && aa_qi_due(m)) invalidate(m, 0);
    const aa_event *fault = &m->fault.event, *inval = &m->qi.event;
    if (aa_event_due(fault, fault->pending)) aa_notify_do(m, AA_NOTE_FAULT, 0, false, NULL);
    if (aa_event_due(fault, m->fault.werr_pending)) aa_notify_do(m, AA_NOTE_FAULT, 0, true, NULL);
    if (aa_event_due(inval, inval->pending)) aa_notify_do(m, AA_NOTE_INV_DONE, 0, false, NULL);
    for (unsigned i = 0; m->fn_go && i < m->cfg.TagEntries; i++)
      if (m->tags.tag[i].live && m->tags.tag[i].must && !m->tags.tag[i].dead) aa_cpl_timeout(m, i, AA_CLOSE_END, NULL);
    for (unsigned i = 0; m->fn_go && i < m->flush.waiters; i++)
      if (m->flush.waiter[i].live && m->flush.waiter[i].must) aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
    for (unsigned i = 0; m->queued && i < 2 * m->cfg.NumPorts; i++)
      if (run_lane(m, i)) m->due = true;
    if (m->fn_go && aa_reset_over(m)) aa_notify_do(m, AA_NOTE_RESET, 0, false, NULL);
  }
}

aa_status aa_complete(aa *m, const tlp *t) {
  aa_cpl_consume(m, t, false, NULL);
  if (m->due || m->logs_due) {
    m->polled = false;
    aa_settle(m);
  }
  return AA_OK;
}

aa_status aa_reg_read(aa *m, uint32_t addr, unsigned size, uint64_t *value) {
  *value = 0;
  if ((size != 4 && size != 8) || (addr & (size - 1)) || addr >= 0x100000u) return AA_E_ARG;
  uint64_t word = aa_regs_read(m, addr);
  aa_emit(m, AA_RET_REG_READ, false, 0, 0, 0, 0, addr & ~7u, word);
  *value = size == 8 ? word : (addr & 4) ? word >> 32 : word & 0xffffffffu;
  return AA_OK;
}

aa_status aa_reg_write(aa *m, uint32_t addr, unsigned size, uint64_t value) {
  if ((size != 4 && size != 8) || (addr & (size - 1)) || addr >= 0x100000u) return AA_E_ARG;
  unsigned strb = size == 8 ? 0xffu : (addr & 4) ? 0xf0u : 0x0fu;
  uint64_t word = size == 8 ? value : (addr & 4) ? value << 32 : value & 0xffffffffu;
  aa_emit(m, AA_RET_REG_WRITE, false, 0, 0, 0, strb, addr & ~7u, word);
  m->polled = false;
  aa_regs_write(m, addr & ~7u, word, strb);
  plain_update(m);
  aa_settle(m);
  return AA_OK;
}

aa_status aa_poll(aa *m) {
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; i < m->cfg.NumPorts; i++)
    if (m->reset[i]) aa_reset_port(m, i);
  for (unsigned i = 0; used && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && m->tags.tag[i].reset && !m->tags.tag[i].dead) aa_cpl_timeout(m, i, AA_CLOSE_END, NULL);
  for (unsigned i = 0; m->flush.used && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->flush.waiter[i].reset) aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
  m->due = true;
  m->logs_due = (uint32_t)((1ull << m->logs.reach) - 1);
  aa_settle(m);
  m->polled = true;
  return AA_OK;
}

aa_status aa_dev_reset(aa *m, unsigned port, bool level) {
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  m->polled = false;
  if (m->reset[port]) aa_reset_port(m, port); /* high until now: whatever is there is of before */
  m->reset[port] = level;
  plain_update(m);
  return AA_OK;
}

/* When time ends a read, or its quarantine. */
static uint64_t tag_ends(const aa *m, unsigned i) {
  return m->tags.tag[i].since + ((uint64_t)m->cpl_tmo << m->tags.tag[i].dead);
}

/* When something happens by itself; UINT64_MAX: never. */
static uint64_t next_event(const aa *m) {
  uint64_t best = UINT64_MAX;
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; m->queued && m->wdog && i < 2 * m->cfg.NumPorts; i++) {
    const aa_queue *l = &m->lane[i];
    if (l->head != l->tail && aa_queue_at(l, l->head)->stalled && aa_queue_at(l, l->head)->since + m->wdog < best)
      best = aa_queue_at(l, l->head)->since + m->wdog;
  }
  for (unsigned i = 0; used && m->cpl_tmo && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && tag_ends(m, i) < best) best = tag_ends(m, i);
  for (unsigned i = 0; m->flush.used && m->flush_tmo && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->flush.waiter[i].since + m->flush_tmo < best)
      best = m->flush.waiter[i].since + m->flush_tmo;
  for (unsigned i = 0; i < m->logs.reach; i++) {
    const aa_log *g = &m->logs.log[i];
    if (aa_notify_msi(g, ~0ull) && g->since + (uint32_t)g->time < best) best = g->since + (uint32_t)g->time;
  }
  return best;
}

static void fire(aa *m) {
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; used && m->cpl_tmo && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && m->now >= tag_ends(m, i))
      aa_cpl_timeout(m, i, m->tags.tag[i].dead ? AA_CLOSE_OVER : AA_CLOSE_END, NULL);
  for (unsigned i = 0; m->flush.used && m->flush_tmo && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->now - m->flush.waiter[i].since >= m->flush_tmo)
      aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
  aa_poll(m);
}

/* Time alone moves nothing but what has a time: where all else was done before, it is not asked again. */
aa_status aa_advance(aa *m, uint64_t cycles) {
  if (cycles > AA_TIME_END - m->now) return AA_E_ARG; /* so no time that is waited for passes 2^64 */
  for (;;) {
    uint64_t at = next_event(m), left = at > m->now ? at - m->now : 0, step = left < cycles ? left : cycles;
    m->now += step;
    cycles -= step;
    if (!cycles && !step) break;
    if (at <= m->now || !m->polled || m->queued) fire(m);
    if (!cycles) break;
  }
  return AA_OK;
}

uint32_t aa_tasks_told(aa *m) {
  uint32_t told = m->told;
  m->told = 0;
  return told;
}

aa_status aa_task_done(aa *m, unsigned log) {
  if (log >= m->cfg.NumLogs) return AA_E_ARG;
  m->polled = false;
  m->logs.log[log].tasked = false;
  m->logs_due |= 1u << log;
  return AA_OK;
}
