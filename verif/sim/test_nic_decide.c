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
#include "nic_decide_bench.h"

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
  for (unsigned k = 0; k < 32; k++) {  // each with another value
    b->slow = k < 16 ? 0 : 70;         // then the store is often not of now
    SAY(FrDup, f);
    CHECK(t, b->last_answered, "and one that is remembered");
  }
  b->replay = false;
  for (unsigned k = 0; k < 16; k++) SAY(FrDone, base(b, OpCas, 0));
  b->slow = 0;
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
