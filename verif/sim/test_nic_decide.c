// SPDX-License-Identifier: Apache-2.0
// nic_decide (with nic_judge) against the steps of the specification in C: a conversation frame by frame, XtqPuts asked
// about, writes of 64 and of 8 bytes at full rate, then random frames for several queue pairs, most of them nearly
// right, with every neighbour slow, full or refusing at random.
// Rules of rtl/nic/README.md: RSP-1, RSP-2, RSP-3, RSP-4, RSP-5, RSP-6, RSP-7, RSP-8, RSP-9,
// RSP-14, RSP-18, RSP-19, RSP-21.
// config: default -GNumQps=16
// config: one -GNumQps=1
// config: odd -GNumQps=5 +define+TOCSIN_DATA_W=128
// config: wide -GNumQps=16 +define+TOCSIN_DATA_W=512
// netlist: odd
#include <string.h>
#include "tb.h"
#include "nic_decide_tb.h"
#include "aa_fields.h"

enum { ITEMS = 64, NEVER = 99, FEW = P_NumQps < 4 ? P_NumQps : 4 };  // FEW: queue pairs that are in use
enum { NOWHERE, WRITE, TASK, REQ };
enum { ACKNOWLEDGE = 9 };  // an answer that is no response with data
enum { OpFirst = 6, OpMiddle, OpLast, OpLastImm, OpOnly, OpOnlyImm, OpRead, OpAck = 0x11, OpCas = 0x13, OpAdd };
enum { Cnp = 0x81 };

typedef struct frame {
  unsigned op, qp_hi, qp, bytes, serial;
  bool ack, se, ce;
  uint64_t ip, ip_hi;  // of 128 bits
  uint32_t vid, pkey, psn, rkey, length, imm, args, xpay, kind, xproc;
  uint64_t va, swap, compare;
} frame;

typedef struct qp {  // the reference
  bool on, err, told, msg, xtq, send, recv;
  unsigned proc, mtu, rnr;
  uint64_t ip, ip_hi;
  uint32_t vid, pkey, epsn, msn, again, left, rkey;  // again: PSNs from epsn on that have been taken before
  uint64_t va;
  bool ever;
} qp;

typedef struct verdict {
  unsigned code, why, syndrome, kind;
  bool answers, asks, passes, moves;  // moves: ePSN, of what has been done before
  uint32_t packets, psn;
} verdict;

typedef struct event {
  unsigned proc, kind, status, qp, serial;
  bool kept;
  uint32_t word, len;
  uint64_t addr;
} event;

typedef struct item {
  unsigned serial, bytes, to;
  bool known;  // to
} item;

typedef struct bench bench;
struct bench {
  tb t;
  dut *d;
  unsigned qpn, rid, new_qpn, new_rid;  // what registers say; something else after each of their writes
  qp qp[256];
  frame f;
  bool offered;
  // Behind the frame that is offered another one waits, of this queue pair: `more` says what it is when its turn comes.
  bool next;
  unsigned next_hi, next_qp, followed;
  frame (*more)(bench *b, unsigned hi, unsigned n);
  item pay[ITEMS];  // items not yet gone, the offered frame's last
  unsigned head, tail, beat;
  bool shown;  // the beat on offer
  bool job;    // a job is due
  bool gone;   // the last one that was taken has left
  uint64_t job_va;
  unsigned job_len, job_rid;
  event ev;
  bool ev_due;
  bool asked;
  unsigned ans_in, why;
  int mr_in;  // cycles until the region's answer
  bool mr_ok, paged;
  bool away, back;  // a page is absent; in this cycle a queue pair goes back
  unsigned back_qp, moved, moved_read, backs;
  uint32_t back_psn, back_msn;
  unsigned writes, tasks;
  unsigned slow, serial;
  bool look;  // registers show the frame's queue pair in each cycle
  bool full, fail, no_place, hold, replay, starts, met;
  bool revoke, revoked;  // a write takes all regions away, or gives them back; they are away
  unsigned start_qp;
  qp start_as;
  uint64_t value;
  unsigned codes[16], whys[16], taken, invalidated;
  unsigned last_code;
  uint32_t last_rsp_psn;
  unsigned last_syndrome;
  bool last_answered;
};

