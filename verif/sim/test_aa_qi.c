// SPDX-License-Identifier: Apache-2.0
// aa_qi with a queue in the memory of the test: good and bad descriptors, a tail that moves anywhere, the queue
// switched off in the middle of anything, read errors, drains and answers after any time, events with their mask. First
// the queue as a stock driver uses it: one invalidation and one wait at a time, all the way round.
// Rules of rtl/aa/README.md: INV-2, INV-3, INV-4, INV-6, INV-7, INV-8, ERR-6.
// netlist: default
#include "tb.h"
#include "aa_qi_tb.h"
#include "reg_bus.h"

enum { SLOTS = 1 << 15, RET_WORDS = NOTE_O_WORDS, NOTE_INV_DONE = 4, NOTE_WAIT = 5 };

typedef struct ref {
  bool qie, iqe, iwc, im, ip, waiting, stale;
  unsigned head, tail, qs;
  uint64_t iqa, addr;
  uint32_t data;
  uint64_t wait[2];
  bool drained, sent, answered, failed;  // of the wait
} ref;

static uint64_t queue[SLOTS][2];

static unsigned size(const ref *r) { return 256u << r->qs; }

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb, uint64_t mask) {
  for (unsigned k = 0; k < 8; k++)
    if (strb >> k & 1) old = (old & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return old & mask;
}

static uint64_t reg(const ref *r, unsigned a) {
  switch (a) {
    case 0x80: return r->head * 16;
    case 0x88: return r->tail * 16;
    case 0x90: return r->iqa | r->qs;
    case 0x98: return (uint64_t)r->iwc << 32;
    case 0xa0: return (uint64_t)r->data << 32 | (uint64_t)r->im << 31 | (uint64_t)r->ip << 30;
    case 0xa8: return r->addr;
    default: return 0;
  }
}

static void write(ref *r, unsigned a, uint64_t d, unsigned s) {
  switch (a) {
    case 0x88: r->tail = (unsigned)(merge(r->tail * 16, d, s, 0x7fff0) / 16); return;
    case 0x90:
      if (r->qie) return;
      if (s & 1) r->qs = d & 7;
      r->iqa = merge(r->iqa, d, s, ~0xfffull);
      return;
    case 0x98:
      if (s & 16 && d >> 32 & 1) r->iwc = r->ip = false;
      return;
    case 0xa0:
      r->data = (uint32_t)(merge((uint64_t)r->data << 32, d, s, ~0ull) >> 32);
      if (s & 8) r->im = d >> 31 & 1;
      return;
    case 0xa8: r->addr = merge(r->addr, d, s, ~3ull); return;
    default: return;
  }
}

// 0 bad, 1 invalidation, 2 wait
static unsigned kind(uint64_t lo, uint64_t hi) {
  switch (lo & 15) {
    case 1: return !(lo & 0xfffc00000000ffc0ull) && !hi && (lo & 0x30);
    case 2: return !(lo & 0xffffffff0000ff00ull) && !(hi & 0xf80) && (lo & 0x30);
    case 5: return !(lo & 0xffffff80u) && !(hi & 3) && (lo & 0x30) ? 2 : 0;
    default: return 0;
  }
}

static void make_descriptor(tb *t, uint64_t *q, unsigned bad_percent) {
  uint64_t gran = rnd_chance(t, bad_percent / 2) ? 0 : 1 + rnd_below(t, 3);
  switch (rnd_below(t, 3)) {
    case 0:
      q[0] = 1 | gran << 4 | rnd_bits(t, 34) << 16;
      q[1] = 0;
      break;
    case 1:
      q[0] = 2 | gran << 4 | rnd_bits(t, 2) << 6 | rnd_bits(t, 16) << 16;
      q[1] = rnd(t) & ~0xf80ull;
      break;
    default:
      q[0] = 5 | (1 + rnd_below(t, 3)) << 4 | rnd_bits(t, 1) << 6 | rnd_bits(t, 32) << 32;
      q[1] = rnd(t) & ~3ull;
      break;
  }
  if (rnd_chance(t, bad_percent)) {
    unsigned bit = (unsigned)rnd_below(t, 128);
    q[bit / 64] ^= 1ull << bit % 64;
  }
}

typedef struct bench {
  ref r;
  bool fetching, ev_sent, ev_out, acting;
  bool held;    // aa_inval waits, and has no hold
  bool unread;  // the descriptor under way could not be read
  unsigned latency;
  uint64_t addr, asked, ev_addr, pend_addr;
  uint32_t ev_data;
  unsigned invals, waits, stops, events, errors, failures;
  unsigned prev_a;             // on the bus a cycle before
  bool could_fetch, ar_waits;  // of the cycle before
} bench;

// What one cycle does: a write to address `a`, or a switch of QIES (set_qie), or nothing; and what comes from outside.
typedef struct {
  bool we, hostile;
  unsigned a, strb;
  uint64_t data;
  int set_qie;
  bool drained, back, err, done, fail, q_valid, q_done, due, beyond, iqe_wait;
} now;

// Who keeps writes away (P6, P7): an event that is not out, and, from IQT alone, an invalidation that is handed over
// and does not wait for the last one.
static void check_wr_wait(tb *t, dut *d, const bench *b, const now *n) {
  uint32_t w[RET_WORDS];
  dut_get_note_o(d, w);
  bool event = b->ev_sent || (dut_get_note_valid_o(d) && bits_get(w, AA_RETIRE_T_CODE_LSB, 4) == NOTE_INV_DONE);
  bool iqt = b->prev_a == 0x88;
  if (event || (n->q_valid && iqt && !b->held)) CHECK(t, dut_get_wr_wait_o(d), "a write may come in between");
  if (!event && (!iqt || b->held)) CHECK(t, !dut_get_wr_wait_o(d), "writes of 0x%x wait for nothing", b->prev_a);
}

static void drive(tb *t, dut *d, bench *b, now *n) {
  ref *r = &b->r;
  dut_set_rb_i(d, reg_bus_of(n->a, false, n->data, n->strb).words);
  dut_set_qie_i(d, r->qie);
  dut_set_iqe_i(d, r->iqe);
  n->drained = rnd_chance(t, n->hostile ? 20 : 70);
  dut_set_drained_i(d, n->drained);
  dut_set_ar_ready_i(d, rnd_chance(t, 50));
  dut_set_q_done_i(d, 0);
  dut_set_q_rec_ready_i(d, rnd_chance(t, 60));
  dut_set_note_ready_i(d, rnd_chance(t, 50));
  dut_set_msg_ready_i(d, rnd_chance(t, 50));
  dut_set_msg_done_i(d, 0);
  n->back = b->fetching && b->latency == 0;
  n->err = n->back && n->hostile && rnd_chance(t, 5);
  if (!b->acting && rnd_chance(t, b->held ? 20 : 5)) b->held = !b->held;
  dut_set_inv_wait_i(d, b->held);
  uint32_t desc[4];
  unsigned at = (unsigned)((b->addr - (r->iqa & 0xffffffffffffull)) >> 4) & (SLOTS - 1);
  uint64_t lo = queue[at][0], hi = queue[at][1];
  bits_set(desc, 0, 64, lo);
  bits_set(desc, 64, 64, hi);
  dut_set_r_valid_i(d, n->back);
  dut_set_r_err_i(d, n->err);
  dut_set_r_data_i(d, desc);
  dut_eval(d);
}

static void drive_late(tb *t, dut *d, bench *b, now *n) {
  const ref *r = &b->r;
  n->done = (r->sent && !r->answered && rnd_chance(t, 30)) || (b->ev_out && rnd_chance(t, 30));
  dut_set_msg_done_i(d, n->done);
  n->fail = rnd_chance(t, n->hostile ? 10 : 0);
  dut_set_msg_fail_i(d, n->fail);
  n->q_valid = dut_get_q_valid_o(d);
  check_wr_wait(t, d, b, n);
  b->acting = n->q_valid && (b->acting || (!b->held && rnd_chance(t, 30)));  // the hold is granted
  n->q_done = b->acting && rnd_chance(t, 30);
  dut_set_q_done_i(d, n->q_done);
  n->we = n->we && !dut_get_wr_wait_o(d);
  dut_set_rb_i(d, reg_bus_of(n->a, n->we, n->data, n->strb).words);
  dut_eval(d);
}

static void fetches(tb *t, dut *d, bench *b, const now *n) {
  const ref *r = &b->r;
  if (dut_get_ar_valid_o(d) && !b->ar_waits) CHECK(t, b->could_fetch, "a fetch that was not due");
  if (b->ar_waits) {
    CHECK(t, dut_get_ar_valid_o(d), "a fetch that waits is taken back");
    CHECK_EQ(t, dut_get_ar_addr_o(d), b->asked, "a fetch that waits");
  }
  b->asked = dut_get_ar_addr_o(d);
  b->ar_waits = dut_get_ar_valid_o(d) && !dut_get_ar_ready_i(d);
  b->could_fetch = n->due && !r->waiting && !n->beyond;
  if (dut_get_ar_valid_o(d) && dut_get_ar_ready_i(d)) {
    CHECK(t, !b->fetching, "two fetches");
    b->fetching = true;
    b->latency = (unsigned)rnd_below(t, n->hostile ? 20 : 4) + 1;
    b->addr = dut_get_ar_addr_o(d);
    if (r->qie && !r->stale) CHECK_EQ(t, b->addr, (r->iqa + r->head * 16) & 0xffffffffffffull, "fetch address");
  } else if (n->back) {
    b->fetching = false;
    b->unread = n->err;
    b->errors += n->err;
  } else if (b->fetching) {
    b->latency--;
  }
}

static void wait_ends(tb *t, dut *d, bench *b, now *n, uint64_t told, bool flag) {
  ref *r = &b->r;
  CHECK(t, r->waiting && r->drained, "wait completes early");
  CHECK(t, r->answered || !(r->wait[0] & 32), "wait completes before its status write");
  CHECK_EQ(t, told, r->wait[0] & 32 ? r->wait[0] >> 32 : 0, "record a");
  bool failed = r->answered && r->failed;
  CHECK_EQ(t, flag, failed, "record flag: the status write failed");
  CHECK_EQ(t, dut_get_iqe_set_o(d), failed && !r->stale, "IQE of a failed status write");
  if (failed && !r->stale) n->iqe_wait = r->iqe = true;
  if (!failed && !r->stale) r->head = (r->head + 1) % size(r);
  b->failures += failed;
  const bool iwc_set = !failed && r->wait[0] & 16;
  if (iwc_set && !r->iwc) r->ip = true;
  r->iwc = r->iwc || iwc_set;
  r->waiting = false;
  b->waits++;
}

static void messages(tb *t, dut *d, bench *b, const now *n) {
  ref *r = &b->r;
  if (dut_get_msg_valid_o(d) && dut_get_msg_ready_i(d)) {
    CHECK_EQ(t, dut_get_msg_bytes_o(d), 4, "message size");
    if (b->ev_sent) {
      CHECK_EQ(t, dut_get_msg_addr_o(d), b->ev_addr, "event address");
      CHECK_EQ(t, dut_get_msg_data_o(d), b->ev_data, "event data");
      b->ev_sent = false;
      b->ev_out = true;
    } else {
      CHECK(t, r->waiting && (r->wait[0] & 32) && r->drained && !r->sent, "status write that nobody asked for");
      CHECK_EQ(t, dut_get_msg_addr_o(d), r->wait[1], "status address");
      CHECK_EQ(t, dut_get_msg_data_o(d), r->wait[0] >> 32, "status data");
      r->sent = true;
    }
  } else if (n->done) {
    if (b->ev_out)
      b->ev_out = false;
    else
      r->answered = true, r->failed = n->fail;
  }
}

// Notify (6).
static void notify(tb *t, dut *d, bench *b, now *n) {
  ref *r = &b->r;
  if (dut_get_note_valid_o(d) && dut_get_note_ready_i(d)) {
    uint32_t w[RET_WORDS];
    dut_get_note_o(d, w);
    unsigned code = (unsigned)bits_get(w, 148, 4);
    CHECK_EQ(t, bits_get(w, 153, 4), 9, "record kind");
    CHECK_EQ(t, bits_get(w, 128, 20), 0, "record lane, slot, idx");
    CHECK_EQ(t, bits_get(w, 0, 64), 0, "record b");
    if (code == NOTE_WAIT) {
      wait_ends(t, d, b, n, bits_get(w, 64, 64), bits_get(w, 152, 1));
    } else {
      CHECK_EQ(t, code, NOTE_INV_DONE, "record code");
      CHECK_EQ(t, bits_get(w, 152, 1), 0, "record flag");
      CHECK(t, r->ip && !r->im && !b->ev_sent, "event without a reason");
      CHECK_EQ(t, bits_get(w, 64, 64), r->data, "record a");
      r->ip = false;
      b->ev_sent = true;
      b->ev_addr = r->addr;
      b->ev_data = r->data;
      b->events++;
    }
  } else {
    messages(t, d, b, n);
  }
  if (r->waiting && n->drained) r->drained = true;
}

// Inval (7): legal in the state of now.
static void head_of_queue(tb *t, dut *d, const bench *b, const now *n) {
  const ref *r = &b->r;
  if (n->q_valid || dut_get_q_rec_valid_o(d)) {
    uint64_t *now = queue[r->head];
    CHECK(t, n->due, "the queue's head is not due");
    if (n->q_valid || !dut_get_q_rec_flag_o(d)) {
      CHECK_EQ(t, kind(now[0], now[1]), n->q_valid ? 1 : 2, "kind of 0x%" PRIx64 " 0x%" PRIx64, now[0], now[1]);
      CHECK(t, !n->beyond, "tail beyond the queue");
      CHECK_EQ(t, dut_get_q_a_o(d), now[0], "low half");
      CHECK_EQ(t, dut_get_q_b_o(d), now[1], "high half");
    } else {
      bool zero = !dut_get_q_a_o(d) && !dut_get_q_b_o(d);
      CHECK(t,
            n->beyond || b->unread ? zero
                                   : !kind(now[0], now[1]) && dut_get_q_a_o(d) == now[0] && dut_get_q_b_o(d) == now[1],
            "stopped without a reason");
    }
  }
}

static void inval(tb *t, dut *d, bench *b, const now *n) {
  ref *r = &b->r;
  const bool iqe = dut_get_iqe_set_o(d);
  if (n->q_done) {
    r->head = (r->head + 1) % size(r);
    b->invals++;
    b->acting = b->unread = false;
  }
  if (dut_get_q_rec_valid_o(d) && dut_get_q_rec_ready_i(d)) {
    CHECK_EQ(t, iqe, dut_get_q_rec_flag_o(d), "IQE");
    b->unread = false;
    if (dut_get_q_rec_flag_o(d)) {
      r->iqe = true;
      b->stops++;
    } else {
      r->waiting = true;
      r->stale = r->drained = r->sent = r->answered = false;
      r->wait[0] = queue[r->head][0];
      r->wait[1] = queue[r->head][1];
    }
  } else {
    CHECK(t, iqe == n->iqe_wait, "IQE without a record");
  }
}

static void step(tb *t, dut *d, bench *b, bool we, unsigned a, uint64_t data, unsigned strb, int set_qie,
                 bool hostile) {
  ref *r = &b->r;
  now of_now = {.we = we, .hostile = hostile, .a = a, .strb = strb, .data = data, .set_qie = set_qie}, *n = &of_now;
  if (we) step(t, d, b, false, a, data, strb, -1, hostile);  // the address is there a cycle before
  drive(t, d, b, n);
  drive_late(t, d, b, n);
  CHECK_EQ(t, dut_get_rb_rdata_o(d), reg(r, a), "register 0x%x", a);
  n->due = r->qie && !r->iqe && r->head != r->tail && !(r->waiting && !r->stale);
  n->beyond = r->tail >= size(r);
  fetches(t, d, b, n);
  notify(t, d, b, n);
  head_of_queue(t, d, b, n);
  inval(t, d, b, n);
  // RegWrite (8)
  if (n->we) write(r, a, data, strb);
  if (set_qie >= 0 && !b->acting) {
    if (r->qie && !set_qie) {
      r->head = 0;
      r->stale = true;
    }
    r->qie = set_qie;
  }
  b->prev_a = a;
  dut_tick(d);
}

// As a stock driver does it: 256 slots, all the way round twice.
static void stock(tb *t, dut *d, bench *b) {
  step(t, d, b, true, 0x88, 0, 15, -1, false);
  step(t, d, b, true, 0x90, 0x1b59b000, 255, -1, false);
  step(t, d, b, false, 0x80, 0, 0, 1, false);
  for (unsigned n = 0; n < 256; n++) {
    unsigned at = 2 * n % 256;
    queue[at][0] = 0x300f2;
    queue[at][1] = 0xffffd000;
    queue[at + 1][0] = 0x200000025;
    queue[at + 1][1] = 0x2064814 + 8 * n;
    unsigned waits = b->waits, tail = (at + 2) % 256, k = 0;
    while (b->r.tail != tail && t->failures < 10) step(t, d, b, true, 0x88, tail * 16, 15, -1, false);
    for (; b->waits == waits && k < 400; k++) step(t, d, b, false, 0x80, 0, 0, -1, false);
    CHECK_EQ(t, b->waits, waits + 1, "wait %u", n);
    CHECK(t, b->r.answered, "status of wait %u", n);
    CHECK_EQ(t, b->r.head, tail, "IQH");
  }
  CHECK_EQ(t, b->invals, 256, "invalidations");
}

// Where the tail goes: near the head, anywhere in the queue, anywhere.
static uint64_t some_tail(tb *t, const ref *r) {
  unsigned how = (unsigned)rnd_below(t, 20);
  if (how == 0) return rnd_bits(t, 19) & ~15ull;
  return (how < 3 ? rnd_below(t, size(r)) : (r->head + rnd_below(t, 6)) % size(r)) * 16;
}

static void anything(tb *t, dut *d, bench *b) {
  static const unsigned some[] = {0x80, 0x88, 0x90, 0x98, 0xa0, 0xa8, 0x78, 0xb0, 0x1088};
  ref *r = &b->r;
  unsigned a = some[rnd_below(t, sizeof some / sizeof *some)],
           strb = rnd_chance(t, 70) ? 255 : (unsigned)rnd_bits(t, 8);
  bool we = rnd_chance(t, 8);
  uint64_t data = rnd(t);
  if (!r->qie && rnd_chance(t, 10)) a = 0x90, we = true;
  if (a == 0x88) data = some_tail(t, r);
  if (a == 0x90 && rnd_chance(t, 50)) data &= ~7ull;  // half of the time the smallest queue, which wraps
  if (a == 0x90 && rnd_chance(t, 15)) data |= 7;
  if (a == 0x98) we = we && rnd_chance(t, 50);
  if (r->iwc && rnd_chance(t, 5)) a = 0x98, we = true, data |= 1ull << 32;
  if (r->ip && r->im && rnd_chance(t, 10)) a = 0xa0, we = true, data &= ~(1ull << 31);  // whatever is under way
  if (r->iqe && rnd_chance(t, 10)) {
    r->iqe = false;
    if (rnd_chance(t, 80)) make_descriptor(t, queue[r->head], 0);
    if (r->tail >= size(r)) a = 0x88, we = true, data = 0, strb = 255;
  }
  if (rnd_chance(t, 5)) make_descriptor(t, queue[(r->head + 1 + rnd_below(t, 200)) % SLOTS], 10);
  // Off and on again in the midst of a wait as well.
  unsigned often = r->waiting ? 5 : 1;
  int set = rnd_chance(t, r->qie ? often : 10 * often) && rnd_chance(t, 40) ? !r->qie : -1;
  if (we && a == 0x90 && set == 1) set = -1;
  if (rnd_chance(t, 5)) a ^= 8u << rnd_below(t, 17);  // beside a register by a bit
  step(t, d, b, we, a, data, strb, set, true);
}

static void reset(dut *d, bench *b) {
  dut_set_qie_i(d, 0);
  dut_reset(d, 1);
  b->r = (ref){.im = true};
  b->fetching = b->ev_sent = b->ev_out = b->acting = b->unread = b->could_fetch = b->ar_waits = false;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_qi", 120000);
  dut *d = dut_begin(&t);
  bench b = {.r.im = true};
  dut_reset(d, 2);
  stock(&t, d, &b);
  for (unsigned k = 0; k < SLOTS; k++) make_descriptor(&t, queue[k], 10);
  for (uint64_t c = 0; c < t.cycles && t.failures < 10; c++) {
    if (!rnd_below(&t, 3000)) reset(d, &b);
    anything(&t, d, &b);
  }
  CHECK(&t,
        b.invals > tb_least(&t, 1000) && b.waits > tb_least(&t, 500) && b.stops > tb_least(&t, 100) &&
            b.events > tb_least(&t, 30) && b.errors > tb_least(&t, 20) && b.failures > tb_least(&t, 20),
        "too little: %u %u %u %u %u %u", b.invals, b.waits, b.stops, b.events, b.errors, b.failures);
  dut_free(d);
  return tb_end(&t);
}
