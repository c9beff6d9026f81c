// SPDX-License-Identifier: Apache-2.0
// The bench of test_nic_decide: its ports for one cycle, in which every neighbour is slow, full or refuses at random,
// and what leaves is compared with the reference; frames offered one behind the other, and the writes of registers.
#ifndef TOCSIN_NIC_DECIDE_BENCH_H
#define TOCSIN_NIC_DECIDE_BENCH_H

#include <string.h>

#include "aa_fields.h"
#include "nic_decide_model.h"

static void check_response(bench *b, const qp *q, const frame *f, const verdict *v, uint32_t msn) {
  tb *t = &b->t;
  uint32_t r[REPLY_O_WORDS];
  bool want = v->answers && v->code != NIC_K_FrNoRoom, acks = v->kind == ACKNOWLEDGE;
  CHECK_EQ(t, dut_get_reply_valid_o(b->d), want && !acks, "a response (code %u)", v->code);
  CHECK_EQ(t, dut_get_ack_valid_o(b->d), want && acks, "an acknowledgement (code %u)", v->code);
  b->last_answered = want;
  if (!want) return;
  b->last_rsp_psn = v->psn, b->last_syndrome = acks ? v->syndrome : 0x1f;
  if (acks) {
    uint64_t word = dut_get_ack_o(b->d);
    uint32_t a[] = {(uint32_t)word, (uint32_t)(word >> 32)};
#define ACK(f) bits_get(a, NIC_ACK_T_##f##_LSB, NIC_ACK_T_##f##_W)
    CHECK_EQ(t, ACK(QP), f->qp, "QP of the acknowledgement");
    CHECK_EQ(t, ACK(PSN), v->psn, "its PSN");
    CHECK_EQ(t, ACK(MSN), msn, "its MSN");
    CHECK_EQ(t, ACK(SYNDROME), v->syndrome, "its syndrome");
    return;
  }
  dut_get_reply_o(b->d, r);
#define RSP(f) bits_get(r, NIC_REPLY_T_##f##_LSB, NIC_REPLY_T_##f##_W)
  CHECK_EQ(t, RSP(KIND), v->kind, "kind of response");
  CHECK_EQ(t, RSP(QP), f->qp, "QP");
  CHECK_EQ(t, RSP(PROC), q->proc, "process");
  CHECK_EQ(t, RSP(MTU), q->mtu, "MTU");
  CHECK_EQ(t, RSP(PSN), v->psn, "PSN of the response");
  CHECK_EQ(t, RSP(MSN), msn, "MSN");
  CHECK_EQ(t, RSP(FRESH), v->code == NIC_K_FrDone || v->moves, "new");
  CHECK_EQ(t, RSP(FROM), q->epsn, "ePSN before it");
  CHECK_EQ(t, RSP(PAGED), b->paged && (is_atomic(f) || f->length), "pages that may be absent");
  CHECK_EQ(t, RSP(WR), b->writes & 0xffff, "writes before it");
  CHECK_EQ(t, RSP(TASK_WR), b->tasks & 0xffff, "packets of tasks before it");
  if (v->kind == NIC_K_ReplyReplay) CHECK_EQ(t, RSP(SWAP), b->value, "the value in store");
  if (v->kind == NIC_K_ReplyRead || v->kind == NIC_K_ReplyAtomic) CHECK_EQ(t, RSP(VA), f->va, "address");
  if (v->kind == NIC_K_ReplyRead) CHECK_EQ(t, RSP(LEN), f->length, "length");
  if (v->kind == NIC_K_ReplyRead) CHECK_EQ(t, RSP(PACKETS), v->packets, "packets");
  if (v->kind == NIC_K_ReplyAtomic) {
    CHECK(t, !b->wait, "a new atomic while the store is busy");
    CHECK_EQ(t, RSP(CAS), op5(f) == OpCas, "compare and swap");
    CHECK_EQ(t, RSP(SWAP), f->swap, "swap");
    CHECK_EQ(t, RSP(COMPARE), f->compare, "compare");
  }
}

static uint64_t data_word(unsigned serial, unsigned beat) { return serial * 0x9E3779B97F4A7C15ull + beat; }