static uint32_t psn24(uint32_t v) { return v & 0xffffff; }
static bool is_xtq(const frame *f) { return f->op >> 5 == 6; }
static unsigned op5(const frame *f) { return f->op & 31; }
static bool is_send(const frame *f) { return f->op <= 5 || f->op == 0x16 || f->op == 0x17; }
static bool is_other(const frame *f) { return f->op == 0x1c || f->op == 0x1d; }
static bool is_write(const frame *f) { return op5(f) <= OpOnlyImm || is_send(f); }
static bool is_atomic(const frame *f) { return op5(f) == OpCas || op5(f) == OpAdd; }
static bool only(const frame *f) {
  return is_send(f) ? f->op == 4 || f->op == 5 || f->op == 0x17 : op5(f) == OpOnly || op5(f) == OpOnlyImm;
}
static bool begins(const frame *f) { return op5(f) == (is_send(f) ? 0 : OpFirst) || only(f) || !is_write(f); }
static bool ends(const frame *f) {
  return is_send(f) ? f->op > 1 : op5(f) == OpLast || op5(f) == OpLastImm || only(f) || !is_write(f);
}
static bool invalidates(const frame *f) { return f->op == 0x16 || f->op == 0x17; }
static bool asked_about(const frame *f) { return is_xtq(f) || is_send(f); }
static bool has_imm(const frame *f) { return !is_send(f) && (op5(f) == OpLastImm || op5(f) == OpOnlyImm); }
static unsigned mtu_of(const qp *q) { return 128u << q->mtu; }

// The regions of this world: each process has one of 2 GiB, the longest message, at its home, with its number in the
// low bits of the key and the rights that it has not above; all other bits of both are anything.
static const uint64_t SPACE = 1ull << 31;
static uint64_t home(unsigned proc) { return ((proc + 1) * 0x9E3779B97F4A7C15ull) >> 31 << 31; }
static uint32_t key_of(unsigned proc) { return ((proc + 1) * 0x85EBCA6Bu) >> 8 << 8 | proc; }
static bool region(uint32_t key, unsigned proc, uint64_t va, uint64_t len, unsigned right) {
  if (key >> 8 != key_of(proc) >> 8 || (key & 15) != proc) return false;
  if (!right) return true;  // its name
  uint64_t in = va - home(proc);
  return !((key >> 4 & 7) & right) && in <= SPACE && len <= SPACE - in;
}

static uint32_t packets(uint64_t len, unsigned mtu) { return len ? (uint32_t)((len + mtu - 1) / mtu) : 1; }

// What is asked of the regions about a frame: RSP-5.
typedef struct question {
  uint32_t key;
  uint64_t va, len;
  unsigned right;
} question;

static question asked_of_region(const qp *q, const frame *f) {
  if (is_send(f)) return (question){.key = f->imm};
  return (question){.key = begins(f) ? f->rkey : q->rkey,
                    .va = begins(f) ? f->va : q->va,
                    .len = is_atomic(f) ? 8
                           : begins(f)  ? f->length
                                        : q->left,
                    .right = is_atomic(f)  ? 4
                             : is_write(f) ? 2
                                           : 1};
}

static bool needs_region(const qp *q, const frame *f) {
  return is_send(f) ? invalidates(f) : !is_xtq(f) && asked_of_region(q, f).len != 0;
}

static bool allowed(const bench *b, const qp *q, const frame *f) {
  question a = asked_of_region(q, f);
  return !needs_region(q, f) || (!b->revoked && region(a.key, q->proc, a.va, a.len, a.right));
}

static bool in_sequence(const qp *q, const frame *f) {
  unsigned mtu = mtu_of(q);
  bool again = q->again && !is_write(f);  // a message may have begun behind it
  if (!again && (q->msg ? begins(f) || is_xtq(f) != q->xtq || is_send(f) != q->send : !begins(f))) return false;
  if (op5(f) == OpRead) return f->length <= 1u << 31 && !f->bytes;
  if (is_atomic(f)) return f->va % 8 == 0 && !f->bytes;
  if (is_send(f) && only(f)) return f->bytes <= mtu;
  if (is_send(f)) return ends(f) ? f->bytes && f->bytes <= mtu : f->bytes == mtu;
  if (only(f)) return f->bytes <= mtu && f->length == f->bytes;
  if (begins(f)) return f->bytes == mtu && f->length > mtu && f->length <= 1u << 31;
  if (ends(f)) return f->bytes && f->bytes <= mtu && f->bytes == q->left;
  return f->bytes == mtu && q->left > f->bytes;
}

