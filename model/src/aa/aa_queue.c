// SPDX-License-Identifier: Apache-2.0
/* Packets that wait: of the lanes, and completions. */
#include "aa_queue.h"

#include <stdlib.h>
#include <string.h>

aa_status aa_queue_init(aa_queue *q, unsigned want) {
  q->cap = 4;
  while (q->cap < want) q->cap *= 2;
  q->ring = calloc(q->cap, sizeof *q->ring);
  return q->ring ? AA_OK : AA_E_NOMEM;
}

void aa_queue_free(aa_queue *q) {
  for (uint32_t i = 0; q->ring && i < q->cap; i++) free(q->ring[i].buf);
  free(q->ring);
}

aa_slot *aa_queue_push(aa_queue *q, const tlp *t, bool bad_form) {
  if (q->tail - q->head == q->cap) {
    aa_slot *ring = calloc(2 * (size_t)q->cap, sizeof *ring);
    if (!ring) return NULL;
    for (uint32_t i = q->head; i != q->tail; i++) ring[i & (2 * q->cap - 1)] = q->ring[i & (q->cap - 1)];
    free(q->ring);
    q->ring = ring;
    q->cap *= 2;
  }
  aa_slot *s = aa_queue_at(q, q->tail);
  s->t = *t;
  s->bad = bad_form || t->ndw > TLP_MAX_BYTES / 4;
  s->stalled = false;
  s->t.data = NULL;
  if (s->bad) s->t.ndw = 0;
  if (s->t.ndw) {
    if (!s->buf) s->buf = malloc(TLP_MAX_BYTES);
    if (!s->buf) return NULL;
    memcpy(s->buf, t->data, 4 * (size_t)s->t.ndw);
    s->t.data = s->buf;
  }
  q->tail++;
  return s;
}

aa_status aa_push_request(aa *m, const aa_req *q, const tlp *t, bool bad_form, aa_slot **out) {
  aa_slot *s = aa_queue_push(&m->lane[q->lane], t, bad_form);
  if (!s) return AA_E_NOMEM;
  s->req = *q;
  s->req.t = &s->t;
  s->posted = m->lane[q->lane & ~1u].tail;
  s->walked = false;
  m->queued++;
  m->plain = false; /* no short way while anything waits */
  m->xlt.gen += AA_GEN;
  *out = s;
  return AA_OK;
}

/* STR-5. */
bool aa_in_order(const aa *m, unsigned lane) {
  const aa_queue *l = &m->lane[lane];
  return l->head != l->tail && aa_slot_in_order(m, lane, aa_queue_at(l, l->head));
}

unsigned aa_pending(const aa *m) { return m->queued + (m->cpl.tail - m->cpl.head); }
