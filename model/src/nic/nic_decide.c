// SPDX-License-Identifier: Apache-2.0
/* Responder: the oldest stored frame. First what becomes of it, without any effect; then the effects.
 * RSP-21. */
#include "nic_state.h"

/* Answers: those with data are NIC_RSP_READ and following. */
enum { NO_ANSWER = 255, ACKNOWLEDGE = 254, FIRST = 1, LAST = 2 }; /* Only is both, Middle neither */

typedef struct verdict {
  unsigned code, answer, why;
  unsigned syndrome; /* of the acknowledgement */
  uint32_t n;        /* PSNs that the request takes */
  unsigned replay;
  bool moves; /* ePSN, beside what is done */
  bool paged;
  xtq_plan xtq;
} verdict;

static bool is_xtq(unsigned op) { return op >= 0xc0; }
static bool is_atomic(unsigned op) { return op == NIC_OP_CMP_SWAP || op == NIC_OP_FETCH_ADD; }

static bool is_send(unsigned op) {
  return op <= NIC_OP_SEND_ONLY_IMM || op == NIC_OP_SEND_LAST_INV || op == NIC_OP_SEND_ONLY_INV;
}

static bool is_write(unsigned op) { return is_xtq(op) || is_send(op) || op <= NIC_OP_WRITE_ONLY_IMM; }

/* No operation of ours. */
static bool is_other(unsigned op) { return op == NIC_OP_FLUSH || op == NIC_OP_ATOMIC_WRITE; }

static bool has_imm(unsigned op) { return op == NIC_OP_WRITE_LAST_IMM || op == NIC_OP_WRITE_ONLY_IMM; }
static bool has_inv(unsigned op) { return op == NIC_OP_SEND_LAST_INV || op == NIC_OP_SEND_ONLY_INV; }

static unsigned place_in_message(unsigned op) {
  switch (op & 0x1f) {
    case NIC_OP_SEND_FIRST:
    case NIC_OP_WRITE_FIRST: return FIRST;
    case NIC_OP_SEND_MIDDLE:
    case NIC_OP_WRITE_MIDDLE: return 0;
    case NIC_OP_SEND_LAST:
    case NIC_OP_SEND_LAST_IMM:
    case NIC_OP_SEND_LAST_INV:
    case NIC_OP_WRITE_LAST:
    case NIC_OP_WRITE_LAST_IMM: return LAST;
    default: return FIRST | LAST;
  }
}

static void refuse(verdict *v, unsigned code, unsigned syndrome, unsigned why) {
  v->code = code;
  v->answer = ACKNOWLEDGE;
  v->syndrome = syndrome;
  v->why = why;
}

/* The region that a request needs, for all that is left of it. RSP-5. */
static bool allowed(const nic *m, const nic_qp *q, const nic_head *h, bool *paged) {
  unsigned op = h->opcode, place = place_in_message(op);
  if (is_send(op)) return !has_inv(op) || nic_mr_named(m->mr, m->cfg.NumMrs, h->imm, qp_proc(q));
  uint64_t right = NIC_MR_KEY_W_MASK, va = h->va, len = h->length;
  uint32_t key = h->rkey;
  if (is_atomic(op)) {
    right = NIC_MR_KEY_A_MASK;
    len = 8;
  } else if (op == NIC_OP_READ_REQ) {
    right = NIC_MR_KEY_R_MASK;
  } else if (!(place & FIRST)) {
    key = q->rkey;
    va = q->va;
    len = q->left;
  }
  *paged = len && key % 256 < m->cfg.NumMrs && (m->mr[key % 256].key & NIC_MR_KEY_PAGED_MASK);
  return !len || nic_mr_ok(m->mr, m->cfg.NumMrs, key, qp_proc(q), va, len, right);
}

static unsigned kind_of(unsigned op) {
  return !is_write(op) ? NIC_MSG_NONE : is_xtq(op) ? NIC_MSG_XTQ : is_send(op) ? NIC_MSG_SEND : NIC_MSG_WRITE;
}

