// SPDX-License-Identifier: Apache-2.0
// nic_event against rings in C: a ring's life step by step (places, laps, a full ring, MSI, a bad consumer), then
// random events of all sources, places taken and given back, consumers right and wrong, rings turned off and on, a slow
// nic_wr. What is read is on the bus in the cycle before, what is written in the two before.
// Rules of rtl/nic/README.md: EVT-1, EVT-2, EVT-3, EVT-4, EVT-5, QPR-1.
// config: default -GNumProcs=4 -GSources=4
// config: one -GNumProcs=1 -GSources=1
// config: narrow -GNumProcs=3 -GSources=2 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=16 -GSources=4 +define+TOCSIN_DATA_W=512
// netlist: narrow
#include <string.h>
#include "tb.h"
#include "nic_event_tb.h"
#include "reg_bus.h"

enum { BASE, CTL, CONS, STS, MSIA, MSID, RID = 0x4200 };
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
  unsigned reserve;          // per cent; 100: all of ring 0
  unsigned was_p, was_word;  // on the bus in the cycle before
  unsigned moved;            // a register of this ring was written in the cycle before; 0: of none, else ring + 1
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
  if (dut_get_job_valid_o(d)) {
    const write *w = &b->w[b->w_job % LATER];
    dut_get_job_o(d, job);
    CHECK(t, b->w_job < b->w_in, "a job for nothing");
#define JOB(f) bits_get(job, NIC_DMA_T_##f##_LSB, NIC_DMA_T_##f##_W)
    CHECK_EQ(t, JOB(RID), RID + w->proc, "requester id");
    CHECK_EQ(t, JOB(SRC), NIC_K_SrcEvent, "source");
    CHECK_EQ(t, JOB(VA), w->va, "address");
    CHECK_EQ(t, JOB(LEN), w->n, "length");
    b->w_job += dut_get_job_ready_i(d) != 0;
  }
  if (dut_get_pay_valid_o(d)) {
    const write *w = &b->w[b->w_pay % LATER];
    dut_get_pay_o(d, pay);
    CHECK(t, b->w_pay < b->w_in, "bytes for nothing");
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
  if (word == CONS) {
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

// What a write of some bytes makes of a word; of EQ_STS, which has no bits to keep, the bytes written.
static uint64_t written(const bench *b, unsigned p, unsigned word, uint64_t data) {
  uint64_t v = word == STS ? 0 : reg_read(b, p, word);
  for (unsigned k = 0; k < 8; k++)
    if (b->strb >> k & 1) v = (v & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return v;
}

static void set_event(uint32_t *v, unsigned s, const event *e) {
  unsigned at = s * NIC_EVENT_T_W;
#define EV(f, x) bits_set(v, at + NIC_EVENT_T_##f##_LSB, NIC_EVENT_T_##f##_W, x)
  EV(PROC, e->proc);
  EV(KEPT, e->kept);
  EV(KIND, e->kind);
  EV(BYTES, e->more);
  EV(STATUS, e->status);
  EV(QP, e->qp);
  EV(WORD, e->word);
  EV(LEN, e->len);
  EV(ADDR, e->addr);
}

// One cycle: a register write if `we`, a read of what was on the bus in the cycle before, random places, the events on
// offer, a nic_wr as slow as b->slow says.
static void one_cycle(bench *b, unsigned p, unsigned word, bool we, uint64_t data) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t v[EV_I_WORDS] = {0}, valid = 0;
  for (unsigned s = 0; s < P_Sources; s++) {
    valid |= (uint32_t)b->offered[s] << s;
    set_event(v, s, &b->offer[s]);
  }
  dut_set_rb_i(d, reg_bus_of(0x8000 + 128 * p + 8 * word, we, data, b->strb).words);
  const uint64_t value = p < P_NumProcs ? written(b, p, word, data) : 0;
  dut_set_cfg_rid_i(d, RID);
  dut_set_ev_valid_i(d, valid);
  dut_set_ev_i(d, v);
  unsigned ask = 0, back = 0, proc[3], bproc[3], num[3];
  for (unsigned k = 0; k < 3; k++) {
    proc[k] = b->reserve < 100 ? (unsigned)rnd_below(t, rnd_chance(t, 95) ? P_NumProcs : 16) : 0;
    bproc[k] = (unsigned)rnd_below(t, P_NumProcs);
    ask |= (unsigned)rnd_chance(t, b->reserve) << k;
    num[k] = b->r[bproc[k]].held ? 1 + (unsigned)rnd_below(t, b->r[bproc[k]].held < 5 ? b->r[bproc[k]].held : 5) : 0;
    if (num[k] && b->reserve && b->reserve < 100 && rnd_chance(t, 4)) back |= 1u << k, b->r[bproc[k]].held -= num[k];
  }
  dut_set_rsv_proc_i(d, proc[0] | proc[1] << 4 | proc[2] << 8);
  bool room = b->w_job == b->w_in && b->w_pay == b->w_in;  // for another write
  dut_eval(d);
  if (dut_get_rsv_wait_o(d)) ask &= ~1u;  // of the state and the process alone
  dut_set_rsv_valid_i(d, ask);
  dut_set_back_valid_i(d, back);
  dut_set_back_proc_i(d, bproc[0] | bproc[1] << 4 | bproc[2] << 8);
  dut_set_back_num_i(d, num[0] | num[1] << 6 | num[2] << 12);
  dut_set_job_ready_i(d, !rnd_chance(t, b->job_slow));
  dut_set_pay_ready_i(d, !rnd_chance(t, b->slow));
  dut_eval(d);

  const unsigned rp = b->was_p, rword = b->was_word;
  CHECK_EQ(t, dut_get_rb_rdata_o(d), rp < P_NumProcs ? reg_read(b, rp, rword) : 0, "register %u of process %u", rword,
           rp);
  b->was_p = p, b->was_word = word;
  unsigned ok = (unsigned)dut_get_rsv_ok_o(d), got[16] = {0};
  for (unsigned i = 0; i < 3; i++) {
    unsigned k = (i + 2) % 3;  // tasks first
    ring *r = &b->r[proc[k]];
    if (!(ask >> k & 1)) continue;
    // An event without a place, which could be written.
    bool first = room && b->busy && b->now.kind && !b->now.kept && b->now.proc == proc[k];
    bool want = r->en && left(r) - r->unseen > got[proc[k]] && !(first && k == 1);
    CHECK_EQ(t, ok >> k & 1, want, "place for %u in ring %u (%d left)", k, proc[k], (int)left(r));
    got[proc[k]] += want, b->full += !want;
  }
  for (unsigned q = 0; q < 16; q++) b->r[q].resv += got[q], b->r[q].held += got[q];
  writes(b);
  uint32_t ret[RET_O_WORDS];
  dut_get_ret_o(d, ret);
  if (dut_get_ret_valid_o(d)) decided(b, ret);
  CHECK(t, !we || p >= P_NumProcs || !dut_get_ret_valid_o(d), "P6: a record in the cycle of a write");
  // A place given back by an event of kind 0 is free two cycles later, as any other.
  // Not in the cycle of a write, nor in the next one if it is of its ring.
  if (room && b->busy && !b->now.kind && !(we && p < P_NumProcs) && b->moved != b->now.proc + 1)
    b->r[b->now.proc].freed = true, b->busy = false, b->gave++;
  bool stays = word == CTL && p < P_NumProcs && b->r[p].en && value >> 63;
  b->moved = we && (word == CONS || word == CTL) && !stays ? p + 1 : 0;
  unsigned ready = (unsigned)dut_get_ev_ready_o(d);
  CHECK(t, !(ready & ~valid) && !(ready & (ready - 1)), "ready %x for %x", ready, valid);
  for (unsigned s = 0; s < P_Sources; s++) {
    if (!(ready >> s & 1)) continue;
    CHECK(t, !b->busy, "two events at once");
    b->now = b->offer[s], b->busy = true, b->offered[s] = false;
  }
  for (unsigned q = 0; q < 16; q++) b->r[q].resv -= b->r[q].away, b->r[q].away = b->r[q].unseen = 0;
  for (unsigned k = 0; k < 3; k++)
    if (back >> k & 1) b->r[bproc[k]].away += num[k];
  for (unsigned q = 0; q < 16; q++) b->r[q].away += b->r[q].freed, b->r[q].freed = false;
  if (we && p < P_NumProcs) reg_write(b, p, word, value);
  dut_tick(d);
}

// What is written is on the bus in the two cycles before, which are no writes.
static void cycle(bench *b, unsigned p, unsigned word, bool we, uint64_t data) {
  for (unsigned n = 0; we && n < 2; n++) one_cycle(b, p, word, false, data);
  one_cycle(b, p, word, we, data);
}

static void put(bench *b, unsigned word, uint64_t v) { cycle(b, 0, word, true, v); }
static void wait(bench *b, unsigned n) {
  while (n--) cycle(b, 0, STS, false, 0);
}
static void send(bench *b, bool kept, uint32_t word) {
  b->offer[0] = (event){
      .kind = kept ? 2 : 4, .status = 0x61, .qp = 0xa57, .word = word, .len = ~word, .addr = 0x123456, .kept = kept};
  b->offered[0] = true;
  wait(b, 8);
  CHECK(&b->t, !b->offered[0] && !b->busy, "an event that nobody took");
}

static void life(bench *b) {
  tb *t = &b->t;
  ring *r = &b->r[0];
  send(b, false, 0);
  CHECK(t, r->lost, "a ring that is off");
  put(b, STS, 3ull << 32);
  put(b, BASE, 0x1000002F);
  put(b, CTL, 1ull << 63 | 2);
  put(b, BASE, 0x5000);
  put(b, CTL, 1ull << 63 | 9);
  CHECK_EQ(t, r->base, 0x10000000, "place of a ring that is on");
  put(b, MSIA, 0xfee00000);
  put(b, MSID, 0x41);
  for (unsigned i = 0; i < 4; i++) send(b, false, i);
  CHECK_EQ(t, r->prod, 4, "four events in a ring of four");
  send(b, false, 4);
  CHECK(t, r->lost && b->msis == 0, "the fifth is lost; nobody armed");
  put(b, CONS, 2);
  wait(b, 8);
  CHECK_EQ(t, b->msis, 1, "armed with events that nobody has consumed");
  put(b, CONS, 5);
  CHECK(t, r->bad && r->cons == 2, "a consumer beyond the producer");
  put(b, CONS, 1);
  CHECK(t, r->cons == 2, "a consumer that goes back");
  send(b, false, 5);
  CHECK(t, b->msis == 1, "one MSI an arming");
  put(b, CONS, 5);
  wait(b, 8);
  CHECK(t, b->msis == 1, "armed, and all consumed");
  send(b, false, 6);
  CHECK_EQ(t, b->msis, 2, "the next event rings");
  b->reserve = 100;
  wait(b, 2);
  b->reserve = 0;
  CHECK_EQ(t, left(r), 0, "all places reserved");
  send(b, false, 7);
  CHECK_EQ(t, r->prod, 6, "nobody takes a reserved place");
  uint32_t places = r->held;
  b->reserve = 100;
  for (unsigned i = 0; i < places; i++) r->held--, send(b, true, 8 + i);
  b->reserve = 0;
  CHECK_EQ(t, r->prod, 6 + places, "those who reserved find theirs, however many ask in vain");
  put(b, CTL, 0);
  put(b, CTL, 1ull << 63);
  send(b, false, 9);
  CHECK_EQ(t, r->prod, 1, "begun anew, a ring of one");
}

// Ring 0 begins anew with fewer places than are reserved: one that has its place finds the ring full.
static void fewer_places(bench *b) {
  tb *t = &b->t;
  put(b, CTL, 0);
  put(b, CTL, 1ull << 63 | 3);
  b->reserve = 100;
  wait(b, 12);
  b->reserve = 0;
  CHECK_EQ(t, b->r[0].held, 8, "places reserved");
  put(b, CTL, 0);
  put(b, CTL, 1ull << 63 | 1);
  for (unsigned i = 0; i < 8; i++) b->r[0].held--, send(b, true, i);
  CHECK_EQ(t, b->r[0].prod, 2, "events in a ring of two");
}

// One after the other from the last source, each judged as soon as the one before is written; all around a ring of 256,
// which is then consumed at once.
static void around(bench *b) {
  tb *t = &b->t;
  const unsigned last = P_Sources - 1, beats = NIC_BYTES_T_DATA_W < 256 ? 256 / NIC_BYTES_T_DATA_W : 1;
  put(b, CTL, 0);
  put(b, CTL, 1ull << 63 | 8);
  uint64_t from = dut_cycle(b->d);
  for (unsigned i = 0; i < 256; i++) {
    b->offer[last] = (event){.kind = 5, .word = i, .addr = rnd(t)};
    b->offered[last] = true;
    for (unsigned k = 0; k < 20 && b->offered[last]; k++) wait(b, 1);
  }
  CHECK(t, dut_cycle(b->d) - from <= 256 * (1 + beats) + 8, "%u cycles for 256 events of %u beats",
        (unsigned)(dut_cycle(b->d) - from), beats);
  wait(b, 8);
  CHECK_EQ(t, b->r[0].prod, 256, "a full ring");
  send(b, false, 1);
  CHECK_EQ(t, b->r[0].prod, 256, "which takes no more");
  put(b, CONS, 256);
  send(b, false, 2);
  CHECK_EQ(t, b->r[0].prod, 257, "consumed, it does");
}

// An event whose job nic_wr has taken and whose bytes it takes later holds up no other, though nic_wr takes no more
// jobs.
static void bytes_late(bench *b) {
  put(b, CTL, 0);
  put(b, CTL, 1ull << 63 | 8);
  b->slow = 100;
  send(b, false, 1);
  b->job_slow = 100, b->slow = 0;
  wait(b, 4);
  send(b, false, 2);
  b->job_slow = 0;
  wait(b, 8);
}

// When nothing new comes all that waits gets its turn: events, their writes, and the MSIs of all rings that ring.
static void quiet(bench *b) {
  tb *t = &b->t;
  const unsigned reserve = b->reserve;
  b->reserve = b->slow = b->job_slow = 0;
  wait(b, 40 + 10 * P_NumProcs);
  for (unsigned s = 0; s < P_Sources; s++) CHECK(t, !b->offered[s], "P1: an event of source %u waits", s);
  CHECK(t, b->w_job == b->w_in && b->w_pay == b->w_in && !b->busy, "%u writes decided, %u jobs, %u items", b->w_in,
        b->w_job, b->w_pay);
  for (unsigned p = 0; p < P_NumProcs; p++) {
    const ring *r = &b->r[p];
    CHECK(t, !(r->en && r->armed && r->msia && r->prod != r->cons), "P4: ring %u waits for its MSI", p);
  }
  b->reserve = reserve;
}

static void random_cycle(bench *b) {
  tb *t = &b->t;
  for (unsigned s = 0; s < P_Sources; s++) {
    unsigned p = (unsigned)rnd_below(t, rnd_chance(t, 90) ? P_NumProcs : 16);
    if (b->offered[s] || !rnd_chance(t, 15)) continue;
    event e = {.proc = p,
               .kind = 1 + (unsigned)rnd_below(t, 8),
               .status = (unsigned)rnd_bits(t, 8),
               .qp = (unsigned)rnd_bits(t, 12)};
    e.word = (uint32_t)rnd(t), e.len = (uint32_t)rnd(t), e.more = (uint32_t)rnd(t), e.addr = rnd(t);
    e.kept = b->r[p].held && rnd_chance(t, 60);
    if (p >= P_NumProcs) continue;
    if (e.kept) b->r[p].held--, e.kind *= !rnd_chance(t, 20);
    b->offer[s] = e, b->offered[s] = true;
  }
  unsigned p = (unsigned)rnd_below(t, P_NumProcs), word = (unsigned)rnd_below(t, 7);
  ring *r = &b->r[p];
  uint64_t data = rnd(t);
  bool we = rnd_chance(t, 25);
  if (word == CONS && rnd_chance(t, 80)) data = r->cons + rnd_below(t, (uint64_t)(r->prod - r->cons) + 1);
  if (word == CTL)
    we = rnd_chance(t, r->en ? 2 : 20), data = (uint64_t)!r->en << 63 | rnd_below(t, rnd_chance(t, 70) ? 4 : 32);
  if (word == MSIA && rnd_chance(t, 30)) data = 0;
  b->strb = rnd_chance(t, 60) ? 255 : 1 + (unsigned)rnd_below(t, 255);
  cycle(b, p, word, we, data);
  b->strb = 255;
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  b.was_p = 16;
  tb_init(t, argc, argv, "nic_event", 60000);
  b.d = dut_begin(t);
  b.strb = 255;
  dut_reset(b.d, 2);
  for (unsigned p = 0; p < 16; p++)
    for (unsigned w = 0; w < 6; w++) cycle(&b, p, w, false, 0);
  life(&b);
  fewer_places(&b);
  around(&b);
  bytes_late(&b);
  b.reserve = 5;
  for (uint64_t c = 0; c < t->cycles; c++) {
    if (c % 1000 == 999) quiet(&b);
    if (c % 500 == 0) b.slow = b.job_slow = (unsigned)rnd_below(t, 80);
    random_cycle(&b);
  }
  quiet(&b);
  CHECK(t, b.wrote > 500 && b.dropped > 200 && b.msis > 200 && b.full > 200 && b.gave > 20, "too little: %u %u %u %u",
        b.wrote, b.dropped, b.msis, b.full);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
