// SPDX-License-Identifier: Apache-2.0
/* aa_owes: what the IOMMU owes. Two kinds: what is due now, and hardware has nothing to wait for but itself
 * (aa_due_now); and what is only under way, and waits for a completion, a consumer or a time-out. */
#include "aa_owes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "aa_state.h"
#include "tocsin/aa_regs.h"
#include "tocsin/aa_reset.h"

unsigned aa_due_count(const aa *m, aa_due_kind k) {
  switch (k) {
    case AA_DUE_RESET:
    case AA_DUE_ABORT: return m->cfg.TagEntries;
    case AA_DUE_FLUSH: return m->flush.waiters;
    case AA_DUE_PTR:
    case AA_DUE_TASK:
    case AA_DUE_OFF:
    case AA_DUE_PUBLISH: return m->cfg.NumLogs;
    case AA_DUE_INV:
    case AA_DUE_DONE: return 2;
    default: return 1;
  }
}

bool aa_due_now(const aa *m, aa_due_kind k, unsigned i) {
  const aa_tag *t = &m->tags.tag[i];
  const aa_log *g = &m->logs.log[i % AA_LOG_MAX];
  const aa_waiter *w = &m->flush.waiter[i % AA_WAITER_MAX];
  const aa_qi *q = &m->qi;
  switch (k) {
    case AA_DUE_RESET: return t->live && (t->reset || (t->must && m->fn_go)) && !t->dead;
    case AA_DUE_ENDED: return m->fn_go && aa_reset_over(m);
    case AA_DUE_ABORT: return t->live && t->logged && m->logs.log[t->place.log].closing;
    case AA_DUE_FLUSH:
      return w->live && (w->torn || w->reset || w->must || aa_flush_drained(w, m->logs.log[w->log].cons));
    case AA_DUE_PTR: return aa_notify_ptr(g);
    case AA_DUE_TASK: return aa_notify_task(g) && !g->tasked;
    case AA_DUE_OFF: return g->closing && !g->count && !g->ptr_due && !aa_notify_msi(g, 0);
    case AA_DUE_FAULT: return aa_event_due(&m->fault.event, m->fault.event.pending || m->fault.werr_pending);
    case AA_DUE_INV_EVENT: return aa_event_due(&q->event, q->event.pending);
    case AA_DUE_INV: return aa_inval_asked(m, i) && !aa_inval_waits(m, false);
    case AA_DUE_PUBLISH: return g->count && (g->closed >> g->head & 1u);
    case AA_DUE_WAIT: return q->waiting && aa_qi_drained(m);
    case AA_DUE_DONE: return m->inv_gran[i] && !m->tags.old;
    default: return false;
  }
}

void aa_due_text(const aa *m, aa_due_kind k, unsigned i, char *text, size_t n) {
  const aa_tag *t = &m->tags.tag[i];
  unsigned rid = aa_tag_rid(t->key), log = t->place.log;
  switch (k) {
    case AA_DUE_RESET: snprintf(text, n, "the end of tag entry %u, requester %04x, after a reset", i, rid); break;
    case AA_DUE_ENDED: snprintf(text, n, "the end of AA_RESET, requester %04x", m->fn_rid); break;
    case AA_DUE_ABORT: snprintf(text, n, "the end of the log entry of tag entry %u, as log %u closes", i, log); break;
    case AA_DUE_FLUSH: snprintf(text, n, "the answer of flush waiter %u", i); break;
    case AA_DUE_PTR: snprintf(text, n, "the pointer of log %u", i); break;
    case AA_DUE_TASK: snprintf(text, n, "the task of log %u", i); break;
    case AA_DUE_OFF: snprintf(text, n, "the end of log %u", i); break;
    case AA_DUE_FAULT: snprintf(text, n, "the fault event"); break;
    case AA_DUE_INV_EVENT: snprintf(text, n, "the invalidation event"); break;
    case AA_DUE_INV: snprintf(text, n, "the invalidation by %s", i ? "IOTLB" : "CCMD"); break;
    case AA_DUE_PUBLISH: snprintf(text, n, "the oldest of %u entries of log %u", m->logs.log[i].count, i); break;
    case AA_DUE_WAIT: snprintf(text, n, "the end of a wait, status at %" PRIx64, m->qi.wait[1]); break;
    case AA_DUE_DONE: snprintf(text, n, "the end of the invalidation by %s", i ? "IOTLB" : "CCMD"); break;
    default: snprintf(text, n, "?"); break;
  }
}

typedef struct list {
  char *text;
  size_t n, at;
  unsigned num;
} list;

static void owe(list *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void owe(list *l, const char *fmt, ...) {
  va_list ap;
  if (l->num++ && l->at < l->n) l->at += (size_t)snprintf(l->text + l->at, l->n - l->at, "; ");
  va_start(ap, fmt);
  if (l->at < l->n) l->at += (size_t)vsnprintf(l->text + l->at, l->n - l->at, fmt, ap);
  va_end(ap);
}

unsigned aa_owes(const aa *m, char *text, size_t n) {
  list l = {text, n, 0, 0};
  const aa_qi *q = &m->qi;
  char what[96];
  if (n) text[0] = 0;
  if (aa_pending(m)) owe(&l, "%u arrivals to be decided", aa_pending(m));
  for (unsigned k = 0; k < AA_DUE_NUM; k++)
    for (unsigned i = 0; i < aa_due_count(m, (aa_due_kind)k); i++) {
      if (!aa_due_now(m, (aa_due_kind)k, i)) continue;
      aa_due_text(m, (aa_due_kind)k, i, what, sizeof what);
      owe(&l, "%s", what);
    }
  for (unsigned i = 0; i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live)
      owe(&l, "tag entry %u, requester %04x, %u bytes to come", i, aa_tag_rid(m->tags.tag[i].key), m->tags.tag[i].left);
  for (unsigned i = 0; i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live)
      owe(&l, "flush waiter %u, log %u up to %" PRIx32, i, m->flush.waiter[i].log, m->flush.waiter[i].snapshot);
  for (unsigned i = 0; i < m->cfg.NumLogs; i++) {
    const aa_log *g = &m->logs.log[i % AA_LOG_MAX];
    if (g->count) owe(&l, "%u entries of log %u to be published", g->count, i);
    if (aa_notify_msi(g, ~0ull)) owe(&l, "the MSI of log %u", i);
    if (g->closing) owe(&l, "the tear-down of log %u", i);
  }
  if (m->fn_go) owe(&l, "the end of requester %04x", m->fn_rid);
  if (q->waiting) owe(&l, "a wait");
  if (q->on && !m->fault.iqe && q->head != (uint32_t)(q->iqt >> AA_IQT_QT_LSB)) owe(&l, "descriptors from %x", q->head);
  for (unsigned i = 0; i < 2; i++)
    if (m->inv_gran[i]) owe(&l, "the drain of the invalidation by %s", i ? "IOTLB" : "CCMD");
  return l.num;
}
