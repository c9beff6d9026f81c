// SPDX-License-Identifier: Apache-2.0
/* Reads and atomics of decisions. A decision that needs memory asks nic_fetch for it; if there is no answer yet,
 * the decision is given up without effect and made again later. Its memo keeps what has been asked,
 * so nothing is asked twice. */
#include "nic_state.h"

enum { WAITING = 64 };

/* MEM-6, QPR-1, QPR-7. */
nic_job nic_read_job(const nic *m, unsigned src, unsigned proc, uint64_t va, uint32_t n) {
  nic_job j;
  memset(&j, 0, sizeof j);
  j.src = (uint8_t)src;
  j.op = NIC_JOB_READ;
  j.rid = proc_rid(m, proc);
  j.va = va;
  j.n = n;
  return j;
}

bool nic_memo_pinned(const nic_memo *o) {
  for (unsigned i = 0; i < o->num; i++)
    if (o->item[i].job.src == NIC_SRC_QUEUE && o->item[i].job.op == NIC_JOB_CAS) return true;
  return false;
}

static bool same(const nic_job *a, const nic_job *b) {
  return a->src == b->src && a->op == b->op && a->rid == b->rid && a->va == b->va && a->n == b->n &&
         a->swap == b->swap && a->compare == b->compare;
}

/* QPR-8. */
nic_got nic_fetch(nic *m, nic_memo *o, const nic_job *j, unsigned nth, const uint8_t **data) {
  nic_read *r = NULL;
  for (unsigned i = 0; i < o->num && !r; i++)
    if (o->item[i].nth == nth && same(&o->item[i].job, j)) r = &o->item[i];
  if (!r) {
    if (m->asked[j->src] - m->answered[j->src] == WAITING) return NIC_WAIT;
    if (o->num == sizeof o->item / sizeof *o->item || o->used + j->n > sizeof o->buf) memo_clear(o); /* was another's */
    r = &o->item[o->num++];
    *r = (nic_read){.job = *j, .nth = (uint8_t)nth, .ticket = m->asked[j->src]++, .at = o->used};
    o->used += j->n;
    m->expect[j->src][r->ticket % WAITING] = j->n;
    (j->op == NIC_JOB_READ ? m->ops.read : m->ops.atomic)(m->ctx, j);
  }
  if (!r->done) return NIC_WAIT;
  *data = o->buf + r->at;
  if (r->err) m->cnt[NIC_CNT_ERR]++;
  o->refused = r->refused;
  return r->err ? NIC_GOT_ERR : NIC_GOT;
}

static nic_status read_done(nic *m, unsigned src, const void *data, size_t n, bool err, bool refused) {
  if (src >= NIC_SRC_NUM || m->asked[src] == m->answered[src]) return NIC_E_ARG;
  uint32_t ticket = m->answered[src];
  if (n != m->expect[src][ticket % WAITING]) return NIC_E_ARG;
  m->answered[src]++;
  nic_memo *all[] = {&m->m_frame, &m->m_rsp, &m->m_req, &m->m_task, &m->m_table, &m->m_ctx};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    for (unsigned i = 0; i < all[k]->num; i++) {
      nic_read *r = &all[k]->item[i];
      if (r->done || r->job.src != src || r->ticket != ticket) continue;
      r->done = true;
      r->err = err;
      r->refused = refused;
      if (err)
        memset(all[k]->buf + r->at, 0, n);
      else
        memcpy(all[k]->buf + r->at, data, n);
    }
  return NIC_OK; /* nobody wants it any more: forgotten */
}

nic_status nic_read_done(nic *m, unsigned src, const void *data, size_t n, bool err) {
  return read_done(m, src, data, n, err, false);
}

nic_status nic_read_refused(nic *m, unsigned src, size_t n) { return read_done(m, src, NULL, n, true, true); }