/* Step 4: is this what may come next, and of a right size?. RSP-4. */
static bool in_sequence(const nic_qp *q, const nic_head *h) {
  unsigned op = h->opcode, place = place_in_message(op);
  uint32_t mtu = qp_mtu(q), bytes = h->bytes;
  bool begins = !is_write(op) || (place & FIRST);
  unsigned kind = kind_of(op);
  bool again = h->psn == q->epsn && q->again; /* then what comes behind it may have begun: RSP-19 */
  if (!again && (q->msg ? begins || kind != q->msg : !begins)) return false;
  if (op == NIC_OP_READ_REQ) return h->length <= 1u << 31 && !bytes;
  if (is_atomic(op)) return h->va % 8 == 0 && !bytes;
  bool any = is_send(op); /* nothing says how long it is */
  switch (place) {
    case FIRST | LAST: return bytes <= mtu && (any || h->length == bytes);
    case FIRST: return bytes == mtu && (any || (h->length > mtu && h->length <= 1u << 31));
    case LAST: return bytes && bytes <= mtu && (any || q->left == bytes);
    default: return bytes == mtu && (any || q->left > bytes);
  }
}

/* RSP-3, RSP-19. */
static void judge_duplicate(const nic *m, const nic_qp *q, const nic_head *h, int32_t d, verdict *v) {
  unsigned op = h->opcode;
  v->code = NIC_FR_DUP;
  if (is_write(op)) {
    v->answer = ACKNOWLEDGE;
    v->moves = !d;
    v->n = 1;
  } else if (is_atomic(op)) {
    for (unsigned i = 0; i < q->answers; i++)
      if (q->answer[i].psn == h->psn) {
        v->answer = NIC_RSP_REPLAY;
        v->replay = i;
      }
  } else if (!is_other(op)) {
    v->n = packets(h->length, qp_mtu(q));
    int64_t ends = (int64_t)d + v->n;
    if (ends <= (int64_t)q->again && allowed(m, q, h, &v->paged)) {
      v->answer = NIC_RSP_READ;
      v->moves = ends > 0;
    }
  }
}

/* False: it must wait for memory. no_event: hardware says that the event ring has no place,
 * and may if there is doubt. */
/* RSP-4, RSP-5, RSP-6, RSP-7. */
static bool judge_request(nic *m, nic_qp *q, const nic_stored *f, bool room, bool no_event, verdict *v) {
  const nic_head *h = &f->h;
  unsigned op = h->opcode;
  int32_t d = psn_diff(h->psn, q->epsn);
  v->code = NIC_FR_DONE;
  if (d > 0) {
    v->code = NIC_FR_AHEAD;
    if (!q->told) {
      v->answer = ACKNOWLEDGE;
      v->syndrome = NIC_SYN_NAK;
    }
  } else if (d < 0 || (q->again && is_write(op))) {
    judge_duplicate(m, q, h, d, v);
  } else if (is_other(op) || (is_send(op) && !(q->ctl & NIC_QP_CTL_RECV_MASK))) {
    refuse(v, NIC_FR_INVALID, NIC_SYN_NAK | 1, NIC_WHY_OPCODE);
  } else if (!in_sequence(q, h)) {
    refuse(v, NIC_FR_INVALID, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE);
  } else if (!is_xtq(op) && !allowed(m, q, h, &v->paged)) {
    refuse(v, NIC_FR_ACCESS, NIC_SYN_NAK | 2, NIC_WHY_REGION);
  } else if (is_xtq(op) || is_send(op)) {
    v->n = 1;
    xtq_target_judge(m, q, h, f->pay, no_event, &v->xtq);
    unsigned why = v->xtq.why, rnr = NIC_SYN_RNR | (unsigned)NIC_FIELD(q->ctl, QP_CTL_RNR);
    if (why == XTQ_WAIT) return false;
    if (why == NIC_WHY_NO_BUFFER || why == NIC_WHY_QUEUE_FULL || why == NIC_WHY_NO_EVENT)
      refuse(v, NIC_FR_NOT_READY, rnr, why);
    else if (why)
      refuse(v, NIC_FR_INVALID, NIC_SYN_NAK | (why == NIC_WHY_TABLE ? 3 : 1), why);
    else if (h->ack_req)
      v->answer = ACKNOWLEDGE;
  } else if (has_imm(op) && nic_event_none(m, qp_proc(q), 1, no_event)) {
    refuse(v, NIC_FR_NOT_READY, NIC_SYN_RNR | (unsigned)NIC_FIELD(q->ctl, QP_CTL_RNR), NIC_WHY_NO_EVENT);
  } else {
    v->n = op == NIC_OP_READ_REQ ? packets(h->length, qp_mtu(q)) : 1;
    v->answer = op == NIC_OP_READ_REQ ? NIC_RSP_READ
                : is_atomic(op)       ? NIC_RSP_ATOMIC
                : h->ack_req          ? ACKNOWLEDGE
                                      : NO_ANSWER;
  }
  if (v->answer < ACKNOWLEDGE && !room) v->code = NIC_FR_NO_ROOM;
  return true;
}