static void set_inputs(bench *b) {
  dut *d = b->d;
  const frame *f = &b->f;
  uint32_t h[HEAD_I_WORDS] = {0}, p[PAY_I_WORDS] = {0};
#define HEAD(f, v) bits_set(h, NIC_HEAD_T_##f##_LSB, NIC_HEAD_T_##f##_W, v)
  HEAD(OPCODE, f->op);
  HEAD(QP, f->qp_hi << 8 | f->qp);
  HEAD(BYTES, f->bytes);
  HEAD(ACK_REQ, f->ack);
  HEAD(CE, f->ce);
  bits_set(h, NIC_HEAD_T_IP_LSB, 64, f->ip);
  bits_set(h, NIC_HEAD_T_IP_LSB + 64, 64, f->ip_hi);
  HEAD(TAG, f->psn & 1);
  HEAD(TCI, (f->psn & 15) << 12 | f->vid);  // a priority may be anything
  HEAD(PKEY, f->pkey);
  HEAD(PSN, f->psn);
  HEAD(RKEY, f->rkey);
  HEAD(LENGTH, f->length);
  HEAD(IMM, f->imm);
  HEAD(XTQ_ARGS, f->args);
  HEAD(XTQ_PAY, f->xpay);
  HEAD(XTQ_KIND, f->kind);
  HEAD(XTQ_PROC, f->xproc);
  HEAD(VA, f->va);
  HEAD(SWAP, f->swap);
  HEAD(COMPARE, f->compare);
  dut_set_head_i(d, h);
  dut_set_head_valid_i(d, b->offered);
  dut_set_next_valid_i(d, b->next);
  dut_set_next_qp_i(d, b->next ? b->next_hi << 8 | b->next_qp : (unsigned)rnd_bits(&b->t, 24));
  dut_set_reply_err_i(d, b->qp[f->qp].err);
  bool more = b->head != b->tail;
  if (more) {
    const item *i = &b->pay[b->head % ITEMS];
    unsigned size = NIC_BYTES_T_DATA_W / 8, left = i->bytes - b->beat * size, n = left < size ? left : size;
    bits_set(p, NIC_BYTES_T_LAST_LSB, 1, left <= size);
    bits_set(p, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
    bits_set(p, NIC_BYTES_T_DATA_LSB, 64, data_word(i->serial, b->beat));
  }
  dut_set_pay_i(d, p);
  b->shown = more && (b->shown || !rnd_chance(&b->t, b->slow / 2));
  dut_set_pay_valid_i(d, b->shown);
}

// What events call it: no index.
static unsigned name_of(unsigned qp) { return (qp * 37 + 0x321) & 0xfff; }

// What software says of the queue pair that is asked for.
static void set_config(bench *b) {
  dut *d = b->d;
  uint32_t c[CFG_I_WORDS];
  unsigned n = (unsigned)dut_get_cfg_qp_o(d);
  const qp *q = &b->qp[n < P_NumQps ? n : n % FEW];  // of one that does not exist: another's
  rnd_words(&b->t, c, CFG_I_W);
#define CFG(f, v) bits_set(c, NIC_QP_CFG_T_##f##_LSB, NIC_QP_CFG_T_##f##_W, v)
  CFG(EN, q->on);
  CFG(PROC, q->proc);
  CFG(RECV, q->recv);
  CFG(MTU, q->mtu);
  CFG(RNR, q->rnr);
  bits_set(c, NIC_QP_CFG_T_IP_LSB, 64, q->ip);
  bits_set(c, NIC_QP_CFG_T_IP_LSB + 64, 64, q->ip_hi);
  CFG(TCI, q->vid | (q->epsn & 0xf000));
  CFG(PKEY, q->pkey);
  CFG(NAME, name_of(n));
  dut_set_cfg_i(d, c);
}

static void payload(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  unsigned to[4] = {0, (unsigned)dut_get_wr_pay_valid_o(d), (unsigned)dut_get_xtq_pay_valid_o(d),
                    (unsigned)dut_get_req_pay_valid_o(d)};
  // With an ask goes its first beat, if both are taken.
  bool beside = dut_get_ask_valid_o(d) && !dut_get_ask_ready_i(d);
  bool ready[4] = {true, dut_get_wr_pay_ready_i(d), dut_get_xtq_pay_ready_i(d) && !beside, dut_get_req_pay_ready_i(d)};
  bool go = dut_get_pay_ready_o(d) && dut_get_pay_valid_i(d);
  for (unsigned k = WRITE; k <= REQ; k++)
    CHECK(t, go || !to[k] || !ready[k], "payload that %u takes and that stays", k);
  if (!dut_get_pay_valid_i(d)) CHECK(t, !to[1] && !to[2] && !to[3], "bytes out of nothing");
  if (!go) return;
  item *i = &b->pay[b->head % ITEMS];
  uint32_t p[PAY_O_WORDS];
  dut_get_pay_o(d, p);
  CHECK(t, i->known, "payload of frame %u moves before anybody has decided where", i->serial);
  for (unsigned k = WRITE; k <= REQ; k++) {
    CHECK_EQ(t, to[k], i->to == k, "payload of frame %u goes to %u", i->serial, k);
    CHECK(t, !to[k] || ready[k], "payload of frame %u goes to %u, which does not take it", i->serial, k);
  }
  CHECK_EQ(t, bits_get(p, NIC_BYTES_T_DATA_LSB, 64), data_word(i->serial, b->beat), "beat %u of frame %u", b->beat,
           i->serial);
  unsigned size = NIC_BYTES_T_DATA_W / 8;
  bool last = i->bytes <= (b->beat + 1) * size;
  CHECK_EQ(t, bits_get(p, NIC_BYTES_T_LAST_LSB, 1), last, "last beat");
  b->beat = last ? 0 : b->beat + 1;
  b->head += last;
  b->shown = false;
}

static void neighbours(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  if (dut_get_job_valid_o(d)) {
    uint32_t j[JOB_O_WORDS];
    dut_get_job_o(d, j);
    CHECK(t, b->job, "a job for nothing");
    CHECK_EQ(t, bits_get(j, NIC_DMA_T_VA_LSB, 64), b->job_va, "address of the write");
    CHECK_EQ(t, bits_get(j, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), b->job_len, "its length");
    CHECK_EQ(t, bits_get(j, NIC_DMA_T_RID_LSB, 16), b->job_rid, "its requester id");
    CHECK_EQ(t, bits_get(j, NIC_DMA_T_SRC_LSB, 8), NIC_K_SrcResp, "its source");
    CHECK(t, !bits_get(j, NIC_DMA_T_SWAP_LSB, 64) && !bits_get(j, NIC_DMA_T_COMPARE_LSB, 64), "no atomic");
  }
  // What is taken has left when the next could be taken.
  b->gone = dut_get_job_ready_i(d) ? !dut_get_job_valid_o(d) : b->gone;
  if (dut_get_job_valid_o(d) && dut_get_job_ready_i(d)) b->job = false;
  if (dut_get_ev_valid_o(d)) {
    uint32_t e[EV_O_WORDS];
    dut_get_ev_o(d, e);
#define EV(f) bits_get(e, NIC_EVENT_T_##f##_LSB, NIC_EVENT_T_##f##_W)
    CHECK(t, b->ev_due, "an event of nothing");
    CHECK(t, dut_get_job_ready_i(d), "an event while a job has not left");
    CHECK(t, !b->job && (b->head == b->tail || b->pay[b->head % ITEMS].serial > b->ev.serial),
          "an event before what it tells of");
    CHECK_EQ(t, EV(KIND), b->ev.kind, "type of event");
    CHECK_EQ(t, EV(PROC), b->ev.proc, "its process");
    CHECK_EQ(t, EV(KEPT), b->ev.kept, "its place");
    CHECK_EQ(t, EV(STATUS), b->ev.status, "its status");
    CHECK_EQ(t, EV(QP), name_of(b->ev.qp), "its QP's name");
    CHECK_EQ(t, EV(WORD), b->ev.word, "its word");
    CHECK_EQ(t, EV(LEN), b->ev.len, "its length");
    CHECK_EQ(t, EV(ADDR), b->ev.addr, "its address");
    if (dut_get_ev_ready_i(d)) b->ev_due = false;
  }
}

static unsigned draw_why(tb *t) {
  static const unsigned w[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14};
  return rnd_chance(t, 50) ? 0 : w[rnd_below(t, 11)];
}

// What everybody around it says in this cycle. Returns the QP whose PSN is read as a register.
static unsigned set_neighbours(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  b->value = rnd(t);
  dut_set_cfg_qpn_i(d, b->qpn);
  dut_set_cfg_rid_i(d, b->rid);
  dut_set_hold_i(d, b->hold);
  dut_set_reply_room_i(d, !b->full);
  b->met = rnd_chance(t, 30);
  dut_set_ack_met_i(d, b->met);
  dut_set_fail_i(d, b->fail);
  dut_set_away_i(d, b->away);
  dut_set_back_valid_i(d, b->back);
  dut_set_back_qp_i(d, b->back_qp);
  dut_set_back_psn_i(d, b->back_psn);
  dut_set_back_msn_i(d, b->back_msn);
  dut_set_replay_value_i(d, b->value);
  bool old = rnd_chance(t, b->slow / 2);
  dut_set_replay_old_i(d, old);
  b->wait = rnd_chance(t, b->slow / 2);
  dut_set_replay_wait_i(d, b->wait);
  dut_set_replay_hit_i(d, old ? rnd_chance(t, 50) : b->replay);
  dut_set_job_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_wr_pay_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_ask_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_xtq_pay_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_req_pay_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_ev_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_req_head_ready_i(d, 0);
  bool ans = b->asked && b->ans_in-- == 0;
  dut_set_ans_valid_i(d, ans);
  dut_set_ans_why_i(d, ans ? b->why : rnd_bits(t, 4));
  dut_set_rsv_ok_i(d, !b->no_place);
  dut_set_rsv_wait_i(d, rnd_chance(t, b->slow));
  b->mr_in--;
  dut_set_mr_done_i(d, b->mr_in == 0);
  dut_set_mr_ok_i(d, b->mr_in == 0 ? b->mr_ok : rnd_bits(t, 1));
  dut_set_mr_paged_i(d, b->mr_in == 0 ? b->paged : rnd_bits(t, 1));
  // That of the frame, any, or one that does not exist.
  unsigned s =
      b->look || rnd_chance(t, 40) ? b->f.qp : (unsigned)(rnd_chance(t, 10) ? rnd_bits(t, 8) : rnd_below(t, P_NumQps));
  dut_set_sts_qp_i(d, s);
  dut_set_start_valid_i(d, 0);
  return s;
}

static void set_start(bench *b, bool starts) {
  dut_set_start_valid_i(b->d, starts && !b->revoke);
  dut_set_start_qp_i(b->d, b->start_qp);
  dut_set_start_epsn_i(b->d, b->start_as.epsn);
  uint32_t go[START_GO_I_WORDS] = {0};
  const qp *as = &b->start_as;
#define GO(F, v) bits_set(go, NIC_QP_GO_T_##F##_LSB, NIC_QP_GO_T_##F##_W, v)
  GO(MSN, as->msn), GO(AGAIN, as->again), GO(TOLD, as->told), GO(MSG, as->msg);
  GO(VA, as->va), GO(LEFT, as->left), GO(RKEY, as->rkey);
  dut_set_start_go_i(b->d, go);
}

static void answer_region(bench *b) {
  dut *d = b->d;
  if (!dut_get_mr_valid_o(d) || !b->offered) return;
  uint64_t va = dut_get_mr_va_o(d), len = dut_get_mr_len_o(d);
  uint32_t key = (uint32_t)dut_get_mr_key_o(d);
  unsigned proc = (unsigned)dut_get_mr_proc_o(d), right = (unsigned)dut_get_mr_right_o(d);
  const frame *f = &b->f;
  const qp *q = &b->qp[f->qp];
  if (q->on && in_sequence(q, f) && needs_region(q, f)) {
    question want = asked_of_region(q, f);
    CHECK_EQ(&b->t, key, want.key, "key of the region");
    CHECK_EQ(&b->t, proc, q->proc, "process that asks for it");
    CHECK_EQ(&b->t, right, want.right, "right that it needs");
    if (want.right) CHECK_EQ(&b->t, va, want.va, "address in the region");
    if (want.right) CHECK_EQ(&b->t, len, want.len, "bytes in the region");
  }
  b->mr_ok = !b->revoked && region(key, proc, va, len, right);
  b->mr_in = 2;
  b->paged = rnd_chance(&b->t, 50);
}

// P4: an ask comes after the jobs, the payload and the events before it.
static void check_before_ask(bench *b) {
  CHECK(&b->t, !b->job && (b->gone || dut_get_job_ready_i(b->d)), "an ask before a job has left");
  CHECK(&b->t, b->tail - b->head == 1, "an ask before the payload in front of it");
  CHECK(&b->t, !b->ev_due, "an ask before the event in front of it");
}

static void check_ask(bench *b, const verdict *v) {
  tb *t = &b->t;
  dut *d = b->d;
  const frame *f = &b->f;
  const qp *q = &b->qp[f->qp];
  uint32_t a[ASK_O_WORDS];
  dut_get_ask_o(d, a);
#define ASK(f) bits_get(a, NIC_XTQ_ASK_T_##f##_LSB, NIC_XTQ_ASK_T_##f##_W)
  CHECK(t, v->asks && !b->asked, "an ask that should not be");
  CHECK_EQ(t, ASK(QP) | ASK(PROC) << 8, f->qp | q->proc << 8, "who asks");
  CHECK_EQ(t, ASK(NAME), name_of(f->qp), "its name");
  CHECK_EQ(t, ASK(FIRST) | ASK(LAST) << 1, (unsigned)begins(f) | (unsigned)ends(f) << 1, "which packet");
  CHECK_EQ(t, ASK(LENGTH), f->length, "length");
  CHECK_EQ(t, ASK(KIND) | ASK(TARGET) << 8, f->kind | f->xproc << 8, "kind and process");
  CHECK_EQ(t, ASK(ARGS), f->args, "arguments");
  CHECK_EQ(t, ASK(PAY), f->xpay, "payload");
  CHECK_EQ(t, ASK(BYTES), f->bytes, "bytes");
  CHECK_EQ(t, ASK(SEND) | ASK(IMM_ON) << 1 | ASK(INV) << 2,
           is_send(f) | (unsigned)(f->op == 3 || f->op == 5) << 1 | (unsigned)invalidates(f) << 2, "SEND");
  CHECK_EQ(t, ASK(IMM), f->imm, "immediate or key");
  if (dut_get_ask_ready_i(d)) {
    b->asked = true, b->why = draw_why(t), b->ans_in = (unsigned)rnd_below(t, 12);
    b->pay[(b->tail - 1) % ITEMS].to = TASK, b->pay[(b->tail - 1) % ITEMS].known = true;
  }
}

// The place of an event is taken with the record of what needs it (RSP-6).
static void check_place(bench *b, const verdict *v, bool ret) {
  tb *t = &b->t;
  const frame *f = &b->f;
  bool rsv = ret && v->code == NIC_K_FrDone && has_imm(f) && is_write(f);
  bool tried = ret && v->why == NIC_K_WhyNoEvent && !asked_about(f);
  if (!tried) CHECK_EQ(t, dut_get_rsv_valid_o(b->d) && !b->no_place, rsv, "a place is taken with the record");
  if (rsv) CHECK_EQ(t, dut_get_rsv_proc_o(b->d), b->qp[f->qp].proc, "of the process");
  CHECK(t, !dut_get_rsv_valid_o(b->d) || !dut_get_rsv_wait_i(b->d), "a place is asked for that an event takes");
}

static bool in_task(const qp *q) { return q->msg && (q->xtq || q->send); }

// The record of the frame, and what goes with it: the response, what is given up or invalidated.
static void check_record(bench *b, const verdict *v) {
  tb *t = &b->t;
  dut *d = b->d;
  const frame *f = &b->f;
  qp *q = &b->qp[f->qp];
  uint32_t r[RET_O_WORDS];
  dut_get_ret_o(d, r);
  CHECK(t, b->offered && !v->passes && !v->asks, "a record of nothing");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_KIND_LSB, 4), NIC_E_RetFrame, "kind of record");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_CODE_LSB, 4), v->code, "code (opcode %x, PSN %x, ePSN %x, bytes %u)", f->op,
           f->psn, q->epsn, f->bytes);
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_IDX_LSB, 8), f->qp, "QP of the record");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_A_LSB, 64), (uint64_t)f->op << 24 | f->psn, "opcode and PSN of the record");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_FLAG_LSB, 1), b->met && v->answers && v->kind == ACKNOWLEDGE,
           "its acknowledgement meets one that waits");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_B_LSB, 64), v->code == NIC_K_FrNoRoom ? 0 : v->why, "reason in the record");
  CHECK_EQ(t, dut_get_gave_up_o(d), v->code == NIC_K_FrInvalid || v->code == NIC_K_FrAccess, "given up");
  CHECK_EQ(t, dut_get_mr_off_o(d), v->code == NIC_K_FrDone && invalidates(f), "a region is invalidated");
  if (dut_get_mr_off_o(d)) CHECK_EQ(t, dut_get_mr_off_idx_o(d), f->imm & 255, "which");
  b->invalidated += (unsigned)dut_get_mr_off_o(d);
  bool moves = v->code == NIC_K_FrDone || (v->code == NIC_K_FrDup && v->moves);
  uint32_t msn = moves ? psn24(q->msn + ends(f)) : q->msn;
  CHECK_EQ(t, dut_get_mark_o(d), f->ce && v->code != NIC_K_FrForeign && v->code != NIC_K_FrCnp, "a mark counts");
  CHECK_EQ(t, dut_get_cnp_o(d), v->code == NIC_K_FrCnp, "a CNP");
  check_response(b, q, f, v, msn);
  bool was = in_task(q);
  effect(b, q, f, v);
  // Of one that was never on the state is anything.
  if (dut_get_now_valid_o(d) && q->ever)
    CHECK_EQ(t, dut_get_now_task_o(d), in_task(q), "in an XtqPut or a SEND after it");
  CHECK(t, dut_get_now_valid_o(d) || was == in_task(q), "nobody is told that it is in an XtqPut or a SEND, or in none");
  b->codes[v->code]++, b->whys[v->why]++, b->last_code = v->code;
  b->asked = false;
}