// RSP-1 to RSP-7 of README.md, in their order. why: xtq_target's answer, or NEVER.
static verdict judge(const bench *b, const qp *q, const frame *f, unsigned why) {
  verdict v = {.code = NIC_K_FrDone, .syndrome = 0x1f, .packets = 1, .psn = f->psn, .kind = ACKNOWLEDGE};
  bool partition = f->pkey % 0x8000 == q->pkey % 0x8000 && (f->pkey >= 0x8000 || q->pkey >= 0x8000);
  if (f->qp_hi != b->qpn || f->qp >= P_NumQps || !q->on || f->ip != q->ip || f->ip_hi != q->ip_hi || f->vid != q->vid ||
      !partition) {
    v.code = NIC_K_FrForeign;
    return v;
  }
  if (f->op == Cnp) {
    v.code = NIC_K_FrCnp;
    return v;
  }
  if (op5(f) > OpRead && op5(f) < OpCas) {
    v.passes = true;
    return v;
  }
  int32_t d = (int32_t)((f->psn - q->epsn) << 8) >> 8;
  bool rnr = false;
  if (q->err) {
    v.code = NIC_K_FrForeign;
    return v;
  }
  if (op5(f) == OpRead) v.packets = packets(f->length, mtu_of(q));
  if (d > 0) {
    v.code = NIC_K_FrAhead, v.syndrome = 0x60, v.answers = !q->told, v.psn = q->epsn;
  } else if (d < 0 || (q->again && is_write(f))) {
    v.code = NIC_K_FrDup;
    if (is_write(f)) v.answers = true, v.moves = d == 0;
    if (is_atomic(f)) v.answers = b->replay, v.kind = NIC_K_ReplyReplay;
    int64_t end = (int64_t)d + v.packets;
    if (op5(f) == OpRead)
      v.answers = end <= (int64_t)q->again && allowed(b, q, f), v.kind = NIC_K_ReplyRead,
      v.moves = v.answers && end > 0;
  } else if ((is_send(f) && !q->recv) || is_other(f)) {
    v.code = NIC_K_FrInvalid, v.syndrome = 0x61, v.why = NIC_K_WhyOpcode;
  } else if (!in_sequence(q, f)) {
    v.code = NIC_K_FrInvalid, v.syndrome = 0x61, v.why = NIC_K_WhySequence;
  } else if (!allowed(b, q, f)) {
    v.code = NIC_K_FrAccess, v.syndrome = 0x62, v.why = NIC_K_WhyRegion;
  } else if (asked_about(f) && why == NEVER) {
    v.asks = true;
  } else if (asked_about(f) && why) {
    rnr = why == NIC_K_WhyNoBuffer || why == NIC_K_WhyQueueFull || why == NIC_K_WhyNoEvent;
    v.code = rnr ? NIC_K_FrNotReady : NIC_K_FrInvalid, v.syndrome = why == NIC_K_WhyTable ? 0x63 : 0x61, v.why = why;
  } else if (has_imm(f) && b->no_place) {
    rnr = true, v.code = NIC_K_FrNotReady, v.why = NIC_K_WhyNoEvent;
  } else {
    v.answers = f->ack || !is_write(f);
    v.kind = is_write(f) ? ACKNOWLEDGE : is_atomic(f) ? NIC_K_ReplyAtomic : NIC_K_ReplyRead;
  }
  if (rnr) v.syndrome = 0x20 | q->rnr;
  if (v.why) v.answers = true, v.psn = q->epsn;
  if (v.answers && v.kind != ACKNOWLEDGE && b->full) v.code = NIC_K_FrNoRoom;
  return v;
}

