// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_reset.h"

#include "aa_state.h"

/* What waits in a lane of requests: all of it, or that of the requester of AA_RESET, is of before a reset. */
static void mark_lane(aa_queue *l, bool all, uint16_t rid) {
  for (uint32_t i = l->head; i != l->tail; i++) {
    aa_req *q = &aa_queue_at(l, i)->req;
    if (all)
      q->old = true;
    else if (q->look.sid == rid)
      q->old_fn = true;
  }
}

/* RST-5. */
void aa_reset_begin(aa *m) {
  m->fn_go = true;
  for (unsigned i = 0; i < m->cfg.NumPorts; i++) {
    mark_lane(&m->lane[2 * i + 1], false, m->fn_rid);
    m->fn_mark[i] = m->lane[2 * i + 1].tail;
  }
  for (unsigned i = 0; i < m->cfg.TagEntries; i++)
    m->tags.tag[i].must = m->tags.tag[i].live && aa_tag_rid(m->tags.tag[i].key) == m->fn_rid;
  for (unsigned i = 0; i < m->flush.waiters; i++)
    m->flush.waiter[i].must = m->flush.waiter[i].live && m->flush.waiter[i].hdr[1] >> 16 == m->fn_rid;
}

/* RST-6. */
bool aa_reset_over(const aa *m) {
  bool left = false;
  for (unsigned i = 0; i < m->cfg.NumPorts; i++) left = left || (int32_t)(m->fn_mark[i] - m->lane[2 * i + 1].head) > 0;
  for (unsigned i = 0; i < m->cfg.TagEntries; i++)
    left = left || (m->tags.tag[i].live && m->tags.tag[i].must && !m->tags.tag[i].dead);
  for (unsigned i = 0; i < m->flush.waiters; i++) left = left || (m->flush.waiter[i].live && m->flush.waiter[i].must);
  return !left;
}

/* RST-1. */
void aa_reset_port(aa *m, unsigned port) {
  mark_lane(&m->lane[2 * port + 1], true, 0);
  for (unsigned i = 0; i < m->cfg.TagEntries; i++) {
    aa_tag *t = &m->tags.tag[i];
    t->reset = t->reset || (t->live && t->port == port);
  }
  for (unsigned i = 0; i < m->flush.waiters; i++) {
    aa_waiter *w = &m->flush.waiter[i];
    w->reset = w->reset || (w->live && w->port == port);
  }
}