/* ---- effects ---- */

static void event(nic *m, unsigned i, unsigned kind, unsigned status, uint32_t word, uint32_t len, uint64_t addr) {
  nic_event e = {.proc = (uint8_t)qp_proc(&m->qp[i]),
                 .kind = (uint8_t)kind,
                 .status = (uint8_t)status,
                 .qp = m->qp[i].name,
                 .kept = kind == NIC_EV_IMM,
                 .word = word,
                 .len = len,
                 .addr = addr};
  nic_event_add(m, &e);
}

/* RSP-8. */
static void take_write(nic *m, unsigned i, const nic_stored *f, const verdict *v) {
  nic_qp *q = &m->qp[i];
  const nic_head *h = &f->h;
  unsigned place = place_in_message(h->opcode);
  if (place & FIRST) {
    q->va = h->va;
    q->rkey = h->rkey;
    q->left = h->length;
  }
  if (is_xtq(h->opcode))
    xtq_target_take(m, i, h, f->pay, &v->xtq);
  else if (is_send(h->opcode))
    xtq_target_receive(m, i, h, f->pay, &v->xtq);
  else if (h->bytes)
    nic_write(m, NIC_SRC_RESP, qp_proc(q), q->va, f->pay, h->bytes, NULL);
  q->va += h->bytes;
  q->left -= h->bytes;
  q->msg = (uint8_t)(place & LAST ? NIC_MSG_NONE : kind_of(h->opcode));
  if (has_inv(h->opcode)) m->mr[h->imm & 0xff].key &= ~NIC_MR_KEY_EN_MASK;
  if (has_imm(h->opcode)) {
    nic_event_keep(m, qp_proc(q), 1);
    event(m, i, NIC_EV_IMM, 0, 0, h->imm, 0);
  }
}

/* RSP-8, RSP-19, RSP-20. */
static void move_on(nic_qp *q, uint32_t to, bool message) {
  uint32_t by = psn24(to - q->epsn);
  q->again = q->again > by ? q->again - by : 0;
  q->epsn = to;
  if (message) q->msn = psn24(q->msn + 1);
  q->told = false;
}

/* RSP-11, QPR-11: a new atomic has this PSN, so an answer of it is of 2^24 PSNs before. What is forgotten goes behind
 * the others. */
static void forget_answers(const nic *m, nic_qp *q, uint32_t psn) {
  unsigned old = q->answers;
  while (old && q->answer[old - 1].psn != psn) old--;
  q->answers -= old;
  for (; old; old--) {
    const nic_answer a = q->answer[0];
    memmove(q->answer, q->answer + 1, (m->cfg.Replay - 1) * sizeof a);
    q->answer[m->cfg.Replay - 1] = a;
  }
}

/* met: its acknowledgement meets one that waits. */
static nic_status take_request(nic *m, unsigned i, const nic_stored *f, const verdict *v, const nic_retire_rec *hw,
                               bool *met) {
  nic_qp *q = &m->qp[i];
  const nic_head *h = &f->h;
  uint32_t epsn = q->epsn;
  if (v->code == NIC_FR_DONE) {
    if (is_write(h->opcode)) take_write(m, i, f, v);
  }
  bool moves = v->code == NIC_FR_DONE || (v->code == NIC_FR_DUP && v->moves);
  if (moves) move_on(q, psn24(h->psn + v->n), !is_write(h->opcode) || (place_in_message(h->opcode) & LAST));
  if (v->answer == NO_ANSWER || v->code == NIC_FR_NO_ROOM) return NIC_OK;
  if (v->answer == ACKNOWLEDGE && v->syndrome != NIC_SYN_ACK) {
    q->told = true;
    if (v->code == NIC_FR_INVALID || v->code == NIC_FR_ACCESS) {
      xtq_target_give_up(m, i);
      q->msg = NIC_MSG_NONE;
      q->again = 0; /* the peer goes on with something else */
    }
    if (v->code != NIC_FR_AHEAD) event(m, i, NIC_EV_REFUSED, v->syndrome, v->why, 0, epsn);
  }
  if (v->answer == ACKNOWLEDGE)
    return nic_acks_put(m, i, v->syndrome == NIC_SYN_ACK ? h->psn : epsn, v->syndrome, hw, met);
  if (v->answer == NIC_RSP_ATOMIC) forget_answers(m, q, h->psn);
  nic_reply *r = nic_reply_push(m, i, v->answer, h->psn);
  r->paged = v->paged;
  r->fresh = moves;
  r->from = epsn;
  r->op = h->opcode;
  r->va = h->va;
  r->len = h->length;
  r->n = v->answer == NIC_RSP_READ ? v->n : 1;
  r->swap = v->answer == NIC_RSP_REPLAY ? q->answer[v->replay].value : h->swap;
  r->compare = h->compare;
  return NIC_OK;
}

