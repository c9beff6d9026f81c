// SPDX-License-Identifier: Apache-2.0
/* Packets that wait, for both ways in which the engine runs: requests in lanes, completions. */
#ifndef TOCSIN_AA_QUEUE_H
#define TOCSIN_AA_QUEUE_H

#include "aa_state.h"

aa_status aa_queue_init(aa_queue *q, unsigned want);
void aa_queue_free(aa_queue *q);
/* A copy of a packet at the end of a queue; NULL: no memory. */
aa_slot *aa_queue_push(aa_queue *q, const tlp *t, bool bad_form);
aa_status aa_push_request(aa *m, const aa_req *q, const tlp *t, bool bad_form, aa_slot **out);

/* The slot may have moved when its queue grew. */
static inline aa_req *aa_slot_req(aa_slot *s) {
  s->req.t = &s->t;
  return &s->req;
}

static inline void aa_pop_request(aa *m, aa_queue *l) {
  l->head++;
  l->owed = l->sure = false;
  if (!--m->queued) m->plain = m->plain_alone;
}

/* Posted requests of the port that came before have been decided. */
static inline bool aa_slot_in_order(const aa *m, unsigned lane, const aa_slot *s) {
  return !(lane & 1) || (int32_t)(m->lane[lane & ~1u].head - s->posted) >= 0;
}

static inline void aa_count_walk(aa *m, bool fault, bool tlb, bool ctx) {
  m->cnt[AA_CNT_WALKS_ENDED]++;
  m->cnt[AA_CNT_WALK_FAULTS] += fault;
  m->cnt[AA_CNT_TLB_FILLS] += tlb;
  m->cnt[AA_CNT_CTX_FILLS] += ctx;
}

#endif
