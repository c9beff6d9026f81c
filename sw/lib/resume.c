// SPDX-License-Identifier: Apache-2.0
// A connection that has stopped: what is left of it, and how it goes on.
//
// Whether the peer still is where we left it is seen there, if it is in this fabric. One that is elsewhere is asked by an empty put, which
// every responder acknowledges and no memory notices. Ends that do not agree any more are both armed again, with new sequence numbers.
#include <string.h>

#include "internal.h"

enum { ROUND_TRIP_US = 20 };
typedef enum state {
  GOES_ON,   /* the peer waits for our next packet */
  STOPPED,   /* the peer's responder has stopped; in this fabric */
  MIDDLE,    /* it waits for the rest of a message that has been given up; in this fabric */
  DISAGREES, /* its sequence number is not ours, or need not be; in this fabric */
  ELSEWHERE, /* nobody here knows */
  OVER       /* nobody here knows, and our end cannot go on */
} state;

static bool same(const toc_address *a, const toc_address *b) {
  bool ip = a->ip && b->ip ? a->ip == b->ip : !memcmp(a->ip6, b->ip6, 16); /* over IPv6 one of them has no other */
  return a->mac == b->mac && ip && a->qp == b->qp && a->psn == b->psn;
}

/* The other end, if it is in this fabric and connected to this one. */
static toc_i_qp *peer_of(const toc_i_qp *q) {
  const toc_i_fabric *f = q->p->n->f;
  toc_address ours, its;
  toc_i_qp_address(q, &ours);
  for (unsigned i = 0; i < f->nodes; i++) {
    toc_i_qp *y = f->node[i].qp[q->to.qp % QPS];
    if (!y || !y->connected) continue;
    toc_i_qp_address(y, &its);
    if (same(&its, &q->to) && same(&y->to, &ours)) return y;
  }
  return NULL;
}

static toc_status look(const toc_i_qp *q, state *is) {
  const toc_i_qp *y = peer_of(q);
  uint64_t sts, its, ours;
  *is = q->fatal || q->middle ? OVER : ELSEWHERE;
  if (!y) return TOC_OK;
  TRY(toc_i_read(y->p->n, NREG_AT(QP_STS, y->index), 8, &sts));
  TRY(toc_i_read(y->p->n, NREG_AT(QP_NOW, y->index), 8, &its));
  TRY(toc_i_read(q->p->n, NREG_AT(QP_NOW, q->index), 8, &ours));
  uint64_t expected = (its & NIC_QP_NOW_EPSN_MASK) >> NIC_QP_NOW_EPSN_LSB,
           next = (ours & NIC_QP_NOW_UNA_MASK) >> NIC_QP_NOW_UNA_LSB; /* of a requester that has stopped */
  *is = sts & NIC_QP_STS_RESP_ERR_MASK                           ? STOPPED
        : q->fatal || (q->stopped != TOC_OK && expected != next) ? DISAGREES
        : q->middle                                              ? MIDDLE
                                                                 : GOES_ON;
  return TOC_OK;
}

const char *toc_i_qp_left(const toc_i_qp *q) {
  state is;
  if (q->p->n->f->dead || look(q, &is) != TOC_OK) return "the device does not answer";
  switch (is) {
    case MIDDLE:
    case GOES_ON: return "toc_qp_resume goes on with what was posted behind it";
    case STOPPED: return "the peer's end has stopped: toc_qp_resume arms both again, what was posted behind it is over";
    case DISAGREES: return "toc_qp_resume arms both ends again, what was posted behind it is over";
    case ELSEWHERE: return "toc_qp_resume goes on if the peer, which is not of this fabric, still answers";
    default: return "toc_qp_connect again, at both ends";
  }
}

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

static bool both_free(void *ctx) {
  const toc_i_qp *q = ctx, *y = peer_of(q);
  return !q->held && !(y && y->held);
}

/* In which a requester whose peer is silent gives up. */
static uint64_t all_tries_us(const toc_i_qp *q) {
  const toc_i_fabric *f = q->p->n->f;
  return ((1ull << toc_i_qp_timeout_log2(q)) / f->be->mhz + 1) * (q->o.retry + 2);
}

// ---- going on
static toc_status start_again(toc_i_qp *q) {
  if (q->stopped == TOC_OK) return TOC_OK;
  q->stopped = TOC_OK;
  return toc_i_write64(q->p->n, NREG_AT(QP_STS, q->index), NIC_QP_STS_SEND_ERR_MASK);
}

/* Both ends anew. What was posted here is over, or is sent again, if the peer has seen nothing of it. What is under way there is given the
 * time to end by itself; what has not ended then is over, and its end has to be resumed by who owns it, as after any request that has
 * ended badly. */
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
  TRY(start_again(q));
  toc_status s = toc_i_wait(f, can_post, q, 0, false);
  if (s == TOC_OK && q->stopped == TOC_OK) {
    TRY(toc_i_post(q, &(toc_wqe){.op = 0}, &asked));
    toc_i_req r = {q, asked.seq};
    const uint64_t patient_us = all_tries_us(q);
    s = toc_i_wait(f, is_through, q, patient_us > f->o.timeout_us ? patient_us : 0, false);
    if (toc_i_ended(&r) && q->status[r.seq % STATUSES] == TOC_OK) return TOC_OK;
    if (toc_i_ended(&r) && q->first_failed == r.seq) q->first_error = TOC_OK; /* this call tells it */
  }
  if (s != TOC_OK) return s;
  return toc_i_fail(TOC_E_STOPPED, "queue pair %u has stopped again: %s; %s", q->index, toc_text(q->stopped),
                    toc_i_qp_left(q));
}

static toc_status go_on(toc_i_qp *q, toc_i_qp *y) {
  state is;
  if (q->stopped != TOC_OK) /* a second refusal may be on its way, or be taken for one of the next request */
    (void)toc_i_wait(q->p->n->f, never, NULL, ROUND_TRIP_US, false);
  TRY(look(q, &is));
  switch (is) {
    case GOES_ON: return start_again(q);
    case STOPPED:
    case DISAGREES: return arm_both(q, y, false);
    case MIDDLE: return arm_both(q, y, true);
    case ELSEWHERE: return ask(q);
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
    toc_i_qp *y = peer_of(q);
    q->held = true;
    if (y) y->held = true;
    s = go_on(q, y);
    q->held = false;
    if (y) y->held = false;
  }
  toc_i_unlock(f);
  return s;
}
