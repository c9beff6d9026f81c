// SPDX-License-Identifier: Apache-2.0
// The event rings of test_nic_event in C: what registers, places and events make of them, which writes follow, and what
// nic_event must say of it.
#ifndef TOCSIN_EVENT_RINGS_H
#define TOCSIN_EVENT_RINGS_H

#include <string.h>
#include "aa_fields.h"
#include "tb.h"
#include "nic_event_tb.h"
#include "tocsin/nic_regs.h"

enum { BASE, CTL, CONS, STS, MSIA, MSID };
enum { LATER = 64 };  // writes expected and not seen yet, at most

typedef struct ring {
  bool en, armed, lost, bad;
  uint64_t base, msia;
  uint32_t msid, prod, cons, size;
  uint32_t resv;    // places reserved
  uint32_t held;    // of them, those that the test has neither used nor given back
  uint32_t away;    // of them, those given back in the cycle before
  bool freed;       // the place of an event that is not written, given back with its end
  uint32_t unseen;  // of those left, what a register brought in the cycle before: nobody gets them yet
} ring;

typedef struct event {
  unsigned proc, kind, status, qp;
  bool kept;
  uint32_t word, len, more;  // more: bytes of a message received
  uint64_t addr;
} event;

typedef struct write {
  unsigned proc, n;
  uint64_t va;
  uint8_t bytes[32];
} write;

typedef struct bench {
  tb t;
  dut *d;
  ring r[16];
  event offer[P_Sources], now;
  bool offered[P_Sources], busy;  // busy: `now` is taken and not yet decided
  write w[LATER];
  unsigned w_in, w_job, w_pay, at;  // written, and how far jobs and bytes have come
  unsigned slow, job_slow;          // per cent of cycles in which nic_wr takes no bytes, no job
  unsigned strb;                    // of writes
  unsigned wrote, dropped, msis, full, gave;
  unsigned ask, give;  // per cent of cycles in which a port asks for a place, gives some back
  int only;            // of this ring alone; -1: of any
  bool chosen;         // who asks, and of which ring, is not drawn
  unsigned asks, gives, ask_of[3], give_of[3], given[3];  // what they do in this cycle
  uint64_t rid;
  uint64_t was;    // the address of the cycle before
  unsigned moved;  // a register of this ring was written in the cycle before; 0: of none, else ring + 1
} bench;

static int64_t left(const ring *r) { return (1ll << r->size) - (uint32_t)(r->prod - r->cons) - r->resv; }

