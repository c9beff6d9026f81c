// SPDX-License-Identifier: Apache-2.0
// Queue pairs that leave the NIC and come back where they were (QPR-9, QPR-10, QPR-11 of rtl/nic).
#include "internal.h"

_Static_assert(sizeof((toc_qp_state *)0)->answer / sizeof *((toc_qp_state *)0)->answer == TOC_I_ANSWERS, "QPR-11");

static bool not_held(void *ctx) { return !((const toc_i_qp *)ctx)->held; }

/* Its requester has done what was posted, its responder is in no message that others have begun to write down. */
static bool at_rest(void *ctx) {
  const toc_i_qp *q = ctx;
  uint64_t msg;
  if (q->stopped != TOC_OK) return true;
  if (q->posted != q->ended) return false;
  return toc_i_qp_word(q, TOC_I_OFFSET(MSG), &msg) != TOC_OK || !(msg & NIC_QP_MSG_TASK_MASK);
}

static toc_status stopped(const toc_i_qp *q) {
  return toc_i_fail(TOC_E_STOPPED, "queue pair %u has stopped: %s", q->index, toc_i_qp_left(q));
}

/* QPR-11 */
static toc_status read_answers(const toc_i_qp *q, toc_qp_state *s) {
  const uint64_t n = (s->msg & NIC_QP_MSG_ANSWERS_MASK) >> NIC_QP_MSG_ANSWERS_LSB;
  for (unsigned k = 0; k < n && k < TOC_I_ANSWERS; k++) TRY(toc_i_qp_answer(q, k, s->answer[k]));
  return TOC_OK;
}

static toc_status read_state(const toc_i_qp *q, toc_qp_state *s) {
  toc_address ours;
  toc_i_qp_address(q, &ours);
  *s = (toc_qp_state){.to = q->to, .number = ours.qp, .psn = q->psn, .mtu = q->o.mtu};
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(NOW), &s->now));
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(MSG), &s->msg));
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(VA), &s->va));
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(REST), &s->rest));
  return read_answers(q, s);
}

static toc_status save(toc_i_qp *q, toc_qp_state *s) {
  uint64_t sts;
  TRY(toc_i_wait(q->p->n->f, at_rest, q, 0, false));
  if (q->stopped != TOC_OK) return stopped(q);
  TRY(toc_i_qp_off(q));
  q->connected = false;
  TRY(toc_i_qp_word(q, TOC_I_OFFSET(STS), &sts));
  TRY(read_state(q, s));
  if (sts & NIC_QP_STS_RESP_ERR_MASK)
    return toc_i_fail(TOC_E_STOPPED, "queue pair %u: its responder had stopped; connect both ends", q->index);
  if (s->msg & NIC_QP_MSG_TASK_MASK)
    return toc_i_fail(TOC_E_STOPPED, "queue pair %u: the peer was in a message, which is lost; connect both ends",
                      q->index);
  return TOC_OK;
}

toc_status toc_qp_save(toc_qp *h_q, toc_qp_state *state) {
  NEED(state);
  *state = (toc_qp_state){0};
  OBJECT(qp, q);
  toc_i_lock(q->p->n->f);
  toc_status s = toc_i_wait(q->p->n->f, not_held, q, 0, false);
  if (s == TOC_OK && !q->connected) s = toc_i_fail(TOC_E_STOPPED, "queue pair %u is not connected", q->index);
  if (s == TOC_OK) {
    q->held = true;
    s = save(q, state);
    q->held = false;
    if (s != TOC_OK) *state = (toc_qp_state){0};
  }
  toc_i_unlock(q->p->n->f);
  return s;
}

static toc_status restore(toc_i_qp *q, const toc_qp_state *s) {
  toc_address ours;
  toc_i_qp_address(q, &ours);
  if (q->connected) return toc_i_fail(TOC_E_ARG, "toc_qp_restore: queue pair %u is connected", q->index);
  if (s->number != ours.qp)
    return toc_i_fail(TOC_E_ARG, "toc_qp_restore: the state is of queue pair number %u, this is %u", s->number,
                      ours.qp);
  if (s->to.qp >> 24 || s->to.mac >> 48 || s->psn >> 24 || !toc_i_power(s->mtu) || s->mtu < 256 || s->mtu > 4096 ||
      s->msg & NIC_QP_MSG_TASK_MASK)
    return toc_i_fail(TOC_E_ARG, "toc_qp_restore: no state that toc_qp_save has made");
  return toc_i_qp_arm_at(q, s);
}

toc_status toc_qp_restore(toc_qp *h_q, const toc_qp_state *state) {
  OBJECT(qp, q);
  NEED(state);
  toc_i_lock(q->p->n->f);
  toc_status s = toc_i_wait(q->p->n->f, not_held, q, 0, false);
  if (s == TOC_OK) s = restore(q, state);
  toc_i_unlock(q->p->n->f);
  return s;
}
