// SPDX-License-Identifier: Apache-2.0
// The reference of test_nic_decide: the frames, queue pairs and regions of its world, what the steps of the
// specification say to a frame (judge), and what that does (effect).
#ifndef TOCSIN_NIC_DECIDE_MODEL_H
#define TOCSIN_NIC_DECIDE_MODEL_H

#include "tb.h"
#include "nic_decide_tb.h"

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
  bool full, fail, no_place, hold, replay, starts, met, wait;
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

#endif
