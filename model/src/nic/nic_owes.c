// SPDX-License-Identifier: Apache-2.0
/* What the NIC owes: what was decided, or asked of it, and has not been done, though nothing but
 * itself is waited for. */
#include <stdarg.h>
#include <stdio.h>

#include "nic_state.h"

typedef struct list {
  char *text;
  size_t n, at;
  unsigned num;
} list;

static void NIC_PRINTF(3, 4) owed(list *l, unsigned num, const char *fmt, ...) {
  if (!num) return;
  l->num += num;
  if (l->at >= l->n) return;
  va_list ap;
  va_start(ap, fmt);
  int k = snprintf(l->text + l->at, l->n - l->at, "%s%u ", l->at ? ", " : "", num);
  if (k > 0) l->at += (size_t)k;
  if (l->at < l->n && (k = vsnprintf(l->text + l->at, l->n - l->at, fmt, ap)) > 0) l->at += (size_t)k;
  va_end(ap);
}

static void queue_pair(const nic *m, unsigned i, list *l) {
  const nic_qp *q = &m->qp[i];
  owed(l, (unsigned)q->ack.on + nic_acks_leaving(m, i), "acknowledgements of QP %u", i);
  owed(l, nic_cnp_due(m, i), "CNP of QP %u", i);
  owed(l, q->changing, "TmQuiet of QP %u", i);
  if (!qp_on(q) || q->changing) return;
  owed(l, q->losing, "TmLost of QP %u", i);
  owed(l, nic_req_may_read(m, i), "entry to be read of QP %u", i);
  owed(l, nic_req_may_send(m, i) && !nic_rate_just_free(m, i), "packet to be sent of QP %u", i);
  owed(l, nic_req_ends(m, i), "request that cannot be done of QP %u", i);
  bool timer = q->rnr_wait || NIC_FIELD(q->ctl, QP_CTL_TIMEOUT);
  owed(l, !q->send_err && q->una != q->nxt && !timer, "request without answer or timer of QP %u", i);
}

/* The places that entries under way, SENDs in their message, events that have theirs, and tasks whose end will
 * make an event have taken. */
static uint32_t places(const nic *m, unsigned proc) {
  uint32_t n = 0;
  for (unsigned i = 0; i < m->cfg.NumQps; i++)
    if (qp_on(&m->qp[i]) && qp_proc(&m->qp[i]) == proc) n += m->qp[i].num + (m->qp[i].msg == NIC_MSG_SEND);
  for (unsigned i = 0; i < m->events; i++) n += m->event[i].proc == proc && m->event[i].kept;
  for (unsigned i = 0; i < m->cfg.NumLogs; i++) n += m->log[i].busy && m->log[i].tell && m->log[i].proc == proc;
  return n;
}

static void process(const nic *m, unsigned p, list *l) {
  const nic_ring *r = &m->eq[p];
  uint32_t want = places(m, p);
  owed(l, nic_event_msi_due(m, p), "MSI of process %u", p);
  owed(l, r->kept > want ? r->kept - want : want - r->kept, "places of process %u's event ring, kept for nothing", p);
}

unsigned nic_owes(const nic *m, char *text, size_t n) {
  list l = {text, n, 0, 0};
  if (n) *text = 0;
  owed(&l, m->judged.tail - m->judged.head, "frames without RetRx");
  owed(&l, m->frame_tail - m->frame_head, "frames without RetFrame");
  owed(&l, nic_reply_pending(m), "responses");
  owed(&l, m->events, "events");
  owed(&l, m->enq_tail - m->enq_head, "tasks of messages");
  owed(&l, m->xt_busy, "command on the tables");
  owed(&l, m->contexts.bells, "bells of contexts");
  owed(&l, m->contexts.closing, "context to be closed");
  owed(&l, m->contexts.step != NIC_CTX_IDLE, "context half moved");
  for (unsigned i = 0; i < m->cfg.NumLogs; i++)
    owed(&l, m->log[i].notice && !m->log[i].refused && (m->log[i].ctl & NIC_XT_LOG_EN_MASK), "task of log %u", i);
  for (unsigned p = 0; p < m->cfg.NumProcs; p++) process(m, p, &l);
  for (unsigned i = 0; i < m->cfg.NumQps; i++) queue_pair(m, i, &l);
  return l.num;
}