// The register write that waited is done: regions go or come back, or a QP begins.
static void started(bench *b) {
  if (b->revoke) {
    b->revoked = !b->revoked, b->revoke = false;
  } else {
    b->qp[b->start_qp] = b->start_as;
    b->qp[b->start_qp].on = b->qp[b->start_qp].ever = true;
  }
  b->qpn = b->new_qpn, b->rid = b->new_rid;
  b->starts = false;
}

// The page of a read was absent: its queue pair is where it was before it.
static void back_to(qp *q, uint32_t psn, uint32_t msn) {
  q->again = psn24(q->again + q->epsn - psn);
  q->epsn = psn, q->msn = msn, q->told = true;
}
static void went_back(bench *b) {
  back_to(&b->qp[b->back_qp], b->back_psn, b->back_msn);
  b->back = b->away = b->fail = false;
  b->backs++;
}

// A response that meets an absent page waits until nobody asks; then a queue pair goes back by a few PSNs.
static void draw_back(bench *b) {
  tb *t = &b->t;
  if (!b->fail && rnd_chance(t, 1) && rnd_chance(t, 60)) b->away = b->fail = true;
  b->back_qp = (unsigned)rnd_below(t, FEW);
  const qp *q = &b->qp[b->back_qp];
  b->back = b->away && q->ever && !dut_get_asking_o(b->d) && rnd_chance(t, 80);
  b->back_psn = psn24(q->epsn - (uint32_t)rnd_below(t, 8));
  b->back_msn = psn24((uint32_t)rnd(t));
}