static void little(uint8_t *p, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static void expect_event(bench *b, const ring *r, const event *e) {
  write *w = &b->w[b->w_in++ % LATER];
  *w = (write){.proc = e->proc, .n = 32, .va = r->base + 32 * (uint64_t)(r->prod & ((1ull << r->size) - 1))};
  w->bytes[0] = (uint8_t)e->kind, w->bytes[1] = (uint8_t)e->status, w->bytes[2] = (uint8_t)e->qp;
  w->bytes[3] = (uint8_t)(e->qp >> 8);
  little(w->bytes + 4, e->word, 4);
  little(w->bytes + 8, e->len, 4);
  little(w->bytes + 12, e->more, 4);
  little(w->bytes + 16, e->addr, 8);
  w->bytes[31] = !(r->prod >> r->size & 1);
}

// RetEvent: what should it say?
static void decided(bench *b, const uint32_t *ret) {
  tb *t = &b->t;
#define RET(f) bits_get(ret, NIC_RETIRE_T_##f##_LSB, NIC_RETIRE_T_##f##_W)
  CHECK_EQ(t, RET(KIND), NIC_E_RetEvent, "kind of record");
  unsigned p = (unsigned)RET(IDX);
  CHECK(t, p < P_NumProcs, "process %u", p);
  if (p >= P_NumProcs) return;
  ring *r = &b->r[p];
  CHECK_EQ(t, RET(A), r->prod, "index");
  if (RET(CODE) == 0) {
    CHECK(t, !RET(FLAG) && !RET(B), "an MSI has neither a flag nor a QP");
    CHECK(t, r->en && r->armed && r->msia && r->prod != r->cons, "an MSI without reason");
    r->armed = false;
    write *w = &b->w[b->w_in++ % LATER];
    *w = (write){.proc = p, .n = 4, .va = r->msia};
    little(w->bytes, r->msid, 4);
    b->msis++;
    return;
  }
  const event *e = &b->now;
  CHECK(t, b->busy, "an event that nobody sent");
  CHECK_EQ(t, p, e->proc, "process");
  CHECK_EQ(t, RET(CODE), e->kind, "type");
  CHECK_EQ(t, RET(B), e->kind == NIC_K_EvTaskDone ? e->word & 255 : e->qp, "QP, or log");
  bool drop = !r->en || (e->kept ? (uint32_t)(r->prod - r->cons) >= 1ull << r->size : left(r) <= 0);
  CHECK_EQ(t, RET(FLAG), drop, "dropped (%u written, %u consumed, %u reserved)", r->prod, r->cons, r->resv);
  b->busy = false;
  if (e->kept && !drop) r->resv--;
  r->freed = e->kept && drop;
  if (!drop) expect_event(b, r, e), r->prod++, b->wrote++;
  if (drop) r->lost = true, b->dropped++;
}

static void writes(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t job[JOB_O_WORDS], pay[PAY_O_WORDS];
  CHECK_EQ(t, dut_get_job_valid_o(d), b->w_job < b->w_in,
           "P5: a job from the cycle after its record until it is taken");
  if (dut_get_job_valid_o(d)) {
    const write *w = &b->w[b->w_job % LATER];
    dut_get_job_o(d, job);
#define JOB(f) bits_get(job, NIC_DMA_T_##f##_LSB, NIC_DMA_T_##f##_W)
    CHECK_EQ(t, JOB(RID), (b->rid + w->proc) & 0xffff, "requester id");
    CHECK_EQ(t, JOB(SRC), NIC_K_SrcEvent, "source");
    CHECK_EQ(t, JOB(VA), w->va, "address");
    CHECK_EQ(t, JOB(LEN), w->n, "length");
    b->w_job += dut_get_job_ready_i(d) != 0;
  }
  CHECK_EQ(t, dut_get_pay_valid_o(d), b->w_pay < b->w_in, "P5: bytes from the cycle after their record until taken");
  if (dut_get_pay_valid_o(d)) {
    const write *w = &b->w[b->w_pay % LATER];
    dut_get_pay_o(d, pay);
    unsigned beat = NIC_BYTES_T_DATA_W / 8, n = w->n - b->at < beat ? w->n - b->at : beat;
    CHECK_EQ(t, bits_get(pay, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W), n, "bytes of a beat");
    CHECK_EQ(t, bits_get(pay, NIC_BYTES_T_LAST_LSB, 1), b->at + n == w->n, "last beat");
    for (unsigned i = 0; i < n; i++)
      CHECK_EQ(t, bits_get(pay, NIC_BYTES_T_DATA_LSB + 8 * i, 8), w->bytes[b->at + i], "byte %u of the write",
               b->at + i);
    if (dut_get_pay_ready_i(d)) b->at += n;
    if (b->at == w->n) b->at = 0, b->w_pay++;
  }
}

static void reg_write(bench *b, unsigned p, unsigned word, uint64_t v) {
  ring *r = &b->r[p];
  if (word == BASE && !r->en) r->base = v & ~63ull;
  if (word == MSIA) r->msia = v & ~3ull;
  if (word == MSID) r->msid = (uint32_t)v;
  if (word == STS) r->lost &= !(v >> 32 & 1), r->bad &= !(v >> 33 & 1);
  if (word == CTL) {
    if (!r->en) r->size = v & 31;
    if (!r->en && v >> 63) r->prod = r->cons = 0, r->armed = false, r->unseen = UINT32_MAX;
    r->en = v >> 63;
  }
  if (word == CONS && b->strb & 15) {
    bool ok = (uint32_t)v - r->cons <= r->prod - r->cons;
    if (ok) r->unseen = (uint32_t)v - r->cons, r->cons = (uint32_t)v, r->armed = true;
    if (!ok) r->bad = true;
  }
}

static uint64_t reg_read(const bench *b, unsigned p, unsigned word) {
  const ring *r = &b->r[p];
  switch (word) {
    case BASE: return r->base;
    case CTL: return (uint64_t)r->en << 63 | r->size;
    case CONS: return r->cons;
    case STS: return r->prod | (uint64_t)r->lost << 32 | (uint64_t)r->bad << 33;
    case MSIA: return r->msia;
    case MSID: return r->msid;
    default: return 0;
  }
}

// The ring and the word that an address is of; P_NumProcs: of none.
static unsigned ring_at(uint64_t addr) {
  const uint64_t at = (addr - NIC_REG_EQ_BASE) / 128;
  return at < P_NumProcs ? (unsigned)at : P_NumProcs;
}
static unsigned word_at(uint64_t addr) { return (unsigned)(addr / 8 % 16); }

// What a write of some bytes makes of a word; of EQ_STS, which has no bits to keep, the bytes written.
static uint64_t written(const bench *b, unsigned p, unsigned word, uint64_t data) {
  uint64_t v = word == STS ? 0 : reg_read(b, p, word);
  for (unsigned k = 0; k < 8; k++)
    if (b->strb >> k & 1) v = (v & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return v;
}

#endif