// What the verdict does to the queue pair (RSP-8, RSP-9), and who gets the payload.
static void effect(bench *b, qp *q, const frame *f, const verdict *v) {
  item *i = &b->pay[(b->tail - 1) % ITEMS];
  if (!asked_about(f) || !i->known) i->to = NOWHERE, i->known = true;
  event e = {.proc = q->proc, .qp = f->qp, .serial = f->serial};
  uint32_t epsn = q->epsn;
  if (v->code == NIC_K_FrDone || (v->code == NIC_K_FrDup && v->moves)) {
    uint32_t to = psn24(f->psn + v->packets), by = psn24(to - epsn);
    q->again = q->again > by ? q->again - by : 0;
    q->epsn = to;
    q->msn = psn24(q->msn + ends(f));
    q->told = false;
    b->moved += v->code == NIC_K_FrDup;
    b->moved_read += v->code == NIC_K_FrDup && !is_write(f);
  }
  if (v->code == NIC_K_FrDone) {
    if (is_write(f)) {
      if (begins(f)) q->va = f->va, q->left = f->length, q->rkey = f->rkey;
      if (!asked_about(f) && f->bytes) {
        i->to = WRITE;
        CHECK(&b->t, !b->job, "a job before the last one has gone");
        b->job = true, b->job_va = q->va, b->job_len = f->bytes, b->job_rid = (b->rid + q->proc) & 0xffff;
        b->writes++;
      }
      b->tasks += asked_about(f) && f->bytes;
      q->va += f->bytes, q->left -= f->bytes;
      q->msg = !ends(f), q->xtq = is_xtq(f), q->send = is_send(f);
    }
    if (has_imm(f)) e.kind = NIC_K_EvImm, e.kept = true, e.len = f->imm;
  }
  if (v->code == NIC_K_FrInvalid || v->code == NIC_K_FrAccess) q->msg = false, q->again = 0;
  if (v->code == NIC_K_FrInvalid || v->code == NIC_K_FrAccess || v->code == NIC_K_FrNotReady) {
    q->told = true;
    e.kind = NIC_K_EvRefused, e.status = v->syndrome, e.word = v->why, e.addr = epsn;
  }
  if (v->code == NIC_K_FrAhead && v->answers) q->told = true;
  if (e.kind) {
    CHECK(&b->t, !b->ev_due, "an event before the last one has gone");
    b->ev = e, b->ev_due = true;
  }
}

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
  CFG(TAG, q->vid != 0);
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
static void went_back(bench *b) {
  qp *q = &b->qp[b->back_qp];
  q->again = psn24(q->again + q->epsn - b->back_psn);
  q->epsn = b->back_psn, q->msn = b->back_msn;
  q->told = true;
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
  const qp *q = &b->qp[s];
  uint32_t is[STS_O_WORDS];
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

static frame base(const bench *b, unsigned op, unsigned bytes) {
  const qp *q = &b->qp[0];
  return (frame){.op = op,
                 .qp_hi = b->qpn,
                 .ip = q->ip,
                 .ip_hi = q->ip_hi,
                 .vid = q->vid,
                 .pkey = q->pkey,
                 .psn = q->epsn,
                 .va = home(q->proc),
                 .rkey = key_of(q->proc),
                 .length = bytes,
                 .bytes = bytes};
}
#define SAY(want, ...) CHECK_EQ(&b->t, say(b, __VA_ARGS__), NIC_K_##want, "%s, line %d", #want, __LINE__)

static frame with_psn(frame f, uint32_t psn) {
  f.psn = psn24(psn);
  return f;
}

// Who may speak (RSP-1), and in which order (RSP-3).
static void in_order_or_not(bench *b) {
  tb *t = &b->t;
  const qp *q = &b->qp[0];
  SAY(FrForeign, base(b, OpOnly, 8));
  start(b, 0, (qp){.proc = 3, .mtu = 1, .rnr = 14, .ip = 0x0a000001, .pkey = 0xffff, .epsn = 0xfffffe});
  frame f = base(b, OpOnly, 8);
  f.pkey = 0xfffe;
  SAY(FrForeign, f);
  f.pkey = 0x7fff;
  SAY(FrDone, f);
  CHECK(t, !b->last_answered, "no ACK unless asked for");
  f = base(b, OpOnly, 0), f.ack = true, f.va = 0, f.rkey = 0;
  SAY(FrDone, f);
  CHECK(t, b->last_answered && b->last_syndrome == 0x1f && q->epsn == 0, "ACK; PSNs go round");
  SAY(FrDup, with_psn(base(b, OpOnly, 8), 0xffffff));
  CHECK(t, b->last_answered && b->last_rsp_psn == 0xffffff, "ACK of its own PSN, asked for or not");
  SAY(FrAhead, with_psn(base(b, OpOnly, 8), 2));
  CHECK(t, b->last_answered && b->last_syndrome == 0x60, "NAK 0 once");
  SAY(FrAhead, with_psn(base(b, OpOnly, 8), 3));
  CHECK(t, !b->last_answered, "and no more");
}

// A message of several packets: given up (RSP-4, RSP-9), refused for a while (RSP-6), stopped by its region (RSP-5).
static void message_of_packets(bench *b) {
  tb *t = &b->t;
  const qp *q = &b->qp[0];
  frame f = base(b, OpFirst, 256);
  f.length = 600;
  SAY(FrDone, f);
  SAY(FrInvalid, base(b, OpOnly, 8));
  CHECK(t, !q->msg, "the message is given up");
  SAY(FrAhead, with_psn(base(b, OpMiddle, 256), q->epsn + 1));
  CHECK(t, !b->last_answered, "no NAK 0 after another NAK");
  SAY(FrDone, with_psn(f, q->epsn));
  SAY(FrDone, base(b, OpMiddle, 256));
  b->no_place = true;
  SAY(FrNotReady, base(b, OpLastImm, 88));
  CHECK(t, b->last_syndrome == (0x20 | 14) && q->msg, "RNR leaves the message as it was");
  b->no_place = false;
  SAY(FrDone, base(b, OpLastImm, 88));
  f = base(b, OpFirst, 256), f.length = 600;
  SAY(FrDone, f);
  revoke(b);
  SAY(FrAccess, base(b, OpMiddle, 256));
  CHECK(t, !q->msg, "a region that is taken away stops the message");
  revoke(b);
  SAY(FrInvalid, base(b, OpMiddle, 256));
}

// What comes twice: writes, reads, atomics (RSP-3).
static void done_again(bench *b) {
  tb *t = &b->t;
  const qp *q = &b->qp[0];
  frame f = base(b, OpRead, 0);
  f.length = 1000;
  uint32_t psn = f.psn;
  SAY(FrDone, f);
  CHECK_EQ(t, q->epsn, psn + 4, "a read of 1000 bytes takes four PSNs");
  SAY(FrDup, with_psn(base(b, OpOnly, 8), psn - 1));
  CHECK(t, b->last_answered && b->last_rsp_psn == psn - 1, "an ACK of before the read does not acknowledge the read");
  SAY(FrDup, f);
  CHECK(t, b->last_answered, "and is done again");
  f.length = 1025;
  SAY(FrDup, f);
  CHECK(t, !b->last_answered, "but not if it were longer than what is behind");
  f = base(b, OpOnly, 8), f.va += SPACE - 4;
  SAY(FrAccess, f);
  f = base(b, OpCas, 0);
  SAY(FrDone, f);
  SAY(FrDup, f);
  CHECK(t, !b->last_answered, "an atomic that nobody remembers");
  b->replay = true;
  for (unsigned k = 0; k < 16; k++) {  // each with another value
    SAY(FrDup, f);
    CHECK(t, b->last_answered, "and one that is remembered");
  }
  b->replay = false;
}

// No place for a response: what needs none is done all the same (RSP-7).
static void no_room(bench *b) {
  b->full = true;
  frame f = base(b, OpOnly, 8);
  f.ack = true;
  SAY(FrDone, f);
  SAY(FrNoRoom, base(b, OpRead, 0));
  SAY(FrNoRoom, base(b, OpCas, 0));
  SAY(FrDup, with_psn(base(b, OpOnly, 8), b->qp[0].epsn - 1));
  b->full = false;
}

// Operations that the queue pair does not take, each of them in the middle of a message (RSP-4).
static void unfit_operations(bench *b) {
  tb *t = &b->t;
  const qp *q = &b->qp[0];
  static const unsigned unfit[] = {0, 1, 2, 3, 4, 5, 0x16, 0x17, 0x1c, 0x1d};
  for (unsigned k = 0; k < sizeof unfit / sizeof *unfit; k++) {
    frame f = base(b, OpFirst, 256);
    f.length = 600;
    SAY(FrDone, f);
    SAY(FrDup, with_psn(base(b, unfit[k], 24), q->epsn - 1));
    CHECK(t, b->last_answered == (unfit[k] < 0x1c), "a duplicate of what is never done is not answered");
    SAY(FrAhead, with_psn(base(b, unfit[k], 24), q->epsn + 1));
    SAY(FrInvalid, base(b, unfit[k], 24));
    CHECK(t, b->last_answered && b->last_syndrome == 0x61 && !q->msg, "opcode %x is refused", unfit[k]);
  }
}

// A read of this many packets goes on where PSNs are asked for again, and a write of as many begins: RSP-4, RSP-19.
static void read_and_write(bench *b, uint32_t count, uint32_t again) {
  qp as = b->qp[0];
  as.again = again, as.msg = false;
  start(b, 0, as);
  frame f = base(b, OpRead, 0);
  f.length = count * mtu_of(&as);
  SAY(FrDone, f);
  CHECK_EQ(&b->t, b->qp[0].again, again > count ? again - count : 0, "PSNs that are still asked for again");
  as.again = 0;
  start(b, 0, as);
  f = base(b, OpFirst, mtu_of(&as));
  f.length = count * mtu_of(&as) + 1;
  SAY(FrDone, f);
  if (count > 1) SAY(FrDone, base(b, OpMiddle, mtu_of(&as)));
}

// Of every length that a message may have (RSP-4).
static void lengths(bench *b) {
  for (unsigned k = 0; k < 23; k++) {
    read_and_write(b, (1u << k) + 1, 2);
    read_and_write(b, 1u << k, (1u << k) + 3);
  }
  uint32_t psn = b->qp[0].epsn;
  qp as = b->qp[0];
  as.msg = false;
  start(b, 0, as);
  frame f = base(b, OpRead, 0);
  f.length = 1u << 31;
  SAY(FrDone, f);
  CHECK_EQ(&b->t, b->qp[0].epsn, psn24(psn + (1u << 23)), "the longest read takes half of all PSNs");
  f = base(b, OpFirst, 256);
  f.length = 1u << 31;
  SAY(FrDone, f);
  SAY(FrInvalid, base(b, OpOnly, 8));
}

// A SEND's packets may have any size up to the MTU, but only the one of an Only may be empty (RSP-4).
static void empty_sends(bench *b) {
  static const unsigned last[] = {2, 3, 0x16}, alone[] = {4, 5, 0x17};
  qp as = b->qp[0];
  as.recv = true, as.msg = false;
  start(b, 0, as);
  for (unsigned k = 0; k < 3; k++) {
    while (say(b, base(b, 0, 256)) != NIC_K_FrDone && !b->t.failures) {  // until a receiver is ready
    }
    frame f = base(b, last[k], 0);
    f.imm = key_of(as.proc);
    SAY(FrInvalid, f);
    f = base(b, alone[k], 0);
    f.imm = key_of(as.proc);
    while (say(b, with_psn(f, b->qp[0].epsn)) != NIC_K_FrDone && !b->t.failures) {
    }
  }
}

// P4: what is asked about comes right behind a write whose job takes its time.
static void behind_a_write(bench *b) {
  b->slow = 70;
  for (unsigned k = 0; k < 40; k++) {
    SAY(FrDone, base(b, OpOnly, 8));
    say(b, base(b, k % 2 ? 4 : 0xca, 64));
  }
  b->slow = 0;
}

static void conversation(bench *b) {
  b->look = true;
  in_order_or_not(b);
  message_of_packets(b);
  done_again(b);
  no_room(b);
  unfit_operations(b);
  lengths(b);
  empty_sends(b);
  behind_a_write(b);
  b->qp[0].err = true;
  SAY(FrForeign, base(b, OpOnly, 8));
  b->qp[0].err = false;
  b->look = false;
}

// The first beat of an XtqPut goes with its ask, also if it is the only one: one cycle less a message.
static void beside(bench *b) {
  const unsigned size = NIC_BYTES_T_DATA_W / 8, bytes[] = {2 * size + 16, size, 2 * size + 16};
  for (unsigned k = 0; k < 3; k++) {
    offer(b, base(b, 0xca, bytes[k]));
    unsigned n = 0;
    for (; n < 10 && !b->asked; n++) cycle(b);
    CHECK_EQ(&b->t, n, 3, "cycles to its ask and with it, of one that comes alone");
    CHECK_EQ(&b->t, b->beat, bytes[k] > size, "beats of %u bytes that have gone with the ask", bytes[k]);
    CHECK_EQ(&b->t, b->tail - b->head, bytes[k] > size, "its payload is gone");
    for (unsigned n = 0; n < 50 && b->offered; n++) cycle(b);
    CHECK(&b->t, !b->offered, "an answer that nobody takes");
  }
}

// The wire gives a frame of 64 bytes every 5 beats of 32, one of 8 every 3.
static frame write_of_64(bench *b, unsigned hi, unsigned n) {
  (void)hi, (void)n;
  return base(b, OpOnly, 64);
}
static frame write_of_8(bench *b, unsigned hi, unsigned n) {
  (void)hi, (void)n;
  return base(b, OpOnly, 8);
}

static void rate(bench *b, unsigned bytes) {
  unsigned from = b->taken;
  b->more = bytes == 8 ? write_of_8 : write_of_64;
  offer(b, b->more(b, b->qpn, 0));
  for (unsigned c = 0; c < 500; c++) {
    if (!b->next) follow(b, b->qpn, 0);
    cycle(b);
  }
  while (b->offered) cycle(b);
  unsigned size = NIC_BYTES_T_DATA_W / 8, per100 = 50000 / (b->taken - from), beats = (74 + bytes + size - 1) / size;
  printf("nic_decide[%s] %u.%02u cycles a write of %u bytes\n", b->t.config, per100 / 100, per100 % 100, bytes);
  CHECK(&b->t, per100 <= 100 * (beats > 3 ? beats : 3), "slower than the wire: %u/100 cycles a frame", per100);
}

static uint32_t other(tb *t, uint32_t v, unsigned percent) { return rnd_chance(t, percent) ? (uint32_t)rnd(t) : v; }

// 0 to 2^31, each order of magnitude alike.
static uint32_t any_length(tb *t) { return (uint32_t)rnd_below(t, (1ull << rnd_below(t, 32)) + 1); }

// A frame for queue pair n, of which the high part of its number may be wrong.
static frame draw(bench *b, unsigned hi, unsigned n) {
  static const unsigned fresh[] = {OpFirst, OpOnly, OpOnly, OpOnlyImm, OpRead, OpCas, OpAdd, 0xc6,
                                   0xca,    0xca,   0x0d,   OpAck,     0x12,   0,     0,     3,
                                   4,       5,      0x16,   0x17,      0x17,   0x1c,  0x1d,  Cnp};
  tb *t = &b->t;
  const qp *q = &b->qp[n < P_NumQps ? n : n % FEW];  // right but for its number, if this is none of ours
  unsigned mtu = mtu_of(q), op = fresh[rnd_below(t, sizeof fresh / sizeof *fresh)];
  if (q->msg && q->send && rnd_chance(t, 90)) {
    static const unsigned on[] = {1, 1, 2, 3, 3, 0x16};
    op = on[rnd_below(t, 6)];
  } else if (q->msg && rnd_chance(t, 90))
    op = (q->xtq ? 0xc0u : 0) | (q->left > mtu ? OpMiddle : q->xtq || rnd_chance(t, 60) ? OpLast : OpLastImm);
  else if (q->again && rnd_chance(t, 30))
    op = OpRead;
  if (!q->msg && rnd_chance(t, 3)) op = OpMiddle + (unsigned)rnd_below(t, 3);
  frame f = {.op = op,
             .qp_hi = hi,
             .qp = n,
             .ip = q->ip,
             .ip_hi = q->ip_hi,
             .vid = q->vid,
             .pkey = q->pkey,
             .psn = q->epsn,
             .ack = rnd_chance(t, 40),
             .ce = rnd_chance(t, 30)};
  if (rnd_chance(t, 1)) f.ip ^= 1ull << rnd_below(t, 64);
  if (rnd_chance(t, 1)) f.ip_hi ^= 1ull << rnd_below(t, 64);
  if (rnd_chance(t, 1)) f.vid ^= 1u << rnd_below(t, 12);
  if (rnd_chance(t, 2)) f.pkey ^= 1u << rnd_below(t, 16);
  if (rnd_chance(t, 12)) f.psn = psn24(f.psn + (uint32_t)rnd_below(t, 9) - 5);
  if (rnd_chance(t, 2)) f.psn = psn24((uint32_t)rnd(t));
  f.rkey = other(t, key_of(q->proc), 1) | (rnd_chance(t, 5) ? (uint32_t)rnd_bits(t, 3) << 4 : 0);
  f.va = home(q->proc) + rnd_below(t, 0x8000);
  if (rnd_chance(t, 3)) f.va = rnd_chance(t, 50) ? home(q->proc) + SPACE - 16 + rnd_bits(t, 5) : rnd(t);
  if (rnd_chance(t, 2)) f.va ^= 1ull << rnd_below(t, 64);
  if (is_atomic(&f) && rnd_chance(t, 90)) f.va &= ~7ull;
  unsigned bytes = is_write(&f) && op != Cnp ? (unsigned)rnd_below(t, rnd_chance(t, 80) ? 130 : mtu + 1) : 0;
  f.length = bytes;
  if (op5(&f) == OpFirst) bytes = mtu, f.length = mtu + 1 + (uint32_t)rnd_below(t, 3 * mtu);
  if (op5(&f) == OpMiddle) bytes = mtu;
  if (op5(&f) == OpLast || op5(&f) == OpLastImm) bytes = q->left <= mtu ? q->left : mtu;
  if (op5(&f) == OpFirst && rnd_chance(t, 5)) f.length = (uint32_t)rnd_below(t, mtu + 2);
  if (op5(&f) == OpRead) f.length = rnd_chance(t, 70) ? (uint32_t)rnd_below(t, 5 * mtu) : any_length(t);
  if (op5(&f) == OpRead && q->again &&
      rnd_chance(t, 90))  // its first packets were lost, the page was absent behind them
    f.psn = psn24(q->epsn - (uint32_t)rnd_below(t, 3)), f.length = rnd_chance(t, 60) ? 2 * mtu : any_length(t);
  if (is_send(&f) && !only(&f)) bytes = op < 2 ? mtu : rnd_chance(t, 10) ? 0 : 1 + (unsigned)rnd_below(t, mtu);
  if (rnd_chance(t, 3) && op != Cnp) bytes = (unsigned)rnd_below(t, mtu + 2);
  if (rnd_chance(t, 3))
    f.length = rnd_chance(t, 30) ? 0x80000000 + (rnd_chance(t, 50) ? 1u << rnd_below(t, 31) : 0)
                                 : bytes + (uint32_t)rnd_bits(t, 1);
  f.bytes = bytes > 4096 ? 4096 : bytes;
  f.imm = (uint32_t)rnd(t), f.args = (uint32_t)rnd(t), f.xpay = (uint32_t)rnd(t), f.kind = (uint32_t)rnd_bits(t, 8);
  if (invalidates(&f) && rnd_chance(t, 80)) f.imm = key_of(q->proc);
  f.xproc = (uint32_t)rnd_bits(t, 16), f.swap = rnd(t), f.compare = rnd(t);
  return f;
}

static unsigned draw_hi(bench *b) { return b->qpn ^ (rnd_chance(&b->t, 2) ? 1u << rnd_below(&b->t, 16) : 0); }
static unsigned draw_qp(tb *t) { return (unsigned)rnd_below(t, FEW) ^ (rnd_chance(t, 3) ? 1u << rnd_below(t, 8) : 0); }

// Another frame, if none is offered, or one behind it.
static void draw_frame(bench *b) {
  tb *t = &b->t;
  if (b->next || !rnd_chance(t, 80) || b->tail - b->head >= ITEMS - 2) return;
  unsigned hi = draw_hi(b), n = draw_qp(t);
  if (b->offered)
    follow(b, hi, n);
  else
    offer(b, draw(b, hi, n));
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_decide", 150000);
  b.d = dut_begin(t);
  dut_reset(b.d, 2);
  conversation(&b);
  beside(&b);
  rate(&b, 64);
  rate(&b, 8);
  b.more = draw;
  for (uint64_t c = 0; c < t->cycles; c++) {
    if (c % 1000 == 0) b.slow = rnd_chance(t, 30) ? 0 : (unsigned)rnd_below(t, 70);
    if (rnd_chance(t, 10)) b.full = rnd_chance(t, 20);
    if (rnd_chance(t, 10)) b.no_place = rnd_chance(t, 20), b.replay = rnd_chance(t, 60);
    // nic_reply says beforehand that it stops a responder, and waits until nobody asks.
    if (b.fail && !b.away && !dut_get_asking_o(b.d))
      b.qp[rnd_below(t, 4)].err = rnd_chance(t, 8), b.fail = rnd_chance(t, 50);
    if (!b.away && rnd_chance(t, 2)) b.fail = true;
    if (c % 300 == 0 || rnd_chance(t, 1)) {
      qp as = {.proc = (unsigned)rnd_bits(t, 4),
               .mtu = rnd_chance(t, 80) ? 1 : 1 + (unsigned)rnd_below(t, 5),
               .rnr = (unsigned)rnd_bits(t, 5),
               .recv = rnd_chance(t, 85)};
      as.ip = rnd(t), as.ip_hi = rnd(t), as.vid = rnd_chance(t, 50) ? (uint32_t)rnd_bits(t, 12) : 0,
      as.pkey = (uint32_t)rnd_bits(t, 16), as.epsn = rnd_chance(t, 50) ? 0xfffff0 : psn24((uint32_t)rnd(t));
      if (rnd_chance(t, 30)) {  // from where it may have been
        as.msn = (uint32_t)rnd_bits(t, 24), as.told = rnd_chance(t, 50), as.msg = rnd_chance(t, 70);
        as.again = rnd_chance(t, 50) ? (uint32_t)rnd_bits(t, (unsigned)rnd_below(t, 24)) : 0;
        bool there = rnd_chance(t, 50);
        as.va = there ? home(as.proc) + rnd_bits(t, 14) : rnd(t), as.rkey = there ? key_of(as.proc) : (uint32_t)rnd(t);
        as.left = 1 + (rnd_chance(t, 50) ? (uint32_t)rnd_below(t, 5000) : any_length(t) / 2);
      }
      start(&b, (unsigned)rnd_below(t, FEW), as);
    }
    if (rnd_chance(t, b.revoked ? 10 : 1) && rnd_chance(t, 50)) revoke(&b);
    b.hold = rnd_chance(t, 3);
    draw_frame(&b);
    draw_back(&b);
    cycle(&b);
  }
  b.slow = 0, b.hold = b.fail = b.away = b.back = false;
  for (unsigned n = 0; n < 2000; n++) cycle(&b);
  CHECK(t, b.head == b.tail && !b.job && !b.ev_due && !b.offered, "something is still under way");
  CHECK(t, b.followed > tb_least(t, 200), "%u frames behind one of their queue pair", b.followed);
  CHECK(t, b.invalidated > tb_least(t, 10), "%u regions invalidated", b.invalidated);
  CHECK(t, b.backs > tb_least(t, 20) && b.moved > tb_least(t, 20) && b.moved_read > tb_least(t, 5),
        "gone back %u times, done before %u, of these reads %u", b.backs, b.moved, b.moved_read);
  for (unsigned k = 0; k <= NIC_K_FrDone; k++)
    CHECK(t, b.codes[k] > tb_least(t, 20), "code %u: %u times only", k, b.codes[k]);
  CHECK(t, b.codes[NIC_K_FrCnp] > tb_least(t, 20), "%u CNPs only", b.codes[NIC_K_FrCnp]);
  for (unsigned k = 1; k <= NIC_K_WhyTooLong; k++)
    CHECK(t, b.whys[k] > tb_least(t, 5), "reason %u: %u times only", k, b.whys[k]);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