static void offer(bench *b, frame f) {
  f.serial = ++b->serial;
  b->f = f, b->offered = true;
  b->pay[b->tail++ % ITEMS] = (item){.serial = f.serial, .bytes = f.bytes};
}

// What registers say of the responder.
static void check_status(bench *b, unsigned s) {
  tb *t = &b->t;
  qp now = b->qp[s];
  const qp *q = &now;
  uint32_t is[STS_O_WORDS];
  if (b->back && s == b->back_qp) back_to(&now, b->back_psn, b->back_msn);  // RSP-18: with the RetTx of a cycle before
  dut_get_sts_o(b->d, is);
#define STS(F) bits_get(is, NIC_RESP_STATE_T_##F##_LSB, NIC_RESP_STATE_T_##F##_W)
  CHECK_EQ(t, STS(EPSN), q->ever ? q->epsn : 0, "ePSN of %u", s);
  CHECK_EQ(t, STS(MSN), q->ever ? q->msn : 0, "MSN of %u", s);
  CHECK_EQ(t, STS(AGAIN), q->ever ? q->again : 0, "taken before, of %u", s);
  CHECK_EQ(t, STS(TOLD), q->ever && q->told, "NAK of %u", s);
  CHECK_EQ(t, STS(MSG), q->ever && q->msg, "message of %u", s);
  if (!q->ever || !q->msg) return;
  CHECK_EQ(t, STS(XTQ), q->xtq, "its kind");
  CHECK_EQ(t, STS(SEND), q->send, "its kind");
  if (q->xtq || q->send) return;
  CHECK_EQ(t, STS(VA), q->va, "where it goes on");
  CHECK_EQ(t, STS(LEFT), q->left, "what is left");
  CHECK_EQ(t, STS(RKEY), q->rkey, "its key");
}

