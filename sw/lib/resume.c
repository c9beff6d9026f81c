// SPDX-License-Identifier: Apache-2.0
// A connection that has stopped, and how it goes on.
//
// Whether the peer still is where we left it is seen there, if it is in this fabric. One that is elsewhere is asked by
// an empty put, which whoever takes puts acknowledges and no memory notices. Ends that do not agree any more are both
// armed again, with new sequence numbers.
#include "internal.h"

enum { ROUND_TRIP_US = 20, LOOKS = 64 };

// ---- waiting
static bool never(void *ctx) {
  (void)ctx;
  return false;
}

static bool is_through(void *ctx) {
  const toc_i_qp *q = ctx;
  return q->posted == q->ended || q->stopped != TOC_OK;
}

static bool can_post(void *ctx) {
  const toc_i_qp *q = ctx;
  return q->stopped != TOC_OK || toc_i_has_entry(q);
}

/* Of the peer's, whose packets others have begun to write down. */
static bool no_message(void *ctx) {
  const toc_i_qp *q = ctx;
  uint64_t msg;
  return toc_i_qp_word(q, TOC_I_OFFSET(MSG), &msg) != TOC_OK || !(msg & NIC_QP_MSG_TASK_MASK);
}

static bool both_free(void *ctx) {
  const toc_i_qp *q = ctx, *y = toc_i_peer(q);
  return !q->held && !(y && y->held);
}

/* In which a requester whose peer is silent gives up. */
static uint64_t all_tries_us(const toc_i_qp *q) { return (toc_i_qp_timeout_us(q) + 1) * (q->o.retry + 2); }

// ---- going on
/* One that lies in memory is taken out of the NIC for it: its responder is in no message then, and waits for no memory
 * on behalf of the peer (QPR-10). Its peer, if we know it, ends what it has under way. */
static toc_status start_again(toc_i_qp *q, toc_i_qp *y) {
  if (q->stopped == TOC_OK) return TOC_OK;
  if (q->p->n->ctx.number) {
    toc_i_fabric *f = q->p->n->f;
    if (y) (void)toc_i_wait(f, is_through, y, all_tries_us(y), false);
    TRY(toc_i_wait(f, no_message, q, 0, false));
  }
  TRY(toc_i_qp_again(q));
  q->stopped = TOC_OK;
  return TOC_OK;
}

/* Both ends anew. What was posted here is over, or is sent again, if the peer has seen nothing of it. What is under way
 * there is given the time to end by itself; what has not ended then is over, and its end has to be resumed by who owns
 * it, as after any request that has ended badly. */
static toc_status arm_both(toc_i_qp *q, toc_i_qp *y, bool again) {
  toc_i_fabric *f = q->p->n->f;
  toc_address ours, its;
  (void)toc_i_wait(f, is_through, q, all_tries_us(q), false);
  (void)toc_i_wait(f, is_through, y, all_tries_us(y), false);
  TRY(toc_i_qp_off(q));
  TRY(toc_i_qp_off(y));
  (void)toc_i_wait(f, never, NULL, ROUND_TRIP_US, false); /* what is on the wire arrives where nobody listens */
  toc_status why = y->stopped != TOC_OK ? y->stopped : y->posted != y->ended ? TOC_E_STOPPED : TOC_OK;
  q->psn = (uint32_t)toc_i_random(q->p->n) & 0xffffff;
  y->psn = (uint32_t)toc_i_random(y->p->n) & 0xffffff;
  toc_i_qp_address(q, &ours);
  toc_i_qp_address(y, &its);
  TRY(toc_i_qp_arm(y, &ours, false));
  y->stopped = why;
  return toc_i_qp_arm(q, &its, again);
}

/* The peer has not stopped if it acknowledges an empty put. */
static toc_status ask(toc_i_qp *q) {
  toc_i_fabric *f = q->p->n->f;
  toc_req asked;
  TRY(start_again(q, NULL));
  toc_status s = toc_i_wait(f, can_post, q, 0, false);
  if (s == TOC_OK && q->stopped == TOC_OK) {
    TRY(toc_i_post(q, &(toc_wqe){.op = OP_WRITE}, &asked));
    toc_i_req r = {q, asked.seq};
    const uint64_t patient_us = all_tries_us(q);
    s = toc_i_wait(f, is_through, q, patient_us > f->o.timeout_us ? patient_us : 0, false);
    if (toc_i_ended(&r) && toc_i_tell(q, r.seq) == TOC_OK) return TOC_OK; /* else this call tells it */
  }
  if (s != TOC_OK) return s;
  return toc_i_fail(TOC_E_STOPPED, "queue pair %u has stopped again: %s; %s", q->index, toc_text(q->stopped),
                    toc_i_qp_left(q));
}

/* Where both ends are, also if they lie in memory and move meanwhile. */
static toc_status look(const toc_i_qp *q, const toc_i_qp *y, toc_i_left *is) {
  for (unsigned turn = 0; turn < LOOKS; turn++) {
    bool q_moved, y_moved = false;
    toc_i_qp_mark(q);
    if (y) toc_i_qp_mark(y);
    TRY(toc_i_peer_state(q, y, is));
    TRY(toc_i_qp_moved(q, &q_moved));
    if (y) TRY(toc_i_qp_moved(y, &y_moved));
    if (!q_moved && !y_moved) return TOC_OK;
  }
  return toc_i_fail(TOC_E_TIMEOUT, "queue pair %u, or its peer, goes in and out of memory all the time", q->index);
}

static toc_status go_on(toc_i_qp *q, toc_i_qp *y) {
  toc_i_left is;
  if (q->stopped != TOC_OK) /* a second refusal may be on its way, or be taken for one of the next request */
    (void)toc_i_wait(q->p->n->f, never, NULL, ROUND_TRIP_US, false);
  TRY(look(q, y, &is));
  switch (is) {
    case PEER_GOES_ON: return start_again(q, y);
    case PEER_STOPPED:
    case PEER_DISAGREES: return arm_both(q, y, false);
    case PEER_MIDDLE: return arm_both(q, y, true);
    case PEER_ELSEWHERE: return ask(q);
    default:
      return toc_i_fail(TOC_E_STOPPED, "queue pair %u: %s, and what the peer has done is not known; %s", q->index,
                        toc_text(q->stopped), toc_i_qp_left(q));
  }
}

toc_status toc_qp_resume(toc_qp *h_q) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  toc_status s = TOC_OK;
  if (!q->connected)
    s = toc_i_fail(TOC_E_STOPPED, "queue pair %u is not connected", q->index);
  else
    s = toc_i_wait(f, both_free, q, 0, false);
  if (s == TOC_OK) {
    toc_i_qp *y = toc_i_peer(q);
    q->held = true;
    if (y) y->held = true;
    s = go_on(q, y);
    q->held = false;
    if (y) y->held = false;
  }
  toc_i_unlock(f);
  return s;
}