/* RSP-2, RSP-9, RSP-14, RSP-19. */
nic_status nic_decide_do(nic *m, const nic_retire_rec *hw) {
  if (m->frame_head == m->frame_tail) return hw ? nic_order(m, "no frame is stored") : NIC_E_BUSY;
  const nic_stored *f = &m->frame[m->frame_head % m->cfg.Frames];
  if (hw && m->frame_head == m->frame_named) return nic_order(m, "the frame has not been judged by a record");
  const nic_head *h = &f->h;
  if (nic_ctx_frame_waits(m))
    return hw ? nic_order(m, "context %u is in no place, and nothing has been said of it", h->qp & 0xfff) : NIC_E_BUSY;
  const int here = nic_ctx_qp(m, h);
  const unsigned i = here < 0 ? h->qp & 0xff : (unsigned)here;
  nic_qp *q = here < 0 ? NULL : &m->qp[i];
  verdict v;
  memset(&v, 0, sizeof v);
  v.code = NIC_FR_FOREIGN;
  v.answer = NO_ANSWER;
  v.syndrome = NIC_SYN_ACK;
  bool ours = nic_is_ours(m, h);
  if (ours && h->opcode == NIC_OP_CNP) {
    v.code = NIC_FR_CNP;
  } else if (ours && nic_is_answer(h->opcode)) {
    v.code = nic_ack_judge(m, i, h);
  } else if (ours && !q->resp_err) {
    unsigned room = nic_reply_room(m);
    bool has = room == RSP_ROOM || (room == RSP_DOUBT && !(hw && hw->code == NIC_FR_NO_ROOM));
    if (room == RSP_DOUBT && !has) m->excuses[NIC_EXCUSE_ROOM]++;
    if (!judge_request(m, q, f, has, hw && hw->code == NIC_FR_NOT_READY && hw->b == NIC_WHY_NO_EVENT, &v))
      return hw ? nic_order(m, "what the frame needs of memory has not been read") : NIC_E_BUSY;
  }
  if (hw && hw->code != v.code) return nic_differs(m, "code", hw->code, v.code);
  memo_clear(&m->m_frame);
  nic_status s = NIC_OK;
  bool met = false;
  if (v.code == NIC_FR_CNP)
    nic_rate_told(m, i);
  else if (v.code >= NIC_FR_ANSWER)
    nic_ack_take(m, i, h, f->pay, hw);
  else if (v.code >= NIC_FR_AHEAD && v.code <= NIC_FR_DONE)
    s = take_request(m, i, f, &v, hw, &met);
  if (s != NIC_OK) return s;
  if (h->ce && v.code != NIC_FR_FOREIGN && v.code != NIC_FR_CNP) nic_cnp_mark(m, i);
  nic_retire_rec want = {NIC_RET_FRAME,
                         met,
                         (uint8_t)v.code,
                         (uint8_t)i,
                         (uint64_t)h->opcode << 24 | h->psn,
                         v.code >= NIC_FR_STALE && v.code <= NIC_FR_END           ? q->epoch & 255
                         : v.code >= NIC_FR_INVALID && v.code <= NIC_FR_NOT_READY ? v.why
                                                                                  : 0};
  nic_ctx_frame_done(m, h);
  m->frame_head++;
  m->begun.on = false;
  return nic_retired(m, hw, want);
}