// One cycle. True: the frame on offer has been taken.
static bool cycle(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  const frame *f = &b->f;
  unsigned s = set_neighbours(b);
  set_inputs(b);
  dut_eval(d);
  set_config(b);
  dut_eval(d);
  // An answer for the requester is taken when its turn comes, with or before its payload.
  bool offered = dut_get_req_head_valid_o(d), passed = offered && !rnd_chance(t, b->slow);
  dut_set_req_head_ready_i(d, passed);
  bool starts = b->starts && dut_get_idle_o(d);
  set_start(b, starts);
  dut_eval(d);

  check_status(b, s);
  CHECK_EQ(t, dut_get_qp_o(d), f->qp, "QP of the frame");
  answer_region(b);
  verdict v = judge(b, &b->qp[f->qp], f, b->asked ? b->why : NEVER);
  bool ret = dut_get_ret_valid_o(d), taken = b->offered && dut_get_head_ready_o(d);
  if (b->hold && !b->asked && !offered) CHECK(t, !ret && !taken, "a decision while held");
  if (b->away && !b->asked) CHECK(t, !ret, "a decision while a queue pair is about to go back");
  // The first cycle of an ask, or of an answer's head, may still say idle, but only if nobody wants to know.
  bool asks = dut_get_ask_valid_o(d);
  if ((!asks && !offered) || b->hold) CHECK_EQ(t, dut_get_idle_o(d), !b->asked && !offered && !asks, "idle");
  if (asks && !dut_get_asking_o(d)) CHECK(t, !b->job && dut_get_job_ready_i(d), "an ask while a job has not left");
  if (asks) check_before_ask(b);
  if (asks && (b->fail || b->hold)) CHECK(t, dut_get_asking_o(d), "an ask that nobody expects");
  if (offered) CHECK(t, b->offered && v.passes, "not the requester's");
  if (offered && !b->pay[(b->tail - 1) % ITEMS].known)
    b->pay[(b->tail - 1) % ITEMS].to = REQ, b->pay[(b->tail - 1) % ITEMS].known = true;
  CHECK_EQ(t, taken, ret || passed, "taken with its record, or by the requester");
  if (dut_get_ask_valid_o(d)) check_ask(b, &v);
  payload(b);
  neighbours(b);
  check_place(b, &v, ret);
  if (ret)
    check_record(b, &v);
  else
    CHECK(t,
          !dut_get_reply_valid_o(d) && !dut_get_ack_valid_o(d) && !dut_get_gave_up_o(d) && !dut_get_mr_off_o(d) &&
              !dut_get_mark_o(d) && !dut_get_cnp_o(d) && !dut_get_now_valid_o(d),
          "a response of nothing");
  if (taken) b->offered = false, b->taken++;
  if (starts) started(b);
  if (b->back) went_back(b);
  dut_tick(d);
  if (taken && b->next) {
    b->followed += b->next_hi == b->qpn && b->next_qp == f->qp;
    b->next = false;
    offer(b, b->more(b, b->next_hi, b->next_qp));
  }
  return taken;
}

static void follow(bench *b, unsigned hi, unsigned n) {
  b->next = true;
  b->next_hi = hi, b->next_qp = n;
}

// A register write: hold until idle, then the start of a QP.
static void start(bench *b, unsigned n, qp as) {
  b->hold = b->starts = true;
  b->new_qpn = (unsigned)rnd_bits(&b->t, 16), b->new_rid = (unsigned)rnd_bits(&b->t, 16);
  b->start_qp = n, b->start_as = as;
  while (b->starts && !b->t.failures) cycle(b);
  b->hold = false;
}

static void revoke(bench *b) {
  b->revoke = true;
  start(b, 0, b->qp[0]);
}

static unsigned say(bench *b, frame f) {
  offer(b, f);
  for (unsigned n = 0; n < 200 && !cycle(b); n++) {
  }
  CHECK(&b->t, !b->offered, "a frame that nobody takes");
  return b->last_code;
}

#endif
